"""medgauge demo."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from medgauge.cli.console import Format, print_text, say, working
from medgauge.cli.evaluate import print_run


def demo(
    folder: Annotated[Path, typer.Option("--out", help="The folder that the demo writes to.")] = Path("demo"),
) -> None:
    """See it work: make a set from the Human Phenotype Ontology, evaluate the baselines and GloVe on it.

    The published sets that are on this machine are evaluated too. Needs the extra 'demo'.

    Example: medgauge demo
    """
    from medgauge.catalog.load import datasets_here
    from medgauge.demo import write_glove, write_synonym_set
    from medgauge.evaluation.evaluate import evaluate
    from medgauge.models.lexical import baselines

    with working():
        say("1. a labelled set out of hp.obo: synonyms against random names")
        pairs = write_synonym_set(folder)
        say("2. GloVe vectors (6 billion tokens of general English) as a word2vec file")
        vectors = write_glove(folder)
        say("3. the four baselines and GloVe on it (the first run compiles the kernels)\n")
        run = evaluate(
            [*baselines().values(), vectors],
            [pairs, *datasets_here()],
            measures=["fj"],
            out=folder / "run",
            replace=True,
        )
    print_run(run, Format.table)
    print_text(
        f"written: {folder / 'run' / 'results.json'} and {folder / 'run' / 'scores'}\n"
        f"next:    medgauge compare {shlex.quote(str(folder / 'run'))}\n"
        f"         medgauge evaluate --model YOUR-VECTORS.bin --dataset {shlex.quote(str(pairs))}"
    )
