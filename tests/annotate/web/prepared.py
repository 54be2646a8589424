"""Servers that start at once: forked from a process that has loaded what they need, once for all tests."""

import multiprocessing
import os
import sys
from collections.abc import Sequence
from multiprocessing.connection import Connection

import uvicorn  # noqa: F401 - loaded for the servers

from tests.support.annotators import Server

_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload([__name__])


class PreparedServer(Server):
    """A server that is used like any other."""

    def start(self, arguments: Sequence[str]) -> "_Forked":  # type: ignore[override] # has what is used of Popen
        """Fork a process that runs the code."""
        return _Forked(self.code, arguments)


class _Forked:
    def __init__(self, code: str, arguments: Sequence[str]) -> None:
        receiving, sending = _FORKS.Pipe(duplex=False)
        self._process = _FORKS.Process(target=_run, args=(code, arguments, sending), daemon=True)
        self._process.start()
        sending.close()
        self.stdout = os.fdopen(os.dup(receiving.fileno()), encoding="utf-8")
        receiving.close()

    @property
    def pid(self) -> int | None:
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def kill(self) -> None:
        self._process.kill()

    def communicate(self, timeout: float) -> tuple[str, None]:
        with self.stdout:
            said = self.stdout.read()
        self._process.join(timeout)
        return said, None


def _run(code: str, arguments: Sequence[str], output: Connection) -> None:
    """Run code as `python -c` would, with all that it prints on one pipe."""
    for stream in (1, 2):
        os.dup2(output.fileno(), stream)
    output.close()
    sys.argv = ["-c", *arguments]
    exec(code, {"__name__": "__main__"})
