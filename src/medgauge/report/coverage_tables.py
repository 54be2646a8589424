"""What benchmarks cover: as a summary, as grids and as rows."""

import math
from collections.abc import Iterable

from medgauge.composition.benchmark_coverage import FIFTHS, BenchmarkCoverage, CoveredSet
from medgauge.report.captions.coverage_notes import (
    agreement_notes,
    baseline_notes,
    combination_text,
    key_notes,
    missing_parts_notes,
    own_combination_notes,
    source_notes,
    specificity_notes,
)
from medgauge.report.grids.grid import (
    Cell,
    ColumnTypes,
    Grid,
    counted,
    first_lines,
    number_text,
)
from medgauge.strata.values import FREQUENT

_DASH = "–"
_AGREEMENT = {
    "mean_rho": "mean ρ",
    "icc_c1": "ICC(C,1)",
    "icc_ck": "ICC(C,k)",
    "kendall_w": "Kendall's W",
    "best": "best annotator",
    "best_excluding_self": "own rating excluded",
    "ceiling": "ceiling",
}
_COUNTS = (
    *("pairs", "different_pairs", "terms", "concepts", "pairs_with_ids", "pairs_with_cuis"),
    *("multi_word",),
)


def summary(found: BenchmarkCoverage) -> list[str]:
    """Describe in a few lines what each set covers."""

    def line(one: CoveredSet) -> str:
        concepts = "" if one.concepts is None else f", {counted(one.concepts, 'concept')}"
        types = (
            "" if one.types is None else f", {counted(len(one.types.combinations), 'combination')} of types"
        )
        return (
            f"{one.name}: {counted(one.pairs, 'pair')} of {counted(one.terms, 'term')}{concepts}, "
            f"{_percent(one.multi_word)} multi-word{types}"
        )

    sources = [name for name in (found.umls, found.terminology) if name]
    about = counted(len(found.sets), "set")
    return [
        f"{about} by {' and '.join(sources)}" if sources else about,
        *first_lines(map(line, found.sets), "set"),
    ]


def grids(found: BenchmarkCoverage) -> list[Grid]:
    """Return the grids of sizes, scores, types, their baseline, specificity and overlap, if there is any."""
    made = [_sets_grid(found), _scores_grid(found)]
    if any(one.types and one.types.pairs for one in found.sets):
        made += [_types_grid(found), _baseline_grid(found)]
    if any(one.specificity and one.specificity.pairs for one in found.sets):
        made.append(_specificity_grid(found))
    if found.overlaps:
        made.append(_overlap_grid(found))
    made[-1].notes.extend(missing_parts_notes(found))
    return made


def rows(found: BenchmarkCoverage) -> tuple[ColumnTypes, list[list[object]]]:
    """Return every figure as a row: its part, the set (and the other one), what it is of, and its value."""
    columns: ColumnTypes = dict.fromkeys(("part", "set", "other_set", "item_1", "item_2"), str) | {
        "value": float
    }
    listed: list[list[object]] = []
    for one in found.sets:
        listed += [[part, one.name, "", *items] for part, *items in _items(one)]
    for shared in found.overlaps:
        for item in ("terms", "pairs", "concepts", "concept_pairs"):
            value = getattr(shared, item)
            listed.append(
                ["overlap", shared.set_1, shared.set_2, item, "", math.nan if value is None else value]
            )
    return columns, listed


def _items(one: CoveredSet) -> Iterable[tuple[object, ...]]:
    """Yield the figures of a set: part, two items, value."""
    for name in _COUNTS:
        value = getattr(one, name)
        yield "set", name, "", math.nan if value is None else value
    for name in _AGREEMENT if one.agreement else ():
        yield "agreement", name, "", getattr(one.agreement, name)
    for score in one.scores:
        yield "score", repr(score.score).removesuffix(".0"), "", score.pairs
    for way, count in one.found_by.items():
        yield "found by", way, "", count
    if one.types is not None:
        for combination in one.types.combinations:
            yield "combination", *combination.types, combination.pairs
        baseline = one.types.baseline
        for name in ("rho", "pairs", "combinations", "p"):
            yield "baseline", name, "", getattr(baseline, name)
        for name, value in zip(("mean", "low", "high"), baseline.usual, strict=True):
            yield "baseline", f"permuted_{name}", "", value
    if one.specificity is not None:
        for level in one.specificity.counts:
            yield "specificity", str(level.low), str(level.high), level.pairs


