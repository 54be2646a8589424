"""What a study is about, as a TOML file says it; those in the folder studies/ are shipped."""

import os
from collections.abc import Iterator, Sequence
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from medgauge.errors import InputError, has_controls, quoted
from medgauge.files.file_names import plain_name
from medgauge.models.spec import parse_spec, split_label
from medgauge.ner.networks.network_settings import NetworkSettings, network_settings
from medgauge.toml_models import MisfitError, Text, checked_fields, parse_toml, shipped_or_file
from medgauge.train.architectures import ARCHITECTURES, Arch
from medgauge.train.training_parameters import TrainingParameters

NAMES = ("windows", "architectures", "general")
"""The studies that are shipped."""

_SHIPPED = resources.files("medgauge") / "study" / "studies"
_DEFAULT = TrainingParameters()

CountedPart = Literal["noun", "verb", "any"]
"""The part of speech of which the occurrences of a word count."""

Several = str | Path | Sequence[str | Path]
"""One path or name, or several."""

Whole = Annotated[int, Field(strict=True, ge=0)]
Seed = Annotated[int, Field(strict=True, ge=0, lt=2**32)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class TrainingOptions(_Part):
    """How vectors are trained, whatever their architecture and window."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    dim: int = _DEFAULT.dim
    negative: int = _DEFAULT.negative
    sample: float = _DEFAULT.sample
    lr: float = _DEFAULT.lr
    min_count: int = _DEFAULT.min_count
    epochs: int = _DEFAULT.epochs

    def parameters(self, arch: Arch, window: int | None, seed: int) -> TrainingParameters:
        """Return what a model of an architecture is trained with; out of range they are an InputError."""
        given = _DEFAULT.window if window is None else window
        return TrainingParameters(arch=arch, window=given, seed=seed, **self.model_dump())


class StudyFile(_Part):
    """What a study is about.

    Vectors are trained on `corpus` for each of the `architectures` with each of the `windows`; `vectors` name
    files that exist, and `general_vectors` those of general English, which have tables of their own. `words`
    is the word table of the corpus, which is made if it is not given; `journals` is a table of the subjects
    of journals, for that. `subsets` names the sets that are split
    by how frequent words are and by how many subjects they have, with the part of speech that counts. Paths
    are relative to the folder of the file.
    """

    title: Text
    corpus: Text | None = None
    words: Text | None = None
    journals: Text | None = None
    architectures: tuple[Arch, ...] = ()
    windows: tuple[Whole, ...] = ()
    vectors: tuple[Text, ...] = ()
    general_vectors: tuple[Text, ...] = ()
    sets: Annotated[tuple[Text, ...], Field(min_length=1)]
    subsets: dict[Text, CountedPart] = {}
    ner_corpora: tuple[Text, ...] = ()
    seed: Whole = _DEFAULT.seed
    training: TrainingOptions = TrainingOptions()
    ner: NetworkSettings = NetworkSettings()

    @property
    def trained(self) -> list[tuple[Arch, int | None]]:
        """The architectures and windows to train, each once.

        >>> StudyFile(title="x", sets=("a",), architectures=("sg", "dependency"), windows=(2, 5)).trained
        [('sg', 2), ('sg', 5), ('dependency', None)]
        """
        if not self.architectures and not self.windows:
            return []
        return [
            (architecture, window)
            for architecture in self.architectures or ("sg",)
            for window in (
                self.windows or (_DEFAULT.window,) if ARCHITECTURES[architecture].has_window else (None,)
            )
        ]

    @model_validator(mode="after")
    def _holds_together(self) -> Self:
        for place, problem in self._problems():
            raise MisfitError(place, problem)
        return self

    def _problems(self) -> Iterator[tuple[str, str]]:
        for name in ("architectures", "windows", "vectors", "general_vectors", "sets", "ner_corpora"):
            values: Sequence[object] = getattr(self, name)
            for place, value in enumerate(values):
                if value in values[:place]:
                    yield f"{name}[{place + 1}]", f"{quoted(value)} is already in the list"
        if has_controls(self.title):
            yield "title", "has a line break or another control character"
        if "seed" in self.ner.model_fields_set:
            yield "ner.seed", "the seed of a study is at its top, for everything; leave this one out"
        try:
            network_settings(**self.ner.model_dump())
        except InputError as error:
            yield "ner", str(error)
        for architecture, window in self.trained:
            try:
                self.training.parameters(architecture, window, self.seed)
            except InputError as error:
                yield "training" if window is None else f"training (window {window})", str(error)


def load_study(source: str | Path) -> StudyFile:
    """Load a shipped study by its name (windows, architectures, general), or one from a TOML file.

    >>> load_study("windows").windows
    (1, 2, 4, 5, 8, 16, 20, 25, 30)
    """
    return parse_study(study_text(source), source)


def study_text(source: str | Path) -> str:
    """Return the TOML text of a shipped study or of a file."""
    return shipped_or_file(source, _SHIPPED, NAMES, what="study")


def parse_study(text: str, path: str | Path) -> StudyFile:
    """Parse a study from TOML; errors name the path and the field, with list entries counted from 1.

    A file makes the paths in it relative to its folder.
    """
    study = parse_toml(StudyFile, text, path, what="a study")
    if isinstance(path, str) and path in NAMES:
        return study
    folder = Path(path).parent
    single = {
        name: str(folder / value)
        for name in ("corpus", "words", "journals")
        if (value := getattr(study, name))
    }
    several = {
        name: tuple(_beside(folder, one, may_be_name=name != "ner_corpora") for one in getattr(study, name))
        for name in ("vectors", "general_vectors", "sets", "ner_corpora")
    }
    return study.model_copy(update=single | several)


def changed_study(
    source: str | Path,
    *,
    corpus: str | Path | None = None,
    words: str | Path | None = None,
    journals: str | Path | None = None,
    vectors: Several = (),
    general_vectors: Several = (),
    ner_corpora: Several = (),
    sets: Several = (),
    architectures: str | Sequence[str] = (),
    windows: int | Sequence[int] = (),
    seed: int | None = None,
) -> StudyFile:
    """Load a study, and put what is given in place of what its file says.

    Of the subsets, those of sets that are no longer in the study are dropped.

    >>> changed_study("windows", windows=[1, 30], sets=["bio-simlex"]).subsets
    {'bio-simlex': 'noun'}
    """
    study = load_study(source)
    single = {"corpus": corpus, "words": words, "journals": journals, "seed": seed}
    several: dict[str, Any] = {
        "vectors": vectors,
        "general_vectors": general_vectors,
        "ner_corpora": ner_corpora,
        "sets": sets,
        "architectures": architectures,
        "windows": windows,
    }
    given: dict[str, Any] = {
        name: value if name == "seed" else str(value) for name, value in single.items() if value is not None
    }
    for name, values in several.items():
        listed = [values] if isinstance(values, str | Path | int) else list(values)
        if listed:
            given[name] = [one if name == "windows" else str(one) for one in listed]
    if "sets" in given:
        names = {label or plain_name(Path(place)) for label, place in map(split_label, given["sets"])}
        given["subsets"] = {name: part for name, part in study.subsets.items() if name in names}
    return checked_fields(StudyFile, study.model_dump(exclude_unset=True) | given, source, what="a study")


def _beside(folder: Path, source: str, *, may_be_name: bool) -> str:
    """Return a source as a path from here, unless it may be a name: there is no such file, and no ending."""
    label, place = split_label(source)
    is_there = os.path.exists(folder / place)  # noqa: PTH110 - never raises
    if may_be_name and not is_there and (Path(place).suffix == "" or parse_spec(place) is not None):
        return source
    return f"{label}={folder / place}" if label else str(folder / place)
