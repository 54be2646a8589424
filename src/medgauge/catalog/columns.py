"""From a table to pairs: its columns are found by name, or given."""

import difflib
import math
import re
import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, get_args

import numpy as np
import polars as pl

from medgauge.catalog.aliases import ALIASES, bare_name, heading, is_header, more_aliases
from medgauge.errors import CoverageWarning, FileError, InputError, UnknownNameError, option, quoted
from medgauge.pairs import TARGETS, Card, Pairs, PairSet
from medgauge.progress import remark
from medgauge.rounding import without_noise
from medgauge.tables import Row, Table, is_missing, text_of
from medgauge.term_length import problem_of_length

Columns = Mapping[str, str | list[str]]
"""Maps medgauge's column names to the file's; a list of columns means their average."""

Missing = Literal["error", "skip", "ignore"]
"""What happens to pairs without gold: an error; they are skipped; or they are kept, and all gold ignored."""

GoldAs = Literal["graded", "labels"]
"""What a column of gold holds: graded scores, or labels, which are 0 and 1."""

SKIPPED = "skipped_without_gold"
"""The entry in the `build` of a card that counts the pairs of the table that have no gold."""
_LONGEST_NAME = 100  # characters of a column's name that are compared with others
_FURTHER = ("pair_id", "term_1", "term_2", "gold", "label")
_DIGITS = re.compile(r"\s*[+-]?[\d.,]*\d[\d.,]*(e[+-]?\d+)?\s*", re.IGNORECASE)
_IN_WORDS = {
    "pair_id": "pair ids",
    "term_1": "first terms",
    "term_2": "second terms",
    "gold": "gold",
    "label": "labels",
    "annotator": "annotators",
    "rating": "ratings",
}


def read_pairs(
    table: Table,
    given: Mapping[str, str | None],
    card: Card,
    *,
    missing: Missing = "error",
    gold_as: GoldAs | None = None,
) -> Pairs:
    """Convert a table to pairs whose columns are given or found by name; a guess is remarked on."""
    columns = find_columns(table, given)
    report_guess(table, {ours: str(name) for ours, name in columns.items() if not given.get(ours)})
    return to_pairs(table, columns, with_columns(card, columns), missing=missing, gold_as=gold_as)


def find_columns(table: Table, given: Mapping[str, str | None]) -> Columns:
    """Find the columns that hold the terms and the gold: those the user gave, or else by name.

    Names are compared ignoring case, spaces and punctuation; columns that medgauge does not know are kept as
    strata under their own names. Of gold and labels the gold is used, and a remark says so.
    """
    columns = {ours: name for ours, name in given.items() if name is not None}
    if "gold" in columns and "label" in columns:
        both = f"{option('gold')} for graded scores or {option('label')} for 0/1 labels"
        raise InputError(f"give {both}, not both")
    check_given(table, columns)
    columns |= guessed_columns(table, ALIASES, columns, further=_FURTHER)
    ids = columns.get("pair_id")
    is_guess = ids != given.get("pair_id") and bare_name(ids or "") not in ALIASES["pair_id"]
    if ids is not None and is_guess and not _are_ids(table, ids):
        columns.pop("pair_id")
    for ours in ("term_1", "term_2"):
        if ours not in columns:
            advice = f"name it with {option(ours, 'COLUMN')}"
            if not table.has_names:
                advice += (
                    f", add {option('header', False)} if the first line is not a header, or remove the lines "
                    "above the header"
                )
            raise FileError(table.path, f"found no column for {ours} among {listed_columns(table)}; {advice}")
    if {"gold", "label"} <= columns.keys():
        label = columns.pop("label")
        if _has_numbers(table, label):
            remark(
                f"{table.path}: gold from '{columns['gold']}', no labels from '{label}'; to use these "
                f"instead, add {option('label', label)}"
            )
    used = {"", *columns.values()}
    strata = {name: name for name in table.header if name not in used and name not in ALIASES}
    return {ours: columns[ours] for ours in ALIASES if ours in columns} | strata


def check_given(table: Table, columns: Mapping[str, str]) -> None:
    """Refuse a column that is not there, or that is given for two things."""
    for name in columns.values():
        if name not in table.places:
            raise no_such_column(table, name)
    names = list(columns.values())
    if twice := [name for name in names if names.count(name) > 1]:
        raise InputError(f"the column '{twice[0]}' is given twice; terms and gold need a column each")


