"""What a model is: a card, and one small method that returns vectors or scores."""

from collections.abc import Sequence
from typing import Annotated, Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from medgauge.arrays import Flags, Floats
from medgauge.errors import InputError
from medgauge.measures.declared import ModelFamily
from medgauge.models.lookup import Case, Tokenizer
from medgauge.pairs import KeyKind, Pairs

Rows = tuple[Floats, Flags]
"""A row for each key looked up, and which of the keys the model has."""


class ModelCard(BaseModel):
    """Describes a model and how terms are looked up in it; `keys` is what it looks up: terms or ids."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    family: ModelFamily
    format: str = ""
    digest: str = ""
    dim: int | None = None
    tokenizer: Tokenizer | None = None
    case: Case | None = None
    keys: Annotated[KeyKind, Field(exclude_if=lambda kind: kind == "term")] = "term"
    trained_on: str = "not known"
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
class _Digested(Protocol):
    """A model in memory that can digest its content."""

    def content_digest(self) -> str: ...


Model = WordModel | TextModel | TableModel | PairScorer


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
    if isinstance(model, _Digested):
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
    if isinstance(model, WordModel):
        return "words"
    if isinstance(model, TextModel | TableModel):
        return "vectors"
    raise InputError(
        f"a {type(model).__name__} is not a model: it has none of the methods vectors, encode, lookup, score"
    )
