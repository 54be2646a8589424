"""medgauge models rate."""

from pathlib import Path
from typing import Annotated

import typer

from medgauge.cli.console import say, working
from medgauge.cli.options.model_options import AllowRemote, MaxTokens, NoCache, Price
from medgauge.cli.options.shared_options import Bom, load_named
from medgauge.errors import FileError, InputError, quoted
from medgauge.models.loading import Loading


def rate(
    model: Annotated[
        str, typer.Argument(help="A chat model, judge:MODEL@URL; LABEL=judge:… names its column.")
    ],
    dataset: Annotated[str, typer.Argument(help="A published set, or a file of pairs.")],
    out: Annotated[Path, typer.Option(help="The CSV file to write: the set with a column rater_LABEL.")],
    no_cache: NoCache = False,
    allow_remote: AllowRemote = None,
    max_tokens: MaxTokens = None,
    price: Price = None,
    replace: Annotated[bool, typer.Option("--replace", help="Overwrite the file --out.")] = False,
    bom: Bom = False,
) -> None:
    """Have a chat model rate a set as one more annotator, for medgauge agreement.

    Each pair is rated once, in the order of its terms. A pair that is not rated has an empty cell.

    Example: medgauge models rate judge:llama3.1@http://localhost:11434/v1 ehr-rel-b --out rated.csv
    """
    from medgauge.files.spreadsheets import frame_csv
    from medgauge.files.writing import can_write, write_text
    from medgauge.models.load import open_model
    from medgauge.models.services.rater_column import with_rater
    from medgauge.models.spec import split_label

    if out.exists() and not replace:
        raise InputError(f"{out} exists; choose another file, or add --replace")
    if not can_write(out):  # noticed before ratings are paid for
        raise FileError(out, "cannot be written; choose another place")
    loading = Loading(
        cached=not no_cache, allow_remote=tuple(allow_remote or ()), max_tokens=max_tokens, price=price
    )
    label, source = split_label(model)
    with working():
        judge = open_model(source, label, loading)
        sets = load_named([dataset], missing="ignore")
        if len(sets) != 1:
            raise InputError(f"{quoted(dataset)} is {len(sets)} sets; give one")
        [pairs] = sets
        frame, failures = with_rater(pairs, judge)
        write_text(out, frame_csv(frame, bom=bom))
    for kind, count in failures.items():
        say(f"{count:,} of {len(pairs):,} pairs have no rating: {kind}")
    say(f"ratings written to {out}")
