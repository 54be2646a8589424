"""Readers with planted faults, to test the harness: each goes wrong as soon as its input is damaged."""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from medgauge.errors import FileError, InputError, MedgaugeError
from tests.fuzz.kind import SECRET, Kind
from tests.fuzz.mutations import Mutation, flip_bits

_NAME = "input.txt"
_VALID = f"{SECRET}anthoma\n".encode()
_FLIP = Mutation("flip_bits", flip_bits, "damage")


def _planted(name: str, fault: Callable[[Path], object], **options: bool) -> Kind:
    def read(folder: Path) -> object:
        path = folder / _NAME
        return "valid" if path.read_bytes() == _VALID else fault(path)

    return Kind(name, lambda folder: _write(folder / _NAME), (_NAME,), read, (_FLIP,), **options)


def _write(path: Path) -> None:
    path.write_bytes(_VALID)


def _refuse(path: Path) -> None:
    raise FileError(path, "is damaged; get it again")


def _raise(_path: Path) -> None:
    raise KeyError("term")


def _spin(_path: Path) -> None:
    while True:
        pass


def _sleep(_path: Path) -> None:
    time.sleep(3600)


def _abort(_path: Path) -> None:
    os.abort()


def _allocate(_path: Path) -> bytearray:
    return bytearray(1 << 34)


def _complain(path: Path) -> None:
    sys.stderr.write("thread panicked\n")
    sys.stderr.flush()
    _refuse(path)


def _leave(path: Path) -> None:
    path.with_name(".input.tmp").touch()
    _refuse(path)


def _leave_unnamed(_path: Path) -> None:
    raise InputError("the set 'pairs' has no pairs")


def _repeat(path: Path) -> None:
    raise FileError(path, f"there is no column '{SECRET}anthoma'")


class _UncutError(MedgaugeError):
    """An error whose message is not cut and cleaned, as that of the others is."""

    def __init__(self, message: str) -> None:
        Exception.__init__(self, message)


def _ramble(path: Path) -> None:
    raise _UncutError(f"{path}: {'x' * 10_000}")


def _colour(path: Path) -> None:
    raise _UncutError(f"{path}: there is no column '\x1b[31m'")


def _unsupported(path: Path) -> None:
    raise FileError(path, "needs an extra")


ASLEEP = "asleep"
KINDS = (
    _planted("sound", _refuse, sealed=True),
    _planted("tolerant", lambda _path: "another"),
    _planted("traceback", _raise),
    _planted("busy", _spin),
    _planted(ASLEEP, _sleep),
    _planted("abort", _abort),
    _planted("memory", _allocate),
    _planted("noise", _complain),
    _planted("leftover", _leave),
    _planted("unnamed", _leave_unnamed),
    _planted("unnamed-option", _leave_unnamed, is_file=False),
    _planted("leak", _repeat),
    _planted("long", _ramble),
    _planted("control", _colour),
    _planted("stored", lambda _path: f"{SECRET}anthoma"),
    _planted("wrong", lambda _path: "another", sealed=True),
    Kind(
        "absent",
        lambda f: _write(f / _NAME),
        (_NAME,),
        lambda f: _unsupported(f / _NAME),
        (_FLIP,),
        optional=True,
    ),
)
