"""A comparison: as a summary, as grids (in the papers' notation, and as ranks with letters), as rows."""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import combinations

from medgauge.comparison.comparison import Comparison, Contest, Difference, System
from medgauge.comparison.conclusion import (
    by_mean_rank,
    difference_of,
    name_in,
    passed_over,
)
from medgauge.errors import option
from medgauge.measures.declared import MEASURES
from medgauge.report.captions.comparison_notes import CORRECTIONS, comparison_notes, contest_name, tests_note
from medgauge.report.captions.conclusion_text import conclusion_lines
from medgauge.report.captions.contamination_notes import contamination_notes, marked_figures, with_mark
from medgauge.report.captions.metric_text import percent
from medgauge.report.correlation_tables import p_text
from medgauge.report.grids.grid import (
    Cell,
    ColumnTypes,
    Grid,
    columns_of,
    counted,
    first_lines,
    number_text,
    short_name,
)
from medgauge.report.run_tables import oriented

_PAIRS = 10  # differences of a set that are all shown; of more, those from the best figure


def summary(comparison: Comparison) -> list[str]:
    """Describe in a few lines what was compared, how much of it differs, and what is first."""
    contests = comparison.contests
    models = {system.model for contest in contests for system in contest.systems}
    differences = [one for contest in contests for one in contest.differences]
    significant = sum(one.significant for one in differences)
    corrected = CORRECTIONS[comparison.correction]

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


def own_confidence(contests: Iterable[Contest]) -> str:
    """Format the confidence of the intervals of figures and ranks, which is the run's."""
    levels = (percent(system.confidence) for contest in contests for system in contest.systems)
    return " or ".join(dict.fromkeys(levels))


def _ranks_grid(comparison: Comparison) -> Grid:
    """Return models against sets: rank, its interval and the letters."""
    drawn = "draws from the normal distribution with the figures' covariance"
    metrics = {contest.metric for contest in comparison.contests}
    over = ["bootstrap resamples of the pairs"] if "spearman" in metrics else []
    over += [f"{drawn}, on labelled sets"] if metrics - {"spearman"} else []
    over[-1] += "; wider where pairs share concepts" if comparison.dependence == "dyadic" else ""
    note = (
        f"Rank; in brackets its range in {own_confidence(comparison.contests)} of {', or of '.join(over)}. "
        "Letters: models that share a letter on a set cannot be told apart there."
    )
    notes = [note, *_letter_notes(comparison.contests), *contamination_notes(comparison.contamination)]
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
        comparison_notes(comparison),
    )


def _models_grid(
    title: str, comparison: Comparison, shown: Callable[[System, Contest], Cell], notes: list[str]
) -> Grid:
    models = by_mean_rank(comparison.contests)
    marked = marked_figures(comparison.contamination)
    rows = []
    for contest in comparison.contests:
        cells = {
            system.model: with_mark(cell) if (system.model, contest.dataset) in marked else cell
            for system in contest.systems
            for cell in [shown(system, contest)]
        }
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
            [
                _p_note(comparison),
                f"Every difference is in {option('format', 'csv', flag='--format csv')}.",
                *contamination_notes(comparison.contamination),
            ],
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
    return f"{tests_note(comparison)} In bold: significant."


def _measures_grid(comparison: Comparison) -> Grid:
    """Return a row of measures for every model and set, as in tables B.2 to B.5 and C.4 to C.8."""
    title = (
        "Figures by measure, with the number of the model's other measures that each is significantly better "
        "(+) and worse (−) than"
    )
    shown = partial(_figure, with_measure=False)
    return _by_measure(title, comparison, shown, comparison_notes(comparison))


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
