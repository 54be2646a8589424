"""The layout of a grid that must fit a width, such as the columns of a terminal or the points of a page.

A grid is shown as it is if it fits. If not, these are tried in order: swap its rows and columns, fold long
names, put intervals below their figures, then measures below the intervals, fold the intervals too; each of
them also in smaller type, where a page has one. Only a grid that fits in none of these ways is split.
"""

import itertools
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import cached_property

from medgauge.report.grids.grid import Cell, Grid

_WORD = "levenshtein-"  # a word that is not longer than this is not broken
_NAME = "umnsrs-similarity"  # a name of usual length
_SHARE = 0.35  # of the width, which the labels of a row have at least


@dataclass(frozen=True)
class Line:
    """A line of a block; a small one says more about the line above it."""

    text: str
    bold: bool = False
    raised: str = ""
    small: bool = False


Block = list[Line]
"""What stands in one place of a table: a line, or several below each other."""


@dataclass(frozen=True)
class Page:
    """What tables are written on.

    `gap` is the space that each column needs besides its text, `lines` the number of lines there is room for.
    """

    width: float
    gap: float
    measure: Callable[[Line], float]
    lines: float = math.inf

    def width_of(self, block: Block) -> float:
        """Return the width of the longest line."""
        return max(map(self.measure, block), default=0)


@dataclass(frozen=True)
class TablePart:
    """A grid, or some of its columns, as blocks; the first `labels` columns name the row."""

    header: list[Block]
    rows: list[list[Block]]
    labels: int
    page: Page

    @cached_property
    def widths(self) -> list[float]:
        """The width of each column, with its gap."""
        return [
            max(map(self.page.width_of, column)) + self.page.gap
            for column in zip(self.header, *self.rows, strict=True)
        ]

    def lines(self) -> int:
        """Return the number of lines."""
        return sum(max(map(len, row)) for row in (self.header, *self.rows))

    def columns(self, first: int, last: int) -> "TablePart":
        """Keep the label columns and the value columns from first to last."""
        kept = [*range(self.labels), *range(first, last)]
        return replace(
            self,
            header=[self.header[column] for column in kept],
            rows=[[row[column] for column in kept] for row in self.rows],
        )


class _Below(Enum):
    """What stands below a figure."""

    NOTHING = auto()
    INTERVAL = auto()
    EACH_ON_ITS_LINE = auto()
    INTERVAL_FOLDED = auto()


class _Names(Enum):
    """Which names are folded: those of rows always to what the values leave."""

    NONE = auto()
    LONG_OF_COLUMNS = auto()
    ALL_OF_COLUMNS = auto()
    ALL = auto()


def lay_out(grid: Grid, pages: Sequence[Page]) -> list[TablePart]:
    """Lay a grid out so that it fits: as one part where possible, else in as few as possible.

    `pages` are the same page with ever smaller type; the smallest is a last resort. A part is wider than its
    page only if the page has no room for the names of the rows next to a column of a dozen characters. Rows
    are not split: a page with too few lines for a line of each gets one line of each.
    """
    ways = (
        _arranged(turned, page, below, names)
        for some in (pages[:-1], pages[-1:])
        for below, names in itertools.product(_Below, _Names)
        for turned in _orientations(grid)
        for page in some
    )
    tried = []
    for part in ways:
        if part.lines() <= max(part.page.lines, 1 + len(grid.rows)):
            if sum(part.widths) <= part.page.width:
                return [part]
            tried.append(part)
    return _split(min(tried, key=lambda part: (_overflows(part), len(_counts(part)))))


def _orientations(grid: Grid) -> Iterator[Grid]:
    yield grid
    if grid.turned is not None:
        yield grid.transposed()


def _arranged(grid: Grid, page: Page, below: _Below, names: _Names) -> TablePart:
    rows = [[_block(cell, below) for cell in row] for row in grid.rows]
    part = TablePart([[Line(name)] for name in grid.header], rows, grid.labels, page)
    if below is not _Below.NOTHING and grid.labels > 1:
        part = _with_stacked_labels(part)
    return part if names is _Names.NONE else _with_folded_names(part, names)


def _block(cell: Cell, below: _Below) -> Block:
    if below is _Below.NOTHING:
        return [Line(cell.text, cell.bold, cell.raised)]
    beside = cell.after if below is _Below.INTERVAL and cell.interval else ""
    interval = cell.interval.split() if below is _Below.INTERVAL_FOLDED else [cell.interval]
    texts = [f"{cell.figure} {beside}".strip(), *interval, cell.after if not beside else ""]
    first, *others = [text for text in texts if text] or [""]
    return [Line(first, cell.bold, cell.raised), *(Line(text, small=True) for text in others)]


