"""Crashes before each change to the file system, as a kill or a power cut would cause them."""

import os
import sys
from pathlib import Path

from tests.support.processes import run

_PROGRAM = """
import os, sys

CHANGES = {"os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.truncate", "open"}
left, armed = int(sys.argv[1]), False

def hook(event, arguments):
    global left
    if not armed or event not in CHANGES:
        return
    if event == "open" and not (arguments[2] or 0) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
        return
    if not left:
        os._exit(9)
    left -= 1

sys.addaudithook(hook)
{setup}
armed = True
{work}
armed = False
"""


def crashes(setup: str, work: str, folder: Path, *, number: int) -> bool:
    """Run work in a process that ends before its change with that number; return whether it came so far."""
    program = _PROGRAM.replace("{setup}", setup).replace("{work}", work)
    packages = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = run([sys.executable, "-c", program, str(number)], cwd=folder, env=packages)
    assert done.returncode in (0, 9), done.stderr
    return done.returncode == 9
