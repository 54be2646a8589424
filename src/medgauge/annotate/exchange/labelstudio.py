"""Ratings that were made in Label Studio: its exports as a table with a row for each rating.

Read are JSON, a list of tasks with `data` and `annotations`, and JSON_MIN, a list of annotations in which a
task's data and the answers stand side by side.
"""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from medgauge.catalog.columns import bare_name
from medgauge.errors import FileError, UnknownNameError, option
from medgauge.files import clean_name, open_bytes, read_text
from medgauge.progress import track
from medgauge.ratings.pair_columns import PAIR, pair_columns
from medgauge.tables import Row, Table, to_number

_KINDS = ("choices", "rating", "number")
"""The controls whose answer can be a rating, by the type of a result, which also names its value."""
_NAMES = (*_KINDS, "choice", "verdict", "answer")
"""What such a control may be called for its text to be told from the data in JSON_MIN."""
_BESIDE = ("id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time", "agreement")
"""What JSON_MIN puts beside data and answers."""
_WORDS = {dict: "no object", list: "no list"}

_Kind = TypeVar("_Kind", dict[str, Any], list[Any])


@dataclass(frozen=True)
class _Annotation:
    """What somebody answered, by the names of the controls, and the data of the task."""

    place: str
    data: Mapping[str, Any]
    answers: Mapping[str, Sequence[Any]]
    annotator: Any
    told: Mapping[str, Any]


def is_json(path: Path) -> bool:
    """Return whether a file, gzipped or not, begins as a list or an object of JSON does."""
    with open_bytes(path) as stream:
        return stream.read(1 << 10).removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"[", b"{")


def read_label_studio(path: str | Path, *, control: str | None = None) -> Table:
    """Read an export of Label Studio (JSON or JSON_MIN) as a long table of ratings.

    A rating is the answer to a control of the kind Choices, Rating or Number: a number, or a word that tables
    of ratings may have; `control` names it where there are several. The data of a task has the terms (term_1
    and term_2, or other names that tables have for them), pair_id, or both, and may have set and label.

    Annotators are called by their number in Label Studio: an e-mail address is personal, and would end up in
    published tables. Annotations that were skipped, and those without an answer, are no ratings; drafts and
    predictions are not read. An annotation that is marked as ground truth counts as any other annotation.
    Whoever changes an answer in Label Studio changes the annotation, so that a second one of the same pair is
    a judgement of its own; which of them is to count is not for us to say, and reading the table refuses it.
    `time` is when the annotation was changed last, in UTC, and `seconds` is Label Studio's lead time.
    """
    path = Path(path)
    with track(f"reading {path.name}", 0):
        found = list(_annotations(path, control))
    chosen = _chosen(path, found, control)
    columns = pair_columns(list(dict.fromkeys(name for one in found for name in one.data)), PAIR, {})
    columns = {ours: name for ours, name in columns.items() if ours in PAIR}
    if not columns.keys() & {"pair_id", "term_1"}:
        raise FileError(path, "the data of its tasks has no term_1 and term_2, and no pair_id")
    rows = []
    for one in found:
        answer = _answer(path, one, chosen)
        if answer is not None:
            pair = [_plain(path, one.place, name, one.data.get(name)) for name in columns.values()]
            who, when = _annotator(path, one), (_time(path, one), _seconds(path, one))
            rows.append(Row(one.place, (*pair, who, answer, *when)))
    if not rows:
        raise FileError(path, f"nobody answered '{clean_name(chosen)}'")
    return Table(path, (*columns, "annotator", "rating", "time", "seconds"), rows)


def _annotations(path: Path, control: str | None) -> Iterator[_Annotation]:
    tasks = _tasks(path)
    for number, task in enumerate(tasks, 1):
        place = f"task {_number(task.get('id'), number)}"
        if "annotations" in tasks[0]:
            yield from _of_task(path, place, task)
        elif "annotator" in task:
            yield _of_record(task, place, control)
        else:
            raise FileError(
                path,
                "has neither annotations nor an annotator; export the project as JSON or JSON_MIN",
                place=place,
            )


def _tasks(path: Path) -> list[dict[str, Any]]:
    text = read_text(path)
    try:
        # NaN, which is not JSON, is what an empty cell of an imported table may have become.
        found = json.loads(text, parse_constant=lambda _: None)
    except RecursionError:
        raise FileError(path, "is no export of Label Studio: its values are nested too deeply") from None
    except json.JSONDecodeError as error:
        raise FileError(path, f"is no valid JSON ({error.msg})", place=f"line {error.lineno}") from None
    except ValueError:
        raise FileError(path, "is no valid JSON (a number has too many digits)") from None
    if not isinstance(found, list) or not all(isinstance(task, dict) for task in found):
        raise FileError(path, "is no list of tasks, as Label Studio exports them in JSON or JSON_MIN")
    if not found:
        raise FileError(path, "has no tasks")
    return found


def _number(told: object, counted: int) -> str:
    """Return the number that Label Studio has for something, or else where it stands, from 1."""
    shown = str(told) if isinstance(told, int | str) else ""
    return shown if shown.isascii() and shown.isdecimal() else f"number {counted}"


