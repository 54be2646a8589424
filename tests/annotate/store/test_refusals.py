"""Pages can tell by its class why a change was refused."""

import pytest

from medgauge.annotate.store.refusals import (
    NotReachedError,
    PausedError,
    RefusedError,
    RevokedError,
    SubmittedError,
    UnratedError,
)
from medgauge.annotate.store.store import Store
from medgauge.errors import InputError
from tests.annotate.studies import ANN, BEA, log, rate


def rate_first(store: Store) -> None:
    rate(store, ANN, 0, key="k")


def undo(store: Store) -> None:
    store.undo(ANN, 0, key="u")


def submit(store: Store) -> None:
    store.submit_page(ANN, 1)


def rate_page(store: Store) -> None:
    for place in range(3):
        rate(store, ANN, place)


@pytest.mark.parametrize("change", [rate_first, undo, submit])
def test_who_is_revoked_changes_nothing_also_while_the_study_is_paused(store, change):
    store.revoke(ANN)
    store.pause()
    with pytest.raises(RevokedError, match="your link was revoked; ask the coordinator for a new one"):
        change(store)
    assert log(store) == []


@pytest.mark.parametrize("change", [Store.mark_instructed, Store.mark_practised])
def test_who_is_revoked_neither_reads_nor_practises(store, change):
    store.revoke(ANN)
    with pytest.raises(RevokedError):
        change(store, ANN)
    assert store.annotators()[0].instructed_at is store.annotators()[0].practised_at is None


@pytest.mark.parametrize("change", [rate_first, undo, submit])
def test_a_paused_study_says_so_to_everyone_else(store, change):
    rate_page(store)
    store.revoke(BEA)
    store.pause()
    with pytest.raises(PausedError, match="the study is paused"):
        change(store)
    assert len(log(store)) == 3


def test_a_submitted_page_stays_as_it_is(store):
    rate_page(store)
    submit(store)
    with pytest.raises(SubmittedError, match="page 1 is submitted"):
        rate(store, ANN, 2, 3)
    assert len(log(store)) == 3


def test_a_page_that_is_not_reached_is_distinguished_from_one_that_is_submitted(store):
    with pytest.raises(NotReachedError, match="page 2 comes later; submit page 1 first"):
        rate(store, ANN, 3)


def test_a_page_is_not_submitted_before_its_last_rating(store):
    rate(store, ANN, 0)
    with pytest.raises(UnratedError, match="page 1 has 2 pairs without a rating"):
        submit(store)
    assert store.current_page(ANN) == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda store: rate(store, ANN, 99),
        lambda store: rate(store, 99, 0),
        lambda store: rate(store, ANN, 0, 7),
        lambda store: rate(store, ANN, 0, key="ü"),
        lambda store: store.submit_page(ANN, 99),
    ],
)
def test_what_no_page_sends_is_no_matter_of_the_state(store, change):
    with pytest.raises(InputError) as caught:
        change(store)
    assert not isinstance(caught.value, RefusedError)
