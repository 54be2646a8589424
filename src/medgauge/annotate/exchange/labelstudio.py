"""Read exports of Label Studio as a table with one row per rating.

Two formats are read: JSON, a list of tasks with `data` and `annotations`, and JSON_MIN, a list of annotations
in which a task's data and the answers are side by side.
"""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from medgauge.catalog.aliases import bare_name
from medgauge.errors import FileError, UnknownNameError, option
from medgauge.files.file_names import clean_name
from medgauge.files.opening import open_bytes, read_text
from medgauge.progress import track
from medgauge.ratings.pair_columns import PAIR, pair_columns
from medgauge.tables import Row, Table, to_number

_KINDS = ("choices", "rating", "number")
"""The controls whose answer can be a rating, by the type of a result, which also names its value."""
_NAMES = (*_KINDS, "choice", "verdict", "answer")
"""Names of such a control by which its text is recognised among the data in JSON_MIN."""
_METADATA = ("id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time", "agreement")
"""What JSON_MIN has besides data and answers."""
_WORDS = {dict: "not an object", list: "not a list"}

_Kind = TypeVar("_Kind", dict[str, Any], list[Any])


@dataclass(frozen=True)
class _Annotation:
    """An annotator's answers by the names of the controls, the data of the task, and the source record."""

    place: str
    data: Mapping[str, Any]
    answers: Mapping[str, Sequence[Any]]
    annotator: Any
    record: Mapping[str, Any]


def is_json(path: Path) -> bool:
    """Return whether a file, gzipped or not, begins like a JSON list or object."""
    with open_bytes(path) as stream:
        return stream.read(1 << 10).removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"[", b"{")


def read_label_studio(path: str | Path, *, control: str | None = None) -> Table:
    """Read an export of Label Studio (JSON or JSON_MIN) as a long table of ratings.

    A rating is the answer to a control of the kind Choices, Rating or Number: a number, or a word that tables
    of ratings may have; `control` names the control if there are several. The data of a task has the terms
    (term_1 and term_2, or other names that tables use for them), pair_id, or both, and may have set and
    label.

    Annotators are identified by their number in Label Studio: an e-mail address is personal, and would end up
    in published tables. Skipped annotations and those without an answer are ignored; drafts and predictions
    are not read. An annotation marked as ground truth counts like any other annotation. Changing an answer in
    Label Studio changes the annotation, so a second annotation of the same pair is a separate judgement; we
    cannot decide which of them counts, and reading the table refuses it. `time` is when the annotation was
    last changed, in UTC, and `seconds` is Label Studio's lead time.
    """
    path = Path(path)
    with track(f"reading {path.name}", 0):
        found = list(_annotations(path, control))
    chosen = _chosen(path, found, control)
    names = tuple(dict.fromkeys(name for one in found for name in one.data))
    columns = pair_columns(Table(path, names, []), PAIR, {})
    columns = {ours: name for ours, name in columns.items() if ours in PAIR}
    if not columns.keys() & {"pair_id", "term_1"}:
        raise FileError(path, "the data of its tasks has neither term_1 and term_2 nor pair_id")
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
        raise FileError(path, "is not an export of Label Studio: its values are nested too deeply") from None
    except json.JSONDecodeError as error:
        raise FileError(path, f"is not valid JSON ({error.msg})", place=f"line {error.lineno}") from None
    except ValueError:
        raise FileError(path, "is not valid JSON (a number has too many digits)") from None
    if not isinstance(found, list) or not all(isinstance(task, dict) for task in found):
        raise FileError(path, "is not a list of tasks, as Label Studio exports them in JSON or JSON_MIN")
    if not found:
        raise FileError(path, "has no tasks")
    return found


def _number(identifier: object, counted: int) -> str:
    """Return the number that Label Studio uses for something, or else its position, from 1."""
    shown = str(identifier) if isinstance(identifier, int | str) else ""
    return shown if shown.isascii() and shown.isdecimal() else f"number {counted}"


def _of_task(path: Path, place: str, task: dict[str, Any]) -> Iterator[_Annotation]:
    data = _part(path, place, task, "data", dict)
    for number, annotation in enumerate(_part(path, place, task, "annotations", list), 1):
        where = f"{place}, annotation {number}"
        if not isinstance(annotation, dict):
            raise FileError(path, "the annotation is not an object", place=where)
        where = f"{place}, annotation {_number(annotation.get('id'), number)}"
        if annotation.get("was_cancelled"):
            continue
        answers: dict[str, list[Any]] = {}
        for result in _part(path, where, annotation, "result", list):
            if not isinstance(result, dict):
                raise FileError(path, "a result is not an object", place=where)
            name, kind = result.get("from_name"), result.get("type")
            if kind in _KINDS and isinstance(name, str):
                answers.setdefault(name, []).append(_part(path, where, result, "value", dict))
        yield _Annotation(where, data, answers, annotation.get("completed_by"), annotation)


