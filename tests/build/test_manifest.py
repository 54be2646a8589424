"""What a manifest says that a set depends on."""

import json

import pytest

from medgauge.build.manifest import Manifest, Parameters
from medgauge.errors import FileError
from tests.results import example

GIVEN = {
    "families": ["same-as"],
    "negatives": ["random"],
    "split_distance": 5,
    "seed": 42,
    "language": None,
    "scopes": ["EXACT"],
}


class _WithMore(Parameters):
    more: bool = False


def test_a_set_depends_on_no_other_set():
    expected = {"split_distance": 5, "seed": 42, "language": None, "scopes": ["EXACT"]}
    assert Parameters(**GIVEN).of_a_set() == expected


def test_a_parameter_that_is_added_later_changes_no_set_while_it_has_its_default():
    assert _WithMore(**GIVEN).of_a_set() == Parameters(**GIVEN).of_a_set()
    assert _WithMore(**GIVEN, more=True).of_a_set() == {**Parameters(**GIVEN).of_a_set(), "more": True}


@pytest.mark.parametrize("text", ["[" * 100_000, '{"rules":' * 100_000, "[" * 100_000 + "]" * 100_000])
def test_a_manifest_nested_too_deeply_exhausted_the_stack(tmp_path, text):
    path = tmp_path / "manifest.json"
    path.write_text(text, "utf-8")
    with pytest.raises(FileError, match=r"manifest\.json: is not a manifest of medgauge build"):
        Manifest.load(path)


def _without_a_set(content):
    content["sets"].popitem()


def _of_an_unknown_family(content):
    content["parameters"]["families"].append("fsn-fsn")


def _without_negatives(content):
    content["parameters"]["negatives"].clear()


def _without_a_family(content):
    del content["multi_word"]["fsn-syn"]


def _without_a_distance(content):
    facts = next(iter(content["sets"].values()))
    facts.update(positives=3, distance_positives=None)


@pytest.mark.parametrize(
    "change",
    [_without_a_set, _of_an_unknown_family, _without_negatives, _without_a_family, _without_a_distance],
)
def test_a_manifest_that_contradicts_itself_broke_its_table(tmp_path, change):
    path = tmp_path / "manifest.json"
    content = json.loads(example("Manifest").to_json())
    path.write_text(json.dumps(content), "utf-8")
    assert Manifest.load(path) == example("Manifest")
    change(content)
    path.write_text(json.dumps(content), "utf-8")
    with pytest.raises(
        FileError, match=r"manifest\.json: is not a manifest of medgauge build: .*(sets|distance)"
    ):
        Manifest.load(path)
