"""What the store of a study keeps, refuses and gives back."""

import dataclasses
import subprocess
from datetime import datetime, timedelta, timezone

import pytest

from medgauge.annotate.store.store import Store, serving
from medgauge.annotate.store.study import Timed
from medgauge.errors import FileError, InputError
from tests.annotate.studies import (
    ANN,
    BEA,
    COORDINATOR,
    PAIRS,
    PYTHON,
    environment,
    graded,
    log,
    make,
    rate,
    seen,
    standing,
    undo,
)
from tests.support.processes import running


def test_a_rating_is_kept_with_all_that_an_export_tells(tmp_path):
    with make(tmp_path) as store:
        store.rate(ANN, 0, value=3, seconds=2.25, key="a", accepts=graded)
        store.rate(ANN, 2, unsure=True, seconds=0, key="b", accepts=graded)
        store.rate(BEA, 0, value=0, seconds=1, key="a", accepts=graded)
    with Store.open(tmp_path) as store:
        first, second, third = store.ratings()
    assert dataclasses.asdict(first) == {
        "annotator": "Ann",
        "pair_id": "ehr/5",
        "term_1": "heart attack",
        "term_2": "angina",
        "set_name": "ehr",
        "label": None,
        "value": 3.0,
        "unsure": False,
        "at": "2026-03-01T19:30:02.000+00:00",
        "place": 0,
        "page": 1,
        "role": "consistency",
        "flipped": True,
        "seconds": 2.25,
    }
    assert (second.pair_id, second.value, second.unsure, second.flipped) == ("ehr/3", None, True, True)
    assert (third.annotator, third.pair_id, third.value, third.unsure) == ("Béa-Łucja", "ehr/4", 0.0, False)


def test_a_page_shows_its_ratings_and_the_next_page_has_none_yet(store):
    for place in (1, 0, 2):
        rate(store, ANN, place)
    assert [item.rating.value for item in store.page_of(ANN, 1)] == [2.0] * 3
    store.submit_page(ANN, 1)
    item = store.page_of(ANN, store.current_page(ANN))[0]
    assert (item.place, item.page, item.pair, item.rating) == (3, 2, PAIRS[1], None)


def test_terms_are_shown_in_the_order_that_was_drawn(store):
    assert [(item.left, item.right) for item in store.page_of(ANN, 1)] == [
        ("angina", "heart attack"),
        ("Ménière's disease", "MENIERE'S DISEASE"),
        ("kidney failure", "renal failure"),
    ]


def test_a_rating_may_be_changed_until_its_page_is_submitted(store):
    for place in range(3):
        rate(store, ANN, place, 1)
    rate(store, ANN, 1, None)
    assert standing(store) == {("Ann", 0): 1, ("Ann", 1): None, ("Ann", 2): 1}
    store.submit_page(ANN, 1)
    with pytest.raises(InputError, match="page 1 is submitted"):
        rate(store, ANN, 1, 3)
    assert standing(store)["Ann", 1] is None
    assert len(log(store)) == 4


def test_a_request_that_is_sent_again_stores_nothing_and_answers_the_same(store):
    def send(seconds: float = 4.0):
        return store.rate(ANN, 0, value=1, seconds=seconds, key="k", accepts=graded)

    first = send()
    assert send() == send(9.0) == first
    rate(store, ANN, 0, 3)
    assert send() == first
    assert standing(store) == {("Ann", 0): 3}  # the later answer stands
    assert len(log(store)) == 2


def test_a_request_that_is_sent_again_is_answered_after_pause_undo_and_submission(store):
    rate(store, ANN, 0, key="k")
    store.pause()
    rate(store, ANN, 0, key="k")
    store.resume()
    undo(store, ANN, 0, key="u")
    rate(store, ANN, 0, key="k")
    assert standing(store) == {}  # it was taken back, and stays so
    for place in range(3):
        rate(store, ANN, place, key=f"again-{place}")
    store.submit_page(ANN, 1)
    rate(store, ANN, 0, key="again-0")
    assert len(log(store)) == 5


@pytest.mark.parametrize(("place", "value"), [(0, 2.0), (1, 1.0), (0, None)])
def test_a_key_is_for_one_answer(store, place, value):
    rate(store, ANN, 0, 1.0, key="k")
    with pytest.raises(InputError, match="key was used before"):
        rate(store, ANN, place, value, key="k")
    with pytest.raises(InputError, match="key was used before"):
        undo(store, ANN, place, key="k")
    assert standing(store) == {("Ann", 0): 1.0}


def test_the_key_of_an_undo_is_for_no_rating(store):
    rate(store, ANN, 0)
    rate(store, ANN, 1)
    undo(store, ANN, 0, key="k")
    with pytest.raises(InputError, match="key was used before"):
        rate(store, ANN, 0, key="k")
    with pytest.raises(InputError, match="key was used before"):
        undo(store, ANN, 1, key="k")
    assert standing(store) == {("Ann", 1): 2.0}


