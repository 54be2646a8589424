"""The plot of a build: how large its sets are, and how far apart the terms of their pairs are."""

from typing import TYPE_CHECKING, Any

from medgauge.build.manifest import Manifest
from medgauge.report.plots.canvas import COLOURS, MARKERS
from medgauge.report.plots.panels import draw_panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_KINDS = ("positives", "negatives")


def draw(manifest: Manifest, figure: "Figure") -> "list[Axes]":
    """Draw the numbers of positive and negative pairs of each set, and their mean Levenshtein distances."""
    facts = list(manifest.sets.values())

    def fill(axes: "Axes", number: int) -> None:
        for place, kind in enumerate(_KINDS):
            values = [getattr(one, kind if number == 0 else f"distance_{kind}") for one in facts]
            style: Any = {"color": COLOURS[place], "label": kind.removesuffix("s")}
            if number == 0:
                heights = [height + 0.2 * (2 * place - 1) for height in range(len(facts))]
                axes.barh(heights, values, 0.38, **style)
            else:
                known = [(value, height) for height, value in enumerate(values) if value is not None]
                values, heights = [value for value, _ in known], [height for _, height in known]
                axes.plot(values, heights, MARKERS[place], markersize=4, **style)
        axes.set_xlim(left=0)

    panels = [("Size", "pairs"), ("Distance of the terms", "mean Levenshtein distance")]
    drawn = draw_panels(figure, panels, list(manifest.sets), fill)
    figure.legend(*drawn[1].get_legend_handles_labels(), loc="outside upper right", ncols=2, fontsize=8)
    return drawn
