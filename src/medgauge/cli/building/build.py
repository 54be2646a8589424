"""medgauge build."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from medgauge.build.terminology.families import FileForm
from medgauge.cli.building.records import records
from medgauge.cli.building.words import words
from medgauge.cli.console import (
    Format,
    print_facts,
    print_grid,
    print_json,
    print_result,
    say,
    working,
)
from medgauge.cli.options.shared_options import AsJson, split_commas
from medgauge.errors import InputError

if TYPE_CHECKING:
    from medgauge.build.categories import CategoryList
    from medgauge.report.grids.grid import Grid

app = typer.Typer(name="build", no_args_is_help=True)

_Sources = Annotated[
    list[Path],
    typer.Argument(
        help="SNOMED CT releases in RF2, each a folder or .zip, extensions after the edition they extend; or "
        "one ontology in OBO or OBO Graphs JSON, optionally gzipped.",
        show_default=False,
        readable=False,  # unreadable files are reported like other bad input
    ),
]
_Language = Annotated[str, typer.Option(help="Language of the terms, for a release.")]
_Scopes = Annotated[
    str,
    typer.Option(
        help="Scopes of synonyms to use, for an ontology: exact, broad, narrow, related, comma-separated."
    ),
]
_CheckIds = Annotated[
    bool, typer.Option("--check-ids", help="Verify the check digits of ids, for a release.")
]
_Folder = typer.Argument(help="A folder of sets built by medgauge.", show_default=False)


@app.callback()
def build() -> None:
    """Build benchmarks from a terminology, from health records or from text, and term lists.

    Example: medgauge build info hp.obo
    """


@app.command()
def terminology(
    sources: _Sources,
    *,
    out: Annotated[
        Path,
        typer.Option(help="Folder for the sets; it appears once all of them are built.", show_default=False),
    ],
    families: Annotated[
        str | None,
        typer.Option(
            help="Families to build, comma-separated: fsn-syn, syn-syn, possibly-equivalent-to, replaced-by, "
            "same-as. A set does not depend on which others are built with it.",
            show_default="all",
        ),
    ] = None,
    negatives: Annotated[
        str | None,
        typer.Option(help="Kinds of negatives, comma-separated: random, levenshtein.", show_default="both"),
    ] = None,
    split_distance: Annotated[
        int,
        typer.Option(min=0, help="Positive pairs at most this many edits apart are easy, the others hard."),
    ] = 5,
    seed: Annotated[
        int, typer.Option(min=0, help="Seed for drawing random negatives and breaking ties.")
    ] = 42,
    language: _Language = "en",
    scopes: _Scopes = "exact",
    check_ids: _CheckIds = False,
    strict: Annotated[bool, typer.Option("--strict", help="Fail if an active concept has no name.")] = False,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Number of threads.", show_default="one per processor")
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(help="Address of a Dask scheduler (tcp://…), to find nearest terms on its cluster."),
    ] = None,
    form: Annotated[FileForm, typer.Option("--format", help="File format of the sets.")] = "parquet",
    replace: Annotated[bool, typer.Option("--replace", help="Replace another build in the folder.")] = False,
    as_json: AsJson = False,
) -> None:
    """Build sets of term pairs from SNOMED CT (RF2) or an ontology (OBO, OBO Graphs).

    Builds the twenty sets of Schulz and Juric (2020): five families, easy and hard, with random and with
    nearest negatives. An interrupted build resumes with the sets already finished.

    Example: medgauge build terminology SnomedCT_InternationalRF2.zip --out sets
    """
    from medgauge.build.terminology.build import build_terminology

    with working():
        manifest = build_terminology(
            sources,
            out,
            families=split_commas(families) if families is not None else None,
            negatives=split_commas(negatives) if negatives is not None else None,
            split_distance=split_distance,
            seed=seed,
            language=language,
            scopes=split_commas(scopes),
            check_ids=check_ids,
            strict=strict,
            workers=workers,
            cluster=cluster,
            form=form,
            replace=replace,
        )
    print_result(manifest, Format.json if as_json else Format.table)
    say(f"{len(manifest.sets)} sets and their manifest.json are in {out}")


app.command()(records)
app.command()(words)


@app.command()
def categories(
    sources: _Sources,
    out: Annotated[Path, typer.Option(help="Folder to write the lists to.")],
    root: Annotated[
        list[str] | None,
        typer.Option(help="Concept id; the list has the concepts below it. Repeat for each list."),
    ] = None,
    semantic_tag: Annotated[
        list[str] | None,
        typer.Option(
            help="Semantic tag, or namespace of an ontology; the list has its concepts. Repeat for each list."
        ),
    ] = None,
    language: _Language = "en",
    replace: Annotated[bool, typer.Option("--replace", help="Overwrite files with other content.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write term lists for medgauge categories, one file per root or semantic tag.

    A concept or term that belongs to two lists is left out of both.

    Example: medgauge build categories hp.obo --out lists --root HP:0001627 --root HP:0000598
    """
    from medgauge.build.categories import lists_below, lists_tagged, write_lists
    from medgauge.terminology.read import read_terminology

    chosen = (root or []) + (semantic_tag or [])
    if not chosen or (root and semantic_tag):
        raise typer.BadParameter("give either --root or --semantic-tag, once for each list")
    if twice := {one for one in chosen if chosen.count(one) > 1}:
        raise typer.BadParameter(f"{min(twice)} was given twice")
    with working():
        terminology = read_terminology(sources, language=language, hierarchy=bool(root))
        made = lists_below(terminology, chosen) if root else lists_tagged(terminology, chosen)
        paths = write_lists(made, out, replace=replace)
    if as_json:
        print_json([_described(one, path) for one, path in zip(made, paths, strict=True)])
        return
    print_grid(_grid(made, "root" if root else "semantic tag"))
    say(f"written to {out}")


