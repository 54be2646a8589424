"""A comparison: as a summary, as grids (in the papers' notation, and as ranks with letters), as rows."""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import combinations

from medgauge.comparison.comparison import Comparison, Contest, Difference, Spread, System
from medgauge.comparison.conclusion import (
    by_mean_rank,
    difference_of,
    models_by_measure,
    name_in,
    names_of,
    passed_over,
)
from medgauge.comparison.graded import SWAPS, swaps_for
from medgauge.errors import option
from medgauge.evaluation.figures import METRICS
from medgauge.measures.declared import MEASURES
from medgauge.report.conclusion_text import conclusion_lines
from medgauge.report.correlation_tables import p_text
from medgauge.report.grids.grid import (
    Cell,
    ColumnTypes,
    Grid,
    columns_of,
    counted,
    first_lines,
    listed,
    number_text,
    short_name,
)
from medgauge.report.metric_text import SHORT, percent
from medgauge.report.run_tables import oriented

_NOTABLE = 1.1  # times the standard error of independent pairs: what is more is said
_MOST_REFUSED = 3  # differences without an interval that a note names
_PAIRS = 10  # differences of a set that are all shown; of more, those from the best figure
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
        *first_lines(conclusion_lines(comparison), "sentence", most=3),
        *first_lines(map(line, contests), "contest", most=4),
    ]


def grids(comparison: Comparison) -> list[Grid]:
    """Return all grids of a comparison, the most useful one first."""
    if comparison.by == "measure":
        found = [_measures_grid(comparison), _measure_differences_grid(comparison), _spreads_grid(comparison)]
    else:
        found = [_ranks_grid(comparison), _wins_grid(comparison), _differences_grid(comparison)]
    return [replace(found[0], lead=conclusion_lines(comparison)), *found[1:]]


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


def _ranks_grid(comparison: Comparison) -> Grid:
    """Return models against sets: rank, its interval and the letters."""
    drawn = "draws from the normal distribution with the figures' covariance"
    over = []
    if comparison.dependence == "dyadic":
        over.append(drawn)
    else:
        metrics = {contest.metric for contest in comparison.contests}
        over += ["bootstrap resamples of the pairs"] if "spearman" in metrics else []
        over += [f"{drawn}, on labelled sets"] if metrics - {"spearman"} else []
    note = (
        f"Rank; in brackets its range in {own_confidence(comparison.contests)} of {', or of '.join(over)}. "
        "Letters: models that share a letter on a set cannot be told apart there."
    )
    notes = [note, *_letter_notes(comparison.contests)]
    return _models_grid("Ranks", comparison, lambda system, _: _rank(system), notes)


def _letter_notes(contests: Iterable[Contest]) -> Iterator[str]:
    """Explain, once, how a lower figure can share a letter with the best one that a higher figure lacks."""
    for contest in contests:
        if (found := passed_over(contest)) is not None:
            higher, lower = (short_name(name_in(contest, system)) for system in found)
            best = short_name(name_in(contest, contest.systems[0]))
            yield (
                f"On {contest_name(contest)}, {lower} shares a letter with {best}, and {higher} does not "
                "although its figure is higher: a difference is judged by how much it would vary with other "
                "pairs, and it varies less between two models whose scores are alike."
            )
            return


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
    models = by_mean_rank(comparison.contests)
    rows = []
    for contest in comparison.contests:
        cells = {system.model: shown(system, contest) for system in contest.systems}
        head = [Cell(contest_name(contest)), Cell(str(contest.pairs))]
        rows.append([*head, *(cells.get(name, Cell("–")) for name in models)])
    return oriented(title, models, rows, notes)


