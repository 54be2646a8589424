"""What benchmarks cover: their size, agreement, scores, types, specificity, and what they share."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np
import polars as pl

from medgauge.arrays import Doubles, Texts
from medgauge.catalog.datasets import check_sources
from medgauge.catalog.named_sets import Datasets, listed_sets, named_pairs
from medgauge.composition.benchmark_coverage import (
    MOST_EDGES,
    BenchmarkCoverage,
    CoveredSet,
    SetSpecificity,
    SetTypes,
)
from medgauge.composition.concept_columns import Described, described_sets
from medgauge.composition.rating_figures import set_agreement
from medgauge.composition.score_counts import score_counts, score_fifths
from medgauge.composition.set_keys import (
    concept_kinds,
    different,
    different_pairs,
    keys_of_concepts,
    keys_of_sides,
)
from medgauge.composition.set_overlap import overlaps
from medgauge.composition.specificity_counts import set_specificity
from medgauge.composition.type_combinations import set_types
from medgauge.errors import InputError
from medgauge.pairs import Pairs, PairSet, multi_word_share
from medgauge.progress import track
from medgauge.strata.values import SPECIFICITY, TYPES, as_texts, check_storable, column
from medgauge.terminology.read import read_terminology
from medgauge.terminology.umls.umls_release import open_umls

PERMUTATIONS = 999
_MOST_PERMUTATIONS = 100_000
_MOST_TYPES = 300  # UMLS has 127
_OWN_TYPES = (TYPES, ("type_1", "type_2"))
"""The columns of a set that hold its types, the first that are there."""


def coverage(
    datasets: Datasets,
    *,
    umls: str | Path | None = None,
    terminology: str | Path | Sequence[str | Path] | None = None,
    permutations: int = PERMUTATIONS,
    seed: int = 0,
) -> BenchmarkCoverage:
    """Describe what sets of pairs cover, and what every two of them share.

    `datasets` are sets, with or without gold, or where they are: one, several, or several by name. Semantic
    types are those of the CUIs in a UMLS release (`umls`: its folder or zip), and specificity is the fewest
    is-a edges to the root of a `terminology`: SNOMED CT in RF2 (with extensions after it), or an ontology,
    whose branches serve as types where there is no UMLS. Without these, columns `semantic_type_1` and
    `semantic_type_2` (or `type_1`, `type_2`), `specificity_1` and `specificity_2` of a set are used. The
    baseline that predicts scores from types is compared with `permutations` of the types. The `pairs` of the
    result are the sets with the columns that were computed.

    >>> from medgauge.pairs import Card
    >>> rows = [("renal failure", "kidney failure", 4.0), ("gout", "Renal Failure", 1.0)]
    >>> found = coverage(PairSet.of(rows, card=Card(name="tiny", title="Tiny", scale=(0, 4))))
    >>> tiny = found["tiny"]
    >>> tiny.pairs, tiny.terms, tiny.concepts, round(tiny.multi_word, 2), tiny.score_fifths
    (2, 3, None, 0.67, [0, 1, 0, 0, 1])
    """
    if not 1 <= permutations <= _MOST_PERMUTATIONS:
        raise InputError(f"permutations must be between 1 and {_MOST_PERMUTATIONS:,}, not {permutations:,}")
    check_sources(listed_sets(datasets)[1])
    release = None if umls is None else open_umls(umls)
    sources = [terminology] if isinstance(terminology, str | Path) else terminology or ()
    known = read_terminology([Path(one) for one in sources]) if sources else None
    described = described_sets(named_pairs(datasets, whole=True), umls=release, terminology=known)
    with track("describing sets", len(described)) as advance:
        covered = []
        for one in described.values():
            covered.append(_covered(one, permutations, seed))
            advance(1)
    pairs = {name: one.pairs for name, one in described.items()}
    found = BenchmarkCoverage(
        sets=covered,
        overlaps=overlaps(pairs),
        umls=release.title if release else None,
        terminology=known.title if known else None,
        permutations=permutations,
        seed=seed,
    )
    found.hold(pairs)
    return found


def _covered(described: Described, permutations: int, seed: int) -> CoveredSet:
    pairs = described.pairs
    gold = pairs.gold if isinstance(pairs, PairSet) else np.empty(0)
    graded = isinstance(pairs, PairSet) and not pairs.labelled
    terms = keys_of_sides(pairs, "term")
    kinds = concept_kinds(pairs)
    scale = pairs.card.scale or ((float(gold.min()), float(gold.max())) if graded else None)
    return CoveredSet(
        name=pairs.card.name,
        title=pairs.card.title,
        kind=pairs.card.kind,
        target=_target(pairs),
        digest=pairs.digest if isinstance(pairs, PairSet) else pairs.key_digest("term"),
        pairs=len(pairs),
        different_pairs=len(different_pairs(terms)),
        terms=len(different(terms)),
        concepts=len(different(keys_of_sides(pairs, kinds[0]))) if kinds else None,
        concept_key=kinds[0] if kinds else None,
        pairs_with_ids=len(pairs) - pairs.without_key("id") if "id" in kinds else None,
        pairs_with_cuis=len(pairs) - pairs.without_key("cui") if "cui" in kinds else None,
        multi_word=multi_word_share(different(terms)),
        scale=None if pairs.labelled else pairs.card.scale,
        agreement=set_agreement(pairs),
        score_fifths=score_fifths(gold, scale) if graded and scale and scale[0] < scale[1] else [],
        scores=score_counts(gold) if gold.size else [],
        types=_types(described, permutations, seed),
        specificity=_specificity(described),
        found_by=dict(described.ways),
    )


def _target(pairs: Pairs) -> Literal["gold", "label"] | None:
    if not isinstance(pairs, PairSet):
        return None
    return "label" if pairs.labelled else "gold"


def _types(described: Described, permutations: int, seed: int) -> SetTypes | None:
    pairs = described.pairs
    names, source = TYPES, described.types_from
    if source is None:
        there = (both for both in _OWN_TYPES if {*both} <= {*pairs.frame.columns})
        own = next(there, None)
        if own is None:
            return None
        names, source = own, f"columns {own[0]} and {own[1]}"
        first, second = (_own_types(pairs, name) for name in names)
    else:
        first, second = (as_texts(column(pairs, name)) for name in names)
    found = set_types(pairs, first, second, source=source, permutations=permutations, seed=seed)
    return found.model_copy(update={"steps": dict(described.steps)})


def _own_types(pairs: Pairs, name: str) -> Texts:
    """Return a set's own types, unless they may be terms or ids, which results do not store."""
    texts = as_texts(column(pairs, name))
    different_types = {*texts.tolist()} - {""}
    if len(different_types) > _MOST_TYPES:
        raise InputError(
            f"the column {name} of {pairs.card.name} has {len(different_types):,} values; at most "
            f"{_MOST_TYPES} can be types"
        )
    check_storable(pairs, name, different_types)
    return texts


def _specificity(described: Described) -> SetSpecificity | None:
    pairs, source = described.pairs, described.specificity_from
    if not {*SPECIFICITY} <= {*pairs.frame.columns}:
        return None
    first, second = (_levels(pairs, name) for name in SPECIFICITY)
    keys = keys_of_concepts(pairs)
    return set_specificity(first, second, keys, source=source or f"columns {' and '.join(SPECIFICITY)}")


def _levels(pairs: Pairs, name: str) -> Doubles:
    values = column(pairs, name)
    if not values.dtype.is_numeric():
        raise InputError(f"the column {name} of {pairs.card.name} is not numeric")
    levels = values.cast(pl.Float64).fill_null(np.nan).to_numpy()
    known = levels[~np.isnan(levels)]
    if ((known < 0) | (known > MOST_EDGES) | (known != np.floor(known))).any():
        raise InputError(
            f"the column {name} of {pairs.card.name} has a value that is not a number of edges, of which "
            f"there are at most {MOST_EDGES:,}"
        )
    return levels
