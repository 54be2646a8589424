"""TOML files that users write, read as models; errors name the file and the field, in plain words."""

import re
import tomllib
from collections.abc import Sequence
from importlib.resources.abc import Traversable
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

from pydantic import AfterValidator, BaseModel, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from medgauge.errors import FileError, UnknownNameError
from medgauge.files.opening import read_text

Parsed = TypeVar("Parsed", bound=BaseModel)


def _not_blank(text: str) -> str:
    if not any(character.isprintable() and not character.isspace() for character in text):
        raise PydanticCustomError("blank", "is blank")
    return text.strip()


Text = Annotated[str, AfterValidator(_not_blank)]
"""A text that can be seen."""


class MisfitError(ValueError):
    """Fields that are each valid but inconsistent with each other; raised by validators of a model."""

    def __init__(self, place: str, problem: str) -> None:
        self.place, self.problem = place, problem
        super().__init__(f"{place}: {problem}")


def shipped_or_file(source: str | Path, folder: Traversable, names: Sequence[str], *, what: str) -> str:
    """Return the text of a shipped TOML file, by its name, or of a file of the user's."""
    if isinstance(source, str) and source in names:
        return (folder / f"{source}.toml").read_text("utf-8")
    path = Path(source)
    if not path.exists() and path.suffix == "":
        raise UnknownNameError(f"{what} (or file)", str(source), names)
    return read_text(path)


def parse_toml(model: type[Parsed], text: str, path: str | Path, *, what: str) -> Parsed:
    """Parse TOML as a model; `what` names it in messages, such as "a protocol".

    Errors name the path and the field, with list entries counted from 1, or the line of what is not TOML.

    >>> class Study(BaseModel):
    ...     seed: int
    >>> parse_toml(Study, "seed = 'x'", "study.toml", what="a study")
    Traceback (most recent call last):
    medgauge.errors.FileError: study.toml, seed: is not a whole number
    """
    try:
        fields = tomllib.loads(text)
    except RecursionError:
        raise FileError(path, f"is not {what}: its values are nested too deeply") from None
    except ValueError as error:
        problem_in_toml, _, where = str(error).partition(" (at ")
        line = re.match(r"line \d+", where)
        last = f"line {len(text.splitlines())}" if where.startswith("end") else None
        place = line[0] if line else last
        raise FileError(path, f"is not valid TOML ({problem_in_toml})", place=place) from None
    return checked_fields(model, fields, path, what=what)


def checked_fields(model: type[Parsed], fields: dict[str, Any], path: str | Path, *, what: str) -> Parsed:
    """Return fields as a model; errors are as those of `parse_toml`."""
    try:
        return model.model_validate(fields)
    except ValidationError as error:
        # A misspelt field is also a missing field, and the misspelling is more helpful.
        problem = min(error.errors(), key=lambda one: one["type"] != "extra_forbidden")
        place, message = _in_words(model, problem)
        raise FileError(path, message, place=place) from None
    except RecursionError:
        raise FileError(path, f"is not {what}: its values are nested too deeply") from None


_WORDS = {
    "missing": "is missing",
    "string_type": "is not text; put it in quotes",
    "float_type": "is not a number",
    "finite_number": "is not a finite number",
    "float_parsing": "is not a number",
    "int_type": "is not a whole number",
    "int_parsing": "is not a whole number",
    "int_from_float": "is not a whole number",
    "bool_type": "is neither true nor false",
    "bool_parsing": "is neither true nor false",
    "literal_error": "must be {expected}",
    "tuple_type": "is not a list",
    "dict_type": "is not a table of fields",
    "model_type": "is not a table of fields",
    "too_short": "has {actual_length} entries, and needs at least {min_length}",
    "too_long": "has more than {max_length} entries",
    "greater_than": "is not above {gt:g}",
    "greater_than_equal": "is below {ge:g}",
    "less_than": "is not below {lt:g}",
    "less_than_equal": "is above {le:g}",
}


def _in_words(model: type[BaseModel], problem: ErrorDetails) -> tuple[str | None, str]:
    """Return the place of a problem that pydantic found, and a plain description of it."""
    found = problem.get("ctx", {})
    misfit = found.get("error")
    if isinstance(misfit, MisfitError):
        return misfit.place, misfit.problem
    *above, last = problem["loc"]
    if problem["type"] == "extra_forbidden":
        part = _part_at(model, above)
        return _place(above), str(UnknownNameError("field", str(last), part.model_fields))
    words = _WORDS.get(problem["type"])
    return _place(problem["loc"]), words.format(**found) if words else problem["msg"]


def _part_at(model: type[BaseModel], above: Sequence[str | int]) -> type[BaseModel]:
    """Return the model at a place within another."""
    for name in above:
        if isinstance(name, str):
            model = _model_in(model.model_fields[name].annotation) or model
    return model


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """Return the model that a field holds, by itself, in a list or optionally."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    if get_origin(annotation) in (Annotated, Union, UnionType, tuple, list):
        return next(filter(None, map(_model_in, get_args(annotation))), None)
    return None


def _place(parts: Sequence[str | int]) -> str | None:
    """Write a place as it appears in the TOML, entries counted from 1; None for the whole file."""
    written = "".join(f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in parts)
    return written.removeprefix(".") or None
