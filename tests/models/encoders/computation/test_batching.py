import numpy as np
from hypothesis import given
from hypothesis import strategies as some

from medgauge.models.encoders.computation.batching import batches_of


@given(some.lists(some.integers(1, 60), max_size=200), some.integers(1, 300))
def test_every_text_is_in_one_batch_within_the_budget(lengths, budget):
    counted = np.array(lengths, np.int64)
    batches = list(batches_of(counted, budget))
    assert sorted(np.concatenate([*batches, []]).tolist()) == list(range(len(lengths)))
    for batch in batches:
        assert len(batch) == 1 or counted[batch].max() * len(batch) <= budget
        assert counted[batch].tolist() == sorted(counted[batch].tolist(), reverse=True)


def test_texts_of_one_length_need_no_padding_where_they_fill_a_batch():
    lengths = np.array([5] * 10 + [3] * 40)
    assert [set(lengths[batch].tolist()) for batch in batches_of(lengths, 60)] == [{3}, {3}, {5}]


def test_lengths_are_put_together_where_that_costs_less_than_another_batch():
    """By hand: padding up to an eighth of 80 pieces is worth one batch less."""
    lengths = np.array([8] * 4 + [7] * 2 + [5] * 3 + [2] * 3)
    found = [lengths[batch].tolist() for batch in batches_of(lengths, 80)]
    assert found == [[8, 8, 8, 8, 7, 7], [5, 5, 5, 2, 2, 2]]


@given(some.lists(some.integers(1, 40), max_size=400), some.integers(1, 5000))
def test_padding_is_bounded(lengths, budget):
    counted = np.array(lengths, np.int64)
    for batch in batches_of(counted, budget):
        found = counted[batch]
        assert (found.max() - found).sum() * 8 <= budget


def test_a_full_batch_has_a_number_of_texts_that_many_divide():
    assert [batch.size for batch in batches_of(np.full(400, 4), 1000)] == [240, 160]
