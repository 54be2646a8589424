"""The output formats of grids: Markdown, HTML, and LaTeX, which has its own module."""

import html
from collections.abc import Callable, Iterable

from medgauge.report.grids.grid import Cell, Grid
from medgauge.report.grids.latex import to_latex


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
    notes = ["", *(f"{note}  " for note in grid.all_notes)] if grid.all_notes else []
    lead = [*(f"{sentence}  " for sentence in grid.lead), ""] if grid.lead else []
    return "\n".join([*lead, f"**{grid.title}**", "", line(grid.header), f"|{marks}|", *rows, *notes])


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
        *(f'<p style="margin: 0.3em 0">{html.escape(sentence)}</p>' for sentence in grid.lead),
        # Not a caption, which would be as narrow as the table or stretch the table to its own width.
        f'<p style="margin: 0.3em 0; font-weight: bold">{html.escape(grid.title)}</p>',
        f'<table style="border-collapse: collapse" aria-label="{html.escape(grid.title)}">',
        f"<thead><tr>{head}</tr></thead>",
        "<tbody>",
        *(f"<tr>{row}</tr>" for row in rows),
        "</tbody>",
        "</table>",
        *(
            f'<p style="margin: 0.3em 0; font-size: smaller">{html.escape(note)}</p>'
            for note in grid.all_notes
        ),
        "</div>",
    ]
    # ASCII is shown correctly even on a page that does not name its encoding.
    return "\n".join(lines).encode("ascii", "xmlcharrefreplace").decode()


WRITERS: dict[str, Callable[[Grid], str]] = {"md": to_markdown, "latex": to_latex, "html": to_html}
"""The writer of each format, by its name on the command line."""


def write(grids: Iterable[Grid], form: str) -> str:
    """Write grids one below the other, in one of the formats of WRITERS."""
    return "\n\n".join(map(WRITERS[form], grids)) + "\n"