def guessed_columns(
    table: Table,
    aliases: Mapping[str, Sequence[str]],
    known: Mapping[str, str],
    *,
    further: Collection[str],
    without: Collection[str] = (),
) -> dict[str, str]:
    """Find the columns that are not yet known, by the first of their aliases, or else by further names.

    The columns `further` may also have further names, which are compared without accents and units in
    brackets. Two columns with such names are an error, since either may be meant. A column without values is
    not taken for gold, labels or ratings if another may be, and only one called exactly `gold` or `label` is
    without numbers. If one of the two is known, no guess at the other is needed. `without` are columns to
    leave out.
    """
    header = [name for name in table.header if name not in without]
    values = [ours for ours in (*TARGETS, "rating") if ours in aliases]
    found = find_by_name(header, {ours: aliases[ours] for ours in aliases if ours not in values}, known)
    taken = {"", *known.values(), *found.values()}
    free = {name: heading(name) for name in header if name not in taken}
    for ours in dict.fromkeys((*further, *values)):
        has_target = ours in TARGETS and not known.keys().isdisjoint(TARGETS)
        if ours in known or ours in found or has_target:
            continue
        candidates = _usual(table, free, ours, aliases[ours])[:1] if ours in values else []
        if not candidates and ours in further:
            candidates = _further(table, free, ours, {*more_aliases()[ours], *aliases[ours]})
        if len(candidates) > 1 and not (ours == "label" and "gold" in found):
            raise FileError(
                table.path,
                f"the columns '{candidates[0]}' and '{candidates[1]}' may both hold the {_IN_WORDS[ours]}; "
                f"name one with {option(ours, 'COLUMN')}",
            )
        if candidates:
            found[ours] = candidates[0]
            free.pop(candidates[0])
    if "gold" in aliases and {*known, *found}.isdisjoint(TARGETS):
        # The error about a value that is not a number says more than one that there is no gold.
        texts = [name for name in _named(free, aliases["gold"]) if not _is_blank(table, name)]
        found |= {"gold": texts[0]} if texts else {}
    return found


def _named(names: Iterable[str], aliases: Sequence[str]) -> list[str]:
    """Return the columns that have one of the aliases, in the order of these."""
    ranks = {alias: rank for rank, alias in enumerate(aliases)}
    return sorted(
        (name for name in names if bare_name(name) in ranks), key=lambda name: ranks[bare_name(name)]
    )


def _usual(table: Table, names: Collection[str], ours: str, aliases: Sequence[str]) -> list[str]:
    """Return the columns that may hold gold, labels or ratings by their aliases, the likeliest first."""
    named = _named(names, aliases)
    if ours == "rating":
        return [name for name in named if not _is_blank(table, name)] or named
    if ours in named:
        return [ours]
    return [name for name in named if _has_numbers(table, name)]


def _further(table: Table, headings: Mapping[str, str], ours: str, names: Collection[str]) -> list[str]:
    """Return the columns that may be meant by their headings; gold and labels must be numbers, mostly."""
    candidates = [name for name, bare in headings.items() if bare in names]
    if ours in TARGETS or (ours == "rating" and len(candidates) > 1):
        return [name for name in candidates if _has_numbers(table, name)]
    return candidates


def report_guess(table: Table, guessed: Mapping[str, str]) -> None:
    """Remark which columns were taken for what, unless they have medgauge's own names."""
    shown = {ours: name for ours, name in guessed.items() if ours in _IN_WORDS}
    if all(bare_name(ours) == bare_name(name) for ours, name in shown.items()):
        return
    parts = []
    if {"term_1", "term_2"} <= shown.keys():
        parts.append(f"terms from '{shown.pop('term_1')}' and '{shown.pop('term_2')}'")
    parts += [f"{_IN_WORDS[ours]} from '{name}'" for ours, name in shown.items()]
    remark(f"{table.path}: {', '.join(parts)}")


def with_columns(card: Card, columns: Columns) -> Card:
    """Note in a card from which columns a set was read, where these have names, and others than ours."""
    read = {
        ours: name
        for ours, name in columns.items()
        if ours in _IN_WORDS and isinstance(name, str) and name != ours and not name.isdecimal()
    }
    return card.model_copy(update={"read_from": read}) if read else card


def _is_blank(table: Table, name: str) -> bool:
    place = table.places[name]
    return bool(table.rows) and all(is_missing(row.values[place]) for row in table.rows)


