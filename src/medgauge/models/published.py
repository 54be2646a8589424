"""The word embeddings that papers compare: what they are and where to get them."""

import tomllib
from functools import cache
from importlib import resources
from typing import Literal

from pydantic import BaseModel, ConfigDict


class PublishedEmbedding(BaseModel):
    """A published embedding; unknown facts are None or say that they are not known."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    title: str
    year: int
    domain: Literal["biomedical", "general"]
    compared_in: str
    corpus: str
    words: int | None = None
    dim: int | None = None
    method: str
    window: str
    format: str
    url: str
    licence: str
    citation: str
    note: str = ""


@cache
def published_embeddings() -> dict[str, PublishedEmbedding]:
    """Return the published embeddings, by name.

    >>> published_embeddings()["aueb400"].dim
    400
    """
    text = (resources.files("medgauge.models") / "published.toml").read_text("utf-8")
    entries = tomllib.loads(text)["embedding"]
    return {entry["name"]: PublishedEmbedding.model_validate(entry) for entry in entries}
