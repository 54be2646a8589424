"""What a model was trained on and its licence, as far as its card or its name says."""

import re
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter

from medgauge.errors import FileError
from medgauge.files.file_names import clean_name
from medgauge.files.front_matter import listed_under, split_front_matter
from medgauge.files.parquet import is_parquet, parquet_metadata
from medgauge.models.base import ModelCard
from medgauge.models.vector_cards import read_card
from medgauge.origins import named_in, origin

NOT_KNOWN = "not known"
EMBEDDED_CARD = "medgauge.model"
"""The key of the model's card in the metadata of a Parquet file of vectors that medgauge wrote."""
_CARD = "README.md"
_LARGEST = 1 << 20  # bytes of a card that are read
_LONGEST = 100  # characters of a name or licence from a card
_LONGEST_TEXT = 1000  # characters of what an embedded card says
_MOST = 5  # datasets that are named
_MOST_SOURCES = 50  # of an embedded card

_TRAINED = re.compile(
    r"\b(?:pre-?|further |continually |self-)?(?:trained|training)\b|\bfine-?tun(?:ed|ing)\b|\bdistilled\b",
    re.IGNORECASE,
)
_OTHERWISE = re.compile(
    r"\b(?:not|without|unlike|instead|rather|should|can|could|may|might|"
    r"compar\w+|outperform\w*|evaluat\w+|benchmark\w*|test(?:ed|ing)?)\b",
    re.IGNORECASE,
)
"""Words of sentences that name something else than what the model was trained on."""
_CODE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
_ADDRESS = re.compile(r"\]\([^)\s]*\)|https?://\S+|<[^>\n]{1,200}>")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n\s*\n|\n(?=\s*(?:[-*#|]|\d+\.))")


class KnownModel(BaseModel):
    """A well-known model: how its name is recognised, what it was trained on, and who says so."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    pattern: str
    trained_on: str
    sources: tuple[str, ...]
    citation: str


@dataclass(frozen=True)
class Training:
    """What a model was trained on, in words and as names of origins that were recognised; its licence.

    `parameters` are those of the training, for vectors that medgauge trained.
    """

    trained_on: str = NOT_KNOWN
    sources: tuple[str, ...] = ()
    licence: str = NOT_KNOWN
    parameters: dict[str, Any] = field(default_factory=dict)

    def on(self, card: ModelCard) -> ModelCard:
        """Return a model's card with what is said here.

        >>> Training("synonyms of UMLS", ("umls",)).on(ModelCard(name="x", family="vectors")).sources
        ('umls',)
        """
        said = {"trained_on": self.trained_on, "sources": self.sources, "licence": self.licence}
        parameters = {**self.parameters, **card.parameters}
        return card.model_copy(update={**said, "parameters": parameters})


@cache
def known_models() -> tuple[KnownModel, ...]:
    """Return the well-known models.

    >>> known_models()[0].name, known_models()[0].sources
    ('SapBERT', ('umls',))
    """
    text = (resources.files("medgauge.models") / "known_models.toml").read_text("utf-8")
    return tuple(KnownModel.model_validate(entry) for entry in tomllib.loads(text)["model"])


def training_of(folder: Path, name: str) -> Training:
    """Return what the model in a folder, or in a file, was trained on.

    The card is the README.md of a folder. Its front matter names datasets, a base model and the licence; in
    its text, sentences count that say what the model was trained on. The name of the model, the names of its
    folders and its base model are looked up among the well-known models. Nothing is concluded from a tag,
    which names a topic, except from `dataset:NAME`; what nobody says is not known. A Parquet file of vectors
    that medgauge wrote has the card of the model that made them, and a file of vectors that it trained has
    one beside it; one that cannot be read says nothing.

    >>> training_of(Path("models/SapBERT"), "mine").trained_on
    'synonyms of UMLS (SapBERT)'
    """
    keys, body = split_front_matter(_card_text(folder))
    datasets = [*keys.get("datasets", []), *listed_under("datasets", body)]
    datasets += [tag.removeprefix("dataset:") for tag in keys.get("tags", []) if tag.startswith("dataset:")]
    bases = keys.get("base_model", [])
    names = [name, *_names_of(folder)]
    embedded = _embedded(folder)
    known = list(dict.fromkeys(one for given in [*names, *bases, *datasets] for one in _known(given)))
    sentences = "\n".join(_on_training(body))
    said = [] if embedded.trained_on == NOT_KNOWN else [embedded.trained_on]
    said += [f"{one.trained_on} ({one.name})" for one in known]
    if datasets:
        said.append(f"datasets: {_listed(datasets)}")
    if in_text := named_in(sentences):
        said.append(f"named in its card: {', '.join(origin(one).title for one in in_text)}")
    if bases and said:
        said.append(f"starting from {_listed(bases)}")
    sources = [*embedded.sources, *(source for one in known for source in one.sources)]
    sources += [*named_in("\n".join(datasets)), *in_text]
    licence = embedded.licence if embedded.licence != NOT_KNOWN else _licence(keys)
    trained_on = "; ".join(dict.fromkeys(said)) or NOT_KNOWN
    return Training(trained_on, tuple(dict.fromkeys(sources)), licence, embedded.parameters)


def _embedded(path: Path) -> Training:
    """Return what the card in or beside a file says, shortened; nothing if there is none that can be read."""
    if card := read_card(path):
        return _shortened(Training(card.trained_on, card.sources, card.licence), card.parameters)
    with suppress(OSError, FileError, ValueError):
        if path.is_file() and is_parquet(path) and (text := parquet_metadata(path).get(EMBEDDED_CARD)):
            return _shortened(TypeAdapter(Training).validate_json(text[:_LARGEST]), {})
    return Training()


def _shortened(said: Training, parameters: dict[str, Any]) -> Training:
    return Training(
        clean_name(said.trained_on[:_LONGEST_TEXT]) or NOT_KNOWN,
        tuple(clean_name(one[:_LONGEST]) for one in said.sources[:_MOST_SOURCES]),
        clean_name(said.licence[:_LONGEST]) or NOT_KNOWN,
        parameters,
    )


def _card_text(folder: Path) -> str:
    """Read a model's card, empty if there is none."""
    with suppress(OSError), (folder / _CARD).open("rb") as stream:
        return stream.read(_LARGEST).decode("utf-8", "replace")
    return ""


def _names_of(folder: Path) -> Iterator[str]:
    """Yield the names that a folder's path has for a model, such as models--org--name of the hub's cache."""
    yield folder.name
    for part in folder.parts:
        if part.startswith("models--"):
            yield part.removeprefix("models--").replace("--", "/")


def _known(name: str) -> Iterator[KnownModel]:
    return (one for one in known_models() if re.search(one.pattern, name.lower()))


def _on_training(body: str) -> Iterator[str]:
    """Yield what sentences of a card say behind a word for training."""
    plain = _ADDRESS.sub(" ", _CODE.sub(" ", body))
    for sentence in _SENTENCE.split(plain):
        found = _TRAINED.search(sentence)
        if found and not _OTHERWISE.search(sentence):
            yield sentence[found.end() :]


def _licence(keys: dict[str, list[str]]) -> str:
    """Return the licence that the front matter names; for "other", the name it has for that."""
    given = keys.get("license", [])
    if [one.lower() for one in given] == ["other"]:
        given = keys.get("license_name", []) or given
    return _listed(given) or NOT_KNOWN


def _listed(names: Iterable[str]) -> str:
    """List names from a card, shortened and without what must not be printed."""
    different = list(dict.fromkeys(names))
    more = [f"{len(different) - _MOST} more"] if len(different) > _MOST else []
    return ", ".join([clean_name(one)[:_LONGEST] for one in different[:_MOST]] + more)
