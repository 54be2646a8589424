"""The card beside a file of vectors that medgauge trained: VECTORS.card.json."""

from contextlib import suppress
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from medgauge.errors import FileError
from medgauge.files.digests import remembered_sha256
from medgauge.files.writing import write_text
from medgauge.stored import StoredName

_SUFFIX = ".card.json"
_LARGEST = 1 << 16  # bytes
_Short = Annotated[StoredName, Field(max_length=100)]


class VectorCard(BaseModel):
    """What vectors were trained on and with; `digest` is the SHA-256 of their file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    digest: _Short
    trained_on: Annotated[StoredName, Field(max_length=1000)]
    sources: Annotated[tuple[_Short, ...], Field(max_length=50)] = ()
    licence: _Short = "not known"
    parameters: Annotated[dict[_Short, bool | int | float | _Short], Field(max_length=50)] = {}


def card_path(vectors: Path) -> Path:
    """Return where the card of a file of vectors is.

    >>> card_path(Path("vectors.bin")).name
    'vectors.bin.card.json'
    """
    return vectors.with_name(f"{vectors.name}{_SUFFIX}")


def write_card(vectors: Path, card: VectorCard) -> None:
    """Write the card of a file of vectors."""
    write_text(card_path(vectors), card.model_dump_json(indent=2) + "\n")


def read_card(vectors: Path) -> VectorCard | None:
    """Read the card of a file of vectors; None if there is none, or none of this very file."""
    with suppress(OSError, FileError, ValueError):
        with card_path(vectors).open("rb") as stream:
            text = stream.read(_LARGEST)
        card = VectorCard.model_validate_json(text)
        if vectors.is_file() and card.digest == remembered_sha256(vectors):
            return card
    return None
