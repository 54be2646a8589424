"""Folders for what is only needed while something is computed: private, and removed whatever happens."""

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from secrets import token_hex

from medgauge.files.private import private_folder
from medgauge.files.writing import lock_folder


@contextmanager
def scratch_folder(name: str) -> Iterator[Path]:
    """Yield an empty folder with the mode 0700 below one of this name, which is removed after the block.

    A kill leaves it; the next call removes what no process holds any more.
    """
    for left in private_folder(name).iterdir():
        with suppress(FileNotFoundError), lock_folder(left) as is_mine:  # its owner may just have ended
            if is_mine:
                shutil.rmtree(left, ignore_errors=True)
    with ExitStack() as lock:
        folder = _locked_folder(lock, name)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _locked_folder(lock: ExitStack, name: str) -> Path:
    """Make a folder and lock it; another process that starts may remove it between the two."""
    while True:
        folder = private_folder(name, token_hex(16))
        with suppress(FileNotFoundError):
            if lock.enter_context(lock_folder(folder)):
                return folder
