"""verify and diff on builds that are the same, that differ and that are damaged."""

import json
from pathlib import Path

import polars as pl
import pytest

from medgauge.build.check import Change, diff, verify
from medgauge.build.manifest import MANIFEST
from medgauge.build.terminology import build_terminology
from medgauge.errors import FileError
from tests.build.small import small_release


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("built")
    source = small_release().zip(folder / "release.zip")
    build_terminology(source, folder / "sets")
    build_terminology(source, folder / "tsv", form="tsv")
    build_terminology(source, folder / "seed", seed=7)
    build_terminology(source, folder / "some", families=["same-as"])
    later = small_release()
    later.concept(300).fsn("Measles (disorder)").synonym("Rubeola")
    later.concept(301).fsn("Coughing (finding)").synonym("Cough")
    build_terminology(later.zip(folder / "later.zip"), folder / "later")
    return folder


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
    (tmp_path / "copy").mkdir()
    for path in (built / "sets").iterdir():
        (tmp_path / "copy" / path.name).write_bytes(path.read_bytes())
    tampered = tmp_path / "copy" / "fsn-syn-easy-random.parquet"
    frame = pl.read_parquet(tampered)
    frame.with_columns(label=(1 - pl.col("label")).cast(pl.Int8)).write_parquet(tampered)
    found = verify(built / "sets" / MANIFEST, tmp_path / "copy")
    assert [name for name, verdict in found.sets.items() if verdict != "same"] == ["fsn-syn-easy-random"]


def test_the_order_of_the_rows_does_not_matter(built, tmp_path):
    shuffled = tmp_path / "same-as-hard-random.tsv"
    lines = (built / "tsv" / shuffled.name).read_text("utf-8").splitlines()
    shuffled.write_text("\n".join([lines[0], *reversed(lines[1:])]) + "\n", "utf-8")
    assert verify(built / "some", tmp_path).sets["same-as-hard-random"] == "same"


def test_diff_counts_what_was_added_and_removed(built):
    found = diff(built / "sets", built / "later")
    changes = {(change.set, change.label): change for change in found.changes}
    assert len(changes) == 40
    assert changes["fsn-syn-hard-random", 1] == Change("fsn-syn-hard-random", 1, 11, 12, 1, 0)
    assert changes["fsn-syn-easy-levenshtein", 1] == Change("fsn-syn-easy-levenshtein", 1, 5, 6, 1, 0)
    assert changes["same-as-hard-random", 1] == Change("same-as-hard-random", 1, 1, 1, 0, 0)
    added = found.pairs.filter(
        pl.col("set") == "fsn-syn-hard-random", pl.col("label") == 1, pl.col("change") == "added"
    )
    assert added.select("term_1", "term_2").rows() == [("Measles", "Rubeola")]


def test_diff_of_a_build_with_itself_is_empty_in_any_form(built):
    found = diff(built / "sets", built / "tsv")
    assert found.pairs.is_empty()
    assert all(change.added == change.removed == 0 for change in found.changes)


def test_a_pair_turned_round_is_no_change(built, tmp_path):
    for path in (built / "sets").iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    turned = tmp_path / "same-as-hard-random.parquet"
    pl.read_parquet(turned).rename({"term_1": "term_2", "term_2": "term_1"}).write_parquet(turned)
    assert diff(built / "sets", tmp_path).pairs.is_empty()


def test_what_is_no_build_is_refused(built, tmp_path):
    (tmp_path / "x.json").write_text("{}")
    with pytest.raises(FileError, match=r"x\.json: is no manifest of medgauge build: "):
        verify(tmp_path / "x.json", built / "sets")
    with pytest.raises(FileError, match="there is no such file"):
        verify(tmp_path / "y.json", built / "sets")
    with pytest.raises(FileError, match="is no folder of sets"):
        verify(built / "sets", tmp_path / "y")
    with pytest.raises(FileError, match=r"manifest\.json: there is no such file"):
        diff(built / "sets", tmp_path)
    (tmp_path / "same-as-hard-random.tsv").write_text("term_1\tlabel\n")
    with pytest.raises(FileError, match="has no column term_2"):
        verify(built / "some", tmp_path)


def copied(folder: Path, to: Path) -> Path:
    to.mkdir()
    for path in folder.iterdir():
        (to / path.name).write_bytes(path.read_bytes())
    return to


@pytest.mark.parametrize("label", ["1.0", "", "300", "secret term"])
def test_a_label_in_a_tsv_that_is_none_is_an_error_with_its_line(label, built, tmp_path):
    folder = copied(built / "tsv", tmp_path / "copy")
    path = folder / "same-as-hard-random.tsv"
    lines = path.read_text("utf-8").splitlines()
    cells = lines[1].split("\t")
    path.write_text("\n".join([lines[0], "\t".join([*cells[:3], label, *cells[4:]])]) + "\n", "utf-8")
    for compare in (verify, diff):
        with pytest.raises(FileError, match="line 2: the label is neither 0 nor 1") as caught:
            compare(built / "sets", folder)
        assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "column",
    [
        pl.Series("term_1", [None], pl.String),
        pl.Series("term_1", [["secret"]]),
        pl.Series("term_1", [b"secret"]),
        pl.Series("term_1", [7]),
        pl.Series("term_1", ["secret"], pl.Categorical),
        pl.Series("label", [2]),
        pl.Series("label", [None], pl.Int8),
        pl.Series("label", [0.5]),
    ],
    ids=lambda column: f"{column.name} {column.dtype}",
)
def test_a_parquet_with_other_columns_is_an_error(column, built, tmp_path):
    folder = copied(built / "sets", tmp_path / "copy")
    frame = pl.DataFrame({"term_1": ["a"], "term_2": ["b"], "label": [1]}).with_columns(column)
    frame.write_parquet(folder / "same-as-hard-random.parquet")
    for compare in (verify, diff):
        with pytest.raises(FileError, match=r"same-as-hard-random\.parquet: is no set: ") as caught:
            compare(built / "sets", folder)
        assert "secret" not in str(caught.value)


def test_diff_misses_a_set_that_the_manifest_has(built, tmp_path):
    folder = copied(built / "sets", tmp_path / "copy")
    (folder / "same-as-hard-random.parquet").unlink()
    with pytest.raises(FileError, match="the set same-as-hard-random of its manifest is missing"):
        diff(built / "sets", folder)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"rules": 99}, "was written under rules 99, and this medgauge knows 1"),
        ({"sets": {}}, "is no manifest of medgauge build: sets: "),
        ({"extra": 1}, "is no manifest of medgauge build: extra: "),
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
    with pytest.raises(FileError, match="is no manifest of medgauge build: sets"):
        verify(tmp_path / "m.json", built / "sets")
