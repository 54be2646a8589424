import io
import re
import time
import warnings

from rich.cells import cell_len
from rich.console import Console

from medgauge.cli import console
from medgauge.errors import CoverageWarning
from medgauge.progress import remark, track
from medgauge.report.grids.grid import Cell, Grid


def test_a_wide_grid_is_printed_in_parts_that_fit(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "40")
    header = ["set", *(f"model-{number}" for number in range(8))]
    console.print_grid(Grid("Wide", header, [[Cell("x"), *(Cell("0.123") for _ in range(8))]], ["A note."]))
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 40
    assert [line for line in lines if "Wide" in line] == ["Wide", "Wide (continued)"]
    shown = " ".join(lines)
    assert all(f"model-{number}" in shown for number in range(8))
    assert lines[-2] == "A note."


def test_intervals_are_printed_below_their_figures_where_the_terminal_is_narrow(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "60")
    cells = [Cell("0.615", bold=True, interval="[0.570, 0.660]"), Cell("0.500", interval="[0.440, 0.560]")]
    grid = Grid("T", ["set", "pairs", *"abc"], [[Cell("s ρ"), Cell("9/10"), *cells, cells[0]]], labels=2)
    console.print_grid(grid)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines[4:6]] == [
        ["s", "ρ", "0.615", "0.500", "0.615"],
        ["9/10", "[0.570,", "0.660]", "[0.440,", "0.560]", "[0.570,", "0.660]"],
    ]


def test_a_name_of_wide_characters_does_not_break_the_table(monkeypatch, capsys):
    """A Chinese character takes two columns of a terminal."""
    monkeypatch.setenv("COLUMNS", "40")
    console.print_grid(Grid("T", ["set", "医学词向量模型" * 4], [[Cell("x"), Cell("0.123")]]))
    lines = capsys.readouterr().out.splitlines()
    assert max(map(cell_len, lines)) <= 40
    assert sum(line.count("医") for line in lines) == 4


def test_terms_with_square_brackets_are_printed_as_they_are(capsys):
    console.print_grid(Grid("[D]", ["set", "x"], [[Cell("[bold]x[/bold]"), Cell("[red]")]]))
    out = capsys.readouterr().out
    for text in ("[D]", "[bold]x[/bold]", "[red]"):
        assert text in out


def test_a_bar_appears_on_a_terminal_once_work_takes_its_time(monkeypatch):
    out = io.StringIO()
    monkeypatch.setattr(console, "Console", lambda **_: Console(file=out, force_terminal=True, width=80))
    monkeypatch.setattr(console, "_QUICK", -1.0)
    with console.working(), track("reading vectors", 10) as advance:
        advance(10)
    assert "reading vectors" in out.getvalue()


_TERMS_A_SECOND = r"encoding, minilm .* [1-9][0-9,]* terms/s .*\d:\d\d:\d\d"


def test_a_bar_of_terms_shows_how_many_are_done_in_a_second(monkeypatch):
    out = io.StringIO()
    monkeypatch.setattr(console, "Console", lambda **_: Console(file=out, force_terminal=True, width=80))
    monkeypatch.setattr(console, "_QUICK", -1.0)
    with console.working(), track("encoding, minilm", 10**9, "terms") as advance:
        end = time.monotonic() + 60
        while not (shown := re.search(_TERMS_A_SECOND, out.getvalue())) and time.monotonic() < end:
            advance(1)
            time.sleep(0.001)
    assert shown, out.getvalue()[-500:]


def test_no_bar_is_drawn_where_there_is_no_terminal(capsys):
    with console.working(), track("reading vectors", 10) as advance:
        advance(10)
    assert capsys.readouterr().err == ""


def test_a_warning_is_one_sentence_told_once(capsys):
    with console.plain_warnings():
        for _ in range(2):
            warnings.warn("on x all models can score only 3 pairs", CoverageWarning, stacklevel=1)
    assert capsys.readouterr().err == "warning: on x all models can score only 3 pairs\n"


def test_each_remark_is_printed_once(capsys):
    with console.plain_remarks():
        for text in ("a.csv: read as UTF-16", "b.csv: read as UTF-16", "a.csv: read as UTF-16"):
            remark(text)
    assert capsys.readouterr().err.splitlines() == ["a.csv: read as UTF-16", "b.csv: read as UTF-16"]
