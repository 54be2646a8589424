import numpy as np
import pytest

from medgauge.categories.similarities import OfScorer, OfVectors, mean_within, row_blocks
from medgauge.errors import InputError
from medgauge.measures.declared import measures_for
from medgauge.measures.score import Prepared
from medgauge.models.base import ModelCard
from medgauge.models.lexical import baselines
from medgauge.pairs import Card, PairSet
from tests.measures.test_score import grouped, scored

TERMS = ["renal failure", "kidney failure", "asthma", "renal biopsy", "asthma attack", "heart"]


@pytest.mark.parametrize("name", list(baselines()))
def test_a_grid_of_a_baseline_has_the_scores_of_one_set_with_all_pairs(name):
    """Above all char-tfidf, whose scores depend on the terms of the set that it is given."""
    model = baselines()[name]
    similar = OfScorer(model, TERMS)
    everyone = np.arange(len(TERMS))
    together = PairSet.of(
        [(one, two, 0.0) for one in TERMS for two in TERMS], card=Card(name="all", title="all")
    )
    expected = model.score(together).reshape(len(TERMS), len(TERMS))
    np.testing.assert_array_equal(similar.grid(everyone, everyone), expected)
    np.testing.assert_array_equal(similar.grid(np.array([4]), np.array([1, 3])), expected[[4]][:, [1, 3]])
    np.testing.assert_array_equal(similar.itself(everyone), np.diag(expected))


def test_a_scorer_without_a_score_for_terms_that_it_covers_is_refused():
    class Partial:
        card = ModelCard(name="partial", family="pairs")

        def score(self, pairs):
            same = (pairs.frame["term_1"] == pairs.frame["term_2"]).to_numpy()
            return np.where(same, 1.0, np.nan)

    similar = OfScorer(Partial(), TERMS)
    assert similar.itself(np.array([0, 1])).tolist() == [1.0, 1.0]
    with pytest.raises(InputError, match="partial has no score for some pairs of terms that it covers"):
        similar.grid(np.array([0]), np.array([1]))


@pytest.mark.parametrize("most", [1, 7, 40, 10_000])
@pytest.mark.parametrize("name", measures_for("words"))
def test_the_mean_within_is_the_plain_mean_over_pairs_however_they_are_parted(name, most):
    rng = np.random.default_rng(0)
    terms = grouped(
        [rng.standard_normal((length, 9)).astype(np.float32) for length in rng.integers(1, 4, 12)]
    )
    inside = np.array([0, 2, 3, 5, 6, 7, 9, 11])
    left, right = (inside[side] for side in np.triu_indices(8, 1))
    steps = []
    similar = OfVectors(name, Prepared(terms, many=True), most)
    found = mean_within(similar, inside, steps.append)
    assert found == pytest.approx(scored([name], terms, left, right)[name].mean(), abs=1e-12)
    assert sum(steps) == 28


def test_fewer_than_two_terms_have_no_mean():
    for terms in ([], [3]):
        assert np.isnan(mean_within(OfScorer(baselines()["random"], TERMS), np.array(terms, int), print))


def test_blocks_of_rows_have_at_most_so_many_pairs_or_are_one_row():
    rows = np.arange(5)
    assert [block.tolist() for block in row_blocks(rows, 10, 20)] == [[0, 1], [2, 3], [4]]
    assert [block.tolist() for block in row_blocks(rows, 100, 20)] == [[0], [1], [2], [3], [4]]
    assert [block.tolist() for block in row_blocks(rows, 0, 20)] == [[0, 1, 2, 3, 4]]
    assert list(row_blocks(rows[:0], 10, 20)) == []
