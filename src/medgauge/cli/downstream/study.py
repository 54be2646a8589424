"""medgauge study."""

from pathlib import Path
from typing import Annotated

import typer

from medgauge.cli.console import Format, print_result, print_text, say, working
from medgauge.cli.options.model_options import split_models
from medgauge.cli.options.shared_options import Bom, Confidence, FormatJson, NoIntervals, split_sources
from medgauge.errors import InputError
from medgauge.estimate import CONFIDENCE
from medgauge.models import loading as choices

_Inputs = "In place of what the study says"


def study(
    study: Annotated[
        str,
        typer.Argument(
            metavar="STUDY", help="A shipped study (windows, architectures, general) or a TOML file."
        ),
    ],
    *,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Folder for the result, the report and what each step wrote; it appears once the study is "
            "complete, and an interrupted one goes on.",
            show_default=False,
        ),
    ] = None,
    corpus: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The corpus to train on, or text to make one of.",
            rich_help_panel=_Inputs,
        ),
    ] = None,
    words: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The word table of the corpus, for subsets. Default: it is made.",
            rich_help_panel=_Inputs,
        ),
    ] = None,
    journals: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A table of journals (nlm_id) and their subjects, for the word table.",
            rich_help_panel=_Inputs,
        ),
    ] = None,
    arch: Annotated[
        list[str] | None,
        typer.Option(
            help="Architectures to train: sg, cbow, fasttext, ssg, attention, dependency. Repeat for each, "
            "or separate them by commas.",
            rich_help_panel=_Inputs,
        ),
    ] = None,
    window: Annotated[
        list[int] | None,
        typer.Option(help="Words on either side that are context. Repeat for each.", rich_help_panel=_Inputs),
    ] = None,
    vectors: Annotated[
        list[str] | None,
        typer.Option(
            metavar="MODEL",
            help="Biomedical vectors that exist: a file, or NAME=FILE. Repeat for each, or separate them by "
            "commas.",
            rich_help_panel=_Inputs,
        ),
    ] = None,
    general_vectors: Annotated[
        list[str] | None,
        typer.Option(metavar="MODEL", help="Likewise those of general English.", rich_help_panel=_Inputs),
    ] = None,
    dataset: Annotated[
        list[str] | None,
        typer.Option(
            help="Sets to evaluate on: published ones, files, or NAME=FILE. Repeat for each, or separate "
            "them by commas.",
            rich_help_panel=_Inputs,
        ),
    ] = None,
    ner: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FOLDER",
            help="NER corpora, as for medgauge ner: folders, or NAME=FOLDER. Repeat for each, or separate "
            "them by commas.",
            rich_help_panel=_Inputs,
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="Seed of training and of NER.", rich_help_panel=_Inputs),
    ] = None,
    confidence: Confidence = CONFIDENCE,
    threads: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Threads for training; with one, the same seed gives the same bytes.",
            show_default="all cores",
        ),
    ] = None,
    device: Annotated[
        choices.Device, typer.Option(help="Where NER networks are trained; auto takes a GPU if there is one.")
    ] = "auto",
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="List the steps with estimated times; nothing is written."),
    ] = False,
    show_file: Annotated[
        bool, typer.Option("--print", help="Print the file of the study, to make one of your own from.")
    ] = False,
    no_plots: Annotated[bool, typer.Option("--no-plots", help="Draw no plots for the report.")] = False,
    replace: Annotated[
        bool,
        typer.Option(
            "--replace", help="Replace another study in --out; what is the same is not computed again."
        ),
    ] = False,
    no_intervals: NoIntervals = False,
    format: Annotated[  # noqa: A002 - the option's name
        Format, typer.Option(help="Output format; csv and json contain every figure.")
    ] = Format.table,
    as_json: FormatJson = False,
    bom: Bom = False,
) -> None:
    """Study which benchmark predicts: train vectors, evaluate them, use them in NER, and correlate figures.

    The shipped studies are those of Chiu et al. (2018): windows (tables 7 and 8), architectures (5 and 6) and
    general (9). Name with options what they cannot know, or change anything in a copy of the file (--print).

    Example: medgauge study windows --corpus corpus.parquet --ner BC2GM,JNLPBA --out windows
    """
    from medgauge.study.run_study import run_study, schedule_study
    from medgauge.study.study_file import study_text

    if show_file:
        print_text(study_text(study))
        return
    changes = {
        "corpus": corpus,
        "words": words,
        "journals": journals,
        "vectors": split_models(vectors or ()),
        "general_vectors": split_models(general_vectors or ()),
        "ner_corpora": split_sources(ner or ()),
        "sets": split_sources(dataset or ()),
        "architectures": split_sources(arch or ()),
        "windows": window or (),
        "seed": seed,
    }
    shown = Format.json if as_json else format
    if dry_run:
        with working():
            planned = schedule_study(
                study, out, confidence=confidence, threads=threads, device=device, **changes
            )
        print_result(planned, shown, bom=bom)
        return
    if out is None:
        raise InputError("name a folder for the study with --out, or look at its steps with --dry-run")
    with working():
        found = run_study(
            study,
            out,
            confidence=confidence,
            threads=threads,
            device=device,
            plots=not no_plots,
            replace=replace,
            **changes,  # type: ignore[arg-type]
        )
    print_result(found, shown, intervals=not no_intervals, bom=bom)
    say(f"the report is {out / 'report.html'}, and the study is stored in {out}")
