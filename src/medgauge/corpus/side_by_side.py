"""Reads parts of a corpus in several processes at once, and yields what is in them in the order of the parts.

Parsing XML keeps Python's interpreter busy, so threads would wait for each other. Each process puts the rows
of a part into files of a private folder, from which they are taken in order; only a few parts are read ahead.
"""

import json
import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from typing import Any

import polars as pl

from medgauge.corpus.parts import PartRows, PartUnread, SourcePart, read_part
from medgauge.corpus.stored_corpus import UnreadPart
from medgauge.corpus.taggers import Tagger
from medgauge.engines.scratch import scratch_folder
from medgauge.errors import FileError, InputError, MedgaugeError
from medgauge.files.helper_process import Helper, start_helper, stop_helper

InPart = tuple[SourcePart, PartRows | PartUnread]

_SMALL = 32 << 20  # bytes of sources that are read before other processes have started
_AHEAD = 2  # parts for each process
_PROGRAM = ("-m", "medgauge.corpus.part_process")


def read_parts(
    parts: Sequence[SourcePart],
    tagger: Tagger | None = None,
    *,
    strict: bool = False,
    workers: int | None = None,
) -> Iterator[InPart]:
    """Yield what is in each part, in their order; the result does not depend on the number of workers."""
    is_small = workers is None and sum(part.size for part in parts) < _SMALL
    workers = min(workers or os.cpu_count() or 1, len(parts))
    if workers < 2 or is_small:
        for part in parts:
            for found in read_part(part, tagger, strict=strict):
                yield part, found
        return
    with scratch_folder("corpus") as folder:
        order = {"folder": str(folder), "tagger": tagger and tagger.spec, "strict": strict}
        with _started(workers, parts, order) as answers:
            for part, waiting, taken in answers:
                yield from ((part, found) for found in _taken(part, waiting))
                taken()


def _taken(part: SourcePart, answers: "Queue[dict[str, Any]]") -> Iterator[PartRows | PartUnread]:
    """Yield what a process answers about a part, until it has read it all."""
    while True:
        answer = answers.get()
        if "rows" in answer:
            path = Path(answer["rows"])
            rows = pl.read_ipc(path)
            path.unlink()
            yield PartRows(rows, answer["position"])
        elif "unread" in answer:
            yield PartUnread(answer["unread"], [UnreadPart(**one) for one in answer["parts"]])
            return
        else:
            raise _error(part, answer)


def _error(part: SourcePart, answer: dict[str, Any]) -> MedgaugeError:
    if "problem" in answer:
        return FileError(answer["path"], answer["problem"], place=answer["place"])
    if "message" in answer:
        return InputError(answer["message"])
    name = part.files[0].path if len(part.files) == 1 else part.files[0].path.parent
    return FileError(name, "reading it ended the process that tried; use fewer workers if memory is short")


@contextmanager
def _started(workers: int, parts: Sequence[SourcePart], order: dict[str, Any]) -> Iterator[Iterator[Any]]:
    """Start processes, each with a thread that gives it parts; end them after the block."""
    answers: list[Queue[dict[str, Any]]] = [Queue() for _ in parts]
    numbers = iter(range(len(parts)))
    next_number = threading.Lock()
    room = threading.Semaphore(workers * _AHEAD)
    stopped = threading.Event()
    processes = [start_helper(_PROGRAM, {"POLARS_MAX_THREADS": "1"}) for _ in range(workers)]

    def serve(process: Helper) -> None:
        while room.acquire() and not stopped.is_set():
            with next_number:
                number = next(numbers, None)
            if number is None:
                return
            for answer in _answers(process, number, parts[number], order):
                answers[number].put(answer)

    threads = [threading.Thread(target=serve, args=(process,), daemon=True) for process in processes]
    try:
        for thread in threads:
            thread.start()
        yield zip(parts, answers, [room.release] * len(parts), strict=True)
    finally:
        stopped.set()
        for process in processes:
            process.kill()
        for _ in threads:
            room.release()
        for thread in threads:
            thread.join()
        for process in processes:
            stop_helper(process)


def _answers(
    process: Helper, number: int, part: SourcePart, order: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    """Have a process read a part, and yield its answers; the last is an error if it ended."""
    assert process.stdin is not None
    assert process.stdout is not None
    files = [[str(file.path), file.form, file.layout] for file in part.files]
    try:
        process.stdin.write(
            json.dumps({**order, "number": number, "source": part.source, "files": files}) + "\n"
        )
        process.stdin.flush()
        for line in process.stdout:
            answer = json.loads(line)
            yield answer
            if "rows" not in answer:
                return
    except (OSError, ValueError):  # it was killed while it was written to, or while it answered
        pass
    yield {"ended": True}
