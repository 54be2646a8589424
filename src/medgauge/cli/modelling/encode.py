"""medgauge models encode."""

from pathlib import Path
from typing import Annotated

import typer

from medgauge.cli.console import say, working
from medgauge.cli.options.model_options import (
    AllowRemote,
    Cluster,
    Device,
    MaxTokens,
    NoCache,
    Price,
    TrustPickle,
    TrustRemoteCode,
)
from medgauge.cli.options.shared_options import SheetName, TermColumn, load_named
from medgauge.errors import InputError
from medgauge.models.loading import Loading


def encode(
    model: Annotated[
        str,
        typer.Argument(
            help="An encoder or a service, KIND:NAME (see medgauge models); LABEL=MODEL names it."
        ),
    ],
    *,
    terms: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Text with a term per line, or a table with a column of terms."),
    ] = None,
    dataset: Annotated[
        list[str] | None,
        typer.Option(help="Encode the terms of this set too: a published one, 'all', or a file of pairs."),
    ] = None,
    out: Annotated[
        Path,
        typer.Option(help="Write the terms and their vectors to this .parquet file.", show_default=False),
    ],
    term: TermColumn = None,
    sheet: SheetName = None,
    device: Device = "auto",
    cluster: Cluster = None,
    no_cache: NoCache = False,
    trust_remote_code: TrustRemoteCode = False,
    trust_pickle: TrustPickle = False,
    allow_remote: AllowRemote = None,
    max_tokens: MaxTokens = None,
    price: Price = None,
    replace: Annotated[bool, typer.Option("--replace", help="Overwrite the file --out.")] = False,
) -> None:
    """Encode terms on this machine, for use on another as --model FILE.parquet.

    A run that was killed goes on where it stopped when the same command is given again.

    Example: medgauge models encode st:models/all-MiniLM-L6-v2 --terms terms.txt --out vectors.parquet
    """
    from medgauge.catalog.termlist import card_of_list, distinct_terms
    from medgauge.models.load import check_source, open_model
    from medgauge.models.services.sending import as_set, check_sending
    from medgauge.models.spec import split_label
    from medgauge.models.vector_export import export_vectors
    from medgauge.pairs import different_keys

    if terms is None and not dataset:
        raise typer.BadParameter("give --terms, --dataset, or both")
    if out.exists() and not replace:
        raise InputError(f"{out} already exists; choose another file, or add --replace")
    name, source = split_label(model)
    check_source(source)
    loading = Loading(
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
        sets = load_named(dataset or ())
        if terms is not None:
            listed = distinct_terms(terms, term=term, sheet=sheet)
            sets = [as_set(listed, card_of_list(terms)), *sets]
        opened = open_model(source, name, loading)
        check_sending([opened], sets)
        exported = export_vectors(opened, different_keys(sets, "term"), out)
    if exported.lacking:
        count = exported.terms + exported.lacking
        say(f"{exported.lacking:,} of {count:,} terms have no vector and are left out")
    say(f"{exported.terms:,} vectors of {exported.dim} dimensions written to {out}")
