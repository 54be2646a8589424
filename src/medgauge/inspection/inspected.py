"""WorstPairs: the pairs of sets on which a model is furthest from the gold, or from another model."""

from typing import ClassVar

from pydantic import BaseModel, ConfigDict

from medgauge.result import StoredResult
from medgauge.stored import StoredName


class WorstPair(BaseModel):
    """A pair with its terms, its gold, and the scores of one or two models.

    Rank 1 is the highest of the compared pairs; ties share the average rank. In a graded set, `rank_error` is
    the distance between the ranks of score and gold. In a labelled one, `wrong_side` is the share of pairs
    with the other label that lie on the wrong side of this one. With a second model, `nearer` is the model
    whose error is smaller, None if both are equal.

    `missing` are the words without a vector in the first model, `subwords` those whose vector is made of
    subwords, None where that is not known; `edit_distance` is Levenshtein's, in lower case; `rating_spread`
    is the highest rating less the lowest, None without ratings.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    pair_id: str
    term_1: str
    term_2: str
    gold: float
    score: float
    gold_rank: float | None
    score_rank: float
    rank_error: float | None
    wrong_side: float | None
    other_score: float | None
    other_rank: float | None
    nearer: str | None
    edit_distance: int
    rating_spread: float | None
    missing: list[str] | None
    subwords: list[str] | None


class Uncovered(BaseModel):
    """How many pairs of a set a model does not cover, and how many of them lack each word.

    `words` is None if the run does not say which words are missing.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: StoredName
    pairs: int
    words: dict[str, int] | None


class InspectedSet(BaseModel):
    """The worst pairs of a set, worst first, of the `compared` ones that every model of the run can score.

    `measure` and `other_measure` are those of the two models; `uncovered` has an entry for each.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    labelled: bool
    n: int
    compared: int
    measure: str
    other_measure: str | None
    pairs: list[WorstPair]
    uncovered: list[Uncovered]


class WorstPairs(StoredResult):
    """The pairs on which `model` is furthest from the gold or, with `against`, from that other model.

    It contains terms, and words that are missing: its JSON and CSV are for the machine that has the sets.
    `absent` says of each set of the run that is not here how to get it.
    """

    model_config = ConfigDict(extra="forbid")
    _kind: ClassVar[str] = "worst_pair"

    model: StoredName
    against: str | None
    sets: list[InspectedSet]
    absent: dict[str, str]
