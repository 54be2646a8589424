"""medgauge map."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from medgauge.cli.console import Format, print_facts, print_json, print_result, say, working
from medgauge.cli.options.model_options import AllowRemote
from medgauge.cli.options.rating_options import check_new
from medgauge.cli.options.shared_options import Bom, FormatJson, load_named, split_commas
from medgauge.errors import InputError

if TYPE_CHECKING:
    from medgauge.mapping.umls_service import UmlsService
    from medgauge.pairs import Pairs


def map_ids(
    source: Annotated[
        str,
        typer.Argument(
            metavar="IDS",
            help="A file of ids (one a line, or a table with a column of ids), or a set with ids: a "
            "published one or a file of pairs.",
        ),
    ],
    *,
    from_: Annotated[
        str,
        typer.Option(
            "--from",
            metavar="SYSTEM",
            help="The code system of the ids: snomed, umls (CUIs), icd10cm, mesh, hp, … or the abbreviation "
            "of a vocabulary in the UMLS.",
        ),
    ] = "snomed",
    to: Annotated[
        str | None,
        typer.Option(
            metavar="SYSTEM",
            help="The code system to map to, or semantic-types for those of CUIs. Default: umls.",
        ),
    ] = None,
    add: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMNS",
            help="Add columns to the set instead, and write it to --out: cui, semantic-types, or both, "
            "separated by a comma.",
        ),
    ] = None,
    umls: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Map by your own UMLS release: its folder or .zip."),
    ] = None,
    srdef: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="SRDEF, with the names of semantic types, if it is not in the release."
        ),
    ] = None,
    sssom: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Map by a file of mappings in SSSOM (TSV).")
    ] = None,
    predicate: Annotated[
        list[str] | None,
        typer.Option(
            help="A predicate whose mappings count, for --sssom. Repeat for each. Default: skos:exactMatch."
        ),
    ] = None,
    xrefs: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Map by the xrefs of an ontology (OBO, OBO Graphs)."),
    ] = None,
    api: Annotated[
        bool,
        typer.Option(
            "--api",
            help="Map by the UMLS REST API, with your key in the variable UMLS_API_KEY. The ids are sent to "
            "it, which --allow-remote must permit.",
        ),
    ] = False,
    api_url: Annotated[
        str | None, typer.Option(metavar="URL", help="The address of the API, if it is not NLM's own.")
    ] = None,
    api_release: Annotated[
        str, typer.Option(metavar="RELEASE", help="The release that the API is asked for, such as 2024AA.")
    ] = "current",
    allow_remote: AllowRemote = None,
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="Do not use or keep answers of the API.")
    ] = False,
    column: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="The column of ids in a table. Default: id or code.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Write the mapping to this .csv or .json file, or the set to this .parquet file."),
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Overwrite the file --out.")] = False,
    replace_columns: Annotated[
        bool,
        typer.Option("--replace-columns", help="Let --add replace columns that the set already has."),
    ] = False,
    format: Annotated[  # noqa: A002 - the option's name
        Format, typer.Option(help="Output format; csv and json contain every concept.")
    ] = Format.table,
    as_json: FormatJson = False,
    bom: Bom = False,
) -> None:
    """Map the concepts of one code system to those of another, or add CUIs and semantic types to a set.

    Ids are mapped to CUIs unambiguously or not at all, by algorithm 1 of Schulz et al. (2020); the others are
    listed with the step at which they failed.

    Example: medgauge map ehr-rel-b --from snomed --to umls --umls 2024AA-full.zip
    """
    if add and to is not None:
        raise typer.BadParameter("--add adds columns to a set, and --to maps ids; give one of them")
    if add and column is not None:
        raise typer.BadParameter("--column is for a table of ids; --add needs a set, with id_1 and id_2")
    needed = {
        "--replace-columns": (replace_columns, "--add", add),
        "--predicate": (predicate, "--sssom", sssom),
        "--api-url": (api_url, "--api", api),
        "--api-release": (api_release != "current", "--api", api),
        "--no-cache": (no_cache, "--api", api),
    }
    for one, (is_given, other, is_there) in needed.items():
        if is_given and not is_there:
            raise typer.BadParameter(f"{one} needs {other}")
    _check_out(out, source, is_set=bool(add), replace=replace)
    ways: dict[str, Any] = {
        "umls": umls,
        "srdef": srdef,
        "sssom": sssom,
        "xrefs": xrefs,
        "predicates": predicate or ["skos:exactMatch"],
    }
    with working():
        if api:
            ways["service"] = _service(api_url, api_release, allow_remote, remembers=not no_cache)
        if add:
            assert out is not None
            wanted = [one for given in add for one in split_commas(given)]
            ways["replace_columns"] = replace_columns
            made = _with_columns(source, wanted, from_, ways)
            made.save(out)
            _print_set(made, out, as_json=as_json or format is Format.json)
            return
        from medgauge.mapping.map_concepts import map_concepts

        if api:
            _admit(source, ways["service"])
        found = map_concepts(source, source=from_, target=to or "umls", column=column, **ways)
        if out is not None:
            from medgauge.files.writing import write_text

            write_text(out, found.to_json() if out.suffix == ".json" else found.to_csv())
    print_result(found, Format.json if as_json else format, bom=bom)
    if out is not None:
        say(f"{len(found.concepts):,} concepts written to {out}")


def _check_out(out: Path | None, source: str, *, is_set: bool, replace: bool) -> None:
    """Refuse a file that cannot be written, before the work starts."""
    if out is None:
        if is_set:
            raise typer.BadParameter("--add needs --out FILE.parquet, the set to write")
        return
    suffixes = (".parquet",) if is_set else (".csv", ".json")
    if out.suffix not in suffixes:
        what = "a set with added columns" if is_set else "a mapping"
        raise InputError(f"{out}: {what} must be a {' or '.join(suffixes)} file")
    check_new(out, source, what="the set" if is_set else "the mapping", given="the ids", replace=replace)


def _service(
    url: str | None, release: str, allow_remote: list[str] | None, *, remembers: bool
) -> "UmlsService":
    from medgauge.mapping.umls_service import ADDRESS, UmlsService

    return UmlsService.of(
        url or ADDRESS, release=release, allow_remote=allow_remote or (), remembers=remembers
    )


def _admit(source: str, service: "UmlsService") -> None:
    """Ask whether the codes of a set may be sent; a plain list of ids has no card that could forbid it."""
    from medgauge.catalog.cards import published_name
    from medgauge.mapping.given_ids import has_pairs

    if published_name(source) is not None or has_pairs(Path(source)):
        service.admit(pairs.card for pairs in load_named([source], missing="ignore"))


def _with_columns(source: str, add: list[Any], from_: str, ways: dict[str, Any]) -> "Pairs":
    from medgauge.mapping.added_columns import add_concepts

    sets = load_named([source])
    if len(sets) != 1:
        raise InputError(f"{source} has {len(sets)} sets; give one")
    return add_concepts(sets[0], add, source=from_, **ways)


def _print_set(made: "Pairs", out: Path, *, as_json: bool) -> None:
    """Print what was added to a set."""
    added = {
        name.removeprefix("added "): said
        for name, said in made.card.build.items()
        if name.startswith("added ")
    }
    if as_json:
        print_json({"set": made.card.name, "pairs": len(made), "added": added, "file": str(out)})
        return
    facts = {"set": made.card.name, "pairs": f"{len(made):,}"}
    for name, said in added.items():
        facts[name] = f"{said['mapped']:,} of {said['concepts']:,} concepts, by {said['by']}"
        facts |= {f"  {step}": f"{count:,}" for step, count in said["steps"].items()}
    print_facts(facts | {"written to": str(out)})