def _sets_grid(found: BenchmarkCoverage) -> Grid:
    """Return table 3 of Schulz et al. (2020), with more columns."""
    header = ["set", "pairs", "different pairs", "terms", "multi-word", "concepts", "pairs with ids"]
    header += ["pairs with CUIs", "scale", "annotators", *_AGREEMENT.values()]
    return Grid(
        "Size, concepts and agreement",
        header,
        [_set_row(one) for one in found.sets],
        [*key_notes(found), *agreement_notes(found)],
        turned=1,
    )


def _set_row(one: CoveredSet) -> list[Cell]:
    counts = [one.concepts, one.pairs_with_ids, one.pairs_with_cuis]
    scale = "0 or 1" if one.target == "label" else _DASH
    if one.scale is not None:
        scale = f"{one.scale[0]:g} to {one.scale[1]:g}"
    agreement = one.agreement
    annotators = _DASH
    if agreement is not None:
        annotators = agreement.annotators
        if agreement.ratings is not None and str(agreement.ratings) != annotators:
            annotators = f"{agreement.ratings} of {annotators}"
    figures = [math.nan if agreement is None else getattr(agreement, name) for name in _AGREEMENT]
    printed = agreement is not None and agreement.source != "ratings"
    return [
        Cell(one.name),
        Cell(f"{one.pairs:,}"),
        Cell(f"{one.different_pairs:,}"),
        Cell(f"{one.terms:,}"),
        Cell(_percent(one.multi_word)),
        *(Cell(_DASH if count is None else f"{count:,}") for count in counts),
        Cell(scale),
        Cell(annotators),
        *(_agreement_cell(figure, printed=printed) for figure in figures),
    ]


def _agreement_cell(figure: float, *, printed: bool) -> Cell:
    if math.isnan(figure):
        return Cell(_DASH)
    return Cell(f"{figure:.2f}", raised="p") if printed else Cell(number_text(figure))


def _scores_grid(found: BenchmarkCoverage) -> Grid:
    step = 100 // FIFTHS
    header = ["set", *(f"{low}–{low + step}%" for low in range(0, 100, step))]
    rows_of_sets = []
    for one in found.sets:
        whole = sum(one.score_fifths)
        shares = [_percent(count / whole) for count in one.score_fifths] if whole else [_DASH] * FIFTHS
        rows_of_sets.append([Cell(one.name), *map(Cell, shares)])
    notes = [
        "Share of the pairs with a score in each fifth of the scale; a score between two fifths is in the "
        "higher one."
    ]
    if labelled := [one for one in found.sets if one.target == "label"]:
        parts = (f"{one.name} {_percent(one.scores[-1].pairs / one.pairs)}" for one in labelled if one.scores)
        notes.append(f"Labels have no scale; positive are: {', '.join(parts)}.")
    return Grid("Scores", header, rows_of_sets, notes)


