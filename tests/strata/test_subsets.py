import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from medgauge.errors import InputError, UnknownNameError
from medgauge.pairs import Card, PairSet
from medgauge.strata.attributes import Attribute
from medgauge.strata.subsets import LEFT_OUT, subsets_by, subsets_by_attribute


def pairs(terms, **columns):
    frame = pl.DataFrame(
        {
            "pair_id": [str(number) for number in range(len(terms))],
            "term_1": [one for one, _ in terms],
            "term_2": [two for _, two in terms],
            "gold": [float(number) for number in range(len(terms))],
            **columns,
        }
    )
    return PairSet(frame, Card(name="mine", title="Mine"))


def of(values, by="x", **options):
    return subsets_by(pairs([("flu", "cold")] * len(values), x=values), by, **options)


def shown(found):
    return [found.names[k] if k >= 0 else None for k in found.member.tolist()]


def test_text_makes_a_subset_of_each_value_and_leaves_out_what_is_missing():
    found = of(["V", "N", "", "N", None, "A", "N", "N"])
    assert found.names == ["A", "N", "V"]
    assert shown(found) == ["V", "N", None, "N", None, "A", "N", "N"]
    assert (found.cut, found.left_out) == ("values", {"missing": 2})


def test_few_numbers_are_taken_one_by_one_in_their_order():
    found = of([10, 9, 2, None, 10, 9, 10])
    assert found.names == ["2", "9", "10"]
    assert shown(found) == ["10", "9", "2", None, "10", "9", "10"]
    assert found.left_out == {"missing": 1}
    assert of([0.5, 1.0, 0.5, 1.0, float("nan")]).names == ["0.5", "1"]
    assert of(["0.5", "1", "0.5", "1", "na"]).names == ["0.5", "1"]
    assert of([True, False, None]).names == ["false", "true"]


def test_more_than_ten_numbers_are_put_into_three_bins():
    assert of(list(range(10)) * 2).cut == "values"
    found = of(list(range(11)))
    assert (found.cut, found.names) == ("quantiles", ["[0, 4)", "[4, 7)", "[7, 10]"])
    assert np.bincount(found.member).tolist() == [4, 3, 4]


def test_bins_can_be_given_by_number_or_by_edges():
    assert of([1, 2, 3, 4], bins=2).names == ["[1, 3)", "[3, 4]"]
    found = of([1, 2, 3, 4, None], bins=[2, 3, 3.5])
    assert found.names == ["[2, 3)", "[3, 3.5]"]
    assert shown(found) == [None, "[2, 3)", "[3, 3.5]", None, None]
    assert (found.cut, found.left_out) == ("edges", {"missing": 1, "outside": 2})


def test_a_bin_without_pairs_stays():
    assert of([1, 2], bins=[0, 5, 10]).names == ["[0, 5)", "[5, 10]"]


@pytest.mark.parametrize(
    ("values", "by", "bins", "said"),
    [
        (["N"], "x", 3, "is not numeric"),
        (["N"], "term_1", None, "cannot make subsets"),
        (["N"], "pair_id", None, "cannot make subsets"),
        (["", None], "x", None, "no pair of mine has a value"),
        ([None, float("nan")], "x", None, "no pair of mine has a value"),
        ([[1], [2]], "x", None, "the column x holds neither text nor numbers"),
        ([f"v{k}" for k in range(51)], "x", None, "has 51 values; at most 50"),
        ([1.0], "x", 51, "at most 50 bins"),
        ([1.0], "x", 1, "at least 2 bins"),
        ([1.0], "x", [3.0, 2.0], "increasing numbers"),
    ],
)
def test_what_makes_no_subsets_is_refused(values, by, bins, said):
    with pytest.raises(InputError, match=said):
        of(values, by, bins=bins)


def test_an_unknown_column_names_those_there_are():
    with pytest.raises(
        UnknownNameError, match=r"no column of mine called 'pos'; choose from: pair_id, term_1"
    ):
        of(["N"], "pos")


FREQUENCY = Attribute("frequency", {"rare": 1.0, "scarce": 2.0, "common": 50.0, "frequent": 60.0}, "")


def test_both_terms_have_to_be_in_the_same_interval_of_an_attribute():
    terms = [
        ("rare", "scarce"),
        ("frequent", "common"),
        ("rare", "frequent"),
        ("unknown", "rare"),
        ("common frequent", "frequent"),
        ("common rare", "scarce"),
    ]
    found = subsets_by_attribute(pairs(terms), FREQUENCY, bins=[0, 10, 100])
    assert shown(found) == ["[0, 10)", "[10, 100]", None, None, "[10, 100]", "[0, 10)"]
    assert found.left_out == {"missing": 1, "across": 1}
    outside = subsets_by_attribute(pairs(terms), FREQUENCY, bins=[2, 100])
    assert outside.left_out == {"missing": 1, "outside": 3}


