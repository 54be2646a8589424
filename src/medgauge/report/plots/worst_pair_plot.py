"""The plot of the worst pairs: the ranks of gold and scores, pair by pair."""

from typing import TYPE_CHECKING

from medgauge.errors import InputError
from medgauge.inspection.inspected import InspectedSet, WorstPair, WorstPairs
from medgauge.report.grids.grid import short_name
from medgauge.report.plots.canvas import COLOURS, MARKERS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDTH = 7.0  # inches
_LINE = 0.22  # inches for a pair
_MOST = 40  # pairs of a set, which fit a page


def draw(found: WorstPairs, figure: "Figure") -> "list[Axes]":
    """Draw a panel for each set, with the pairs down and their ranks across, rank 1 on the right."""
    sets = [one for one in found.sets if one.pairs]
    if not sets:
        raise InputError("there is no pair to draw")
    lines = [min(_MOST, len(one.pairs)) for one in sets]
    figure.set_size_inches(_WIDTH, sum(_LINE * count + 0.9 for count in lines))
    panels = list(
        figure.subplots(len(sets), 1, squeeze=False, height_ratios=[count + 2 for count in lines]).flat
    )
    for axes, one in zip(panels, sets, strict=True):
        _draw_set(axes, found, one)
    return panels


def _draw_set(axes: "Axes", found: WorstPairs, one: InspectedSet) -> None:
    pairs = one.pairs[:_MOST]
    for height, pair in enumerate(pairs):
        ends = [rank for rank in (pair.gold_rank, pair.score_rank, pair.other_rank) if rank is not None]
        axes.plot([min(ends), max(ends)], [height, height], color="0.75", linewidth=1.2, zorder=1)
    series: list[tuple[str | None, list[float | None]]] = [
        ("gold", [pair.gold_rank for pair in pairs]),
        (found.model, [pair.score_rank for pair in pairs]),
        (found.against, [pair.other_rank for pair in pairs]),
    ]
    for (name, ranks), marker, colour in zip(series, MARKERS, COLOURS, strict=False):
        known = [rank for rank in ranks if rank is not None]
        if name is not None and known:
            label = short_name(name)
            axes.plot(known, range(len(pairs)), marker, color=colour, markersize=4, label=label)
    axes.set_yticks(range(len(pairs)), [_named(pair, one.labelled) for pair in pairs], fontsize=8)
    axes.set_ylim(len(pairs) - 0.5, -0.5)
    axes.set_xlim(one.compared + 0.5, 0.5)
    axes.set_xlabel(f"rank among {one.compared:,} pairs", fontsize=8)
    axes.tick_params(labelsize=8)
    axes.set_title(short_name(one.name), fontsize=9, loc="left")
    axes.legend(
        fontsize=8,
        loc="lower right",
        bbox_to_anchor=(1.0, 1.0),
        ncols=3,
        columnspacing=1.0,
        handletextpad=0.2,
    )


def _named(pair: WorstPair, labelled: bool) -> str:
    terms = f"{short_name(pair.term_1)} – {short_name(pair.term_2)}"
    return f"{terms} ({'positive' if pair.gold else 'negative'})" if labelled else terms
