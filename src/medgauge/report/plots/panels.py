"""A row of panels that share their rows: names down, figures across."""

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ACROSS = 4  # panels in a row, at most
_PANEL = 2.4  # inches
_LINE = 0.22  # inches for a name
_LETTER = 0.07  # inches that a letter of a name takes


def draw_panels(
    figure: "Figure",
    panels: Sequence[tuple[str, str]],
    names: Sequence[str],
    fill: "Callable[[Axes, int], None]",
) -> "list[Axes]":
    """Draw panels, given as (title, x label); `fill` draws the content of one, by number."""
    across = min(_ACROSS, len(panels))
    down = math.ceil(len(panels) / across)
    width = _LETTER * max(map(len, names)) + _PANEL * across
    figure.set_size_inches(width, (0.95 + _LINE * len(names)) * down)
    grid = list(figure.subplots(down, across, sharey=True, squeeze=False).flat)
    for number, (title, label) in enumerate(panels):
        axes = grid[number]
        fill(axes, number)
        axes.set_title(title, fontsize=9, loc="left")
        axes.set_xlabel(label, fontsize=8)
        # Ticks next to the letters of the previous panel would make these look like tick labels.
        axes.tick_params(labelsize=8, left=number % across == 0)
        axes.locator_params(axis="x", nbins=4)
        axes.grid(axis="x", color="0.9", linewidth=0.6)
        axes.set_axisbelow(True)
    grid[0].set_yticks(range(len(names)), names)
    grid[0].set_ylim(len(names) - 0.5, -0.5)
    for axes in grid[len(panels) :]:
        axes.remove()
    return grid[: len(panels)]
