"""What a folder of sets was built from, and digests by which two sites can compare their builds."""

import hashlib
import json
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self

import polars as pl
from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from medgauge.build.terminology.families import FAMILIES, STRATEGIES, FileForm
from medgauge.build.terminology.sets import set_names
from medgauge.errors import FileError
from medgauge.files import read_text
from medgauge.result import StoredResult
from medgauge.terminology.model import TerminologyForm

MANIFEST = "manifest.json"
RULES = 1
"""The version of the rules for making sets; another version makes other sets from the same inputs."""


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
    """What the sets depend on besides their source.

    A parameter added later needs a default that leaves existing sets unchanged.
    """

    families: list[str]
    negatives: list[str]
    split_distance: int
    seed: int
    language: str | None
    scopes: list[str] | None

    def of_a_set(self) -> dict[str, Any]:
        """Return what a single set depends on, which excludes the choice of other sets."""
        return self.model_dump(exclude={"families", "negatives"}, exclude_defaults=True)


class SetFacts(_Frozen):
    """A built set: its size, the mean Levenshtein distances of table 2, and its digest.

    `shortfall` is how many negatives could not be found; `multi_word` is the share of distinct terms with
    several words. A share or mean is None if there are no pairs.
    """

    positives: NonNegativeInt
    negatives: NonNegativeInt
    shortfall: int
    terms: int
    multi_word: float | None
    distance_positives: float | None
    distance_negatives: float | None
    digest: str

    @model_validator(mode="after")
    def _pairs_have_distances(self) -> Self:
        for name in ("positives", "negatives"):
            if getattr(self, name) and getattr(self, f"distance_{name}") is None:
                raise PydanticCustomError("distance", "the mean distance of its pairs is missing")
        return self


class Manifest(StoredResult, _Frozen):
    """Everything about a build that can be published without its terms."""

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
    """The share of distinct terms with several words, in each family and overall."""

    @model_validator(mode="after")
    def _sets_are_those_of_the_parameters(self) -> Self:
        families, negatives = self.parameters.families, self.parameters.negatives
        names = [part.set_name(strategy) for part, strategy in set_names(families, negatives)]
        is_known = set(families) <= set(FAMILIES) and set(negatives) <= set(STRATEGIES)
        has_shares = {"all", *families} <= set(self.multi_word)
        if not is_known or set(self.sets) != set(names) or not has_shares:
            raise PydanticCustomError("sets", "its sets are not those of its families and kinds of negatives")
        return self

    def to_json(self) -> str:
        """Return the manifest as JSON."""
        return json.dumps(self.model_dump(mode="json"), ensure_ascii=False, indent=2) + "\n"

    @classmethod
    def load(cls, path: str | Path) -> "Manifest":
        """Read a manifest file, or the manifest in a folder."""
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
            raise FileError(
                path, f"is not a manifest of medgauge build: {named}: {problem['msg']}"
            ) from error


def _check_rules(path: Path, text: str) -> None:
    """Raise an error for a manifest of another version before its unknown fields are."""
    try:
        rules = json.loads(text)["rules"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return  # validation says what is wrong
    if rules != RULES:
        raise FileError(
            path, f"was written under rules {rules}, but this medgauge knows {RULES}; use the same version"
        )


def set_digest(frame: pl.DataFrame) -> str:
    r"""Compute the SHA-256 of a set's lines `label TAB term_1 TAB term_2`, in code-point order.

    >>> frame = pl.DataFrame({"term_1": ["b", "a"], "term_2": ["c", "d"], "label": [1, 0]})
    >>> set_digest(frame) == hashlib.sha256(b"0\ta\td\n1\tb\tc\n").hexdigest()
    True
    """
    return lines_digest(frame.select("label", "term_1", "term_2"), in_order=True)


def lines_digest(frame: pl.DataFrame, *, in_order: bool = False) -> str:
    """Compute the SHA-256 of a frame's rows as lines, cells separated by tabs; sorted if `in_order`."""
    cells = [pl.col(name).cast(pl.String).fill_null("") for name in frame.columns]
    lines = frame.select(pl.concat_str(cells, separator="\t").alias("line"))["line"]
    text = "".join(f"{line}\n" for line in (lines.sort() if in_order else lines))
    return hashlib.sha256(text.encode()).hexdigest()


def versions_here() -> dict[str, str]:
    """Return the versions of the software that the sets depend on."""
    import platform
    import unicodedata
    from importlib.metadata import version

    packages: dict[str, Any] = {name: version(name) for name in ("numpy", "polars", "rapidfuzz")}
    return {"python": platform.python_version(), "unicode": unicodedata.unidata_version, **packages}
