"""The plot of a concept map: how many concepts each step decided."""

from typing import TYPE_CHECKING

from medgauge.mapping.concept_map import ConceptMap
from medgauge.report.grids.grid import short_name
from medgauge.report.plots.canvas import COLOURS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw(found: ConceptMap, figure: "Figure") -> "list[Axes]":
    """Draw a bar for each step, those that mapped concepts above the others, in another colour."""
    steps = list(found.steps.items())
    figure.set_size_inches(6, 0.9 + 0.26 * len(steps))
    axes = figure.subplots()
    for place, ((mapped, _), count) in enumerate(steps):
        is_first = place == 0 or steps[place - 1][0][0] != mapped
        label = ("mapped" if mapped else "unmapped") if is_first else None
        axes.barh(place, count, 0.7, color=COLOURS[0 if mapped else 1], label=label)
        axes.text(count, place, f" {count:,}", va="center", fontsize=8)
    axes.set_yticks(range(len(steps)), [short_name(step) for (_, step), _ in steps], fontsize=8)
    axes.set_ylim(len(steps) - 0.5, -0.5)
    axes.set_xlim(0, 1.12 * max(count for _, count in steps))
    axes.locator_params(axis="x", nbins=4)
    axes.set_xlabel("concepts")
    axes.set_title(f"{short_name(found.source)} to {short_name(found.target)}", fontsize=9, loc="left")
    figure.legend(*axes.get_legend_handles_labels(), loc="outside upper right", ncols=2, fontsize=8)
    return [axes]
