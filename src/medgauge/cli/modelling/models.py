"""medgauge models."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from medgauge.cli.console import out, print_facts, print_grid, print_json, print_text, working
from medgauge.cli.modelling.encode import encode
from medgauge.cli.modelling.probe import probe
from medgauge.cli.modelling.rate import rate
from medgauge.cli.options.model_options import (
    AllowRemote,
    TrustPickle,
    TrustRemoteCode,
)
from medgauge.cli.options.shared_options import (
    AsJson,
    Case,
    Oov,
    Tokenizer,
    Undecodable,
    split_name,
)
from medgauge.errors import InputError
from medgauge.models.loading import Loading

if TYPE_CHECKING:
    from medgauge.models.load import FileModel

app = typer.Typer(name="models")
app.command()(encode)
app.command()(probe)
app.command()(rate)


@app.callback(invoke_without_command=True)
def models(context: typer.Context, as_json: AsJson = False) -> None:
    """List the kinds of models, the built-in baselines, and the published embeddings that papers compare.

    Example: medgauge models
    """
    if context.invoked_subcommand is not None:
        return
    from medgauge.models.kinds import kinds
    from medgauge.models.lexical import baselines
    from medgauge.models.published import published_embeddings

    built_in, published = baselines().values(), published_embeddings().values()
    if as_json:
        print_json(
            {
                "kinds": [
                    {
                        "name": kind.name,
                        "summary": kind.summary,
                        "example": kind.example,
                        "options": dict(kind.options),
                    }
                    for kind in kinds().values()
                ],
                "built_in": [model.card.model_dump(mode="json") for model in built_in],
                "published": [entry.model_dump(mode="json") for entry in published],
            }
        )
        return
    for kind in kinds().values():
        options = [f"?{name}={meaning}" for name, meaning in kind.options.items()]
        _print_entry(f"{kind.name}:", [kind.summary, f"for example {kind.example}", *options])
    print_text("")
    for model in built_in:
        _print_entry(model.card.name, [(type(model).__doc__ or "").splitlines()[0]])
    print_text("")
    for entry in published:
        size = f"{entry.words:,} × {entry.dim}" if entry.words else f"{entry.dim or '?'} dimensions"
        _print_entry(
            entry.name,
            [
                f"{entry.title}, {entry.year}: {size}, {entry.method}, window {entry.window}",
                f"corpus: {entry.corpus}",
                f"from: {entry.url or 'not known'}",
                f"licence: {entry.licence}",
            ],
        )


@app.command()
def info(
    model: Annotated[
        str, typer.Argument(help="A vector file, KIND:NAME, or the name of a published embedding.")
    ],
    tokenizer: Tokenizer = "words",
    case: Case = "fallback",
    oov: Oov = "uncovered",
    undecodable: Undecodable = "error",
    trust_remote_code: TrustRemoteCode = False,
    trust_pickle: TrustPickle = False,
    allow_remote: AllowRemote = None,
    as_json: AsJson = False,
) -> None:
    """Show what a model is; of a vector file, also how much of each set on this machine it covers.

    Nothing is scored, and no weights are loaded.

    Example: medgauge models info vectors.bin
    """
    from medgauge.models.published import published_embeddings

    if model in published_embeddings():
        _print_facts(published_embeddings()[model].model_dump(mode="json"), as_json)
        return
    from medgauge.catalog.datasets import datasets_here, load_dataset
    from medgauge.evaluation.coverage import coverage_of
    from medgauge.models.base import card_of
    from medgauge.models.encoding import TermEncoder, WordEncoder
    from medgauge.models.load import FileModel, baseline_name, open_model
    from medgauge.models.ontology.ontology_scorer import OntologyScorer
    from medgauge.models.services.judge import Judge
    from medgauge.report.vocabulary_tables import coverage_grids

    loading = Loading(
        tokenizer=tokenizer,
        case=case,
        undecodable=undecodable,
        trust_remote_code=trust_remote_code,
        trust_pickle=trust_pickle,
        allow_remote=tuple(allow_remote or ()),
    )
    with working():
        opened = open_model(model, None, loading)
        if isinstance(opened, TermEncoder | WordEncoder | Judge | OntologyScorer):
            source = opened.source if isinstance(opened, TermEncoder | WordEncoder) else opened
            _print_facts(source.facts(), as_json)
            return
        if baseline_name(model) is not None:
            raise InputError(f"'{model}' is a built-in baseline, which covers every term")
        if not isinstance(opened, FileModel):
            _print_facts(card_of(opened).model_dump(mode="json"), as_json)
            return
        here = [load_dataset(name) for name in datasets_here()]
        sets = [pairs for pairs in here if pairs.has_keys(opened.card.keys)]
        absent = [pairs.card.name for pairs in here if not pairs.has_keys(opened.card.keys)]
        covered = coverage_of(opened, sets, oov=oov) if sets else []
        facts = _file_facts(opened)
    if as_json:
        # Words of a set go to the screen only.
        counts = [{name: count for name, count in vars(one).items() if name != "missing"} for one in covered]
        print_json({**facts, "coverage": counts, **({"without_keys": absent} if absent else {})})
        return
    _print_facts(facts, as_json=False)
    for grid in coverage_grids(covered, absent):
        print_grid(grid)


@app.command()
def overlap(
    files: Annotated[
        list[str], typer.Argument(help="Two or more word-vector files, each FILE or NAME=FILE.")
    ],
    undecodable: Undecodable = "error",
    as_json: AsJson = False,
) -> None:
    """Show how much of each vocabulary (column) is in each of the others (rows).

    Example: medgauge models overlap a.bin b.vec
    """
    if len(files) < 2:
        raise typer.BadParameter("give at least two files to compare")
    from medgauge.models.load import check_names, default_name
    from medgauge.models.words.vocabulary import composes_words, vocabulary_overlap
    from medgauge.report.vocabulary_tables import overlap_grid

    named = [split_name(file) for file in files]
    names = [name or default_name(Path(file)) for name, file in named]
    check_names(names)
    with working():
        sizes, shares = vocabulary_overlap([file for _, file in named], strict=undecodable == "error")
    if as_json:
        print_json(
            {
                "words": dict(zip(names, sizes, strict=True)),
                "overlap": {
                    row: {column: float(shares[i, j]) for j, column in enumerate(names) if i != j}
                    for i, row in enumerate(names)
                },
            }
        )
        return
    composing = [name for name, (_, file) in zip(names, named, strict=True) if composes_words(file)]
    print_grid(overlap_grid(names, sizes, shares.tolist(), composing))


def _file_facts(model: "FileModel") -> dict[str, object]:
    keys = model.card.keys
    return {
        "file": str(model.path),
        "format": model.card.format,
        **({} if keys == "term" else {"keys": keys}),
        "bytes": model.path.stat().st_size,
        "vectors": model.count(),
        "dim": model.card.dim,
        "sha256": model.card.digest,
    }


def _print_facts(facts: dict[str, object], as_json: bool) -> None:
    if as_json:
        print_json(facts)
        return
    shown = {
        key: f"{value:,}" if type(value) is int and key != "year" else value for key, value in facts.items()
    }
    print_facts(
        {key.replace("_", " "): "not known" if value is None else str(value) for key, value in shown.items()}
    )


def _print_entry(name: str, lines: list[str]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(width=16)
    table.add_column(overflow="fold")
    table.add_row(Text(name, "bold"), Text("\n".join(lines)))
    out().print(table)
