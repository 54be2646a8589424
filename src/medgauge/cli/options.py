"""Options that several commands share."""

import os
from typing import Annotated

import typer

from medgauge.files import clean_name
from medgauge.models import choices

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Tokenizer = Annotated[choices.Tokenizer, typer.Option(help="How a term is split into words.")]
Case = Annotated[
    choices.Case,
    typer.Option(help="Look a word up as it is and then in lower case, in lower case, or as it is."),
]
Oov = Annotated[
    choices.Oov,
    typer.Option(help="A term with an unknown word is not covered (as in the papers), or loses the word."),
]
Undecodable = Annotated[
    choices.Undecodable, typer.Option(help="What to do with words of a vector file that are not UTF-8.")
]


def split_name(given: str) -> tuple[str | None, str]:
    """Part NAME=FILE, unless a file is called so.

    >>> split_name("mine=vectors.bin"), split_name("vectors.bin")
    (('mine', 'vectors.bin'), (None, 'vectors.bin'))
    """
    name, equals, source = given.partition("=")
    if not equals or not name.strip() or os.path.exists(given):  # noqa: PTH110 - never raises
        return None, given
    if not source:
        raise typer.BadParameter(f"no file follows '{name}='")
    return clean_name(name), source
