"""What a folder of sets was built from, and digests by which two sites can compare their builds."""

import hashlib
import json
from itertools import product
from pathlib import Path
from typing import Annotated, Any, ClassVar

import polars as pl
from pydantic import BaseModel, ConfigDict, Field

from medgauge.build.terminology.families import DIFFICULTIES, FAMILIES, STRATEGIES, FileForm
from medgauge.errors import FileError
from medgauge.files.opening import read_text
from medgauge.result import StoredResult
from medgauge.stored import Count
from medgauge.terminology.model import TerminologyForm, origin_name

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

    @property
    def origin(self) -> str:
        """The name of the terminology: SNOMED CT, or the id of an ontology, which its title begins with.

        >>> Source(form="obo", title="hp (2025-01-16)", version="2025-01-16", files={}).origin
        'hp'
        """
        return origin_name(self.form, self.title)


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

    positives: Count
    negatives: Count
    shortfall: Count
    terms: Count
    multi_word: float | None
    distance_positives: float | None
    distance_negatives: float | None
    digest: str

    @property
    def lacks_a_distance(self) -> bool:
        """Whether there are pairs without their mean distance."""
        means = ((self.positives, self.distance_positives), (self.negatives, self.distance_negatives))
        return any(count and mean is None for count, mean in means)


class Manifest(StoredResult, _Frozen):
    """Everything about a build that can be published without its terms."""

    _kind: ClassVar[str] = "built.build"

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

    def to_json(self) -> str:
        """Return the manifest as JSON."""
        return json.dumps(self.model_dump(mode="json"), ensure_ascii=False, indent=2) + "\n"

    @classmethod
    def load(cls, path: str | Path) -> "Manifest":
        """Read a manifest file, or the manifest in a folder."""
        path = Path(path)
        if path.is_dir():
            path = path / MANIFEST
        _check_rules(path)
        return cls._read(path, "is not a manifest of medgauge build")

    def _flaw(self) -> str | None:
        families, negatives = self.parameters.families, self.parameters.negatives
        made = product(families, DIFFICULTIES, negatives)
        if not (set(families) <= set(FAMILIES) and set(negatives) <= set(STRATEGIES)):
            return "it names a family or a kind of negatives that there is not"
        if set(self.sets) != {"-".join(names) for names in made}:
            return "its sets are not those of its families and negatives; build them again"
        if not {"all", *families} <= self.multi_word.keys():
            return "the share of terms with several words is missing for a family; build them again"
        if any(one.lacks_a_distance for one in self.sets.values()):
            return "the mean distance of some pairs is missing; build them again"
        return None


def _check_rules(path: Path) -> None:
    """Raise an error for a manifest of another version before its unknown fields are."""
    try:
        rules = json.loads(read_text(path))["rules"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return
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
    cells = [pl.col(name).cast(pl.String).fill_null("") for name in ("label", "term_1", "term_2")]
    lines = frame.select(pl.concat_str(cells, separator="\t").alias("line"))["line"]
    text = "".join(f"{line}\n" for line in lines.sort())
    return hashlib.sha256(text.encode()).hexdigest()


def table_digest(frame: pl.DataFrame) -> str:
    """Return the SHA-256 of a table as TSV, by which two sites can compare theirs."""
    return hashlib.sha256(frame.write_csv(separator="\t").encode()).hexdigest()


def versions_here() -> dict[str, str]:
    """Return the versions of the software that the sets depend on."""
    import platform
    import unicodedata
    from importlib.metadata import version

    packages: dict[str, Any] = {name: version(name) for name in ("numpy", "polars", "rapidfuzz")}
    return {"python": platform.python_version(), "unicode": unicodedata.unidata_version, **packages}
