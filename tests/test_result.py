"""The contract of results: every kind has a short print, and comes as a frame, a table and a plot."""

import csv
import importlib
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pandas as pd
import polars as pl
import pytest
from matplotlib import pyplot, rcParams
from matplotlib.axes import Axes
from polars.testing import assert_frame_equal
from rich.pretty import pretty_repr

import medgauge
from medgauge import compare, result
from medgauge.errors import FileError, InputError, MissingExtraError
from medgauge.result import Result, StoredResult
from tests.results import NAMES, TERMS, example

pytestmark = [
    pytest.mark.filterwarnings("ignore::medgauge.errors.UndefinedWarning"),
    pytest.mark.filterwarnings("ignore::medgauge.errors.CoverageWarning"),
]
every_kind = pytest.mark.parametrize("name", NAMES)
STORED = Path(__file__).parent / "fixtures" / "0.1.0"
FILES = {"Comparison": "comparison.json", "Agreement": "agreement.json", "Run": "run"}


def kinds(base: type = Result) -> set[str]:
    below = [kind for one in base.__subclasses__() for kind in (one, *one.__subclasses__())]
    return {kind.__name__ for kind in below} - {"StoredResult"}


class Tags(HTMLParser):
    """The texts, tags and attributes of a page; fails on tags that are not closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.names: set[str] = set()
        self.texts: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.tags.add(tag)
        self.names |= {name for name, _ in attrs}

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if data.strip():
            self.texts.append(data)


def test_every_kind_of_result_is_public_and_has_an_example():
    for name in medgauge.__all__:
        getattr(medgauge, name)
    assert kinds() == {name.split()[0] for name in NAMES}
    assert kinds() <= set(medgauge.__all__)


@every_kind
@pytest.mark.parametrize("show", [repr, str, pretty_repr])
def test_a_print_is_short_and_names_no_term(name, show):
    text = show(example(name))
    assert text.startswith(name.split()[0])
    assert len(text.splitlines()) < 15
    assert len(text) < 1200
    assert not any(term in text for term in TERMS)


def test_a_print_stays_short_with_many_models_and_sets_of_long_names():
    sets = [
        medgauge.PairSet.of([("flu", "gout", 1.0), ("flu", "cold", 2.0)] * 5, card=card)
        for card in (medgauge.Card(name=f"{'a long name ' * 9}{number}", title="x") for number in range(30))
    ]
    run = medgauge.evaluate({f"{'m' * 200}{number}": "random" for number in range(20)}, sets)
    assert "… and 25 more sets" in repr(run)
    for found in (run, medgauge.compare(run, resamples=19)):
        assert len(repr(found).splitlines()) < 15
        assert len(repr(found)) < 1200


@every_kind
def test_html_is_well_formed_and_escaped_without_script_or_outside_resource(name):
    found = example(name)
    text = found._repr_html_()
    assert text == found.to_html()
    assert text.isascii()
    page = Tags(text)
    assert page.tags <= {"div", "table", "thead", "tbody", "tr", "th", "td", "strong", "sup", "p"}
    assert page.names <= {"aria-label", "scope", "style"}
    assert "url(" not in text
    assert "color" not in re.sub("border[^;]*", "", text)  # the page's own, light or dark
    for grid in found.grids():
        assert {grid.title, *grid.header, *grid.notes} <= set(page.texts)
        assert {cell.text for row in grid.rows for cell in row} - {""} <= set(page.texts)


@every_kind
def test_a_frame_has_the_rows_of_the_csv(name):
    found = example(name)
    frame = found.to_frame()
    lines = list(csv.reader(io.StringIO(found.to_csv())))
    assert frame.columns == lines[0]
    assert pl.Null not in frame.dtypes
    assert frame.height == len(lines) - 1 > 0
    for row, line in zip(frame.iter_rows(), lines[1:], strict=True):
        for value, text in zip(row, line, strict=True):
            if isinstance(value, float):
                assert float(text) == value or (text == "nan" and value != value)
            else:
                assert text == ("" if value is None else str(value))


@every_kind
def test_pandas_has_what_polars_has(name):
    found = example(name)
    frame = found.to_pandas()
    assert isinstance(frame, pd.DataFrame)
    expected = found.to_frame()
    for column, dtype in expected.schema.items():
        assert frame[column].isna().tolist() == [one is None or one != one for one in expected[column]]
        kept = frame[column].dropna().tolist()
        assert kept == [one for one in expected[column] if one is not None and one == one], dtype


def test_pandas_where_it_is_missing_is_named_with_what_to_do(monkeypatch):
    monkeypatch.setattr(result, "find_spec", lambda _name: None)
    with pytest.raises(MissingExtraError, match=r"the package pandas: run .* -m pip install pandas$"):
        example("Run").to_pandas()


def test_without_matplotlib_a_plot_names_the_extra(monkeypatch):
    monkeypatch.setattr("medgauge.report.plots.canvas.find_spec", lambda _name: None)
    with pytest.raises(MissingExtraError, match=r"pip install .*\[plot\]"):
        example("Run").plot()


@every_kind
def test_every_kind_is_written_as_markdown_and_latex(name):
    found = example(name)
    titles = [grid.title for grid in found.grids()]
    assert re.findall(r"^\*\*(.+)\*\*$", found.to_markdown(), re.MULTILINE) == titles
    assert found.to_latex().count(r"\begin{tabular}") == len(titles)
    assert json.loads(found.to_json())


@every_kind
def test_a_plot_returns_axes_and_leaves_pyplot_alone(name):
    pyplot.get_backend()  # which matplotlib chooses when it is first asked
    before, figures = rcParams.copy(), pyplot.get_fignums()
    panels = example(name).plot()
    assert panels.size > 0
    assert all(isinstance(axes, Axes) for axes in panels)
    assert pyplot.get_fignums() == figures
    assert rcParams == before
    panels.figure.savefig(io.BytesIO(), format="svg")  # a $ in a name must also work outside of our style
    assert panels._repr_png_().startswith(b"\x89PNG")
    assert all(axes.has_data() for axes in panels)


def test_a_plot_goes_onto_a_figure_of_ones_own():
    own = pyplot.figure()
    try:
        assert example("Run").plot(own).figure is own
        assert len(own.axes) == 2
    finally:
        pyplot.close(own)


@pytest.mark.parametrize("name", [one for one in NAMES if one.split()[0] in kinds(StoredResult)])
def test_a_stored_result_is_read_back_equal(name, tmp_path):
    found = example(name)
    folder = tmp_path / "run"
    folder.mkdir()
    path = folder / "results.json"
    path.write_text(found.to_json(), "utf-8")
    loaded = type(found).load(path)
    assert loaded == found
    assert repr(loaded) == repr(found)
    assert_frame_equal(loaded.to_frame(), found.to_frame())
    path.write_text(found.to_json().replace('"', "'", 1), "utf-8")
    with pytest.raises(FileError, match=r"results\.json"):
        type(found).load(path)


def test_another_kind_of_json_is_refused_by_name(tmp_path):
    path = tmp_path / "found.json"
    path.write_text(example("Correlations").to_json(), "utf-8")
    with pytest.raises(FileError, match="does not hold a Comparison"):
        medgauge.Comparison.load(path)


def test_an_agreement_that_was_read_back_has_everything_but_its_ratings(tmp_path):
    path = tmp_path / "agreement.json"
    path.write_text(example("Agreement").to_json(), "utf-8")
    loaded = medgauge.Agreement.load(path)
    assert loaded.to_html() == example("Agreement").to_html()
    with pytest.raises(InputError, match="does not store its ratings"):
        loaded.plot()
    assert "zebrafish" not in path.read_text("utf-8")


@pytest.mark.parametrize(("kind", "file"), FILES.items())
def test_results_that_version_0_1_0_wrote_are_read_and_shown(kind, file):
    found = getattr(medgauge, kind).load(STORED / file)
    assert repr(found).startswith(kind)
    assert found.to_frame().height > 0
    assert Tags(found.to_html()).tags


def test_results_differ_where_a_figure_does():
    found = example("Run")
    assert found != found.model_copy(update={"figures": found.figures[:-1]})
    assert found != example("Comparison")


@every_kind
def test_each_report_has_the_same_four_functions(name):
    kind = type(example(name))._kind
    for module, functions in (
        (f"medgauge.report.{kind}_tables", ("summary", "grids", "rows")),
        (f"medgauge.report.plots.{kind}_plot", ("draw",)),
    ):
        loaded = importlib.import_module(module)
        assert all(callable(getattr(loaded, function)) for function in functions)


def test_the_commands_print_what_the_methods_write(medgauge):
    found = compare(STORED / "run")
    written = {
        "md": found.to_markdown(),
        "latex": found.to_latex(),
        "html": found.to_html(),
        "csv": found.to_csv(),
        "json": found.to_json(),
    }
    for form, text in written.items():
        assert medgauge("compare", STORED / "run", "--format", form).out == text


def test_a_name_of_two_million_characters_took_minutes_to_lay_out(tmp_path):
    found = json.loads(example("Comparison").to_json())
    found["contests"][0]["systems"][0]["model"] = "a " * 10**6
    (tmp_path / "c.json").write_text(json.dumps(found), "utf-8")
    with pytest.raises(FileError, match=r"c\.json: does not hold a Comparison: it has a text of 2,000,000 "):
        medgauge.Comparison.load(tmp_path / "c.json")