def test_two_annotators_may_have_the_same_key(store):
    rate(store, ANN, 0, 1, key="k")
    rate(store, BEA, 0, 3, key="k")
    assert standing(store) == {("Ann", 0): 1, ("Béa-Łucja", 0): 3}


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ({"value": 4}, "no such answer"),
        ({"value": 1.5}, "no such answer"),
        ({"value": float("nan")}, "not a number"),
        ({"value": float("inf")}, "not a number"),
        ({"value": 10**400}, "not a number"),
        ({}, "either a value or unsure"),
        ({"value": 1, "unsure": True}, "either a value or unsure"),
        ({"unsure": True, "accepts": lambda value: value is not None}, "no such answer"),
        ({"value": 1, "seconds": -1}, "seconds"),
        ({"value": 1, "seconds": float("nan")}, "seconds"),
        ({"value": 1, "seconds": 10**400}, "seconds"),
        ({"value": 1, "key": ""}, "key"),
        ({"value": 1, "key": "k" * 65}, "key"),
        ({"value": 1, "key": "schlüssel"}, "key"),
        ({"value": 1, "key": "\ud800"}, "key"),
        ({"value": 1, "key": "a\0b"}, "key"),
    ],
)
def test_an_answer_that_is_none_is_refused(store, answer, problem):
    with pytest.raises(InputError, match=problem):
        store.rate(ANN, 0, **{"seconds": 1, "key": "k", "accepts": graded, **answer})
    assert log(store) == []


@pytest.mark.parametrize(
    ("annotator", "place"), [(BEA, 2), (ANN, 5), (ANN, -1), (COORDINATOR, 0), (4, 0), (ANN, 2**70)]
)
def test_nobody_rates_what_is_not_theirs(store, annotator, place):
    with pytest.raises(InputError, match=r"no task|no annotator|too large"):
        rate(store, annotator, place)
    assert log(store) == []


def test_a_later_page_waits_for_the_current_one(store):
    with pytest.raises(InputError, match="page 2 comes later; submit page 1 first"):
        rate(store, ANN, 3)


def test_a_paused_study_takes_nothing_until_it_is_resumed(store):
    rate(store, BEA, 0)
    rate(store, BEA, 1)
    store.pause()
    assert store.study().paused
    for change in (
        lambda: rate(store, ANN, 0),
        lambda: undo(store, BEA, 1, key="u"),
        lambda: store.submit_page(BEA, 1),
    ):
        with pytest.raises(InputError, match="paused"):
            change()
    assert len(log(store)) == 2
    store.resume()
    rate(store, ANN, 0)
    store.submit_page(BEA, 1)


def test_undo_takes_back_the_rating_of_a_place_and_no_other(store):
    for place in (2, 0, 1, 0):  # 0 is rated, and changed last
        rate(store, ANN, place)
    for number, place in enumerate((0, 2, 0)):  # the last has nothing to take back
        undo(store, ANN, place, key=f"u{number}")
    assert standing(store) == {("Ann", 1): 2.0}
    assert [entry[1:3] for entry in log(store)] == [
        *[(place, "rate") for place in (2, 0, 1, 0)],
        *[(place, "undo") for place in (0, 2)],
    ]


def test_an_undo_that_is_sent_again_takes_back_one_rating(store):
    rate(store, ANN, 0)
    rate(store, ANN, 1)
    undo(store, ANN, 1, key="u")
    rate(store, ANN, 1, 3.0)
    undo(store, ANN, 1, key="u")
    assert standing(store) == {("Ann", 0): 2.0, ("Ann", 1): 3.0}


def test_undo_is_of_ones_own_current_page(store):
    rate(store, BEA, 0)
    for place in range(3):
        rate(store, ANN, place)
    store.submit_page(ANN, 1)
    rate(store, ANN, 3)
    for place, why in ((0, "is submitted"), (5, "no task"), (-1, "no task"), (2**70, "too large")):
        with pytest.raises(InputError, match=why):
            undo(store, ANN, place, key="u")
    with pytest.raises(InputError, match="no task"):
        undo(store, BEA, 3, key="u")
    assert len(standing(store)) == 5


def test_a_page_is_submitted_when_all_its_pairs_are_rated_and_once(store):
    rate(store, ANN, 0)
    rate(store, ANN, 1, None)
    with pytest.raises(InputError, match="page 1 has 1 pairs without a rating"):
        store.submit_page(ANN, 1)
    rate(store, ANN, 2)
    assert store.submit_page(ANN, 1) == store.submit_page(ANN, 1)
    store.pause()
    store.submit_page(ANN, 1)


@pytest.mark.parametrize("page", [0, 3, -1, 2**70])
def test_a_page_that_an_annotator_does_not_have_is_refused(store, page):
    for ask in (store.page_of, store.submit_page):
        with pytest.raises(InputError, match=r"has no page|too large"):
            ask(ANN, page)


