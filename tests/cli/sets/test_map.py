"""medgauge map, as users call it."""

import csv
import io
import json

import polars as pl
import pytest

from medgauge.pairs import Card, PairSet
from tests.support.umls_api import KEY, umls_api
from tests.support.umls_releases import every_case
from tests.support.written_files import everything_written

SNOMED = ["1001004", "1002006", "1003001", "1004007", "1005008", "1006009", "9999999"]


@pytest.fixture
def umls(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ids.txt").write_text("\n".join(SNOMED))
    return every_case().zip(tmp_path / "umls-2024AA.zip")


@pytest.fixture
def pairs(tmp_path) -> PairSet:
    frame = pl.DataFrame(
        {
            "pair_id": ["1", "2"],
            "term_1": ["zorvic fever", "quintal ache"],
            "term_2": ["plimmer disease", "zorvic fever"],
            "id_1": ["1001004", "1003001"],
            "id_2": ["1002006", "1001004"],
            "gold": [1.0, 2.0],
        }
    )
    made = PairSet(frame, Card(name="mine", title="Mine"))
    made.save(tmp_path / "mine.parquet")
    return made


@pytest.fixture
def api(monkeypatch):
    monkeypatch.setenv("UMLS_API_KEY", KEY)
    with umls_api() as running:
        yield running


def error(done) -> str:
    assert (done.code, done.out) == (1, "")
    [line] = [one for one in done.err.splitlines() if one.startswith("medgauge: ")]
    return line


def test_ids_are_mapped_and_the_others_are_listed_with_their_step(medgauge, umls):
    done = medgauge("map", "ids.txt", "--from", "snomed", "--to", "umls", "--umls", umls)
    assert done.code == 0
    assert "3 of 7 concepts mapped." in done.out
    assert "several CUIs, none by preferred term" in done.out
    found = list(
        csv.DictReader(io.StringIO(medgauge("map", "ids.txt", "--umls", umls, "--format", "csv").out))
    )
    assert [row["id"] for row in found] == SNOMED
    assert found[2] == {
        "id": "1003001",
        "target": "",
        "step": "several CUIs by preferred term",
        "left": "C0000004 C0000005",
    }
    stored = json.loads(medgauge("map", "ids.txt", "--umls", umls, "--json").out)
    assert stored["concepts"][0]["targets"] == ["C0000001"]


def test_a_mapping_is_written_whole_to_a_file(medgauge, umls):
    done = medgauge("map", "ids.txt", "--umls", umls, "--out", "map.csv", "--format", "csv")
    assert (umls.parent / "map.csv").read_text() == done.out
    assert "7 concepts written to map.csv" in done.err
    assert "map.csv already exists; choose another file, or add --replace" in error(
        medgauge("map", "ids.txt", "--umls", umls, "--out", "map.csv")
    )
    medgauge("map", "ids.txt", "--umls", umls, "--out", "map.json")
    assert "Mapping" not in medgauge("show", "map.json").err
    assert "3 of 7 concepts mapped." in medgauge("show", "map.json").out


def test_columns_are_added_to_a_set_that_keeps_its_gold(medgauge, umls, pairs):
    done = medgauge(
        "map", "mine.parquet", "--add", "cui,semantic-types", "--umls", umls, "--out", "more.parquet"
    )
    assert done.code == 0
    made = PairSet.load("more.parquet")
    assert made.frame.select(pairs.frame.columns).equals(pairs.frame)
    assert made.frame.columns[-4:] == ["cui_1", "cui_2", "semantic_type_1", "semantic_type_2"]
    assert "2 of 3 concepts, by UMLS 2024AA" in done.out
    shown = medgauge("datasets", "info", "more.parquet").out
    assert "added cui mapped" in " ".join(shown.split())
    again = medgauge("map", "mine.parquet", "--add", "cui", "--umls", umls, "--out", "two.parquet", "--json")
    assert json.loads(again.out)["added"]["cui"]["mapped"] == 2


def test_a_set_is_evaluated_by_the_columns_that_were_added(medgauge, umls, pairs):
    medgauge("map", "mine.parquet", "--add", "cui,semantic-types", "--umls", umls, "--out", "more.parquet")
    types = ("--types", "semantic_type_1", "semantic_type_2")
    done = medgauge("evaluate", "--model", "levenshtein", "--dataset", "more.parquet", *types)
    assert done.code == 0
    other = medgauge(
        "evaluate", "--model", "levenshtein", "--dataset", "mine.parquet", "--by", "semantic-types"
    )
    missing = "semantic-types of mine needs its columns semantic_type_1 and semantic_type_2"
    assert f"{missing}; 'medgauge coverage --columns' adds them" in error(other)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["ids.txt"], "say how to map with one of --umls DIR, --api, --sssom FILE and --xrefs FILE"),
        (["nowhere.txt", "--umls", "umls-2024AA.zip"], "nowhere.txt: there is no such file"),
        (["ids.txt", "--umls", "nowhere"], "nowhere: there is no such file or folder"),
        (["ids.txt", "--umls", "ids.txt"], "ids.txt: is not a zip; expected a UMLS release"),
        (["plain.csv", "--umls", "umls-2024AA.zip"], "has no ids to map: it needs the columns id_1 and id_2"),
        (
            ["plain.csv", "--add", "cui", "--umls", "umls-2024AA.zip", "--out", "x.parquet"],
            "the set 'plain' has no ids to map: it needs the columns id_1 and id_2",
        ),
        (
            ["ids.txt", "--umls", "umls-2024AA.zip", "--out", "x.txt"],
            "x.txt: a mapping must be a .csv or .json",
        ),
        (
            ["mine.parquet", "--add", "cui", "--umls", "umls-2024AA.zip", "--out", "x.csv"],
            "x.csv: a set with added columns must be a .parquet file",
        ),
        (
            [
                "mine.parquet",
                "--add",
                "cui",
                "--umls",
                "umls-2024AA.zip",
                "--out",
                "mine.parquet",
                "--replace",
            ],
            "mine.parquet: the ids are there; choose another place",
        ),
        (["ids.txt", "--from", "loinc", "--umls", "umls-2024AA.zip"], "UMLS 2024AA called 'LNC'"),
    ],
)
def test_bad_input_is_one_sentence_and_leaves_nothing(medgauge, umls, pairs, arguments, problem):
    (umls.parent / "plain.csv").write_text("term_1,term_2,gold\nflu,gout,1\ncold,flu,2\n")
    before = {*umls.parent.iterdir()}
    assert problem in error(medgauge("map", *arguments))
    assert {*umls.parent.iterdir()} == before


