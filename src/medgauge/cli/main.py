"""The program `medgauge`."""

import inspect
import io
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from medgauge.cli.annotation import agreement, annotate, gold
from medgauge.cli.building import build, corpus
from medgauge.cli.console import plain_remarks, plain_warnings, print_text, say
from medgauge.cli.downstream import correlate, ner, study, train
from medgauge.cli.endings import GO_ON, INTERRUPTED, PIPE_CLOSED, TERMINATED
from medgauge.cli.modelling import cache, models
from medgauge.cli.options.listed_values import ListingCommand
from medgauge.cli.results import categories, compare, demo, errors, evaluate, show
from medgauge.cli.sets import coverage, datasets
from medgauge.cli.sets import map as mapping
from medgauge.errors import MedgaugeError, options_as_flags


@contextmanager
def _ending_quietly() -> Iterator[None]:
    """End the program with its exit code if it is interrupted, or if the reader of its output is gone."""
    try:
        yield
    except KeyboardInterrupt:
        say(GO_ON)
        sys.exit(INTERRUPTED)
    except BrokenPipeError:  # the reader has closed the pipe, as head does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(PIPE_CLOSED)
    except SystemExit as stop:
        if isinstance(stop.__context__, BrokenPipeError):  # rich has turned it into exit code 1
            sys.exit(PIPE_CLOSED)
        raise


class _Commands(TyperGroup):
    """All commands; what ends them early is handled here, before typer gives it exit codes of its own."""

    def make_context(self, *arguments: Any, **options: Any) -> Any:
        """Parse the command line, which prints the help if that was asked for."""
        with _ending_quietly():
            return super().make_context(*arguments, **options)

    def invoke(self, *arguments: Any) -> Any:
        """Run a command."""
        with _ending_quietly():
            return super().invoke(*arguments)


app = typer.Typer(
    cls=_Commands,
    name="medgauge",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("demo")(demo.demo)
app.command("evaluate", cls=ListingCommand)(evaluate.evaluate)
app.command("show")(show.show)
app.command("compare")(compare.compare)
app.command("errors")(errors.errors)
app.command("correlate")(correlate.correlate)
app.command("ner", cls=ListingCommand)(ner.ner)
app.command("study")(study.study)
app.command("categories", cls=ListingCommand)(categories.categories)
app.command("coverage")(coverage.coverage)
app.command("map")(mapping.map_ids)
app.command("train")(train.train)
app.command("agreement")(agreement.agreement)
app.command("gold")(gold.gold)
app.add_typer(build.app)
app.add_typer(corpus.app)
app.add_typer(annotate.app)
app.add_typer(datasets.app)
app.add_typer(models.app)
app.add_typer(cache.app)


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


def _join_lines(commands: typer.Typer) -> None:
    """Join the lines of each paragraph of the help: a terminal wraps them at its own width."""
    for one in (*commands.registered_commands, commands.registered_callback):
        if one is not None and one.callback is not None:
            paragraphs = inspect.cleandoc(one.callback.__doc__ or "").split("\n\n")
            one.help = "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
    for group in commands.registered_groups:
        if group.typer_instance is not None:
            _join_lines(group.typer_instance)


_join_lines(app)


def run() -> None:
    """Run the program.

    Exit code 0, 1 (failure, one sentence on stderr), 2 (usage), 130 (interrupted), 141 (the reader of stdout
    closed it) or 143 (terminated).
    """
    _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # do not fail on a terminal that cannot show ρ
    try:
        with (
            _ending_quietly(),
            _ended_by_sigterm(),
            plain_warnings(),
            plain_remarks(),
            options_as_flags(),
        ):
            try:
                app()
            finally:
                sys.stdout.flush()  # so that a closed pipe or a full disk is noticed here
    except MedgaugeError as error:
        say(f"medgauge: {error}")
        sys.exit(1)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        say(f"medgauge: {where}{error.strerror or error}")
        sys.exit(1)


def _open_closed_streams() -> None:
    """Send the output nowhere if stdout or stderr was closed before the start (`>&-`).

    Otherwise the first file that is opened would get their number, and be written to by mistake.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            place = os.open(
                os.devnull, os.O_RDWR
            )  # the lowest free number: this one, as those below are open
            setattr(sys, name, open(place, "r+" if number == 0 else "w", encoding="utf-8"))  # noqa: SIM115, PTH123


@contextmanager
def _ended_by_sigterm() -> Iterator[None]:
    """Exit in an orderly way on SIGTERM, so that no temporary file is left."""

    def end(*_: object) -> None:
        sys.exit(TERMINATED)

    usual = signal.getsignal(signal.SIGTERM)
    if usual is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, usual)