def _of_record(record: dict[str, Any], place: str, control: str | None) -> _Annotation:
    """Separate answers from data: by their form, by a usual name of controls, or by the name passed."""
    answers = {
        name: value if isinstance(value, list) else [value]
        for name, value in record.items()
        if name not in _METADATA and (name == control or _has_form(value) or _has_name(name, value))
    }
    data = {name: value for name, value in record.items() if name not in (*answers, *_METADATA)}
    return _Annotation(place, data, answers, record["annotator"], record)


def _has_form(value: object) -> bool:
    return isinstance(value, list) and any(
        isinstance(one, dict) and one.keys() & set(_KINDS) for one in value
    )


def _has_name(name: str, value: object) -> bool:
    return bare_name(name) in _NAMES and isinstance(value, str | int | float)


def _part(path: Path, place: str, whole: Mapping[str, Any], name: str, kind: type[_Kind]) -> _Kind:
    """Return a part of an object; refuse one of another kind."""
    part = whole.get(name)
    if not isinstance(part, kind):
        raise FileError(path, f"its '{name}' is {'missing' if part is None else _WORDS[kind]}", place=place)
    return part


def _chosen(path: Path, found: Sequence[_Annotation], control: str | None) -> str:
    """Return the control that has the ratings: the one named, or the only one."""
    names = {clean_name(name): name for one in found for name in one.answers}
    if control is not None:
        if control not in names.values():
            unknown = str(UnknownNameError("control", control, names)) if names else ""
            raise FileError(path, unknown or "nobody answered any control")
        return control
    if not names:
        raise FileError(
            path,
            "has no ratings: nobody answered a control of the kind Choices, Rating or Number; if another "
            f"control has them, name it with {option('control')}",
        )
    if len(names) > 1:
        raise FileError(
            path,
            f"there are answers to {', '.join(names)}; choose the one with the ratings with "
            f"{option('control')}",
        )
    return next(iter(names.values()))


def _answer(path: Path, one: _Annotation, control: str) -> str | float | None:
    """Return the only answer to a control, None if there is none."""
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
            f"there are several answers to '{clean_name(control)}', but a rating needs exactly one",
            place=one.place,
        )
    return _plain(path, one.place, control, given[0]) if given else None


def _plain(path: Path, place: str, name: str, value: object) -> str | float | None:
    """Return text that can be written, a number, or None; refuse anything else."""
    if isinstance(value, bool) or not isinstance(value, str | int | float | None):
        raise FileError(path, f"'{clean_name(name)}' is neither text nor a number", place=place)
    if isinstance(value, str) and not _is_unicode(value):
        raise FileError(path, f"'{clean_name(name)}' has half a character; repair the export", place=place)
    return value


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _annotator(path: Path, one: _Annotation) -> str:
    number = one.annotator.get("id") if isinstance(one.annotator, dict) else one.annotator
    shown = str(number) if isinstance(number, int | str) and not isinstance(number, bool) else ""
    if not (shown.isascii() and shown.isdecimal()):
        raise FileError(
            path,
            "the annotator has no number; if there is an e-mail address instead, export the project as JSON "
            "rather than JSON_MIN",
            place=one.place,
        )
    return shown


def _time(path: Path, one: _Annotation) -> str | None:
    text = one.record.get("updated_at") or one.record.get("created_at")
    if text is None:
        return None
    try:
        time = datetime.fromisoformat(text)
        return (
            (time if time.tzinfo else time.replace(tzinfo=UTC))
            .astimezone(UTC)
            .isoformat(timespec="milliseconds")
        )
    except (TypeError, ValueError, OverflowError):
        raise FileError(path, "the time of the annotation is not a valid time", place=one.place) from None


def _seconds(path: Path, one: _Annotation) -> float | None:
    lead_time = one.record.get("lead_time")
    if lead_time is None:
        return None
    seconds = to_number(lead_time)
    if isinstance(lead_time, bool) or math.isnan(seconds):
        raise FileError(path, "its 'lead_time' is not a number of seconds", place=one.place)
    return seconds