def _of_task(path: Path, place: str, task: dict[str, Any]) -> Iterator[_Annotation]:
    data = _part(path, place, task, "data", dict)
    for number, annotation in enumerate(_part(path, place, task, "annotations", list), 1):
        where = f"{place}, annotation {number}"
        if not isinstance(annotation, dict):
            raise FileError(path, "the annotation is no object", place=where)
        where = f"{place}, annotation {_number(annotation.get('id'), number)}"
        if annotation.get("was_cancelled"):
            continue
        answers: dict[str, list[Any]] = {}
        for result in _part(path, where, annotation, "result", list):
            if not isinstance(result, dict):
                raise FileError(path, "a result is no object", place=where)
            name, kind = result.get("from_name"), result.get("type")
            if kind in _KINDS and isinstance(name, str):
                answers.setdefault(name, []).append(_part(path, where, result, "value", dict))
        yield _Annotation(where, data, answers, annotation.get("completed_by"), annotation)


def _of_record(record: dict[str, Any], place: str, control: str | None) -> _Annotation:
    """Split answers from data: by their form, by a name that controls have, or by the name that was given."""
    answers = {
        name: value if isinstance(value, list) else [value]
        for name, value in record.items()
        if name not in _BESIDE and (name == control or _has_form(value) or _has_name(name, value))
    }
    data = {name: value for name, value in record.items() if name not in (*answers, *_BESIDE)}
    return _Annotation(place, data, answers, record["annotator"], record)


def _has_form(value: object) -> bool:
    return isinstance(value, list) and any(
        isinstance(one, dict) and one.keys() & set(_KINDS) for one in value
    )


def _has_name(name: str, value: object) -> bool:
    return bare_name(name) in _NAMES and isinstance(value, str | int | float)


def _part(path: Path, place: str, whole: Mapping[str, Any], name: str, kind: type[_Kind]) -> _Kind:
    """Return a part of an object, which has to be of a kind."""
    part = whole.get(name)
    if not isinstance(part, kind):
        raise FileError(path, f"its '{name}' is {'missing' if part is None else _WORDS[kind]}", place=place)
    return part


def _chosen(path: Path, found: Sequence[_Annotation], control: str | None) -> str:
    """Return the control that has the ratings: the one that was named, or the only one."""
    names = {clean_name(name): name for one in found for name in one.answers}
    if control is not None:
        if control not in names.values():
            told = str(UnknownNameError("control", control, names)) if names else "nobody answered a control"
            raise FileError(path, told)
        return control
    if not names:
        raise FileError(
            path,
            "has no ratings: nobody answered a control of the kind Choices, Rating or Number; if one has "
            f"them, name it with {option('control')}",
        )
    if len(names) > 1:
        raise FileError(
            path,
            f"there are answers to {', '.join(names)}; name the one with the ratings with "
            f"{option('control')}",
        )
    return next(iter(names.values()))


def _answer(path: Path, one: _Annotation, control: str) -> str | float | None:
    """Return the one answer to a control, None if there is none."""
    given: list[Any] = []
    for value in one.answers.get(control, ()):
        inner = (
            next((value[kind] for kind in _KINDS if kind in value), value)
            if isinstance(value, dict)
            else value
        )
        given += inner if isinstance(inner, list) else [inner]
    given = [answer for answer in given if answer is not None]
    if len(given) > 1:
        raise FileError(
            path,
            f"there are several answers to '{clean_name(control)}', and a rating is one",
            place=one.place,
        )
    return _plain(path, one.place, control, given[0]) if given else None


def _plain(path: Path, place: str, name: str, value: object) -> str | float | None:
    """Return a text that can be written, or a number; None stays."""
    if isinstance(value, bool) or not isinstance(value, str | int | float | None):
        raise FileError(path, f"'{clean_name(name)}' is neither text nor a number", place=place)
    if isinstance(value, str) and not _is_unicode(value):
        raise FileError(path, f"'{clean_name(name)}' has half a character; mend the export", place=place)
    return value


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _annotator(path: Path, one: _Annotation) -> str:
    told = one.annotator.get("id") if isinstance(one.annotator, dict) else one.annotator
    shown = str(told) if isinstance(told, int | str) and not isinstance(told, bool) else ""
    if not (shown.isascii() and shown.isdecimal()):
        raise FileError(
            path,
            "the annotator has no number; where an e-mail address stands in its stead, export the project as "
            "JSON and not as JSON_MIN",
            place=one.place,
        )
    return shown


def _time(path: Path, one: _Annotation) -> str | None:
    told = one.told.get("updated_at") or one.told.get("created_at")
    if told is None:
        return None
    try:
        time = datetime.fromisoformat(told)
        return (
            (time if time.tzinfo else time.replace(tzinfo=UTC))
            .astimezone(UTC)
            .isoformat(timespec="milliseconds")
        )
    except (TypeError, ValueError, OverflowError):
        raise FileError(path, "the time of the annotation is none", place=one.place) from None


def _seconds(path: Path, one: _Annotation) -> float | None:
    told = one.told.get("lead_time")
    if told is None:
        return None
    seconds = to_number(told)
    if isinstance(told, bool) or math.isnan(seconds):
        raise FileError(path, "its 'lead_time' is no number of seconds", place=one.place)
    return seconds
