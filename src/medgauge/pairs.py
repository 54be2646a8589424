"""Pairs of terms, with or without gold scores, and the card that says what they are."""

import hashlib
import json
import re
import warnings
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, Self, get_args

import numpy as np
import polars as pl
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from medgauge.arrays import Doubles
from medgauge.errors import FileError, InputError, MedgaugeWarning, UnknownNameError, has_controls, quoted
from medgauge.files.opening import read_text
from medgauge.files.parquet import is_parquet, parquet_metadata, read_parquet, write_parquet
from medgauge.files.writing import writing
from medgauge.origins import origin
from medgauge.term_length import problem_of_length

SetKind = Literal["similarity", "relatedness", "synonymy"]
KeyKind = Literal["term", "id", "cui"]
"""What a model looks up: the terms themselves, or the ids or CUIs of their concepts."""

CARD_KEY = "medgauge.card"
TARGETS = ("gold", "label")
_KEYS = ("pair_id", *(f"{kind}_{side}" for kind in get_args(KeyKind) for side in (1, 2)))
_SIGNED = "<!-- written by medgauge -->"

_STAYING = "that of SNOMED CT"  # as LICENCES in terminology.model has it
_MOST_EDITS = re.compile(r", at most (\d{1,6}) edits apart\.")  # as card_of_set in build writes it


