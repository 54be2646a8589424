"""medgauge categories."""

from pathlib import Path
from typing import Annotated

import typer

from medgauge.cli.console import Format, print_result, working
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
    FormatJson,
    Measure,
    Oov,
    SheetName,
    TermColumn,
    Tokenizer,
    Undecodable,
    named_measures,
)
from medgauge.estimate import CONFIDENCE
from medgauge.models.loading import Loading


def categories(
    *,
    close: Annotated[
        tuple[Path, Path],
        typer.Option(
            help="Two files with the terms of close categories A and B: text with one term per line, or a "
            "table (CSV, TSV, Excel, OpenDocument, Parquet) with a column of terms."
        ),
    ],
    distant: Annotated[Path, typer.Option(help="A file with the terms of the distant category C.")],
    model: Annotated[
        list[str],
        typer.Option(
            help="A vector file, KIND:NAME (see medgauge models), or a baseline (levenshtein, token-jaccard, "
            "char-tfidf, random); LABEL=MODEL names it. Name several in a row.",
        ),
    ],
    term: TermColumn = None,
    sheet: SheetName = None,
    measure: Measure = None,
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
    confidence: Confidence = CONFIDENCE,
    format: Annotated[  # noqa: A002 - the option's name
        Format,
        typer.Option(help="Output format; csv and json contain every model and measure."),
    ] = Format.table,
    as_json: FormatJson = False,
    bom: Bom = False,
) -> None:
    """Measure how well models separate categories: how often a distant term is as similar as a close one.

    Counts the triples with sim(a, b) <= sim(a, c), and averages similarities within and across categories.

    Example: medgauge categories --close diagnostic.txt therapeutic.txt --distant organisms.txt --model v.bin
    """
    from medgauge.categories.separation import category_separation

    with working():
        loading = Loading(
            tokenizer=tokenizer,
            case=case,
            undecodable=undecodable,
            device=device,
            cluster=cluster,
            cached=not no_cache,
            trust_remote_code=trust_remote_code,
            trust_pickle=trust_pickle,
            allow_remote=tuple(allow_remote or ()),
            max_tokens=max_tokens,
            price=price,
        )
        found = category_separation(
            load_models(model, loading),
            close=close,
            distant=distant,
            term=term,
            sheet=sheet,
            measures=named_measures(measure),
            oov=oov,
            confidence=confidence,
        )
    print_result(found, Format.json if as_json else format, bom=bom)
