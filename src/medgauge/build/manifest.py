"""What a folder of built sets was made of, and how two sites find that they built the same."""

import hashlib
import json
from pathlib import Path
from typing import Annotated, Any, ClassVar

import polars as pl
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from medgauge.build.terminology.families import FileForm
from medgauge.errors import FileError
from medgauge.files import read_text
from medgauge.result import StoredResult
from medgauge.terminology.model import TerminologyForm

MANIFEST = "manifest.json"
RULES = 1
"""The version of the rules by which sets are made; the same inputs give other sets under another one."""


_SetName = Annotated[str, Field(pattern="^[a-z]+(-[a-z]+)+$")]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Source(_Frozen):
    """What the sets were built from."""

    form: TerminologyForm
    title: str
    version: str
    files: dict[str, str]


class Parameters(_Frozen):
    """What the sets depend on beside their source.

    A parameter that is added later has a default, under which sets are what they were without it.
    """

    families: list[str]
    negatives: list[str]
    split_distance: int
    seed: int
    language: str | None
    scopes: list[str] | None

    def of_a_set(self) -> dict[str, Any]:
        """Return what a single set depends on: it is the same whichever others are built with it."""
        return self.model_dump(exclude={"families", "negatives"}, exclude_defaults=True)


class SetFacts(_Frozen):
    """A built set: its size, the mean Levenshtein distances of table 2, and the digest of it all.

    `shortfall` is how many negatives could not be found; `multi_word` is the share of different terms that
    have several words. A share or mean is None where there are no pairs.
    """

    positives: int
    negatives: int
    shortfall: int
    terms: int
    multi_word: float | None
    distance_positives: float | None
    distance_negatives: float | None
    digest: str


class Manifest(StoredResult, _Frozen):
    """All that can be said of a build without saying a term of it."""

    _kind: ClassVar[str] = "build"

    rules: int
    medgauge: str
    source: Source
    parameters: Parameters
    form: FileForm
    versions: dict[str, str]
    counts: dict[str, int]
    sets: Annotated[dict[_SetName, SetFacts], Field(min_length=1)]
    multi_word: dict[str, float | None]
    """The share of different terms that have several words, in each family and in all of them."""

    def to_json(self) -> str:
        """Write all of it."""
        return json.dumps(self.model_dump(mode="json"), ensure_ascii=False, indent=2) + "\n"

    @classmethod
    def load(cls, path: str | Path) -> "Manifest":
        """Read a manifest, or that of a folder."""
        path = Path(path)
        if path.is_dir():
            path = path / MANIFEST
        text = read_text(path)
        _check_rules(path, text)
        try:
            return cls.model_validate_json(text)
        except ValidationError as error:
            problem = error.errors()[0]
            named = ".".join(map(str, problem["loc"])) or "the file"
            raise FileError(path, f"is no manifest of medgauge build: {named}: {problem['msg']}") from error


def _check_rules(path: Path, text: str) -> None:
    """Say that a manifest is of another version before saying what in it is not known."""
    try:
        rules = json.loads(text)["rules"]
    except (ValueError, KeyError, TypeError):
        return
    if rules != RULES:
        raise FileError(
            path, f"was written under rules {rules}, and this medgauge knows {RULES}; use the same version"
        )


def set_digest(frame: pl.DataFrame) -> str:
    r"""Compute the SHA-256 of a set's lines `label TAB term_1 TAB term_2`, in code-point order.

    >>> frame = pl.DataFrame({"term_1": ["b", "a"], "term_2": ["c", "d"], "label": [1, 0]})
    >>> set_digest(frame) == hashlib.sha256(b"0\ta\td\n1\tb\tc\n").hexdigest()
    True
    """
    return lines_digest(frame.select("label", "term_1", "term_2"), in_order=True)


def lines_digest(frame: pl.DataFrame, *, in_order: bool = False) -> str:
    """Compute the SHA-256 of a frame's rows as lines, cells separated by tabs; as they stand, or sorted."""
    cells = [pl.col(name).cast(pl.String).fill_null("") for name in frame.columns]
    lines = frame.select(pl.concat_str(cells, separator="\t").alias("line"))["line"]
    text = "".join(f"{line}\n" for line in (lines.sort() if in_order else lines))
    return hashlib.sha256(text.encode()).hexdigest()


def versions_here() -> dict[str, str]:
    """Return the versions of what the sets depend on."""
    import platform
    import unicodedata
    from importlib.metadata import version

    packages: dict[str, Any] = {name: version(name) for name in ("numpy", "polars", "rapidfuzz")}
    return {"python": platform.python_version(), "unicode": unicodedata.unidata_version, **packages}
