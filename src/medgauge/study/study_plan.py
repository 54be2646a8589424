"""The steps of a study, in the order in which they are made."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from medgauge.estimate import CONFIDENCE
from medgauge.evaluation.run import PROTOCOL
from medgauge.files.folders import key_of, part_name
from medgauge.models.loading import Device
from medgauge.ner.recognition_result import PROTOCOL as NER_PROTOCOL
from medgauge.pairs import PairSet
from medgauge.progress import hearing
from medgauge.study.rooms.room_protocols import NerCorpus, NerTask, Rooms, TrainingTask
from medgauge.study.rooms.set_runs import MEASURE, evaluate_sets, evaluate_subsets
from medgauge.study.study_folder import RUNS, VECTORS
from medgauge.study.study_inputs import StudyInputs, after_reading
from medgauge.study.study_result import SplitBy, StudiedModel
from medgauge.study.study_step import Making, Step

CORPUS, WORDS = "corpus.parquet", "words.parquet"
SETS = f"{RUNS}/sets"
SPLITS: tuple[SplitBy, ...] = ("frequency", "subjects")


def vectors_path(model: str) -> str:
    """Return where in a study the vectors of a model that it trained are.

    >>> vectors_path("sg-w5")
    'vectors/sg-w5.bin'
    """
    return f"{VECTORS}/{part_name(model)}.bin"


def subsets_path(dataset: str, by: SplitBy) -> str:
    """Return where in a study the run with the subsets of a set is.

    >>> subsets_path("bio-simlex", "frequency")
    'runs/bio-simlex-by-frequency'
    """
    return f"{RUNS}/{part_name(f'{dataset}-by-{by}')}"


def ner_path(corpus: str) -> str:
    """Return where in a study what networks found in a corpus is.

    >>> ner_path("BC2GM")
    'runs/ner-BC2GM'
    """
    return f"{RUNS}/{part_name(f'ner-{corpus}')}"


@dataclass(frozen=True)
class StudyPlan:
    """Makes the steps of a study of its inputs.

    `threads` and `device` are for training and for NER; no result is meant to depend on threads. `confidence`
    is that of all intervals.
    """

    inputs: StudyInputs
    rooms: Rooms
    threads: int | None = None
    device: Device = "auto"
    confidence: float = CONFIDENCE

    def steps(self) -> list[Step]:
        """Return the steps; each comes after those that it needs."""
        return [*self._text(), *self._training(), self._evaluation(), *self._subsets(), *self._ner()]

    def after_reading(self, folder: Path) -> "StudyPlan":
        """Return the plan once a corpus is made of the text: what can be trained is known then."""
        return replace(self, inputs=after_reading(self.inputs, self.rooms.text.open(folder / CORPUS)))

    @property
    def reads_text(self) -> bool:
        """Whether the first step is to make a corpus, of which nothing is known yet."""
        text = self.inputs.text
        return text is not None and text.tokens is None and self.steps()[0].kind == "corpus"

    @property
    def notes(self) -> list[str]:
        """What is left out, and why."""
        inputs, found = self.inputs, list(self.inputs.notes)
        if inputs.study.subsets and not self.words_are_known:
            found.append("There are no subsets: neither a corpus nor a word table is given.")
        if not inputs.study.ner_corpora:
            found.append("There are no NER scores and no correlations: no NER corpus is given.")
        return found

    @property
    def unknown_times(self) -> list[str]:
        """What is not known about times, and why."""
        if not self.reads_text:
            return []
        return [
            "How long training takes is not known before 'medgauge corpus' has made a corpus of the text."
        ]

    @property
    def words_are_known(self) -> bool:
        """Whether there is a word table, or a corpus to count words in."""
        return self.inputs.words is not None or self.inputs.text is not None

    def words(self, folder: Path) -> Path:
        """Return where the word table is."""
        given = self.inputs.study.words
        return folder / WORDS if given is None else Path(given)

    def sources(self, folder: Path) -> dict[str, str]:
        """Return where the vectors of each model are."""
        trained = {one.name: str(folder / vectors_path(one.name)) for one in self.inputs.trained}
        return trained | {one.model.name: one.source for one in self.inputs.given}

    def _text(self) -> list[Step]:
        """Return the steps that make a corpus of a file of text, and count the words of a corpus."""
        text, study, steps = self.inputs.text, self.inputs.study, []
        counts = bool(study.subsets) and self.inputs.words is None
        if text is None or not (self.inputs.trained or counts):
            return []
        if not text.is_corpus:

            def make(_: Sequence[Step], folder: Path) -> None:
                self.rooms.text.make_corpus(text.path, folder / CORPUS)

            steps.append(Step("corpus", "corpus", make, {"source": text.digest}, (), (CORPUS,)))
        if counts:

            def count(_: Sequence[Step], folder: Path) -> None:
                journals = None if study.journals is None else Path(study.journals)
                self.rooms.text.count_words(self._corpus(folder), journals, folder / WORDS)

            inputs, needs = self._of_corpus()
            inputs |= {"journals": self.inputs.journals}
            work = float(text.tokens or 0)
            steps.append(Step("words", "words", count, inputs, needs, (WORDS,), pace="words", work=work))
        return steps

    def _corpus(self, folder: Path) -> Path:
        text = self.inputs.text
        assert text is not None
        return text.path if text.is_corpus else folder / CORPUS

    def _of_corpus(self) -> tuple[dict[str, Any], tuple[str, ...]]:
        """Return the inputs and needs of a step that reads the corpus."""
        text = self.inputs.text
        assert text is not None
        return ({"corpus": text.digest}, ()) if text.is_corpus else ({}, ("corpus",))

    def _training(self) -> list[Step]:
        return [self._trained(model) for model in self.inputs.trained]

    def _trained(self, model: StudiedModel) -> Step:
        text, study, room = self.inputs.text, self.inputs.study, self.rooms.training
        assert text is not None
        assert model.architecture is not None
        place = vectors_path(model.name)
        task = TrainingTask(
            corpus=text.made or text.path,
            architecture=model.architecture,
            window=model.window,
            options=study.training,
            seed=study.seed,
            threads=self.threads,
            out=Path(),
        )

        def make(_: Sequence[Step], folder: Path) -> None:
            room.train(replace(task, corpus=self._corpus(folder), out=folder / place))

        inputs, needs = self._of_corpus()
        inputs |= {
            "architecture": model.architecture,
            "window": model.window,
            "options": study.training.model_dump(mode="json"),
            "seed": study.seed,
        }
        options = study.training
        return Step(
            name=_training_of(model.name),
            kind="train",
            making=make,
            inputs=inputs,
            needs=needs,
            outputs=(f"{place}*",),
            pace=f"train {model.name} dim {options.dim} negative {options.negative} sample {options.sample}",
            work=float((text.tokens or 0) * options.epochs),
            measure=partial(room.speed, task) if text.is_corpus or text.made else None,
        )

    def _of_models(self) -> tuple[dict[str, Any], tuple[str, ...]]:
        """Return the inputs and needs of a step that reads all vectors, with their cards."""
        digests = [[one.model.name, one.digest, one.card] for one in self.inputs.given]
        return {"vectors": digests}, tuple(_training_of(one.name) for one in self.inputs.trained)

    def _evaluation(self) -> Step:
        sets = self.inputs.sets

        def make(_: Sequence[Step], folder: Path) -> None:
            evaluate_sets(self.sources(folder), sets, folder / SETS, confidence=self.confidence)

        inputs, needs = self._of_models()
        return self._scored("evaluate", make, inputs | self._of_sets(sets), needs, SETS)

    def _of_sets(self, sets: Mapping[str, PairSet]) -> dict[str, Any]:
        """Return the inputs of a step that scores sets."""
        cards = {name: key_of(card=pairs.card.model_dump(mode="json")) for name, pairs in sets.items()}
        digests = [[name, pairs.digest, cards[name]] for name, pairs in sets.items()]
        return {"sets": digests, "measure": MEASURE, "protocol": PROTOCOL, "confidence": self.confidence}

    def _subsets(self) -> list[Step]:
        if not self.words_are_known:
            return []
        return [self._split(name, by) for name in self.inputs.study.subsets for by in SPLITS]

    def _split(self, dataset: str, by: SplitBy) -> Step:
        pairs, part = self.inputs.sets[dataset], self.inputs.study.subsets[dataset]
        place = subsets_path(dataset, by)

        def make(_: Sequence[Step], folder: Path) -> None:
            words = self.rooms.text.words(self.words(folder))
            sources, out = self.sources(folder), folder / place
            evaluate_subsets(sources, pairs, by, part, words, out, confidence=self.confidence)

        inputs, needs = self._of_models()
        inputs |= self._of_sets({dataset: pairs}) | {"by": by, "part": part, "words": self.inputs.words}
        needs = needs if self.inputs.words is not None else (*needs, "words")
        return self._scored(f"subsets of {dataset} by {by}", make, inputs, needs, place)

    def _scored(
        self,
        name: str,
        make: Callable[[Sequence[Step], Path], None],
        inputs: Mapping[str, Any],
        needs: tuple[str, ...],
        place: str,
    ) -> Step:
        """Return a step that scores sets, which takes as long as reading all vectors."""
        work, pace = float(len(self.inputs.models)), "evaluate"
        outputs = (f"{place}/**/*",)
        return Step(name, "evaluate", make, inputs, needs, outputs, (place,), pace=pace, work=work)

    def _ner(self) -> list[Step]:
        """Return, for each corpus, the networks on each model's vectors, and the scores of all."""
        if not self.inputs.ner_corpora:
            return []
        device = self.rooms.ner.device(self.device)
        steps = []
        for corpus in self.inputs.ner_corpora:
            networks = [self._networks(corpus, model, device) for model in self.inputs.models]
            place, needs = ner_path(corpus.name), tuple(step.name for step in networks)
            name, outputs = f"ner scores on {corpus.name}", (f"{place}/*",)
            inputs = {"confidence": self.confidence}
            making = _silent(networks[0].making)  # which finds all networks trained
            steps += [
                *networks,
                Step(name, "ner", making, inputs, needs, outputs, (place,), pace="ner scores", work=1.0),
            ]
        return steps

    def _networks(self, corpus: NerCorpus, model: StudiedModel, device: Device) -> Step:
        study, room, place = self.inputs.study, self.rooms.ner, ner_path(corpus.name)
        digests = {one.model.name: one.digest for one in self.inputs.given}

        def task(folder: Path) -> NerTask:
            return NerTask(
                corpus,
                self.sources(folder),
                study.ner,
                study.seed,
                device,
                self.confidence,
                folder / place,
            )

        def make(_: Sequence[Step], folder: Path) -> None:
            room.recognise(task(folder))

        shape = study.ner.model_dump_json(include={"window", "hidden", "batch", "tune", "crf"})
        inputs = {
            "model": [model.name, digests.get(model.name)],
            "corpus": [corpus.name, corpus.digest],
            "options": study.ner.model_dump(mode="json", exclude={"seed"}),
            "seed": study.seed,
            "protocol": NER_PROTOCOL,
            "device": device,
        }
        return Step(
            name=f"ner {model.name} on {corpus.name}",
            kind="ner",
            making=make,
            inputs=inputs,
            needs=() if model.name in digests else (_training_of(model.name),),
            outputs=tuple(
                f"{place}/{pattern}" for pattern in room.files(corpus.name, model.name, study.ner.trials)
            ),
            reused=(place,),
            together=f"ner {corpus.name}",
            pace=f"ner {device} dim {study.training.dim} {shape}",
            work=float(corpus.words * study.ner.epochs * study.ner.trials),
            measure=partial(room.speed, task(Path()), study.training.dim),
        )


def _silent(making: Making) -> Making:
    """Return what makes a step without a remark."""

    def make(steps: Sequence[Step], folder: Path) -> None:
        with hearing(lambda _: None):
            making(steps, folder)

    return make


def _training_of(model: str) -> str:
    return f"train {model}"
