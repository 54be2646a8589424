"""Options that several commands share."""

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from medgauge.files import clean_name
from medgauge.models import lookup as choices

if TYPE_CHECKING:
    from medgauge.models.base import Model
    from medgauge.pairs import Pairs

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Confidence = Annotated[float, typer.Option(help="Confidence of the intervals.")]
FormatJson = Annotated[bool, typer.Option("--json", help="The same as --format json.")]
Measure = Annotated[
    list[str] | None,
    typer.Option(help="A measure, or 'all' (the default). Give it once for each measure."),
]
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


def split_commas(given: str) -> list[str]:
    """Split what is given with commas.

    >>> split_commas("exact, broad")
    ['exact', 'broad']
    """
    return [one.strip() for one in given.split(",")]


def split_name(given: str) -> tuple[str | None, str]:
    """Split NAME=FILE, unless a file is called so.

    >>> split_name("mine=vectors.bin"), split_name("vectors.bin")
    (('mine', 'vectors.bin'), (None, 'vectors.bin'))
    """
    name, equals, source = given.partition("=")
    if not equals or not name.strip() or os.path.exists(given):  # noqa: PTH110 - never raises
        return None, given
    if not source:
        raise typer.BadParameter(f"no file follows '{name}='")
    return clean_name(name), source


def load_named(given: Iterable[str], **columns: Any) -> "list[Pairs]":
    """Load the sets that are given as a published name, FILE, FOLDER or NAME=FILE.

    NAME is what the set is called then. `columns` are what `load_pairs` takes besides the sources.
    """
    from medgauge.catalog.datasets import check_sources, load_pairs

    named = [split_name(one) for one in dict.fromkeys(given)]
    check_sources(source for _, source in named)
    sets = []
    for name, source in named:
        loaded = load_pairs([source], **columns)
        if name is not None and len(loaded) > 1:
            raise typer.BadParameter(f"'{name}=' names one set, and {source} has {len(loaded)}")
        sets += [pairs if name is None else pairs.renamed(name) for pairs in loaded]
    return sets


def load_models(
    given: Iterable[str],
    *,
    tokenizer: choices.Tokenizer,
    case: choices.Case,
    undecodable: choices.Undecodable,
    seed: int = 0,
) -> "list[Model]":
    """Load models that are given as FILE, NAME=FILE or the name of a baseline, each once."""
    from medgauge.models.load import check_source, load_model

    named = [split_name(one) for one in dict.fromkeys(given)]
    for _, source in named:
        check_source(source)
    return [
        load_model(source, name=name, tokenizer=tokenizer, case=case, undecodable=undecodable, seed=seed)
        for name, source in named
    ]


def named_measures(given: list[str] | None) -> list[str] | None:
    """Return the measures that were named, each once; None stands for all."""
    if not given or given == ["all"]:
        return None
    if "all" in given:
        raise typer.BadParameter("give --measure all by itself, or the measures by name")
    return list(dict.fromkeys(given))
