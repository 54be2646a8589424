"""What a model is: a card, and one small method that says what it gives."""

from collections.abc import Sequence
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from medgauge.measures.declared import Family
from medgauge.pairs import PairSet

Tokenizer = Literal["words", "whitespace"]
Case = Literal["fallback", "lower", "keep"]


class ModelCard(BaseModel):
    """What a model is, and how terms are looked up in it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    family: Family
    format: str = ""
    digest: str = ""
    dim: int | None = None
    tokenizer: Tokenizer | None = None
    case: Case | None = None
    trained_on: str = "not known"
    licence: str = "not known"
    parameters: dict[str, Any] = {}


@runtime_checkable
class WordModel(Protocol):
    """A vector for each word."""

    @property
    def card(self) -> ModelCard:
        """What the model is."""

    def vectors(self, tokens: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Give a row for each (different) token, and which tokens have one."""


@runtime_checkable
class TextModel(Protocol):
    """A vector for any text; a sentence-transformers model is one as it is."""

    def encode(self, texts: list[str]) -> Any:
        """Give a row for each text."""


@runtime_checkable
class TableModel(Protocol):
    """A vector for each key (a term or the id of a concept) that the table has."""

    @property
    def card(self) -> ModelCard:
        """What the model is."""

    def lookup(self, keys: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Give a row for each (different) key, and which keys have one."""


@runtime_checkable
class PairScorer(Protocol):
    """A score for each pair; NaN where it has none."""

    @property
    def card(self) -> ModelCard:
        """What the model is."""

    def score(self, pairs: PairSet) -> NDArray[np.float64]:
        """Score the pairs in their order."""


Model = WordModel | TextModel | TableModel | PairScorer


def family_of(model: Model) -> Family:
    """Say what a model gives: vectors of words, vectors of terms, or scores of pairs."""
    if isinstance(model, PairScorer):
        return "pairs"
    return "words" if isinstance(model, WordModel) else "vectors"
