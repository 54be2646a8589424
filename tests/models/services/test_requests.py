import threading
from collections.abc import Callable
from threading import Event

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgauge.errors import LostAnswerError, ServiceError
from medgauge.models.services.requests import Patience, Requester, retry_after
from medgauge.network import Reply
from tests.models.services.asking import Waits

SECRET = "sk-a-secret"


class Script:
    """Answers requests by a list of statuses, or of statuses with Retry-After, or "lost"."""

    def __init__(self, *answers: object) -> None:
        self.answers = list(answers)
        self.bodies: list[bytes] = []

    def __call__(self, url: str, body: bytes, _headers: object, _timeout: float) -> Reply:
        self.bodies.append(body)
        answer = self.answers.pop(0)
        if answer == "lost":
            raise LostAnswerError(f"{url}: the service did not answer within 1 seconds")
        status, after = answer if isinstance(answer, tuple) else (answer, None)
        return Reply(status, b"{}", {} if after is None else {"retry-after": after})


def ask(*answers: object, **patience: object) -> tuple[Reply, list[float]]:
    waits = Waits()
    requester = Requester(
        {"Authorization": SECRET}, 1.0, 1, post=Script(*answers), patience=waits.patience(**patience)
    )
    return requester.ask("https://example.org/v1/embeddings", b"{}", Event()), waits


@pytest.mark.parametrize("failure", [429, 500, 502, 503, 529, 408, "lost"])
def test_what_may_pass_is_tried_again_after_longer_and_longer_waits(failure):
    reply, waits = ask(failure, failure, failure, 200)
    assert reply.status == 200
    assert waits == [1.0, 2.0, 4.0]


@pytest.mark.parametrize("status", [200, 400, 401, 403, 404, 422])
def test_what_will_not_change_is_not_tried_again(status):
    reply, waits = ask(status)
    assert (reply.status, waits) == (status, [])


def test_retry_after_is_honoured_in_seconds_and_as_a_date():
    _, waits = ask((429, "7"), (503, "Thu, 01 Jan 1970 00:01:00 GMT"), (429, "not a time"), 200)
    assert waits == [7.0, 60.0, 4.0]


def test_a_date_that_has_passed_means_no_wait():
    assert retry_after("Thu, 01 Jan 1970 00:01:00 GMT", 1e9) == 0.0


FAR_ZONE = f"Thu, 01 Jan 1970 00:01:00 +{'9' * 20}"


@pytest.mark.parametrize(
    "value", [None, "", " ", "-7", "1.5", "²", "soon", "Thu, 99 Jan 1970", FAR_ZONE, "9" * 5000]
)
def test_odd_values_of_retry_after_do_no_harm(value):
    found = retry_after(value, 0.0)
    assert found is None or found >= 0


@settings(max_examples=30)
@given(st.text(max_size=40))
def test_no_text_of_retry_after_ends_in_an_exception(value):
    found = retry_after(value, 0.0)
    assert found is None or found >= 0


def test_too_long_a_wait_is_not_waited():
    with pytest.raises(
        ServiceError, match="429 Too Many Requests and asks to wait 3,600 seconds; run it again"
    ):
        ask((429, "3600"))


def test_a_service_that_stays_busy_is_given_up():
    with pytest.raises(ServiceError, match="answered 503 Service Unavailable, 4 times in a row"):
        ask(503, 503, 503, 503, tries=4)
    with pytest.raises(ServiceError, match="did not answer within 1 seconds, 2 times in a row"):
        ask("lost", "lost", tries=2)


@given(st.integers(1, 500), st.floats(0, 1))
def test_a_wait_is_between_half_and_all_of_its_power_of_two(failures, jitter):
    bound = min(60.0, 2.0 ** (failures - 1))
    assert bound / 2 <= Patience(jitter=lambda: jitter).backoff(failures) <= bound


def test_the_key_is_not_in_the_text_of_a_requester():
    assert SECRET not in repr(Requester({"Authorization": SECRET}, 1.0, 1))


class Work:
    """Work that fails at some places, and counts how much of it is done at a time."""

    def __init__(self, fails: set[int]) -> None:
        self.fails, self.done, self.now, self.most = fails, [], 0, 0
        self.lock = threading.Lock()
        self.meet: threading.Barrier | None = None

    def __call__(self, number: int, _stop: Event) -> int:
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        if self.meet is not None:
            self.meet.wait(5)
        with self.lock:
            self.now -= 1
            self.done.append(number)
        if number in self.fails:
            raise ServiceError(f"number {number} failed")
        return number


def run(work: Callable[[int, Event], int], count: int, at_once: int) -> tuple[list[int], str]:
    found = []
    try:
        for one in Requester({}, 1.0, at_once).each(work, range(count)):
            found.append(one)
    except ServiceError as error:
        return found, str(error)
    return found, ""


def test_everything_arrives_and_no_more_than_allowed_is_done_at_a_time():
    work = Work(set())
    work.meet = threading.Barrier(3)
    assert sorted(run(work, 12, 3)[0]) == list(range(12))
    assert work.most == 3


def test_a_failure_comes_after_what_was_under_way_and_nothing_more_is_started():
    started = []

    def work(number: int, stop: Event) -> int:
        started.append(number)
        if number == 1:
            raise ServiceError("number 1 failed")
        assert stop.wait(5)  # until the failure is noticed
        return number

    found, problem = run(work, 100, 4)
    assert sorted(found) == [0, 2, 3]
    assert sorted(started) == [0, 1, 2, 3]
    assert problem == "number 1 failed"


@given(st.sets(st.integers(0, 11)), st.integers(1, 5))
def test_what_succeeded_is_yielded_once_whatever_fails(fails, at_once):
    work = Work(fails)
    found, problem = run(work, 12, at_once)
    assert sorted(found) == sorted(set(work.done) - fails)
    assert bool(problem) == bool(fails)


def test_a_failure_ends_the_waiting_of_the_others():
    waiting = Event()

    def work(number: int, stop: Event) -> int:
        if number == 0:
            assert waiting.wait(5)
            raise ServiceError("the key is wrong")
        waiting.set()
        patience = Patience(first=60.0)  # would wait half a minute
        requester = Requester({}, 1.0, 1, post=Script(*[503] * 6), patience=patience)
        requester.ask("https://example.org", b"", stop)
        return number

    with pytest.raises(ServiceError, match="the key is wrong"):
        list(Requester({}, 1.0, 2).each(work, range(2)))


def test_ending_early_ends_the_work():
    work = Work(set())
    results = Requester({}, 1.0, 1).each(work, range(100))
    next(results)
    results.close()
    assert len(work.done) <= 2
