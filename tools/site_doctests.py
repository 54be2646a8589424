"""A griffe extension that shows doctests in docstrings as Python sessions, not as quotations."""

import re
from typing import Any

from griffe import Extension, Object

_DOCTEST = re.compile(r"^(?P<indent> *)>>> .*\n?(?:(?P=indent)(?! *$).*\n?)*", re.MULTILINE)


class FencedDoctests(Extension):
    """Put each doctest of a docstring into a fenced code block."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Fence the doctests in the docstring of one object."""
        if obj.docstring and "```" not in obj.docstring.value:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    """Return the text with a fence around each doctest, which ends at a blank line."""

    def fence(match: re.Match[str]) -> str:
        indent = match["indent"]
        return f"{indent}```pycon\n{match[0].rstrip()}\n{indent}```\n"

    return _DOCTEST.sub(fence, text)
