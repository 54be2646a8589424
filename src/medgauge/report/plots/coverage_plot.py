"""The plots of what benchmarks cover: scores, types and their baseline, and specificity, set by set."""

import math
import textwrap
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np

from medgauge.composition.benchmark_coverage import BenchmarkCoverage, CoveredSet
from medgauge.report.grids.grid import number_text
from medgauge.report.plots import canvas
from medgauge.report.plots.bars import draw_bars
from medgauge.report.plots.canvas import COLOURS
from medgauge.report.plots.panels import across, draw_panels, size_of_panels
from medgauge.strata.values import FREQUENT

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, FigureBase

_PANEL = (2.4, 2.1)  # inches
_MAP = (2.3, 2.5)
_LETTERS = 30  # characters of two types on one line
_TYPE = 46  # characters of a type
_TITLE = 32  # the same above a panel
_ROWS = 25  # combinations of types that are drawn
_LEGEND = 0.3  # inches
_GREY = "0.75"


def draw(found: BenchmarkCoverage, figure: "Figure") -> "list[Axes]":
    """Draw all plots that have something to show, one below the other."""
    names = _with_content(found)
    sizes = [_size(name, found) for name in names]
    heights = [height for _, height in sizes]
    figure.set_size_inches(max(width for width, _ in sizes), sum(heights))
    parts = figure.subfigures(len(names), 1, squeeze=False, height_ratios=heights).flat
    return [axes for name, part in zip(names, parts, strict=True) for axes in _PLOTS[name](part, found)]


def check_plots(folder: Path | None) -> None:
    """Refuse a folder in which plots cannot be written, before the work starts."""
    canvas.check_plots(folder, _PLOTS)


def write_plots(found: BenchmarkCoverage, folder: Path) -> list[Path]:
    """Write the plots that have something to show, each as SVG and as PNG; return the paths.

    They are `scores`, `types`, `baseline` and `specificity`.
    """
    return canvas.write_plots(
        folder, {name: partial(_draw_one, name, found) for name in _with_content(found)}
    )


def _draw_one(name: str, found: BenchmarkCoverage, figure: "Figure") -> None:
    _PLOTS[name](figure, found)
    figure.set_size_inches(*_size(name, found))


def _with_content(found: BenchmarkCoverage) -> list[str]:
    """Return the names of the plots for which some set has figures; scores if there is none."""
    there = {"types": _typed(found), "baseline": _predicted(found), "specificity": _specific(found)}
    scored = bool(_scored(found)) or not any(there.values())
    return [name for name in _PLOTS if (scored if name == "scores" else there[name])]


def _scored(found: BenchmarkCoverage) -> list[CoveredSet]:
    return [one for one in found.sets if one.scores]


def _typed(found: BenchmarkCoverage) -> list[CoveredSet]:
    return [one for one in found.sets if one.types and one.types.pairs]


def _predicted(found: BenchmarkCoverage) -> list[CoveredSet]:
    return [one for one in found.sets if one.types and one.types.baseline.permuted]


def _specific(found: BenchmarkCoverage) -> list[CoveredSet]:
    return [one for one in found.sets if one.specificity and one.specificity.pairs]


def _size(name: str, found: BenchmarkCoverage) -> tuple[float, float]:
    """Return the size of a plot in inches."""
    if name == "types":
        width, height = size_of_panels(len(_typed(found)), _names_of_types(found))
        return width, height + _LEGEND
    if name == "baseline":
        sets = _predicted(found)
        return 5.0 + 0.065 * max(len(_short(one)) for one in sets), 0.85 + 0.45 * len(sets)
    count, (width, height), more = (
        (len(_specific(found)), _MAP, 0.9)
        if name == "specificity"
        else (max(1, len(_scored(found))), _PANEL, 0.3)
    )
    return width * across(count) + more, height * math.ceil(count / across(count)) + 0.1