def test_intervals_of_an_attribute_are_of_equal_counts_over_the_different_terms():
    """The pairs repeat 'rare' nine times; among the four different terms it is one."""
    terms = [("rare", "scarce")] * 9 + [("common", "frequent")]
    found = subsets_by_attribute(pairs(terms), FREQUENCY, bins=2)
    assert found.names == ["[1, 50)", "[50, 60]"]
    assert np.bincount(found.member).tolist() == [9, 1]


def test_an_attribute_that_no_term_has_is_refused():
    with pytest.raises(InputError, match="no pair of mine has a value of frequency"):
        subsets_by_attribute(pairs([("a", "b")]), FREQUENCY)


@given(
    st.lists(st.tuples(*[st.sampled_from(["rare", "scarce", "common", "frequent", "new"])] * 2), min_size=1),
    st.one_of(st.none(), st.integers(2, 4), st.just([0.0, 2.0, 55.0])),
)
@settings(max_examples=100, deadline=None)
def test_every_pair_is_in_one_subset_or_counted(terms, bins):
    assume({word for pair in terms for word in pair} != {"new"})
    found = subsets_by_attribute(pairs(terms), FREQUENCY, bins=bins)
    inside = int((found.member >= 0).sum())
    assert inside + sum(found.left_out.values()) == len(terms)
    assert set(found.left_out) <= set(LEFT_OUT)
    assert found.member.max() < len(found.names)


@pytest.mark.parametrize("by", ["id_1", "id_2", "cui_1", "cui_2", "term_2"])
def test_keys_of_terms_and_concepts_make_no_subsets(by):
    frame = pairs([("flu", "cold"), ("flu", "gout")]).frame.with_columns(
        pl.lit("C0001").alias(name) for name in ("id_1", "id_2", "cui_1", "cui_2")
    )
    with pytest.raises(InputError, match=f"'{by}' cannot make subsets; choose a column of categories"):
        subsets_by(PairSet(frame, Card(name="mine", title="Mine")), by)


@pytest.mark.parametrize("value", ["flu", "Flu", " FLU ", "Flu (disorder)", "cold"])
def test_a_column_with_a_term_of_the_set_makes_no_subsets(value):
    with pytest.raises(InputError, match="the column x of mine holds terms of the set") as caught:
        of(["N", "N", "N", value])
    assert value.strip() not in str(caught.value)


def test_text_that_hardly_any_pairs_share_makes_no_subsets():
    """It may be notes or names of concepts, which results would store."""
    with pytest.raises(InputError, match="x of mine has 3 values for 5 pairs; text makes subsets only if 2 "):
        of(["a", "b", "c", "a", "b", None])
    assert of(["a", "b", "c", "a", "b", "c", None]).names == ["a", "b", "c"]
    assert of([True, False]).names == ["false", "true"]


def test_numbers_that_hardly_any_pairs_share_are_put_into_bins_and_not_taken_one_by_one():
    """Each of them would name a subset of one pair."""
    found = of([0.5, 0.25, 0.125, 0.75, 1.0, 0.5])
    assert found.cut == "quantiles"
    assert of([0.5, 0.25] * 2).cut == "values"


def test_computed_columns_say_nothing_of_single_terms_and_need_not_be_shared():
    found = subsets_by(pairs([("flu", "flu virus"), ("flu", "cold")]), "words")
    assert (found.names, found.cut) == (["1", "2"], "values")


SCTIDS = [22298006, 44054006, 73211009, 38341003, 195967001]


@pytest.mark.parametrize(
    "values",
    [
        SCTIDS,
        [*map(str, SCTIDS)],
        SCTIDS * 3,
        [0, *SCTIDS],
        [0, 22298006] * 4,
        list(range(10**7, 10**7 + 40)),
    ],
)
@pytest.mark.parametrize("bins", [None, 2])
def test_a_column_of_numbers_that_may_be_ids_names_no_subsets(values, bins):
    with pytest.raises(
        InputError, match=r"x of mine holds what may be ids, .*, give the edges of intervals w"
    ):
        of(values, bins=bins)


def test_long_numbers_that_are_quantities_have_edges_that_are_given():
    assert of(SCTIDS, bins=[0, 10**8, 10**9]).names == ["[0, 100000000)", "[100000000, 1000000000]"]
    assert of([1, 20, 300, 4000, 50000, 600000]).cut == "quantiles"


@pytest.mark.parametrize("value", ["C0027051", "HP:0001250", "22298006 x"])
def test_a_column_of_text_that_may_be_ids_makes_no_subsets(value):
    with pytest.raises(InputError, match="the column x of mine holds terms of the set, or what may be ids"):
        of(["N", "N", value, value])


def test_a_column_called_sctid_makes_no_subsets():
    given = pairs([("flu", "cold")] * 4, sctid=["7", "8", "7", "8"])
    with pytest.raises(InputError, match="'sctid' cannot make subsets; choose a column of categories"):
        subsets_by(given, "sctid")


def test_a_column_with_ids_of_the_set_makes_no_subsets():
    given = pairs([("flu", "cold")] * 4, cui_1=["C01", "C02"] * 2, x=["N", "c02"] * 2)
    with pytest.raises(InputError, match="holds terms of the set, or what may be ids"):
        subsets_by(given, "x")
