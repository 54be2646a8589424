import polars as pl

from medgauge.pairs import PairSet
from medgauge.strata.groups import groups_frame
from tests.runs import pair_set


def test_values_are_numbered_and_missing_ones_stay_missing():
    groups = groups_frame(pair_set([1, 2, 3, 4], concept=["b", None, "a", "b"], level=[2.0, 1.5, None, 2.0]))
    assert groups["concept"].to_list() == [2, None, 1, 2]
    assert groups["level"].to_list() == [2, 1, None, 2]
    assert groups.columns == ["pair_id", "term_1", "term_2", "concept", "level"]


def test_gold_is_no_group_and_a_column_of_lists_is_left_out():
    pairs = pair_set([1, 2])
    frame = pairs.frame.with_columns(pl.Series("tags", [["x"], ["y", "z"]]), pl.Series("new", [True, False]))
    assert groups_frame(PairSet(frame, pairs.card)).columns == ["pair_id", "term_1", "term_2", "new"]


def test_capitals_and_accents_keep_values_apart():
    groups = groups_frame(pair_set([1, 2, 3, 4], concept=["Ménière", "menière", "Ménière", ""]))
    assert len(set(groups["concept"].to_list())) == 3
