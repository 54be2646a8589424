import pytest

from medgauge.evaluation.missing_words import most_often, named, words_at
from medgauge.models.base import ModelCard
from medgauge.pairs import Card, Pairs

PAIRS = Pairs.of(
    [("Heart attack", "attack of the heart"), ("flu", "(…)"), ("gout", "gout")],
    card=Card(name="x", title="x"),
)


def test_words_are_named_once_for_each_pair_as_the_set_spells_them():
    places = [(1,), (), (0,)], [(0, 1), (), (0,)]
    assert words_at(PAIRS, places, ModelCard(name="m", family="words")) == [["attack", "of"], [], ["gout"]]


def test_a_model_with_a_vector_for_each_term_lacks_the_whole_term():
    places = [(0,), (), ()], [(), (), (0,)]
    found = words_at(PAIRS, places, ModelCard(name="m", family="vectors"))
    assert found == [["Heart attack"], [], ["gout"]]


def test_words_of_the_most_pairs_come_first():
    assert list(most_often([["a", "b"], ["c"], ["c", "b"], ["c"]]).items()) == [("c", 3), ("b", 2), ("a", 1)]


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["a"], "'a'"),
        (["a", "b", "c"], "'a', 'b' and 1 more"),
        (["x" * 99], f"'{'x' * 39}…'"),
        (["\x1b"], "'?'"),
    ],
)
def test_named_words_are_few_short_and_printable(words, text):
    assert named(words, most=2) == text
