"""A row of panels that share their rows: names down, figures across."""

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import FigureBase

_ACROSS = 4  # panels in a row, at most
_PANEL = 2.4  # inches
_LINE = 0.22  # inches for a name
_NEXT_LINE = 0.14  # inches for each of its further lines
_LETTER = 0.07  # inches that a letter of a name takes


def across(count: int) -> int:
    """Return how many of some panels go into a row, so that rows have nearly as many.

    >>> [across(count) for count in (1, 4, 5, 7, 9)]
    [1, 4, 3, 4, 3]
    """
    return math.ceil(count / math.ceil(count / _ACROSS))


def size_of_panels(count: int, names: Sequence[str]) -> tuple[float, float]:
    """Return the width and height of panels in inches; a name may have several lines."""
    columns = across(count)
    lines = [name.split("\n") for name in names]
    width = _LETTER * max(len(line) for name in lines for line in name) + _PANEL * columns
    height = (_LINE + _NEXT_LINE * (max(map(len, lines)) - 1)) * len(names)
    return width, (0.95 + height) * math.ceil(count / columns)


def draw_panels(
    figure: "FigureBase",
    panels: Sequence[tuple[str, str]],
    names: Sequence[str],
    fill: "Callable[[Axes, int], None]",
) -> "list[Axes]":
    """Draw panels, given as (title, x label); `fill` draws the content of one, by number.

    A whole figure gets the size that they need.
    """
    from matplotlib.figure import Figure

    columns = across(len(panels))
    down = math.ceil(len(panels) / columns)
    if isinstance(figure, Figure):
        figure.set_size_inches(*size_of_panels(len(panels), names))
    grid = list(figure.subplots(down, columns, sharey=True, squeeze=False).flat)
    for number, (title, label) in enumerate(panels):
        axes = grid[number]
        fill(axes, number)
        axes.set_title(title, fontsize=9, loc="left")
        axes.set_xlabel(label, fontsize=8)
        # Ticks next to the letters of the previous panel would make these look like tick labels.
        axes.tick_params(labelsize=8, left=number % columns == 0)
        axes.locator_params(axis="x", nbins=4)
        axes.grid(axis="x", color="0.9", linewidth=0.6)
        axes.set_axisbelow(True)
    grid[0].set_yticks(range(len(names)), names)
    grid[0].set_ylim(len(names) - 0.5, -0.5)
    for axes in grid[len(panels) :]:
        axes.remove()
    return grid[: len(panels)]
