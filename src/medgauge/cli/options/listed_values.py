"""Several values after one option, as the shell writes them for vectors/*.bin."""

from collections.abc import Collection, Sequence
from typing import Any

from typer.core import TyperCommand


class ListingCommand(TyperCommand):
    """A command without arguments, so that values in a row can only belong to the option before them."""

    def parse_args(self, context: Any, args: list[str]) -> list[str]:
        """Parse the command line, with each option that repeats before each of its values."""
        repeating = {name for one in self.params if getattr(one, "multiple", False) for name in one.opts}
        return super().parse_args(context, repeated(args, repeating))


def repeated(args: Sequence[str], options: Collection[str]) -> list[str]:
    """Return arguments with an option before each further value that follows its first one.

    >>> repeated(["--model", "a.bin", "b.bin", "--out", "runs", "c.bin"], {"--model"})
    ['--model', 'a.bin', '--model', 'b.bin', '--out', 'runs', 'c.bin']
    """
    found: list[str] = []
    current: str | None = None  # the option that values belong to
    waiting = False  # for its first value
    for place, one in enumerate(args):
        if one == "--":
            return [*found, *args[place:]]
        name, _, given = one.partition("=")
        if one.startswith("-") and len(one) > 1:
            current, waiting = name if name in options else None, not given
        elif current is not None:
            if not waiting:
                found.append(current)
            waiting = False
        found.append(one)
    return found
