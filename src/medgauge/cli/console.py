"""What the commands share: output, progress bars, and errors in one sentence."""

import json
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from medgauge.errors import MedgaugeWarning
from medgauge.files.spreadsheets import BOM
from medgauge.progress import Advance, hearing, showing

if TYPE_CHECKING:
    from rich.console import RenderableType

    from medgauge.report.grids.grid import Grid
    from medgauge.report.grids.layout import Block, Line
    from medgauge.result import Result

_GAP = 2  # between columns
_QUICK = 2.0  # seconds after which a bar is worth showing


class Format(StrEnum):
    """The output formats of a result; `medgauge.report.grids.formats.WRITERS` has those of tables."""

    table = "table"
    md = "md"
    latex = "latex"
    html = "html"
    csv = "csv"
    json = "json"


def out() -> Console:
    """Return the console for results."""
    return Console(highlight=False)


def say(message: str) -> None:
    """Print a remark on stderr, apart from the results."""
    Console(stderr=True, highlight=False, soft_wrap=True).print(Text(message))


def print_text(text: str) -> None:
    """Print text as it is, for other programs to read."""
    sys.stdout.write(text if text.endswith("\n") else f"{text}\n")


def print_json(value: Any) -> None:
    """Print a value as JSON."""
    print_text(json.dumps(value, ensure_ascii=False, indent=2))


def print_grid(grid: "Grid") -> None:
    """Print a grid as a table that fits the terminal, in several parts only where it must be."""
    from medgauge.report.grids.layout import Page, lay_out

    console = out()
    for sentence in grid.lead:
        console.print(Text(sentence))
    if grid.lead:
        console.print()
    # The last column needs no gap.
    page = Page(console.width + _GAP, _GAP, lambda line: cell_len(_plain(line)))
    for number, part in enumerate(lay_out(grid, [page])):
        console.print(Text(f"{grid.title} (continued)" if number else grid.title, "bold"))
        table = Table(box=SIMPLE_HEAD, padding=(0, 0, 0, 1), pad_edge=False, show_edge=False)
        for column, names in enumerate(part.header):
            table.add_column(
                _text(names), justify="left" if column < part.labels else "right", overflow="fold"
            )
        for row in part.rows:
            table.add_row(*map(_text, row))
        console.print(table)
        console.print()
    for note in grid.all_notes:
        console.print(Text(note, "dim"))
    if grid.all_notes:
        console.print()


def _text(block: "Block") -> Text:
    return Text("\n").join(
        Text(_plain(line), "bold" if line.bold else "dim" if line.small else "") for line in block
    )


def _plain(line: "Line") -> str:
    return f"{line.text} {line.raised}" if line.raised else line.text


def print_result(
    result: "Result",
    format: Format,  # noqa: A002 - as the option
    *,
    grids: "Sequence[Grid] | None" = None,
    intervals: bool = True,
    bom: bool = False,
) -> None:
    """Print a result as JSON or CSV, or as its tables (or `grids` in their place).

    With `bom`, CSV begins with a byte-order mark.
    """
    from medgauge.report.grids.formats import write

    if format is Format.json:
        print_text(result.to_json())
    elif format is Format.csv:
        print_text((BOM if bom else "") + result.to_csv())
    else:
        shown = result.grids(intervals=intervals) if grids is None else grids
        if format is not Format.table:
            print_text(write(shown, format.value))
            return
        for grid in shown:
            print_grid(grid)


def print_facts(facts: Mapping[str, str]) -> None:
    """Print names with their values; long values are folded, so that they can be copied whole."""
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, style="bold")
    table.add_column(overflow="fold")
    for name, value in facts.items():
        table.add_row(Text(name), Text(value))
    out().print(table)


class _Bars(Progress):
    """Bars that appear once their work has taken two seconds, so that quick work shows none."""

    def get_renderables(self) -> "Iterator[RenderableType]":
        """Draw the bars; called several times a second."""
        for task in self.tasks:
            task.visible = task.visible or (task.elapsed or 0.0) > _QUICK
        yield from super().get_renderables()


class _Rate(ProgressColumn):
    """Steps per second, of work whose steps have a unit."""

    def render(self, task: Task) -> Text:
        """Return the text of the column."""
        unit = task.fields["unit"]
        return Text(f"{task.speed:,.0f} {unit}/s" if unit and task.speed else "", no_wrap=True)


@contextmanager
def working() -> Iterator[None]:
    """Show the progress of what happens inside, if stderr is a terminal."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield
        return
    columns = (TextColumn("{task.description}"), BarColumn(), _Rate(), TimeRemainingColumn())
    with _Bars(*columns, console=console, transient=True) as bars:

        @contextmanager
        def bar(what: str, steps: int, unit: str = "") -> Iterator[Advance]:
            task = bars.add_task(what, total=steps or None, visible=False, unit=unit)
            yield lambda done: bars.advance(task, done)
            bars.remove_task(task)

        with showing(bar):
            yield


@contextmanager
def plain_warnings() -> Iterator[None]:
    """Print medgauge's warnings as sentences on stderr, each once."""
    shown: set[str] = set()
    usual = warnings.showwarning

    def show(message: Warning | str, category: type[Warning], *rest: Any, **named: Any) -> None:
        if not issubclass(category, MedgaugeWarning):
            usual(message, category, *rest, **named)
        elif str(message) not in shown:
            shown.add(str(message))
            say(f"warning: {message}")

    with warnings.catch_warnings():
        warnings.simplefilter("always", MedgaugeWarning)
        warnings.showwarning = show
        yield


@contextmanager
def plain_remarks() -> Iterator[None]:
    """Print remarks on stderr, such as what was assumed about inputs, each once."""
    heard: set[str] = set()

    def hear(text: str) -> None:
        if text not in heard:
            heard.add(text)
            say(text)

    with hearing(hear):
        yield
