import json
from pathlib import Path

import pytest

import medgauge
from medgauge.errors import FileError
from medgauge.result import StoredResult
from tests.results import NAMES, example
from tests.test_result import kinds

OLD = Path(__file__).parents[1] / "fixtures" / "0.1.0"
STORED = [name for name in NAMES if name.split()[0] in kinds(StoredResult)]
pytestmark = pytest.mark.filterwarnings("ignore::medgauge.errors.MedgaugeWarning")


@pytest.mark.parametrize("name", STORED)
def test_every_kind_of_stored_result_is_recognised_by_its_content(name, tmp_path):
    path = tmp_path / "anything.txt"
    path.write_text(example(name).to_json(), "utf-8")
    assert medgauge.load_result(path) == example(name)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("run", "Run"),
        ("run/results.json", "Run"),
        ("comparison.json", "Comparison"),
        ("agreement.json", "Agreement"),
    ],
)
def test_results_of_an_older_version_are_shown(name, kind):
    found = medgauge.load_result(OLD / name)
    assert type(found).__name__ == kind
    assert found.to_markdown()
    assert found.to_latex()


def test_the_folder_of_a_build_is_its_manifest(tmp_path):
    (tmp_path / "manifest.json").write_text(example("Manifest").to_json(), "utf-8")
    assert medgauge.load_result(tmp_path) == example("Manifest")


def test_a_run_in_a_folder_finds_its_scores():
    found = medgauge.load_result(OLD / "run")
    assert isinstance(found, medgauge.Run)
    assert found.scores(found.models[0].name, found.datasets[0].name).height


def test_a_folder_that_is_not_a_run_says_what_it_lacks(tmp_path):
    with pytest.raises(FileError, match=r"is not a stored run or build: it has none of results\.json"):
        medgauge.load_result(tmp_path)


def test_a_set_of_pairs_is_not_a_result():
    with pytest.raises(FileError, match=r"graded\.parquet: is a Parquet file"):
        medgauge.load_result(OLD / "sets" / "graded.parquet")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "the file is empty"),
        ("set,pairs\n", "is not JSON"),
        ("[1, 2]", "is JSON, but not a result of medgauge"),
        ("{}", "is JSON, but not a result of medgauge"),
        ('{"models": [], "versions": {}}', "is JSON, but not a result of medgauge"),
        ("[" * 100_000, "is not JSON"),
    ],
)
def test_a_file_that_is_something_else_is_refused_in_one_sentence(text, problem, tmp_path):
    path = tmp_path / "other.json"
    path.write_text(text, "utf-8")
    with pytest.raises(FileError, match=problem) as refused:
        medgauge.load_result(path)
    assert str(path) in str(refused.value)
    assert len(str(refused.value)) < 400


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(FileError, match=r"gone\.json: there is no such file"):
        medgauge.load_result(tmp_path / "gone.json")


@pytest.mark.parametrize("name", STORED)
def test_a_damaged_result_names_its_kind_or_field(name, tmp_path):
    """One field that is lost or wrong leaves the kind recognisable."""
    path = tmp_path / "damaged.json"
    stored = json.loads(example(name).to_json())
    if len(stored) > 2:
        stored.pop(next(iter(stored)))
    else:
        stored[next(iter(stored))] = 7
    path.write_text(json.dumps(stored), "utf-8")
    with pytest.raises(FileError, match=r"damaged\.json.*(is not (a|the)|does not hold a)"):
        medgauge.load_result(path)


@pytest.mark.parametrize("name", STORED)
def test_a_result_cut_off_is_refused(name, tmp_path):
    path = tmp_path / "cut.json"
    text = example(name).to_json()
    path.write_text(text[: len(text) // 2], "utf-8")
    with pytest.raises(FileError, match=r"cut\.json: is not JSON"):
        medgauge.load_result(path)
