"""The coordinator's pages, without a browser."""

import io
import re

import polars as pl
import pytest

from medgauge.annotate.exchange.export import ratings_table
from medgauge.annotate.store.study import Pair
from medgauge.protocol import load_protocol, protocol_text
from medgauge.ratings.agreement import agreement
from medgauge.ratings.source import read_ratings
from tests.annotate.studies import ANN, BEA, COORDINATOR, PYTHON, Task, environment, log, rate
from tests.annotate.web.sites import DANGEROUS, Visitor, make_graded
from tests.support.processes import run

PARTS = ("", "/annotators", "/behaviour", "/agreement")


def text_of(page: str) -> str:
    """Leave tags out, and spaces that do not show."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def test_a_study_in_which_nothing_is_rated_is_shown(chief):
    page = text_of(chief.get("/coordinator").text)
    assert "Ann 0 of 5 1 of 2 has not started" in page
    assert "There is nothing to show yet." in page
    agreement = text_of(chief.get("/coordinator/agreement").text)
    assert "Nothing is rated yet: agreement cannot be computed." in agreement


def test_progress_times_patterns_and_disputed_pairs_are_shown(chief, graded):
    rate(graded, ANN, 0, 3.0)  # the pair of heart attack and angina, which Béa has, too
    rate(graded, BEA, 1, 0.0)
    rate(graded, ANN, 1, None)
    page = text_of(chief.get("/coordinator").text)
    assert "Ann 2 of 5 1 of 2 2026-03-01 19:30 UTC" in page
    assert "Béa-Łucja 1 of 2 1 of 1" in page
    assert "Ann 1.5 1.5 to 1.5 0 of 2 0.0 – –" in page
    assert "heart attack angina ehr Ann: 3, Béa-Łucja: 0 2.12" in page
    for part in ("annotators", "behaviour"):
        assert chief.get(f"/coordinator/{part}").text in chief.get("/coordinator").text


def test_agreement_is_that_of_the_exported_ratings(tmp_path):
    pairs = [Pair(str(n), f"term {n}", f"other {n}", "x") for n in range(12)]
    tasks = {name: [Task(place, 1, place) for place in range(12)] for name in ("Ann", "Bo", "Cy")}
    with make_graded(tmp_path, pairs=pairs, tasks=tasks) as store:
        chief = Visitor(store, 4)
        chief.sign_in()
        for number in (1, 2, 3):
            for place in range(12):
                rate(store, number, place, float((place + (number == place % 4)) % 4))
        page = text_of(chief.get("/coordinator/agreement").text)
        table = ratings_table(store.ratings(), load_protocol("graded"))
        found = agreement(table, scale=(0, 3), resamples=999)
    low, high = found.intervals["alpha"]
    assert "Based on 36 ratings" in page
    assert f"Krippendorff's α {found.alpha:.3f}" in page.replace("&#39;", "'")
    assert f"{low:.3f}" in page
    assert f"{high:.3f}" in page
    assert "No annotator stands out" in page


def test_pausing_and_resuming(chief, graded):
    assert chief.post("/coordinator/pause").headers["location"] == "/coordinator"
    assert graded.study().paused
    assert "The study is paused" in chief.get("/coordinator").text
    chief.post("/coordinator/resume")
    assert not graded.study().paused


def test_a_new_link_is_shown_once_and_works(chief, graded):
    ann = Visitor(graded, ANN)
    page = chief.post("/coordinator/link", annotator=ANN).text
    assert "A new link for Ann" in page
    assert ann.sign_in().status_code == 404
    path = re.search(r'value="http://testserver(/s/[\w-]+)"', page)[1]
    assert ann.client.get(path, follow_redirects=False).status_code == 303
    assert path not in chief.get("/coordinator").text


def test_revoking_keeps_the_ratings(chief, graded):
    rate(graded, ANN, 0)
    ann = Visitor(graded, ANN)
    assert chief.post("/coordinator/revoke", annotator=ANN).status_code == 303
    assert ann.sign_in().status_code == 404
    assert "revoked" in chief.get("/coordinator").text
    assert len(graded.ratings()) == 1


@pytest.mark.parametrize("path", ["/coordinator/link", "/coordinator/revoke"])
@pytest.mark.parametrize("annotator", [COORDINATOR, 99, 0, -1, "x", "", "1e9", "٣", "9" * 40])
def test_a_link_of_nobody_or_of_the_coordinator_is_not_changed(chief, path, annotator):
    assert chief.post(path, annotator=annotator).status_code == 422
    assert chief.get("/coordinator").status_code == 200


def test_the_export_holds_every_rating_and_reads_as_ratings(chief, graded):
    rate(graded, ANN, 0, 3.0)
    rate(graded, BEA, 1, None)
    reply = chief.get("/coordinator/ratings.csv")
    assert reply.headers["content-type"].startswith("text/csv")
    assert 'filename="ratings.csv"' in reply.headers["content-disposition"]
    table = pl.read_csv(io.StringIO(reply.text), infer_schema=False)
    assert table["annotator"].to_list() == ["Ann", "Béa-Łucja"]
    assert table["rating"].to_list() == ["3", "don't know"]
    assert read_ratings(table).annotators == ("Ann", "Béa-Łucja")


def test_no_cell_of_the_export_is_run_by_a_spreadsheet(tmp_path):
    pairs, tasks = [Pair("1", "=1+1", "-OH", "x")], {"@Bo": [Task(0, 1, 0)]}
    with make_graded(tmp_path, pairs=pairs, tasks=tasks) as store:
        rate(store, 1, 0, 3.0)
        chief = Visitor(store, 2)
        chief.sign_in()
        table = pl.read_csv(io.StringIO(chief.get("/coordinator/ratings.csv").text), infer_schema=False)
    assert table.select("term_1", "term_2", "annotator", "rating").row(0) == ("'=1+1", "'-OH", "'@Bo", "3")


def test_the_coordinators_page_escapes_terms_and_names_too(tmp_path):
    evil = "<script>alert(3)</script>"
    pairs = [Pair("1", DANGEROUS[0], DANGEROUS[1], evil)]
    tasks = {evil: [Task(0, 1, 0)], "Bo": [Task(0, 1, 0)]}
    with make_graded(tmp_path, pairs=pairs, tasks=tasks) as store:
        rate(store, 1, 0, 0.0)
        rate(store, 2, 0, 3.0)
        chief = Visitor(store, 3)
        chief.sign_in()
        pages = [
            chief.get(f"/coordinator{path}").text for path in ("", "/annotators", "/behaviour", "/agreement")
        ]
        for page in (*pages, chief.post("/coordinator/link", annotator=1).text):
            for text in (evil, *DANGEROUS[:2]):
                assert text not in page
        assert "&lt;img src=x" in pages[0]


def test_verdicts_are_shown_in_words(tmp_path):
    pairs = [Pair("1", "flu", "influenza", "x", 1)]
    tasks = {"Ann": [Task(0, 1, 0)], "Bo": [Task(0, 1, 0)], "Cy": [Task(0, 1, 0)]}
    with make_graded(tmp_path, pairs=pairs, tasks=tasks, protocol=protocol_text("same")) as store:
        for number, value in ((1, 1.0), (2, 0.0), (3, None)):
            rate(store, number, 0, value)
        chief = Visitor(store, 4, protocol=load_protocol("same"))
        chief.sign_in()
        page = text_of(chief.get("/coordinator").text)
    assert "Ann: same, Bo: not same, Cy: don&#39;t know 50%" in page


def test_nobody_else_sees_the_coordinators_pages(ann, graded):
    for path in (*PARTS, "/ratings.csv"):
        assert ann.get(f"/coordinator{path}").status_code == 401
    assert log(graded) == []


LOADING = """
import sys
from pathlib import Path
import medgauge.annotate.web.serving, medgauge.annotate.web.app
heavy = {"numba", "numpy", "polars", "scipy"}
assert not heavy & set(sys.modules), "a server would start late"
medgauge.annotate.web.coordinator.load()
loaded = set(sys.modules)
from tests.annotate.studies import COORDINATOR
from tests.annotate.web.sites import Visitor, make_graded
with make_graded(Path(sys.argv[1])) as store:
    visitor = Visitor(store, COORDINATOR)
    visitor.sign_in()
    for page in ("/coordinator", "/coordinator/agreement", "/coordinator/ratings.csv"):
        assert visitor.get(page).status_code == 200
rooms = ("medgauge.", *(f"{name}." for name in heavy))
late = [name for name in set(sys.modules) - loaded if name.startswith(rooms)]
print(*sorted(late))
"""


@pytest.mark.slow
def test_no_page_loads_what_computes_while_others_rate(tmp_path):
    command = [*PYTHON, LOADING, tmp_path]
    done = run(command, env=environment())
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == []
