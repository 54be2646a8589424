import polars as pl
import pytest

from medgauge.catalog.named_sets import named_pairs
from medgauge.errors import InputError
from medgauge.pairs import Card, Pairs, PairSet

CARD = Card(name="mine", title="Mine")
PLAIN = Pairs.of([("flu", "cold")], card=CARD)
GRADED = PairSet.of([("flu", "cold", 1.0)], card=CARD)


def test_sets_with_and_without_gold_are_loaded_by_name():
    assert named_pairs({"a": PLAIN, "b": GRADED}).keys() == {"a", "b"}
    assert named_pairs(PLAIN) == {"mine": PLAIN}


def test_the_same_set_twice_is_one_and_another_of_its_name_is_refused():
    assert list(named_pairs([PLAIN, PLAIN])) == ["mine"]
    for other in (GRADED, Pairs.of([("flu", "gout")], card=CARD)):
        with pytest.raises(InputError, match="two different sets are called 'mine'"):
            named_pairs([PLAIN, other])


def test_a_set_with_more_columns_is_another_where_all_of_them_count():
    more = Pairs(PLAIN.frame.with_columns(cui_1=pl.lit("C0000001")), CARD)
    assert named_pairs([PLAIN, more]) == {"mine": PLAIN}
    assert list(named_pairs([PLAIN, PLAIN], whole=True)) == ["mine"]
    with pytest.raises(InputError, match="two different sets are called 'mine'"):
        named_pairs([PLAIN, more], whole=True)


def test_gold_is_asked_for_only_where_it_is_needed():
    with pytest.raises(InputError, match="no column of gold scores"):
        named_pairs(PLAIN, needs_gold=True)


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ([], "no dataset was given"),
        (PLAIN.head(0), "the set 'mine' has no pairs"),
        (PLAIN.renamed("a\x1bb"), "has control characters"),
    ],
)
def test_what_is_no_set_is_refused(given, problem):
    with pytest.raises(InputError, match=problem):
        named_pairs(given)
