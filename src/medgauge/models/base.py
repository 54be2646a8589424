"""What a model is: a card, and one small method that returns vectors or scores."""

from collections.abc import Sequence
from typing import Annotated, Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from medgauge.arrays import Flags, Floats, Integers
from medgauge.errors import InputError
from medgauge.measures.declared import ModelFamily
from medgauge.models.lookup import Case, Tokenizer
from medgauge.pairs import KeyKind, Pairs

Rows = tuple[Floats, Flags]
"""A row for each key looked up, and which of the keys the model has."""


class ModelCard(BaseModel):
    """Describes a model and how terms are looked up in it; `keys` is what it looks up: terms or ids.

    `ids_first` says that a model of terms uses the ids of their concepts where a set has them.

    `trained_on` says in words what it was trained on, and `sources` has the names of what of that is known
    (`medgauge.origins`), such as "umls".
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    family: ModelFamily
    format: str = ""
    digest: str = ""
    dim: int | None = None
    tokenizer: Tokenizer | None = None
    case: Case | None = None
    keys: Annotated[KeyKind, Field(exclude_if=lambda kind: kind == "term")] = "term"
    ids_first: Annotated[bool, Field(exclude_if=lambda first: not first)] = False
    trained_on: str = "not known"
    sources: Annotated[tuple[str, ...], Field(exclude_if=lambda names: not names)] = ()
    licence: str = "not known"
    parameters: dict[str, Any] = {}


@runtime_checkable
class WordModel(Protocol):
    """A vector for each word."""

    @property
    def card(self) -> ModelCard:
        """The card that describes the model."""

    def vectors(self, tokens: Sequence[str]) -> Rows:
        """Return a row for each token (all distinct), and which tokens have one."""


@runtime_checkable
class TextModel(Protocol):
    """A vector for any text; sentence-transformers models qualify without a wrapper."""

    def encode(self, texts: list[str]) -> Any:
        """Return a row for each text."""


@runtime_checkable
class ContextModel(Protocol):
    """A vector for each word of a term, which depends on the term's other words."""

    @property
    def card(self) -> ModelCard:
        """The card that describes the model."""

    def encode_words(self, texts: list[str]) -> tuple[Floats, Integers]:
        """Return a row for each word of each text, and where the rows of each text begin, with the end.

        Words are those of `tokenize`; a row of NaN is a word without a vector.
        """


@runtime_checkable
class TableModel(Protocol):
    """A vector for each key (a term or a concept id) in the table."""

    @property
    def card(self) -> ModelCard:
        """The card that describes the model."""

    def lookup(self, keys: Sequence[str]) -> Rows:
        """Return a row for each key (all distinct), and which keys have one."""


@runtime_checkable
class PairScorer(Protocol):
    """A score for each pair, NaN where there is none."""

    @property
    def card(self) -> ModelCard:
        """The card that describes the model."""

    def score(self, pairs: Pairs) -> NDArray[np.float64]:
        """Return the scores of the pairs, in their order."""


@runtime_checkable
class ExplainedScorer(Protocol):
    """A PairScorer that says why a pair has no score."""

    def explained(self, pairs: Pairs) -> tuple[NDArray[np.float64], list[str | None]]:
        """Return the scores, and for each pair without one the kind of failure, which names no term."""


@runtime_checkable
class Digested(Protocol):
    """A model that can digest its content, in memory or behind an address."""

    def content_digest(self) -> str:
        """Return the digest of what the model is now."""


Model = WordModel | ContextModel | TextModel | TableModel | PairScorer

VectorModel = WordModel | ContextModel | TextModel | TableModel
"""A model whose vectors medgauge compares."""


def name_of(model: Model) -> str:
    """Return a model's name: that of its card, or else that of its type."""
    card = getattr(model, "card", None)
    return card.name if isinstance(card, ModelCard) else type(model).__name__


def plain_card(model: Model) -> ModelCard:
    """Return a model's card without digesting the content of a model in memory, which is slow."""
    card = getattr(model, "card", None)
    if isinstance(card, ModelCard):
        return card
    return ModelCard(name=name_of(model), family=family_of(model), format=type(model).__qualname__)


def card_of(model: Model, name: str | None = None) -> ModelCard:
    """Return a model's card, with another name if one is given; an object without a card gets one.

    The content of a model in memory is digested on every call, since it may have changed.
    """
    card = plain_card(model)
    if isinstance(model, Digested):
        card = card.model_copy(update={"digest": model.content_digest()})
    return card if name is None else card.model_copy(update={"name": name})


def key_kind(model: Model) -> KeyKind:
    """Return what a model looks up: terms, unless its card says otherwise."""
    card = getattr(model, "card", None)
    return card.keys if isinstance(card, ModelCard) else "term"


def family_of(model: Model) -> ModelFamily:
    """Return what a model provides: vectors of words, vectors of terms, or scores of pairs."""
    if isinstance(model, PairScorer):
        return "pairs"
    if isinstance(model, WordModel | ContextModel):
        return "words"
    if isinstance(model, TextModel | TableModel):
        return "vectors"
    raise InputError(
        f"a {type(model).__name__} is not a model: it has none of the methods vectors, encode, encode_words, "
        "lookup, score"
    )
