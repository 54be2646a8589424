"""Samples of pairs from several sets, against the sets that they are drawn from."""

from collections import Counter

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgauge.annotate.design.sampling import all_pairs, sample_pairs
from medgauge.catalog.datasets import load_dataset
from medgauge.errors import CoverageWarning, InputError
from medgauge.pairs import Card, PairSet

TERMS = ["fever", "Fever", "fièvre", "B-cell", "cell", "", "ß", "<img src=x>"]


def some_set(name: str, rows: list[tuple[str, str, float]], *, labelled: bool = True) -> PairSet:
    return PairSet.of(rows, card=Card(name=name, title=name), labelled=labelled)


def numbered(name: str, positives: int, negatives: int) -> PairSet:
    """A set of so many pairs, with terms of its own."""
    labels = [1] * positives + [0] * negatives
    return some_set(name, [(f"{name} {n}", f"{name} {n}'", label) for n, label in enumerate(labels)])


def terms_of(frame: pl.DataFrame) -> list[frozenset[str]]:
    return [frozenset(terms) for terms in frame.select("term_1", "term_2").iter_rows()]


def test_thirty_of_each_label_of_twenty_sets_are_the_1200_pairs_of_section_3_3():
    sample = sample_pairs([numbered(f"set-{n}", 40, 50) for n in range(20)], each_label=30, seed=1)
    assert sample.height == 1200
    counts = Counter(sample.select("set", "label").iter_rows())
    assert counts == {(f"set-{n}", label): 30 for n in range(20) for label in (0, 1)}


@st.composite
def drawn_sets(draw: st.DrawFn) -> list[PairSet]:
    row = st.tuples(st.sampled_from(TERMS), st.sampled_from(TERMS), st.integers(0, 1))
    rows = draw(st.lists(st.lists(row, max_size=12), min_size=1, max_size=4))
    return [some_set(f"set-{n}", one, labelled=draw(st.booleans())) for n, one in enumerate(rows)]


@given(drawn_sets(), st.integers(1, 4), st.integers(0, 2**70))
@settings(max_examples=300, deadline=None)
def test_so_many_different_pairs_of_each_set_are_drawn_as_they_stand_there(sets, number, seed):
    # The sets before may take pairs away, so many each at most.
    is_enough = all(len(set(terms_of(one.frame))) >= number * place for place, one in enumerate(sets, 1))
    try:
        sample = sample_pairs(sets, each_set=number, seed=seed)
    except InputError:
        if is_enough:
            raise
        return
    assert len(set(terms_of(sample))) == sample.height == number * len(sets)
    assert sample["pair_id"].is_unique().all()
    assert sample["set"].to_list() == [pairs.card.name for pairs in sets for _ in range(number)]
    for pairs in sets:
        rows = {
            (row["pair_id"], row["term_1"], row["term_2"]): row for row in pairs.frame.iter_rows(named=True)
        }
        for row in sample.filter(pl.col("set") == pairs.card.name).iter_rows(named=True):
            own_id = row["pair_id"].removeprefix(f"{pairs.card.name}/")
            assert row["label"] == rows[own_id, row["term_1"], row["term_2"]].get("label")


def test_all_pairs_are_taken_in_the_order_of_sets_and_rows():
    sets = [numbered("b", 2, 1), some_set("a", [("x", "y", 2.5)], labelled=False)]
    sample = sample_pairs(sets, seed=1)
    assert sample.rows() == [
        ("b/1", "b 0", "b 0'", "b", 1),
        ("2", "b 1", "b 1'", "b", 1),
        ("3", "b 2", "b 2'", "b", 0),
        ("a/1", "x", "y", "a", None),
    ]
    assert sample.schema["label"] == pl.Int8


def test_an_id_stays_where_it_is_unique_and_depends_on_no_seed():
    sets = [numbered("a", 3, 3), numbered("b", 2, 0)]
    ids = {row for seed in range(20) for row in sample_pairs(sets, each_set=1, seed=seed)["pair_id"]}
    assert ids == {"a/1", "a/2", "3", "4", "5", "6", "b/1", "b/2"}


def test_ids_that_cannot_be_made_different_are_refused():
    def of(name: str, pair_ids: list[str]) -> PairSet:
        pairs = numbered(name, len(pair_ids), 0)
        return PairSet(pairs.frame.with_columns(pair_id=pl.Series(pair_ids)), pairs.card)

    with pytest.raises(InputError, match="have the same id; rename one of the sets"):
        sample_pairs([of("a", ["1", "b/1"]), of("b", ["1", "a/1"])], seed=1)


def test_gold_ratings_and_strata_stay_behind_and_ids_of_concepts_come_along():
    rich = numbered("a", 1, 0)
    frame = rich.frame.with_columns(
        id_1=pl.lit(22298006), cui_2=pl.lit("C0"), rater_A=pl.lit(1.0), fold=pl.lit("x")
    )
    sample = sample_pairs([PairSet(frame, rich.card), numbered("b", 1, 0)], seed=1)
    assert sample.columns == ["pair_id", "term_1", "term_2", "set", "label", "id_1", "cui_2"]
    assert sample.select("id_1", "cui_2").rows() == [("22298006", "C0"), (None, None)]


