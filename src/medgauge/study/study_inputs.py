"""The inputs of a study, found, read and checked before anything is trained."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from medgauge.errors import InputError, UnknownNameError, option, quoted
from medgauge.evaluation.inputs import named_models, named_sets
from medgauge.files.digests import remembered_sha256
from medgauge.files.file_names import clean_name
from medgauge.files.folders import key_of
from medgauge.files.opening import require_file
from medgauge.models.base import card_of, family_of
from medgauge.models.load import check_names, check_source
from medgauge.models.spec import split_label
from medgauge.pairs import PairSet
from medgauge.study.rooms.room_protocols import NerCorpus, Rooms, StudiedText
from medgauge.study.study_file import StudyFile
from medgauge.study.study_result import StudiedModel, VectorDomain
from medgauge.train.architectures import Arch

_NEEDS_PARSE: tuple[Arch, ...] = ("dependency",)


@dataclass(frozen=True)
class GivenVectors:
    """Vectors that exist already: a file or the spec of a model, its digest, and the digest of its card."""

    model: StudiedModel
    source: str
    digest: str
    card: str


@dataclass(frozen=True)
class StudyInputs:
    """Everything that a study starts from; `trained` are models to train, `notes` say what is left out.

    `words` and `journals` are digests of a word table and a table of journals that were given.
    """

    study: StudyFile
    text: StudiedText | None
    trained: list[StudiedModel]
    given: list[GivenVectors]
    sets: dict[str, PairSet]
    ner_corpora: list[NerCorpus]
    words: str | None
    journals: str | None
    notes: list[str]

    @property
    def models(self) -> list[StudiedModel]:
        """All models: those of the corpus, then those that were given, general ones last."""
        given = [one.model for one in self.given]
        return [*self.trained, *given]


def read_inputs(study: StudyFile, rooms: Rooms) -> StudyInputs:
    """Find, read and check the inputs of a study; what is wrong with them is said before any work."""
    text = None if study.corpus is None else rooms.text.open(Path(study.corpus))
    trained, notes = _to_train(study, text)
    given = _given(study.vectors, "biomedical") + _given(study.general_vectors, "general")
    models = [*trained, *(one.model for one in given)]
    if not models:
        raise InputError(_no_models(study))
    check_names([one.name for one in models])
    sets = _sets(study.sets)
    for name in study.subsets:
        if name not in sets:
            raise UnknownNameError("set of the study called", name, sets, place="subsets")
    words = _digest(study.words)
    if study.words is not None:
        rooms.text.words(Path(study.words))  # an error now, not after all training
    return StudyInputs(
        study=study,
        text=text,
        trained=trained,
        given=given,
        sets=sets,
        ner_corpora=list(rooms.ner.corpora(_folders(study.ner_corpora))) if study.ner_corpora else [],
        words=words,
        journals=_digest(study.journals),
        notes=notes,
    )


def after_reading(inputs: StudyInputs, corpus: StudiedText) -> StudyInputs:
    """Return the inputs with what is known once a corpus is made of the text."""
    assert inputs.text is not None
    text = replace(inputs.text, tokens=corpus.tokens, parsed=corpus.parsed, made=corpus.path)
    trained, notes = _to_train(inputs.study, text)
    return replace(inputs, text=text, trained=trained, notes=notes)


def _digest(path: str | None) -> str | None:
    return None if path is None else remembered_sha256(require_file(path))


def _to_train(study: StudyFile, text: StudiedText | None) -> tuple[list[StudiedModel], list[str]]:
    """Return the models to train, and notes on those that the corpus does not allow."""
    if text is None:
        return [], []
    if not study.trained:
        return [], ["Nothing is trained: the study names no architectures and no windows."]
    models, notes = [], []
    for architecture, window in study.trained:
        if architecture in _NEEDS_PARSE and text.parsed is False:
            notes.append(f"{architecture} is left out, as the corpus has no parse.")
            continue
        name = architecture if window is None else f"{architecture}-w{window}"
        models.append(StudiedModel(name=name, architecture=architecture, window=window))
    if not models:
        raise InputError(f"{text.path} has no parse, and no architecture of the study does without")
    return models, notes


def _no_models(study: StudyFile) -> str:
    corpus, vectors = option("corpus", "FILE"), option("vectors", "FILE")
    if study.trained:
        return f"the study trains vectors; name a corpus with {corpus}, or vectors that exist with {vectors}"
    return f"the study has no vectors; name them with {vectors} or {option('general_vectors', 'FILE')}"


def _given(sources: Sequence[str], domain: VectorDomain) -> list[GivenVectors]:
    for one in sources:
        check_source(split_label(one)[1])
    found = []
    for one in sources:
        label, place = split_label(one)
        [(name, model)] = named_models([place] if label is None else {label: place}, 0).items()
        if family_of(model) != "words":
            raise InputError(f"{quoted(place)} has no vectors of words, which a study needs")
        card = card_of(model)
        if not card.digest:
            raise InputError(f"{quoted(place)} has no digest by which to keep its figures; give a file")
        studied = StudiedModel(name=name, domain=domain)
        found.append(GivenVectors(studied, place, card.digest, key_of(card=card.model_dump(mode="json"))))
    return found


def _sets(sources: Sequence[str]) -> dict[str, PairSet]:
    sets: dict[str, PairSet] = {}
    for one in sources:
        label, place = split_label(one)
        for name, pairs in named_sets([place] if label is None else {label: place}).items():
            if name in sets:
                raise InputError(f"two sets are called {quoted(name)}; rename one of them (NAME=FILE)")
            sets[name] = pairs
    return sets


def _folders(sources: Sequence[str]) -> Mapping[str, Path]:
    """Return the folders of corpora by name: the given one, or that of the folder."""
    named: dict[str, Path] = {}
    for one in sources:
        label, place = split_label(one)
        name = label or clean_name(Path(place).resolve().name)
        if name in named:
            raise InputError(f"two NER corpora are called {quoted(name)}; rename one of them (NAME=FOLDER)")
        named[name] = Path(place)
    return named
