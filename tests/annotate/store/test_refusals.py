"""Pages can tell by its class why a change was refused."""

from datetime import UTC, datetime
from threading import Thread

import pytest

from medgauge.annotate.store.refusals import (
    NotReachedError,
    PausedError,
    RefusedError,
    RevokedError,
    StaleError,
    SubmittedError,
    UnratedError,
)
from medgauge.annotate.store.store import Store
from medgauge.errors import InputError
from tests.annotate.studies import ANN, BEA, graded, log, make, rate, standing, undo


def rate_first(store: Store) -> None:
    rate(store, ANN, 0, key="k")


def undo_first(store: Store) -> None:
    undo(store, ANN, 0, key="u")


def submit(store: Store) -> None:
    store.submit_page(ANN, 1)


def rate_page(store: Store) -> None:
    for place in range(3):
        rate(store, ANN, place)


@pytest.mark.parametrize("change", [rate_first, undo_first, submit])
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


@pytest.mark.parametrize("change", [rate_first, undo_first, submit])
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


def send(store: Store, value: float, *, seen: str | None, key: str = "late") -> None:
    store.rate(ANN, 0, value=value, seconds=1, key=key, seen=seen, accepts=graded)


@pytest.mark.parametrize("seen", [None, "before", "unknown", ""])
def test_a_page_that_shows_another_answer_replaced_the_newer_one(store, seen):
    rate(store, ANN, 0, 1.0, key="before")
    rate(store, ANN, 0, 3.0, key="newer")
    with pytest.raises(StaleError, match="it was rated in another tab") as caught:
        send(store, 2.0, seen=seen)
    assert caught.value.now is not None
    assert caught.value.now.value == 3.0
    with pytest.raises(StaleError):
        store.undo(ANN, 0, key="undo", seen=seen)
    assert standing(store) == {("Ann", 0): 3.0}
    send(store, 2.0, seen="newer")
    assert standing(store) == {("Ann", 0): 2.0}


def test_a_rating_that_was_undone_elsewhere_is_not_changed_as_if_it_were_there(store):
    rate(store, ANN, 0, 1.0, key="before")
    undo(store, ANN, 0, key="undone")
    for seen in ("before", "undone"):
        with pytest.raises(StaleError, match="its rating was undone in another tab") as caught:
            send(store, 2.0, seen=seen)
        assert caught.value.now is None
    send(store, 2.0, seen=None)
    assert standing(store) == {("Ann", 0): 2.0}


def test_answers_that_were_given_before_their_replies_came_build_on_each_other(store):
    send(store, 1.0, seen=None, key="first")
    send(store, 2.0, seen="first", key="second")
    store.undo(ANN, 0, key="third", seen="second")
    send(store, 3.0, seen=None, key="fourth")
    send(store, 2.0, seen="first", key="second")  # sent again, and answered as before
    assert standing(store) == {("Ann", 0): 3.0}


def test_a_clock_that_stands_still_does_not_make_two_answers_one(tmp_path):
    now = datetime(2026, 3, 1, tzinfo=UTC)
    with make(tmp_path, clock=lambda: now) as store:
        rate(store, ANN, 0, 2.0, key="before")
        rate(store, ANN, 0, 2.0, key="newer")
        with pytest.raises(StaleError):
            send(store, 3.0, seen="before")


def test_of_two_tabs_that_answer_at_once_one_is_refused(tmp_path):
    make(tmp_path).close()
    refused: list[str] = []

    def answer(number: int) -> None:
        with Store.open(tmp_path) as own:
            try:
                send(own, float(number), seen=None, key=f"tab {number}")
            except StaleError:
                refused.append(f"tab {number}")

    threads = [Thread(target=answer, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with Store.open(tmp_path) as store:
        assert len(refused) == 3
        assert len(log(store)) == 1
