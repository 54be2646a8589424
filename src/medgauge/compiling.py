"""Where numba keeps compiled code: beside it or in the user's cache, else in a folder of this process."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

_VARIABLE = "NUMBA_CACHE_DIR"


def find_place(package: Path) -> None:
    """See that there is a place for compiled code before numba looks for one, since it fails without.

    In a container neither the package nor a home may be writable; then code is compiled in each process.
    """
    if os.environ.get(_VARIABLE) or os.access(package, os.W_OK):
        return
    cache = Path(os.path.expanduser("~"), ".cache")  # noqa: PTH111 - Path.home fails for a user without one
    existing = next(path for path in (cache, *cache.parents) if path.exists())
    if cache.is_absolute() and os.access(existing, os.W_OK):
        return
    folder = tempfile.mkdtemp(prefix="medgauge-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ[_VARIABLE] = folder