def _types_grid(found: BenchmarkCoverage) -> Grid:
    typed = [one for one in found.sets if one.types and one.types.pairs]
    frequent = found.frequent_combinations()
    counts = [{two.types: two.pairs for two in one.types.combinations} for one in typed if one.types]
    wholes = [one.types.pairs for one in typed if one.types]
    shown = []
    for types in frequent:
        parts = [own.get(types, 0) / whole for own, whole in zip(counts, wholes, strict=True)]
        shown.append(
            [Cell(combination_text(*types)), *(Cell(_share(part), part > FREQUENT) for part in parts)]
        )
    rest = [
        1 - sum(own.get(types, 0) for types in frequent) / whole
        for own, whole in zip(counts, wholes, strict=True)
    ]
    shown.append([Cell("all others"), *(Cell(_share(part)) for part in rest)])
    numbers = [Cell(f"{len(own):,}") for own in counts]
    own_only = [Cell(f"{len(found.own_combinations(one.name)):,}") for one in typed]
    lacking = [Cell(f"{len(found.lacking_combinations(one.name)):,}") for one in typed]
    shown.append([Cell("number of combinations"), *numbers])
    if len(typed) > 1:
        shown.append([Cell("in this set alone"), *own_only])
    if len(typed) > 2:
        shown.append([Cell("only in the others"), *lacking])
    shown.append([Cell("pairs with both types"), *(Cell(f"{whole:,}") for whole in wholes)])
    return Grid(
        "Combinations of semantic types over 3% of a set's pairs",
        ["types", *(one.name for one in typed)],
        shown,
        [*source_notes(found), *own_combination_notes(found)],
    )


def _baseline_grid(found: BenchmarkCoverage) -> Grid:
    header = ["set", "pairs", "combinations", "ρ", "mean ρ of permutations", "middle 95% of them", "p"]
    shown = []
    for one in found.sets:
        if one.types is None:
            continue
        baseline = one.types.baseline
        mean, low, high = baseline.usual
        is_there = not math.isnan(baseline.rho)
        shown.append(
            [
                Cell(one.name),
                Cell(f"{baseline.pairs:,}"),
                Cell(f"{baseline.combinations:,}"),
                Cell(number_text(baseline.rho)),
                Cell(number_text(mean) if is_there else _DASH),
                Cell(f"{number_text(low)} to {number_text(high)}" if is_there else _DASH),
                Cell(number_text(baseline.p) if is_there else _DASH),
            ]
        )
    return Grid(
        "Scores predicted from the combination of types",
        header,
        shown,
        baseline_notes(found),
    )


def _specificity_grid(found: BenchmarkCoverage) -> Grid:
    header = ["set", "pairs", "concepts", "least", "median", "most", "commonest two", "share"]
    shown = []
    for one in found.sets:
        levels = one.specificity
        commonest = levels.commonest if levels else None
        if levels is None or commonest is None:
            shown.append([Cell(one.name), *(Cell(_DASH) for _ in header[1:])])
            continue
        shown.append(
            [
                Cell(one.name),
                Cell(f"{levels.pairs:,}"),
                Cell(f"{levels.concepts:,}"),
                Cell(str(levels.shallowest)),
                Cell(f"{levels.median:g}"),
                Cell(str(levels.deepest)),
                Cell(f"{commonest.low} and {commonest.high}"),
                Cell(_share(commonest.pairs / levels.pairs)),
            ]
        )
    return Grid("Specificity of concepts", header, shown, specificity_notes(found))


def _overlap_grid(found: BenchmarkCoverage) -> Grid:
    shown = [
        [
            Cell(one.set_1),
            Cell(one.set_2),
            Cell(f"{one.terms:,}"),
            Cell(f"{one.pairs:,}"),
            *(Cell(_DASH if count is None else f"{count:,}") for count in (one.concepts, one.concept_pairs)),
        ]
        for one in found.overlaps
    ]
    notes = [
        "Terms and unordered pairs of terms that both sets have, whatever their case and spacing; concepts "
        "by their ids or, where these have nothing in common or are missing, by CUIs."
    ]
    header = ["set", "and", "terms", "pairs", "concepts", "pairs of concepts"]
    return Grid("What two sets share", header, shown, notes, labels=2)


def _percent(share: float) -> str:
    return _DASH if math.isnan(share) else f"{share:.0%}"


def _share(part: float) -> str:
    return f"{part:.1%}" if part else _DASH
