"""Processes that split texts, so that the one that drives a GPU is not kept waiting.

The pieces of a text are Python's objects before they are an array. While they are made, Python's lock is
held, and a thread that starts the work of a GPU waits for it. One process splits hardly more texts than a GPU
encodes; several split more.
"""

import json
import os
import weakref
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from threading import Lock

import numpy as np

from medgauge.arrays import Integers, Places
from medgauge.files.helper_process import Helper, start_helper, stop_helper

_PROGRAM = Path(__file__).with_name("splitting_program.py")
_COUNT, _SIZE = np.dtype(np.int64), np.dtype(np.int32)
_CORES = 4  # processors for each process, of which its threads leave one to the GPU's thread
_MOST = 4  # processes


class SplittingProcesses:
    """Split texts by a tokenizer in other processes, which start with the first texts.

    They end with this process, or when nothing refers to this object any more.
    """

    def __init__(self, tokenizer: str) -> None:
        self._tokenizer = tokenizer
        self._started: list[Helper] = []
        self._failed = False
        self._one_at_a_time = Lock()

    def split(self, texts: Sequence[str]) -> tuple[Places, Integers] | None:
        """Return the pieces of texts, one after another, and how many each has; None if a process ended."""
        with self._one_at_a_time:
            if self._failed:
                return None
            try:
                return self._asked(texts)
            except (OSError, ValueError):  # one ended, or could not be started
                self._end()
                return None
            except BaseException:  # answers that nobody reads are left in the pipes
                self._end()
                raise

    def _asked(self, texts: Sequence[str]) -> tuple[Places, Integers]:
        if not self._started:
            self._start()
        limits = np.linspace(0, len(texts), len(self._started) + 1).astype(int).tolist()
        parts = [texts[first:end] for first, end in pairwise(limits)]
        for process, part in zip(self._started, parts, strict=True):
            _tell(process, list(part))
        answers = [_answer(process, len(part)) for process, part in zip(self._started, parts, strict=True)]
        ids, lengths = (np.concatenate(column) for column in zip(*answers, strict=True))
        return ids, lengths.astype(np.int64)

    def _end(self) -> None:
        self._failed = True
        for process in self._started:
            stop_helper(process)

    def _start(self) -> None:
        for _ in range(min(max((os.cpu_count() or 1) // _CORES, 1), _MOST)):
            process = start_helper([_PROGRAM], {"RAYON_NUM_THREADS": str(_CORES - 1)})
            weakref.finalize(self, stop_helper, process)
            self._started.append(process)
            _tell(process, self._tokenizer)


def _tell(process: Helper, what: object) -> None:
    assert process.stdin is not None
    process.stdin.write(json.dumps(what) + "\n")
    process.stdin.flush()


def _answer(process: Helper, texts: int) -> tuple[Places, Places]:
    assert process.stdout is not None
    answer = process.stdout.buffer  # type: ignore[attr-defined]  # of a TextIOWrapper
    found, pieces = np.frombuffer(answer.read(2 * _COUNT.itemsize), _COUNT)
    if found != texts:
        raise ValueError("another number of texts")
    lengths = np.frombuffer(answer.read(int(found) * _SIZE.itemsize), _SIZE)
    ids = np.frombuffer(answer.read(int(pieces) * _SIZE.itemsize), _SIZE)
    if ids.size != pieces or lengths.size != found or lengths.sum() != pieces:
        raise ValueError("half an answer")
    return ids, lengths
