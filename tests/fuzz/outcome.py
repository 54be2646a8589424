"""What medgauge did with a damaged input: accepted it, refused it in one sentence, or failed."""

import re
import traceback
import unicodedata
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import typer

from medgauge.errors import MedgaugeError, MedgaugeWarning
from tests.fuzz.kind import SECRET, Kind
from tests.fuzz.mutations import Mutation

Status = Literal["accepted", "refused", "failed"]
LONGEST = 600
"""Characters of a message, not counting the folder that its path begins with."""

_SOURCE = re.compile(r'medgauge/([\w/]+\.py)", line (\d+)')


@dataclass(frozen=True)
class Outcome:
    """What happened to one input: the problem of a failure, its place in the source, and what was said."""

    status: Status
    problem: str = ""
    where: str = ""
    detail: str = ""


def outcome_of(
    kind: Kind, folder: Path, valid: object, changed: str, mutations: list[Mutation], *, is_same: bool
) -> Outcome:
    """Give a folder's example to medgauge, and judge what it does.

    `valid` is what it understood from the valid example; `changed` is the file with the `mutations`, which
    `is_same` as before if they cancelled each other.
    """
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            result = kind.read(folder)
        except (MedgaugeError, typer.BadParameter) as error:
            outcome = _refusal(kind, folder, changed, error)
        except Exception as error:
            return _failure(_kind_of_error(error), folder, error)
        else:
            outcome = _acceptance(kind, valid, result, mutations, is_same=is_same)
    for one in warned:
        if outcome.status == "failed" or issubclass(one.category, DeprecationWarning | ResourceWarning):
            continue
        if not issubclass(one.category, MedgaugeWarning):
            place = f"{Path(one.filename).name}:{one.lineno}"
            outcome = Outcome("failed", f"warned as {one.category.__name__}", place, str(one.message))
        elif problem := _problem_of_message(_shortened(str(one.message), folder)):
            outcome = Outcome("failed", f"a warning {problem}", "", str(one.message))
    return outcome


def death(code: int | None, said: str) -> Outcome:
    """Return the outcome of an input that ended its process, by the exit code and by what was on stderr."""
    import signal

    name = signal.Signals(-code).name if code is not None and code < 0 else f"exit code {code}"
    problem = "hung" if name in ("SIGPROF", "SIGALRM") else f"ended the process ({name})"
    places = _SOURCE.findall(said)
    # faulthandler lists the innermost frame first.
    where = f"{places[0][0]}:{places[0][1]}" if places else ""
    return Outcome("failed", problem, where, said)


def _acceptance(
    kind: Kind, valid: object, result: object, mutations: list[Mutation], *, is_same: bool
) -> Outcome:
    meanings = [one.meaning for one in mutations]
    if meanings == ["contradiction"] and not is_same and result != valid:
        return Outcome("failed", "accepted although it contradicts itself", mutations[0].name)
    if kind.sealed and set(meanings) == {"damage"} and result != valid:
        return Outcome("failed", "accepted with other content", ", ".join(one.name for one in mutations))
    if isinstance(result, str) and SECRET in result.lower():
        return Outcome("failed", "stored a term", "", result)
    return Outcome("accepted")


def _refusal(kind: Kind, folder: Path, changed: str, error: Exception) -> Outcome:
    message = error.format_message() if isinstance(error, typer.BadParameter) else str(error)
    shown = _shortened(message, folder)
    problem = _problem_of_message(shown)
    is_named = Path(changed).name in message or str(folder) in message
    if not problem and kind.is_file and not is_named:
        problem = "names no file"
    return _failure(f"a message {problem}", folder, error) if problem else Outcome("refused", detail=message)


def _problem_of_message(shown: str) -> str | None:
    if not shown.strip():
        return "is empty"
    if len(shown) > LONGEST:
        return "is too long"
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in shown):
        return "has control characters"
    if SECRET in shown.lower():
        return "repeats a term"
    return None


def _shortened(message: str, folder: Path) -> str:
    return message.replace(f"{folder}/", "")


def _kind_of_error(error: Exception) -> str:
    return "needed too much memory" if isinstance(error, MemoryError) else f"raised {type(error).__name__}"


def _failure(problem: str, folder: Path, error: Exception) -> Outcome:
    said = "".join(traceback.format_exception(error, limit=-12))
    places = _SOURCE.findall("".join(traceback.format_tb(error.__traceback__)))
    where = f"{places[-1][0]}:{places[-1][1]}" if places else ""
    return Outcome("failed", problem, where, said.replace(str(folder), "…"))