def _differences_grid(comparison: Comparison) -> Grid:
    """Return the difference of every two models on each set, or of each from the best, with its p-value."""
    models = by_mean_rank(comparison.contests)
    two = list(combinations(models, 2))
    if len(two) > _PAIRS:
        return _models_grid(
            f"Differences from the best figure of the set, {_p_title(comparison)}",
            comparison,
            _from_best,
            [_p_note(comparison), f"Every difference is in {option('format', 'csv', flag='--format csv')}."],
        )
    rows = [
        [
            Cell(contest_name(contest)),
            Cell(str(contest.pairs)),
            *(_difference_cell(difference_of(contest, *names)) for names in two),
        ]
        for contest in comparison.contests
    ]
    names = [f"{first} − {second}" for first, second in two]
    return oriented(f"Differences, {_p_title(comparison)}", names, rows, [_p_note(comparison)])


def _measure_differences_grid(comparison: Comparison) -> Grid:
    """Return the difference of each measure from the best one of its model, with its p-value."""
    title = f"Differences from the best measure of the model, {_p_title(comparison)}"
    return _by_measure(title, comparison, _from_best, [_p_note(comparison)])


def _from_best(system: System, contest: Contest) -> Cell:
    best = contest.systems[0]
    if system is best:
        return Cell("best")
    return _difference_cell(difference_of(contest, name_in(contest, system), name_in(contest, best)))


def _difference_cell(difference: Difference | None) -> Cell:
    if difference is None:
        return Cell("–")
    p = "no test"
    if not math.isnan(difference.p_adjusted):
        p = p_text(difference.p_adjusted, floored=difference.floored).removeprefix("p ").removeprefix("= ")
    return Cell(f"{difference.value:+z.3f} ({p})", bold=difference.significant)


def _p_title(comparison: Comparison) -> str:
    return f"with {'' if comparison.correction == 'none' else 'corrected '}p-values in brackets"


def _p_note(comparison: Comparison) -> str:
    return f"{_tests_note(comparison)} In bold: significant."


def _measures_grid(comparison: Comparison) -> Grid:
    """Return a row of measures for every model and set, as in tables B.2 to B.5 and C.4 to C.8."""
    title = (
        "Figures by measure, with the number of the model's other measures that each is significantly better "
        "(+) and worse (−) than"
    )
    shown = partial(_figure, with_measure=False)
    return _by_measure(title, comparison, shown, _notes(comparison))


def _by_measure(
    title: str, comparison: Comparison, shown: Callable[[System, Contest], Cell], notes: list[str]
) -> Grid:
    used = {system.measure for contest in comparison.contests for system in contest.systems}
    measures = [name for name in MEASURES if name in used]
    models = list(dict.fromkeys(contest.model for contest in comparison.contests))
    rows = []
    for contest in sorted(comparison.contests, key=lambda contest: models.index(contest.model)):
        cells = {system.measure: shown(system, contest) for system in contest.systems}
        head = [Cell(contest.model or ""), Cell(contest_name(contest)), Cell(str(contest.pairs))]
        rows.append([*head, *(cells.get(name, Cell("–")) for name in measures)])
    return Grid(title, ["model", "set", "pairs", *measures], rows, notes, labels=3)


def _spreads_grid(comparison: Comparison) -> Grid:
    """Return the lowest, median and highest figure of each model, as drawn in figures B.1 and C.1."""
    models = list(dict.fromkeys(spread.model for spread in comparison.spreads))
    rows = [
        [
            Cell(spread.model),
            Cell(contest_name(spread)),
            Cell(str(spread.measures)),
            Cell(f"{spread.low:z.3f} {spread.lowest}".rstrip()),
            Cell(f"{spread.median:z.3f}"),
            Cell(f"{spread.high:z.3f} {spread.highest}".rstrip()),
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
    if "accuracy_best" in metrics:
        notes.append(
            "The best threshold is chosen on the pairs it is tested on, as in the papers, which favours "
            "every model; CV chooses it on other pairs."
        )
    if comparison.dependence == "dyadic":
        concepts = _span(sorted({contest.concepts for contest in contests if contest.concepts}))
        notes.append(f"Pairs that share one of {concepts} concepts, on either side, depend on one another.")
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
        enough = max(swaps_for(contest.level) for contest in few)
        yield (
            f"Too few swaps for any difference to be significant on {_sets(few)}: "
            f"{option('resamples', enough)} is enough."
        )


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
    return listed([contest.dataset for contest in contests])


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
