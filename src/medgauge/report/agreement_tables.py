"""Agreement between annotators: as a summary, as grids like the papers' tables, and as rows."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pydantic import BaseModel

from medgauge.errors import option
from medgauge.ratings.findings import (
    HEADLINES,
    OVERALL,
    Agreement,
    AnnotatorFigures,
    Figures,
    Two,
)
from medgauge.report.captions.agreement_notes import headline_notes
from medgauge.report.captions.metric_text import brackets_note, percent
from medgauge.report.grids.grid import (
    Cell,
    ColumnTypes,
    Grid,
    counted,
    figure_text,
    interval_text,
    number_text,
    short_name,
)
from medgauge.report.reliability_tables import has_reliability, quality_cell, reliability_grid
from medgauge.stats.raters.agreement_statistics import RELIABILITY, STATISTICS
from medgauge.stats.raters.outlying import RULE
from medgauge.stats.raters.reliability import ByPanel, Packed

_FEW = 12  # annotators whose pairwise agreement fits on a page
_MANY = 30  # annotators above which not all are listed
_LOWEST = 10  # annotators that are listed then
_WITHOUT = {name: STATISTICS[name].symbol for name in ("alpha", "kendall_w", "icc_ck", "iaa_1", "iaa_2")}
_PAIRWISE = ("alpha", "kappa", "kappa_linear", "kappa_quadratic", "rho")
_WEIGHTED = ("kappa_linear", "kappa_quadratic")
_OF_ANNOTATOR = ("group", "ratings", "unsure", "mean", *_PAIRWISE, "rho_with_mean")
_QUALITIES = ("accuracy", "recall", "precision")
_OF_VERDICTS = ("without_truth", "alpha", *_QUALITIES)
_IN_SUMMARY = ("alpha", "icc_ck", "iaa_1", "human_upper_bound", "ceiling")
_WITH_MEAN = "ρ with mean"
_APART = "–"  # two annotators with no pair in common
_NONE = (math.nan, math.nan)

_Intervals = Mapping[str, tuple[float, float]]


def summary(found: Agreement) -> list[str]:
    """Describe in a few lines who rated what, and how well they agree."""
    return [
        f"{counted(len(found.annotators), 'annotator')} on {short_name(found.name)}",
        f"{counted(found.pairs, 'pair')}, {found.rated_twice:,} of them rated at least twice",
        *(
            f"{OVERALL[name]}{f' ({found.level})' if name == 'alpha' else ''}: "
            f"{figure_text(getattr(found, name), *found.intervals.get(name, _NONE))}"
            for name in _IN_SUMMARY
            if name in found.estimates
        ),
        *(
            [f"{counted(len(found.standing_out), 'annotator')} far below the rest"]
            if found.standing_out
            else ()
        ),
    ]


def grids(found: Agreement) -> list[Grid]:
    """Return all grids of an agreement, the headline figures first; empty grids are left out."""
    grids = [_headlines_grid(found)]
    if has_reliability(found):
        grids.append(reliability_grid(found))
    if len(found.annotators) > _FEW:
        grids.append(_annotators_grid(found))
    elif len(found.annotators) > 1:
        grids.append(_pairwise_grid(found))
    if found.standing_out:
        grids.append(_standing_out_grid(found))
    if found.subsets:
        grids.append(_qualities_by_subset(found))
    if found.verdicts:
        grids.append(_verdicts_grid(found))
    return grids


def rows(found: Agreement) -> tuple[ColumnTypes, list[list[object]]]:
    """Return every figure as a row: its subjects, its interval, and the pairs that it is based on."""
    texts, numbers = ("figure", "subject_1", "subject_2"), ("value", "low", "high")
    over_annotators = dict.fromkeys(("low_over_annotators", "high_over_annotators"), float)
    types = dict.fromkeys(texts, str) | dict.fromkeys(numbers, float) | {"pairs": int} | over_annotators
    return types, list(_rows(found))


def _headlines_grid(found: Agreement) -> Grid:
    header = ["figure", "value", _interval_label(found)]
    rows = [
        [Cell(OVERALL[name]), Cell(number_text(one.value)), Cell("", interval=interval_text(*one.interval))]
        for name, one in found.estimates.items()
    ]
    if found.over_annotators:
        header.append("over annotators")
        for name, row in zip(found.estimates, rows, strict=True):
            row.append(Cell("", interval=interval_text(*found.over_annotators.get(name, _NONE))))
    count = len(found.annotators)
    title = f"Agreement of {count:,} annotator{'' if count == 1 else 's'} on {found.name}"
    return Grid(title, header, rows, list(headline_notes(found)))


def _interval_label(found: Agreement) -> str:
    return f"{percent(found.confidence)} interval"


def _pairwise_grid(found: Agreement) -> Grid:
    """Return α below the diagonal and each annotator's averages, as in table 2 of Schulz et al. (2020)."""
    names = [one.name for one in found.annotators]
    twos = {frozenset((two.annotator_1, two.annotator_2)): two for two in found.pairwise}
    rows = []
    for number, name in enumerate(names[1:], 1):
        cells = [_two_cell(twos.get(frozenset((name, other)))) for other in names[:number]]
        rows.append([Cell(name), *cells, *[Cell("")] * (len(names) - number)])
    notes = [_averages_note(found)]
    if any(cell.text == _APART for row in rows for cell in row):
        notes.append(f"{_APART}: no pair that both rated.")
    averages = {
        label if label == _WITH_MEAN else f"average {label}": texts
        for label, texts in _averages(found, found.annotators).items()
    }
    for label, texts in (averages | _counts(found, found.annotators)).items():
        rows.append([Cell(label), *map(Cell, texts)])
    return Grid("Pairwise agreement of annotators: α", ["annotator", *names], rows, notes)


