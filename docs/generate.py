"""Writes the generated page of the docs, cli.md, out of the commands themselves."""

import enum
import typing
from pathlib import Path
from typing import Any

import typer

from medgauge.cli.main import app

PAGE = Path(__file__).with_name("cli.md")
HEAD = """# The commands

Every command exits with 0, with 1 when it failed (one sentence on stderr says why), or with 2 when it was
called wrongly. Results go to stdout, remarks to stderr. This page is generated: `make docs`.
"""


def choices(kind: Any) -> list[str]:
    """Name the values that an option can have, if they are given."""
    kind = typing.get_args(kind)[0] if typing.get_origin(kind) is typing.Annotated else kind
    if typing.get_origin(kind) is typing.Literal:
        return list(typing.get_args(kind))
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return [str(member.value) for member in kind]
    return []


def describe(path: list[str], command: Any) -> str:
    """Write a command's section."""
    about, _, example = (command.help or "").partition("Example: ")
    kinds = typing.get_type_hints(command.callback, include_extras=True)
    rows = []
    for parameter in command.params:
        if parameter.name == "help":
            continue
        is_option = parameter.opts[0].startswith("--")
        name = parameter.opts[0] if is_option else parameter.opts[0].upper()
        values = choices(kinds.get(parameter.name))
        said = [parameter.help or ""]
        if values:
            said.append(f"One of {', '.join(values)}.")
        if parameter.required:
            said.append("Needed.")
        elif parameter.default not in (None, False, ""):
            said.append(f"Default: {getattr(parameter.default, 'value', parameter.default)}.")
        rows.append(f"| `{name}` | {' '.join(filter(None, said))} |")
    parts = [f"## {' '.join(path)}", "", " ".join(about.split())]
    if rows:
        parts += ["", "| option | meaning |", "|---|---|", *rows]
    if example:
        parts += ["", f"    {example.strip()}"]
    return "\n".join(parts)


def sections(path: list[str], command: Any) -> list[str]:
    """Write the sections of a command and those below it."""
    below = getattr(command, "commands", {})
    mine = [describe(path, command)] if command.callback and path != ["medgauge"] else []
    return mine + [part for name, one in below.items() for part in sections([*path, name], one)]


def page() -> str:
    """Write the whole page."""
    return "\n\n".join([HEAD.rstrip(), *sections(["medgauge"], typer.main.get_command(app))]) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
    print(f"written: {PAGE}")
