"""A comparison: as a summary, as grids (in the papers' notation, and as ranks with letters), as rows."""

import math
from collections.abc import Callable, Iterable, Iterator
from statistics import mean

from medgauge.comparison.comparison import Comparison, Contest, Difference, Spread, System
from medgauge.comparison.outcome import BEYOND
from medgauge.errors import option
from medgauge.evaluation.figures import METRICS
from medgauge.measures.declared import MEASURES
from medgauge.report.grid import (
    Cell,
    ColumnTypes,
    Grid,
    columns_of,
    counted,
    first_lines,
    number_text,
    short_name,
)
from medgauge.report.metric_text import SHORT, percent
from medgauge.report.run_tables import oriented

_SMALL = 300  # pairs below which the bootstrap exceeds its level (benchmarks/calibration.py)
_CORRECTIONS = {
    "bonferroni": "Bonferroni's correction",
    "holm": "Holm's correction",
    "bh": "Benjamini and Hochberg's correction",
    "none": "no correction",
}


def summary(comparison: Comparison) -> list[str]:
    """Describe in a few lines what was compared, how much of it differs, and what is first."""
    contests = comparison.contests
    models = {system.model for contest in contests for system in contest.systems}
    differences = [one for contest in contests for one in contest.differences]
    significant = sum(one.significant for one in differences)
    corrected = _CORRECTIONS[comparison.correction]

    def line(contest: Contest) -> str:
        first = contest.systems[0]
        of = "" if contest.model is None else f"{short_name(contest.model)}, "
        name = short_name(first.model if contest.model is None else first.measure)
        where = f"{of}{short_name(contest_name(contest))} ({counted(contest.pairs, 'pair')})"
        return f"{where}: {name} is first with {number_text(first.value)}"

    return [
        f"{counted(len(models), 'model')} on {counted(len({one.dataset for one in contests}), 'set')}, "
        f"by {comparison.by}",
        f"{significant:,} of {counted(len(differences), 'difference')} significant "
        f"(α = {comparison.alpha:g}, {corrected})",
        *first_lines(map(line, contests), "contest"),
    ]


def grids(comparison: Comparison) -> list[Grid]:
    """Return all grids of a comparison, the most useful one first."""
    if comparison.by == "measure":
        return [_measures_grid(comparison), _spreads_grid(comparison)]
    return [_ranks_grid(comparison), _wins_grid(comparison)]


def rows(comparison: Comparison) -> tuple[ColumnTypes, list[list[object]]]:
    """Return every difference as a row."""
    of_contest, own = columns_of(Contest), columns_of(Difference)
    shared = {name: of_contest[name] for name in ("dataset", "metric", "pairs", "tests", "level")}
    return shared | own, [
        [*(getattr(contest, name) for name in shared), *(getattr(difference, name) for name in own)]
        for contest in comparison.contests
        for difference in contest.differences
    ]


def contest_name(contest: Contest | Spread) -> str:
    """Return the name of a contest: its set and metric."""
    return f"{contest.dataset} {SHORT[contest.metric]}"


def own_confidence(contests: Iterable[Contest]) -> str:
    """Format the confidence of the intervals of figures and ranks, which is the run's."""
    levels = (percent(system.confidence) for contest in contests for system in contest.systems)
    return " or ".join(dict.fromkeys(levels))


def ordered_models(contests: Iterable[Contest]) -> list[str]:
    """Return the names of the models by their mean rank over the contests, best first."""
    places: dict[str, list[int]] = {}
    for contest in contests:
        for system in contest.systems:
            places.setdefault(system.model, []).append(system.rank)
    return sorted(places, key=lambda name: (mean(places[name]), name))


def _ranks_grid(comparison: Comparison) -> Grid:
    """Return models against sets: rank, its interval and the letters."""
    over = []
    if any(contest.resamples for contest in comparison.contests):
        over.append("the resamples")
    if not all(contest.resamples for contest in comparison.contests):
        over.append("draws from the normal distribution with the figures' covariance, on labelled sets")
    note = (
        f"Rank; in brackets its range in {own_confidence(comparison.contests)} of {', or of '.join(over)}. "
        "Letters: models that share a letter on a set cannot be told apart there."
    )
    return _models_grid("Ranks", comparison, lambda system, _: _rank(system), [note])


def _wins_grid(comparison: Comparison) -> Grid:
    """Return models against sets in the notation of tables 4, 5 and B.1 of Schulz and Juric (2020)."""
    return _models_grid(
        "Figures, with the number of models that each is significantly better (+) and worse (−) than",
        comparison,
        lambda system, contest: _figure(system, contest, comparison.chosen_on_test_data),
        _notes(comparison),
    )


def _models_grid(
    title: str, comparison: Comparison, shown: Callable[[System, Contest], Cell], notes: list[str]
) -> Grid:
    models = ordered_models(comparison.contests)
    rows = []
    for contest in comparison.contests:
        cells = {system.model: shown(system, contest) for system in contest.systems}
        head = [Cell(contest_name(contest)), Cell(str(contest.pairs))]
        rows.append([*head, *(cells.get(name, Cell("–")) for name in models)])
    return oriented(title, models, rows, notes)


def _measures_grid(comparison: Comparison) -> Grid:
    """Return a row of measures for every model and set, as in tables B.2 to B.5 and C.4 to C.8."""
    used = {system.measure for contest in comparison.contests for system in contest.systems}
    measures = [name for name in MEASURES if name in used]
    models = list(dict.fromkeys(contest.model for contest in comparison.contests))
    rows = []
    for contest in sorted(comparison.contests, key=lambda contest: models.index(contest.model)):
        cells = {system.measure: _figure(system, contest, False) for system in contest.systems}
        head = [Cell(contest.model or ""), Cell(contest_name(contest)), Cell(str(contest.pairs))]
        rows.append([*head, *(cells.get(name, Cell("–")) for name in measures)])
    title = (
        "Figures by measure, with the number of the model's other measures that each is significantly better "
        "(+) and worse (−) than"
    )
    return Grid(title, ["model", "set", "pairs", *measures], rows, _notes(comparison), labels=3)


