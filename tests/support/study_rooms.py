"""Small rooms for a study: text, training and NER that take no time, and count what they are asked to do."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import polars as pl

from medgauge.files.digests import sha256_of
from medgauge.files.folders import part_name
from medgauge.study.rooms.room_protocols import NerCorpus, NerTask, Rooms, StudiedText, TrainingTask
from medgauge.study.study_result import NerScore
from tests.vectors import WORDS, some_vectors, write_binary


class KilledError(Exception):
    """Stands for a process that is killed."""


@dataclass
class Asked:
    """What rooms were asked to do, in order; the process is killed at what is called `dies_at`."""

    done: list[str] = field(default_factory=list)
    dies_at: str = ""

    def note(self, what: str) -> None:
        if what == self.dies_at:
            raise KilledError(what)
        self.done.append(what)


@dataclass
class SmallText:
    """A corpus is a text file of words; one that ends in .txt has to be made first."""

    asked: Asked
    subjects: bool = True

    def open(self, path: Path) -> StudiedText:
        is_corpus = path.suffix == ".parquet"
        return StudiedText(path, sha256_of(path), is_corpus, 1000 if is_corpus else None, False)

    def make_corpus(self, source: Path, out: Path) -> None:
        self.asked.note("corpus")
        out.write_bytes(source.read_bytes())

    def count_words(self, corpus: Path, journals: Path | None, out: Path) -> None:
        self.asked.note("words with journals" if journals else "words")
        out.write_bytes(corpus.read_bytes())

    def words(self, path: Path) -> pl.DataFrame:
        assert path.is_file()
        named = [[{"subject": f"S{n}", "frequency": 1} for n in range(k % 7 + 1)] for k in range(30)]
        return pl.DataFrame(
            {
                "word": WORDS,
                "pos": ["NOUN"] * 30,
                "frequency": [(k + 1) ** 2 for k in range(30)],
                "subjects": named if self.subjects else [None] * 30,
            },
            schema_overrides={"subjects": pl.List(pl.Struct({"subject": pl.String, "frequency": pl.UInt64}))},
        )


@dataclass
class SmallTraining:
    """Vectors that depend on the architecture, the window and the seed alone."""

    asked: Asked

    def train(self, task: TrainingTask) -> None:
        self.asked.note(f"train {task.out.stem}")
        assert task.corpus.is_file()
        seed = task.seed + 100 * (task.window or 0) + len(task.architecture)
        task.out.parent.mkdir(exist_ok=True)
        write_binary(task.out, some_vectors(*WORDS, seed=seed))

    def speed(self, task: TrainingTask) -> float:
        self.asked.note(f"try {task.architecture} {task.window}")
        return 500.0


@dataclass
class SmallNer:
    """F that depends on the name of the model alone."""

    asked: Asked

    def corpora(self, folders: Mapping[str, Path]) -> Sequence[NerCorpus]:
        return [NerCorpus(name, path, sha256_of(path / "train.tsv"), 50) for name, path in folders.items()]

    def device(self, asked: str) -> str:
        return "cpu" if asked == "auto" else asked

    def recognise(self, task: NerTask) -> None:
        counts = task.out / "counts"
        counts.mkdir(parents=True, exist_ok=True)
        for model, source in task.models.items():
            path = counts / f"{part_name(task.corpus.name, model)}.json"
            digest = sha256_of(Path(source))
            if path.is_file() and json.loads(path.read_text("utf-8"))["digest"] == digest:
                continue
            self.asked.note(f"ner {model} on {task.corpus.name}")
            path.unlink(missing_ok=True)  # nothing is written in place
            path.write_text(json.dumps({"digest": digest, "seed": sum(map(ord, model))}), "utf-8")
        scores = [self._score(task, model).model_dump() for model in task.models]
        results = task.out / "results.json"
        results.unlink(missing_ok=True)
        results.write_text(json.dumps(scores), "utf-8")

    def _score(self, task: NerTask, model: str) -> NerScore:
        seed = sum(map(ord, model))
        trials = [70 + float(value) for value in np.random.default_rng(seed).random(task.options.trials)]
        return NerScore(
            model=model,
            corpus=task.corpus.name,
            f=sum(trials) / len(trials),
            low=72.5 - 10 * task.confidence,
            high=72.5 + 10 * task.confidence,
            deviation=float(np.std(trials, ddof=1)) if len(trials) > 1 else float("nan"),
            precision=71.0,
            recall=69.0,
            trials=trials,
        )

    def files(self, corpus: str, model: str, trials: int) -> Sequence[str]:
        assert trials
        return [f"counts/{part_name(corpus, model)}.json"]

    def scores(self, folder: Path) -> Sequence[NerScore]:
        stored = json.loads((folder / "results.json").read_text("utf-8"))
        return [NerScore.model_validate(one) for one in stored]

    def speed(self, task: NerTask, dim: int) -> float:
        self.asked.note(f"try ner {len(task.models)} of {dim}")
        return 100.0


def small_rooms(asked: Asked | None = None, *, subjects: bool = True) -> Rooms:
    """Return rooms that share a record of what they were asked."""
    asked = Asked() if asked is None else asked
    return Rooms(SmallText(asked, subjects), SmallTraining(asked), SmallNer(asked))
