"""The folder of a recognition: the counts of each trained network, kept at once, and the results."""

import json
from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from medgauge.errors import FileError
from medgauge.files.folders import ResumableFolder, part_name
from medgauge.files.parquet import parquet_metadata, read_parquet
from medgauge.files.writing import write_text
from medgauge.ner.labels.entity_scoring import COUNTS
from medgauge.ner.labels.tagged_corpus import TaggedCorpus
from medgauge.ner.networks.training_group import Trained
from medgauge.ner.recognition_result import RESULTS, EntityRecognition

TABLE = "f-scores.csv"
"""F of each model (rows) on each corpus (columns), as `correlate` and spreadsheets read it."""
_TRAINED = "medgauge.trained"


@dataclass(frozen=True)
class RecognitionFolder(ResumableFolder):
    """The folder that a recognition is written to.

    What each network found is kept from a run that was killed, or from the one being replaced.
    """

    WHAT: ClassVar[str] = "result of entity recognition"
    MAIN: ClassVar[str] = RESULTS
    PARTS: ClassVar[tuple[str, ...]] = (TABLE, "counts/*.parquet")

    def stored(self, *, damaged: bool = False) -> EntityRecognition | None:
        """Read the result in the folder, if there is one; with `damaged`, a broken one counts as none."""
        return self.read_whole(EntityRecognition.load, damaged=damaged)

    def find(self, path: str, key: str, corpus: TaggedCorpus) -> Trained | None:
        """Find what a network found that was trained before on the same; damaged files are ignored."""
        for place in self.places(path, key):
            with suppress(FileError, KeyError, ValueError):
                return _trained(read_parquet(place), parquet_metadata(place)[_TRAINED], corpus)
        return None

    def keep_trained(self, path: str, key: str, found: Trained, types: list[str]) -> None:
        """Write what a network found at once, so that none is lost if the process is killed."""
        if self.has(path, key):
            return
        about = {"devel": found.devel.tolist(), "epochs": found.epochs, "scored": found.scored}
        about |= {"loss": found.loss}
        self.keep(path, _counts_frame(found, types), {_TRAINED: json.dumps(about)}, key=key)

    def finish(self, result: EntityRecognition, parts: set[str]) -> None:
        """Write the results and their table, and give the folder its final name."""
        write_text(self.partial / TABLE, f_table(result).write_csv())
        write_text(self.partial / RESULTS, result.to_json())
        self._take_name({RESULTS, TABLE, *parts})


def counts_path(model: str, corpus: str, trial: int) -> str:
    """Return the path of what a network found within the folder.

    >>> counts_path("mine", "BC2GM", 0)
    'counts/BC2GM--mine--1.parquet'
    """
    return f"counts/{part_name(corpus, model, str(trial + 1))}.parquet"


def f_table(result: EntityRecognition) -> pl.DataFrame:
    """Return F in per cent, with a row for each model and a column for each corpus."""
    f_of = result.f_by_model()
    names = [card.name for card in result.models]
    columns = {used.name: [100 * f_of[name, used.name].f for name in names] for used in result.corpora}
    first = "" if "model" in columns else "model"  # a corpus may be called that
    return pl.DataFrame({first: names} | columns).fill_nan(None)


def _counts_frame(found: Trained, types: list[str]) -> pl.DataFrame:
    """Return a row for each sentence and type with an entity, right or found."""
    sentences, kinds = np.nonzero(found.test.any(axis=2))
    return pl.DataFrame(
        {
            "sentence": sentences.astype(np.uint32),
            "type": pl.Series(types, dtype=pl.String).gather(kinds),
            **{name: found.test[sentences, kinds, place] for place, name in enumerate(COUNTS)},
        }
    )


def _trained(frame: pl.DataFrame, about: str, corpus: TaggedCorpus) -> Trained:
    test = np.zeros((corpus.test.sentences, len(corpus.types), len(COUNTS)), np.int64)
    kinds = [corpus.types.index(name) for name in frame["type"]]
    test[frame["sentence"].to_numpy(), kinds] = frame.select(COUNTS).to_numpy()
    stored = json.loads(about)
    devel = np.array(stored["devel"], np.int64)
    return Trained(test, devel, stored["epochs"], stored["scored"], stored["loss"])
