"""WorstPairs: the pairs of sets on which a model is furthest from the gold, or from another model."""

from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, FiniteFloat

from medgauge.errors import quoted
from medgauge.result import StoredResult
from medgauge.stored import Count, StoredName
from medgauge.term_length import LONGEST_TERM


def _counts(given: Any) -> Any:
    # Checked as a whole: the place of a single count would name its word, which is part of a term.
    if isinstance(given, dict):
        counts = [one for one in given.values() if isinstance(one, int) and 0 <= one <= 2**53]
        if len(counts) < len(given) or any(len(word) > LONGEST_TERM for word in given):
            raise ValueError("each word must have a count")
    return given


_Term = Annotated[str, Field(max_length=LONGEST_TERM)]
_Rank = Annotated[float, Field(ge=1, le=2**53)]


class WorstPair(BaseModel):
    """A pair with its terms, its gold, and the scores of one or two models.

    Rank 1 is the highest of the compared pairs; ties share the average rank. In a graded set, `rank_error` is
    the distance between the ranks of score and gold. In a labelled one, `wrong_side` is the share of pairs
    with the other label that lie on the wrong side of this one. With a second model, `nearer` is the model
    whose error is smaller, None if both are equal.

    `missing` are the words without a vector in the first model, `subwords` those whose vector is made of
    subwords, None where that is not known; `edit_distance` is Levenshtein's, in lower case; `rating_spread`
    is the highest rating minus the lowest, None without ratings.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    pair_id: str
    term_1: _Term
    term_2: _Term
    gold: FiniteFloat
    score: FiniteFloat
    gold_rank: _Rank | None
    score_rank: _Rank
    rank_error: Annotated[FiniteFloat, Field(ge=0)] | None
    wrong_side: Annotated[float, Field(ge=0, le=1)] | None
    other_score: FiniteFloat | None
    other_rank: _Rank | None
    nearer: str | None
    edit_distance: Count
    rating_spread: FiniteFloat | None
    missing: list[_Term] | None
    subwords: list[_Term] | None


class Uncovered(BaseModel):
    """How many pairs of a set a model does not cover, and how many of them lack each word.

    `words` is None if the run does not say which words are missing.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: StoredName
    pairs: Count
    words: Annotated[dict[str, int] | None, BeforeValidator(_counts)]


class InspectedSet(BaseModel):
    """The worst pairs of a set, worst first, of the `compared` ones that every model of the run can score.

    Pairs without any error, or that both models rank the same, are not among them.
    `measure` and `other_measure` are those of the two models; `uncovered` has an entry for each.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: StoredName
    labelled: bool
    n: Count
    compared: Count
    measure: StoredName
    other_measure: StoredName | None
    pairs: list[WorstPair]
    uncovered: list[Uncovered]

    def flaw(self, models: list[str]) -> str | None:
        """Return what contradicts that these are the worst pairs of the models, None if nothing does."""
        if [one.model for one in self.uncovered] != models:
            return "what a model does not cover is missing"
        if (self.other_measure is None) != (len(models) == 1):
            return "the measure of a model is missing"
        if not len(self.pairs) <= self.compared <= self.n or any(
            one.pairs > self.n for one in self.uncovered
        ):
            return "it has more pairs than the set"
        for pair in self.pairs:
            if {pair.gold_rank is None, pair.rank_error is None, pair.wrong_side is not None} != {
                self.labelled
            }:
                return "the errors of a pair are missing"
            if {pair.other_score is None, pair.other_rank is None} != {len(models) == 1}:
                return "the scores of a pair are missing"
            if pair.nearer is not None and (len(models) == 1 or pair.nearer not in models):
                return "the model that is nearer is not one of the two"
        return None


class WorstPairs(StoredResult):
    """The pairs on which `model` is furthest from the gold or, with `against`, from that other model.

    It contains terms, and words that are missing: its JSON and CSV are for the machine that has the sets.
    `absent` says of each set of the run that is not here how to get it.
    """

    model_config = ConfigDict(extra="forbid")
    _kind: ClassVar[str] = "worst_pair"

    model: StoredName
    against: StoredName | None
    sets: list[InspectedSet]
    absent: dict[StoredName, str]

    def _flaw(self) -> str | None:
        if not self.sets:
            return "it has no set; inspect the run again"
        models = [self.model, *([] if self.against is None else [self.against])]
        for one in self.sets:
            if flaw := one.flaw(models):
                return f"of the set {quoted(one.name)}, {flaw}; inspect the run again"
        return None
