"""Negatives against the rules as they are written, pair by pair."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from medgauge.build.terminology import negatives as module
from medgauge.build.terminology.linked import Avoided, Links
from medgauge.build.terminology.negatives import NegativeRules, Negatives, nearest_negatives, random_negatives
from medgauge.build.terminology.neighbours import Neighbourhood
from medgauge.build.terminology.positives import NumberedPairs

TERMS = ["a", "A", "ab", "Ab", "abc", "b", "B-c", "é", "É", "xyz", "xyzz", "Xyz", "ß", "naïve", "nave", ""]
LOWERED = [term.lower() for term in TERMS]
NUMBERS = st.integers(0, len(TERMS) - 1)
PAIR = st.tuples(NUMBERS, NUMBERS).filter(lambda pair: LOWERED[pair[0]] != LOWERED[pair[1]])
PAIRS = st.lists(PAIR, min_size=1, max_size=14, unique_by=lambda pair: tuple(sorted(pair)))


def some_pairs(pairs: list[tuple[int, int]]) -> NumberedPairs:
    first, second = (np.array(side, np.int64) for side in zip(*pairs, strict=True))
    return NumberedPairs(first, second, first, second, first)


def some_rules(pairs: NumberedPairs, earlier: list[tuple[int, int]]) -> NegativeRules:
    positive, before = Avoided(), Avoided()
    positive.add(pairs.first.tolist(), pairs.second.tolist())
    for one, other in earlier:
        before.add([one], [other])
    same = {
        number: [other for other, lowered in enumerate(LOWERED) if lowered == word]
        for number, word in enumerate(LOWERED)
    }
    return NegativeRules(Links(pairs), same, [positive, before])


def nearest(
    pairs: NumberedPairs, rules: NegativeRules, *, seed: int = 42, workers: int | None = None
) -> Negatives:
    terms = Neighbourhood(rules.links.terms, terms=TERMS, lowered=LOWERED, seed=seed, workers=workers)
    return nearest_negatives(rules, TERMS, terms)


def slow_candidates(first: int, pairs: list[tuple[int, int]]) -> set[int]:
    """Give the terms in a positive neither of whose terms is in S or E."""
    s = {first} | {second for one, second in pairs if one == first}
    e = {other for pair in pairs for one, other in (pair, pair[::-1]) if one in s}
    return {term for pair in pairs if not set(pair) & (s | e) for term in pair}


def slow_allowed(first: int, pairs: list[tuple[int, int]], avoided: set[frozenset[int]]) -> set[int]:
    return {
        term
        for term in slow_candidates(first, pairs)
        if LOWERED[term] != LOWERED[first] and frozenset((first, term)) not in avoided
    }


@given(PAIRS, st.lists(PAIR, max_size=6))
@settings(max_examples=300, deadline=None)
def test_nearest_negatives_are_the_nearest_that_the_rules_allow(pairs, earlier):
    whole = some_pairs(pairs)
    found = nearest(whole, some_rules(whole, earlier))
    avoided = {frozenset(pair) for pair in [*pairs, *earlier]}
    wanted = Counter(first for first, _ in pairs)
    picked: dict[int, list[int]] = {first: [] for first in wanted}
    for first, second in zip(found.first, found.second, strict=True):
        picked[first].append(second)
    assert list(dict.fromkeys(found.first)) == sorted(
        (first for first in picked if picked[first]), key=lambda number: TERMS[number]
    )
    missing = 0
    for first in sorted(wanted, key=lambda number: TERMS[number]):
        allowed = slow_allowed(first, pairs, avoided)
        assert set(picked[first]) <= allowed
        assert len(set(picked[first])) == len(picked[first])
        distances = sorted(Levenshtein.distance(LOWERED[first], LOWERED[term]) for term in allowed)
        assert [Levenshtein.distance(LOWERED[first], LOWERED[term]) for term in picked[first]] == distances[
            : wanted[first]
        ]
        missing += max(0, wanted[first] - len(allowed))
        avoided |= {frozenset((first, term)) for term in picked[first]}
    assert found.shortfall == missing


@given(PAIRS, st.lists(PAIR, max_size=6), st.integers(0, 3))
@settings(max_examples=300, deadline=None)
def test_random_negatives_are_allowed_by_the_rules_and_missing_only_where_none_is_left(pairs, earlier, seed):
    whole = some_pairs(pairs)
    found = random_negatives(whole, some_rules(whole, earlier), seed=(seed, 0))
    avoided = {frozenset(pair) for pair in [*pairs, *earlier]}
    made = iter(zip(found.first, found.second, strict=True))
    upcoming = next(made, None)
    missing = 0
    for first, _ in pairs:
        allowed = slow_allowed(first, pairs, avoided)
        if not allowed:
            missing += 1
            continue
        assert upcoming is not None
        assert upcoming[0] == first
        assert upcoming[1] in allowed
        avoided.add(frozenset(upcoming))
        upcoming = next(made, None)
    assert upcoming is None
    assert found.shortfall == missing


def test_every_allowed_slot_is_drawn_as_often():
    pairs = some_pairs([(0, 5), (9, 13), (9, 10), (14, 13)])
    rules = some_rules(pairs, [])
    drawn = Counter(random_negatives(pairs, rules, seed=(seed, 0)).second[0] for seed in range(4000))
    # For term 0 the slots are 9, 13, 9, 10, 14 and 13: terms that stand in two positives come twice as often.
    expected = {9: 2 / 6, 13: 2 / 6, 10: 1 / 6, 14: 1 / 6}
    assert set(drawn) == set(expected)
    for term, share in expected.items():
        assert drawn[term] / 4000 == pytest.approx(share, abs=4 * (share * (1 - share) / 4000) ** 0.5)


def test_where_redraws_run_out_all_slots_are_looked_at(monkeypatch):
    pairs = some_pairs([(0, 5), (9, 13), (2, 10)])
    monkeypatch.setattr(module, "_REDRAWS", 0)
    found = random_negatives(pairs, some_rules(pairs, []), seed=(1, 2))
    assert found.shortfall == 0
    assert found.second[0] in {9, 13, 2, 10}


@pytest.mark.parametrize("spare", [0, 1, 3])
def test_how_many_neighbours_are_spare_changes_no_pair(spare, monkeypatch):
    # xyz and xyzz are each other's nearest; the second of them finds the pair made already.
    pairs = some_pairs([(9, 13), (10, 14)])
    asked = []
    again = Neighbourhood.search_again
    monkeypatch.setattr(
        Neighbourhood, "search_again", lambda *arguments: asked.append(arguments[1]) or again(*arguments)
    )
    monkeypatch.setattr(module, "_SPARE", spare)
    assert nearest(pairs, some_rules(pairs, [])) == Negatives([9, 10], [10, 13], 0)
    assert asked == ([10] if spare == 0 else [])


def test_seeds_break_ties_and_workers_do_not():
    pairs = some_pairs([(0, 9), (2, 13), (4, 10), (6, 14), (7, 3), (5, 11)])
    rules = some_rules(pairs, [])
    assert nearest(pairs, rules, workers=1) == nearest(pairs, rules, workers=2)
    assert len({tuple(nearest(pairs, rules, seed=seed).second) for seed in range(10)}) > 1