def _has_numbers(table: Table, name: str) -> bool:
    """Return whether a column has values, at least half of which look like numbers, or are truth values."""
    place = table.places[name]
    values = [row.values[place] for row in table.rows if not is_missing(row.values[place])]
    numbers = [one for one in values if isinstance(one, bool) or _DIGITS.fullmatch(text_of(one))]
    return 2 * len(numbers) >= len(values) and (bool(values) or not table.rows)


def _are_ids(table: Table, name: str) -> bool:
    """Return whether the values of a column are all different."""
    place = table.places[name]
    return len({text_of(row.values[place]) for row in table.rows}) == len(table.rows)


def numbered_columns(given: Mapping[str, str | None], header: Sequence[str]) -> dict[str, str | None]:
    """Complete the given columns by number: terms in columns 1 and 2, the gold in 3.

    >>> numbered_columns({"term_1": None, "term_2": "5", "gold": None, "label": None}, "12345")
    {'term_1': '1', 'term_2': '5', 'gold': '3', 'label': None}
    """
    usual = {"term_1": "1", "term_2": "2"} | ({} if given["label"] or "3" not in header else {"gold": "3"})
    return {ours: name or usual.get(ours) for ours, name in given.items()}


def find_by_name(
    header: Iterable[str], aliases: Mapping[str, Sequence[str]], known: Mapping[str, str]
) -> dict[str, str]:
    """Find each column not yet known by the first of its aliases in the header.

    >>> find_by_name(["Word 1", "WORD-2", "score"], ALIASES, {"gold": "score"})
    {'term_1': 'Word 1', 'term_2': 'WORD-2'}
    """
    names = {bare_name(name): name for name in reversed(list(header))}
    taken = {"", *known.values()}
    found: dict[str, str] = {}
    for ours, spellings in aliases.items():
        free = [names[one] for one in spellings if names.get(one, "") not in taken]
        if ours not in known and free:
            found[ours] = free[0]
            taken.add(free[0])
    return found


def to_pairs(
    table: Table,
    columns: Columns,
    card: Card,
    *,
    missing: Missing = "error",
    gold_as: GoldAs | None = None,
) -> Pairs:
    """Convert a table to pairs, a PairSet if it has gold; an error names the place of the first bad value.

    Unless `gold_as` says what the gold holds, it becomes labels if it is all 0 and 1, with a remark.
    Pairs that are skipped because they have no gold are counted in the card, and a CoverageWarning says so.
    """
    if not table.rows:
        raise FileError(table.path, "the file has a header but no pairs")
    table, columns, skipped = _without_missing(table, columns, missing)
    if skipped:
        card = card.model_copy(update={"build": card.build | {SKIPPED: skipped}})
    values: dict[str, Sequence[Any]] = {}
    for ours, name in columns.items():
        names = [name] if isinstance(name, str) else name
        absent = [one for one in names if one not in table.places]
        if absent:
            raise no_such_column(table, absent[0])
        places = [table.places[one] for one in names]
        if ours in TARGETS:
            values[ours] = _mean(table, places)
        elif ours.startswith("rater_"):
            values[ours] = [table.optional_number(row, places[0]) for row in table.rows]
        elif ours in ("term_1", "term_2"):
            values[ours] = [term_of(table, row, places[0]) for row in table.rows]
        else:
            values[ours] = table.texts(places[0])
    if "pair_id" not in values:
        values = {"pair_id": [str(number) for number in range(1, len(table.rows) + 1)], **values}
    if "gold" in values and _are_labels(table, values["gold"], gold_as):
        values["label"] = values.pop("gold")
    if "label" in values:
        check_labels(table, values["label"])
    types = {name: pl.Float64 for name in values if name == "gold" or name.startswith("rater_")}
    frame = pl.DataFrame(values, schema_overrides=types | {"label": pl.Int8}, strict=False)
    check_ids(table, frame["pair_id"])
    return Pairs(frame, card) if values.keys().isdisjoint(TARGETS) else PairSet(frame, card)


