"""category_separation: how often a model scores a distant category no lower than a close one."""

import hashlib
import json
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from itertools import pairwise
from pathlib import Path

import numpy as np

from medgauge.arrays import Integers
from medgauge.catalog.termlist import TermList, as_terms
from medgauge.categories.overlap_contest import ModelMeasure, overlap_contest
from medgauge.categories.separated import (
    CategoryRole,
    CategorySeparation,
    CategoryUsed,
    OverlapContest,
    Separation,
)
from medgauge.categories.similarities import OfScorer, OfVectors, Similarities, mean_within, row_blocks
from medgauge.errors import InputError, UndefinedWarning
from medgauge.estimate import CONFIDENCE, check_confidence
from medgauge.evaluation.inputs import Models, chosen_measures, named_models
from medgauge.evaluation.results import versions
from medgauge.evaluation.scoring import vectors_in_time
from medgauge.files.file_names import plain_name
from medgauge.measures.declared import STANDARD, ModelFamily, measures_of
from medgauge.measures.score import Prepared
from medgauge.models.base import Model, PairScorer, card_of, family_of, key_kind
from medgauge.models.lookup import Oov, check_choice
from medgauge.models.services.sending import as_set, check_sending
from medgauge.pairs import Card, Pairs
from medgauge.progress import Advance, track
from medgauge.spellings import same_term
from medgauge.stats.systems.category_overlap import OverlapCounts, overlap, overlap_counts

_ROLES: tuple[CategoryRole, ...] = ("A", "B", "C")

_Covered = tuple[Integers, Callable[[str], Similarities]]
"""The terms that a model covers, and a function from a measure to their similarities, renumbered."""

_Counted = tuple[Integers, OverlapCounts]
"""The terms that a system covers and whose measure is defined, and the errors on their triples."""


def category_separation(
    models: Models,
    *,
    close: tuple[TermList, TermList],
    distant: TermList,
    term: str | None = None,
    sheet: str | None = None,
    measures: str | Sequence[str] | None = None,
    oov: Oov = "uncovered",
    confidence: float = CONFIDENCE,
) -> CategorySeparation:
    """Compute the category overlap error of models: how often sim(a, b) ≤ sim(a, c).

    `close` are the close categories A and B, `distant` is the category C: files of terms (one per line), or
    terms (a list, a Series, an array, or a frame with a column `term`). `term` is the column of terms if it
    has another name, `sheet` that of workbooks. A term that occurs twice in a list counts once, and one that
    occurs in two lists is left out of both; spellings are the same term if they differ only by white space,
    case or the form of accents. `models`, `measures` and `confidence` are as in `evaluate`.

    Each model is evaluated on the terms that it covers itself; their numbers are reported with its figures.
    If there are several, `contest` has the difference of every two on the terms that all of them cover, with
    their standard measures, tested at the level 1 − `confidence` with Bonferroni's correction.

    Reference: Schulz and Juric (2020), section 5.3 and appendix D.

    >>> found = category_separation(
    ...     "token-jaccard",
    ...     close=(["renal biopsy", "renal scan"], ["renal dialysis", "splinting"]),
    ...     distant=["Candida albicans", "renal fluke"],
    ... )
    >>> [(one.errors, one.triples, one.overlap) for one in found.separations]
    [(6, 8, 0.75)]
    """
    check_choice("choice for unknown words", oov, Oov)
    check_confidence(confidence)
    chosen = chosen_measures(measures)
    named = named_models(models, seed=0)
    for name, model in named.items():
        if key_kind(model) != "term":
            raise InputError(f"{name} has vectors of concepts, but categories are lists of terms")
    lists, categories = _categories((*close, distant), term=term, sheet=sheet)
    check_sending(named.values(), _as_sets(categories, lists))
    terms = [term for one in lists for term in one]
    sizes = [len(one) for one in lists]
    wanted = measures_of({name: family_of(model) for name, model in named.items()}, chosen)
    # All files are read before the first comparison, so that a bad one is noticed at once.
    ready = {name: _covered(model, terms, oov) for name, model in named.items()}
    separations = []
    counted: dict[ModelMeasure, _Counted] = {}
    for name, find in ready.items():
        covered, similar = find()
        standard = _standard(family_of(named[name]), wanted[name])
        for measure in wanted[name]:
            found, counts = _separation(name, measure, similar(measure), covered, sizes, confidence)
            separations.append(found)
            if measure == standard:
                counted[name, measure] = counts
    undefined: dict[str, dict[str, None]] = {}
    for one in separations:
        if one.overlap_undefined is not None:
            undefined.setdefault(one.overlap_undefined, {})[one.model] = None
    for reason, names in undefined.items():
        message = f"{', '.join(names)}: the category overlap is undefined: {reason}"
        warnings.warn(message, UndefinedWarning, stacklevel=2)
    return CategorySeparation(
        versions=versions(),
        oov=oov,
        models=[card_of(model, name) for name, model in named.items()],
        categories=categories,
        separations=separations,
        contest=_contest(counted, ready, sizes, alpha=round(1 - confidence, 12)),
    )


def _standard(family: ModelFamily, measures: Sequence[str]) -> str:
    """Return the measure with which a model is compared: the standard one, if it is among these."""
    return STANDARD[family] if STANDARD[family] in measures else measures[0]


