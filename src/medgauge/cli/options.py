"""Options that several commands share."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from medgauge.files import clean_name
from medgauge.models import lookup as choices

if TYPE_CHECKING:
    from medgauge.models.base import Model
    from medgauge.pairs import PairSet

StudyFolder = Annotated[
    Path, typer.Argument(metavar="STUDY", help="The folder of the study.", show_default=False)
]
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


def load_named(given: str, load: "Callable[[str], list[PairSet]]") -> "list[PairSet]":
    """Load what is given as FILE or NAME=FILE; NAME is what the set is called then."""
    from medgauge.pairs import PairSet

    name, source = split_name(given)
    loaded = load(source)
    if name is None:
        return loaded
    if len(loaded) > 1:
        raise typer.BadParameter(f"'{name}=' names one set, and {source} has {len(loaded)}")
    return [PairSet(one.frame, one.card.model_copy(update={"name": name})) for one in loaded]


def load_models(
    given: Iterable[str],
    *,
    tokenizer: choices.Tokenizer,
    case: choices.Case,
    undecodable: choices.Undecodable,
    seed: int = 0,
) -> "list[Model]":
    """Load models that are given as FILE, NAME=FILE or the name of a baseline, each once."""
    from medgauge.models.load import load_model

    models = []
    for one in dict.fromkeys(given):
        name, source = split_name(one)
        models.append(
            load_model(source, name=name, tokenizer=tokenizer, case=case, undecodable=undecodable, seed=seed)
        )
    return models


def named_measures(given: list[str] | None) -> list[str] | None:
    """Give the measures that were named, each once; None stands for all."""
    if not given or given == ["all"]:
        return None
    if "all" in given:
        raise typer.BadParameter("give --measure all by itself, or the measures by name")
    return list(dict.fromkeys(given))
