"""A comparison as grids: in the papers' notation, and as ranks with letters."""

from collections.abc import Iterable
from statistics import mean

from medgauge.comparison.result import Comparison, Contest, Difference, Spread, System
from medgauge.evaluation.figures import METRICS
from medgauge.measures.declared import MEASURES
from medgauge.report.grid import Cell, Grid
from medgauge.report.results import SHORT

_CORRECTIONS = {
    "bonferroni": "Bonferroni's correction",
    "holm": "Holm's correction",
    "bh": "Benjamini and Hochberg's correction",
    "none": "no correction",
}


def comparison_grids(comparison: Comparison) -> list[Grid]:
    """Give all grids of a comparison, the one that a reader wants first in front."""
    if comparison.by == "measure":
        return [_measures_grid(comparison), _spreads_grid(comparison)]
    return [_ranks_grid(comparison), _wins_grid(comparison)]


def difference_rows(comparison: Comparison) -> tuple[list[str], list[list[object]]]:
    """Give every difference as a row, for CSV."""
    shared = ("dataset", "metric", "pairs", "tests", "level")
    own = list(Difference.model_fields)
    rows: list[list[object]] = [
        [*(getattr(contest, name) for name in shared), *(getattr(difference, name) for name in own)]
        for contest in comparison.contests
        for difference in contest.differences
    ]
    return [*shared, *own], rows


def contest_name(contest: Contest | Spread) -> str:
    """Name a contest by its set and metric."""
    return f"{contest.dataset} {SHORT[contest.metric]}"


def ordered_models(contests: Iterable[Contest]) -> list[str]:
    """Name the models by their mean rank over the contests, best first."""
    places: dict[str, list[int]] = {}
    for contest in contests:
        for system in contest.systems:
            places.setdefault(system.model, []).append(system.rank)
    return sorted(places, key=lambda name: (mean(places[name]), name))


def _ranks_grid(comparison: Comparison) -> Grid:
    """Give models against sets: rank, its interval and the letters."""
    models = ordered_models(comparison.contests)
    systems = [{system.model: system for system in contest.systems} for contest in comparison.contests]
    rows = [[Cell(name), *(_rank(found.get(name)) for found in systems)] for name in models]
    notes = [
        "Rank, in brackets its 95% interval (percentiles of the rank over the resamples; on labelled sets "
        "over draws from the normal law with the figures' covariance), and letters: models that share a "
        "letter on a set cannot be told apart there.",
    ]
    return Grid("Ranks", ["model", *map(contest_name, comparison.contests)], rows, notes)


def _wins_grid(comparison: Comparison) -> Grid:
    """Give models against sets in the notation of tables 4, 5 and B.1 of Schulz and Juric (2020)."""
    models = ordered_models(comparison.contests)
    rows = [[Cell("pairs"), *(Cell(str(contest.pairs)) for contest in comparison.contests)]]
    for name in models:
        row = [Cell(name)]
        for contest in comparison.contests:
            found = [system for system in contest.systems if system.model == name]
            row.append(_figure(found[0], contest, comparison.chosen_on_test_data) if found else Cell("–"))
        rows.append(row)
    title = "Figures, with the number of models that each is significantly better (+) and worse (−) than"
    return Grid(title, ["model", *map(contest_name, comparison.contests)], rows, _notes(comparison))


def _measures_grid(comparison: Comparison) -> Grid:
    """Give models and measures against sets, as tables B.2 to B.5 and C.4 to C.8 do."""
    columns = list(dict.fromkeys(map(contest_name, comparison.contests)))
    found = {
        (system.model, system.measure, contest_name(contest)): _figure(system, contest, False)
        for contest in comparison.contests
        for system in contest.systems
    }
    pairs = {contest_name(contest): contest.pairs for contest in comparison.contests}
    models = list(dict.fromkeys(contest.model for contest in comparison.contests))
    systems = sorted(
        {(model, measure) for model, measure, _ in found},
        key=lambda system: (models.index(system[0]), list(MEASURES).index(system[1])),
    )
    rows = [[Cell("pairs"), Cell(""), *(Cell(str(pairs[column])) for column in columns)]]
    for number, (model, measure) in enumerate(systems):
        first = number == 0 or systems[number - 1][0] != model
        cells = [found.get((model, measure, column), Cell("–")) for column in columns]
        rows.append([Cell(model if first else ""), Cell(measure), *cells])
    title = (
        "Figures by measure, with the number of the model's other measures that each is significantly better "
        "(+) and worse (−) than"
    )
    return Grid(title, ["model", "measure", *columns], rows, _notes(comparison), labels=2)


def _spreads_grid(comparison: Comparison) -> Grid:
    """Give the lowest, middle and highest figure of each model, as figures B.1 and C.1 draw them."""
    columns = list(dict.fromkeys(map(contest_name, comparison.spreads)))
    found = {(spread.model, contest_name(spread)): spread for spread in comparison.spreads}
    models = dict.fromkeys(spread.model for spread in comparison.spreads)
    rows = [
        [
            Cell(model),
            *(
                Cell(f"{one.low:z.3f} {one.median:z.3f} {one.high:z.3f}")
                if (one := found.get((model, column)))
                else Cell("–")
                for column in columns
            ),
        ]
        for model in models
    ]
    return Grid("Lowest, middle and highest figure over the measures", ["model", *columns], rows)


def _rank(system: System | None) -> Cell:
    if system is None:
        return Cell("–")
    span = f"{system.rank_low}–{system.rank_high}"
    return Cell(f"{system.rank} [{span}] {system.letters}", bold=system.rank == 1)


def _figure(system: System, contest: Contest, with_measure: bool) -> Cell:
    best = max(one.value for one in contest.systems)
    parts = [f"+{system.wins}"] if system.wins else []
    parts += [f"−{system.losses}"] if system.losses else []
    named = f" {system.measure}" if with_measure and system.measure != "score" else ""
    return Cell(f"{system.value:z.3f}{named}", bold=system.value == best, raised="/".join(parts))


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
    if comparison.by == "model":
        notes.append(_measures_note(comparison))
    if "accuracy_best" in metrics:
        notes.append(
            "The best threshold is chosen on the very pairs, as in the papers, which favours every model; CV "
            "chooses it on others."
        )
    if comparison.clustered_by is None:
        notes.append("Pairs are taken as independent.")
    else:
        groups = _span(sorted({contest.groups for contest in contests if contest.groups}))
        notes.append(
            f"Pairs with the same {comparison.clustered_by} depend on one another: {groups} groups of pairs "
            "are taken as independent."
        )
    return notes


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
            "Each model has its best measure on each set, chosen on the very pairs (on the test data): "
            "figures are optimistic, and the tests do not know of the choice."
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
    """Write one value, or the first and the last of several.

    >>> _span([15]), _span([12000, 36000])
    ('15', '12,000 to 36,000')
    """
    ends = [f"{value:,}" if isinstance(value, int) else value for value in (values[0], values[-1])]
    return ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"