def _draw_scores(figure: "FigureBase", found: BenchmarkCoverage) -> "list[Axes]":
    """Draw how many pairs have each score, as in figure 1 of Schulz et al. (2020)."""
    sets = _scored(found)
    if not sets:
        axes = figure.subplots()
        axes.text(0.5, 0.5, "No set has scores.", ha="center", va="center", transform=axes.transAxes)
        axes.set_axis_off()
        return [axes]
    grid = _grid(figure, len(sets))
    for number, (one, axes) in enumerate(zip(sets, grid, strict=True)):
        scores, counts = (np.array([getattr(two, name) for two in one.scores]) for name in ("score", "pairs"))
        labelled = one.target == "label"
        draw_bars(axes, np.repeat(scores, counts), (0.0, 1.0) if labelled else one.scale)
        axes.set_title(_short(one), fontsize=9, loc="left")
        axes.set_xlabel("label" if labelled else "score", fontsize=8)
        axes.tick_params(labelsize=8)
        axes.locator_params(axis="x", nbins=5)
        axes.locator_params(axis="y", nbins=5)
        if labelled:
            axes.set_xticks([0, 1])
        if number % across(len(sets)) == 0:
            axes.set_ylabel("pairs", fontsize=8)
    return grid


def _draw_types(figure: "FigureBase", found: BenchmarkCoverage) -> "list[Axes]":
    """Draw the share of each frequent combination of types, as in figure 2 of Schulz et al. (2020)."""
    from matplotlib.patches import Patch

    sets, frequent = _typed(found), _drawn_combinations(found)
    shares = []
    for one in sets:
        counts = {two.types: two.pairs for two in one.types.combinations} if one.types else {}
        shares.append([100 * counts.get(types, 0) / sum(counts.values()) for types in frequent])
    largest = max((share for some in shares for share in some), default=1.0)

    def fill(axes: "Axes", number: int) -> None:
        colours = [COLOURS[0] if share > 100 * FREQUENT else _GREY for share in shares[number]]
        axes.barh(range(len(frequent)), shares[number], 0.7, color=colours)
        axes.axvline(100 * FREQUENT, color="0.4", linewidth=0.7, linestyle=":")
        axes.set_xlim(0, 1.08 * largest)

    panels = [(_short(one), "% of pairs") for one in sets]
    drawn = draw_panels(figure, panels, _names_of_types(found), fill)
    count = len(found.frequent_combinations())
    left_out = f" (of {count} combinations, the {_ROWS} largest)" if count > _ROWS else ""
    over = f"over {FREQUENT:.0%} of the set{left_out}"
    handles = [Patch(color=COLOURS[0], label=over), Patch(color=_GREY, label=f"{FREQUENT:.0%} or less")]
    figure.legend(handles=handles, loc="outside upper right", ncols=2, fontsize=8)
    return drawn


def _names_of_types(found: BenchmarkCoverage) -> list[str]:
    """Return the names of the frequent combinations, on two lines if one would be long."""
    return [_on_lines(*types) for types in _drawn_combinations(found)] or [f"(none over {FREQUENT:.0%})"]


def _drawn_combinations(found: BenchmarkCoverage) -> list[tuple[str, str]]:
    return found.frequent_combinations()[:_ROWS]


def _on_lines(type_1: str, type_2: str) -> str:
    """Write a combination on one line or on two.

    >>> _on_lines("Finding", "Sign")
    'Finding – Sign'
    """
    one, two = (textwrap.shorten(name, _TYPE, placeholder=" …") for name in (type_1, type_2))
    return f"{one} – {two}" if len(one) + len(two) <= _LETTERS else f"{one} –\n{two}"


