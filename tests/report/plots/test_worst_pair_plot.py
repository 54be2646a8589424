import pytest

from medgauge.errors import InputError
from tests.results import example


def test_a_panel_has_the_pairs_of_a_set_and_a_series_for_gold_and_each_model():
    graded, labelled = example("WorstPairs of two models").plot()
    assert [text.get_text() for text in graded.get_legend().get_texts()] == ["gold", "levenshtein", "random"]
    assert [text.get_text() for text in labelled.get_legend().get_texts()] == ["levenshtein", "random"]
    assert len(graded.get_yticklabels()) == 10
    assert labelled.get_yticklabels()[0].get_text().endswith(("(positive)", "(negative)"))


def test_points_are_at_their_ranks():
    found = example("WorstPairs")
    graded, _ = found.plot()
    gold, scores = (line.get_xdata() for line in graded.get_lines()[-2:])
    assert list(gold) == [pair.gold_rank for pair in found.sets[0].pairs]
    assert list(scores) == [pair.score_rank for pair in found.sets[0].pairs]


def test_nothing_to_draw_is_one_sentence():
    with pytest.raises(InputError, match="there is no pair to draw"):
        example("WorstPairs").model_copy(update={"sets": []}).plot()
