"""medgauge models probe."""

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
    Oov,
    Tokenizer,
    Undecodable,
    split_commas,
)
from medgauge.estimate import CONFIDENCE
from medgauge.models.loading import Loading


def probe(
    model: Annotated[
        str, typer.Argument(help="A vector file or KIND:NAME (see medgauge models); LABEL=MODEL names it.")
    ],
    *,
    terminology: Annotated[
        list[Path],
        typer.Option(
            metavar="SOURCE",
            help="A Full release of SNOMED CT in RF2 (a folder or .zip), or an ontology with creation_date "
            "(OBO, OBO Graphs). Repeat for extensions, after the edition they extend.",
        ),
    ],
    since: Annotated[
        str | None,
        typer.Option(
            metavar="DATE",
            help="Concepts are new if they first appear on this date (such as 2020-01-31) or later. Default: "
            "a tenth of the concepts is new.",
        ),
    ] = None,
    candidates: Annotated[
        int, typer.Option(min=2, help="Number of names that each answer is among.")
    ] = 10_000,
    concepts: Annotated[int, typer.Option(min=1, help="Maximum number of new concepts to ask for.")] = 1_000,
    language: Annotated[str, typer.Option(help="Language of the terms, for a release.")] = "en",
    scopes: Annotated[
        str,
        typer.Option(help="Scopes of synonyms, for an ontology: exact, broad, narrow, related."),
    ] = "exact",
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
    seed: Annotated[
        int, typer.Option(min=0, help="Seed for drawing synonyms, matches, candidates and resamples.")
    ] = 0,
    confidence: Confidence = CONFIDENCE,
    format: Annotated[  # noqa: A002 - the option's name
        Format, typer.Option(help="Output format.")
    ] = Format.table,
    as_json: FormatJson = False,
    bom: Bom = False,
) -> None:
    """Look for signs of training on a terminology: better knowledge of older concepts than of new ones.

    Compares how often a model finds the name of a concept by a synonym, on concepts that first appear on a
    date or later, and on older ones that are alike in length and in the frequency of their rarest word.

    Example: medgauge models probe st:models/SapBERT --terminology hp.obo --since 2013-01-01
    """
    from medgauge.probing.probe import probe as find_signs

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
    with working():
        [loaded] = load_models([model], loading)
        found = find_signs(
            loaded,
            terminology,
            since=since,
            candidates=candidates,
            concepts=concepts,
            language=language,
            scopes=split_commas(scopes),
            oov=oov,
            seed=seed,
            confidence=confidence,
        )
    print_result(found, Format.json if as_json else format, bom=bom)
