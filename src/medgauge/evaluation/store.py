"""The folder that a run is written to."""

import hashlib
import json
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from os.path import samestat
from pathlib import Path
from typing import Any

import polars as pl

from medgauge.errors import FileError, InputError
from medgauge.evaluation.run import RESULTS, Run
from medgauge.evaluation.scoring import Scores
from medgauge.files import clean_name, lock_folder, parquet_metadata, read_parquet, write_text, writing
from medgauge.pairs import PairSet

_KEY = "medgauge.key"


def scores_path(model: str, dataset: str) -> str:
    """Name the file of a model's scores within a run; odd names get a mark that keeps them apart.

    >>> scores_path("glove", "bio-simlex")
    'scores/bio-simlex--glove.parquet'
    """
    return f"scores/{_file_name(dataset, model)}.parquet"


def groups_path(dataset: str) -> str:
    """Name the file of a set's groups within a run.

    >>> groups_path("bio-simlex")
    'groups/bio-simlex.parquet'
    """
    return f"groups/{_file_name(dataset)}.parquet"


def _file_name(*names: str) -> str:
    plain = [re.sub(r"[^\w.+-]|--+", "_", name)[:80] for name in names]
    mark = "" if plain == list(names) else f"--{key_of(names=names)[:8]}"
    return f"{'--'.join(plain)}{mark}"


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

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes from writing the same run, until this block or this process ends."""
        self._check_name()
        self.partial.mkdir(parents=True, exist_ok=True)
        _check_content(self.partial)
        with lock_folder(self.partial) as is_mine:
            if not is_mine:
                raise InputError(f"another run is being written to {self.folder}; wait for it")
            mine = self.partial.stat()
            try:
                yield
            finally:
                with suppress(OSError):
                    if samestat(self.partial.stat(), mine):
                        self.partial.rmdir()  # if nothing was kept in it

    def _check_name(self) -> None:
        """Refuse a folder that cannot be made by one rename."""
        if not str(self.folder).isprintable() or clean_name(str(self.folder)) != str(self.folder):
            raise InputError("the name of the folder for the run has characters that cannot be written")
        if self.folder.name.endswith(".partial"):
            raise InputError(f"{self.folder}: names that end in .partial are for runs that are not whole")
        if self.folder in (Path.cwd(), *Path.cwd().parents):
            raise InputError(
                f"{self.folder} is the folder you are in, or above it; give the run one of its own"
            )

    def stored(self, *, damaged: bool = False) -> Run | None:
        """Read the run that is in the folder, if there is one; with `damaged`, a broken one is none."""
        if self._replaced.exists() and not self.folder.exists():
            self._replaced.rename(self.folder)  # killed between the two renames of `finish`
        if not self.folder.exists():
            return None
        if not self.folder.is_dir():
            raise InputError(f"{self.folder} is a file; a run needs a folder")
        _check_content(self.folder)
        if not any(self.folder.iterdir()):
            return None
        if not (self.folder / RESULTS).is_file():
            raise InputError(f"{self.folder} exists and is no run of medgauge; choose another folder")
        try:
            return Run.load(self.folder)
        except FileError as error:
            if damaged:
                return None
            raise InputError(f"{error}; add --replace to make the run anew") from error

    def has_files_of(self, run: Run, groups: Mapping[str, pl.DataFrame]) -> bool:
        """Say whether the folder has the scores of its run, and these groups, in files that can be read."""
        try:
            return all(
                read_parquet(self.folder / entry.scores).height == entry.n for entry in run.coverage
            ) and all(
                read_parquet(self.folder / groups_path(name)).equals(frame) for name, frame in groups.items()
            )
        except FileError:
            return False

    def find(self, model: str, dataset: str, key: str) -> pl.DataFrame | None:
        """Find scores that were computed before from the same inputs; damaged ones are none."""
        for folder in (self.partial, self.folder):
            place = folder / scores_path(model, dataset)
            with suppress(FileError):
                if _has_key(place, key):
                    return read_parquet(place)
        return None

    def adopt(self, model: str, dataset: str, key: str, frame: pl.DataFrame) -> None:
        """Keep scores that were found, unless they are kept already."""
        if not _has_key(self.partial / scores_path(model, dataset), key):
            self.keep(model, dataset, key, frame)

    def keep(self, model: str, dataset: str, key: str, frame: pl.DataFrame) -> None:
        """Write scores at once, so that a kill loses none that were computed."""
        self._write(scores_path(model, dataset), frame, {_KEY: key})

    def _write(self, path: str, frame: pl.DataFrame, metadata: dict[str, str] | None = None) -> None:
        with writing(self.partial / path) as temporary:
            try:
                frame.write_parquet(temporary, metadata=metadata)
            except pl.exceptions.PolarsError as error:
                reason = str(error).splitlines()[0]
                raise FileError(self.partial / path, f"cannot be written ({reason})") from error

    def finish(self, run: Run, groups: Mapping[str, pl.DataFrame]) -> None:
        """Give the run its groups of pairs by set, its results and its name."""
        for name, frame in groups.items():
            self._write(groups_path(name), frame)
        needed = {entry.scores for entry in run.coverage} | {groups_path(name) for name in groups}
        for stale in self._stale(needed):
            stale.unlink()
        write_text(self.partial / RESULTS, run.to_json())
        shutil.rmtree(self._replaced, ignore_errors=True)
        if self.folder.exists():
            self.folder.rename(self._replaced)
        self.partial.rename(self.folder)
        shutil.rmtree(self._replaced, ignore_errors=True)
        run.settle(self.folder)

    def _stale(self, needed: set[str]) -> Iterator[Path]:
        for path in (*self.partial.glob("scores/*"), *self.partial.glob("groups/*")):
            if path.relative_to(self.partial).as_posix() not in needed:
                yield path


def _check_content(folder: Path) -> None:
    """Refuse a folder with files that are no part of a run, which would be lost with it."""
    top = [path for path in folder.iterdir() if path.name not in (RESULTS, "scores", "groups")]
    inner = (*folder.glob("scores/*"), *folder.glob("groups/*"))
    odd = [path for path in inner if path.suffix not in (".parquet", ".tmp")]
    for path in sorted([*top, *odd]):
        if path.suffix != ".tmp":  # what a kill left of a file
            raise InputError(f"{folder} holds what is no part of a run ({path.name}); choose another folder")


def _has_key(path: Path, key: str) -> bool:
    with suppress(FileError):
        return parquet_metadata(path).get(_KEY) == key
    return False


def key_of(**inputs: Any) -> str:
    """Make a key of all that a result depends on.

    >>> key_of(a=1)[:8] == key_of(a=1)[:8] != key_of(a=2)[:8]
    True
    """
    return hashlib.sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()
