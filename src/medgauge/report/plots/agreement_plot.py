"""The plots of an agreement: how ratings are distributed, who agrees with whom, and disagreement by pair."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from medgauge.arrays import Doubles, Integers
from medgauge.ratings.findings import Agreement
from medgauge.ratings.ratings import Ratings
from medgauge.report.grids.grid import number_text
from medgauge.report.plots import canvas
from medgauge.report.plots.bars import draw_bars
from medgauge.report.plots.canvas import COLOURS

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, FigureBase


_WIDTH, _HEIGHT = 4.6, 3.0  # inches
_FEW = 12  # annotators up to which each α is written into the map
_NAMED = 40  # annotators up to which their names are written next to it
_LETTERS = 28  # characters of a name
_LETTER = 0.065  # inches that a letter takes
_GREY = (0.87, 0.87, 0.87, 1.0)  # two annotators without α
_LARGEST = 260.0  # square points of the largest marker
_INK = 6000.0  # square points of all markers, at most
_DOT = 12.0  # square points of a marker for one pair


def check_plots(folder: Path | None) -> None:
    """Refuse a folder in which plots cannot be written, before the work starts."""
    canvas.check_plots(folder, _PLOTS)


def draw(found: Agreement, figure: "Figure") -> "list[Axes]":
    """Draw the three plots side by side; they need the ratings that the agreement was computed from."""
    ratings = found.ratings
    width, height = _size("pairwise", found)
    if height < 1.5 * _HEIGHT:
        figure.set_size_inches(2 * _WIDTH + width, max(_HEIGHT, height))
        parts = figure.subfigures(1, 3, squeeze=False, width_ratios=(_WIDTH, _WIDTH, width)).flat
        places = dict(zip(("scores", "disagreement", "pairwise"), parts, strict=True))
    else:  # next to a large map, the others go one above the other
        figure.set_size_inches(_WIDTH + width, max(2 * _HEIGHT, height))
        left, right = figure.subfigures(1, 2, squeeze=False, width_ratios=(_WIDTH, width)).flat
        top, bottom = left.subfigures(2, 1, squeeze=False).flat
        places = {"scores": top, "pairwise": right, "disagreement": bottom}
    return [draw_one(places[name], found, ratings) for name, draw_one in _PLOTS.items()]


def write_plots(found: Agreement, folder: Path) -> list[Path]:
    """Write the distribution of mean ratings, pairwise α, and each pair's disagreement; return the paths.

    Each plot is written as SVG and as PNG, and says so if it has nothing to show.
    """
    return canvas.write_plots(folder, {name: partial(_draw_one, name, found) for name in _PLOTS})


def _draw_one(name: str, found: Agreement, figure: "Figure") -> None:
    figure.set_size_inches(*_size(name, found))
    _PLOTS[name](figure, found, found.ratings)


def _size(name: str, found: Agreement) -> tuple[float, float]:
    """Return the size of a plot in inches: the map of annotators grows with their number."""
    names, alphas = _alphas(found)
    if name != "pairwise" or np.isnan(alphas).all():
        return _WIDTH, _HEIGHT
    side = _side(names) + _room(names)
    return side + 1.2, side + 0.6


def _draw_scores(figure: "FigureBase", found: Agreement, ratings: Ratings) -> "Axes":
    """Draw how many pairs have each mean rating, as in figure 1 of Schulz et al. (2020)."""
    axes = _axes(figure, found, "scores")
    axes.set_xlabel(_mean_label(ratings))
    axes.set_ylabel("pairs")
    means = ratings.means[ratings.counts > 0]
    if not means.size:
        return _say(axes, "No pair was rated.")
    draw_bars(axes, means, ratings.scale)
    return axes


def _draw_pairwise(figure: "FigureBase", found: Agreement, _ratings: Ratings) -> "Axes":
    """Draw α of every two annotators as a colour, with a blank diagonal."""
    from matplotlib import colormaps
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize
    from matplotlib.patches import Patch
    from matplotlib.ticker import MaxNLocator

    names, alphas = _alphas(found)
    defined = ~np.isnan(alphas)
    if not defined.any():
        why = "α is undefined for every two annotators." if len(names) > 1 else "There is only one annotator."
        return _say(_axes(figure, found, "pairwise"), why)
    axes = _axes(figure, found, "pairwise")
    # The colours span the values, rounded outwards to tenths.
    low, high = np.floor(10 * alphas[defined].min()) / 10, np.ceil(10 * alphas[defined].max()) / 10
    scale = ScalarMappable(Normalize(low, max(high, low + 0.1)), colormaps["viridis"])
    colours = scale.to_rgba(alphas)
    is_self = np.eye(len(names), dtype=bool)
    colours[~defined] = _GREY
    colours[is_self] = 1
    edges = np.arange(len(names) + 1) - 0.5
    axes.pcolormesh(edges, edges, colours, rasterized=len(names) > _NAMED)  # else the SVG takes megabytes
    axes.invert_yaxis()
    axes.set_aspect("equal")
    axes.spines[:].set_visible(False)
    ticks = MaxNLocator(5, steps=[1, 2, 5, 10])
    figure.colorbar(scale, ax=axes, label=f"Krippendorff's α ({found.level})", shrink=0.8, ticks=ticks)
    if len(names) <= _FEW:
        _write_alphas(axes, alphas, colours)
    _name_annotators(axes, names, found.groups)
    if not (defined | is_self).all():
        grey = Patch(facecolor=_GREY, label="α undefined: no pairs in common,\nor all their ratings equal")
        figure.legend(handles=[grey], loc="outside lower center", fontsize=8)
    return axes


def _alphas(found: Agreement) -> tuple[list[str], Doubles]:
    """Return the annotators by group, and α of every two of them; NaN where it is undefined."""
    names = [one.name for one in sorted(found.annotators, key=lambda one: one.group)]
    places = {name: place for place, name in enumerate(names)}
    alphas = np.full((len(names), len(names)), np.nan)
    for two in found.pairwise:
        first, second = places[two.annotator_1], places[two.annotator_2]
        alphas[first, second] = alphas[second, first] = two.alpha
    return names, alphas


def _write_alphas(axes: "Axes", alphas: Doubles, colours: Doubles) -> None:
    bright = colours[..., :3] @ (0.299, 0.587, 0.114) > 0.5
    for row, column in np.argwhere(~np.isnan(alphas)):
        colour = "black" if bright[row, column] else "white"
        text = number_text(alphas[row, column], 2)
        axes.text(column, row, text, ha="center", va="center", fontsize=7, color=colour)


def _name_annotators(axes: "Axes", names: list[str], groups: int) -> None:
    if len(names) > _NAMED:
        axes.set_xticks([])
        axes.set_yticks([])
        axes.set_xlabel(f"{len(names):,} annotators{', group by group' if groups > 1 else ''}")
        return
    shown = [_shortened(name) for name in names]
    axes.set_xticks(range(len(names)), shown, rotation=90 if max(map(len, shown)) > 3 else 0, fontsize=7)
    axes.set_yticks(range(len(names)), shown, fontsize=7)
    axes.tick_params(length=0)


def _side(names: list[str]) -> float:
    """Return the length of a side of the map in inches."""
    return max(1.5, 0.36 * len(names)) if len(names) <= _FEW else min(6.5, max(4.3, 0.16 * len(names)))


def _room(names: list[str]) -> float:
    """Return the width of the names next to the map in inches."""
    return _LETTER * max(len(_shortened(name)) for name in names) if len(names) <= _NAMED else 0.2


def _draw_disagreement(figure: "FigureBase", found: Agreement, ratings: Ratings) -> "Axes":
    """Draw the standard deviation of each pair's ratings against their mean."""
    axes = _axes(figure, found, "disagreement")
    axes.set_xlabel(_mean_label(ratings))
    axes.set_ylabel("standard deviation")
    points, counts = _points(ratings)
    if not counts.size:
        return _say(axes, "No pair was rated twice.")
    label = f"mean {number_text(found.mean_sd)}"
    line = axes.axhline(found.mean_sd, color=COLOURS[1], linestyle="--", linewidth=1, label=label)
    handles: list[Artist] = [line]
    if 2 * len(points) > counts.sum():
        means, deviations = np.repeat(points, counts, axis=0).T
        axes.scatter(means, deviations, _DOT, color=COLOURS[0], alpha=0.4, linewidth=0)
    else:
        area = min(_LARGEST / counts.max(), _INK / counts.sum())
        style: Any = {"color": COLOURS[0], "alpha": 0.6, "linewidth": 0}
        axes.scatter(points[:, 0], points[:, 1], area * counts, **style)
        for count in _examples(int(counts.max())):
            label = f"{count:,} pair{'' if count == 1 else 's'}"
            handles.append(axes.scatter([], [], area * count, label=label, **style))
    axes.margins(0.08)
    if ratings.scale is not None:
        axes.update_datalim([(end, 0) for end in ratings.scale])
        axes.autoscale_view()
    figure.legend(handles=handles, loc="outside upper right", ncols=len(handles), fontsize=8)
    return axes


