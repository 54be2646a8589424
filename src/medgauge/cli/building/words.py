"""medgauge build words."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from medgauge.cli.console import Format, print_result, say, working
from medgauge.cli.options.shared_options import AsJson, split_commas
from medgauge.errors import InputError

if TYPE_CHECKING:
    from medgauge.build.words.word_sheet import WordSheet

_FILTERS = "multi-word,auxiliaries,numbers,symbols,greek,short,rare"
_WORDS, _LINKS, _EXPERTS, _PAIRS = "Choice of words", "What links words", "Experts", "Pairs"


def words(
    table: Annotated[
        Path,
        typer.Argument(
            metavar="WORDS",
            help="A word table that medgauge corpus words wrote.",
            show_default=False,
            readable=False,  # unreadable files are reported like other bad input
        ),
    ],
    *,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for the pairs; it appears once they are complete.", show_default=False),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what each filter leaves of the words; write nothing.")
    ] = False,
    filters: Annotated[
        str,
        typer.Option(help="Filters to apply, comma-separated.", rich_help_panel=_WORDS),
    ] = _FILTERS,
    min_length: Annotated[
        int, typer.Option(help="Shorter words are removed by the filter short.", rich_help_panel=_WORDS)
    ] = 3,
    min_frequency: Annotated[
        int, typer.Option(help="Rarer words are removed by the filter rare.", rich_help_panel=_WORDS)
    ] = 5,
    lemmatise: Annotated[
        bool,
        typer.Option(
            "--lemmatise",
            help="Make the forms of a word one, for a table of forms: by --lexicon, else by simplemma, which "
            "does not know parts of speech.",
            rich_help_panel=_WORDS,
        ),
    ] = False,
    keep_british: Annotated[
        bool,
        typer.Option("--keep-british", help="Leave British spellings as they are.", rich_help_panel=_WORDS),
    ] = False,
    only_known: Annotated[
        bool,
        typer.Option(
            "--only-known",
            help="Keep only words that a dictionary of English (simplemma's), --lexicon or --ontology has; "
            "names, typing errors and other languages go.",
            rich_help_panel=_WORDS,
        ),
    ] = False,
    reference: Annotated[
        str | None,
        typer.Option(
            metavar="LIST",
            help="How frequent words are in general English: wordfreq, or a table with columns word and "
            "frequency.",
            show_default="wordfreq",
            rich_help_panel=_WORDS,
        ),
    ] = None,
    biomedical: Annotated[
        float,
        typer.Option(
            help="A word is biomedical if it is at least this many times as frequent as in general English.",
            rich_help_panel=_WORDS,
        ),
    ] = 10,
    general: Annotated[
        float,
        typer.Option(
            help="A word is general if it is at most this many times as frequent as in general English.",
            rich_help_panel=_WORDS,
        ),
    ] = 1,
    frequent_in_both: Annotated[
        float,
        typer.Option(
            help="A word this frequent per million words in both is for experts, and not general.",
            rich_help_panel=_WORDS,
        ),
    ] = 100,
    ontology: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="An ontology (OBO, OBO Graphs): synonyms and siblings are associated. Repeat for more.",
            rich_help_panel=_LINKS,
        ),
    ] = None,
    scopes: Annotated[
        str,
        typer.Option(
            help="Scopes of synonyms to use: exact, broad, narrow, related, comma-separated.",
            rich_help_panel=_LINKS,
        ),
    ] = "exact",
    lexicon: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH",
            help="Your copy of the SPECIALIST Lexicon: a folder with LEXICON, LRAGR, LRSPL, LRNOM or SM.DB, "
            "or one of these, for forms of words and synonyms.",
            rich_help_panel=_LINKS,
        ),
    ] = None,
    norms: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Norms of free association, such as those of USF, for general words.",
            rich_help_panel=_LINKS,
        ),
    ] = None,
    domains: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Experts' ratings of words, with the protocol domain.",
            rich_help_panel=_EXPERTS,
        ),
    ] = None,
    accepted: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Experts' ratings of candidate pairs, with the protocol associated; pairs that all of them "
            "accept count.",
            rich_help_panel=_EXPERTS,
        ),
    ] = None,
    unjudged: Annotated[
        bool,
        typer.Option(
            "--unjudged",
            help="Take candidates without asking experts; the card of the pairs says so.",
            rich_help_panel=_EXPERTS,
        ),
    ] = False,
    candidates: Annotated[
        int | None,
        typer.Option(
            help="Number of candidate pairs of each part of speech.",
            show_default="2.5 times --pairs",
            rich_help_panel=_EXPERTS,
        ),
    ] = None,
    pairs: Annotated[
        int, typer.Option(help="Number of pairs in each quarter of a set.", rich_help_panel=_PAIRS)
    ] = 250,
    per_word: Annotated[
        int,
        typer.Option(help="Maximum number of pairs of a quarter with the same word.", rich_help_panel=_PAIRS),
    ] = 3,
    balance_frequency: Annotated[
        bool,
        typer.Option(
            "--balance-frequency",
            help="Draw as many pairs of words of low, of medium and of high frequency.",
            rich_help_panel=_PAIRS,
        ),
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="Seed for drawing pairs.", rich_help_panel=_PAIRS)] = 42,
    replace: Annotated[bool, typer.Option("--replace", help="Replace another build in the folder.")] = False,
    as_json: AsJson = False,
) -> None:
    """Build pairs of words from a corpus, to be annotated for similarity (Chiu et al. 2018).

    Chooses words, nouns and verbs apart, and pairs them in quarters: biomedical or general, associated or
    not. Experts judge two lists in the folder experts before the pairs are complete: words between the
    domains, and candidates for associated biomedical pairs.

    Example: medgauge build words words.parquet --ontology hp.obo --norms usf.tsv --out pairs
    """
    from medgauge.build.words.from_words import build_words

    if dry_run == (out is not None):
        raise InputError("name a folder for the pairs with --out, or look at the words with --dry-run")
    with working():
        sheet: WordSheet = build_words(
            table,
            out,
            filters=split_commas(filters),
            min_length=min_length,
            min_frequency=min_frequency,
            lemmatise=lemmatise,
            american=not keep_british,
            only_known=only_known,
            reference=reference,
            biomedical=biomedical,
            general=general,
            frequent_in_both=frequent_in_both,
            domains=domains,
            ontology=ontology or (),
            scopes=split_commas(scopes),
            lexicon=lexicon,
            norms=norms,
            pairs=pairs,
            candidates=candidates,
            accepted=accepted,
            unjudged=unjudged,
            per_word=per_word,
            balance_frequency=balance_frequency,
            seed=seed,
            replace=replace,
        )
    print_result(sheet, Format.json if as_json else Format.table)
    if out is None:
        return
    if sheet.sets:
        say(f"{sum(one.pairs for one in sheet.sets.values()):,} pairs and their word-sheet.json are in {out}")
    else:
        say(
            f"Candidates for experts are in {out}/experts; next: medgauge annotate init study --pairs "
            f"{out}/experts/candidate-pairs.parquet --protocol associated --annotators 2 --per-pair 2"
        )
