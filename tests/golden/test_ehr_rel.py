"""EHR-RelB by disagreement, and its best annotator, the human upper bound of the paper.

The paper is Schulz et al. (2020), "Biomedical Concept Relatedness", section 6. Its 2,978 pairs without three
different ratings are those among the 3,350 that its embeddings cover; counted in the whole file they are
3,213 of 3,630, as 417 pairs have three different ratings.
"""

import json

import pytest


@pytest.fixture
def results(real_data, medgauge):
    real_data("published/EHR-RelB.tsv")

    def evaluated(*options):
        done = medgauge("evaluate", "--model", "levenshtein", "--dataset", "ehr-rel-b", "--json", *options)
        assert done.code == 0, done.err
        return json.loads(done.out)

    return evaluated


def test_3213_pairs_are_left_without_those_of_three_different_ratings(results):
    found = results("--where", "different_ratings < 3")
    [used] = found["datasets"]
    assert (used["total"], used["n"]) == (3630, 3213)
    assert {figure["n"] for figure in found["figures"]} == {3213}


def test_417_pairs_have_three_different_ratings(results):
    [used] = results("--by", "different_ratings")["datasets"]
    assert [(one["name"], one["n"]) for one in used["subsets"]] == [("1", 1051), ("2", 2162), ("3", 417)]


def test_the_human_upper_bound_is_that_of_the_paper(results):
    """0.88 with the own rating in the mean and 0.70 without it; the raters' names are the file's."""
    [used] = results()["datasets"]
    bound = used["human"]
    assert (f"{bound['with_own']:.2f}", f"{bound['without_own']:.2f}") == ("0.88", "0.70")
    assert (bound["with_own_rater"], bound["without_own_rater"]) == ("C", "D")
