"""What is selected from the database, and the values that its rows become."""

import json
from dataclasses import fields
from typing import Any

from medgauge.annotate.store.study import Annotator, Item, Pair, Progress, Rated, Rating, Study

Record = tuple[Any, ...]

STUDY = "SELECT name, created, protocol, seed, design, paused FROM study"

_PAIR = "pair.pair_id, pair.term_1, pair.term_2, pair.set_name, pair.label"
PAIRS = f"SELECT {_PAIR}, pair.further FROM pair ORDER BY number"

TASKS_PER_PAIR = """
    SELECT pair.pair_id, count(*) FROM task JOIN pair ON pair.number = task.pair
    GROUP BY task.pair ORDER BY task.pair"""

ANNOTATOR = "number, name, coordinator, revoked_at, instructed_at, practised_at"

ITEMS = f"""
    SELECT task.place, task.page, task.role, task.flipped, {_PAIR}, pair.further,
        rating.value, rating.unsure, rating.at, rating.seconds
    FROM task JOIN pair ON pair.number = task.pair LEFT JOIN rating USING (annotator, place)
    WHERE task.annotator = ? AND task.page = ?"""

PROGRESS = f"""
    SELECT {ANNOTATOR},
        (SELECT count(*) FROM rating WHERE rating.annotator = annotator.number),
        (SELECT count(*) FROM task WHERE task.annotator = annotator.number),
        (SELECT min(page) FROM page WHERE page.annotator = annotator.number AND submitted_at IS NULL),
        (SELECT count(*) FROM page WHERE page.annotator = annotator.number),
        (SELECT at FROM rating_log WHERE rating_log.annotator = annotator.number
            ORDER BY rating_log.number DESC LIMIT 1)
    FROM annotator WHERE NOT coordinator"""

RATINGS = f"""
    SELECT annotator.name, {_PAIR}, rating.value, rating.unsure, rating.at,
        task.place, task.page, task.role, task.flipped, rating.seconds
    FROM rating JOIN task USING (annotator, place)
        JOIN pair ON pair.number = task.pair
        JOIN annotator ON annotator.number = rating.annotator
    ORDER BY rating.annotator, rating.place"""

TIMED = """
    SELECT annotator.name, rating_log.place, rating_log.seconds
    FROM rating_log JOIN annotator ON annotator.number = rating_log.annotator
    WHERE rating_log.action = 'rate' ORDER BY rating_log.annotator, rating_log.number"""


def to_study(row: Record) -> Study:
    """Read a row of `STUDY`."""
    name, created, protocol, seed, design, paused = row
    return Study(name, created, protocol, seed, json.loads(design), bool(paused))


def to_pair(row: Record) -> Pair:
    """Read a row of `PAIRS`."""
    pair_id, term_1, term_2, set_name, label, further = row
    return Pair(pair_id, term_1, term_2, set_name, label, json.loads(further))


def to_annotator(row: Record) -> Annotator:
    """Read the columns of `ANNOTATOR`."""
    number, name, coordinator, *times = row
    return Annotator(number, name, bool(coordinator), *times)


def to_rating(row: Record) -> Rating:
    """Read value, unsure, at and seconds."""
    value, unsure, at, seconds = row
    return Rating(value, bool(unsure), at, seconds)


def to_item(row: Record) -> Item:
    """Read a row of `ITEMS`."""
    place, page, role, flipped, *rest = row
    pair, answer = tuple(rest[:6]), tuple(rest[6:])
    is_rated = answer[1] is not None
    return Item(place, page, role, bool(flipped), to_pair(pair), to_rating(answer) if is_rated else None)


def to_progress(row: Record) -> Progress:
    """Read a row of `PROGRESS`."""
    return Progress(to_annotator(row[:6]), *row[6:])


def to_rated(row: Record) -> Rated:
    """Read a row of `RATINGS`."""
    rated = dict(zip((field.name for field in fields(Rated)), row, strict=True))
    return Rated(**{**rated, "unsure": bool(rated["unsure"]), "flipped": bool(rated["flipped"])})
