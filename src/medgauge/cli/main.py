"""The program `medgauge`."""

import io
import os
import sys
from typing import Annotated

import typer

from medgauge.cli import (
    agreement,
    annotate,
    build,
    categories,
    compare,
    correlate,
    datasets,
    demo,
    evaluate,
    gold,
    models,
)
from medgauge.cli.console import plain_remarks, plain_warnings, print_text, say
from medgauge.errors import MedgaugeError, options_as_flags

app = typer.Typer(
    name="medgauge",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("demo")(demo.demo)
app.command("evaluate")(evaluate.evaluate)
app.command("compare")(compare.compare)
app.command("correlate")(correlate.correlate)
app.command("categories")(categories.categories)
app.command("agreement")(agreement.agreement)
app.command("gold")(gold.gold)
app.add_typer(build.app)
app.add_typer(annotate.app)
app.add_typer(datasets.app)
app.add_typer(models.app)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print_text(f"medgauge {version('medgauge')}")
        raise typer.Exit


@app.callback()
def main(
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Gauges how well embeddings know medical language.

    Start with: medgauge demo
    """


def run() -> None:
    """Run the program: exit code 0, 1 (failure, one sentence on stderr) or 2 (usage)."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # do not fail on a terminal that cannot show ρ
    try:
        with plain_warnings(), plain_remarks(), options_as_flags():
            app()
    except MedgaugeError as error:
        say(f"medgauge: {error}")
        sys.exit(1)
    except BrokenPipeError:
        # The reader of the output has closed the pipe, as head does.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        say(f"medgauge: {where}{error.strerror or error}")
        sys.exit(1)