class Card(BaseModel):
    """Describes a set of pairs: what it is, where it is from and on which terms it may be used.

    `scale` is the lowest and highest score that an annotator could give, None if it is not known;
    `language` is that of the terms ("en"), None if it is not known; `made_of` has the names of what the set
    was made of (`medgauge.origins`), such as "umls"; `read_from` has the columns of the table that a set was
    read from, where they have other names than medgauge's; `build` holds the parameters of a set that
    medgauge built; `strata` names the columns by which its pairs are split into groups, which a study
    hands on with the ratings. `terms_stay` says that the licence forbids giving the terms to others, such as
    a service.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    title: str
    kind: SetKind = "similarity"
    scale: tuple[float, float] | None = None
    language: str | None = None
    description: str = ""
    source: str = ""
    licence: str = "not known"
    citation: str = ""
    made_of: Annotated[tuple[str, ...], Field(exclude_if=lambda names: not names)] = ()
    read_from: Annotated[dict[str, str], Field(exclude_if=lambda columns: not columns)] = {}
    terms_stay: Annotated[bool, Field(exclude_if=lambda stay: not stay)] = False
    build: dict[str, Any] = {}
    strata: Annotated[tuple[str, ...], Field(exclude_if=lambda columns: not columns)] = ()

    @property
    def may_leave(self) -> bool:
        """Whether the licence lets the terms leave this machine.

        Read from the licence too, as earlier versions wrote it for sets from SNOMED CT.
        """
        return not self.terms_stay and not self.licence.startswith(_STAYING)

    @property
    def most_edits(self) -> int | None:
        """The Levenshtein distance by which the positives of a built set were chosen: at most this.

        None if they were chosen otherwise. Read from the description, which earlier versions wrote too.

        >>> Card(name="x", title="X", kind="synonymy", description="…, at most 5 edits apart. …").most_edits
        5
        """
        found = _MOST_EDITS.search(self.description) if self.kind == "synonymy" else None
        return int(found[1]) if found else None

    def renamed(self, name: str) -> Self:
        """Return the card under another name; a title that only repeats the name changes with it."""
        return self.model_copy(
            update={"name": name, "title": name if self.title == self.name else self.title}
        )


@dataclass(frozen=True)
class Pairs:
    """A table of pairs with its card, without gold scores.

    The frame has `pair_id, term_1, term_2` (text), and optionally the `id_1, id_2` and `cui_1, cui_2` of
    the terms' concepts, the `rater_*` columns of annotators, and any strata. A PairSet adds the gold.

    >>> pairs = Pairs.of([("flu", "influenza"), ("flu", "fracture")], card=Card(name="x", title="X"))
    >>> len(pairs), pairs.terms
    (2, ['flu', 'influenza', 'fracture'])
    """

    frame: pl.DataFrame
    card: Card

    def __post_init__(self) -> None:
        for needed in ("pair_id", "term_1", "term_2"):
            if needed not in self.frame.columns:
                raise InputError(f"the set {quoted(self.card.name)} has no column {needed}")
            if self.frame[needed].dtype != pl.String:
                raise InputError(f"the set {quoted(self.card.name)} has a column {needed} that is not text")
            if self.frame[needed].null_count():
                raise InputError(f"the set {quoted(self.card.name)} has a pair without {needed}")
            longest = self.frame[needed].str.len_chars().max()
            if problem := problem_of_length(int(longest or 0)):  # type: ignore[arg-type]
                raise InputError(f"in the set {quoted(self.card.name)}, {problem}")
        if self.frame["pair_id"].is_duplicated().any():
            raise InputError(f"the set {quoted(self.card.name)} has the same pair_id twice")
        self._check_target()

    def _check_target(self) -> None:
        if not set(TARGETS).isdisjoint(self.frame.columns):
            raise InputError(
                f"the set {quoted(self.card.name)} has gold scores or labels; use PairSet for it"
            )

    @classmethod
    def of(cls, rows: Iterable[Sequence[Any]], *, card: Card) -> Self:
        """Make pairs from (term, term) rows, numbered from 1."""
        return cls(_numbered([(row[0], row[1]) for row in rows]), card)

    def __len__(self) -> int:
        return self.frame.height

    @property
    def labelled(self) -> bool:
        """Whether the pairs have 0/1 labels, as opposed to graded gold scores or no gold."""
        return "label" in self.frame.columns

    @property
    def raters(self) -> list[str]:
        """The names of the columns with ratings."""
        numbers = [name for name, kind in self.frame.schema.items() if kind.is_numeric()]
        return [name for name in numbers if name.startswith("rater_")]

    @property
    def ratings(self) -> Doubles:
        """The ratings, pairs by raters, NaN where a rater did not rate."""
        if not self.raters:
            return np.empty((len(self), 0))
        return self.frame.select(pl.col(self.raters).cast(pl.Float64).fill_null(float("nan"))).to_numpy()

    @property
    def blinded(self) -> "Pairs":
        """The pairs as models receive them: terms and concepts, without gold, ratings or strata."""
        return Pairs(self.frame.select([name for name in _KEYS if name in self.frame.columns]), self.card)

    def keys(self, kind: KeyKind) -> tuple[list[str | None], list[str | None]]:
        """Return what models look up for the first and the second side of each pair.

        A missing or blank id is None: no model covers it.

        >>> frame = pl.DataFrame({"pair_id": ["1"], "term_1": ["flu"], "term_2": ["gout"], "id_1": [""]})
        >>> Pairs(frame, Card(name="x", title="X")).keys("term")
        (['flu'], ['gout'])
        """
        if kind not in get_args(KeyKind):
            raise UnknownNameError("kind of key", kind, get_args(KeyKind))
        sides = [f"{kind}_1", f"{kind}_2"]
        if missing := [name for name in sides if name not in self.frame.columns]:
            raise InputError(
                f"the set {quoted(self.card.name)} has no column {missing[0]} for a model to look up; models "
                "of concepts need sets with columns id_1 and id_2, or cui_1 and cui_2 (EHR-Rel has both)"
            )
        columns = self.frame.select(sides)
        if kind != "term":
            columns = columns.with_columns(pl.all().cast(pl.String).str.strip_chars().replace("", None))
        first, second = (column.to_list() for column in columns)
        return first, second

    def without_key(self, kind: KeyKind) -> int:
        """Count the pairs in which a side has nothing that a model could look up.

        >>> rows = {"pair_id": ["1"], "term_1": ["flu"], "term_2": ["gout"], "id_1": [""], "id_2": ["4"]}
        >>> Pairs(pl.DataFrame(rows), Card(name="x", title="X")).without_key("id")
        1
        """
        return sum(None in keys for keys in zip(*self.keys(kind), strict=True))

    def has_keys(self, kind: KeyKind) -> bool:
        """Return whether the pairs have the columns that a model looks up."""
        return {f"{kind}_1", f"{kind}_2"} <= {*self.frame.columns}

    def key_digest(self, kind: KeyKind) -> str:
        """Return the SHA-256 of the pairs' ids and keys: all that a model's scores depend on."""
        state = hashlib.sha256(kind.encode())
        for row in zip(self.frame["pair_id"].to_list(), *self.keys(kind), strict=True):
            state.update(json.dumps(row).encode())
        return state.hexdigest()

    @cached_property
    def terms(self) -> list[str]:
        """The distinct terms, in order of first occurrence."""
        return different_keys([self], "term")

    def head(self, count: int) -> Self:
        """Keep only the first pairs."""
        return replace(self, frame=self.frame.head(min(count, len(self))))

    def renamed(self, name: str) -> Self:
        """Return the same pairs under another name."""
        return replace(self, card=self.card.renamed(name))

    def multi_word_shares(self) -> tuple[float, float]:
        """Return the share of terms with several words: by occurrence, and among the distinct terms.

        Words are separated by white space, as in table 1 of Schulz and Juric (2020).

        >>> rows = [("heart", "heart attack"), ("heart", "angina pectoris")]
        >>> Pairs.of(rows, card=Card(name="x", title="X")).multi_word_shares()
        (0.5, 0.6666666666666666)
        """
        occurrences = pl.concat([self.frame["term_1"], self.frame["term_2"]]).to_list()
        return multi_word_share(occurrences), multi_word_share(self.terms)

    def save(self, path: str | Path) -> None:
        """Write the pairs as Parquet with the card inside, and next to it a README.md with YAML front matter.

        `datasets.load_dataset(folder)` can read the folder. A README.md that medgauge did not write, or that
        belongs to another set that still exists, is left alone.
        """
        path = Path(path)
        metadata = {CARD_KEY: self.card.model_dump_json()}
        readme = path.with_name("README.md")
        if not _is_ours(readme, path):
            write_parquet(path, self.frame, metadata)
            return
        with writing(readme) as temporary:
            temporary.write_text(self._readme(path.name), "utf-8", newline="\n")
            write_parquet(path, self.frame, metadata)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read what `save` wrote: a PairSet if there are gold scores or labels, else Pairs."""
        card = read_card(path)
        if card is None:
            raise FileError(path, "has no medgauge card; read it with load_dataset instead")
        frame = read_parquet(path)
        try:
            made = Pairs(frame, card) if set(TARGETS).isdisjoint(frame.columns) else PairSet(frame, card)
        except InputError as error:
            raise FileError(path, str(error)) from error
        if not isinstance(made, cls):
            raise FileError(path, "has neither gold scores nor labels")
        return made

    def described(self) -> dict[str, str]:
        """Say what the pairs are, in words, for a table; nothing of it is a term."""
        card = self.card
        scale = "not known" if card.scale is None else f"{card.scale[0]:g} to {card.scale[1]:g}"
        facts = {
            "pairs": f"{len(self):,}",
            "kind": card.kind,
            "scale": "0 or 1" if self.labelled else scale,
            "language": card.language or "",
            "licence": card.licence,
            "may be sent to services": "" if card.may_leave else "only where that is allowed for this set",
            "source": card.source,
            "citation": card.citation,
            "made of": ", ".join(origin(name).title for name in card.made_of),
            "read from columns": ", ".join(f"{name} ({ours})" for ours, name in card.read_from.items()),
            **self._described_target(),
            **dict(_in_words("built with", card.build)),
        }
        return {name: value for name, value in facts.items() if value}

    def _described_target(self) -> dict[str, str]:
        return {"gold": "none yet"}

    def _readme(self, file_name: str) -> str:
        card = self.card
        title, file = json.dumps(card.title), json.dumps(file_name)
        language = f"language:\n- {json.dumps(card.language)}\n" if card.language else ""
        table = "\n".join(f"| {key} | {_in_cell(value)} |" for key, value in self.described().items())
        return (
            f"---\npretty_name: {title}\nlicense: other\n{language}"
            f"configs:\n- config_name: default\n  data_files: {file}\n---\n\n"
            f"# {card.title}\n\n{card.description}\n\n| | |\n|---|---|\n{table}\n\n{_SIGNED}\n"
        )


