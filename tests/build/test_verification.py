"""verify on builds that are the same, that differ and that are damaged."""

import json

import polars as pl
import pytest

from medgauge.build.manifest import MANIFEST
from medgauge.build.verification import verify
from medgauge.errors import FileError
from tests.build.conftest import copied


@pytest.mark.parametrize("form", ["sets", "tsv"])
def test_two_sites_find_that_they_built_the_same(form, built):
    found = verify(built / "sets" / MANIFEST, built / form)
    assert found.holds
    assert len(found.sets) == 20
    assert found.differences == {}


def test_another_seed_differs_in_negatives_and_is_named(built):
    found = verify(built / "sets" / MANIFEST, built / "seed")
    assert not found.holds
    assert found.sets["fsn-syn-hard-random"] == "differs"
    assert found.differences == {"seed": ("42", "7")}


def test_missing_sets_are_missing(built):
    found = verify(built / "sets", built / "some")
    assert found.sets["fsn-syn-hard-random"] == "missing"
    assert found.sets["same-as-hard-random"] == "same"
    assert not found.holds


def test_the_files_are_looked_at_and_not_their_manifest(built, tmp_path):
    folder = copied(built / "sets", tmp_path / "copy")
    tampered = folder / "fsn-syn-easy-random.parquet"
    frame = pl.read_parquet(tampered)
    frame.with_columns(label=(1 - pl.col("label")).cast(pl.Int8)).write_parquet(tampered)
    found = verify(built / "sets" / MANIFEST, folder)
    assert [name for name, verdict in found.sets.items() if verdict != "same"] == ["fsn-syn-easy-random"]


def test_the_order_of_the_rows_does_not_matter(built, tmp_path):
    shuffled = tmp_path / "same-as-hard-random.tsv"
    lines = (built / "tsv" / shuffled.name).read_text("utf-8").splitlines()
    shuffled.write_text("\n".join([lines[0], *reversed(lines[1:])]) + "\n", "utf-8")
    assert verify(built / "some", tmp_path).sets["same-as-hard-random"] == "same"


def test_what_is_no_manifest_or_no_folder_is_refused(built, tmp_path):
    (tmp_path / "x.json").write_text("{}")
    with pytest.raises(FileError, match=r"x\.json, rules: is not a manifest of medgauge build: "):
        verify(tmp_path / "x.json", built / "sets")
    with pytest.raises(FileError, match="there is no such file"):
        verify(tmp_path / "y.json", built / "sets")
    with pytest.raises(FileError, match="is not a folder of sets"):
        verify(built / "sets", tmp_path / "y")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"rules": 99}, "was written under rules 99, but this medgauge knows 1"),
        ({"sets": {}}, ", sets: is not a manifest of medgauge build: "),
        ({"extra": 1}, ", extra: is not a manifest of medgauge build: "),
    ],
)
def test_a_manifest_of_another_kind_is_refused(change, problem, built, tmp_path):
    manifest = json.loads((built / "sets" / MANIFEST).read_text("utf-8")) | change
    (tmp_path / "m.json").write_text(json.dumps(manifest))
    with pytest.raises(FileError, match=problem):
        verify(tmp_path / "m.json", built / "sets")


def test_a_name_of_a_set_that_climbs_out_is_refused(built, tmp_path):
    manifest = json.loads((built / "sets" / MANIFEST).read_text("utf-8"))
    manifest["sets"]["../../secret"] = manifest["sets"]["same-as-hard-random"]
    (tmp_path / "m.json").write_text(json.dumps(manifest))
    with pytest.raises(FileError, match=r", sets\.\.\./\.\./secret.*: is not a manifest of medgauge build: "):
        verify(tmp_path / "m.json", built / "sets")
