import pytest

import medgauge
from medgauge.errors import FileError
from tests.results import TERMS, damaged, example

pytestmark = pytest.mark.filterwarnings("ignore::medgauge.errors.MedgaugeWarning")


@pytest.mark.parametrize(
    ("name", "place", "value", "said"),
    [
        ("WorstPairs", "sets", [], "is damaged: it has no set; inspect the run again"),
        (
            "WorstPairs",
            "sets.0.pairs.0.other_rank",
            1.0,
            "of the set 'graded', the scores of a pair are missing",
        ),
        ("WorstPairs", "sets.0.pairs.0.rank_error", None, "the errors of a pair are missing"),
        ("WorstPairs", "sets.1.pairs.0.wrong_side", None, "the errors of a pair are missing"),
        ("WorstPairs", "sets.0.labelled", True, "the errors of a pair are missing"),
        (
            "WorstPairs",
            "sets.0.pairs.0.nearer",
            "levenshtein",
            "the model that is nearer is not one of the two",
        ),
        ("WorstPairs", "sets.0.pairs.0.score", "NaN", "sets.0.pairs.0.score: does not hold a WorstPairs"),
        ("WorstPairs", "sets.0.pairs.0.edit_distance", -1, "sets.0.pairs.0.edit_distance"),
        ("WorstPairs", "sets.0.pairs.0.term_1", TERMS[0] * 2000, "at most 10000 characters"),
        ("WorstPairs", "sets.0.uncovered", [], "what a model does not cover is missing"),
        ("WorstPairs", "sets.0.uncovered.0.pairs", 10**6, "it has more pairs than the set"),
        ("WorstPairs", "sets.0.uncovered.0.words", {TERMS[0]: "x"}, "each word must have a count"),
        ("WorstPairs", "sets.0.compared", 1, "it has more pairs than the set"),
        ("WorstPairs", "sets.0.other_measure", "fj", "the measure of a model is missing"),
        ("WorstPairs of two models", "against", None, "what a model does not cover is missing"),
        ("WorstPairs of two models", "sets.0.pairs.0.other_rank", None, "the scores of a pair are missing"),
        (
            "WorstPairs of two models",
            "sets.0.pairs.0.nearer",
            "other",
            "that is nearer is not one of the two",
        ),
    ],
)
def test_worst_pairs_that_contradict_themselves_are_one_sentence_without_terms(
    name, place, value, said, tmp_path
):
    path = damaged(example(name), tmp_path / "w.json", place, value)
    with pytest.raises(FileError) as caught:
        medgauge.WorstPairs.load(path)
    assert said in str(caught.value)
    assert not any(term in str(caught.value) for term in TERMS)