def test_the_same_terms_in_either_order_are_drawn_once_and_later_sets_draw_others():
    first = some_set("first", [("fever", "fièvre", 1), ("a", "b", 1)])
    later = some_set("later", [("fièvre", "fever", 1), ("b", "a", 0), ("Fever", "fièvre", 1)])
    for seed in range(10):
        sample = sample_pairs([first, later], each_set=1, seed=seed)
        assert len(set(terms_of(sample))) == 2
    both = [("fièvre", "fever", 1), ("c", "d", 1), ("d", "e", 1)]
    sample = sample_pairs([first, some_set("later", both)], each_set=2, seed=1)
    assert sample["term_1"].to_list() == ["fever", "a", "c", "d"]
    with pytest.warns(
        CoverageWarning, match="2 of 3 pairs of 'later' have the same terms as an earlier pair"
    ):
        sample = sample_pairs([first, later], seed=1)
    assert sample["term_1"].to_list() == ["fever", "a", "Fever"]


def test_the_same_seed_draws_the_same_and_sets_before_are_not_changed_by_later_ones():
    sets = [numbered("a", 40, 40), numbered("b", 40, 40)]
    sample = sample_pairs(sets, each_label=5, seed=3)
    assert sample.equals(sample_pairs(sets, each_label=5, seed=3))
    assert not sample.equals(sample_pairs(sets, each_label=5, seed=4))
    alone = sample_pairs(sets[:1], each_label=5, seed=3)
    assert terms_of(alone) == terms_of(sample)[:10]


def test_every_pair_is_drawn_equally_often():
    pairs = numbered("a", 4, 4)
    drawn = Counter(
        pair_id
        for seed in range(400)
        for pair_id in sample_pairs([pairs], each_label=1, seed=seed)["pair_id"]
    )
    # Each of 4 is drawn 100 times of 400; 5 standard deviations are 43.
    assert len(drawn) == 8
    assert all(57 <= count <= 143 for count in drawn.values())


def test_an_empty_set_has_no_pairs_to_take():
    assert sample_pairs([some_set("a", [])], seed=1).height == 0
    with pytest.raises(InputError, match="the set 'a' has 0 pairs; 1 cannot be drawn"):
        sample_pairs([some_set("a", [])], each_set=1, seed=1)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"each_label": 3}, "the set 'a' has 2 pairs with label 0; 3 cannot be drawn"),
        ({"each_set": 6}, "the set 'a' has 5 pairs; 6 cannot be drawn"),
        (
            {"each_set": 3},
            "the set 'b' has 4 pairs, 2 of them with terms that are not yet drawn; 3 cannot be drawn",
        ),
        (
            {"each_set": 10**26},
            f"the set 'a' has 5 pairs; {10**26} cannot be drawn",
        ),  # more than islice counts
        ({"each_set": 0}, "the sample size is 0; it must be 1 or more"),
        ({"each_label": -1}, "the sample size is -1; it must be 1 or more"),
        ({"seed": -1}, "seed is -1; it must be 0 or more"),
    ],
)
def test_a_sample_that_cannot_be_drawn_is_reported_with_set_and_numbers(asked, expected):
    sets = [numbered("a", 3, 2), some_set("b", [("x", "y", 1), ("y", "x", 1), ("x", "y", 0), ("y", "z", 0)])]
    with pytest.raises(InputError) as caught:
        sample_pairs(sets, **({"seed": 1} | asked))
    assert str(caught.value) == expected


def test_labels_of_a_graded_set_cannot_be_drawn_by():
    with pytest.raises(InputError, match="the set 'g' has no labels; draw from each set instead"):
        sample_pairs([some_set("g", [("x", "y", 2.5)], labelled=False)], each_label=1, seed=1)


def test_with_both_numbers_labels_are_for_labelled_sets_and_sets_for_graded_ones():
    graded = some_set("g", [(f"g {n}", f"g {n}'", 2.5) for n in range(9)], labelled=False)
    sample = sample_pairs([numbered("a", 9, 9), graded], each_label=3, each_set=4, seed=1)
    counts = Counter(sample.select("set", "label").iter_rows())
    assert counts == {("a", 1): 3, ("a", 0): 3, ("g", None): 4}


def test_all_pairs_are_all_of_them_whatever_their_terms():
    sets = [some_set("a", [("x", "y", 1), ("y", "x", 0)]), some_set("b", [("x", "y", 2.5)], labelled=False)]
    assert all_pairs(sets).rows() == [
        ("a/1", "x", "y", "a", 1),
        ("2", "y", "x", "a", 0),
        ("b/1", "x", "y", "b", None),
    ]


def test_no_set_and_two_of_one_name_are_refused():
    with pytest.raises(InputError, match="there is no set to draw pairs from"):
        sample_pairs([], seed=1)
    with pytest.raises(InputError, match="two sets are called 'a'; give one of them another name"):
        sample_pairs([numbered("a", 1, 0), numbered("a", 1, 0)], seed=1)


def test_the_24_pairs_that_ehr_rel_b_has_twice_are_taken_once(real_data):
    real_data("published/EHR-RelB.tsv")
    with pytest.warns(
        CoverageWarning, match="24 of 3630 pairs of 'ehr-rel-b' have the same terms as an earlier"
    ):
        sample = sample_pairs([load_dataset("ehr-rel-b")], seed=1)
    assert sample.height == 3606  # counted on the published file, as its card says
