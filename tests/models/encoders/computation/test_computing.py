import numpy as np
import pytest

from medgauge.errors import InputError
from medgauge.models.encoders.computation.computing import computed, prefetched


def test_a_batch_that_does_not_fit_is_halved_until_it_does():
    import torch

    tried: list[int] = []

    def forward(name, batch):
        assert name == ("first" if 10 not in batch and 11 not in batch else "second")
        tried.append(len(batch))
        if len(batch) > 3:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2 GiB")
        return torch.tensor(batch[:, None], dtype=torch.float32)

    found = list(computed([("first", np.arange(10)), ("second", np.arange(10, 12))], forward))
    assert np.concatenate([rows[:, 0] for _, _, rows in found]).tolist() == list(range(12))
    assert np.concatenate([batch for _, batch, _ in found]).tolist() == list(range(12))
    assert [name for name, _, _ in found] == ["first"] * 4 + ["second"] * 2
    assert tried == [10, 5, 3, 2, 5, 3, 2, 1, 1]  # later batches are small at once


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_rows_that_are_not_numbers_are_none(bad):
    import torch

    batches = [("", np.arange(2)), ("", np.arange(1))]
    found = list(computed(batches, lambda _, batch: torch.tensor([[1.0], [bad]][: len(batch)])))
    assert found[0][2] is None
    assert found[1][2].tolist() == [[1.0]]


@pytest.mark.parametrize(
    "error",
    [MemoryError(), RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate")],
)
def test_one_term_that_does_not_fit_is_an_error(error):
    def forward(_source, _batch):
        raise error

    with pytest.raises(InputError, match="the longest term does not fit in the memory of the device"):
        list(computed([(0, np.arange(2))], forward))


def test_other_errors_are_not_taken_for_a_lack_of_memory():
    def forward(_source, _batch):
        raise RuntimeError("shapes do not match")

    with pytest.raises(RuntimeError, match="shapes do not match"):
        list(computed([(0, np.arange(2))], forward))


def test_work_is_done_one_item_ahead():
    done: list[int] = []
    found = prefetched(lambda number: done.append(number) or number, range(5))
    assert next(found) == 0
    assert list(found) == [1, 2, 3, 4]
    assert done == [0, 1, 2, 3, 4]


def test_an_error_in_the_thread_is_raised_where_its_result_is_used():
    found = prefetched(lambda number: 1 // number, [1, 0])
    assert next(found) == 1
    with pytest.raises(ZeroDivisionError):
        next(found)
