"""Second showings against all orders there are, for numbers small enough to try them."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgauge.annotate.design import showings
from medgauge.annotate.design.showings import order_roles, page_sizes
from medgauge.errors import InputError


def pages_of(sizes: list[int]) -> list[int]:
    return [page for page, size in enumerate(sizes) for _ in range(size)]


def largest_distance(own: int, shared: int, duplicates: int, sizes: list[int]) -> int:
    """Look through all orders for the one whose closest showings are furthest apart; 0 if there is none."""
    pages = pages_of(sizes)
    best = 0
    for roles in set(permutations("o" * own + "c" * shared + "d" * duplicates)):
        firsts = [place for place, role in enumerate(roles) if role == "o"]
        seconds = [place for place, role in enumerate(roles) if role == "d"]
        for chosen in permutations(firsts, duplicates):
            pairs = list(zip(chosen, seconds, strict=True))
            if all(pages[one] < pages[two] for one, two in pairs):
                best = max(best, min(two - one for one, two in pairs))
    return best


@given(st.integers(1, 4), st.integers(0, 2), st.integers(1, 3), st.integers(1, 9), st.integers(0, 99))
@settings(max_examples=150, deadline=None)
def test_showings_are_as_far_apart_as_in_the_best_of_all_orders(own, shared, duplicates, page, seed):
    duplicates = min(own, duplicates)
    sizes = page_sizes(own + shared + duplicates, page=page, duplicates=duplicates)
    if own + shared < 2:
        with pytest.raises(InputError, match="would follow each other directly"):
            order_roles(own, shared, duplicates, page=page, rng=np.random.default_rng(seed))
        return
    roles, firsts = order_roles(own, shared, duplicates, page=page, rng=np.random.default_rng(seed))
    counts = [roles.count(role) for role in ("own", "consistency", "duplicate")]
    assert counts == [own, shared, duplicates]
    assert min(two - one for two, one in firsts.items()) == largest_distance(own, shared, duplicates, sizes)


@pytest.mark.parametrize(
    ("own", "shared", "duplicates", "page"), [*product((40, 90), (0, 10), (1, 39), (7, 20, 64))]
)
def test_thirty_pairs_and_a_page_are_between_wherever_thirty_fit(own, shared, duplicates, page):
    pages = pages_of(page_sizes(own + shared + duplicates, page=page, duplicates=duplicates))
    for seed in range(5):
        _, firsts = order_roles(own, shared, duplicates, page=page, rng=np.random.default_rng(seed))
        assert len(set(firsts.values())) == duplicates
        assert all(two - one > 30 and pages[one] < pages[two] for two, one in firsts.items())


def test_repeats_are_spread_over_the_later_pages_where_there_is_room():
    roles, _ = order_roles(100, 20, 30, page=30, rng=np.random.default_rng(1))
    assert [roles[start : start + 30].count("duplicate") for start in range(0, 150, 30)] == [0, 7, 7, 8, 8]
    roles, _ = order_roles(75, 10, 20, page=15, rng=np.random.default_rng(1))
    # The second page is too close to the first.
    held = [roles[start : start + 15].count("duplicate") for start in range(0, 105, 15)]
    assert held == [0, 0, 4, 4, 4, 4, 4]


def test_the_order_is_drawn_and_the_seed_settles_it():
    drawn = [order_roles(60, 10, 10, page=40, rng=np.random.default_rng(seed)) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_a_distance_that_is_asked_for_is_the_one_that_is_kept(monkeypatch):
    monkeypatch.setattr(showings, "BETWEEN", 3)
    gaps = set()
    for seed in range(30):
        _, firsts = order_roles(20, 0, 4, page=8, rng=np.random.default_rng(seed))
        gaps |= {two - one - 1 for two, one in firsts.items()}
    assert min(gaps) == 3
