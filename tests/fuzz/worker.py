"""A process that is given inputs one after another, with limits, and reports each outcome at once."""

import contextlib
import faulthandler
import os
import resource
import shutil
import signal
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

from tests.fuzz.kind import Kind, content_of, put
from tests.fuzz.mutations import Mutation, mutate
from tests.fuzz.outcome import Outcome, outcome_of


@dataclass(frozen=True)
class Limits:
    """What one input may use: seconds of processor time, seconds in all, and bytes besides the program's."""

    busy: float = 10.0
    waiting: float = 120.0
    memory: int = 2 << 30


@dataclass(frozen=True)
class Batch:
    """Inputs of one kind, by their numbers."""

    kind: str
    numbers: range


@dataclass(frozen=True)
class Mutant:
    """A damaged file of an example."""

    file: str
    content: bytes
    mutations: list[Mutation]


def mutant_of(kind: Kind, example: Mapping[str, bytes], seed: int, number: int) -> Mutant:
    """Return input `number` of a kind, which depends on nothing but the seed."""
    random = Random(f"{seed} {kind.name} {number}")
    file = random.choice(kind.files)
    content, mutations = mutate(example[file], kind.mutations, random)
    return Mutant(file, content, mutations)


class Bench:
    """A folder with the example of a kind, where one file at a time is damaged and given to medgauge."""

    def __init__(self, kind: Kind, folder: Path) -> None:
        self.kind, self.folder = kind, folder
        folder.mkdir(parents=True)
        with warnings.catch_warnings(action="ignore"):
            kind.make(folder)
            self.example = content_of(folder)
            self.valid = kind.read(folder)
        self._restore()

    def try_out(self, mutant: Mutant) -> Outcome:
        """Return what medgauge does with a damaged input; leave the folder as it was."""
        put(self.folder, {mutant.file: mutant.content})
        is_same = mutant.content == self.example[mutant.file]
        outcome = outcome_of(
            self.kind, self.folder, self.valid, mutant.file, mutant.mutations, is_same=is_same
        )
        left = sorted({*self._names()} - {*self.example})
        if left and outcome.status == "refused":
            outcome = Outcome("failed", "left files behind", "", ", ".join(left))
        if left:
            self._restore()
        else:
            put(self.folder, {mutant.file: self.example[mutant.file]})
        return outcome

    def _names(self) -> list[str]:
        return [
            Path(place, name).relative_to(self.folder).as_posix()
            for place, _, names in os.walk(self.folder)
            for name in names
        ]

    def _restore(self) -> None:
        shutil.rmtree(self.folder)
        put(self.folder, self.example)


def kinds_in(module: str) -> dict[str, Kind]:
    """Return the kinds that a module declares, by name."""
    return {kind.name: kind for kind in import_module(module).KINDS}


def work(connection: Connection, module: str, seed: int, limits: Limits, folder: Path) -> None:
    """Serve batches until the connection closes, and report each outcome at once."""
    _shut_off(folder)
    kinds = kinds_in(module)
    benches: dict[str, Bench | str] = {}
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            batch = connection.recv()
            if batch.kind not in benches:
                benches[batch.kind] = _bench(kinds[batch.kind], folder / batch.kind)
            bench = benches[batch.kind]
            if isinstance(bench, str):
                connection.send(("skipped", bench))
                continue
            _said()
            _limit_memory(limits.memory)
            for number in batch.numbers:
                mutant = mutant_of(bench.kind, bench.example, seed, number)
                _limit_time(limits.busy, limits.waiting)
                outcome = bench.try_out(mutant)
                _limit_time(0, 0)
                if (said := _said()) and outcome.status != "failed":
                    outcome = Outcome("failed", "wrote to stderr", "", said)
                connection.send(("done", number, outcome))
            _limit_memory(None)
            connection.send(("finished",))


def _bench(kind: Kind, folder: Path) -> Bench | str:
    """Return the bench of a kind, or why its example is refused."""
    from medgauge.errors import MedgaugeError

    try:
        return Bench(kind, folder)
    except MedgaugeError as error:
        if not kind.optional:
            raise
        return str(error).replace(f"{folder}/", "")


def _shut_off(folder: Path) -> None:
    """Keep the user's files out, and send what is written to stderr into a file."""
    folder.mkdir(parents=True, exist_ok=True)
    os.dup2(os.open(stderr_of(folder), os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND), 2)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    # A mutant has the path of the last one: without a cache, no digest of a file is remembered.
    os.environ |= {"XDG_CACHE_HOME": os.devnull, "XDG_DATA_HOME": str(folder / "data")}
    os.environ.pop("MEDGAUGE_DATA", None)
    os.chdir(folder)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    faulthandler.enable()
    # Both signals end the process, wherever it is; the handler only writes where that was.
    for number in (signal.SIGPROF, signal.SIGALRM):
        faulthandler.register(number, all_threads=False, chain=True)


def stderr_of(folder: Path) -> Path:
    """Return the file that holds what a worker wrote to stderr."""
    return folder / "stderr"


def _said() -> str:
    """Return what was written to stderr since the last call."""
    size = os.fstat(2).st_size
    if not size:
        return ""
    said = os.pread(2, min(size, 20_000), 0).decode("utf-8", "replace")
    os.ftruncate(2, 0)
    return said


def _limit_time(busy: float, waiting: float) -> None:
    """Have the system end this process after seconds of processor time, or in all; 0 lifts a limit."""
    signal.setitimer(signal.ITIMER_PROF, busy)
    signal.setitimer(signal.ITIMER_REAL, waiting)


def _limit_memory(more: int | None) -> None:
    """Limit this process to so much more memory than it has now; None lifts the limit."""
    sizes = Path("/proc/self/statm")  # where there is none, memory is not limited
    limit = resource.RLIM_INFINITY
    if more is not None and sizes.exists():
        limit = int(sizes.read_text("ascii").split()[0]) * resource.getpagesize() + more
    resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
