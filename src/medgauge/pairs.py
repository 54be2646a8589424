"""PairSet: pairs of terms with their gold scores or labels, and the card that says what they are."""

import hashlib
import json
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, ValidationError

from medgauge.errors import FileError, InputError
from medgauge.files import is_parquet, parquet_metadata, read_parquet, write_parquet, write_text

SetKind = Literal["similarity", "relatedness", "synonymy"]

CARD_KEY = "medgauge.card"
_SIGNED = "<!-- written by medgauge -->"


class Card(BaseModel):
    """What a set of pairs is, where it is from and under which terms it may be used.

    `scale` is the lowest and highest score that an annotator could give, or None where it is not known;
    `licence` says so itself when it is not known; `build` holds the parameters of a set made here.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    title: str
    kind: SetKind = "similarity"
    scale: tuple[float, float] | None = None
    description: str = ""
    source: str = ""
    licence: str = "not known"
    citation: str = ""
    build: dict[str, Any] = {}


@dataclass(frozen=True)
class PairSet:
    """A table of pairs with its card.

    The frame has `pair_id, term_1, term_2` (text), one of `gold` (float) and `label` (0 or 1), and
    optionally `id_1, id_2, cui_1, cui_2`, `rater_*` and any strata columns.

    >>> pairs = PairSet.of([("renal failure", "kidney failure", 4.0)], card=Card(name="x", title="X"))
    >>> len(pairs), pairs.labelled, pairs.terms
    (1, False, ['renal failure', 'kidney failure'])
    """

    frame: pl.DataFrame
    card: Card

    def __post_init__(self) -> None:
        columns = set(self.frame.columns)
        for needed in ("pair_id", "term_1", "term_2"):
            if needed not in columns:
                raise InputError(f"the set '{self.card.name}' has no column {needed}")
            if self.frame[needed].dtype != pl.String:
                raise InputError(f"the set '{self.card.name}' has a column {needed} that is no text")
            if self.frame[needed].null_count():
                raise InputError(f"the set '{self.card.name}' has a pair without {needed}")
        if len(columns & {"gold", "label"}) != 1:
            raise InputError(f"the set '{self.card.name}' needs one of the columns gold and label")
        if self.frame["pair_id"].is_duplicated().any():
            raise InputError(f"the set '{self.card.name}' has the same pair_id twice")
        if not self.frame[self.target].dtype.is_numeric():
            raise InputError(f"the set '{self.card.name}' has text in its column {self.target}")
        values = self.gold
        if not np.isfinite(values).all():
            raise InputError(f"the set '{self.card.name}' has a {self.target} that is no number")
        if self.labelled and not np.isin(values, (0, 1)).all():
            raise InputError(f"the set '{self.card.name}' has a label other than 0 and 1")

    @classmethod
    def of(cls, rows: list[tuple[str, str, float]], *, card: Card, labelled: bool = False) -> "PairSet":
        """Make a set of (term, term, gold or label) rows, numbered from 1."""
        frame = pl.DataFrame(
            [
                pl.Series("pair_id", [str(number) for number in range(1, len(rows) + 1)], pl.String),
                pl.Series("term_1", [row[0] for row in rows], pl.String),
                pl.Series("term_2", [row[1] for row in rows], pl.String),
                pl.Series("label" if labelled else "gold", [row[2] for row in rows], pl.Float64),
            ]
        )
        pairs = cls(frame, card)
        return cls(frame.with_columns(pl.col("label").cast(pl.Int8)), card) if labelled else pairs

    def __len__(self) -> int:
        return self.frame.height

    @property
    def labelled(self) -> bool:
        """Whether the pairs have 0/1 labels rather than graded gold scores."""
        return "label" in self.frame.columns

    @property
    def target(self) -> str:
        """The name of the column that scores are held against: label or gold."""
        return "label" if self.labelled else "gold"

    @property
    def gold(self) -> NDArray[np.float64]:
        """The gold scores, or the labels as 0.0 and 1.0."""
        return self.frame[self.target].cast(pl.Float64).to_numpy()

    @property
    def raters(self) -> list[str]:
        """The names of the columns of ratings."""
        numbers = [name for name, kind in self.frame.schema.items() if kind.is_numeric()]
        return [name for name in numbers if name.startswith("rater_")]

    @property
    def ratings(self) -> NDArray[np.float64]:
        """The ratings, pairs by raters, NaN where a rater did not rate."""
        if not self.raters:
            return np.empty((len(self), 0))
        return self.frame.select(pl.col(self.raters).cast(pl.Float64).fill_null(float("nan"))).to_numpy()

    @cached_property
    def terms(self) -> list[str]:
        """The different terms, in the order in which they first occur."""
        return list(dict.fromkeys(self.frame.select("term_1", "term_2").to_numpy().ravel()))

    @cached_property
    def digest(self) -> str:
        """SHA-256 over ids, terms and gold or labels, so that two equal sets have one digest."""
        state = hashlib.sha256(self.target.encode())
        rows = self.frame.select("pair_id", "term_1", "term_2", pl.col(self.target).cast(pl.Float64))
        for row in rows.iter_rows():
            state.update(json.dumps(row).encode())
        return state.hexdigest()

    def head(self, count: int) -> "PairSet":
        """Give the first pairs alone."""
        return PairSet(self.frame.head(min(count, len(self))), self.card)

    def multi_word_shares(self) -> tuple[float, float]:
        """Give the share of terms of several words: by occurrence, and of the different terms.

        Words are what white space parts, as in table 1 of Schulz and Juric (2020).

        >>> rows = [("heart", "heart attack", 1.0), ("heart", "angina pectoris", 2.0)]
        >>> PairSet.of(rows, card=Card(name="x", title="X")).multi_word_shares()
        (0.5, 0.6666666666666666)
        """
        occurrences = pl.concat([self.frame["term_1"], self.frame["term_2"]]).to_list()
        return multi_word_share(occurrences), multi_word_share(self.terms)

    def save(self, path: str | Path) -> None:
        """Write the set as Parquet with its card inside, and a README.md with YAML front matter beside.

        `datasets.load_dataset(folder)` reads the folder as it is. A README.md that medgauge did not write,
        or that is of another set that is still there, is left alone.
        """
        path = Path(path)
        write_parquet(path, self.frame, {CARD_KEY: self.card.model_dump_json()})
        readme = path.with_name("README.md")
        written = readme.read_text("utf-8", errors="replace") if readme.exists() else _SIGNED
        described = re.search(r"^  data_files: (.*)$", written, re.MULTILINE)
        other = path.with_name(json.loads(described[1])) if described else path
        if _SIGNED in written and (other == path or not other.exists()):
            write_text(readme, self._readme(path.name))

    @classmethod
    def load(cls, path: str | Path) -> "PairSet":
        """Read a set that `save` wrote."""
        card = read_card(path)
        if card is None:
            raise FileError(path, "has no medgauge card; read it with load_dataset instead")
        try:
            return cls(read_parquet(path), card)
        except InputError as error:
            raise FileError(path, str(error)) from error

    def _readme(self, file_name: str) -> str:
        card = self.card
        quoted = {key: json.dumps(text) for key, text in (("title", card.title), ("file", file_name))}
        scale = "not known" if card.scale is None else f"{card.scale[0]:g} to {card.scale[1]:g}"
        rows = [
            ("pairs", f"{len(self):,}"),
            ("kind", card.kind),
            ("scale", "0 or 1" if self.labelled else scale),
            ("licence", card.licence),
            ("source", card.source),
            ("citation", card.citation),
            ("digest of terms and gold", f"`{self.digest}`"),
            *_in_words("built with", card.build),
        ]
        table = "\n".join(f"| {key} | {_in_cell(value)} |" for key, value in rows if value)
        return (
            f"---\npretty_name: {quoted['title']}\nlicense: other\nlanguage:\n- en\n"
            f"configs:\n- config_name: default\n  data_files: {quoted['file']}\n---\n\n"
            f"# {card.title}\n\n{card.description}\n\n| | |\n|---|---|\n{table}\n\n{_SIGNED}\n"
        )


def has_card(path: str | Path) -> bool:
    """Say whether a file is a set that medgauge wrote: Parquet with the card of the set inside."""
    return is_parquet(path) and CARD_KEY in parquet_metadata(path)


def read_card(path: str | Path, key: str = CARD_KEY) -> Card | None:
    """Read the card that a Parquet file has under a key, None if it has none."""
    written = parquet_metadata(path).get(key)
    if written is None:
        return None
    try:
        return Card.model_validate_json(written)
    except ValidationError as error:
        problem = error.errors()[0]
        named = ".".join(map(str, problem["loc"]))
        raise FileError(path, f"its card is damaged: {named}: {problem['msg']}") from error


def multi_word_share(terms: Collection[str]) -> float:
    """Compute the share of terms that have several words, which white space parts; NaN of none.

    >>> multi_word_share(["heart", "heart attack"])
    0.5
    """
    return sum(len(term.split()) > 1 for term in terms) / len(terms) if terms else float("nan")


def terms_of(sets: Iterable[PairSet]) -> list[str]:
    """Give the different terms of several sets, in the order in which they first occur."""
    return list(dict.fromkeys(term for pairs in sets for term in pairs.terms))


def _in_words(name: str, value: Any) -> list[tuple[str, str]]:
    """Give what a set was built with as rows of a table, a row for each value of what has names inside."""
    if isinstance(value, dict):
        return [row for key, inner in value.items() for row in _in_words(f"{name} {key}", inner)]
    return [(name, ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value))]


def _in_cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
