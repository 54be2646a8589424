import threading
from itertools import count

import pytest

from medgauge.corpus.ahead import read_ahead


def test_items_come_in_their_order_and_only_a_few_are_made_ahead():
    made = []
    items = read_ahead(made.append(number) or number for number in range(50))
    for number, item in enumerate(items):
        assert item == number
        assert len(made) <= number + 4


def test_an_error_is_raised_after_the_items_before_it():
    def failing():
        yield 1
        raise KeyError("gout")

    items = read_ahead(failing())
    assert next(items) == 1
    with pytest.raises(KeyError, match="gout"):
        next(items)


def test_the_thread_ends_when_no_more_is_wanted():
    before = threading.active_count()
    items = read_ahead(count())
    assert next(items) == 0
    items.close()
    assert threading.active_count() == before
