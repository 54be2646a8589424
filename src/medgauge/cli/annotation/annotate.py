"""medgauge annotate."""

from collections import Counter
from pathlib import Path
from shlex import quote
from typing import Annotated, Any

import typer

from medgauge.annotate.defaults import BETWEEN, CONSISTENCY, DUPLICATES, HOST, PAGE, PORT, URL
from medgauge.cli.annotation.exchange import StudyFolder, export, import_
from medgauge.cli.console import print_facts, print_json, print_text, say, working
from medgauge.cli.options.shared_options import (
    AsJson,
    FirstTerm,
    GoldAs,
    LabelColumn,
    NoHeader,
    PairId,
    SecondTerm,
    SheetName,
    load_named,
)

app = typer.Typer(name="annotate", no_args_is_help=True)

_MOST_NAMES = 12  # annotators whose names are printed


@app.callback()
def annotate() -> None:
    """Have annotators rate pairs of terms.

    Example: medgauge annotate init study --pairs sets --protocol same --annotators 5 --per-pair 3
    """


@app.command()
def init(
    study: Annotated[Path, typer.Argument(help="The folder to create for the study.", show_default=False)],
    *,
    pairs: Annotated[
        list[str],
        typer.Option(
            metavar="SET",
            help="A published set, a file (CSV, TSV, Excel, OpenDocument, Parquet), NAME=FILE, or a folder "
            "of sets. A table of terms needs no scores. May be repeated; annotators do not see which set a "
            "pair comes from.",
            show_default=False,
        ),
    ],
    protocol: Annotated[
        str,
        typer.Option(
            help="What annotators are asked: same (verdicts), graded (0 to 3), slider (0 to 6), associated "
            "or domain (for build words), or your own TOML file.",
            show_default=False,
        ),
    ],
    annotators: Annotated[
        str,
        typer.Option(
            metavar="N|NAMES|FILE",
            help="The number of annotators, their names separated by commas, or a text file with one name "
            "per line.",
            show_default=False,
        ),
    ],
    per_pair: Annotated[
        int | None, typer.Option(min=1, help="Assign each pair to this many annotators, with balanced load.")
    ] = None,
    groups: Annotated[
        int | None,
        typer.Option(min=1, help="Or split the annotators into this many groups, each with its own pairs."),
    ] = None,
    consistency: Annotated[
        int | None,
        typer.Option(
            min=0, help=f"With --groups: number of pairs that all groups rate. Default: {CONSISTENCY}."
        ),
    ] = None,
    duplicates: Annotated[
        int | None,
        typer.Option(
            min=0,
            help=f"With --groups: number of pairs that each annotator sees twice. Default: {DUPLICATES}.",
        ),
    ] = None,
    page: Annotated[int, typer.Option(min=1, help="Maximum number of pairs on a page.")] = PAGE,
    sample: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Draw this many pairs per label from each set (30: 30 positive and 30 negative), or from "
            "the whole set if it has no labels. Default: all pairs.",
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(min=0, help="Seed for drawing the sample and assigning the pairs.")
    ] = 0,
    url: Annotated[
        str, typer.Option(help="The address at which the pages will be served, for the links.")
    ] = URL,
    term_1: FirstTerm = None,
    term_2: SecondTerm = None,
    label: LabelColumn = None,
    gold_as: GoldAs = None,
    pair_id: PairId = None,
    no_header: NoHeader = False,
    sheet: SheetName = None,
    as_json: AsJson = False,
) -> None:
    """Create a study: a folder with its pairs, their assignment to annotators, and everyone's sign-in link.

    The links are in links.csv, which only you can read. Anyone who has a link can rate in that name.

    Example: medgauge annotate init study --pairs sets --protocol same --annotators 5 --per-pair 3 --sample 30
    """
    from medgauge.annotate.design.link_file import LINKS
    from medgauge.annotate.design.names import name_annotators
    from medgauge.annotate.design.new_study import check_folder, make_study

    if (per_pair is None) == (groups is None):
        raise typer.BadParameter(
            "use either --per-pair N, which gives each pair to N of the annotators, or --groups N, which "
            "splits the pairs among N groups of annotators"
        )
    if groups is None and (consistency, duplicates) != (None, None):
        raise typer.BadParameter("--consistency and --duplicates can only be used with --groups")
    check_folder(study)
    names = name_annotators(annotators)
    with working():
        make_study(
            study,
            load_named(
                pairs,
                term_1=term_1,
                term_2=term_2,
                label=label,
                gold_as=gold_as,
                pair_id=pair_id,
                header=not no_header,
                sheet=sheet,
                missing="ignore",
            ),
            protocol=protocol,
            annotators=names,
            per_pair=per_pair,
            groups=groups,
            consistency=CONSISTENCY if consistency is None else consistency,
            duplicates=DUPLICATES if duplicates is None else duplicates,
            page=page,
            each_label=sample,
            each_set=sample,
            seed=seed,
            url=url,
        )
    made = _described(study, links=study / LINKS)
    if as_json:
        print_json(made)
    else:
        print_facts(_facts(made))
    say(f"Hand out the links in {made['links']}, then run: medgauge annotate serve {quote(str(study))}")