def test_progress_follows_each_annotator(store):
    for place in range(3):
        rate(store, ANN, place)
    submitted = store.submit_page(ANN, 1)
    rate(store, BEA, 0)
    undo(store, BEA, 0, key="u")
    ann, bea = store.progress()
    assert (ann.annotator.name, ann.done, ann.of, ann.page, ann.pages) == ("Ann", 3, 5, 2, 2)
    assert (bea.annotator.name, bea.done, bea.of, bea.page, bea.pages) == ("Béa-Łucja", 0, 2, 1, 1)
    assert ann.last_at < submitted < bea.last_at
    assert [store.progress_of(ANN), store.progress_of(BEA)] == [ann, bea]
    for place in (3, 4):
        rate(store, ANN, place)
    store.submit_page(ANN, 2)
    assert store.progress_of(ANN).page is None
    assert store.current_page(ANN) is None


def test_before_the_first_rating_there_is_no_last(store):
    assert [one.last_at for one in store.progress()] == [None, None]
    assert store.ratings() == []


def test_the_latest_answers_are_in_the_order_in_which_they_were_given(store):
    for place, value in ((2, 1), (0, None), (1, 3), (0, 2)):  # 0 is rated, and changed last
        rate(store, ANN, place, value)
    rate(store, BEA, 0, 0)
    assert store.latest_answers(ANN, 10) == [1, 3, 2]
    assert store.latest_answers(ANN, 2) == [3, 2]
    assert store.latest_answers(ANN, 0) == []
    undo(store, ANN, 0, key="u")  # the changed one: its first answer does not come back
    assert store.latest_answers(ANN, 2) == [1, 3]
    rate(store, ANN, 0, None)
    store.submit_page(ANN, 1)
    rate(store, ANN, 3, 0)
    assert store.latest_answers(ANN, 3) == [3, None, 0]  # pages do not part them


def test_who_has_rated_nothing_has_no_latest_answers(store):
    rate(store, ANN, 0)
    assert store.latest_answers(BEA, 10) == store.latest_answers(COORDINATOR, 10) == []
    with pytest.raises(InputError, match="no annotator 4"):
        store.latest_answers(4, 10)


def test_every_change_to_a_rating_has_a_higher_number_in_the_log(store):
    numbers = [store.log_number()]
    for change in (
        lambda: rate(store, ANN, 0, 1),
        lambda: rate(store, BEA, 0, 1),
        lambda: rate(store, ANN, 0, 3),
        lambda: undo(store, ANN, 0, key="u"),
    ):
        change()
        numbers.append(store.log_number())
    assert numbers[0] == 0
    assert numbers == sorted(set(numbers))
    undo(store, ANN, 0, key="u")  # sent again
    store.pause()
    store.mark_instructed(ANN)
    assert store.log_number() == numbers[-1]


def test_the_time_of_every_answer_is_kept_also_if_it_does_not_stand(store):
    def take(annotator: int, place: int, seconds: float) -> None:
        store.rate(
            annotator,
            place,
            value=1,
            seconds=seconds,
            key=str(seconds),
            seen=seen(store, annotator, place),
            accepts=graded,
        )

    take(BEA, 0, 9.0)
    take(ANN, 2, 4.5)
    take(ANN, 0, 2.0)
    take(ANN, 2, 0.5)  # changed
    undo(store, ANN, 2, key="u")
    take(ANN, 0, 2.0)  # sent again
    assert store.timed() == [
        Timed("Ann", 2, 4.5),
        Timed("Ann", 0, 2.0),
        Timed("Ann", 2, 0.5),
        Timed("Béa-Łucja", 0, 9.0),
    ]


@pytest.mark.parametrize("number", [COORDINATOR, 4, 0])
def test_who_has_no_tasks_has_no_progress(store, number):
    with pytest.raises(InputError, match="with tasks"):
        store.progress_of(number)


def test_instructions_and_practice_are_marked_at_their_first_time(store):
    store.mark_instructed(ANN)
    store.mark_practised(ANN)
    first, other, _ = store.annotators()
    assert first.instructed_at < first.practised_at
    assert (other.instructed_at, other.practised_at) == (None, None)
    store.mark_instructed(ANN)
    store.mark_practised(ANN)
    assert store.annotators()[0] == first


def test_times_are_utc_whatever_the_clock_says(tmp_path):
    east = datetime(2026, 1, 1, 1, 0, tzinfo=timezone(timedelta(hours=2)))
    with make(tmp_path, clock=lambda: east) as store:
        assert store.study().created == "2025-12-31T23:00:00.000+00:00"


SERVE = """
import sys
from medgauge.annotate.store.store import serving
with serving(sys.argv[1]):
    print("serving", flush=True)
    sys.stdin.read()
"""


def test_a_second_server_is_refused_until_the_first_is_gone_even_by_a_kill(tmp_path):
    make(tmp_path).close()
    command = [*PYTHON, SERVE, tmp_path]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with running(command, env=environment(), **pipes) as first:
        try:
            assert first.stdout.readline() == "serving\n"
            with pytest.raises(InputError, match="another process is serving the study"), serving(tmp_path):
                pass
            with Store.open(tmp_path) as store:  # an export may read meanwhile
                assert store.ratings() == []
        finally:
            first.kill()
    with serving(tmp_path):
        pass


def test_only_a_study_is_served(tmp_path):
    with pytest.raises(FileError, match="no such study"), serving(tmp_path):
        pass