def _are_labels(table: Table, gold: Sequence[float], gold_as: GoldAs | None) -> bool:
    """Return whether gold scores are labels: as it was said, or if they are all 0 and 1."""
    if gold_as is not None:
        if gold_as not in get_args(GoldAs):
            raise UnknownNameError("kind of gold", gold_as, get_args(GoldAs))
        return gold_as == "labels"
    if set(gold) != {0.0, 1.0}:
        return False
    remark(
        f"{table.path}: the gold is all 0 and 1, and is taken for labels, so that AUC and accuracy are "
        f"computed instead of ρ; add {option('gold_as', 'graded')} if it is graded, or "
        f"{option('gold_as', 'labels')} if not"
    )
    return True


def term_of(table: Table, row: Row, place: int) -> str:
    """Return the term in a cell; if it is blank or not text, raise an error that names its place."""
    value = row.values[place]
    if value is not None and not isinstance(value, str):
        raise FileError(
            table.path, f"the term in column '{table.header[place]}' is not text", place=row.place
        )
    if value is None or not value.strip():
        raise FileError(table.path, f"the term in column '{table.header[place]}' is blank", place=row.place)
    if problem := problem_of_length(len(value)):
        raise FileError(table.path, problem, place=row.place)
    return value.strip()


def no_such_column(table: Table, name: str) -> FileError:
    """Return the error for a column that is not there; it offers one that is spelled much the same."""
    # A first line that may be a pair is not repeated.
    shown = table.header if table.has_names or is_header(table.header) else ()
    close = difflib.get_close_matches(name[:_LONGEST_NAME], shown, n=1)
    advice = f"did you mean {quoted(close[0])}?" if close else f"choose from: {listed_columns(table)}"
    return FileError(table.path, f"there is no column {quoted(name)}; {advice}")


def listed_columns(table: Table, also: Collection[str] = ()) -> str:
    """List the columns, unless the first line may be a pair: terms and ids must not appear in messages.

    One of the bare names in `also` makes it a header.
    """
    if table.has_names or is_header(table.header, also):
        return ", ".join(table.header)
    return f"the {len(table.header)} columns of the first line"


def check_labels(table: Table, labels: Iterable[float | None]) -> None:
    """Raise an error for a label other than 0 and 1; None means missing."""
    for row, label in zip(table.rows, labels, strict=True):
        if label not in (0.0, 1.0, None):
            raise FileError(table.path, "the label is neither 0 nor 1", place=row.place)


def check_ids(table: Table, ids: pl.Series) -> None:
    """Raise an error for a repeated pair id."""
    repeated = ~ids.is_first_distinct()
    if repeated.any():
        place = table.rows[int(repeated.arg_max() or 0)].place
        raise FileError(table.path, "the pair_id is repeated", place=place)


def _without_missing(table: Table, columns: Columns, missing: Missing) -> tuple[Table, Columns, int]:
    """Return the table without pairs that have no gold, or the columns without the gold that some lack.

    Also return how many pairs were skipped. By default the first of them is an error.
    """
    if missing not in get_args(Missing):
        raise UnknownNameError("way to treat missing gold", missing, get_args(Missing))
    target = next((ours for ours in TARGETS if ours in columns), None)
    name = columns[target] if target else None
    place = table.places.get(name) if isinstance(name, str) else None
    lacking = [] if place is None else [row for row in table.rows if is_missing(row.values[place])]
    if not lacking or place is None:
        return table, columns, 0
    if missing == "ignore":
        return table, {ours: name for ours, name in columns.items() if ours != target}, 0
    if missing == "error":
        blank = "is not a number" if text_of(lacking[0].values[place]).strip() else "is missing"
        advice = f"; add {option('missing', 'skip')} to skip such pairs"
        raise table.error(lacking[0], place, blank + advice)
    kept = [row for row in table.rows if not is_missing(row.values[place])]
    if not kept:
        raise FileError(table.path, f"no pair has a value in column '{name}'")
    warnings.warn(
        f"{table.path}: {len(lacking):,} of {len(table.rows):,} pairs have no value in column '{name}' and "
        f"are skipped, the first at {lacking[0].place}",
        CoverageWarning,
        stacklevel=4,
    )
    return replace(table, rows=kept), columns, len(lacking)


def _mean(table: Table, places: list[int]) -> list[float]:
    """Return the values of a column, or the means of several, rounded so that equal means are equal."""
    rows = [[table.number(row, place) for place in places] for row in table.rows]
    if len(places) == 1:
        return [row[0] for row in rows]
    means = without_noise(np.array([math.fsum(row) / len(row) for row in rows]))
    return [float(mean) for mean in means]
