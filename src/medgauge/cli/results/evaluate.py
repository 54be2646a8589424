"""medgauge evaluate."""

from pathlib import Path
from typing import Annotated

import typer

from medgauge.cli.console import Format, print_result, say, working
from medgauge.cli.options.model_options import (
    AllowRemote,
    Cluster,
    Device,
    MaxTokens,
    NoCache,
    Price,
    TrustPickle,
    TrustRemoteCode,
    load_models,
)
from medgauge.cli.options.shared_options import (
    Bom,
    Case,
    Confidence,
    FirstTerm,
    FormatJson,
    GoldAs,
    GoldColumn,
    LabelColumn,
    MissingGold,
    NoHeader,
    NoIntervals,
    Oov,
    PairId,
    SecondTerm,
    SheetName,
    Tokenizer,
    Undecodable,
    load_named,
    split_name,
    split_sources,
)
from medgauge.cli.options.subset_options import (
    Attributes,
    Bins,
    By,
    Plot,
    Types,
    Where,
    check_together,
    parse_bins,
)
from medgauge.estimate import CONFIDENCE
from medgauge.models.loading import Loading


def evaluate(
    *,
    model: Annotated[
        list[str] | None,
        typer.Option(
            help="A vector file, KIND:NAME (see medgauge models), or a baseline (levenshtein, token-jaccard, "
            "char-tfidf, random); LABEL=MODEL names it. Name several in a row, or separate them by commas.",
        ),
    ] = None,
    dataset: Annotated[
        list[str],
        typer.Option(
            help="A published set, 'all' (those on this machine), a file of pairs (CSV, TSV, Excel, "
            "OpenDocument, Parquet), or NAME=FILE. Name several in a row, or separate them by commas."
        ),
    ],
    measure: Annotated[
        list[str] | None,
        typer.Option(
            help="What to show: standard (avg_cos for word vectors, cos for term vectors; the default), best "
            "(chosen on the test data), or all. csv, json and --out have all three. Or compute only "
            "measures by name; repeat for each."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Store the run (results.json and all scores) in this folder."),
    ] = None,
    baselines: Annotated[
        bool, typer.Option("--baselines", help="Evaluate the four lexical baselines too.")
    ] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="Use only the first N pairs of each set.")] = None,
    where: Where = None,
    by: By = None,
    bins: Bins = None,
    attributes: Attributes = None,
    types: Types = None,
    plot: Plot = None,
    tokenizer: Tokenizer = "words",
    case: Case = "fallback",
    oov: Oov = "uncovered",
    undecodable: Undecodable = "error",
    device: Device = "auto",
    cluster: Cluster = None,
    no_cache: NoCache = False,
    trust_remote_code: TrustRemoteCode = False,
    trust_pickle: TrustPickle = False,
    allow_remote: AllowRemote = None,
    max_tokens: MaxTokens = None,
    price: Price = None,
    term_1: FirstTerm = None,
    term_2: SecondTerm = None,
    gold: GoldColumn = None,
    label: LabelColumn = None,
    gold_as: GoldAs = None,
    pair_id: PairId = None,
    no_header: NoHeader = False,
    sheet: SheetName = None,
    missing: MissingGold = "error",
    seed: Annotated[
        int,
        typer.Option(min=0, help="Seed of the cross-validation folds and of the random baseline."),
    ] = 0,
    confidence: Confidence = CONFIDENCE,
    replace: Annotated[
        bool, typer.Option("--replace", help="Overwrite another run in the folder --out.")
    ] = False,
    no_intervals: NoIntervals = False,
    format: Annotated[  # noqa: A002 - the option's name
        Format, typer.Option(help="Output format; csv and json contain every figure.")
    ] = Format.table,
    as_json: FormatJson = False,
    bom: Bom = False,
) -> None:
    """Evaluate models on sets: Spearman's ρ for graded sets, AUC and accuracies for labelled ones.

    All figures on a set are computed on the pairs that every model covers.

    Example: medgauge evaluate --model vectors.bin --baselines --dataset all --measure fj
    """
    from medgauge.catalog.datasets import check_sources
    from medgauge.evaluation.evaluate import evaluate as run_evaluation
    from medgauge.models.lexical import baselines as built_in
    from medgauge.report.plots.canvas import check_plot, write_plot

    if not model and not baselines:
        raise typer.BadParameter("give at least one --model, or --baselines")
    if gold and label:
        raise typer.BadParameter("give --gold for graded scores or --label for 0/1 labels, not both")
    if measure and len(measure) > 1 and not {"standard", "best", "all"}.isdisjoint(measure):
        raise typer.BadParameter("give --measure standard, best or all by itself, or measures by name")
    check_together(by, bins, attributes, plot)
    edges = parse_bins(bins)
    check_plot(plot)
    with working():
        dataset = split_sources(dataset)
        check_sources(split_name(one)[1] for one in dataset)
        _report_absent(dataset)
        given = [*(model or ()), *(built_in() if baselines else ())]
        loading = Loading(
            tokenizer=tokenizer,
            case=case,
            undecodable=undecodable,
            seed=seed,
            device=device,
            cluster=cluster,
            cached=not no_cache,
            trust_remote_code=trust_remote_code,
            trust_pickle=trust_pickle,
            allow_remote=tuple(allow_remote or ()),
            max_tokens=max_tokens,
            price=price,
        )
        models = load_models(given, loading)
        sets = load_named(
            dataset,
            term_1=term_1,
            term_2=term_2,
            gold=gold,
            label=label,
            gold_as=gold_as,
            pair_id=pair_id,
            header=not no_header,
            sheet=sheet,
            missing=missing,
            needs_gold=True,
        )
        run = run_evaluation(
            models,
            sets,
            measures=measure or None,
            out=out,
            oov=oov,
            seed=seed,
            limit=limit,
            where=where,
            by=by,
            bins=edges,
            attributes=attributes,
            types=types,
            confidence=confidence,
            replace=replace,
        )
    if plot is not None:
        write_plot(plot, run.plot)
    print_result(run, Format.json if as_json else format, intervals=not no_intervals, bom=bom)
    for what, place in (("run stored in", out), ("plot written to", plot)):
        if place is not None:
            say(f"{what} {place}")


def _report_absent(given: list[str]) -> None:
    """Name the published sets that 'all' leaves out."""
    from medgauge.catalog.cards import find_file, published_sets

    absent = [name for name, entry in published_sets().items() if find_file(entry.file) is None]
    if "all" in given and absent:
        say(f"left out, since they are not on this machine: {', '.join(absent)}")
