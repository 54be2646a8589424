"""What a user writes for a model: KIND:NAME?option=value, with or without a label."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import quote, unquote

from medgauge.errors import InputError, UnknownNameError, quoted
from medgauge.files.file_names import clean_name

_KIND = re.compile(r"([a-z][a-z0-9-]+):(.*)", re.DOTALL)  # two letters or more: C:\vectors.bin is a path
_SERVICE = re.compile(r"@https?://")
_SAFE = " ,;:/?=@"  # what an option's value may have as it is


@dataclass(frozen=True)
class ModelSpec:
    """A model as it was asked for: the kind, its name or place, and options.

    `options` are those of the kind, checked when the model is loaded.
    """

    kind: str
    name: str
    options: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        """Return the spec as it can be written again."""
        options = "&".join(f"{name}={quote(value, safe=_SAFE)}" for name, value in self.options.items())
        return f"{self.kind}:{self.name}{'?' * bool(options)}{options}"

    @property
    def place(self) -> str:
        """The name without the address of a service: what the model is called after.

        >>> ModelSpec("api", "org/model@http://localhost:8000/v1").place
        'org/model'
        """
        return self.name[: _at_service(self.name)]

    def choice(self, name: str, choices: tuple[str, ...], default: str) -> str:
        """Return the value of an option that has a few possible ones.

        >>> ModelSpec("hf", "folder", {"pooling": "cls"}).choice("pooling", ("mean", "cls"), "mean")
        'cls'
        """
        value = self.options.get(name, default)
        if value not in choices:
            raise UnknownNameError(f"{name} of {self.kind}:", value, choices)
        return value

    def number(self, name: str) -> int | None:
        """Return the value of an option that is a positive whole number, None if it is not given.

        >>> ModelSpec("st", "folder", {"truncate_dim": "64"}).number("truncate_dim")
        64
        """
        value = self.options.get(name)
        if value is None:
            return None
        if not re.fullmatch(r"[1-9][0-9]{0,8}", value):
            raise InputError(f"{name}={value[:40]} of {self.kind}: is not a positive whole number")
        return int(value)

    def flag(self, name: str, *, default: bool) -> bool:
        """Return the value of an option that is yes or no.

        >>> ModelSpec("hf", "folder", {"special_tokens": "yes"}).flag("special_tokens", default=False)
        True
        """
        return self.choice(name, ("yes", "no"), "yes" if default else "no") == "yes"


def parse_spec(text: str) -> ModelSpec | None:
    """Return the spec that a text is, or None for a path or the name of a baseline.

    Options follow the first question mark; a value may be percent-encoded. A service is MODEL@URL, split at
    the last `@http`, and its URL has no question mark. A file that has the text as its name comes first.

    >>> parse_spec("hf:models/bert?pooling=cls&layers=-4..-1")
    ModelSpec(kind='hf', name='models/bert', options={'pooling': 'cls', 'layers': '-4..-1'})
    >>> parse_spec("vectors.bin"), parse_spec("C:/vectors.bin")
    (None, None)
    """
    found = _KIND.fullmatch(text)
    if found is None or os.path.exists(text):  # noqa: PTH110 - never raises
        return None
    kind, rest = found[1], found[2]
    name, mark, tail = rest.partition("?")
    options: dict[str, str] = {}
    for part in tail.split("&") if mark else ():
        key, equals, value = part.partition("=")
        if not key or not equals:
            raise InputError(
                f"the options of {quoted(f'{kind}:{name}')} need the form option=value&option=value, "
                f"not {quoted(tail)}"
            )
        if key in options:
            raise InputError(f"the option {quoted(key)} of {quoted(f'{kind}:{name}')} is given twice")
        options[key] = unquote(value)
    if not name:
        raise InputError(f"nothing follows {quoted(f'{kind}:')}; give the name or folder of a model")
    return ModelSpec(kind, name, options)


def split_label(text: str) -> tuple[str | None, str]:
    """Split LABEL=MODEL, unless a file has that name; a label has no colon and no question mark.

    >>> split_label("mine=st:folder?prompt=x"), split_label("st:folder?prompt=x"), split_label("vectors.bin")
    (('mine', 'st:folder?prompt=x'), (None, 'st:folder?prompt=x'), (None, 'vectors.bin'))
    """
    label, equals, source = text.partition("=")
    is_label = bool(equals and label.strip()) and ":" not in label and "?" not in label
    if not is_label or os.path.exists(text):  # noqa: PTH110 - never raises
        return None, text
    if not source:
        raise InputError(f"no file or model follows '{label}='")
    return clean_name(label), source


def split_service(name: str, kind: str) -> tuple[str, str]:
    """Split MODEL@URL at the last @http.

    >>> split_service("org/model@v2@https://localhost:8000/v1", "api")
    ('org/model@v2', 'https://localhost:8000/v1')
    """
    place = _at_service(name)
    if not place:
        raise InputError(f"{quoted(f'{kind}:{name}')} does not name a service; write {kind}:MODEL@URL")
    return name[:place], name[place + 1 :]


def _at_service(name: str) -> int | None:
    """Return where the address of a service begins, with its @; None if there is none."""
    return max((found.start() for found in _SERVICE.finditer(name)), default=None)
