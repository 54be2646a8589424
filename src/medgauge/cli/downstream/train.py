"""medgauge train."""

from pathlib import Path
from typing import Annotated

import typer

from medgauge.cli.console import print_facts, print_json, working
from medgauge.cli.options.shared_options import AsJson
from medgauge.models import lookup as choices


def train(
    corpus: Annotated[
        Path,
        typer.Argument(
            help="A corpus of medgauge corpus, or a file that one can be made of, such as plain text with a "
            "passage in each line.",
            readable=False,  # unreadable files are reported like other bad input
        ),
    ],
    *,
    out: Annotated[
        str,
        typer.Option(
            help="The file to write: text if it ends in .txt or .vec, else binary. For several models, "
            "a name with {arch} or {window}.",
            show_default=False,
        ),
    ],
    arch: Annotated[
        list[str] | None,
        typer.Option(
            help="sg (skip-gram), cbow, fasttext, ssg (structured skip-gram), attention (CBOW with it) or "
            "dependency (contexts by a parse). Repeat for several models. Default: sg."
        ),
    ] = None,
    window: Annotated[
        list[int] | None,
        typer.Option(help="Words on either side that are context. Repeat for several models. Default: 5."),
    ] = None,
    dim: Annotated[int, typer.Option(help="Number of dimensions.")] = 200,
    negative: Annotated[int, typer.Option(help="Words that are drawn for each predicted one.")] = 5,
    sample: Annotated[
        float, typer.Option(help="Share of the corpus above which a word is subsampled; 0 for none.")
    ] = 1e-5,
    lr: Annotated[float, typer.Option(help="Learning rate at the start, which decreases linearly.")] = 0.05,
    min_count: Annotated[int, typer.Option(help="Leave out words that occur less often.")] = 5,
    epochs: Annotated[int, typer.Option(help="Passes over the corpus.")] = 5,
    seed: Annotated[int, typer.Option(help="Seed of everything that is drawn.")] = 1,
    threads: Annotated[
        int | None,
        typer.Option(
            min=1, help="Threads; with one, the same seed gives the same bytes.", show_default="all cores"
        ),
    ] = None,
    tokenizer: Annotated[
        choices.Tokenizer,
        typer.Option(
            help="Split tokens as terms are split, without signs (words), or take them as they are."
        ),
    ] = "words",
    keep_case: Annotated[bool, typer.Option("--keep-case", help="Do not lower-case words.")] = False,
    cluster: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Train several models side by side on the workers of this Dask cluster (tcp://HOST:PORT), "
            "which see the same files.",
        ),
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Overwrite --out, and discard a checkpoint of another training.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Train word vectors on a corpus; the defaults are those of Chiu et al. (2018, table 3).

    A run that was killed goes on from its last checkpoint when the same command is given again.

    Example: medgauge train corpus.parquet --arch sg --window 5 --out vectors.bin
    """
    from medgauge.train.train_several import train_several
    from medgauge.train.training_parameters import TrainingParameters

    parameters = [
        TrainingParameters(
            arch=one,  # type: ignore[arg-type]  # checked there
            window=width,
            dim=dim,
            negative=negative,
            sample=sample,
            lr=lr,
            min_count=min_count,
            epochs=epochs,
            seed=seed,
            tokenizer=tokenizer,
            keep_case=keep_case,
        )
        for one in dict.fromkeys(arch or ["sg"])
        for width in dict.fromkeys(window or [5])
    ]
    with working():
        trained = train_several(corpus, out, parameters, threads=threads, cluster=cluster, replace=replace)
    if as_json:
        print_json([one.facts for one in trained])
        return
    for one in trained:
        print_facts(one.shown)
