"""The result of entity recognition: F of each model on each corpus, its trials, and real differences."""

import math
from itertools import combinations
from pathlib import Path
from typing import Annotated, ClassVar

from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import from_json

from medgauge.estimate import CONFIDENCE, Estimate
from medgauge.files.opening import read_bytes
from medgauge.models.base import ModelCard
from medgauge.ner.labels.tag_schemes import Scheme
from medgauge.ner.networks.network_settings import NetworkSettings
from medgauge.result import StoredResult
from medgauge.stats.settings import Correction
from medgauge.stored import Count, Number, StoredConfidence, StoredName, StoredReason

RESULTS = "results.json"
PROTOCOL = 1
"""Raise it when the same inputs give different counts than before."""
_Positive = Annotated[int, Field(ge=1, le=2**53)]
_Level = Annotated[float, Field(gt=0, lt=1)]


class PartUsed(BaseModel):
    """A part of a corpus: how many sentences, tokens and entities it has, and the scheme of its labels."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    sentences: _Positive
    tokens: _Positive
    entities: Count
    scheme: Scheme


class CorpusUsed(BaseModel):
    """A corpus; `devel_taken` says that its development part is the last tenth of its training part."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: StoredName
    digest: str
    types: list[StoredName]
    train: PartUsed
    devel: PartUsed
    test: PartUsed
    devel_taken: bool


class TokenCoverage(BaseModel):
    """How many tokens of the training and test parts of a corpus a model has a vector for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: StoredName
    corpus: StoredName
    train: Count
    test: Count


class TrialFigures(BaseModel):
    """The figures of a trained network on the test part, and F on the development part.

    It was scored as it was after the epoch `scored` of those that were trained; `loss` is the mean over the
    batches of the last one. `right`, `found` and `gold` count entities.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")

    model: StoredName
    corpus: StoredName
    trial: _Positive
    right: Count
    found: Count
    gold: Count
    precision: Number
    recall: Number
    f: Number
    devel_f: Number
    epochs: _Positive
    scored: _Positive
    loss: Number


class RecognitionFigure(BaseModel):
    """Precision, recall and F of a model on a corpus: the means over its trials.

    `type` is None for all types together. `deviation` is the standard deviation of F over the trials, and the
    interval that of F over resamples of the test sentences; both are NaN where there is none.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")

    model: StoredName
    corpus: StoredName
    type: StoredName | None
    precision: Number
    recall: Number
    f: Number
    deviation: Number
    low: Number
    high: Number
    gold: Count
    trials: _Positive
    confidence: StoredConfidence = CONFIDENCE
    undefined: StoredReason = None

    @property
    def estimate(self) -> Estimate:
        """F as an estimate, over the gold entities."""
        return Estimate(self.f, self.low, self.high, self.confidence, self.gold, self.undefined)


class RankedModel(BaseModel):
    """A model among those on a corpus; models that share one of the `letters` cannot be told apart."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")

    model: StoredName
    f: Number
    rank: _Positive
    rank_low: _Positive
    rank_high: _Positive
    letters: StoredName


class FDifference(BaseModel):
    """The F of a first model less that of a second, with the interval at the contest's level.

    `floored` says that p is the smallest that the number of resamples allows.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")

    model_1: StoredName
    model_2: StoredName
    value: Number
    low: Number
    high: Number
    p: Number
    p_adjusted: Number
    significant: bool
    floored: Annotated[bool, Field(exclude_if=lambda value: not value)] = False


class RecognitionContest(BaseModel):
    """Every two models on the test part of a corpus; `level` is that of the intervals of differences."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")

    corpus: StoredName
    sentences: _Positive
    tests: _Positive
    level: _Level
    models: list[RankedModel]
    differences: list[FDifference]


class ContestSettings(BaseModel):
    """How differences are tested."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    alpha: _Level
    correction: Correction
    resamples: _Positive
    confidence: StoredConfidence = CONFIDENCE


class EntityRecognition(StoredResult):
    """What vectors are worth to a network that finds entities: `results.json`, beside counts by sentence.

    `device` is where the networks were trained: the same seed gives the same results there.
    """

    model_config = ConfigDict(extra="forbid", ser_json_inf_nan="null")
    _kind: ClassVar[str] = "ner.ner"

    protocol: int
    versions: dict[str, str]
    device: str
    settings: NetworkSettings
    tests: ContestSettings
    models: list[ModelCard]
    corpora: list[CorpusUsed]
    covered: list[TokenCoverage]
    trials: list[TrialFigures]
    figures: list[RecognitionFigure]
    contests: list[RecognitionContest]

    @classmethod
    def load(cls, path: str | Path) -> "EntityRecognition":
        """Read a stored result, by its folder or the results.json in it."""
        given = Path(path)
        return cls._read(given / RESULTS if given.is_dir() else given, "does not hold an EntityRecognition")

    def f_by_model(self) -> dict[tuple[str, str], RecognitionFigure]:
        """Return the figure on all types of each model and corpus."""
        return {(one.model, one.corpus): one for one in self.figures if one.type is None}

    def _flaw(self) -> str | None:
        models, corpora = [card.name for card in self.models], [used.name for used in self.corpora]
        if not models or not corpora or len(set(models)) < len(models) or len(set(corpora)) < len(corpora):
            return "a model or a corpus is missing, or there twice; train again"
        wanted = [
            (model, used.name, kind)
            for used in self.corpora
            for model in models
            for kind in (None, *(used.types if len(used.types) > 1 else ()))
        ]
        if [(one.model, one.corpus, one.type) for one in self.figures] != wanted:
            return "the figures of some model on some corpus are missing; train again"
        both = [(model, corpus) for corpus in corpora for model in models]
        trained = [(*one, trial + 1) for one in both for trial in range(self.settings.trials)]
        if [(one.model, one.corpus, one.trial) for one in self.trials] != trained:
            return "a trial of some model is missing; train again"
        if [(one.model, one.corpus) for one in self.covered] != both:
            return "the coverage of some model is missing; train again"
        if [one.corpus for one in self.contests] != (corpora if len(models) > 1 else []):
            return "the comparison of the models on some corpus is missing; train again"
        return next((flaw for one in self.contests if (flaw := _contest_flaw(one, models))), None)


def _contest_flaw(contest: RecognitionContest, models: list[str]) -> str | None:
    ordered = [one.model for one in contest.models]
    if sorted(ordered) != sorted(models):
        return "a comparison does not have the models of the result; train again"
    pairs = [(one.model_1, one.model_2) for one in contest.differences]
    if pairs != list(combinations(ordered, 2)):
        return "the difference of two models is missing; train again"
    if any(one.significant and not math.isfinite(one.p_adjusted) for one in contest.differences):
        return "a difference is significant without a p-value; train again"
    return None


def is_recognition(path: Path) -> bool:
    """Return whether a file of results is that of entity recognition, going by what it holds."""
    try:
        stored = from_json(read_bytes(path))
    except ValueError:
        return False
    return isinstance(stored, dict) and "corpora" in stored
