"""The networks of a study, by medgauge.ner."""

import tempfile
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

import numpy as np

from medgauge.errors import MedgaugeWarning, MissingExtraError
from medgauge.files.writing import write_text
from medgauge.models.encoders.computation.devices import place_for
from medgauge.models.loading import Device
from medgauge.ner.entity_recognition import entity_recognition
from medgauge.ner.labels.tagged_corpus import TaggedPart, read_corpora
from medgauge.ner.recognition_folder import counts_path
from medgauge.ner.recognition_result import EntityRecognition
from medgauge.study.rooms.room_protocols import NerCorpus, NerTask
from medgauge.study.rooms.trial_speed import speed_of
from medgauge.study.study_result import NerScore

_SENTENCES = 200  # of a trial


@dataclass(frozen=True)
class NerNetworks:
    """Trains window networks on labelled sentences, those of all models side by side."""

    def corpora(self, folders: Mapping[str, Path]) -> Sequence[NerCorpus]:
        """Read corpora, given by name."""
        return [
            NerCorpus(one.name, folders[one.name], one.digest, len(one.train.words))
            for one in read_corpora(folders)
        ]

    def device(self, asked: Device) -> Device:
        """Return where networks are trained if this was asked for."""
        if find_spec("torch") is None:
            raise MissingExtraError("torch", extra="ner")
        return cast(Device, place_for(asked, "float32").device)

    def recognise(self, task: NerTask) -> None:
        """Train and score the networks of all models; those that the folder has are not trained again."""
        entity_recognition(
            dict(task.models),
            {task.corpus.name: task.corpus.path},
            out=task.out,
            device=task.device,
            confidence=task.confidence,
            replace=True,
            **_options(task),
        )

    def files(self, corpus: str, model: str, trials: int) -> Sequence[str]:
        """Return the files in the folder that are those of one model."""
        return [counts_path(model, corpus, trial) for trial in range(trials)]

    def scores(self, folder: Path) -> Sequence[NerScore]:
        """Read the scores in the folder."""
        found = EntityRecognition.load(folder)
        return [
            NerScore(
                model=one.model,
                corpus=one.corpus,
                f=100 * one.f,
                low=100 * one.low,
                high=100 * one.high,
                deviation=100 * one.deviation,
                precision=100 * one.precision,
                recall=100 * one.recall,
                trials=[100 * trial.f for trial in found.trials if (trial.model, trial.corpus) == key],
            )
            for key, one in found.f_by_model().items()
        ]

    def speed(self, task: NerTask, dim: int) -> float:
        """Train on random vectors; return how many words a second further passes take."""
        [corpus] = read_corpora({task.corpus.name: task.corpus.path})
        part = corpus.train.between(0, min(_SENTENCES, corpus.train.sentences))
        words = sorted(set(part.words))
        rng = np.random.default_rng(0)
        rows = rng.standard_normal((len(words), dim)).astype(np.float32)
        models = {name: dict(zip(words, rows, strict=True)) for name in task.models}
        networks = len(models) * task.options.trials
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            _write_part(folder, part, corpus.types)

            def train(passes: int) -> None:
                options = _options(task) | {"epochs": passes}
                # Its figures mean nothing, as is warned.
                with warnings.catch_warnings(action="ignore", category=MedgaugeWarning):
                    entity_recognition(models, {"trial": folder}, device=task.device, resamples=1, **options)

            return speed_of(train, len(part.words) * networks)


def _options(task: NerTask) -> dict[str, Any]:
    return task.options.model_dump() | {"seed": task.seed}


def _write_part(folder: Path, part: TaggedPart, types: Sequence[str]) -> None:
    """Write the same sentences as each part of a corpus."""
    labels = ["O", *(f"{prefix}-{kind}" for kind in types for prefix in "BIES")]
    lines = [f"{word}\t{labels[label]}\n" for word, label in zip(part.words, part.labels, strict=True)]
    for start in part.starts[-2:0:-1].tolist():
        lines.insert(start, "\n")
    for name in ("train", "devel", "test"):
        write_text(folder / f"{name}.tsv", "".join(lines))
