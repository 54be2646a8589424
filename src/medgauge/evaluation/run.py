"""Run: the result of an evaluation, stored as a folder of readable files."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, ClassVar

import polars as pl
from pydantic import BaseModel, ConfigDict, Field, PlainSerializer, ValidationError

from medgauge.errors import FileError, InputError, UnknownNameError
from medgauge.estimate import CONFIDENCE
from medgauge.evaluation.figures import GRADED_METRICS, LABELLED_METRICS, Figure
from medgauge.files import read_parquet, require_file
from medgauge.measures.declared import MEASURES
from medgauge.models.base import ModelCard
from medgauge.models.lookup import Oov
from medgauge.pairs import SetKind
from medgauge.result import StoredResult
from medgauge.stored import Number, StoredConfidence, StoredReason
from medgauge.strata.subsets import Cut

RESULTS = "results.json"
PROTOCOL = 1  # raise it when the same inputs give different scores or figures than before


# JSON has no infinity; it is written as text, which can be read back.
Edge = Annotated[
    float, PlainSerializer(lambda edge: edge if math.isfinite(edge) else str(edge), when_used="json")
]


class Subset(BaseModel):
    """A subset: `compared` of its `n` pairs are covered by every model."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    n: int
    compared: int


class HumanBound(BaseModel):
    """The human upper bound: ρ of the best rater with the mean rating, with and without their own."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")

    with_own: Number
    with_own_rater: str | None
    without_own: Number
    without_own_rater: str | None
    undefined: StoredReason = None


class TypeBaseline(BaseModel):
    """ρ of the median gold of each combination of types, on pairs whose combination occurs more than once."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")

    rho: Number
    pairs: int
    combinations: int
    undefined: StoredReason = None


class SetUsed(BaseModel):
    """A set that was evaluated on: `compared` of its `n` pairs are covered by every model.

    `majority` is the share of the more common label among those, which any accuracy has to beat; `human` and
    `types` are the human upper bound and the baseline of types on them. `total` counts the pairs before
    `where` and `limit`, `skipped` those of the table that have no gold, `left_out` those in no subset, by
    reason; `cut` says how the subsets were made, and `columns` is a digest of the columns that all this
    depends on. `groups` is the file that says which pairs share a concept or stratum.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")

    name: str
    title: str
    kind: SetKind
    labelled: bool
    n: int
    compared: int
    majority: float | None
    digest: str
    citation: str
    total: int | None = None
    skipped: Annotated[int, Field(exclude_if=lambda count: count == 0)] = 0
    human: HumanBound | None = None
    types: TypeBaseline | None = None
    subsets: list[Subset] = []
    cut: Cut | None = None
    left_out: dict[str, int] = {}
    columns: str = ""
    groups: str = ""


class Coverage(BaseModel):
    """How many of a set's pairs a model covers by itself, and for how many of those a score is undefined."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str
    dataset: str
    n: int
    covered: int
    undefined: int
    scores: str


class Settings(BaseModel):
    """What was asked for; `attributes` is the digest of a file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    measures: list[str] | None
    oov: Oov
    seed: int = Field(ge=0)
    limit: int | None
    where: str | None = None
    by: str | None = None
    bins: int | list[Edge] | None = None
    attributes: str | None = None
    types: tuple[str, str] | None = None
    confidence: StoredConfidence = CONFIDENCE


class Run(StoredResult):
    """The result of an evaluation: `results.json`, with the scores next to it once it is stored.

    All figures on a set are computed on the pairs that every model covers. Figures on whole sets come first,
    then those on subsets.
    """

    model_config = ConfigDict(extra="forbid", ser_json_inf_nan="null")
    _kind: ClassVar[str] = "run"

    protocol: int
    versions: dict[str, str]
    settings: Settings
    models: list[ModelCard]
    datasets: list[SetUsed]
    coverage: list[Coverage]
    figures: list[Figure]
    _folder: Path | None = None
    _scores: dict[tuple[str, str], pl.DataFrame] | None = None
    _groups: dict[str, pl.DataFrame] | None = None

    @classmethod
    def load(cls, folder: str | Path) -> "Run":
        """Read a stored run, by its folder or the results.json in it."""
        given = Path(folder)
        folder = given.parent if given.name == RESULTS else given
        path = require_file(folder / RESULTS)
        try:
            run = cls.model_validate_json(path.read_bytes())
        except ValidationError as error:
            problem = error.errors()[0]
            place = ".".join(str(part) for part in problem["loc"]) or None
            raise FileError(path, f"is not a medgauge run: {problem['msg']}", place=place) from None
        if missing := run._missing():
            raise FileError(path, f"is damaged: {missing}; evaluate again")
        run.settle(folder)
        return run

    def _missing(self) -> str | None:
        """Return what this run lacks to be complete, or None."""
        covered = {(entry.model, entry.dataset) for entry in self.coverage}
        found = {(one.model, one.dataset, one.metric) for one in self.figures if one.subset is None}
        wanted = {
            (card.name, used.name, metric)
            for card in self.models
            for used in self.datasets
            for metric in (LABELLED_METRICS if used.labelled else GRADED_METRICS)
        }
        if not wanted or covered != {(model, dataset) for model, dataset, _ in wanted}:
            return "the coverage of some model on some set is missing"
        if found != wanted:
            return "the figures of some model on some set are missing"
        unknown = next((one.measure for one in self.figures if one.measure not in MEASURES), None)
        return f"there is no measure '{unknown}'" if unknown else None

    @property
    def several_measures(self) -> bool:
        """Whether some model has several measures; tables then show the best."""
        used = {(figure.model, figure.measure) for figure in self.figures}
        return len(used) > len({model for model, _ in used})

    def scores(self, model: str, dataset: str) -> pl.DataFrame:
        """Return the scores of a model on a set: pair_id, gold, a column for each measure, covered."""
        for entry in self.coverage:
            if (entry.model, entry.dataset) == (model, dataset):
                if self._scores is not None:
                    return self._scores[model, dataset]
                assert self._folder is not None
                return read_parquet(self._folder / entry.scores)
        raise InputError(f"the run has no scores of '{model}' on '{dataset}'")

    def groups(self, dataset: str) -> pl.DataFrame:
        """Return, for each pair of a set and each of the set's columns, the number of the pair's value."""
        for used in self.datasets:
            if used.name == dataset:
                if self._groups is not None:
                    return self._groups[dataset]
                assert self._folder is not None
                if not used.groups:
                    raise InputError(f"{self._folder} was stored without groups of pairs; evaluate again")
                return read_parquet(self._folder / used.groups)
        raise UnknownNameError("set in the run", dataset, [used.name for used in self.datasets])

    def settle(self, folder: Path) -> None:
        """Set the folder that holds the scores of the run."""
        self._folder = folder

    def hold(
        self, scores: Mapping[tuple[str, str], pl.DataFrame], groups: Mapping[str, pl.DataFrame]
    ) -> None:
        """Keep the scores and groups of a run that is not stored."""
        self._scores = dict(scores)
        self._groups = dict(groups)
