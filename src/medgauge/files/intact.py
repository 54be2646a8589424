"""Whether a Parquet file is intact, found out before this process decodes it.

One flipped bit in a Parquet file can give other values, or make Polars abort the process, which nothing in it
can prevent. So `seal` puts a SHA-256 over all other bytes into the files that medgauge writes: after the
column data and before the footer, where readers of Parquet, which go by offsets, do not look, and where no
program copies it from when it writes the table again. Files without a seal are first read by a child
process, which is started once and serves until this process ends.
"""

import atexit
import hashlib
import json
import os
import threading
import time
from pathlib import Path
from typing import IO

from medgauge.files.helper_process import Helper, start_helper, stop_helper

_MARK = b"medgauge"
_TAIL = 8  # bytes at the end of a Parquet file: the length of the footer, and PAR1
_BLOCK = 1 << 20
_LARGE = 64 << 20  # bytes of a file after which the child ends, so that its memory is free again
_PATIENCE = 60.0  # seconds for the child to read a file, and as many more as a slow disk may need
_SLOWEST = 10e6  # bytes per second
_SETTLED = 2_000_000_000  # nanoseconds after which a second change shows in a file's time stamps
_CHILD = Path(__file__).with_name("trial_read.py")


def seal(path: Path) -> None:
    """Add the digest of a Parquet file to it."""
    with path.open("r+b") as stream:
        place = _footer_place(stream)
        digest = _digest(stream, place, place)
        stream.seek(place)
        footer = stream.read()
        stream.seek(place)
        stream.write(_MARK + digest + footer)


def is_sealed(path: Path) -> bool | None:
    """Return whether a file has the content for which it was sealed; None if it has no seal."""
    with path.open("rb") as stream:
        place = _footer_place(stream)
        start = place - len(_MARK) - hashlib.sha256().digest_size
        if start < 0:
            return None
        stream.seek(start)
        mark, digest = stream.read(len(_MARK)), stream.read(place - start - len(_MARK))
        return _digest(stream, start, place) == digest if mark == _MARK else None


def problem_with(path: Path) -> str | None:
    """Return why a file cannot be decoded as Parquet; None if it is sealed, or if the child could."""
    state = path.stat()
    mark = _mark_of(path)
    if mark in _found_intact:
        return None
    sealed = is_sealed(path)
    if sealed is False:
        return "its content is not what was written; restore a copy of it, or make it again"
    problem = None if sealed else _child.problem_with(path, state.st_size)
    if problem is None and time.time_ns() - max(state.st_mtime_ns, state.st_ctime_ns) > _SETTLED:
        _found_intact.add(mark)
        if sealed:
            _found_sealed.add(mark)
    return problem


def is_as_written(path: Path) -> bool:
    """Return whether a file has a seal and the content for it; quick once `problem_with` has seen it."""
    return _mark_of(path) in _found_sealed or is_sealed(path) is True


def _mark_of(path: Path) -> tuple[object, ...]:
    """Return what changes when a file does."""
    state = path.stat()
    return (path, state.st_size, state.st_mtime_ns, state.st_ctime_ns, state.st_ino)


def _footer_place(stream: IO[bytes]) -> int:
    """Return where the footer of a Parquet file begins, less than 0 if that cannot be."""
    size = stream.seek(0, os.SEEK_END)
    stream.seek(max(0, size - _TAIL))
    return size - _TAIL - int.from_bytes(stream.read(4), "little")


def _digest(stream: IO[bytes], end: int, start: int) -> bytes:
    """Compute the SHA-256 of what is before `end` and from `start`."""
    state = hashlib.sha256()
    stream.seek(0)
    while end > 0:
        block = stream.read(min(_BLOCK, end))
        state.update(block)
        end -= len(block)
    stream.seek(start)
    state.update(stream.read())
    return state.digest()


class _Child:
    """A process that reads files first; it is started when it is needed, and again when a file ended it."""

    def __init__(self) -> None:
        self._process: Helper | None = None
        self._owner = 0
        self._lock = threading.Lock()

    def problem_with(self, path: Path, size: int) -> str | None:
        """Return why a file cannot be read, None if it can or if no process can be started here."""
        with self._lock:
            try:
                if not self._is_ready():
                    return None
                answer = self._answer(f"{os.fsencode(path.absolute()).hex()}\n", size)
            except (
                BaseException
            ):  # what it answers later must not be taken for the answer to the next question
                self.stop()
                raise
            if not answer or size > _LARGE:
                self.stop()
            if not answer:
                return "the file is damaged: reading it ended the process that tried"
            problem: str | None = json.loads(answer)
            return problem

    def _is_ready(self) -> bool:
        """Start the process unless it runs; a fork has that of its parent."""
        if self._process is not None and self._owner == os.getpid() and self._process.poll() is None:
            return True
        self.stop()
        self._owner = os.getpid()
        try:
            self._process = start_helper([_CHILD])
        except OSError:
            return False
        assert self._process.stdout is not None
        if self._process.stdout.readline() == "ready\n":
            return True
        self.stop()
        return False

    def _answer(self, question: str, size: int) -> str:
        """Return what the process answers, nothing if it ended or takes too long for a file of this size."""
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        timer = threading.Timer(_PATIENCE + size / _SLOWEST, self._process.kill)
        timer.start()
        try:
            self._process.stdin.write(question)
            self._process.stdin.flush()
            return self._process.stdout.readline()
        except BrokenPipeError:
            return ""
        finally:
            timer.cancel()

    def stop(self) -> None:
        """End the process, if it runs."""
        if self._process is not None and self._owner == os.getpid():
            stop_helper(self._process)
        self._process = None


_found_intact: set[tuple[object, ...]] = set()
_found_sealed: set[tuple[object, ...]] = set()
_child = _Child()
atexit.register(_child.stop)
