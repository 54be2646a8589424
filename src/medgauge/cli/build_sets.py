"""medgauge build terminology, verify and diff."""

from pathlib import Path
from typing import Annotated

import typer

from medgauge.build.terminology.families import FileForm
from medgauge.cli.build import CheckIds, Language, Scopes, Sources, parted
from medgauge.cli.console import Format, print_grid, print_json, print_result, say, working
from medgauge.cli.options import AsJson
from medgauge.errors import InputError

_Folder = typer.Argument(help="A folder of sets that medgauge built.", show_default=False)


def terminology(
    sources: Sources,
    *,
    out: Annotated[
        Path, typer.Option(help="The folder of the sets; it appears when all are made.", show_default=False)
    ],
    families: Annotated[
        str | None,
        typer.Option(
            help="Some of fsn-syn, syn-syn, possibly-equivalent-to, replaced-by and same-as, with commas. "
            "A set is the same whichever others are built with it.",
            show_default="all",
        ),
    ] = None,
    negatives: Annotated[
        str | None, typer.Option(help="random, levenshtein or both, with a comma.", show_default="both")
    ] = None,
    split_distance: Annotated[
        int, typer.Option(min=0, help="Positive pairs of at most so many edits are easy, the others hard.")
    ] = 5,
    seed: Annotated[int, typer.Option(min=0, help="Draws random negatives, and breaks ties.")] = 42,
    language: Language = "en",
    scopes: Scopes = "exact",
    check_ids: CheckIds = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Fail on an active concept without a name.")
    ] = False,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Threads.", show_default="one for each processor")
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(help="The address of a Dask scheduler (tcp://…), to find nearest terms on its cluster."),
    ] = None,
    form: Annotated[FileForm, typer.Option("--format", help="The form of the files of sets.")] = "parquet",
    replace: Annotated[
        bool, typer.Option("--replace", help="Build anew where the folder holds another build.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Build sets of term pairs from SNOMED CT (RF2) or an ontology (OBO, OBO Graphs).

    Makes the twenty sets of Schulz and Juric (2020): five families, easy and hard, with random and with
    nearest negatives. An interrupted build goes on with the sets that it had.

    Example: medgauge build terminology SnomedCT_InternationalRF2.zip --out sets
    """
    from medgauge.build.terminology.build import build_terminology

    try:
        with working():
            manifest = build_terminology(
                sources,
                out,
                families=parted(families) if families is not None else None,
                negatives=parted(negatives) if negatives is not None else None,
                split_distance=split_distance,
                seed=seed,
                language=language,
                scopes=parted(scopes),
                check_ids=check_ids,
                strict=strict,
                workers=workers,
                cluster=cluster,
                form=form,
                replace=replace,
            )
    except KeyboardInterrupt:
        say("medgauge: interrupted; the same command goes on with the sets that were finished")
        raise
    print_result(manifest, Format.json if as_json else Format.table)
    say(f"{len(manifest.sets)} sets and their manifest.json are in {out}")


def verify(
    manifest: Annotated[Path, typer.Argument(help="The manifest.json of another build.", show_default=False)],
    folder: Annotated[Path, _Folder],
    as_json: AsJson = False,
) -> None:
    """Check that the sets in a folder are those of a manifest, without a term of them leaving either site.

    Exits with 1 if a set differs or is missing.

    Example: medgauge build verify their-manifest.json sets
    """
    from medgauge.build.verification import verify as compare
    from medgauge.report.build_tables import verification_grid

    with working():
        found = compare(manifest, folder)
    if as_json:
        print_json(found.to_json())
    else:
        print_grid(verification_grid(found))
    if not found.holds:
        wrong = sum(verdict != "same" for verdict in found.sets.values())
        raise InputError(f"{wrong} of {len(found.sets)} sets in {folder} are not those of {manifest}")


def diff(
    old: Annotated[Path, _Folder],
    new: Annotated[Path, _Folder],
    *,
    out: Annotated[
        Path | None,
        typer.Option(help="A TSV file for the pairs that were added and removed.", show_default=False),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say what changed between the sets of two builds, say of two releases.

    Example: medgauge build diff sets-2019 sets-2020 --out changes.tsv
    """
    from dataclasses import asdict

    from medgauge.build.difference import diff as compare
    from medgauge.files import writing
    from medgauge.report.build_tables import difference_grid

    with working():
        found = compare(old, new)
        if out is not None:
            with writing(out) as temporary:
                found.pairs.write_csv(temporary, separator="\t")
    if as_json:
        print_json([asdict(change) for change in found.changes])
    else:
        print_grid(difference_grid(found))
    if out is not None:
        say(f"{found.pairs.height:,} pairs are in {out}")
