import pytest

from medgauge.errors import InputError, UnknownNameError
from medgauge.measures.declared import measures_for


def test_a_baseline_has_its_own_score_whatever_is_asked_of_embeddings():
    assert measures_for("pairs", ["fj"]) == ["score"]


def test_a_misspelt_measure_is_corrected():
    with pytest.raises(UnknownNameError, match="did you mean 'avg_cos'"):
        measures_for("words", ["avg_cosine"])


def test_a_measure_of_another_family_says_which_there_are():
    with pytest.raises(InputError, match="choose among cos, pearson, spearman, kendall"):
        measures_for("vectors", ["fj"])
