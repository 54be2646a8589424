"""medgauge build records."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from medgauge.cli.console import Format, print_result, say, working
from medgauge.cli.options.shared_options import AsJson, split_commas
from medgauge.errors import InputError

if TYPE_CHECKING:
    from medgauge.build.records.data_sheet import DataSheet

_TABLE = "A table of events"


def _column(name: str, what: str) -> Any:
    """Return the option that names a column of a table of events, which is otherwise called `name`."""
    return typer.Option(
        metavar="COLUMN", help=f"The column of {what}.", show_default=name, rich_help_panel=_TABLE
    )


def records(
    source: Annotated[
        Path | None,
        typer.Argument(
            help="Records: an OMOP CDM (a folder or zip of CSV or Parquet, or a DuckDB file), FHIR bundles "
            "or NDJSON, Synthea CSV, or a table of events.",
            show_default=False,
            readable=False,  # unreadable files are reported like other bad input
        ),
    ] = None,
    *,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for the pairs; it appears once they are complete.", show_default=False),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what is read and the first counts; write no pairs.")
    ] = False,
    connect: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="A database instead of files, such as postgres://user@host/cdm; its password is read from "
            "MEDGAUGE_DB_PASSWORD.",
        ),
    ] = None,
    schema: Annotated[
        str | None, typer.Option(metavar="NAME", help="The database schema of the tables.")
    ] = None,
    categories: Annotated[
        str,
        typer.Option(
            help="Categories of events that count, comma-separated: symptom, diagnosis, presenting complaint "
            "or observation; or those of the column --category."
        ),
    ] = "symptom,diagnosis,presenting complaint",
    mapping: Annotated[
        Path | None,
        typer.Option(
            "--map",
            metavar="FILE",
            help="A table that maps codes to concepts: code, concept and, if wanted, term or system.",
        ),
    ] = None,
    terminology: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="SOURCE",
            help="A SNOMED CT release (RF2) or an ontology (OBO, OBO Graphs), for terms and the hierarchy. "
            "Repeat for extensions.",
        ),
    ] = None,
    language: Annotated[str, typer.Option(help="Language of the terms, for a release.")] = "en",
    exclude: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Ids of concepts to leave out, with all below them."),
    ] = None,
    within: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Ids of concepts; only these and those below them are kept."),
    ] = None,
    no_descendants: Annotated[
        bool,
        typer.Option("--no-descendants", help="Leave out or keep only the ids, not the concepts below them."),
    ] = False,
    exclude_linked: Annotated[
        bool, typer.Option("--exclude-linked", help="Leave out pairs of a parent and its child.")
    ] = False,
    list_concepts: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the concepts, for a person to flag those to --exclude."),
    ] = None,
    min_patients: Annotated[
        int, typer.Option(help="Concepts and pairs of fewer patients stay in the records; at least 5.")
    ] = 10,
    max_concepts: Annotated[
        int, typer.Option(help="Of a patient with more concepts, only the commonest are paired.")
    ] = 500,
    window: Annotated[
        int | None,
        typer.Option(metavar="DAYS", help="Pair only what was recorded within this number of days."),
    ] = None,
    sample: Annotated[
        Literal["random", "frequent", "stratified"], typer.Option(help="How pairs are chosen.")
    ] = "frequent",
    pairs: Annotated[
        int | None,
        typer.Option(help="Number of pairs.", show_default="4000 if frequent, else 120"),
    ] = None,
    per_concept: Annotated[
        int | None,
        typer.Option(help="Maximum number of frequent pairs with the same concept.", show_default="6"),
    ] = None,
    cap: Annotated[
        Literal["greedy", "both"] | None,
        typer.Option(
            help="Which frequent pairs are kept: while both concepts have fewer than --per-concept, or those "
            "among the first --per-concept of both.",
            show_default="greedy",
        ),
    ] = None,
    by: Annotated[
        Literal["band", "pmi"] | None,
        typer.Option(
            help="Strata of stratified pairs: bands of patients, or fifths of mutual information.",
            show_default="band",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed for drawing pairs.")] = 42,
    exact_counts: Annotated[
        bool, typer.Option("--exact-counts", help="Keep exact numbers of patients, for use on site.")
    ] = False,
    vectors: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write vectors of concepts from the same counts, for concepts:FILE."
        ),
    ] = None,
    memory: Annotated[
        str | None,
        typer.Option(
            help="Memory of the engine on this machine; the rest spills to disk.", show_default="4GB"
        ),
    ] = None,
    table: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The table of events.", rich_help_panel=_TABLE),
    ] = None,
    patient: Annotated[str | None, _column("patient", "patients' ids")] = None,
    code: Annotated[str | None, _column("code", "codes")] = None,
    system: Annotated[str | None, _column("system", "code systems")] = None,
    term: Annotated[str | None, _column("term", "the terms of codes")] = None,
    category: Annotated[str | None, _column("category", "categories")] = None,
    date: Annotated[str | None, _column("date", "dates")] = None,
    strict: Annotated[
        bool,
        typer.Option("--strict", help="Fail at an event without a patient and at FHIR that is not JSON."),
    ] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace another build, or other files.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Build pairs of concepts that occur together in health records, to be annotated for relatedness.

    Counts how many patients have both concepts of a pair, as for EHR-Rel (Schulz et al. 2020). Nothing of
    fewer than --min-patients patients leaves the records, and no id of a patient does.

    Example: medgauge build records omop-folder --out pairs
    """
    from medgauge.build.records.from_records import build_records

    if dry_run and (out is not None or vectors is not None):
        raise InputError("--dry-run writes no pairs and no vectors; leave out --out and --vectors")
    if out is None and not dry_run and list_concepts is None:
        raise InputError("name a folder for the pairs with --out, or look at the first counts with --dry-run")
    with working():
        sheet: DataSheet = build_records(
            source,
            out,
            connect=connect,
            schema=schema,
            table=table,
            patient=patient,
            code=code,
            system=system,
            term=term,
            category=category,
            date=date,
            categories=split_commas(categories),
            mapping=mapping,
            terminology=terminology or (),
            language=language,
            exclude=exclude,
            within=within,
            descendants=not no_descendants,
            exclude_linked=exclude_linked,
            min_patients=min_patients,
            max_concepts=max_concepts,
            window=window,
            sample=sample,
            pairs=pairs,
            per_concept=per_concept,
            cap=cap,
            by=by,
            seed=seed,
            exact_counts=exact_counts,
            list_concepts=list_concepts,
            vectors=vectors,
            memory=memory,
            strict=strict,
            replace=replace,
        )
    print_result(sheet, Format.json if as_json else Format.table)
    if sheet.written is not None:
        pairs_written = sheet.written.pairs
        what = "1 pair and its" if pairs_written == 1 else f"{pairs_written:,} pairs and their"
        say(f"{what} data-sheet.json are in {out}")
