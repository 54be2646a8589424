"""diff on builds of two releases, of one, and of one that lacks a file."""

import polars as pl
import pytest

from medgauge.build.difference import Change, diff
from medgauge.errors import FileError
from tests.build.conftest import copied


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
    folder = copied(built / "sets", tmp_path / "copy")
    turned = folder / "same-as-hard-random.parquet"
    pl.read_parquet(turned).rename({"term_1": "term_2", "term_2": "term_1"}).write_parquet(turned)
    assert diff(built / "sets", folder).pairs.is_empty()


def test_diff_misses_a_set_that_the_manifest_has(built, tmp_path):
    folder = copied(built / "sets", tmp_path / "copy")
    (folder / "same-as-hard-random.parquet").unlink()
    with pytest.raises(FileError, match="the set same-as-hard-random in its manifest is missing"):
        diff(built / "sets", folder)


def test_what_is_no_build_is_refused(built, tmp_path):
    with pytest.raises(FileError, match=r"manifest\.json: there is no such file"):
        diff(built / "sets", tmp_path)
    with pytest.raises(FileError, match="is not a folder of sets"):
        diff(tmp_path / "nothing", built / "sets")
