"""Python processes that serve this one until it ends, over pipes; they see the same packages."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

Helper = subprocess.Popen[str]


def start_helper(arguments: Sequence[str | Path], environment: Mapping[str, str] | None = None) -> Helper:
    """Start Python with some arguments; it reads and writes lines of ASCII, and its errors go nowhere."""
    # -P and no "" keep out modules of the current folder.
    packages = os.pathsep.join(folder for folder in sys.path if folder)
    return subprocess.Popen(
        [sys.executable or "", "-P", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="ascii",
        env={**os.environ, "PYTHONPATH": packages, **(environment or {})},
        start_new_session=True,  # Ctrl-C is for this process
    )


def stop_helper(process: Helper) -> None:
    """End a process that was started so, and close its pipes."""
    process.kill()
    with suppress(BrokenPipeError), process:
        pass
