"""medgauge build."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from medgauge.cli.console import print_facts, print_grid, print_json, say, working
from medgauge.cli.options import AsJson

if TYPE_CHECKING:
    from medgauge.build.categories import CategoryList
    from medgauge.report.grid import Grid

app = typer.Typer(name="build", no_args_is_help=True)

Sources = Annotated[
    list[Path],
    typer.Argument(
        help="SNOMED CT releases in RF2, each a folder or .zip, extensions after what they extend; or one "
        "ontology in OBO or OBO Graphs JSON, gzipped or not.",
        show_default=False,
        readable=False,  # what cannot be read is told as other bad input is
    ),
]
Language = Annotated[str, typer.Option(help="The language of a release's terms.")]
Scopes = Annotated[
    str,
    typer.Option(help="The scopes of an ontology's synonyms: exact, broad, narrow, related, with commas."),
]
CheckIds = Annotated[bool, typer.Option("--check-ids", help="Check the check digits of a release's ids.")]


@app.callback()
def build() -> None:
    """Build benchmarks and lists of terms out of a terminology.

    Example: medgauge build info hp.obo
    """


def info(
    sources: Sources,
    language: Language = "en",
    scopes: Scopes = "exact",
    check_ids: CheckIds = False,
    as_json: AsJson = False,
) -> None:
    """Show what there is in a terminology: concepts, terms, associations, and the depth of its hierarchy.

    Example: medgauge build info SnomedCT_InternationalRF2.zip
    """
    from dataclasses import asdict

    from medgauge.terminology.read import read_terminology
    from medgauge.terminology.summary import summarise

    with working():
        terminology = read_terminology(sources, language=language, scopes=parted(scopes), check_ids=check_ids)
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


def categories(
    sources: Sources,
    out: Annotated[Path, typer.Option(help="The folder that the lists are written to.")],
    root: Annotated[
        list[str] | None,
        typer.Option(help="The id of a concept: a list of what stands below it. Give it once for each list."),
    ] = None,
    semantic_tag: Annotated[
        list[str] | None,
        typer.Option(
            help="A semantic tag, or an ontology's namespace: a list of what has it. Give it once for each."
        ),
    ] = None,
    language: Language = "en",
    replace: Annotated[bool, typer.Option("--replace", help="Write over files with other content.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write lists of terms by category for medgauge categories, one file for each root or semantic tag.

    A concept or term that stands in two lists is left out of both.

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


def parted(given: str) -> list[str]:
    """Part what is given with commas.

    >>> parted("exact, broad")
    ['exact', 'broad']
    """
    return [one.strip() for one in given.split(",")]


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
    from medgauge.report.grid import Cell, Grid

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
            "Left out, in this order: concepts that stand in two lists; those whose term, case aside, stands "
            "in two lists; those whose term is in the list already.",
        ],
        labels=2,
    )