def _described(study: Path, *, links: Path) -> dict[str, Any]:
    from medgauge.annotate.store.store import Store

    with Store.open(study, read_only=True) as store:
        pairs = Counter(pair.set_name for pair in store.pairs())
        progress, between = store.progress(), store.study().design.get("between")
    return {
        "study": str(study),
        "pairs": pairs.total(),
        "sets": dict(pairs),
        "annotators": [
            {"name": one.annotator.name, "ratings": one.of, "pages": one.pages} for one in progress
        ],
        "between": between,
        "links": str(links),
    }


def _facts(made: dict[str, Any]) -> dict[str, str]:
    sets, annotators = made["sets"], made["annotators"]
    by_set = ", ".join(f"{name} {count:,}" for name, count in sets.items())
    names = ", ".join(one["name"] for one in annotators)
    repeats = {} if made["between"] is None else {"second showings": _repeats(made["between"])}
    return {
        "study": made["study"],
        "pairs": f"{made['pairs']:,}: {by_set}",
        "annotators": f"{len(annotators):,}" + (f": {names}" if len(annotators) <= _MOST_NAMES else ""),
        "ratings each": _span([one["ratings"] for one in annotators]),
        "pages each": _span([one["pages"] for one in annotators]),
        **repeats,
        "links": made["links"],
    }


def _repeats(between: int) -> str:
    """Describe how far apart the two showings of a pair are, and what to do if that is not far."""
    found = f"on a later page, after at least {between} other pairs"
    return found if between >= BETWEEN else f"{found}; for {BETWEEN}, add pairs or ask for fewer duplicates"


def _span(counts: list[int]) -> str:
    low, high = min(counts), max(counts)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


@app.command()
def serve(
    study: StudyFolder,
    *,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = HOST,
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to listen on.")] = PORT,
    url: Annotated[
        str | None,
        typer.Option(
            help="The address that annotators open if this server is behind a proxy, such as "
            "https://study.example.org.",
            show_default="the address it listens on",
        ),
    ] = None,
    tls_cert: Annotated[
        Path | None, typer.Option(help="PEM certificate, to serve over TLS without a proxy.")
    ] = None,
    tls_key: Annotated[Path | None, typer.Option(help="PEM key of the certificate.")] = None,
) -> None:
    """Serve a study's pages to annotators and the coordinator until Ctrl-C.

    Nothing leaves this machine. Each rating is on disk before the page says that it is saved.

    Example: medgauge annotate serve study
    """
    from medgauge.annotate.design.link_file import LINKS, move_links
    from medgauge.annotate.web.serving import Address, serve_study

    def ready(address: str) -> None:
        say(f"The study is served at {address}; press Ctrl-C to stop.")
        moved = move_links(study, address)
        if moved and moved.now == address:
            say(f"The links in {study / LINKS} began with {moved.before}; now they begin with {address}.")
        elif moved:
            say(
                f"The links in {study / LINKS} begin with {moved.before}: they work only if that address "
                "leads here. If it is your proxy's, pass it with --url."
            )
        if (study / LINKS).exists():
            say(f"Everyone's link is in {study / LINKS}: hand the links out, then delete the file.")

    address = Address(host=host, port=port, url=url, certificate=tls_cert, key=tls_key)
    serve_study(study, address, ready=ready)


@app.command()
def link(
    study: StudyFolder,
    name: Annotated[str, typer.Argument(help="An annotator's name, or coordinator.", show_default=False)],
    *,
    url: Annotated[str, typer.Option(help="What the link begins with.")] = URL,
) -> None:
    """Print a new sign-in link for one person; their old link stops working, even while the study is served.

    Example: medgauge annotate link study coordinator
    """
    from medgauge.annotate.store.links import base_of
    from medgauge.annotate.store.store import Store
    from medgauge.errors import UnknownNameError

    base = base_of(url)
    with Store.open(study) as store:
        numbers = {one.name: one.number for one in store.annotators()}
        if name not in numbers:
            raise UnknownNameError("annotator", name, numbers)
        print_text(f"{base}/s/{store.new_link(numbers[name])}")


app.command("export")(export)
app.command("import")(import_)
