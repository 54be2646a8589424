"""What a study has other parts of medgauge do: the one seam to text, training and NER, for tests to swap."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import polars as pl

from medgauge.models.loading import Device
from medgauge.ner.networks.network_settings import NetworkSettings
from medgauge.study.study_file import TrainingOptions
from medgauge.study.study_result import NerScore
from medgauge.train.architectures import Arch


@dataclass(frozen=True)
class StudiedText:
    """The text that vectors are trained on: a corpus of medgauge, or a file that one is made of.

    What is not known before it is read is None; `made` is where the corpus is that was made of it.
    """

    path: Path
    digest: str
    is_corpus: bool
    tokens: int | None = None
    parsed: bool | None = None
    made: Path | None = None


@dataclass(frozen=True)
class TrainingTask:
    """Vectors to train on a corpus, and the file for them."""

    corpus: Path
    architecture: Arch
    window: int | None
    options: TrainingOptions
    seed: int
    threads: int | None
    out: Path


@dataclass(frozen=True)
class NerCorpus:
    """A corpus of labelled sentences: its folder, its digest, and the words of its training part."""

    name: str
    path: Path
    digest: str
    words: int


@dataclass(frozen=True)
class NerTask:
    """Networks to train on a corpus, on the vectors of each model, and the folder for what they find.

    `models` are names with files or specs; `device` is where the networks are trained, and `confidence` is
    that of the intervals.
    """

    corpus: NerCorpus
    models: Mapping[str, str]
    options: NetworkSettings
    seed: int
    device: Device
    confidence: float
    out: Path


class TextRoom(Protocol):
    """Makes corpora, and counts their words."""

    def open(self, path: Path) -> StudiedText:
        """Look at a corpus, or at a file that one can be made of."""

    def make_corpus(self, source: Path, out: Path) -> None:
        """Make a corpus of a file of text."""

    def count_words(self, corpus: Path, journals: Path | None, out: Path) -> None:
        """Write the word table of a corpus, with subjects if there is a table of those of journals."""

    def words(self, path: Path) -> pl.DataFrame:
        """Read a word table: `word`, `pos`, `frequency` and `subjects` of each word and part of speech."""


class TrainingRoom(Protocol):
    """Trains vectors."""

    def train(self, task: TrainingTask) -> None:
        """Train vectors; a training that was killed goes on."""

    def speed(self, task: TrainingTask) -> float:
        """Train for a moment, and return how many words a second it takes."""


class NerRoom(Protocol):
    """Trains networks that find entities."""

    def corpora(self, folders: Mapping[str, Path]) -> Sequence[NerCorpus]:
        """Read corpora, given by name."""

    def device(self, asked: Device) -> Device:
        """Return where networks are trained if this was asked for."""

    def recognise(self, task: NerTask) -> None:
        """Train and score the networks of all models; what the folder has of earlier ones is reused."""

    def files(self, corpus: str, model: str, trials: int) -> Sequence[str]:
        """Return the patterns of the files in the folder that are those of one model."""

    def scores(self, folder: Path) -> Sequence[NerScore]:
        """Read the scores in the folder."""

    def speed(self, task: NerTask, dim: int) -> float:
        """Train such networks on vectors of a size for a moment; return how many words a second they take."""


@dataclass(frozen=True)
class Rooms:
    """The parts of medgauge that a study has do something."""

    text: TextRoom
    training: TrainingRoom
    ner: NerRoom