def _described(one: "CategoryList", path: Path) -> dict[str, object]:
    return {
        "list": one.name,
        "file": str(path),
        "chosen": one.chosen,
        "concepts": one.concepts,
        "in_other_lists": one.in_other_lists,
        "term_in_other_lists": one.term_in_other_lists,
        "repeated_terms": one.repeated_terms,
        "terms": len(one),
    }


def _grid(lists: "list[CategoryList]", chosen_by: str) -> "Grid":
    from medgauge.report.grids.grid import Cell, Grid

    rows = []
    for one in lists:
        left_out = (one.in_other_lists, one.term_in_other_lists, one.repeated_terms)
        rows.append(
            [
                *(Cell(one.name), Cell(one.chosen), Cell(f"{one.concepts:,}")),
                *(Cell(f"{count:,}") for count in (*left_out, len(one))),
            ]
        )
    return Grid(
        "Lists of terms",
        ["list", chosen_by, "concepts", "in two lists", "term in two", "repeated", "terms"],
        rows,
        [
            "Left out, in this order: concepts in two lists; concepts whose term is in two lists, ignoring "
            "case; concepts whose term is already in the list.",
        ],
        labels=2,
    )


@app.command()
def info(
    sources: _Sources,
    language: _Language = "en",
    scopes: _Scopes = "exact",
    check_ids: _CheckIds = False,
    as_json: AsJson = False,
) -> None:
    """Show the contents of a terminology: concepts, terms, associations and the depth of its hierarchy.

    Example: medgauge build info SnomedCT_InternationalRF2.zip
    """
    from dataclasses import asdict

    from medgauge.terminology.read import read_terminology
    from medgauge.terminology.summary import summarise

    with working():
        terminology = read_terminology(
            sources, language=language, scopes=split_commas(scopes), check_ids=check_ids
        )
        found = summarise(terminology)
    if as_json:
        print_json(asdict(found))
        return
    print_facts(
        {
            "terminology": found.title,
            "version": found.version or "not given",
            "concepts": f"{found.active_concepts:,} active, {found.inactive_concepts:,} inactive",
            "active terms": f"{found.active_terms:,}",
            **{f"  {kind}": f"{count:,}" for kind, count in found.terms.items()},
            "synonyms for pairs": f"{found.synonyms:,}",
            "associations": f"{sum(found.associations.values()):,}",
            **{f"  {kind}": f"{count:,}" for kind, count in found.associations.items()},
            "depth": f"{found.depth:,}",
            "without a name": f"{found.nameless:,}",
            **{f"SHA-256 of {name}": digest for name, digest in found.files.items()},
        }
    )


@app.command()
def verify(
    manifest: Annotated[Path, typer.Argument(help="The manifest.json of another build.", show_default=False)],
    folder: Annotated[Path, _Folder],
    as_json: AsJson = False,
) -> None:
    """Check that the sets in a folder match a manifest, without any term leaving either site.

    Exits with 1 if a set differs or is missing.

    Example: medgauge build verify their-manifest.json sets
    """
    from medgauge.build.verification import verify as compare
    from medgauge.report.built.build_tables import verification_grid

    with working():
        found = compare(manifest, folder)
    if as_json:
        print_json(found.to_json())
    else:
        print_grid(verification_grid(found))
    if not found.holds:
        wrong = sum(verdict != "same" for verdict in found.sets.values())
        raise InputError(f"{wrong} of {len(found.sets)} sets in {folder} do not match {manifest}")


@app.command()
def diff(
    old: Annotated[Path, _Folder],
    new: Annotated[Path, _Folder],
    *,
    out: Annotated[
        Path | None,
        typer.Option(help="TSV file to write the added and removed pairs to.", show_default=False),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show what changed between the sets of two builds, for example of two releases.

    Example: medgauge build diff sets-2019 sets-2020 --out changes.tsv
    """
    from dataclasses import asdict

    from medgauge.build.difference import diff as compare
    from medgauge.files.writing import writing
    from medgauge.report.built.build_tables import difference_grid

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
