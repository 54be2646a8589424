"""Rows of a study's database as values, checked: a damaged file can hold anything in any column.

SQLite checks types and constraints when a row is written, not when it is read.
"""

import json
import math
from collections.abc import Mapping
from typing import Any, Literal, TypeVar

from medgauge.annotate.store.study import (
    Annotator,
    Item,
    Pair,
    Progress,
    Rated,
    Rating,
    Saved,
    Study,
    Timed,
    Version,
)

StoredRow = tuple[Any, ...]
_Type = TypeVar("_Type")
_ROLES = ("own", "consistency", "duplicate")


class DamagedRowError(Exception):
    """A row that no medgauge has written; it says nothing about the row, which may hold terms."""


def _is(kind: type[_Type], value: object) -> _Type:
    if type(value) is not kind:
        raise DamagedRowError
    return value


def _text_or_none(value: object) -> str | None:
    return None if value is None else _is(str, value)


def _number(value: object, lowest: int = 0) -> int:
    if _is(int, value) < lowest:
        raise DamagedRowError
    return _is(int, value)


def _flag(value: object) -> bool:
    if _number(value) > 1:
        raise DamagedRowError
    return bool(value)


def _seconds(value: object) -> float:
    found = _is(float, value)
    if not (math.isfinite(found) and found >= 0):
        raise DamagedRowError
    return found


def _value(value: object, unsure: object) -> float | None:
    """Return a rating, None if it is unsure; a row must say so in both columns or in neither."""
    if _flag(unsure) != (value is None):
        raise DamagedRowError
    if value is None:
        return None
    found = _is(float, value)
    if not math.isfinite(found):
        raise DamagedRowError
    return found


def _fields(text: object) -> dict[str, Any]:
    try:
        return _is(dict, json.loads(_is(str, text)))
    except (ValueError, RecursionError):
        raise DamagedRowError from None


def _label(value: object) -> int | None:
    return None if value is None else int(_flag(value))


def _role(value: object) -> str:
    if value not in _ROLES:
        raise DamagedRowError
    return str(value)


def to_study(row: StoredRow | None) -> Study:
    """Convert a row of name, created, protocol, seed, design and paused; there must be one."""
    if row is None:
        raise DamagedRowError
    name, created, protocol, seed, design, paused = row
    texts = _is(str, name), _is(str, created), _is(str, protocol)
    return Study(*texts, _number(seed), _fields(design), _flag(paused))


def to_flag(row: StoredRow | None) -> bool:
    """Convert a row of one flag; there must be one."""
    if row is None:
        raise DamagedRowError
    return _flag(row[0])


def to_pair(row: StoredRow) -> Pair:
    """Convert a row of pair_id, term_1, term_2, set_name, label and further."""
    *texts, label, further = row
    pair_id, term_1, term_2, set_name = (_is(str, text) for text in texts)
    return Pair(pair_id, term_1, term_2, set_name, _label(label), _fields(further))


def to_count(row: StoredRow) -> tuple[str, int]:
    """Convert a row of pair_id and a number."""
    return _is(str, row[0]), _number(row[1])


def to_annotator(row: StoredRow) -> Annotator:
    """Convert a row of number, name, coordinator, revoked_at, instructed_at and practised_at."""
    number, name, coordinator, *times = row
    return Annotator(
        _number(number), _is(str, name), _flag(coordinator), *(_text_or_none(time) for time in times)
    )


def to_page(row: StoredRow) -> int | None:
    """Convert a row of one page number, if any."""
    return None if row[0] is None else _number(row[0], 1)


def to_time(row: StoredRow) -> str | None:
    """Convert a row of one time, if any."""
    return _text_or_none(row[0])


def to_key(row: StoredRow | None) -> str:
    """Convert a row of one key; there must be one."""
    if row is None:
        raise DamagedRowError
    return _is(str, row[0])


def to_version(row: StoredRow) -> tuple[int, Version]:
    """Convert a row of place, key and number in the log."""
    return _number(row[0]), Version(_is(str, row[1]), _number(row[2]))


def to_rating(row: StoredRow) -> Rating:
    """Convert a row of value, unsure, at and seconds."""
    value, unsure, at, seconds = row
    return Rating(_value(value, unsure), _flag(unsure), _is(str, at), _seconds(seconds))


def to_item(row: StoredRow, versions: Mapping[int, Version]) -> Item:
    """Convert a row of place, page, role, flipped, a pair and its rating; `versions` are by place."""
    place, page, role, flipped, *rest = row
    rating = to_rating(tuple(rest[6:])) if rest[7] is not None else None
    if rating is not None and place not in versions:
        raise DamagedRowError
    return Item(
        _number(place),
        _number(page, 1),
        _role(role),
        _flag(flipped),
        to_pair(tuple(rest[:6])),
        rating,
        versions[place] if rating else None,
    )


def to_progress(row: StoredRow) -> Progress:
    """Convert a row of an annotator, done, of, page, pages and last_at."""
    done, of, page, pages, last_at = row[6:]
    return Progress(
        to_annotator(row[:6]),
        _number(done),
        _number(of),
        to_page((page,)),
        _number(pages),
        _text_or_none(last_at),
    )


def to_rated(row: StoredRow) -> Rated:
    """Convert a row of the columns of an export, in the order of the fields of `Rated`."""
    *texts, label, value, unsure, at, place, page, role, flipped, seconds = row
    annotator, pair_id, term_1, term_2, set_name = (_is(str, text) for text in texts)
    return Rated(
        annotator=annotator,
        pair_id=pair_id,
        term_1=term_1,
        term_2=term_2,
        set_name=set_name,
        label=_label(label),
        value=_value(value, unsure),
        unsure=_flag(unsure),
        at=_is(str, at),
        place=_number(place),
        page=_number(page, 1),
        role=_role(role),
        flipped=_flag(flipped),
        seconds=_seconds(seconds),
    )


def to_timed(row: StoredRow) -> Timed:
    """Convert a row of annotator, place and seconds."""
    return Timed(_is(str, row[0]), _number(row[1]), _seconds(row[2]))


def to_logged(row: StoredRow) -> tuple[Literal["rate", "undo"], Saved]:
    """Convert a row of action, place, value, unsure, at and seconds; the rating of an undo is empty."""
    action, place, value, unsure, at, seconds = row
    if action == "undo":
        return action, Saved(_number(place), Rating(None, False, _is(str, at), 0.0))
    if action != "rate":
        raise DamagedRowError
    return "rate", Saved(_number(place), to_rating((value, unsure, at, seconds)))


def to_logged_value(row: StoredRow) -> tuple[int, str, float | None]:
    """Convert a row of place, action and value."""
    place, action, value = row
    return _number(place), _is(str, action), None if value is None else _is(float, value)
