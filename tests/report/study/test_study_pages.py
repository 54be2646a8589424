import re
from pathlib import Path

import pytest

from tests.results import example
from tests.study.small import run, small_study, write_inputs

pytestmark = pytest.mark.filterwarnings("ignore::medgauge.errors.MedgaugeWarning")


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    folder = write_inputs(tmp_path_factory.mktemp("study"))
    run(small_study(folder, title="A & B <c>"), folder / "out", plots=True)
    return folder / "out"


def links(text):
    return set(re.findall(r"plots/[\w.-]+", text))


@pytest.mark.parametrize("name", ["report.md", "report.html", "report.tex"])
def test_a_report_shows_every_plot_that_is_beside_it(out, name):
    found = links((out / name).read_text("utf-8"))
    assert {Path(one).stem for one in found} == {path.stem for path in (out / "plots").iterdir()}
    assert all((out / one).is_file() for one in found)


def test_plots_are_svg_and_png(out):
    assert sorted(path.name for path in (out / "plots").iterdir()) == [
        f"{name}.{form}"
        for name in ("alike-by-frequency", "alike-by-subjects", "correlations")
        for form in ("png", "svg")
    ]


def test_a_page_is_escaped_and_loads_nothing_from_elsewhere(out):
    page = (out / "report.html").read_text("utf-8")
    assert "<title>A &amp; B &lt;c&gt;</title>" in page
    assert "//" not in page.replace("<!doctype html>", "")
    assert "<script" not in page


def test_without_plots_a_report_links_none():
    found = example("StudyResult").report(plots=False)
    assert [links(text) for text in found.values()] == [set()] * 4


def test_the_same_study_has_the_same_bytes(out, tmp_path):
    folder = write_inputs(tmp_path)
    run(small_study(folder, title="A & B <c>"), folder / "out", plots=True)
    for path in sorted(out.rglob("*")):
        if path.is_file() and path.parent.name != "steps":  # which have the times
            assert (folder / "out" / path.relative_to(out)).read_bytes() == path.read_bytes(), path.name
