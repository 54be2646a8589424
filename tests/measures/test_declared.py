import pytest

from medgauge.errors import InputError, UnknownNameError
from medgauge.measures.declared import measures_for, measures_of
from medgauge.progress import hearing


def test_a_baseline_has_its_own_score_whatever_is_asked_of_embeddings():
    assert measures_for("pairs", ["fj"]) == ["score"]


def test_a_misspelt_measure_is_corrected():
    with pytest.raises(UnknownNameError, match="did you mean 'avg_cos'"):
        measures_for("words", ["avg_cosinus"])


@pytest.mark.parametrize(
    ("given", "family", "meant"),
    [
        ("cosine", "words", "avg_cos"),
        ("Cos", "words", "avg_cos"),
        ("kendall", "words", "avg_kendall"),
        ("AVG_Pearson", "words", "avg_pearson"),
        ("cosine", "vectors", "cos"),
        ("Spearman", "vectors", "spearman"),
    ],
)
def test_the_usual_names_of_measures_are_understood_in_any_case(given, family, meant):
    said: list[str] = []
    with hearing(said.append):
        assert measures_for(family, [given]) == [meant]
    asked = given.lower().replace("cosine", "cos")
    assert said == ([] if asked == meant else [f"{asked} means {meant} for models of word vectors"])


def heard(families, chosen):
    said: list[str] = []
    with hearing(said.append):
        return measures_of(families, chosen), said


def test_a_measure_for_term_vectors_adds_none_to_words_that_have_their_own():
    families = {"a": "words", "b": "vectors", "c": "pairs"}
    assert heard(families, ["fj", "cos"]) == ({"a": ["fj"], "b": ["cos"], "c": ["score"]}, [])


def test_a_measure_that_only_term_vectors_have_is_not_dropped_where_there_are_only_words():
    note = "cos means avg_cos for models of word vectors"
    assert heard({"a": "words", "b": "words"}, ["fj", "cosine"]) == (
        {"a": ["fj", "avg_cos"], "b": ["fj", "avg_cos"]},
        [note],
    )
    assert heard({"a": "words", "b": "pairs"}, ["fj", "score", "cos"])[0] == {
        "a": ["fj", "avg_cos"],
        "b": ["score"],
    }
    assert heard({"a": "words", "b": "pairs"}, ["avg_cos", "cos"])[0] == {"a": ["avg_cos"], "b": ["score"]}
    assert heard({"a": "words", "b": "vectors"}, ["cos"]) == ({"a": ["avg_cos"], "b": ["cos"]}, [note])


def test_a_measure_that_no_model_has_is_left_out_with_a_remark():
    assert heard({"a": "vectors"}, ["fj", "cos"]) == (
        {"a": ["cos"]},
        ["no model has the measure fj: it is left out"],
    )
    assert heard({"a": "pairs"}, ["fj"]) == (
        {"a": ["score"]},
        ["no model has the measure fj: it is left out"],
    )


def test_a_measure_of_another_family_says_which_there_are():
    with pytest.raises(InputError, match="choose among cos, pearson, spearman, kendall"):
        measures_for("vectors", ["fj"])