def _points(ratings: Ratings) -> tuple[Doubles, Integers]:
    """Return the distinct (mean, standard deviation) of pairs rated twice, and how many pairs have each."""
    several = ratings.counts > 1
    pairs = np.stack([ratings.means[several], ratings.deviations[several].round(12)], axis=1)
    points, counts = np.unique(pairs, axis=0, return_counts=True)
    return points, counts


def _examples(most: int) -> list[int]:
    """Choose round numbers of pairs for a legend, largest first.

    >>> _examples(412), _examples(7), _examples(1)
    ([200, 50, 10], [5, 1], [1])
    """
    rounds = [digit * 10**zeros for zeros in range(len(str(most))) for digit in (1, 2, 5)]
    return [number for number in rounds if number <= most][::-2][:3]


def _axes(figure: "FigureBase", found: Agreement, name: str) -> "Axes":
    axes = figure.subplots()
    letters = int(0.8 * _size(name, found)[0] / _LETTER)
    axes.set_title(_shortened(found.name, letters), fontsize=9, loc="left")
    return axes


def _mean_label(ratings: Ratings) -> str:
    return "mean verdict (0: not same, 1: same)" if ratings.verdicts else "mean rating"


def _say(axes: "Axes", sentence: str) -> "Axes":
    """Write on the axes why they are empty."""
    axes.text(0.5, 0.5, sentence, ha="center", va="center", transform=axes.transAxes)
    axes.set_xticks([])
    axes.set_yticks([])
    return axes


def _shortened(name: str, letters: int = _LETTERS) -> str:
    """Leave out the middle of a long name, since names often differ at their ends.

    >>> _shortened("annotator-of-the-first-hospital-07")
    'annotator-of-the-…ospital-07'
    """
    return name if len(name) <= letters else f"{name[: letters - 11]}…{name[-10:]}"


_PLOTS: "dict[str, Callable[[FigureBase, Agreement, Ratings], Axes]]" = {
    "scores": _draw_scores,
    "pairwise": _draw_pairwise,
    "disagreement": _draw_disagreement,
}
