"""Processes that tests start: each has default signals and a time limit."""

import signal
import socket
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PATIENCE = 120.0
"""Seconds that a process may take, even on a busy machine that compiles everything again."""

Words = Sequence[str | Path]
Process = subprocess.Popen[str]


def give_children_default_signals() -> None:
    """Catch the signals that this process ignores, and do nothing about them.

    A new program inherits an ignored signal, but not a caught one. Under nohup, a server would otherwise
    ignore the signal that a test ends it by.
    """
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, _do_nothing)


def _do_nothing(_number: int, _frame: object) -> None:
    pass


def run(command: Words, *, timeout: float = PATIENCE, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a program to its end and return what it wrote, as text."""
    return subprocess.run(command, timeout=timeout, **{"capture_output": True, "text": True, **options})


@contextmanager
def running(command: Words, *, timeout: float = PATIENCE, **options: Any) -> Iterator[Process]:
    """Run a program during the block, then wait for it; kill it if the block fails or it takes too long."""
    with subprocess.Popen(command, text=True, **options) as process:
        try:
            yield process
            process.wait(timeout)
        finally:
            process.kill()


def free_port() -> int:
    """Return a free port."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])