@dataclass(frozen=True)
class PairSet(Pairs):
    """Pairs with gold scores or labels, with which a model's scores are compared.

    In addition to the columns of Pairs, the frame has either `gold` (float) or `label` (0 or 1).

    >>> pairs = PairSet.of([("renal failure", "kidney failure", 4.0)], card=Card(name="x", title="X"))
    >>> len(pairs), pairs.labelled, pairs.terms
    (1, False, ['renal failure', 'kidney failure'])
    """

    def _check_target(self) -> None:
        if len(set(TARGETS) & set(self.frame.columns)) != 1:
            raise InputError(
                f"the set {quoted(self.card.name)} needs exactly one of the columns gold and label"
            )
        if not self.frame[self.target].dtype.is_numeric():
            raise InputError(f"the set {quoted(self.card.name)} has text in its column {self.target}")
        values = self.gold
        if not np.isfinite(values).all():
            raise InputError(f"the set {quoted(self.card.name)} has a {self.target} that is not a number")
        if self.labelled and not np.isin(values, (0, 1)).all():
            raise InputError(f"the set {quoted(self.card.name)} has a label other than 0 and 1")

    @classmethod
    def of(cls, rows: Iterable[Sequence[Any]], *, card: Card, labelled: bool = False) -> Self:
        """Make a set from (term, term, gold or label) rows, numbered from 1."""
        listed = list(rows)
        values = pl.Series("label" if labelled else "gold", [row[2] for row in listed], pl.Float64)
        made = cls(_numbered([(row[0], row[1]) for row in listed]).with_columns(values), card)
        return replace(made, frame=made.frame.cast({"label": pl.Int8})) if labelled else made

    @property
    def target(self) -> str:
        """The name of the column that scores are compared with: label or gold."""
        return "label" if self.labelled else "gold"

    @property
    def gold(self) -> Doubles:
        """The gold scores, or the labels as 0.0 and 1.0."""
        return self.frame[self.target].cast(pl.Float64).to_numpy()

    @cached_property
    def digest(self) -> str:
        """SHA-256 over pair ids, terms and gold or labels; equal sets have equal digests."""
        state = hashlib.sha256(self.target.encode())
        rows = self.frame.select("pair_id", "term_1", "term_2", pl.col(self.target).cast(pl.Float64))
        for row in rows.iter_rows():
            state.update(json.dumps(row).encode())
        return state.hexdigest()

    def _described_target(self) -> dict[str, str]:
        return {"digest of terms and gold": f"`{self.digest}`"}


