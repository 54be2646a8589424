"""medgauge coverage."""

from pathlib import Path
from typing import Annotated

import typer

from medgauge.cli.console import Format, print_result, say, working
from medgauge.cli.options.shared_options import (
    Bom,
    FirstTerm,
    FormatJson,
    GoldAs,
    GoldColumn,
    LabelColumn,
    MissingGold,
    NoHeader,
    PairId,
    SecondTerm,
    SheetName,
    load_named,
)
from medgauge.errors import InputError
from medgauge.files.writing import can_write


def coverage(
    sets: Annotated[
        list[str],
        typer.Argument(
            metavar="SET...", help="Published sets, files or folders; NAME=FILE names a set, all: those here."
        ),
    ],
    *,
    umls: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Your UMLS release, for semantic types: the folder or .zip with META/MRCONSO.RRF and "
            "MRSTY.RRF.",
        ),
    ] = None,
    terminology: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="SOURCE",
            help="For specificity: SNOMED CT in RF2 (a folder or .zip), or an ontology (OBO, OBO Graphs). "
            "Without --umls, types are its semantic tags or branches. Repeat for extensions, after the "
            "edition they extend.",
        ),
    ] = None,
    term_1: FirstTerm = None,
    term_2: SecondTerm = None,
    gold: GoldColumn = None,
    label: LabelColumn = None,
    gold_as: GoldAs = None,
    pair_id: PairId = None,
    no_header: NoHeader = False,
    sheet: SheetName = None,
    missing: MissingGold = "error",
    permutations: Annotated[
        int, typer.Option(min=1, help="Permutations of the types that their baseline is compared with.")
    ] = 999,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the permutations.")] = 0,
    columns: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write the set (give one) with the columns that were computed for it to this new .parquet "
            "file, for evaluate --by.",
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Draw scores, types, their baseline and specificity in this folder, as SVG and PNG files.",
        ),
    ] = None,
    format: Annotated[  # noqa: A002 - the option's name
        Format, typer.Option(help="Output format; csv and json contain every figure.")
    ] = Format.table,
    as_json: FormatJson = False,
    bom: Bom = False,
) -> None:
    """Show what sets of pairs cover: size, concepts, agreement, scores, semantic types, specificity, overlap.

    Example: medgauge coverage ehr-rel-b umnsrs-sim mayosrs bio-simlex --plot plots
    """
    from medgauge.composition.cover import coverage as cover
    from medgauge.report.plots.coverage_plot import check_plots, write_plots

    check_plots(plot)
    if columns is not None:
        _check_columns(columns, has_source=umls is not None or bool(terminology))
    with working():
        loaded = load_named(
            sets,
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
        if columns is not None and len(loaded) != 1:
            raise typer.BadParameter(f"--columns writes one set, but {len(loaded)} were given")
        found = cover(loaded, umls=umls, terminology=terminology, permutations=permutations, seed=seed)
    if columns is not None:
        found.pairs(loaded[0].card.name).save(columns)
    drawn = [] if plot is None else write_plots(found, plot)
    print_result(found, Format.json if as_json else format, bom=bom)
    if columns is not None:
        say(f"wrote the set with its columns to {columns}")
    if drawn:
        say(f"plots written to {plot}: {', '.join(path.name for path in drawn)}")


def _check_columns(path: Path, *, has_source: bool) -> None:
    """Refuse a file of columns that cannot or should not be written, before the work starts."""
    if not has_source:
        raise typer.BadParameter("--columns needs --umls or --terminology, which the columns come from")
    if path.suffix.lower() != ".parquet":
        raise InputError(f"{path}: a set with its columns must be a .parquet file")
    if path.exists():
        raise InputError(f"{path} already exists; choose another file, or remove it first")
    if not can_write(path):
        raise InputError(f"{path}: a set cannot be written there")
