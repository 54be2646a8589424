"""The caption of a comparison: what was tested, how, and how far it can be trusted."""

import math
from collections.abc import Iterator

from medgauge.comparison.comparison import Comparison, Contest, Spread
from medgauge.comparison.conclusion import models_by_measure, names_of
from medgauge.comparison.graded import EITHER, SWAPS, enough_swaps
from medgauge.comparison.outcome import SHARED
from medgauge.errors import option
from medgauge.evaluation.figures import METRICS
from medgauge.report.captions.contamination_notes import contamination_notes
from medgauge.report.captions.metric_text import SHORT, chosen_by_distance_notes
from medgauge.report.grids.grid import listed, short_name

_NOTABLE = 1.1  # times the standard error of independent pairs: what is more is said
_MOST_REFUSED = 3  # differences without an interval that a note names
CORRECTIONS = {
    "bonferroni": "Bonferroni's correction",
    "holm": "Holm's correction",
    "bh": "Benjamini and Hochberg's correction",
    "none": "no correction",
}


def contest_name(contest: Contest | Spread) -> str:
    """Return the name of a contest: its set and metric."""
    return f"{contest.dataset} {SHORT[contest.metric]}"


def comparison_notes(comparison: Comparison) -> list[str]:
    """Say what was tested, how, on what assumptions, and what could have been found."""
    contests = comparison.contests
    metrics = dict.fromkeys(contest.metric for contest in contests)
    notes = ["; ".join(f"{SHORT[metric]}: {METRICS[metric]}" for metric in metrics) + "."]
    notes.append(tests_note(comparison))
    by_test: dict[str, list[str]] = {}
    for contest in contests:
        for test in contest.test.removesuffix(SHARED).split(EITHER):
            metrics_of = by_test.setdefault(test, [])
            if SHORT[contest.metric] not in metrics_of:
                metrics_of.append(SHORT[contest.metric])
    how = "; ".join(f"{test} ({', '.join(named)})" for test, named in by_test.items())
    counts = f"; {_swaps(contests)}, seed {comparison.seed}" if any(one.resamples for one in contests) else ""
    notes.append(f"Tests: {how}{counts}.")
    notes += _cautions(contests)
    notes += _refused(contests)
    notes.append(_equivalence_note(comparison))
    notes += [f"No tests on {contest_name(one)}: {one.untested}." for one in contests if one.untested]
    notes += [
        f"Not compared on {contest_name(one)}: {system}; {reason}."
        for one in contests
        for system, reason in one.left_out.items()
    ]
    if comparison.by == "model":
        notes.append(_measures_note(comparison))
        chosen = {one.dataset: one.most_edits for one in contests if one.most_edits}
        notes += chosen_by_distance_notes(chosen, {one.model for each in contests for one in each.systems})
    notes += contamination_notes(comparison.contamination)
    if "accuracy_best" in metrics:
        notes.append(
            "The best threshold is chosen on the pairs it is tested on, as in the papers, which favours "
            "every model; CV chooses it on other pairs."
        )
    if comparison.dependence == "dyadic":
        notes += _sharing(contests)
        notes += _error_ratios(contests)
    elif comparison.clustered_by is None:
        notes.append("Pairs are treated as independent.")
        notes += [
            f"{text} {option('dependence', 'dyadic')} takes that into account."
            for text in _error_ratios(contests)
        ]
    else:
        groups = _span(sorted({contest.groups for contest in contests if contest.groups}))
        notes.append(
            f"Pairs with the same {comparison.clustered_by} depend on one another: {groups} groups of pairs "
            "are treated as independent."
        )
    return notes


def _swaps(contests: list[Contest]) -> str:
    """Say how many swaps, or resamples in results of version 0.1.0, the tests rest on."""
    swapped = [contest for contest in contests if contest.resamples]
    numbers = _span(sorted({contest.resamples for contest in swapped if contest.resamples}))
    return f"up to {numbers} swaps" if any(SWAPS in one.test for one in swapped) else f"{numbers} resamples"


def _cautions(contests: list[Contest]) -> Iterator[str]:
    """Warn where there are too few swaps for any difference to be significant."""
    few = [contest for contest in contests if not contest.can_find]
    if few:
        enough = enough_swaps(min(contest.level for contest in few))
        yield f"Too few swaps for any difference to be significant on {_sets(few)}: {enough}."


