"""A grid of texts, and the forms it is written in: Markdown, LaTeX with booktabs, CSV."""

import csv
import io
import math
import re
from dataclasses import dataclass, field

_WIDE = 9  # columns, of which more are set small
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
    """A text, in bold or not, with a superscript or none."""

    text: str
    bold: bool = False
    raised: str = ""

    @property
    def plain(self) -> str:
        """The text for where nothing can be raised."""
        return f"{self.text} {self.raised}" if self.raised else self.text


@dataclass(frozen=True)
class Grid:
    """A table: its title, column names, rows, and the notes that stand under it.

    The first `labels` columns name a row and are set to the left, the others to the right.
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
    """Write a figure; one that is undefined says so.

    >>> number_text(0.61549), number_text(-0.0001), number_text(math.nan)
    ('0.615', '0.000', 'undefined')
    """
    return "undefined" if math.isnan(value) else f"{value:z.{digits}f}"


def interval_text(low: float, high: float) -> str:
    """Write an interval, or nothing where there is none.

    >>> interval_text(-0.1, 0.25), interval_text(math.nan, math.nan)
    ('[-0.100, 0.250]', '')
    """
    return "" if math.isnan(low) else f"[{low:z.3f}, {high:z.3f}]"


def figure_text(value: float, low: float, high: float) -> str:
    """Write a figure with its interval, if it has one.

    >>> figure_text(0.615, 0.57, 0.66)
    '0.615 [0.570, 0.660]'
    """
    return f"{number_text(value)} {interval_text(low, high)}".rstrip()


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


def to_csv(header: list[str], rows: list[list[object]]) -> str:
    r"""Write rows as CSV.

    >>> to_csv(["a", "b"], [["x,y", 1]])
    'a,b\n"x,y",1\n'
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return out.getvalue()


def escape_latex(text: str) -> str:
    r"""Escape what LaTeX would read as a command.

    >>> print(escape_latex("avg_cos: 50%"))
    avg\_cos: 50\%
    """
    # Two hyphens would be set as a dash.
    plain = " ".join(text.split()).replace("--", "-\0-")
    escaped = "".join(_LATEX.get(character, character) for character in plain).replace("\0", "{}")
    escaped = re.sub(r"(?<![\w.-])-(?=\d)", "$-$", escaped)
    # A bracket or star that begins a row would be read as the argument of the rule or row end before it.
    return f"{{}}{escaped}" if escaped.startswith(("[", "*")) else escaped
