"""Run: what an evaluation found, as a folder that a person can open."""

import hashlib
import json
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
from pydantic import BaseModel, ConfigDict, ValidationError

from medgauge.errors import FileError, InputError
from medgauge.evaluation.figures import Figure
from medgauge.evaluation.scoring import Scores
from medgauge.files import parquet_metadata, read_parquet, require_file, write_text, writing
from medgauge.models.base import ModelCard
from medgauge.pairs import Kind, PairSet

RESULTS = "results.json"
PROTOCOL = 1  # raise it when the same inputs give other scores or figures than before
_KEY = "medgauge.key"


class SetUsed(BaseModel):
    """A set that was evaluated on: `compared` of its `n` pairs are covered by every model.

    `majority` is the share of the commoner label among those, which any accuracy has to beat.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")

    name: str
    title: str
    kind: Kind
    labelled: bool
    n: int
    compared: int
    majority: float | None
    digest: str
    citation: str


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
    """What was asked for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    measures: list[str] | None
    oov: str
    seed: int
    limit: int | None


class Run(BaseModel):
    """The result of an evaluation: `results.json`, and the scores beside it once it is stored.

    All figures of a set rest on the pairs that every model covers.
    """

    model_config = ConfigDict(extra="forbid", ser_json_inf_nan="null")

    protocol: int
    versions: dict[str, str]
    settings: Settings
    models: list[ModelCard]
    datasets: list[SetUsed]
    coverage: list[Coverage]
    figures: list[Figure]
    _folder: Path | None = None
    _scores: dict[tuple[str, str], pl.DataFrame] | None = None

    @classmethod
    def load(cls, folder: str | Path) -> "Run":
        """Read a stored run."""
        path = require_file(Path(folder) / RESULTS)
        try:
            run = cls.model_validate_json(path.read_bytes())
        except ValidationError as error:
            problem = error.errors()[0]
            place = ".".join(str(part) for part in problem["loc"]) or None
            raise FileError(path, f"is no run of medgauge: {problem['msg']}", place=place) from None
        run._folder = Path(folder)
        return run

    def scores(self, model: str, dataset: str) -> pl.DataFrame:
        """Give the scores of a model on a set: pair_id, gold, a column for each measure, covered."""
        for entry in self.coverage:
            if (entry.model, entry.dataset) == (model, dataset):
                if self._scores is not None:
                    return self._scores[model, dataset]
                assert self._folder is not None
                return read_parquet(self._folder / entry.scores)
        raise InputError(f"the run has no scores of '{model}' on '{dataset}'")

    def hold(self, scores: Mapping[tuple[str, str], pl.DataFrame]) -> None:
        """Keep the scores of a run that is not stored."""
        self._scores = dict(scores)

    def to_json(self) -> str:
        """Write what results.json holds."""
        return self.model_dump_json(indent=2) + "\n"


def scores_path(model: str, dataset: str) -> str:
    """Name the file of a model's scores within a run; odd names get a mark that keeps them apart.

    >>> scores_path("glove", "bio-simlex")
    'scores/bio-simlex--glove.parquet'
    """
    names = (dataset, model)
    plain = [re.sub(r"[^\w.+-]|--+", "_", name)[:80] for name in names]
    mark = "" if plain == list(names) else f"--{key_of(names=names)[:8]}"
    return f"scores/{'--'.join(plain)}{mark}.parquet"


def scores_frame(pairs: PairSet, scores: Scores) -> pl.DataFrame:
    """Put scores beside the gold."""
    return pl.DataFrame(
        {
            "pair_id": pairs.frame["pair_id"],
            "gold": pairs.gold,
            **scores.values,
            "covered": scores.covered,
        }
    )


@dataclass(frozen=True)
class Store:
    """The folder that a run is written to: under a provisional name until it is whole.

    Scores of a model on a set are kept from a run that was killed, or from the run that is replaced, and
    found again by a key over all they depend on.
    """

    folder: Path

    @property
    def partial(self) -> Path:
        """The provisional folder."""
        return self.folder.with_name(f"{self.folder.name}.partial")

    @property
    def _replaced(self) -> Path:
        return self.folder.with_name(f".{self.folder.name}.replaced")

    def stored(self) -> Run | None:
        """Read the run that is in the folder, if there is one."""
        if self._replaced.exists() and not self.folder.exists():
            self._replaced.rename(self.folder)  # killed between the two renames of `finish`
        if not self.folder.exists():
            return None
        if not (self.folder / RESULTS).is_file():
            raise InputError(f"{self.folder} exists and is no run of medgauge; choose another folder")
        return Run.load(self.folder)

    def find(self, model: str, dataset: str, key: str) -> pl.DataFrame | None:
        """Find scores that were computed before from the same inputs."""
        path = scores_path(model, dataset)
        for place in (self.partial / path, self.folder / path):
            try:
                if place.exists() and parquet_metadata(place).get(_KEY) == key:
                    frame = read_parquet(place)
                    if place.parent.parent != self.partial:
                        self.keep(path, frame, key)
                    return frame
            except FileError:
                continue  # damaged scores are computed again
        return None

    def keep(self, path: str, frame: pl.DataFrame, key: str) -> None:
        """Write scores at once, so that a kill loses none that were computed."""
        with writing(self.partial / path) as temporary:
            frame.write_parquet(temporary, metadata={_KEY: key})

    def finish(self, run: Run) -> None:
        """Give the run its results and its name."""
        needed = {entry.scores for entry in run.coverage}
        for stale in self._stale(needed):
            stale.unlink()
        write_text(self.partial / RESULTS, run.to_json())
        shutil.rmtree(self._replaced, ignore_errors=True)
        if self.folder.exists():
            self.folder.rename(self._replaced)
        self.partial.rename(self.folder)
        shutil.rmtree(self._replaced, ignore_errors=True)
        run._folder = self.folder

    def _stale(self, needed: set[str]) -> Iterator[Path]:
        for path in self.partial.glob("scores/*"):
            if path.relative_to(self.partial).as_posix() not in needed:
                yield path


def key_of(**inputs: Any) -> str:
    """Make a key of all that a result depends on.

    >>> key_of(a=1)[:8] == key_of(a=1)[:8] != key_of(a=2)[:8]
    True
    """
    return hashlib.sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()
