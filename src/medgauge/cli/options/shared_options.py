"""Options that several commands share."""

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from medgauge.files.file_names import clean_name
from medgauge.models import lookup as choices

if TYPE_CHECKING:
    from medgauge.pairs import Pairs

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
FirstTerm = Annotated[
    str | None, typer.Option(metavar="COLUMN", help="The column of first terms in your own files.")
]
SecondTerm = Annotated[
    str | None, typer.Option(metavar="COLUMN", help="The column of second terms in your own files.")
]
GoldColumn = Annotated[
    str | None, typer.Option(metavar="COLUMN", help="The column of gold scores in your own files.")
]
LabelColumn = Annotated[
    str | None, typer.Option(metavar="COLUMN", help="The column of 0/1 labels in your own files.")
]
GoldAs = Annotated[
    Literal["graded", "labels"] | None,
    typer.Option(
        help="What the gold of your own files holds. Default: labels if it is all 0 and 1, else graded."
    ),
]
PairId = Annotated[
    str | None, typer.Option(metavar="COLUMN", help="The column of the pairs' ids in your own files.")
]
TermColumn = Annotated[
    str | None, typer.Option(metavar="COLUMN", help="The column of terms in a table. Default: term.")
]
NoHeader = Annotated[
    bool,
    typer.Option("--no-header", help="Your own files have no header: name columns by number, from 1."),
]
SheetName = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="The sheet of an Excel or OpenDocument file. Default: the first."),
]
MissingGold = Annotated[
    Literal["error", "skip"],
    typer.Option(help="What to do with pairs without gold: refuse the file, or skip and count them."),
]
Language = Annotated[
    str | None,
    typer.Option(metavar="CODE", help="The language of the terms, such as de. Default: not known."),
]
Bom = Annotated[
    bool, typer.Option("--bom", help="Begin CSV with a byte-order mark, so that Excel reads it as UTF-8.")
]
Confidence = Annotated[float, typer.Option(help="Confidence level of the intervals.")]
FormatJson = Annotated[bool, typer.Option("--json", help="The same as --format json.")]
NoIntervals = Annotated[
    bool,
    typer.Option("--no-intervals", help="Leave the intervals out of the tables; csv and json keep them."),
]
Measure = Annotated[
    list[str] | None,
    typer.Option(help="A measure, or 'all' (the default). Repeat for each measure."),
]
Tokenizer = Annotated[choices.Tokenizer, typer.Option(help="How a term is split into words.")]
Case = Annotated[
    choices.Case,
    typer.Option(
        help="Look words up as written, then in lower case (fallback); in lower case; or as written (keep)."
    ),
]
Oov = Annotated[
    choices.Oov,
    typer.Option(
        help="Treat a term with an unknown word as not covered (as in the papers), or drop the word."
    ),
]
Undecodable = Annotated[
    choices.Undecodable, typer.Option(help="What to do with words of a vector file that are not UTF-8.")
]


def split_commas(given: str) -> list[str]:
    """Split a value at its commas.

    >>> split_commas("exact, broad")
    ['exact', 'broad']
    """
    return [one.strip() for one in given.split(",")]


def split_name(given: str) -> tuple[str | None, str]:
    """Split NAME=FILE, unless a file has that name.

    >>> split_name("mine=vectors.bin"), split_name("vectors.bin")
    (('mine', 'vectors.bin'), (None, 'vectors.bin'))
    """
    name, equals, source = given.partition("=")
    if not equals or not name.strip() or os.path.exists(given):  # noqa: PTH110 - never raises
        return None, given
    if not source:
        raise typer.BadParameter(f"no file follows '{name}='")
    return clean_name(name), source


def split_sources(given: Iterable[str]) -> list[str]:
    """Split values with several sets or models at their commas, unless a file has that name.

    >>> split_sources(["mayosrs,umnsrs-sim", "mine=pairs.csv"])
    ['mayosrs', 'umnsrs-sim', 'mine=pairs.csv']
    """
    sources: list[str] = []
    for one in given:
        name, source = split_name(one)
        is_file = "," not in (name or "") and os.path.exists(source)  # noqa: PTH110 - never raises
        sources += [one] if is_file or "," not in one else filter(None, split_commas(one))
    return sources


def load_named(given: Iterable[str], **columns: Any) -> "list[Pairs]":
    """Load the sets given as a published name, FILE, FOLDER or NAME=FILE.

    NAME becomes the name of the set. `columns` are further arguments of `load_pairs`.
    """
    from medgauge.catalog.datasets import check_sources, load_pairs

    named = [split_name(one) for one in dict.fromkeys(split_sources(given))]
    check_sources(source for _, source in named)
    sets = []
    for name, source in named:
        loaded = load_pairs([source], **columns)
        if name is not None and len(loaded) > 1:
            raise typer.BadParameter(f"'{name}=' names one set, but {source} has {len(loaded)}")
        sets += [pairs if name is None else pairs.renamed(name) for pairs in loaded]
    return sets


def named_measures(given: list[str] | None) -> list[str] | None:
    """Return the named measures, each once; None means all."""
    if not given or given == ["all"]:
        return None
    if "all" in given:
        raise typer.BadParameter("give --measure all by itself, or the measures by name")
    return list(dict.fromkeys(given))
