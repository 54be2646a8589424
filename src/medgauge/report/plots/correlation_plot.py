"""The plot of correlations: a map of r."""

from typing import TYPE_CHECKING

import numpy as np

from medgauge.comparison.correlate import Correlations
from medgauge.report.grids.grid import short_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_CELL = 0.55, 0.32  # inches across and down
_LETTER = 0.07  # inches that a letter of a name takes
_GREY = "0.87"  # r is undefined
_WRITTEN = 400  # cells up to which each has its number in it
_ALPHA = 0.05


def draw(found: Correlations, figure: "Figure") -> "list[Axes]":
    """Draw r of each intrinsic column (down) and extrinsic one (across) as a colour; bold: p < 0.05."""
    from matplotlib import colormaps

    down, across = found.intrinsic.columns, found.extrinsic.columns
    entries = {(one.intrinsic, one.extrinsic): one for one in found.correlations}
    r = np.array([[entries[name, other].r for other in across] for name in down])
    left, below = (_LETTER * max(len(short_name(name)) for name in names) for names in (down, across))
    figure.set_size_inches(
        left + _CELL[0] * max(3, len(across)) + 1.2, below + _CELL[1] * max(3, len(down)) + 0.6
    )
    axes = figure.subplots()
    colours = colormaps["RdBu_r"].with_extremes(bad=_GREY)
    drawn = axes.imshow(np.ma.masked_invalid(r), cmap=colours, vmin=-1, vmax=1, aspect="auto")
    figure.colorbar(drawn, ax=axes, label="Pearson's r")
    axes.set_xticks(range(len(across)), map(short_name, across), rotation=90, fontsize=8)
    axes.set_yticks(range(len(down)), map(short_name, down), fontsize=8)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    if r.size <= _WRITTEN:
        for row, column in np.argwhere(~np.isnan(r)):
            value = r[row, column]
            is_below = entries[down[row], across[column]].p < _ALPHA
            axes.text(
                column,
                row,
                f"{value:z.2f}",
                ha="center",
                va="center",
                fontsize=7,
                color="white" if abs(value) > 0.6 else "black",
                fontweight="bold" if is_below else "normal",
            )
    axes.set_title(f"{len(found.models):,} models", fontsize=9, loc="left")
    return [axes]
