"""A built set as a table: terms, labels, concepts, semantic tags and distances."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from medgauge.build.manifest import SetFacts, set_digest
from medgauge.build.terminology.negatives import Negatives
from medgauge.build.terminology.positives import NumberedPairs, Positives, edit_distances
from medgauge.pairs import multi_word_share
from medgauge.terminology.model import Terminology


@dataclass(frozen=True)
class Assembly:
    """Converts numbered pairs to tables, and back."""

    positives: Positives
    concepts: pl.DataFrame
    workers: int

    @classmethod
    def of(cls, terminology: Terminology, positives: Positives, workers: int) -> "Assembly":
        """Make an assembly for the sets of a terminology."""
        return cls(positives, terminology.concepts.select("id", "tag"), workers)

    @cached_property
    def _terms(self) -> pl.Series:
        return pl.Series(self.positives.terms, dtype=pl.String)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {term: number for number, term in enumerate(self.positives.terms)}

    def frame(self, pairs: NumberedPairs, negatives: Negatives) -> pl.DataFrame:
        """Put the positives of a set and then its negatives into a table.

        A term of a negative gets its concept from the first positive of the set that has it.
        """
        first, second = np.array(negatives.first, np.int64), np.array(negatives.second, np.int64)
        concepts = _first_concepts(pairs, len(self.positives.terms))
        distance = edit_distances(self.positives.lowered, first, second, workers=self.workers)
        joined = NumberedPairs(
            np.concatenate([pairs.first, first]),
            np.concatenate([pairs.second, second]),
            np.concatenate([pairs.concept_1, concepts[first]]),
            np.concatenate([pairs.concept_2, concepts[second]]),
            np.concatenate([pairs.distance, distance]),
        )
        label = np.repeat(np.array([1, 0], np.int8), [len(pairs), len(first)])
        return pl.DataFrame(
            {
                "pair_id": pl.Series(range(1, len(joined) + 1), dtype=pl.Int64).cast(pl.String),
                "term_1": self._terms.gather(joined.first),
                "term_2": self._terms.gather(joined.second),
                "label": label,
                "id_1": self.concepts["id"].gather(joined.concept_1),
                "id_2": self.concepts["id"].gather(joined.concept_2),
                "tag_1": self.concepts["tag"].gather(joined.concept_1),
                "tag_2": self.concepts["tag"].gather(joined.concept_2),
                "distance": pl.Series(joined.distance, dtype=pl.Int32),
            }
        )

    def negatives(self, frame: pl.DataFrame) -> Negatives:
        """Return the negatives of a table made before."""
        rows = frame.filter(pl.col("label") == 0)
        first, second = ([self._numbers[term] for term in rows[name]] for name in ("term_1", "term_2"))
        return Negatives(first, second, frame.height - 2 * rows.height)


def facts_of(frame: pl.DataFrame) -> SetFacts:
    """Count and measure a set, as in table 2 of Schulz and Juric (2020)."""
    positives, negatives = (frame.filter(pl.col("label") == label) for label in (1, 0))
    terms = pl.concat([frame["term_1"], frame["term_2"].rename("term_1")]).unique().to_list()
    return SetFacts(
        positives=positives.height,
        negatives=negatives.height,
        shortfall=positives.height - negatives.height,
        terms=len(terms),
        multi_word=multi_word_share(terms) if terms else None,
        distance_positives=_mean_distance(positives),
        distance_negatives=_mean_distance(negatives),
        digest=set_digest(frame),
    )


def _mean_distance(frame: pl.DataFrame) -> float | None:
    return int(frame["distance"].sum()) / frame.height if frame.height else None


def _first_concepts(pairs: NumberedPairs, count: int) -> np.ndarray:
    """Return each term's concept in the first positive that has it."""
    terms = np.stack([pairs.first, pairs.second], axis=1).ravel()
    concepts = np.stack([pairs.concept_1, pairs.concept_2], axis=1).ravel()
    found = np.zeros(count, np.int64)
    found[terms[::-1]] = concepts[::-1]  # the last write wins: the first positive
    return found
