"""Cards in the metadata of Parquet files, read without trusting them."""

from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from medgauge.errors import FileError
from medgauge.files.intact import is_as_written
from medgauge.files.opening import require_file
from medgauge.files.parquet import is_parquet, parquet_metadata

AnyCard = TypeVar("AnyCard", bound=BaseModel)


def read_stored_card(path: str | Path, key: str, kind: type[AnyCard], *, what: str, advice: str) -> AnyCard:
    """Read the card under a key; a file without one is not `what` it should be.

    A file that another program has written since is refused too. `advice` says what to do.
    """
    path = require_file(path)
    written = parquet_metadata(path).get(key) if is_parquet(path) else None
    if written is None:
        raise FileError(path, f"is not {what}; {advice}")
    if not is_as_written(path.absolute()):
        raise FileError(path, f"is not {what} as medgauge wrote it; {advice}")
    try:
        return kind.model_validate_json(written)
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(map(str, problem["loc"])) or "the card"
        raise FileError(path, f"its card is damaged ({place}: {problem['msg']}); {advice}") from None


def check_replaceable(path: Path, key: str, *, what: str) -> None:
    """Refuse to overwrite a file, unless it is empty or is `what`: Parquet with a card under this key."""
    if not path.is_file() or path.stat().st_size == 0:
        return
    if not is_parquet(path) or key not in parquet_metadata(path):
        raise FileError(path, f"already exists, and is not {what}; choose another place")
