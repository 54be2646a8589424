"""What a manifest says that a set depends on."""

import json
from typing import Any

import pytest

from medgauge.build.manifest import MANIFEST, Manifest, Parameters
from medgauge.errors import FileError

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


def _without_distances(manifest: dict[str, Any]) -> None:
    for facts in manifest["sets"].values():
        facts["distance_positives"] = None


@pytest.mark.parametrize(
    "spoil",
    [
        lambda manifest: manifest["sets"].pop("same-as-hard-random"),
        lambda manifest: manifest["parameters"].update(families=[]),
        lambda manifest: manifest["parameters"].update(families=["no-family"]),
        lambda manifest: manifest["parameters"].update(negatives=["guessed"]),
        lambda manifest: manifest["multi_word"].clear(),
        lambda manifest: manifest["multi_word"].pop("all"),
        _without_distances,
    ],
)
def test_a_manifest_that_lacks_what_its_table_shows_is_refused(spoil, built, tmp_path):
    manifest = json.loads((built / "sets" / MANIFEST).read_text("utf-8"))
    spoil(manifest)
    (tmp_path / "m.json").write_text(json.dumps(manifest))
    with pytest.raises(FileError, match=r"m\.json: is damaged: "):
        Manifest.load(tmp_path / "m.json")


def test_a_manifest_that_is_nested_too_deeply_is_one_sentence(tmp_path):
    (tmp_path / "m.json").write_text('{"rules": ' + "[" * 100_000 + "]" * 100_000 + "}")
    with pytest.raises(FileError, match=r"m\.json: is not a manifest of medgauge build: Invalid JSON"):
        Manifest.load(tmp_path / "m.json")
