"""Making the database of a study, which appears whole or not at all."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

from medgauge.annotate.store.database import clear_errors, connect, log_ahead
from medgauge.annotate.store.schema import migrate
from medgauge.annotate.store.study import Assigned, Pair, Study
from medgauge.errors import FileError, InputError
from medgauge.files import lock_folder, writing


def create_database(
    path: Path,
    study: Study,
    pairs: Sequence[Pair],
    tasks: Mapping[str, Sequence[Assigned]],
    *,
    coordinator: str,
) -> None:
    """Write a study with its pairs, its annotators and what each is to rate; a study that is there stays.

    Annotators are numbered from 1 in their order; the coordinator, who has no tasks, comes last.
    """
    if not study.name.strip():
        raise InputError("a study needs a name")
    if not pairs or not tasks:
        raise InputError("a study needs pairs, and annotators to rate them")
    if not all(name.strip() for name in (*tasks, coordinator)) or coordinator in tasks:
        raise InputError("each annotator and the coordinator need a name of their own")
    for name, assigned in tasks.items():
        _check_tasks(name, assigned, len(pairs))
    if len({pair.pair_id for pair in pairs}) < len(pairs):
        raise InputError("the pairs of a study need a pair_id each, and two have the same")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with lock_folder(path.parent) as is_mine:
            if not is_mine:
                raise InputError(f"{path.parent} is in use by another process; wait for it")
            # A log that was left behind would be taken for that of the new database.
            if any(path.with_name(path.name + end).exists() for end in ("", "-wal", "-shm", "-journal")):
                raise InputError(f"{path.parent} holds a study already; choose another folder")
            with writing(path) as temporary, clear_errors(path):
                temporary.touch(exist_ok=False)
                with closing(connect(temporary)) as connection:
                    migrate(connection)
                    connection.execute("PRAGMA foreign_keys = ON")
                    connection.execute("BEGIN")
                    _fill(connection, study, pairs, tasks, coordinator)
                    connection.execute("COMMIT")
                    log_ahead(connection, path)
    except OSError as error:
        raise FileError(path, f"cannot be written ({error.strerror})") from error


def _check_tasks(name: str, assigned: Sequence[Assigned], pairs: int) -> None:
    """Refuse tasks that cannot be walked through in their order, page after page."""
    places = [task.place for task in assigned]
    pages = [task.page for task in assigned]
    if not assigned or places != list(range(len(places))):
        raise InputError(f"the tasks of annotator '{name}' need the places 0, 1, 2, … in this order")
    if pages != sorted(pages) or set(pages) != set(range(1, max(pages) + 1)):
        raise InputError(f"the tasks of annotator '{name}' need the pages 1, 2, … in this order")
    if not all(0 <= task.pair < pairs for task in assigned):
        raise InputError(f"the tasks of annotator '{name}' have a pair that is none of the study's {pairs}")
    if not {task.role for task in assigned} <= {"own", "consistency", "duplicate"}:
        raise InputError(f"the tasks of annotator '{name}' have a role that is not known")


def _fill(
    connection: sqlite3.Connection,
    study: Study,
    pairs: Sequence[Pair],
    tasks: Mapping[str, Sequence[Assigned]],
    coordinator: str,
) -> None:
    design = json.dumps(study.design, ensure_ascii=False)
    connection.execute(
        "INSERT INTO study (id, name, created, protocol, seed, design, paused) VALUES (1, ?, ?, ?, ?, ?, ?)",
        (study.name, study.created, study.protocol, study.seed, design, study.paused),
    )
    connection.executemany(
        "INSERT INTO pair (number, pair_id, term_1, term_2, set_name, label, further)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            (
                number,
                pair.pair_id,
                pair.term_1,
                pair.term_2,
                pair.set_name,
                pair.label,
                json.dumps(pair.further, ensure_ascii=False),
            )
            for number, pair in enumerate(pairs)
        ),
    )
    connection.executemany(
        "INSERT INTO annotator (number, name, coordinator) VALUES (?, ?, ?)",
        ((number, name, name == coordinator) for number, name in enumerate((*tasks, coordinator), 1)),
    )
    for number, assigned in enumerate(tasks.values(), 1):
        connection.executemany(
            "INSERT INTO page (annotator, page) VALUES (?, ?)",
            ((number, page) for page in range(1, assigned[-1].page + 1)),
        )
        connection.executemany(
            "INSERT INTO task (annotator, place, page, pair, role, flipped) VALUES (?, ?, ?, ?, ?, ?)",
            ((number, task.place, task.page, task.pair, task.role, task.flipped) for task in assigned),
        )