def _with_stacked_labels(part: TablePart) -> TablePart:
    """Put the last label of each row below the one before it."""
    last = part.labels - 1

    def stacked(blocks: list[Block]) -> list[Block]:
        below = [replace(line, small=True) for line in blocks[last] if line.text]
        return [*blocks[: last - 1], [*blocks[last - 1], *below], *blocks[last + 1 :]]

    return replace(part, header=stacked(part.header), rows=list(map(stacked, part.rows)), labels=last)


def _with_folded_names(part: TablePart, names: _Names) -> TablePart:
    """Fold the names of columns, but not to less than their values, and those of rows to what is left."""
    page, usual = part.page, part.page.measure(Line(_NAME))

    def of_column(block: Block, column: int) -> Block:
        values = max((page.width_of(row[column]) for row in part.rows), default=0)
        word = min(_longest_word(block, page), page.measure(Line(_WORD)))
        return _folded(block, max(values, usual if names is _Names.LONG_OF_COLUMNS else word), page)

    header = [
        block if column < part.labels else of_column(block, column)
        for column, block in enumerate(part.header)
    ]
    labels = part.widths[: part.labels]
    values = sum(replace(part, header=header).widths[part.labels :])
    room = max(_SHARE * page.width, page.width - values)

    def of_row(block: Block, column: int) -> Block:
        left = max(room / part.labels, room - sum(labels) + labels[column]) - page.gap
        word = min(_longest_word(block, page), page.measure(Line(_WORD)))
        return _folded(block, max(word, min(left, usual) if names is _Names.ALL else left), page)

    def with_labels(row: list[Block]) -> list[Block]:
        return [of_row(block, column) if column < part.labels else block for column, block in enumerate(row)]

    return replace(part, header=with_labels(header), rows=list(map(with_labels, part.rows)))


def _longest_word(block: Block, page: Page) -> float:
    words = (replace(line, text=word.rstrip()) for line in block for word in _words(line.text))
    return max(map(page.measure, words), default=0)


def _words(text: str) -> list[str]:
    """Split a name after spaces, hyphens, underscores and slashes, but not before a symbol at its end.

    >>> _words("umnsrs-sim ρ")
    ['umnsrs-', 'sim ρ']
    """
    words = re.findall(r"[^\s/_-]*[\s/_-]|[^\s/_-]+", text)
    return [*words[:-2], "".join(words[-2:])] if len(words) > 1 and len(words[-1]) == 1 else words


def _folded(block: Block, width: float, page: Page) -> Block:
    return [replace(line, text=text) for line in block for text in _fold(line, width, page)]


def _fold(line: Line, width: float, page: Page) -> Iterator[str]:
    """Fold a line between words, and within a word only where it must be."""

    def fits(text: str) -> bool:
        return page.measure(replace(line, text=text.rstrip())) <= width

    kept = ""
    for word in _words(line.text):
        for text in (word,) if fits(word) else word:
            if kept and not fits(kept + text):
                yield kept.rstrip()
                kept = ""
            kept += text
    yield kept.rstrip()


def _split(part: TablePart) -> list[TablePart]:
    """Split the value columns into as few parts as fit, of about the same number of columns."""
    widths, counts, room = part.widths, _counts(part), _room(part)
    size, larger = divmod(sum(counts), len(counts))
    even = [size + (number < larger) for number in range(len(counts))]
    if all(sum(widths[first:last]) <= room for first, last in _spans(part, even)):
        counts = even
    found = [part.columns(first, last) for first, last in _spans(part, counts)]
    return [_with_folded_values(one, room) if len(one.header) == one.labels + 1 else one for one in found]


def _spans(part: TablePart, counts: Iterable[int]) -> Iterable[tuple[int, int]]:
    """Return the first and last column of each part."""
    return itertools.pairwise(itertools.accumulate(counts, initial=part.labels))


def _room(part: TablePart) -> float:
    """Return the width that the labels leave for values."""
    return part.page.width - sum(part.widths[: part.labels])


def _overflows(part: TablePart) -> bool:
    """Return whether some value column, or the labels alone, would be wider than the page."""
    return max(_values(part), default=0) > _room(part)


def _values(part: TablePart) -> list[float]:
    """Return the widths of the value columns."""
    return part.widths[part.labels :]


def _counts(part: TablePart) -> list[int]:
    """Return how many value columns fit into each part, at least one."""
    room = _room(part)
    counts, used = [0], 0.0
    for width in _values(part):
        if counts[-1] and used + width > room:
            counts, used = [*counts, 0], 0.0
        counts[-1] += 1
        used += width
    return counts


def _with_folded_values(part: TablePart, room: float) -> TablePart:
    """Fold the values of a part with one value column that is wider than the room there is."""
    if max(_values(part)) <= room:
        return part
    width = max(room - part.page.gap, part.page.measure(Line(_WORD)))

    def folded(blocks: list[Block]) -> list[Block]:
        return [*blocks[:-1], _folded(blocks[-1], width, part.page)]

    return replace(part, header=folded(part.header), rows=list(map(folded, part.rows)))