def _contest(
    counted: Mapping[ModelMeasure, _Counted],
    ready: Mapping[str, Callable[[], _Covered]],
    sizes: list[int],
    *,
    alpha: float,
) -> OverlapContest | None:
    """Compare every two models, each with its standard measure, on the terms that all of them cover."""
    if len(counted) < 2:
        return None
    common = reduce(np.intersect1d, (terms for terms, _ in counted.values()))
    on_common = {}
    for (name, measure), (terms, counts) in counted.items():
        if terms.size > common.size:
            covered, similar = ready[name]()
            sides = _sides(np.searchsorted(covered, common), covered, sizes)
            with track(f"{name}: {measure} on common terms", _across_pairs(sides)) as advance:
                counts, _, _ = _across(similar(measure), *sides, advance)
        on_common[name, measure] = counts
    return overlap_contest(on_common, alpha=alpha)


def _categories(
    given: Sequence[TermList], *, term: str | None, sheet: str | None
) -> tuple[list[list[str]], list[CategoryUsed]]:
    """Read the lists, each term once and none that is in two of them, and count what was left out."""
    read = [as_terms(one, term=term, sheet=sheet) for one in given]
    once = [_first_spellings(terms) for terms in read]
    lists_with = Counter(key for keys in once for key in keys)
    lists, used = [], []
    for role, source, terms, keys in zip(_ROLES, given, read, once, strict=True):
        name = plain_name(Path(source)) if isinstance(source, str | Path) else role
        kept = [term for key, term in keys.items() if lists_with[key] == 1]
        if not kept:
            problem = "all its terms are in another list too" if terms else "it has none"
            raise InputError(f"no term of the category {role} ({name}) is left: {problem}")
        lists.append(kept)
        used.append(
            CategoryUsed(
                role=role,
                name=name,
                given=len(terms),
                repeated=len(terms) - len(keys),
                shared=len(keys) - len(kept),
                terms=len(kept),
                digest=hashlib.sha256(json.dumps(kept).encode()).hexdigest(),
            )
        )
    return lists, used


def _as_sets(categories: Sequence[CategoryUsed], lists: Sequence[list[str]]) -> list[Pairs]:
    """Return the lists as sets under their names, as which they are allowed to be sent to a service."""
    return [
        as_set(terms, Card(name=used.name, title=used.name))
        for used, terms in zip(categories, lists, strict=True)
    ]


def _first_spellings(terms: list[str]) -> dict[str, str]:
    spellings: dict[str, str] = {}
    for term in terms:
        spellings.setdefault(same_term(term), term)
    return spellings


def _covered(model: Model, terms: list[str], oov: Oov) -> Callable[[], _Covered]:
    """Look terms up in a model; similarities are prepared when they are needed, and freed afterwards."""
    if isinstance(model, PairScorer):
        return lambda: (np.arange(len(terms)), lambda _measure: OfScorer(model, terms))
    found = vectors_in_time(model, terms, oov=oov)

    def prepare() -> _Covered:
        covered = np.flatnonzero(found().covered)
        vectors, _, _ = found().vectors.only(covered, covered[:0])
        prepared = Prepared(vectors, many=True)
        return covered, lambda measure: OfVectors(measure, prepared)

    return prepare


def _separation(
    model: str,
    measure: str,
    similar: Similarities,
    covered: Integers,
    sizes: list[int],
    confidence: float,
) -> tuple[Separation, _Counted]:
    """Compare the terms that the model covers and for which the measure is defined."""
    numbers = np.arange(covered.size)
    defined = ~np.isnan(similar.itself(numbers))
    a, b, c = _sides(numbers[defined], covered, sizes)
    within = sum(side.size * (side.size - 1) // 2 for side in (a, b, c))
    with track(f"{model}: {measure}", _across_pairs((a, b, c)) + within) as advance:
        counts, sim_ab, sim_ac = _across(similar, a, b, c, advance)
        sim_aa, sim_bb, sim_cc = (mean_within(similar, side, advance) for side in (a, b, c))
    found = overlap(counts, confidence=confidence)
    separation = Separation(
        model=model,
        measure=measure,
        overlap=found.value,
        low=found.low,
        high=found.high,
        errors=counts.errors,
        triples=counts.triples,
        sim_ab=sim_ab,
        sim_ac=sim_ac,
        sim_aa=sim_aa,
        sim_bb=sim_bb,
        sim_cc=sim_cc,
        used_a=a.size,
        used_b=b.size,
        used_c=c.size,
        n_a=sizes[0],
        n_b=sizes[1],
        n_c=sizes[2],
        undefined=int((~defined).sum()),
        confidence=confidence,
        overlap_undefined=found.undefined,
    )
    return separation, (covered[defined], counts)


def _sides(numbers: Integers, covered: Integers, sizes: list[int]) -> tuple[Integers, Integers, Integers]:
    """Split terms, given by their number among the covered ones, into those of A, B and C."""
    bounds = np.searchsorted(covered[numbers], np.cumsum([0, *sizes]))
    a, b, c = (numbers[first:last] for first, last in pairwise(bounds))
    return a, b, c


def _across_pairs(sides: tuple[Integers, Integers, Integers]) -> int:
    a, b, c = sides
    return a.size * (b.size + c.size)


def _across(
    similar: Similarities, a: Integers, b: Integers, c: Integers, advance: Advance
) -> tuple[OverlapCounts, float, float]:
    """Count the errors, and average sim(a, b) and sim(a, c)."""
    counts = overlap_counts(np.empty((0, b.size)), np.empty((0, c.size)))
    near_sum, far_sum = 0.0, 0.0
    for rows in row_blocks(a, b.size + c.size, similar.most):
        near, far = similar.grid(rows, b), similar.grid(rows, c)
        counts += overlap_counts(near, far)
        near_sum += float(near.sum())
        far_sum += float(far.sum())
        advance(near.size + far.size)
    return counts, _share(near_sum, a.size * b.size), _share(far_sum, a.size * c.size)


def _share(total: float, count: int) -> float:
    return total / count if count else float("nan")
