"""Positive pairs of a terminology: names with synonyms, synonyms with each other, concepts with replacements.

The rules are those of Schulz and Juric (2020), section 3.1, and of the program they published.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from medgauge.arrays import Integers
from medgauge.build.terminology.families import REPLACEMENTS
from medgauge.terminology.model import Terminology

_DEPRECATED = "[D]"
_PAIR = ("low", "high")


@dataclass(frozen=True)
class NumberedPairs:
    """Pairs of terms, by number, with the number of the concept of each term."""

    first: Integers
    second: Integers
    concept_1: Integers
    concept_2: Integers
    distance: Integers

    def __len__(self) -> int:
        return len(self.first)

    def where(self, wanted: NDArray[np.bool_]) -> "NumberedPairs":
        """Return the wanted pairs, in their order."""
        return NumberedPairs(*(getattr(self, name)[wanted] for name in self.__dataclass_fields__))


@dataclass(frozen=True)
class Positives:
    """The positive pairs of each family, over numbered terms."""

    terms: Sequence[str]
    lowered: Sequence[str]
    families: dict[str, NumberedPairs]
    unnamed: int
    """Associations that make no pair because one side has no current name."""

    def split(self, family: str, distance: int) -> dict[str, NumberedPairs]:
        """Split a family: easy pairs are at most `distance` edits apart, hard ones further."""
        pairs = self.families[family]
        is_easy = pairs.distance <= distance
        return {"easy": pairs.where(is_easy), "hard": pairs.where(~is_easy)}

    def same_but_case(self) -> dict[int, list[int]]:
        """Return, for each term that equals others except for case, all those terms including itself."""
        groups: dict[str, list[int]] = {}
        for number, word in enumerate(self.lowered):
            groups.setdefault(word, []).append(number)
        return {number: group for group in groups.values() if len(group) > 1 for number in group}


def find_positives(terminology: Terminology, *, workers: int = -1) -> Positives:
    """Find the positive pairs of all families.

    Within a family no pair is repeated, in either order: the first orientation is kept. Comparisons are
    case-sensitive unless stated otherwise; ignoring case means comparing by `str.lower`.
    """
    concepts = terminology.concepts.with_row_index("concept").with_columns(
        renamed=_renamed(terminology), is_namespace=_is_namespace(terminology)
    )
    vocabulary = _Vocabulary.of([concepts["label"], concepts["renamed"], terminology.synonyms["term"]])
    named = concepts.with_columns(
        label=vocabulary.numbers(concepts["label"]), renamed=vocabulary.numbers(concepts["renamed"])
    )
    synonyms = terminology.synonyms.with_columns(term=vocabulary.numbers(terminology.synonyms["term"]))
    fsn_syn, syn_syn = _synonym_pairs(named, synonyms, vocabulary)
    replaced, unnamed = _replacement_pairs(named, terminology.associations, syn_syn, vocabulary)
    frames = {"fsn-syn": fsn_syn, "syn-syn": syn_syn} | {
        kind: replaced.filter(pl.col("kind") == kind) for kind in REPLACEMENTS
    }
    families = {family: _measured(frame, vocabulary, workers) for family, frame in frames.items()}
    return Positives(vocabulary.terms, vocabulary.lowered, families, unnamed)


@dataclass(frozen=True)
class _Vocabulary:
    """Distinct terms, numbered from 0, and a number that is equal for equal lower-cased terms."""

    terms: list[str]
    lowered: list[str]
    table: pl.DataFrame

    @classmethod
    def of(cls, columns: Sequence[pl.Series]) -> "_Vocabulary":
        joined = pl.concat([column.rename("term") for column in columns])
        unique = joined.drop_nulls().unique(maintain_order=True)
        terms = unique.to_list()
        lowered = [term.lower() for term in terms]
        same = {word: number for number, word in enumerate(dict.fromkeys(lowered))}
        folded = pl.Series("folded", [same[word] for word in lowered], pl.Int64)
        table = pl.DataFrame([unique, folded]).with_row_index("number").cast({"number": pl.Int64})
        return cls(terms, lowered, table)

    def numbers(self, terms: pl.Series) -> pl.Series:
        joined = terms.to_frame("term").join(self.table, on="term", how="left", maintain_order="left")
        return joined["number"]

    def differ(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Keep the pairs that differ by more than case, and add their two numbers in ascending order."""
        folded = self.table["folded"]
        return frame.filter(folded.gather(frame["first"]) != folded.gather(frame["second"])).with_columns(
            low=pl.min_horizontal("first", "second"), high=pl.max_horizontal("first", "second")
        )