def _draw_baseline(figure: "FigureBase", found: BenchmarkCoverage) -> "list[Axes]":
    """Draw ρ of the baseline of types beside its distribution over the permutations."""
    sets = _predicted(found)
    axes = figure.subplots()
    for place, one in enumerate(sets):
        assert one.types is not None, "a set with permutations has types"
        baseline = one.types.baseline
        mean, low, high = baseline.usual
        if np.ptp(baseline.permuted) > 0:
            shape = axes.violinplot(
                [baseline.permuted], [place], orientation="horizontal", widths=0.8, showextrema=False
            )
            for body in cast("list[Artist]", shape["bodies"]):
                body.set(facecolor=_GREY, edgecolor="none", alpha=1)
        axes.hlines(place, low, high, color="0.35", linewidth=1.2)
        axes.plot([mean], [place], "|", color="0.2", markersize=8)
        axes.plot([baseline.rho], [place], "D", color=COLOURS[1], markersize=6, markeredgecolor="white")
        axes.annotate(
            f"p = {number_text(baseline.p)}",
            (1.01, place),
            xycoords=("axes fraction", "data"),
            va="center",
            fontsize=8,
        )
    axes.set_yticks(range(len(sets)), [_short(one) for one in sets])
    axes.set_ylim(len(sets) - 0.4, -0.6)
    axes.axvline(0, color="0.7", linewidth=0.6, zorder=0)
    axes.set_xlabel("ρ of the baseline of types")
    grey, black = (
        axes.fill([], [], color=_GREY, label=f"{found.permutations:,} permutations of the types")[0],
        axes.plot([], [], "|-", color="0.35", label="their mean and middle 95%")[0],
    )
    observed = axes.plot([], [], "D", color=COLOURS[1], label="observed", linestyle="none")[0]
    figure.legend(handles=[observed, grey, black], loc="outside upper center", ncols=3, fontsize=8)
    return [axes]


def _draw_specificity(figure: "FigureBase", found: BenchmarkCoverage) -> "list[Axes]":
    """Draw how often two specificities meet, as in figure 3 of Schulz et al. (2020)."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import PowerNorm

    sets = _specific(found)
    maps = [_map(one) for one in sets]
    size = max(len(one) for one in maps)
    low = min(int(np.flatnonzero(one.any(axis=0))[0]) for one in maps)
    # The square root, so that a small set with much in one place leaves colours for the others.
    norm = PowerNorm(0.5, 0, max(float(one.max()) for one in maps))
    colours = ScalarMappable(norm, "viridis_r")
    grid = _grid(figure, len(sets))
    for number, (one, shares, axes) in enumerate(zip(sets, maps, grid, strict=True)):
        padded = np.zeros((size, size))
        padded[: len(shares), : len(shares)] = shares
        masked = np.ma.masked_equal(padded, 0)
        edges = np.arange(size + 1) - 0.5
        axes.pcolormesh(edges, edges, masked, norm=norm, cmap=colours.cmap)
        axes.plot([low - 0.5, size - 0.5], [low - 0.5, size - 0.5], color="0.8", linewidth=0.8, zorder=0)
        axes.set_aspect("equal")
        axes.set_xlim(low - 0.5, size - 0.5)
        axes.set_ylim(low - 0.5, size - 0.5)
        axes.locator_params(integer=True, nbins=6)
        axes.tick_params(labelsize=8)
        axes.set_title(_short(one), fontsize=9, loc="left")
        axes.set_xlabel("less specific concept", fontsize=8)
        if number % across(len(sets)) == 0:
            axes.set_ylabel("more specific concept", fontsize=8)
    bar = figure.colorbar(colours, ax=grid, label="% of pairs", shrink=0.8, aspect=15)
    bar.ax.tick_params(labelsize=8)
    return grid


def _map(one: CoveredSet) -> "np.ndarray[tuple[int, int], np.dtype[np.float64]]":
    """Return the percentages of pairs, by the more specific (row) and the less specific concept."""
    assert one.specificity is not None, "only sets with specificity are drawn"
    size = max(level.high for level in one.specificity.counts) + 1
    shares = np.zeros((size, size))
    for level in one.specificity.counts:
        shares[level.high, level.low] = 100 * level.pairs / one.specificity.pairs
    return shares


def _grid(figure: "FigureBase", count: int) -> "list[Axes]":
    """Make panels side by side, in as few rows as fit."""
    columns = across(count)
    panels = list(figure.subplots(math.ceil(count / columns), columns, squeeze=False).flat)
    for unused in panels[count:]:
        unused.remove()
    return list(panels[:count])


def _short(one: CoveredSet) -> str:
    return textwrap.shorten(one.name, _TITLE, placeholder=" …") if " " in one.name else one.name[:_TITLE]


_PLOTS: "dict[str, Callable[[FigureBase, BenchmarkCoverage], list[Axes]]]" = {
    "scores": _draw_scores,
    "types": _draw_types,
    "baseline": _draw_baseline,
    "specificity": _draw_specificity,
}