def _is_ours(readme: Path, path: Path) -> bool:
    """Return whether a README.md may be written: there is none, or medgauge wrote it for no other set."""
    if not readme.exists():
        return True
    try:
        written = read_text(readme)
    except FileError:  # a folder, or not a text
        return False
    if _SIGNED not in written:
        return False
    described = re.search(r'^  data_files: "(.*)"$', written, re.MULTILINE)
    other = path.with_name(json.loads(f'"{described[1]}"')) if described else path
    return other == path or not other.exists()


def has_card(path: str | Path) -> bool:
    """Return whether a file is a set that medgauge wrote: Parquet with the card of the set inside."""
    return is_parquet(path) and CARD_KEY in parquet_metadata(path)


def read_card(path: str | Path, key: str = CARD_KEY) -> Card | None:
    """Read the card stored in a Parquet file under a key, None if there is none.

    Fields that only a newer version knows are ignored, with a warning.
    """
    written = parquet_metadata(path).get(key)
    if written is None:
        return None
    try:
        fields = json.loads(written)
    except (ValueError, RecursionError) as error:
        raise FileError(path, "its card is damaged: it is not valid JSON") from error
    if isinstance(fields, dict) and (unknown := [name for name in fields if name not in Card.model_fields]):
        warnings.warn(
            f"{path}: its card was written by a newer version of medgauge; ignored: {', '.join(unknown)}",
            MedgaugeWarning,
            stacklevel=2,
        )
        fields = {name: value for name, value in fields.items() if name not in unknown}
    try:
        card = Card.model_validate(fields)
    except ValidationError as error:
        problem = error.errors()[0]
        named = ".".join(map(str, problem["loc"])) or "the card"
        raise FileError(path, f"its card is damaged: {named}: {problem['msg']}") from error
    if has_controls(card.name):
        raise FileError(path, "its card is damaged: name: has control characters")
    return card


def multi_word_share(terms: Collection[str]) -> float:
    """Compute the share of terms that have several words, separated by white space; NaN for no terms.

    >>> multi_word_share(["heart", "heart attack"])
    0.5
    """
    return sum(len(term.split()) > 1 for term in terms) / len(terms) if terms else float("nan")


def different_keys(sets: Iterable[Pairs], kind: KeyKind = "term") -> list[str]:
    """Return the distinct keys of several sets, in order of first occurrence, without None."""
    rows = (row for pairs in sets for row in zip(*pairs.keys(kind), strict=True))
    return list(dict.fromkeys(key for row in rows for key in row if key is not None))


def _numbered(rows: Sequence[tuple[str, str]]) -> pl.DataFrame:
    return pl.DataFrame(
        [
            pl.Series("pair_id", [str(number) for number in range(1, len(rows) + 1)], pl.String),
            pl.Series("term_1", [row[0] for row in rows], pl.String),
            pl.Series("term_2", [row[1] for row in rows], pl.String),
        ]
    )


def _in_words(name: str, value: Any) -> list[tuple[str, str]]:
    """Return what a set was built with as rows of a table, one for each nested value."""
    if isinstance(value, dict):
        return [row for key, inner in value.items() for row in _in_words(f"{name} {key}", inner)]
    return [(name, ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value))]


def _in_cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