def _synonym_pairs(
    named: pl.DataFrame, synonyms: pl.DataFrame, vocabulary: _Vocabulary
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the pairs of names with synonyms, and all pairs within a concept, concept by concept."""
    counting = named.filter("active", ~pl.col("is_metadata"), pl.col("label").is_not_null())
    with_names = (
        synonyms.join(counting.select("concept", "label"), on="concept", maintain_order="left")
        .sort("concept", maintain_order=True)
        .select(pl.col("label").alias("first"), pl.col("term").alias("second"), "concept")
    )
    met = vocabulary.differ(with_names)
    places = met.select("concept", pl.col("second").alias("term")).with_row_index("place")
    each_two = places.join(places, on="concept", suffix="_2", maintain_order="left_right").filter(
        pl.col("place") < pl.col("place_2")
    )
    others = vocabulary.differ(each_two.select(first="term", second="term_2", concept="concept"))
    fsn_syn = met.unique(_PAIR, keep="first", maintain_order=True)
    by_concept = pl.concat([met, others]).sort("concept", maintain_order=True)
    syn_syn = by_concept.unique(_PAIR, keep="first", maintain_order=True)
    both = {"concept_1": pl.col("concept"), "concept_2": pl.col("concept")}
    return fsn_syn.with_columns(**both), syn_syn.with_columns(**both)


def _replacement_pairs(
    named: pl.DataFrame, associations: pl.DataFrame, syn_syn: pl.DataFrame, vocabulary: _Vocabulary
) -> tuple[pl.DataFrame, int]:
    """Pair the names of associated concepts; an ordered pair of concepts has only its first kind."""
    counting = associations.unique(["source", "target"], keep="first", maintain_order=True).filter(
        "active", pl.col("kind").is_in(REPLACEMENTS)
    )
    names = named.select("concept", "renamed", "is_namespace")
    joined = (
        counting.join(names, left_on="source", right_on="concept", maintain_order="left")
        .join(names, left_on="target", right_on="concept", suffix="_2", maintain_order="left")
        .filter(~pl.col("is_namespace_2"))
    )
    both_named = joined.drop_nulls(["renamed", "renamed_2"])
    pairs = both_named.select(
        "kind", first="renamed", second="renamed_2", concept_1="source", concept_2="target"
    )
    kept = (
        vocabulary.differ(pairs)
        .join(syn_syn, on=_PAIR, how="anti", maintain_order="left")
        .unique(["kind", *_PAIR], keep="first", maintain_order=True)
    )
    return kept, joined.height - both_named.height


def _renamed(terminology: Terminology) -> pl.Series:
    """Return the labels for replacement pairs, without the [D] by which SNOMED CT marks deprecated names."""
    label = terminology.concepts["label"]
    if terminology.form != "rf2":
        return label
    stripped = label.str.strip_prefix(_DEPRECATED).str.strip_suffix(_DEPRECATED).str.strip_chars()
    return stripped.replace("", None)


def _is_namespace(terminology: Terminology) -> pl.Series:
    """Return which concepts are namespaces of SNOMED CT's identifiers, without medical meaning."""
    name = terminology.concepts["name"]
    if terminology.form != "rf2":
        return pl.repeat(False, len(name), eager=True)
    return name.str.contains("namespace", literal=True).fill_null(False)


def _measured(frame: pl.DataFrame, vocabulary: _Vocabulary, workers: int) -> NumberedPairs:
    """Return pairs with the Levenshtein distance of their lower-cased terms."""
    columns = {
        name: frame[name].cast(pl.Int64).to_numpy() for name in ("first", "second", "concept_1", "concept_2")
    }
    distance = edit_distances(vocabulary.lowered, columns["first"], columns["second"], workers=workers)
    return NumberedPairs(**columns, distance=distance)


def edit_distances(lowered: Sequence[str], first: Integers, second: Integers, *, workers: int) -> Integers:
    """Compute the Levenshtein distance of each pair of terms, given by number."""
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cpdist

    if not len(first):
        return np.zeros(0, np.int64)
    left, right = ([lowered[number] for number in side.tolist()] for side in (first, second))
    return cpdist(left, right, scorer=Levenshtein.distance, dtype=np.int64, workers=workers)
