import numpy as np
from hypothesis import given
from hypothesis import strategies as some

from medgauge.models.encoders.batching import batches_of


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
