"""What the overall figures of an agreement are based on, in sentences below their table."""

import math
from collections.abc import Iterable, Iterator

from medgauge.errors import option
from medgauge.ratings.findings import OVERALL, Agreement
from medgauge.report.captions.metric_text import percent
from medgauge.report.grids.grid import counted, number_text
from medgauge.stats.raters.agreement_statistics import FIGURES
from medgauge.stats.raters.intervals.over_pairs import FEW_PAIRS
from medgauge.stats.raters.intervals.over_raters import MOST_BLOCKS
from medgauge.stats.raters.reliability import ByPanel, Packed
from medgauge.stats.raters.variance.mean_reliability import MOST_BLOCKS as MOST_LEFT_OUT
from medgauge.stats.raters.variance.mean_reliability import MeanReliability

_WAYS = {Packed.prefix: ", packed", ByPanel.prefix: " by panel"}
_OVER_ANNOTATORS = "over_annotators_"


def headline_notes(found: Agreement) -> Iterator[str]:
    """Return what the overall figures are based on, a sentence each."""
    ratings = sum(one.ratings for one in found.annotators)
    scale = f" on a scale of {found.scale[0]:g} to {found.scale[1]:g}" if found.scale else ""
    yield (
        f"{found.pairs:,} pairs, of which {found.rated:,} were rated and {found.rated_twice:,} at least "
        f"twice; {ratings:,} ratings{scale}."
    )
    if unsure := sum(one.unsure for one in found.annotators):
        yield f"Not counted: {counted(unsure, 'answer')} of don't know, which is not a rating."
    if found.left_out:
        yield f"Annotators left out ({option('without')}): {', '.join(found.left_out)}."
    yield f"Level of α: {found.level}."
    yield from _reliability_notes(found)
    yield "IAA-1: the mean over annotators of their mean Spearman's ρ with each of the others."
    yield "IAA-2: the mean over annotators of their ρ with the mean rating of the others."
    if found.groups > 1:
        yield (
            f"The annotators form {found.groups:,} groups by the pairs that they rated; the others are those "
            "in the same group."
        )
    yield from _best_notes(found)
    if found.consistency is not None:
        yield (
            f"(Nearly) all annotators rated the same {found.consistency.pairs:,} pairs, a consistency set: "
            f"IAA-1 {number_text(found.consistency.iaa_1)}, α {number_text(found.consistency.alpha)} there. "
            "All other figures of agreement leave these pairs out."
        )
    if found.intervals:
        yield _interval_note(found)
    if of_all := [FIGURES[name].symbol for name in _of_all_ratings(found)]:
        yield f"Those of {', '.join(of_all)}: jackknife over at most {MOST_LEFT_OUT} random blocks of pairs."
    if found.over_annotators:
        yield _over_annotators_note(found)
    yield from map(sentence, _missing_intervals(found))
    yield from map(sentence, found.reasons)


def _reliability_notes(found: Agreement) -> Iterator[str]:
    """Say which ratings W, ICC and G(q,k) are computed from, and what k and q are."""
    packed, variances = found.packed, found.variances
    if packed.pairs and packed.raters is not None:
        is_older = variances is None and not math.isnan(found.icc_c1)
        what, verbs = ("W and ICC", ("depend", "are")) if is_older else ("W", ("depends", "is"))
        how = (
            f", packed: side by side in the order of the columns, as if by the same k annotators. {what} "
            f"{verbs[0]} on that order, and {verbs[1]} lower where some annotators rate consistently higher "
            "or lower"
            if has_panels(found)
            else ""
        )
        yield (
            f"{what}: k = {packed.raters} ratings of each of {packed.pairs:,} of the {found.pairs:,} "
            f"pairs{how}."
        )
    if variances is not None:
        yield (
            f"ICC and G(q,k): by REML on all ratings of {variances.pairs:,} pairs; k = {variances.k:.3g}, "
            "the harmonic mean of their numbers of ratings. ICC(C,k) leaves out that annotators rate higher "
            f"or lower throughout; G(q,k) counts it with q = {number_text(variances.q)}, as far as it does "
            "not cancel out in the means."
        )