def _refused(contests: list[Contest]) -> Iterator[str]:
    """Say which differences have no interval, and why."""
    for contest in contests:
        by_reason: dict[str, list[str]] = {}
        for one in contest.differences:
            if one.no_interval is not None:
                names = " − ".join(map(short_name, names_of(contest, one)))
                by_reason.setdefault(one.no_interval, []).append(names)
        for reason, named in by_reason.items():
            some = ", ".join(named[:_MOST_REFUSED])
            more = f" and {len(named) - _MOST_REFUSED:,} more" if len(named) > _MOST_REFUSED else ""
            yield f"No interval on {contest_name(contest)} of {some}{more}: {reason}."


def _equivalence_note(comparison: Comparison) -> str:
    """Say what differences the sets could show, so that "not significant" is not read as "equal"."""
    shown = []
    for contest in comparison.contests:
        known = sorted(one.detectable for one in contest.differences if not math.isnan(one.detectable))
        if known:
            middle = known[len(known) // 2]
            shown.append(f"{middle:.2g} on {contest_name(contest)}")
    if not shown:
        return "Not significant does not mean equal."
    return (
        "Not significant does not mean equal: the median difference that would be found in 80% of samples is "
        f"{'; '.join(shown)}."
    )


def _sharing(contests: list[Contest]) -> Iterator[str]:
    """Say on which sets pairs share concepts, and what is made of it."""
    shared = [contest for contest in contests if contest.shares_concepts]
    counts = sorted({contest.concepts for contest in shared if contest.concepts})
    where = f"On {_sets(shared)}, pairs" if 0 < len(shared) < len(contests) else "Pairs"
    which = f"one of {_span(counts)} concepts" if counts else "a concept"
    yield (
        f"{where} that share {which}, on either side, depend on one another; tests and intervals allow for "
        f"it, unlike those of the papers ({option('dependence', 'independent')})."
    )
    if any(contest.metric == "accuracy_best" for contest in shared):
        yield "Besides McNemar's test, Student's t with the error of such pairs has to find a difference."


def _error_ratios(contests: list[Contest]) -> Iterator[str]:
    """Say where the standard errors of pairs that share concepts are notably larger."""
    found = []
    for contest in contests:
        if contest.error_ratio is not None and contest.error_ratio[1] > _NOTABLE:
            low, high = (f"{end:.2f}" for end in contest.error_ratio)
            found.append(f"{low if low == high else f'{low} to {high}'} on {contest_name(contest)}")
    if found:
        yield (
            "Pairs share concepts: standard errors that allow for it are larger by the factor "
            f"{'; '.join(found)}."
        )


def _sets(contests: list[Contest]) -> str:
    return listed(list(dict.fromkeys(contest.dataset for contest in contests)))


def tests_note(comparison: Comparison) -> str:
    """Say at which level, with which correction and over which tests."""
    tests = sorted({contest.tests for contest in comparison.contests})
    levels = sorted({contest.level for contest in comparison.contests})
    over = {
        ("model", "dataset"): "all differences of a set and metric",
        ("measure", "dataset"): "all differences of a model on a set and metric",
    }.get((comparison.by, comparison.family), "all differences of the table with the same metric")
    if comparison.correction == "none":
        return (
            f"α = {comparison.alpha:g} for each of {_span(tests)} tests, with no correction for their number."
        )
    shown = _span([f"{level:.2g}" for level in levels])
    return (
        f"α = {comparison.alpha:g} with {CORRECTIONS[comparison.correction]} over {over} ({_span(tests)} "
        f"tests; intervals at level {shown})."
    )


def _measures_note(comparison: Comparison) -> str:
    if comparison.chosen_on_test_data:
        return (
            "Each model has its best measure on each set, chosen on the same pairs (the test data): figures "
            "are optimistic, and the tests do not account for the choice."
        )
    by_measure = models_by_measure(comparison.contests)
    named = [f"{measure} ({', '.join(models)})" for measure, models in by_measure.items()]
    return f"Measures: {'; '.join(named)}." if named else "The models score pairs themselves."


def _span(values: list[int] | list[str] | list[int | str]) -> str:
    """Format one value, or the first and the last of several.

    >>> _span([15]), _span([12000, 36000])
    ('15', '12,000 to 36,000')
    """
    ends = [f"{value:,}" if isinstance(value, int) else value for value in (values[0], values[-1])]
    return ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"
