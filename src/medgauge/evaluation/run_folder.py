"""The folder that a run is written to."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from medgauge.errors import FileError
from medgauge.evaluation.run import RESULTS, Run
from medgauge.evaluation.scoring import FAILURE, Scores
from medgauge.files.folders import ResumableFolder, part_name
from medgauge.files.parquet import read_parquet
from medgauge.files.writing import write_text
from medgauge.pairs import PairSet


def scores_path(model: str, dataset: str) -> str:
    """Return the path of a model's scores within a run; unusual names get a suffix that keeps them unique.

    >>> scores_path("glove", "bio-simlex")
    'scores/bio-simlex--glove.parquet'
    """
    return f"scores/{part_name(dataset, model)}.parquet"


def groups_path(dataset: str) -> str:
    """Return the path of a set's groups within a run.

    >>> groups_path("bio-simlex")
    'groups/bio-simlex.parquet'
    """
    return f"groups/{part_name(dataset)}.parquet"


def scores_frame(pairs: PairSet, scores: Scores) -> pl.DataFrame:
    """Return a frame of the scores with the gold, and with the places of words, never the words.

    Of a model that can say it, also why a pair has no score.
    """
    places = {
        f"{what}_{side}": _lists(found)
        for what, sides in (("missing", scores.missing), ("subwords", scores.composed))
        for side, found in enumerate(sides or (), 1)
    }
    return pl.DataFrame(
        {
            "pair_id": pairs.frame["pair_id"],
            "gold": pairs.gold,
            **scores.values,
            "covered": scores.covered,
            **places,
            **({} if scores.failures is None else {FAILURE: pl.Series(scores.failures, dtype=pl.String)}),
        }
    )


def _lists(places: Sequence[Sequence[int]]) -> pl.Series:
    """Return a series of lists; each different one is converted once, since that is slow and few differ."""
    numbers: dict[tuple[int, ...], int] = {}
    codes = [numbers.setdefault(tuple(some), len(numbers)) for some in places]
    return pl.Series(list(numbers), dtype=pl.List(pl.UInt32)).gather(codes)


@dataclass(frozen=True)
class RunFolder(ResumableFolder):
    """The folder that a run is written to.

    Scores of a model on a set are kept from a run that was killed, or from the run being replaced.
    """

    WHAT: ClassVar[str] = "run"
    MAIN: ClassVar[str] = RESULTS
    PARTS: ClassVar[tuple[str, ...]] = ("scores/*.parquet", "groups/*.parquet")

    def stored(self, *, damaged: bool = False) -> Run | None:
        """Read the run in the folder, if there is one; with `damaged`, a broken run counts as none."""
        return self.read_whole(Run.load, damaged=damaged)

    def has_files_of(self, run: Run, groups: Mapping[str, pl.DataFrame]) -> bool:
        """Return whether the folder has the scores of its run and these groups, in readable files."""
        try:
            return all(
                read_parquet(self.folder / entry.scores).height == entry.n for entry in run.coverage
            ) and all(
                read_parquet(self.folder / groups_path(name)).equals(frame) for name, frame in groups.items()
            )
        except FileError:
            return False

    def find(self, model: str, dataset: str, key: str) -> pl.DataFrame | None:
        """Find scores computed before from the same inputs; damaged ones are ignored."""
        for place in self.places(scores_path(model, dataset), key):
            with suppress(FileError):
                return read_parquet(place)
        return None

    def adopt(self, model: str, dataset: str, key: str, frame: pl.DataFrame) -> None:
        """Keep scores that were found, unless they are already kept."""
        if not self.has(scores_path(model, dataset), key):
            self.keep_scores(model, dataset, key, frame)

    def keep_scores(self, model: str, dataset: str, key: str, frame: pl.DataFrame) -> None:
        """Write scores immediately, so that none are lost if the process is killed."""
        self.keep(scores_path(model, dataset), frame, key=key)

    def finish(self, run: Run, groups: Mapping[str, pl.DataFrame]) -> None:
        """Write the groups of pairs by set and the results, and give the folder its final name."""
        for name, frame in groups.items():
            self.keep(groups_path(name), frame)
        write_text(self.partial / RESULTS, run.to_json())
        scores = {entry.scores for entry in run.coverage}
        self._take_name({RESULTS, *scores, *(groups_path(name) for name in groups)})
        run.settle(self.folder)
