import signal
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgauge.build.synonyms import synonym_pairs
from medgauge.errors import InputError
from medgauge.pairs import Card, PairSet
from medgauge.terminology.model import Concept

CARD = Card(name="made-up", title="Made up", kind="synonymy")
CONCEPTS = [
    Concept("1", "Renal failure", ("RENAL FAILURE", "Kidney failure", "Renal insufficiency")),
    Concept("2", "Fever", ("Pyrexia",)),
    Concept("3", "Fracture", ()),
    Concept("4", "Kidney disease", ("Nephropathy", "kidney failure")),
    Concept("5", "Headache", ("headache",)),
]


def _built(concepts: list[Concept] = CONCEPTS, *, size: int = 3, seed: int = 0) -> PairSet:
    return synonym_pairs(concepts, size=size, card=CARD, rng=np.random.default_rng(seed))


def _rows(pairs: PairSet, label: int) -> list[tuple[str, str]]:
    return [(left, right) for _, left, right, own in pairs.frame.iter_rows() if own == label]


@contextmanager
def _bounded(seconds: float = 2) -> Iterator[None]:
    """Turn a call that never returns into a failure."""

    def stop(*_arguments: object) -> None:
        raise TimeoutError("the call does not return")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_the_same_seed_gives_the_same_set_and_another_seed_another():
    many = [Concept(str(number), f"name {number}", (f"synonym {number}",)) for number in range(50)]
    assert _built(many, size=20).digest == _built(many, size=20).digest
    assert _built(many, size=20).digest != _built(many, size=20, seed=1).digest


def test_there_are_as_many_negatives_as_positives_in_turn():
    pairs = _built()
    assert pairs.labelled
    assert pairs.frame["label"].to_list() == [1, 0] * 3
    assert pairs.card == CARD


def test_a_positive_is_a_name_with_its_first_synonym_that_differs_other_than_by_case():
    assert _rows(_built(), 1) == [
        ("Renal failure", "Kidney failure"),
        ("Fever", "Pyrexia"),
        ("Kidney disease", "Nephropathy"),
    ]


def test_a_negative_has_the_first_term_of_its_positive():
    pairs = _built()
    assert [left for left, _ in _rows(pairs, 0)] == [left for left, _ in _rows(pairs, 1)]


@pytest.mark.parametrize("seed", range(20))
def test_concepts_that_share_a_term_are_no_negatives(seed):
    negatives = _rows(_built(seed=seed), 0)
    assert ("Renal failure", "Kidney disease") not in negatives
    assert ("Kidney disease", "Renal failure") not in negatives
    assert all(left != right for left, right in negatives)


def test_a_size_of_0_is_an_empty_set():
    assert len(_built(size=0)) == 0


def test_a_size_that_is_too_large_is_an_error_with_the_number_that_there_is():
    with pytest.raises(InputError, match="4 pairs were asked for, and there are 3"):
        _built(size=4)


@pytest.mark.parametrize(
    "concepts",
    [
        [Concept("1", "Fever", ("Pyrexia",))],
        [Concept("1", "Fever", ("Pyrexia",)), Concept("2", "pyrexia", ())],
    ],
    ids=["alone", "all share a term"],
)
def test_a_concept_without_a_possible_negative_is_an_error(concepts):
    with _bounded(), pytest.raises(InputError):
        _built(concepts, size=1)


WORDS = st.sampled_from(["a", "A", "b", "B", "c", "d", "e", "f", "g"])
TERMINOLOGIES = st.lists(st.tuples(WORDS, st.lists(WORDS, max_size=3)), max_size=8).map(
    lambda rows: [Concept(str(place), name, tuple(synonyms)) for place, (name, synonyms) in enumerate(rows)]
)


@given(TERMINOLOGIES, st.integers(0, 2**32 - 1), st.data())
@settings(max_examples=50, deadline=None)
def test_any_terminology_gives_true_synonyms_and_strangers(concepts, seed, data):
    # A marker concept that shares no term with any other makes a negative possible everywhere.
    concepts = [*concepts, Concept("x", "stranger", ())]
    terms_of = [{term.lower() for term in (one.name, *one.synonyms)} for one in concepts]
    possible = sum(any(term.lower() != one.name.lower() for term in one.synonyms) for one in concepts)
    size = data.draw(st.integers(0, possible))
    pairs = _built(concepts, size=size, seed=seed)

    assert (len(_rows(pairs, 1)), len(_rows(pairs, 0))) == (size, size)
    for name, synonym in _rows(pairs, 1):
        assert name.lower() != synonym.lower()
        assert any(one.name == name and synonym in one.synonyms for one in concepts)
    for (name, other), (_, synonym) in zip(_rows(pairs, 0), _rows(pairs, 1), strict=True):
        sources = [
            place for place, one in enumerate(concepts) if one.name == name and synonym in one.synonyms
        ]
        others = [place for place, one in enumerate(concepts) if one.name == other]
        assert any(not terms_of[i] & terms_of[j] for i in sources for j in others)


@given(TERMINOLOGIES, st.integers(1, 9))
@settings(max_examples=50, deadline=None)
def test_more_pairs_than_a_terminology_has_are_refused(concepts, excess):
    possible = sum(any(term.lower() != one.name.lower() for term in one.synonyms) for one in concepts)
    with pytest.raises(
        InputError, match=f"{possible + excess} pairs were asked for, and there are {possible}"
    ):
        _built(concepts, size=possible + excess)
