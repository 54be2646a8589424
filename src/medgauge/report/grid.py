"""A grid of texts, and its output formats: Markdown, LaTeX with booktabs and HTML; rows as CSV."""

import html
import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from medgauge.spreadsheets import csv_text

ColumnTypes = dict[str, Any]
"""The columns of rows: the type of each by its name."""

_NAME = 40  # characters of a name in a list of names
_WIDE = 9  # columns above which LaTeX sets the table small
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
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "×": r"$\times$",
    "−": "$-$",
}


@dataclass(frozen=True)
class Cell:
    """A text, possibly in bold, possibly with a superscript."""

    text: str
    bold: bool = False
    raised: str = ""

    @property
    def plain(self) -> str:
        """The text for output without superscripts."""
        return f"{self.text} {self.raised}" if self.raised else self.text


@dataclass(frozen=True)
class Grid:
    """A table: its title, column names, rows, and the notes below it.

    The first `labels` columns name a row and are left-aligned, the others right-aligned.
    """

    title: str
    header: list[str]
    rows: list[list[Cell]]
    notes: list[str] = field(default_factory=list)
    labels: int = 1

    def transposed(self) -> "Grid":
        """Swap rows and columns; only for a grid with one label column."""
        assert self.labels == 1
        header = [self.header[0], *(row[0].plain for row in self.rows)]
        rows = [
            [Cell(name), *(row[column] for row in self.rows)]
            for column, name in enumerate(self.header)
            if column
        ]
        return Grid(self.title, header, rows, self.notes)

    def columns(self, first: int, last: int) -> "Grid":
        """Keep the label columns and the value columns from first to last."""
        kept = [*range(self.labels), *range(first, last)]
        return Grid(
            self.title,
            [self.header[column] for column in kept],
            [[row[column] for column in kept] for row in self.rows],
            self.notes,
            self.labels,
        )


def number_text(value: float, digits: int = 3) -> str:
    """Format a figure; NaN is "undefined".

    >>> number_text(0.61549), number_text(-0.0001), number_text(math.nan)
    ('0.615', '0.000', 'undefined')
    """
    return "undefined" if math.isnan(value) else f"{value:z.{digits}f}"


def interval_text(low: float, high: float) -> str:
    """Format an interval; NaN is empty.

    >>> interval_text(-0.1, 0.25), interval_text(math.nan, math.nan)
    ('[-0.100, 0.250]', '')
    """
    return "" if math.isnan(low) else f"[{low:z.3f}, {high:z.3f}]"


def figure_text(value: float, low: float, high: float) -> str:
    """Format a figure with its interval, if it has one.

    >>> figure_text(0.615, 0.57, 0.66)
    '0.615 [0.570, 0.660]'
    """
    return f"{number_text(value)} {interval_text(low, high)}".rstrip()


def short_name(name: str) -> str:
    """Shorten a name that would fill a line.

    >>> short_name("glove"), len(short_name("g" * 300))
    ('glove', 40)
    """
    return name if len(name) <= _NAME else f"{name[: _NAME - 1]}…"


def listed(names: Sequence[str], most: int = 4) -> str:
    """List the first names and the number of the rest.

    >>> listed(["a", "b"]), listed(["a", "b", "c", "d"], most=2)
    ('a, b', 'a, b and 2 more')
    """
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(map(short_name, names[:most])) + more


def counted(count: int, what: str) -> str:
    """Format a count with its noun.

    >>> counted(1, "set"), counted(1200, "pair")
    ('1 set', '1,200 pairs')
    """
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def first_lines(lines: Iterable[str], what: str, most: int = 5) -> list[str]:
    """Keep the first lines of a summary, and say how many more there are.

    >>> first_lines(["a", "b", "c"], "set", most=1)
    ['a', '… and 2 more sets']
    """
    lines = list(lines)
    return lines[:most] + (
        [f"… and {counted(len(lines) - most, f'more {what}')}"] if len(lines) > most else []
    )


def columns_of(model: type[BaseModel]) -> ColumnTypes:
    """Return the fields of a model as columns."""
    return {name: field.annotation for name, field in model.model_fields.items()}


def to_markdown(grid: Grid) -> str:
    """Write a grid as a Markdown table.

    >>> print(to_markdown(Grid("T", ["set", "A"], [[Cell("x"), Cell("0.61", bold=True)]])))
    **T**
    <BLANKLINE>
    | set | A |
    |---|---:|
    | x | **0.61** |
    """

    def line(texts: list[str]) -> str:
        return f"| {' | '.join(' '.join(text.split()).replace('|', chr(92) + '|') for text in texts)} |"

    marks = "|".join("---" if column < grid.labels else "---:" for column in range(len(grid.header)))

    def shown(cell: Cell) -> str:
        text = f"**{cell.text}**" if cell.bold else cell.text
        return f"{text} <sup>{cell.raised}</sup>" if cell.raised else text

    rows = [line([shown(cell) for cell in row]) for row in grid.rows]
    notes = ["", *(f"{note}  " for note in grid.notes)] if grid.notes else []
    return "\n".join([f"**{grid.title}**", "", line(grid.header), f"|{marks}|", *rows, *notes])


