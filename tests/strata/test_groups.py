import polars as pl

from medgauge.pairs import PairSet
from medgauge.strata.groups import CONCEPTS, groups_frame
from tests.runs import pair_set


def test_values_are_numbered_and_missing_ones_stay_missing():
    groups = groups_frame(pair_set([1, 2, 3, 4], concept=["b", None, "a", "b"], level=[2.0, 1.5, None, 2.0]))
    assert groups["concept"].to_list() == [2, None, 1, 2]
    assert groups["level"].to_list() == [2, 1, None, 2]
    assert groups.columns == ["pair_id", "term_1", "term_2", "concept", "level", *CONCEPTS]


def test_gold_is_no_group_and_a_column_of_lists_is_left_out():
    pairs = pair_set([1, 2])
    frame = pairs.frame.with_columns(pl.Series("tags", [["x"], ["y", "z"]]), pl.Series("new", [True, False]))
    found = groups_frame(PairSet(frame, pairs.card))
    assert found.columns == ["pair_id", "term_1", "term_2", "new", *CONCEPTS]


def test_concepts_are_numbered_jointly_for_both_sides():
    """A concept is known by its id, else its CUI, else its term; an id never meets a term of that name."""
    ids = {"id_1": ["7", "8", None, None], "id_2": ["8", "7", "9", None]}
    found = groups_frame(
        pair_set([1, 2, 3, 4], **ids, cui_1=["C1", "C2", "C3", None], cui_2=["", "", "", ""])
    )
    first, second = (found[name].to_list() for name in CONCEPTS)
    assert (first[0], first[1]) == (second[1], second[0])
    assert len({*first, *second}) == 6
    terms = groups_frame(PairSet.of([("flu", "7", 1.0), ("7", "flu", 2.0)], card=pair_set([1]).card))
    assert [terms[name].to_list() for name in CONCEPTS] == [[2, 1], [1, 2]]


def test_capitals_and_accents_keep_values_apart():
    groups = groups_frame(pair_set([1, 2, 3, 4], concept=["Ménière", "menière", "Ménière", ""]))
    assert len(set(groups["concept"].to_list())) == 3