def _spreads_grid(comparison: Comparison) -> Grid:
    """Return the lowest, median and highest figure of each model, as drawn in figures B.1 and C.1."""
    models = list(dict.fromkeys(spread.model for spread in comparison.spreads))
    rows = [
        [
            Cell(spread.model),
            Cell(contest_name(spread)),
            Cell(str(spread.measures)),
            *(Cell(f"{value:z.3f}") for value in (spread.low, spread.median, spread.high)),
        ]
        for spread in sorted(comparison.spreads, key=lambda spread: models.index(spread.model))
    ]
    header = ["model", "set", "measures", "lowest", "median", "highest"]
    return Grid("Spread of the figures over the measures", header, rows, labels=3)


def _rank(system: System) -> Cell:
    span = f"{system.rank_low}–{system.rank_high}"
    return Cell(f"{system.rank}", bold=system.rank == 1, after=f"[{span}] {system.letters}")


def _figure(system: System, contest: Contest, with_measure: bool) -> Cell:
    best = max(one.value for one in contest.systems)
    parts = [f"+{system.wins}"] if system.wins else []
    parts += [f"−{system.losses}"] if system.losses else []
    named = system.measure if with_measure and system.measure != "score" else ""
    return Cell(f"{system.value:z.3f}", bold=system.value == best, raised="/".join(parts), after=named)


def _notes(comparison: Comparison) -> list[str]:
    contests = comparison.contests
    metrics = dict.fromkeys(contest.metric for contest in contests)
    notes = ["; ".join(f"{SHORT[metric]}: {METRICS[metric]}" for metric in metrics) + "."]
    notes.append(_tests_note(comparison))
    by_test: dict[str, list[str]] = {}
    for contest in contests:
        metrics_of = by_test.setdefault(contest.test, [])
        if SHORT[contest.metric] not in metrics_of:
            metrics_of.append(SHORT[contest.metric])
    how = "; ".join(f"{test} ({', '.join(named)})" for test, named in by_test.items())
    resamples = sorted({contest.resamples for contest in contests if contest.resamples})
    counts = f"; {_span(resamples)} resamples, seed {comparison.seed}" if resamples else ""
    notes.append(f"Tests: {how}{counts}.")
    notes += _cautions(contests)
    notes += [f"No tests on {contest_name(one)}: {one.untested}." for one in contests if one.untested]
    notes += [
        f"Not compared on {contest_name(one)}: {system}; {reason}."
        for one in contests
        for system, reason in one.left_out.items()
    ]
    if comparison.by == "model":
        notes.append(_measures_note(comparison))
    if "accuracy_best" in metrics:
        notes.append(
            "The best threshold is chosen on the pairs it is tested on, as in the papers, which favours "
            "every model; CV chooses it on other pairs."
        )
    if comparison.clustered_by is None:
        notes.append("Pairs are treated as independent.")
    else:
        groups = _span(sorted({contest.groups for contest in contests if contest.groups}))
        notes.append(
            f"Pairs with the same {comparison.clustered_by} depend on one another: {groups} groups of pairs "
            "are treated as independent."
        )
    return notes


def _cautions(contests: list[Contest]) -> Iterator[str]:
    """Warn where the bootstrap has too few resamples or pairs."""
    resampled = [contest for contest in contests if contest.resamples]
    if not all(contest.can_find for contest in contests):
        yield f"Too few resamples for any difference to be significant on some sets ({option('resamples')})."
    elif (beyond := min((one.beyond for one in resampled if one.beyond), default=BEYOND)) < BEYOND:
        yield (
            f"As few as {math.floor(beyond)} resamples lie beyond an end of an interval: that end, and what "
            "is significant, depends on the seed."
        )
    small = [contest.dataset for contest in resampled if contest.pairs < _SMALL]
    if small:
        yield (
            f"With fewer than {_SMALL} pairs ({', '.join(dict.fromkeys(small))}) the bootstrap finds false "
            "differences more often than α says."
        )


def _tests_note(comparison: Comparison) -> str:
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
        f"α = {comparison.alpha:g} with {_CORRECTIONS[comparison.correction]} over {over} ({_span(tests)} "
        f"tests; intervals at level {shown})."
    )


def _measures_note(comparison: Comparison) -> str:
    if comparison.chosen_on_test_data:
        return (
            "Each model has its best measure on each set, chosen on the same pairs (the test data): figures "
            "are optimistic, and the tests do not account for the choice."
        )
    by_measure: dict[str, list[str]] = {}
    for contest in comparison.contests:
        for system in contest.systems:
            models = by_measure.setdefault(system.measure, [])
            if system.model not in models and system.measure != "score":
                models.append(system.model)
    named = [f"{measure} ({', '.join(models)})" for measure, models in by_measure.items() if models]
    return f"Measures: {'; '.join(named)}." if named else "The models score pairs themselves."


def _span(values: list[int] | list[str] | list[int | str]) -> str:
    """Format one value, or the first and the last of several.

    >>> _span([15]), _span([12000, 36000])
    ('15', '12,000 to 36,000')
    """
    ends = [f"{value:,}" if isinstance(value, int) else value for value in (values[0], values[-1])]
    return ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"
