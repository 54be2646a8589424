"""Grids as LaTeX tables for booktabs, laid out for the text of a portrait page."""

import itertools
import re
from functools import lru_cache
from typing import NamedTuple

from medgauge.report.grids.grid import Grid
from medgauge.report.grids.layout import Block, Line, Page, TablePart, lay_out

_TEXT_WIDTH, _TEXT_HEIGHT = 345.0, 550.0  # points, of the class article at 10pt
_USED = 0.99  # of that width, since kerning is not measured
_SCRIPTSIZE = 0.80  # widths of its letters, relative to those at 10pt
_BOLD = 1.18
# Widths of Computer Modern Roman at 10pt, in tenths of a point; other characters count as the widest.
_WIDTHS = {
    character: width
    for width, characters in {
        28: "!',.:;[]`il|’",
        30: "_",
        31: "fj",
        34: " -",
        37: "I",
        39: "()t",
        40: "rs",
        45: "cezδ…",
        48: "?",
        44: "†",
        49: "τ",
        50: '"$*/0123456789\\^ago{}~–',
        52: "Jρ",
        53: "kqvxy",
        55: "γ",
        56: "Sbdhnpu",
        58: "βκ",
        61: "μ",
        62: "Z",
        63: "Lχ",
        64: "α",
        66: "F",
        69: "EP",
        71: "B",
        73: "CTw",
        74: "R",
        75: "AHNUVXY",
        77: "D",
        78: "&+<=>@KOQ×−≤≥",
        79: "G",
        84: "#%m",
        92: "M",
        103: "W",
    }.items()
    for character in characters
}
_WIDEST = 103
_MINUS = re.compile(r"(?<![\w.-])-(?=\d)")
_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": "$<$",
    ">": "$>$",
    "|": r"\textbar{}",
    '"': "''",
    "α": r"$\alpha$",
    "β": r"$\beta$",
    "γ": r"$\gamma$",
    "δ": r"$\delta$",
    "κ": r"$\kappa$",
    "μ": r"$\mu$",
    "χ": r"$\chi$",
    "ρ": r"$\rho$",
    "τ": r"$\tau$",
    "–": "--",
    "†": r"\textdagger{}",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "×": r"$\times$",
    "−": "$-$",
}


class _Type(NamedTuple):
    """A size of type: widths of its letters relative to those at 10pt, and space in points."""

    scale: float
    gap: float  # on each side of a column
    skip: float  # from line to line
    command: str


_TYPES = (
    _Type(1.0, 6, 12, ""),
    _Type(0.85, 3, 9.5, r"\footnotesize\setlength{\tabcolsep}{3pt}"),
    _Type(_SCRIPTSIZE, 2, 8, r"\scriptsize\setlength{\tabcolsep}{2pt}"),
)


@lru_cache(maxsize=4096)
def _points(line: Line, scale: float) -> float:
    """Estimate the width of a line of a cell, from above."""
    plain, raised = (
        sum(_WIDTHS.get(character, _WIDEST) for character in _MINUS.sub("−", text)) / 10
        for text in (line.text, line.raised)
    )
    size = min(scale, _SCRIPTSIZE) if line.small else scale
    return plain * size * (_BOLD if line.bold else 1) + raised * _SCRIPTSIZE


def to_latex(grid: Grid) -> str:
    """Write a grid as a LaTeX table for booktabs, or as several where a portrait page is too narrow."""
    caption = " ".join([f"{grid.title}.", *grid.lead, *grid.all_notes])
    pages = {_page(caption, type_): type_ for type_ in _TYPES}
    parts = lay_out(grid, list(pages))
    captions = itertools.chain([caption], itertools.repeat(f"{grid.title} (continued)."))
    return "\n\n".join(
        _table(part, text, pages[part.page].command) for part, text in zip(parts, captions, strict=False)
    )


def _page(caption: str, type_: _Type) -> Page:
    """Return the text of a page in this type, with room for the caption above the table."""
    above = _points(Line(caption), type_.scale) / _TEXT_WIDTH + 2
    lines = _TEXT_HEIGHT / type_.skip - above
    return Page(_USED * _TEXT_WIDTH, 2 * type_.gap, lambda line: _points(line, type_.scale), lines)


def _table(part: TablePart, caption: str, size: str) -> str:
    columns = "".join("l" if column < part.labels else "r" for column in range(len(part.header)))
    several = any(len(block) > 1 for row in part.rows for block in row)
    rows = ["\n".join(_lines(row)) for row in part.rows]
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            *filter(None, [size]),
            r"\setlength{\belowcaptionskip}{6pt}",
            rf"\caption{{{escape_latex(caption)}}}",
            rf"\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            *_lines(part.header),
            r"\midrule",
            ("\n\\addlinespace[2pt]\n" if several else "\n").join(rows),
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
        ]
    )


def _lines(blocks: list[Block]) -> list[str]:
    """Return the lines of a row, those of a block below each other; lower lines are set close."""
    lines = itertools.zip_longest(*blocks, fillvalue=Line(""))
    texts = [f"{' & '.join(map(_written, line))} \\\\" for line in lines]
    return [*(f"{text}[-2pt]" for text in texts[:-1]), texts[-1]]


def _written(line: Line) -> str:
    text = escape_latex(line.text)
    text = rf"\textbf{{{text}}}" if line.bold else text
    text = rf"{{\scriptsize {text}}}" if line.small else text
    return rf"{text}\textsuperscript{{{escape_latex(line.raised)}}}" if line.raised else text


def escape_latex(text: str) -> str:
    r"""Escape characters that LaTeX would read as commands.

    >>> print(escape_latex("avg_cos: 50%"))
    avg\_cos: 50\%
    """
    # LaTeX would set two hyphens as a dash.
    plain = " ".join(text.split()).replace("--", "-\0-")
    escaped = "".join(_LATEX.get(character, character) for character in plain).replace("\0", "{}")
    escaped = _MINUS.sub("$-$", escaped)
    # A bracket or star that begins a row would be read as the argument of the rule or row end before it.
    return f"{{}}{escaped}" if escaped.startswith(("[", "*")) else escaped