def _best_notes(found: Agreement) -> Iterator[str]:
    """Say who the best annotator is, and what the ceiling is beside them."""
    if found.best_annotator is not None and found.best_annotator_excluding_self is not None:
        yield (
            f"Best annotator: ρ of the best one ({found.best_annotator}) with the mean rating, biased "
            "upwards since it includes their own; own rating excluded "
            f"({found.best_annotator_excluding_self}): with the mean of the others. Where several are "
            "about equally good, the best is so by chance: the figure is then too high, and its "
            "interval too narrow or missing."
        )
    if not math.isnan(found.ceiling):
        yield (
            "Ceiling: what a model that knew the true values would be expected to score against the mean "
            "rating; approximate for ρ."
        )


def _interval_note(found: Agreement) -> str:
    bootstrap = f"BCa bootstrap over pairs, {found.resamples:,} resamples, seed {found.seed}"
    jackknifed = _labels(found, [name for name in FIGURES if name in found.jackknifed])
    bootstrapped = _labels(found, [name for name in _with_interval(found) if name not in found.jackknifed])
    if not jackknifed:
        return f"Intervals: {bootstrap}."
    why = f"with fewer than {FEW_PAIRS} pairs, or where resampling itself shifts the figure"
    if len(bootstrapped) < len(jackknifed):
        others = f"; {bootstrap}, for {', '.join(bootstrapped)}" if bootstrapped else ""
        return f"Intervals: jackknife over pairs, as {why}{others}."
    return f"Intervals: {bootstrap}; by the jackknife {why}: {', '.join(jackknifed)}."


def _of_all_ratings(found: Agreement) -> list[str]:
    """Return the figures whose intervals leave out blocks of pairs, since each value takes a search."""
    return (
        [] if found.variances is None else [name for name in MeanReliability.names if name in found.intervals]
    )


def _with_interval(found: Agreement) -> list[str]:
    ways = {Packed.prefix: found.packed, ByPanel.prefix: found.by_panel}
    of_panels = {prefix + name for prefix, one in ways.items() for name in one.intervals}
    bootstrapped = set(found.intervals) - set(_of_all_ratings(found))
    return [name for name in FIGURES if name in of_panels or name in bootstrapped]


def _labels(found: Agreement, figures: Iterable[str]) -> list[str]:
    """Return the labels of figures, without how panels were treated if there is only one."""
    if has_panels(found):
        return [_way_label(name) for name in figures]
    labels = (_way_label(name).removesuffix(_WAYS[Packed.prefix]) for name in figures)
    return [label for label in labels if not label.endswith(_WAYS[ByPanel.prefix])]


def _over_annotators_note(found: Agreement) -> str:
    in_turn = "one annotator"
    if found.annotator_blocks == MOST_BLOCKS < len(found.annotators):
        in_turn = f"one of {MOST_BLOCKS} blocks of annotators"
    return (
        f"Over annotators: {percent(found.confidence)} jackknife intervals that leave out {in_turn} at a "
        "time, for these pairs and other such annotators; the other intervals are for these annotators and "
        "other such pairs. Neither covers both."
    )


def _missing_intervals(found: Agreement) -> list[str]:
    """Return why figures have no interval, a sentence without its full stop for each reason."""
    by_reason: dict[str, list[str]] = {}
    for name, reason in found.no_interval.items():
        by_reason.setdefault(reason, []).append(name)
    return [f"no interval for {', '.join(_labels(found, names))}: {why}" for why, names in by_reason.items()]


def sentence(text: str) -> str:
    """Write a text as a sentence."""
    return f"{text[:1].upper()}{text[1:]}."


def _way_label(figure: str) -> str:
    """Return the label of a figure with an interval, and how it was packed or what was left out."""
    if figure.startswith(_OVER_ANNOTATORS):
        return f"{OVERALL[figure.removeprefix(_OVER_ANNOTATORS)]} over annotators"
    way = next((way for prefix, way in _WAYS.items() if figure.startswith(prefix)), "")
    return f"{FIGURES[figure].label}{way}"


def has_panels(found: Agreement) -> bool:
    """Return whether not all pairs were rated by the same annotators."""
    return max(found.packed.panels, found.by_panel.panels) > 1
