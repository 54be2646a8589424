"""medgauge datasets."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from medgauge.cli.console import print_facts, print_grid, print_json, say, working
from medgauge.cli.options.shared_options import (
    AsJson,
    FirstTerm,
    GoldAs,
    GoldColumn,
    LabelColumn,
    MissingGold,
    NoHeader,
    PairId,
    SecondTerm,
    SheetName,
)
from medgauge.errors import InputError, MedgaugeError

if TYPE_CHECKING:
    from medgauge.catalog.cards import PublishedSet
    from medgauge.report.grids.grid import Grid

app = typer.Typer(name="datasets")


@app.callback(invoke_without_command=True)
def datasets(context: typer.Context, as_json: AsJson = False) -> None:
    """List the published sets and show which are on this machine.

    Example: medgauge datasets
    """
    if context.invoked_subcommand is not None:
        return
    from medgauge.catalog.cards import published_sets

    entries = list(published_sets().values())
    if as_json:
        print_json([_described(entry) for entry in entries])
    else:
        print_grid(_listing(entries))


@app.command()
def info(
    name: Annotated[str, typer.Argument(help="A published set, or a file of pairs with or without gold.")],
    *,
    term_1: FirstTerm = None,
    term_2: SecondTerm = None,
    gold: GoldColumn = None,
    label: LabelColumn = None,
    gold_as: GoldAs = None,
    pair_id: PairId = None,
    no_header: NoHeader = False,
    sheet: SheetName = None,
    missing: MissingGold = "error",
    as_json: AsJson = False,
) -> None:
    """Show the card of a published set, or what a file of pairs is.

    Example: medgauge datasets info ehr-rel-b
    """
    from medgauge.catalog.cards import published_name, published_sets
    from medgauge.catalog.datasets import load_pairs
    from medgauge.errors import FileError

    described: dict[str, object]
    if (published := published_name(name)) is not None:
        described = _described(published_sets()[published])
    else:
        found = load_pairs(
            [name],
            term_1=term_1,
            term_2=term_2,
            gold=gold,
            label=label,
            gold_as=gold_as,
            pair_id=pair_id,
            header=not no_header,
            sheet=sheet,
            missing=missing,
        )
        if len(found) > 1:
            raise FileError(name, f"is a folder of {len(found)} sets; give the file of one set")
        described = {"name": found[0].card.name, **found[0].described()}
    if as_json:
        print_json(described)
        return
    print_facts({key.replace("_", " "): _shown(key, value) for key, value in described.items()})


@app.command()
def fetch(
    names: Annotated[list[str] | None, typer.Argument(help="Names of published sets.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Fetch every set.")] = False,
    source: Annotated[
        Path | None,
        typer.Option("--from", help="Take the files from this folder instead of the network."),
    ] = None,
) -> None:
    """Download published sets and verify them; an interrupted download is resumed.

    Example: medgauge datasets fetch ehr-rel-b bio-simlex
    """
    from medgauge.catalog import fetch as fetching
    from medgauge.catalog.cards import published_set, published_sets

    if bool(names) == everything:
        raise typer.BadParameter("give either names of sets or --all")
    if source is not None and not source.is_dir():
        raise InputError(f"{source} is not a folder")
    failed: list[MedgaugeError] = []
    files = {
        (file := published_set(name).file).name: file
        for name in (published_sets() if everything else names or [])
    }
    with working():
        for file in files.values():
            try:
                path, is_new = fetching.fetch(file) if source is None else fetching.take(file, source)
            except MedgaugeError as error:
                failed.append(error)
                continue
            say(f"{file.name}: {'fetched to' if is_new else 'already here:'} {path}")
    for earlier in failed[:-1]:
        say(f"medgauge: {earlier}")
    if failed:
        raise failed[-1]


def _described(entry: "PublishedSet") -> dict[str, object]:
    from medgauge.catalog.cards import find_file

    path = find_file(entry.file)
    described = entry.model_dump(mode="json", exclude={"build", "file", "columns"})
    return {
        **described,
        "file": entry.file.name,
        "url": entry.file.url,
        "sha256": entry.file.sha256,
        "columns": entry.columns,
        "here": str(path) if path else None,
    }


def _shown(key: str, value: object) -> str:
    if key == "here":
        return str(value) if value else "no: medgauge datasets fetch"
    if key == "scale" and isinstance(value, list):
        return f"{value[0]:g} to {value[1]:g}"
    if key == "multi_word" and isinstance(value, list):
        return f"{value[0]:.0%} of the terms by occurrence, {value[1]:.0%} of the distinct terms"
    if isinstance(value, dict):
        parts = (f"{ours} = {_joined(theirs)}" for ours, theirs in value.items())
        return ", ".join(parts)
    return str(value).strip("`")  # marks of code, for Markdown


def _joined(columns: object) -> str:
    return f"mean of {' and '.join(columns)}" if isinstance(columns, list) else str(columns)


def _listing(entries: "list[PublishedSet]") -> "Grid":
    from medgauge.catalog.cards import find_file
    from medgauge.report.grids.grid import Cell, Grid

    rows = []
    for entry in entries:
        assert entry.scale is not None
        rows.append(
            [
                Cell(entry.name),
                Cell(entry.kind),
                Cell("here" if find_file(entry.file) else "–"),
                Cell(str(entry.pairs)),
                Cell(f"{entry.scale[0]:g}–{entry.scale[1]:g}"),
                Cell(f"{entry.multi_word[0]:.0%}"),
                Cell(f"{entry.multi_word[1]:.0%}"),
            ]
        )
    return Grid(
        "Published sets",
        ["name", "kind", "here", "pairs", "scale", "multi-word", "unique"],
        rows,
        [
            "multi-word: share of terms with several words, by occurrence; unique: among distinct terms.",
            "medgauge datasets info NAME shows a card, medgauge datasets fetch NAME downloads the set.",
        ],
        labels=3,
    )