def _two_cell(two: Two | None) -> Cell:
    return Cell(_APART if two is None or two.pairs == 0 else number_text(two.alpha, 2))


def _annotators_grid(found: Agreement) -> Grid:
    """Return a row for each annotator, or for those with the lowest ρ if there are many."""
    title, shown, notes = "Annotators", found.annotators, [_averages_note(found)]
    if len(shown) > _MANY:
        title = f"The {_LOWEST} annotators with the lowest ρ"
        notes.append(f"The CSV and JSON formats contain all {len(shown):,} annotators.")
        shown = sorted(shown, key=lambda one: (math.isnan(one.rho), one.rho))[:_LOWEST]
    texts = _counts(found, shown) | _averages(found, shown)
    rows = [
        [Cell(one.name), *map(Cell, of_one)]
        for one, of_one in zip(shown, zip(*texts.values(), strict=True), strict=True)
    ]
    return Grid(title, ["annotator", *texts], rows, notes)


def _averages(found: Agreement, annotators: Sequence[AnnotatorFigures]) -> dict[str, list[str]]:
    fields = {"α": "alpha", "κ": _kappa(found)[0], "ρ": "rho", _WITH_MEAN: "rho_with_mean"}
    return {
        label: [number_text(getattr(one, field), 2) for one in annotators] for label, field in fields.items()
    }


def _counts(found: Agreement, annotators: Sequence[AnnotatorFigures]) -> dict[str, list[str]]:
    texts = {}
    if found.groups > 1:
        texts["group"] = [str(one.group) for one in annotators]
    texts["ratings"] = [f"{one.ratings:,}" for one in annotators]
    if any(one.unsure for one in annotators):
        texts["don't know"] = [f"{one.unsure:,}" for one in annotators]
    texts["mean rating"] = [number_text(one.mean, 2) for one in annotators]
    return texts


def _kappa(found: Agreement) -> tuple[str, str]:
    """Return the field and a description of the κ that suits the level."""
    if found.level == "nominal":
        return "kappa", "plain"
    by = "by value" if found.kappa_distance == "value" else "by category index"
    return "kappa_quadratic", f"quadratic weights {by}"


def _averages_note(found: Agreement) -> str:
    return (
        f"Krippendorff's α ({found.level}), Cohen's κ ({_kappa(found)[1]}) and Spearman's ρ, averaged over "
        f"the others with pairs in common: the average ρ is an annotator's IAA-1; {_WITH_MEAN}: ρ with the "
        "mean of the others, their IAA-2."
    )


def _standing_out_grid(found: Agreement) -> Grid:
    rows = [
        [
            Cell(one.name),
            *(Cell(number_text(value)) for value in (one.iaa_1, one.median)),
            Cell("undefined" if one.score is None else number_text(one.score, 1)),
            *_without_cells(one.without),
        ]
        for one in found.standing_out
    ]
    if found.without_all is not None:
        rows.append([Cell("all of these"), *[Cell("")] * 3, *_without_cells(found.without_all)])
    where = "" if found.consistency is None else ", on the consistency set"
    notes = [
        f"Rule: {RULE}{where}. Nobody was removed; {option('without', ['NAME'])} does that.",
        "z: the modified z-score of the annotator's IAA-1. Without: the overall figures without them.",
    ]
    without = [f"{label} without" for label in _WITHOUT.values()]
    header = ["annotator", "IAA-1", "median of all", "z", *without]
    return Grid("Annotators who stand out", header, rows, notes)


