"""Where numba keeps compiled code: next to the source, in the user's cache, or in a temporary folder."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

_VARIABLE = "NUMBA_CACHE_DIR"


def find_place(package: Path) -> None:
    """Make sure that there is a place for compiled code before numba looks for one, as it fails without.

    In a container neither the package nor a home may be writable; each process then compiles its own code.
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