def to_latex(grid: Grid) -> str:
    """Write a grid as a LaTeX table for booktabs."""

    def line(texts: list[str]) -> str:
        return f"{' & '.join(texts)} \\\\"

    def cell(value: Cell) -> str:
        text = escape_latex(value.text)
        text = rf"\textbf{{{text}}}" if value.bold else text
        return rf"{text}\textsuperscript{{{escape_latex(value.raised)}}}" if value.raised else text

    columns = "".join("l" if column < grid.labels else "r" for column in range(len(grid.header)))
    caption = " ".join(escape_latex(text) for text in (f"{grid.title}.", *grid.notes))
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            *([r"\footnotesize\setlength{\tabcolsep}{3pt}"] if len(grid.header) > _WIDE else []),
            rf"\caption{{{caption}}}",
            rf"\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            line([escape_latex(name) for name in grid.header]),
            r"\midrule",
            *(line([cell(value) for value in row]) for row in grid.rows),
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
        ]
    )


def to_html(grid: Grid) -> str:
    """Write a grid as an HTML table, in ASCII, that takes its colours from the page around it.

    >>> print(to_html(Grid("T", ["set", "ρ"], [[Cell("a<b"), Cell("0.61", bold=True)]])))
    <div style="overflow-x: auto; margin-bottom: 1em">
    <p style="margin: 0.3em 0; font-weight: bold">T</p>
    <table style="border-collapse: collapse" aria-label="T">
    <thead><tr><th style="..." scope="col">set</th><th style="..." scope="col">&#961;</th></tr></thead>
    <tbody>
    <tr><td style="...">a&lt;b</td><td style="..."><strong>0.61</strong></td></tr>
    </tbody>
    </table>
    </div>
    """

    def style(column: int) -> str:
        side = "left" if column < grid.labels else "right"
        return f"text-align: {side}; white-space: nowrap; padding: 0.2em 0.7em"

    def shown(cell: Cell) -> str:
        text = html.escape(cell.text)
        text = f"<strong>{text}</strong>" if cell.bold else text
        return f"{text} <sup>{html.escape(cell.raised)}</sup>" if cell.raised else text

    head = "".join(
        f'<th style="{style(column)}; border-bottom: 1px solid #888" scope="col">{html.escape(name)}</th>'
        for column, name in enumerate(grid.header)
    )
    rows = [
        "".join(f'<td style="{style(column)}">{shown(cell)}</td>' for column, cell in enumerate(row))
        for row in grid.rows
    ]
    lines = [
        '<div style="overflow-x: auto; margin-bottom: 1em">',
        # Not a caption, which would be as narrow as the table or stretch the table to its own width.
        f'<p style="margin: 0.3em 0; font-weight: bold">{html.escape(grid.title)}</p>',
        f'<table style="border-collapse: collapse" aria-label="{html.escape(grid.title)}">',
        f"<thead><tr>{head}</tr></thead>",
        "<tbody>",
        *(f"<tr>{row}</tr>" for row in rows),
        "</tbody>",
        "</table>",
        *(f'<p style="margin: 0.3em 0; font-size: smaller">{html.escape(note)}</p>' for note in grid.notes),
        "</div>",
    ]
    # ASCII is shown correctly even on a page that does not name its encoding.
    return "\n".join(lines).encode("ascii", "xmlcharrefreplace").decode()


WRITERS: dict[str, Callable[[Grid], str]] = {"md": to_markdown, "latex": to_latex, "html": to_html}
"""The writer of each format, by its name on the command line."""


def write(grids: Iterable[Grid], form: str) -> str:
    """Write grids one below the other, in one of the formats of WRITERS."""
    return "\n\n".join(map(WRITERS[form], grids)) + "\n"


def to_csv(header: Iterable[str], rows: list[list[object]], *, bom: bool = False) -> str:
    r"""Write rows as CSV, in which no text is a formula for spreadsheets.

    >>> to_csv(["a", "b"], [["x,y", 1]])
    'a,b\n"x,y",1\n'
    """
    return csv_text(header, rows, bom=bom)


def escape_latex(text: str) -> str:
    r"""Escape characters that LaTeX would read as commands.

    >>> print(escape_latex("avg_cos: 50%"))
    avg\_cos: 50\%
    """
    # LaTeX would set two hyphens as a dash.
    plain = " ".join(text.split()).replace("--", "-\0-")
    escaped = "".join(_LATEX.get(character, character) for character in plain).replace("\0", "{}")
    escaped = re.sub(r"(?<![\w.-])-(?=\d)", "$-$", escaped)
    # A bracket or star that begins a row would be read as the argument of the rule or row end before it.
    return f"{{}}{escaped}" if escaped.startswith(("[", "*")) else escaped