def test_a_bad_row_is_named_by_file_and_line_and_leaves_nothing(medgauge, umls, pairs):
    release = every_case()
    release.atoms[4] = release.atoms[4][:-2]
    folder = release.write(umls.parent / "folder")
    done = medgauge("map", "mine.parquet", "--add", "cui", "--umls", folder, "--out", "more.parquet")
    assert "META/MRCONSO.RRF, line 5: the row has 16 fields, but 18 are expected" in error(done)
    assert "Quintal" not in done.err
    assert not (umls.parent / "more.parquet").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["mine.parquet", "--add", "cui", "--umls", "umls-2024AA.zip"],
        ["mine.parquet", "--add", "cui", "--to", "umls", "--out", "x.parquet"],
        ["mine.parquet", "--add", "cui", "--column", "id_1", "--out", "x.parquet"],
        ["ids.txt", "--api-url", "http://127.0.0.1:1/rest"],
        ["ids.txt", "--api-release", "2024AA", "--umls", "umls-2024AA.zip"],
        ["ids.txt", "--no-cache", "--umls", "umls-2024AA.zip"],
        ["ids.txt", "--predicate", "skos:closeMatch", "--umls", "umls-2024AA.zip"],
        ["ids.txt", "--replace-columns", "--umls", "umls-2024AA.zip"],
    ],
)
def test_options_that_do_not_go_together_are_a_matter_of_usage(medgauge, umls, pairs, arguments):
    assert medgauge("map", *arguments).code == 2


def test_the_api_maps_with_the_key_of_the_environment(medgauge, umls, api):
    done = medgauge("map", "ids.txt", "--api", "--api-url", api.url, "--format", "csv")
    assert done.code == 0
    assert "1002006,C0000002,preferred term" in done.out
    assert KEY not in done.out + done.err
    assert not any(KEY in text for text in everything_written(umls.parent))


def test_a_wrong_key_and_a_service_that_is_down_are_one_sentence(medgauge, umls, api, monkeypatch):
    down = error(medgauge("map", "ids.txt", "--api", "--api-url", "http://127.0.0.1:9/rest"))
    assert "the service cannot be reached" in down
    monkeypatch.setenv("UMLS_API_KEY", "another-key")
    wrong = error(medgauge("map", "ids.txt", "--api", "--api-url", api.url))
    assert "check the key in UMLS_API_KEY" in wrong
    monkeypatch.delenv("UMLS_API_KEY")
    missing = error(medgauge("map", "ids.txt", "--api", "--api-url", api.url))
    assert "the environment variable UMLS_API_KEY holds no key" in missing
    assert not any(key in down + wrong + missing for key in (KEY, "another-key"))


def test_without_a_permission_no_code_leaves_this_machine(medgauge, umls, pairs, monkeypatch):
    monkeypatch.setenv("UMLS_API_KEY", KEY)
    url = "https://uts-ws.nlm.nih.gov/rest"
    assert f"allow it with --allow-remote {url}" in error(medgauge("map", "ids.txt", "--api"))
    stays = PairSet(pairs.frame, Card(name="secret", title="x", terms_stay=True))
    stays.save(umls.parent / "secret.parquet")
    done = medgauge("map", "secret.parquet", "--api", "--allow-remote", url)
    assert f"if you may send them to {url} all the same, say so with --allow-remote secret@{url}" in error(
        done
    )
