"""How this medgauge was started and installed: what to type to run it again, or to install an extra."""

import json
import os
import shlex
import shutil
import sys
from pathlib import Path


def program() -> str:
    """Return the program as it was called, for commands that can be pasted.

    >>> program()
    'medgauge'
    """
    called = sys.argv[0] if sys.argv else ""
    if Path(called).parts[-2:] == ("medgauge", "__main__.py"):
        return f"{_typed(sys.executable)} -m medgauge"
    if Path(called).name != "medgauge" or not Path(called).is_file():
        return "medgauge"  # used as a library
    found = shutil.which("medgauge")
    return "medgauge" if found and Path(found).samefile(called) else _typed(called)


def install_command(extra: str) -> str:
    """Return the command that installs an extra of this medgauge into the Python that runs it.

    medgauge is not on PyPI yet: an extra comes from where medgauge itself came from, such as a clone.
    """
    source = Path(__file__).parents[2]
    if (source / "pyproject.toml").is_file():
        wanted = f"-e {shlex.quote(f'{_nearest(source)}[{extra}]')}"
    else:
        origin = _origin()
        wanted = shlex.quote(f"medgauge[{extra}] @ {origin}" if origin else f"medgauge[{extra}]")
    return f"{pip()} install {wanted}"


def pip() -> str:
    """Return the pip of the Python that runs this."""
    return f"{_typed(sys.executable)} -m pip"


def _origin() -> str | None:
    """Return the address that pip installed medgauge from, or None if that was an index of packages."""
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        noted = json.loads(distribution("medgauge").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        return None
    address, version = noted.get("url"), noted.get("vcs_info", {}).get("vcs")
    return f"{version}+{address}" if address and version else address


def _typed(path: str) -> str:
    """Return the path of a program as it can be typed in the current folder."""
    near = _nearest(Path(path))
    return shlex.quote(near if os.sep in near else f".{os.sep}{near}")


def _nearest(path: Path) -> str:
    """Return a path relative to the current folder if it is in it, otherwise an absolute one.

    Links are not followed: an environment's Python is a link to the system's.
    """
    absolute = Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow links
    here = Path.cwd()
    return str(absolute.relative_to(here)) if absolute.is_relative_to(here) else str(absolute)
