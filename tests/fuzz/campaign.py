"""Runs many inputs in worker processes, replaces those that die, and collects what happened."""

import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import wait
from pathlib import Path
from unittest.mock import patch

from tests.fuzz.outcome import Outcome, death
from tests.fuzz.worker import Batch, Limits, stderr_of, work

_BATCH = 25
# One thread each: the workers are the parallelism, and a thread more would count as processor time.
_THREADS = (
    "POLARS_MAX_THREADS",
    "NUMBA_NUM_THREADS",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "RAYON_NUM_THREADS",
)


@dataclass(frozen=True)
class Failure:
    """An input that failed."""

    kind: str
    number: int
    outcome: Outcome

    @property
    def signature(self) -> tuple[str, str, str]:
        """What failures with the same cause have in common."""
        return self.kind, self.outcome.problem, self.outcome.where


@dataclass
class Findings:
    """What happened: how many inputs of each kind had each outcome, the failures, and the kinds left out."""

    counts: dict[str, Counter[str]]
    failures: list[Failure] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def total(self) -> int:
        """The number of inputs."""
        return sum(sum(count.values()) for count in self.counts.values())

    def add(self, kind: str, number: int, outcome: Outcome) -> None:
        """Count an outcome."""
        self.counts[kind][outcome.status] += 1
        if outcome.status == "failed":
            self.failures.append(Failure(kind, number, outcome))

    def distinct(self) -> list[tuple[Failure, int]]:
        """Return the first failure of each cause, with how many there are, in the order of kinds."""
        found: dict[tuple[str, str, str], list[Failure]] = {}
        order = {name: place for place, name in enumerate(self.counts)}
        for one in sorted(self.failures, key=lambda one: (order[one.kind], one.number)):
            found.setdefault(one.signature, []).append(one)
        return [(same[0], len(same)) for same in found.values()]


def batches_of(kinds: Sequence[str], inputs: int) -> Iterator[Batch]:
    """Share a number of inputs out among the kinds, in batches, each kind in turn."""
    shares = {kind: inputs // len(kinds) + (place < inputs % len(kinds)) for place, kind in enumerate(kinds)}
    for first in range(0, max(shares.values()), _BATCH):
        for kind, share in shares.items():
            if first < share:
                yield Batch(kind, range(first, min(first + _BATCH, share)))


def endless(kinds: Sequence[str], *, until: float) -> Iterator[Batch]:
    """Yield batches of each kind in turn until a moment of the monotonic clock."""
    first = 0
    while True:
        for kind in kinds:
            if time.monotonic() >= until:
                return
            yield Batch(kind, range(first, first + _BATCH))
        first += _BATCH


def run_batches(
    kinds: Sequence[str],
    batches: Iterator[Batch],
    *,
    module: str = "tests.fuzz.kinds",
    seed: int = 0,
    jobs: int = 1,
    limits: Limits | None = None,
    tell: Callable[[Findings], None] = lambda _findings: None,
) -> Findings:
    """Run batches of inputs in worker processes, and return what happened; `tell` is called now and then.

    An interrupt (Ctrl-C) ends the campaign early, with what was found until then.
    """
    findings = Findings({kind: Counter() for kind in kinds})
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="medgauge-fuzz-") as folder:
        pool = [_Crew(Path(folder, str(place)), module, seed, limits or Limits()) for place in range(jobs)]
        try:
            busy = [one for one in pool if one.give(next(batches, None))]
            while busy:
                wait([one.connection for one in busy], timeout=1)
                for one in busy:
                    one.collect(findings)
                    if one.is_free:
                        one.give(next(batches, None))
                busy = [one for one in busy if not one.is_free]
                findings.seconds = time.monotonic() - began
                tell(findings)
        except KeyboardInterrupt:
            pass
        finally:
            for one in pool:
                one.stop()
    return findings


class _Crew:
    """One worker process at a time; a dead one is replaced, and goes on after the input that killed it."""

    def __init__(self, folder: Path, module: str, seed: int, limits: Limits) -> None:
        self._folder, self._module, self._seed, self._limits = folder, module, seed, limits
        self._lives = 0
        self._batch: Batch | None = None
        self._next = 0
        self._start()

    def _start(self) -> None:
        context = get_context("spawn")
        self.connection, theirs = context.Pipe()
        self._lives += 1
        self._here = self._folder / str(self._lives)
        given = (theirs, self._module, self._seed, self._limits, self._here)
        self._process = context.Process(target=work, args=given, daemon=True)
        with patch.dict(
            os.environ, dict.fromkeys(_THREADS, "1")
        ):  # only for the worker, not for this process
            self._process.start()
        theirs.close()

    @property
    def is_free(self) -> bool:
        return self._batch is None

    def give(self, batch: Batch | None) -> bool:
        """Hand over a batch; return whether there was one."""
        self._batch = batch
        if batch is not None:
            self._next = batch.numbers.start
            with suppress(BrokenPipeError):  # `collect` sees that the worker is dead
                self.connection.send(batch)
        return batch is not None

    def collect(self, findings: Findings) -> None:
        """Take in what the worker has reported."""
        assert self._batch is not None
        try:
            while self._batch is not None and self.connection.poll():
                match self.connection.recv():
                    case ("done", number, outcome):
                        findings.add(self._batch.kind, number, outcome)
                        self._next = number + 1
                    case ("skipped", why):
                        findings.skipped[self._batch.kind] = why
                        self._batch = None
                    case _:
                        self._batch = None
        except (EOFError, ConnectionResetError):
            self._bury(findings)

    def _bury(self, findings: Findings) -> None:
        assert self._batch is not None
        self._process.join()
        said = stderr_of(self._here).read_text("utf-8", "replace") if stderr_of(self._here).exists() else ""
        if (self._process.exitcode or 0) >= 0:
            raise RuntimeError(f"the harness itself failed on {self._batch.kind}:\n{said}")
        findings.add(self._batch.kind, self._next, death(self._process.exitcode, said[-20_000:]))
        rest = range(self._next + 1, self._batch.numbers.stop)
        batch = Batch(self._batch.kind, rest) if rest else None
        self._start()
        self.give(batch)

    def stop(self) -> None:
        self.connection.close()
        self._process.terminate()
        self._process.join()
