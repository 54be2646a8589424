"""What a manifest says that a set depends on."""

import pytest

from medgauge.build.manifest import Manifest, Parameters
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


@pytest.mark.parametrize("text", ["[" * 100_000, '{"rules":' * 100_000, "[" * 100_000 + "]" * 100_000])
def test_a_manifest_nested_too_deeply_exhausted_the_stack(tmp_path, text):
    path = tmp_path / "manifest.json"
    path.write_text(text, "utf-8")
    with pytest.raises(FileError, match=r"manifest\.json: is not a manifest of medgauge build"):
        Manifest.load(path)
