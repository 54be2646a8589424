"""medgauge corpus."""

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from medgauge.cli.console import print_facts, print_json, say, working
from medgauge.cli.options.shared_options import AsJson

_DEFAULT = "build"


class _BuildsByDefault(TyperGroup):
    """A group in which `medgauge corpus SOURCE…` means `medgauge corpus build SOURCE…`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the default command before arguments that do not begin with another."""
        if args and args[0] not in {*self.commands, *ctx.help_option_names}:
            args = [_DEFAULT, *args]
        return super().parse_args(ctx, args)


app = typer.Typer(name="corpus", cls=_BuildsByDefault, no_args_is_help=True)

_Tagger = Annotated[
    str | None,
    typer.Option(
        metavar="KIND:NAME",
        help="What finds lemmas and parts of speech, such as spacy:en_core_sci_sm.",
        show_default="none",
    ),
]
_Corpus = Annotated[
    Path,
    typer.Argument(
        help="A corpus that medgauge corpus wrote.", show_default=False, readable=False
    ),  # unreadable files are reported like other bad input
]


@app.callback()
def corpus() -> None:
    """Build a corpus of tokens from text, and count its words.

    medgauge corpus SOURCE… is short for medgauge corpus build SOURCE….

    Example: medgauge corpus pubmed25n0001.xml.gz --out corpus.parquet
    """


@app.command()
def build(
    sources: Annotated[
        list[Path],
        typer.Argument(
            metavar="SOURCE...",
            help="Files, compressed or not, or folders: MEDLINE or PubMed XML, JATS, CoNLL-U, or plain text "
            "with a passage in each line; recognised by their content.",
            show_default=False,
            readable=False,  # unreadable files are reported like other bad input
        ),
    ],
    *,
    out: Annotated[
        Path,
        typer.Option(help="The corpus, a Parquet file; it appears once complete.", show_default=False),
    ],
    tagger: _Tagger = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Fail at the first part of a source that cannot be read.")
    ] = False,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Processes that read files side by side; the corpus is the same with any number.",
            show_default="one for each processor",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Build a corpus from text: documents, and the tokens of their sentences or passages.

    What can be read of a damaged file is kept; what cannot is counted and located.

    Example: medgauge corpus build pubmed25n0001.xml.gz --out corpus.parquet
    """
    from medgauge.corpus.from_text import build_corpus

    with working():
        made = build_corpus(sources, out, tagger=tagger, strict=strict, workers=workers)
    if as_json:
        print_json(made.card.model_dump(mode="json"))
    else:
        print_facts(made.card.described())
    say(f"the corpus is in {out}")


@app.command()
def info(corpus: _Corpus, *, as_json: AsJson = False) -> None:
    """Show what a corpus holds, where it is from, and what could not be read.

    Example: medgauge corpus info corpus.parquet
    """
    from medgauge.corpus.stored_corpus import Corpus

    with working():
        card = Corpus.open(corpus).card
    if as_json:
        print_json(card.model_dump(mode="json"))
    else:
        print_facts(card.described())


@app.command()
def words(
    corpus: _Corpus,
    *,
    out: Annotated[
        Path,
        typer.Option(help="The word table, a Parquet file; it appears once complete.", show_default=False),
    ],
    journals: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A table of journals and their subjects, with the columns nlm_id and subject.",
        ),
    ] = None,
    reference: Annotated[
        str | None,
        typer.Option(
            metavar="LIST",
            help="General language with which to correlate frequencies: wordfreq, or a table with the "
            "columns word and frequency.",
        ),
    ] = None,
    tagger: _Tagger = None,
    memory: Annotated[
        str | None,
        typer.Option(
            help="Memory of the engine on this machine; the rest spills to disk.", show_default="4GB"
        ),
    ] = None,
    connect: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="An engine instead of the one on this machine, such as a Spark cluster, which can read the "
            "corpus by its path.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Count the words of a corpus: frequency, documents, journals and subjects of each.

    Words are lemmas with their parts of speech if the corpus has them, and otherwise forms.

    Example: medgauge corpus words corpus.parquet --out words.parquet --journals journals.tsv
    """
    from medgauge.corpus.word_table import corpus_words

    with working():
        table = corpus_words(
            corpus,
            out,
            journals=journals,
            reference=reference,
            tagger=tagger,
            memory=memory,
            connect=connect,
        )
    if as_json:
        print_json(table.card.model_dump(mode="json"))
    else:
        print_facts(table.card.described())
    say(f"the word table is in {out}")