def _without_cells(figures: Figures) -> list[Cell]:
    return [Cell(number_text(figures.figure(name))) for name in _WITHOUT]


def _qualities_by_subset(found: Agreement) -> Grid:
    """Return the mean standard deviation by subset, as in tables 10 and 11 of Chiu et al. (2018)."""
    rows = [
        [
            Cell(one.subset),
            Cell(f"{one.pairs:,}"),
            Cell(number_text(one.mean_sd)),
            Cell("", interval=interval_text(one.low, one.high)),
        ]
        for one in found.subsets
    ]
    note = "Mean SD: mean standard deviation of a pair's ratings, over the pairs rated at least twice."
    header = [str(found.by), "pairs", "mean SD", _interval_label(found)]
    return Grid(f"Disagreement by {found.by}", header, rows, [note])


def _verdicts_grid(found: Agreement) -> Grid:
    """Return what annotators say of each set, as in table 3 of Schulz and Juric (2020)."""
    rows = [
        [
            Cell(one.set),
            Cell(f"{one.pairs:,}"),
            Cell(f"{one.without_truth:,} ({one.share_without_truth:.0%})"),
            Cell(number_text(one.alpha)),
            *(quality_cell(getattr(one, name), *one.intervals.get(name, _NONE)) for name in _QUALITIES),
        ]
        for one in found.verdicts
    ]
    notes = [
        "Truth: what more than half of a pair's answers say, counting don't know as an answer. α: nominal.",
        "Accuracy, recall and precision of the set's labels against the truth.",
    ]
    header = ["set", "pairs", "without truth", "α", *_QUALITIES]
    return Grid("Verdicts", header, rows, notes, interval_note=brackets_note(found.confidence))


def _rows(found: Agreement) -> Iterator[list[object]]:
    by_index = found.kappa_distance == "index"
    for name, one in found.estimates.items():
        over = found.over_annotators.get(name, _NONE)
        yield from _figures("", found, [name], pairs=one.n, intervals=found.intervals, over_annotators=over)
    for prefix, reliability in ((Packed.prefix, found.packed), (ByPanel.prefix, found.by_panel)):
        intervals = reliability.intervals
        yield from _figures(prefix, reliability, RELIABILITY, pairs=reliability.pairs, intervals=intervals)
    if (shared := found.consistency) is not None:
        yield from _figures("consistency_", shared, ("iaa_1", "alpha"), pairs=shared.pairs)
    for annotator in found.annotators:
        yield from _figures(
            "annotator_",
            annotator,
            _OF_ANNOTATOR,
            of=[annotator.name],
            pairs=annotator.ratings,
            by_index=by_index,
        )
    for two in found.pairwise:
        of = [two.annotator_1, two.annotator_2]
        yield from _figures("pairwise_", two, _PAIRWISE, of=of, pairs=two.pairs, by_index=by_index)
    for outlier in found.standing_out:
        of = [outlier.name]
        yield from _figures("standing_out_", outlier, ("iaa_1", "median", "score"), of=of)
        yield from _figures("without_", outlier.without, HEADLINES, of=of)
    if found.without_all is not None:
        yield from _figures("without_all_", found.without_all, HEADLINES)
    for subset in found.subsets:
        of, ends = [str(found.by), subset.subset], {"mean_sd": (subset.low, subset.high)}
        yield from _figures("subset_", subset, ["mean_sd"], of=of, pairs=subset.pairs, intervals=ends)
    for verdicts in found.verdicts:
        of, ends = [verdicts.set], verdicts.intervals
        yield from _figures("verdicts_", verdicts, _OF_VERDICTS, of=of, pairs=verdicts.pairs, intervals=ends)


def _figures(
    prefix: str,
    holder: BaseModel,
    names: Iterable[str],
    *,
    of: Sequence[str] = (),
    pairs: int | None = None,
    intervals: _Intervals | None = None,
    over_annotators: tuple[float, float] = _NONE,
    by_index: bool = False,
) -> Iterator[list[object]]:
    """Return a row for each figure of a part of the agreement; `by_index` names the weights of κ so."""
    subjects = (*of, None, None)[:2]
    for name in names:
        numbers = (
            getattr(holder, name, None),
            *(intervals or {}).get(name, _NONE),
            pairs,
            *over_annotators,
        )
        ending = "_by_index" if by_index and name in _WEIGHTED else ""
        yield [
            f"{prefix}{name}{ending}",
            *subjects,
            *(None if _is_undefined(one) else one for one in numbers),
        ]


def _is_undefined(value: float | None) -> bool:
    return value is None or math.isnan(value)
