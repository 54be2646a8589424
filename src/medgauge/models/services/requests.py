"""Requests to a service: a few at a time, tried again where that helps, and paid only once."""

import random
import time
from collections.abc import Callable, Generator, Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from dataclasses import dataclass, field
from datetime import UTC
from email.utils import parsedate_to_datetime
from threading import Event
from typing import TypeVar

from medgauge.errors import LostAnswerError, MedgaugeError, ServiceError
from medgauge.network import Post, Reply, phrase, post

Asked = TypeVar("Asked")
Answered = TypeVar("Answered")

_BUSY = frozenset({408, 425, 429})


@dataclass(frozen=True)
class Patience:
    """How often a request is tried, and how long to wait in between, in seconds.

    After the n-th failure the wait is between half and all of `first` · 2ⁿ⁻¹, but at most `longest`; a
    service that names a time is given that time, and given up if it is longer than `most`. What waits is
    replaced in tests: `clock` (seconds since 1970), `sleep` and `jitter` (a number from 0 to 1).
    """

    tries: int = 6
    first: float = 1.0
    longest: float = 60.0
    most: float = 600.0
    clock: Callable[[], float] = time.time
    sleep: Callable[[float], object] | None = None
    jitter: Callable[[], float] = random.random

    def backoff(self, failures: int) -> float:
        """Return how long to wait after some failures in a row.

        >>> [Patience(jitter=lambda: 1.0).backoff(failures) for failures in (1, 2, 3, 9)]
        [1.0, 2.0, 4.0, 60.0]
        """
        return min(self.longest, self.first * 2.0 ** (failures - 1)) * (0.5 + 0.5 * self.jitter())


@dataclass(frozen=True)
class Requester:
    """Asks a service; `headers` may hold its key, which no message repeats."""

    headers: Mapping[str, str] = field(repr=False)
    timeout: float
    concurrent: int
    post: Post = post
    patience: Patience = field(default_factory=Patience)

    def ask(self, url: str, body: bytes, stop: Event) -> Reply:
        """Send a request until it is answered by something other than "busy" or "broken" (429, 5xx).

        Gives up when it was tried often enough, when the service asks for too long a wait, or, between two
        tries, when `stop` is set.
        """
        return self.persist(lambda: self.post(url, body, self.headers, self.timeout), url, stop)

    def persist(self, send: Callable[[], Reply], url: str, stop: Event) -> Reply:
        """Send a request in any way, as often as `ask` does; `url` is what errors name."""
        failures = 0
        while True:
            named: float | None = None
            try:
                reply = send()
                if reply.status < 500 and reply.status not in _BUSY:
                    return reply
                failure = ServiceError(f"{url}: the service answered {phrase(reply.status)}")
                named = retry_after(reply.headers.get("retry-after"), self.patience.clock())
            except LostAnswerError as lost:
                failure = lost
            failures += 1
            if failures >= self.patience.tries:
                raise ServiceError(f"{failure}, {failures} times in a row; run it again later") from None
            if named is not None and named > self.patience.most:
                raise ServiceError(f"{failure} and asks to wait {named:,.0f} seconds; run it again later")
            pause = self.patience.backoff(failures) if named is None else named
            (self.patience.sleep or stop.wait)(pause)
            if stop.is_set():
                raise failure

    def each(
        self, work: Callable[[Asked, Event], Answered], asked: Iterable[Asked]
    ) -> Generator[Answered, None, None]:
        """Yield the results of some work as they arrive, a few at a time.

        After a failure nothing more is started; what was under way is still waited for and yielded, since it
        is paid for, and then the first failure is raised.
        """
        waiting: set[Future[Answered]] = set()
        failure: MedgaugeError | None = None
        stop = Event()
        left = iter(asked)
        with ThreadPoolExecutor(self.concurrent) as pool:
            try:
                while True:
                    while failure is None and len(waiting) < self.concurrent:
                        try:
                            one = next(left)
                        except StopIteration:
                            break
                        waiting.add(pool.submit(copy_context().run, work, one, stop))
                    if not waiting:
                        break
                    done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                    for future in done:
                        try:
                            answer = future.result()
                        except MedgaugeError as error:
                            failure = failure or error
                            stop.set()
                        else:
                            yield answer
            finally:
                stop.set()
        if failure is not None:
            raise failure


def retry_after(value: str | None, now: float) -> float | None:
    """Return how many seconds a service asks to wait, given as a number or a date; None if it does not say.

    >>> retry_after("7", 0.0), retry_after("Thu, 01 Jan 1970 00:01:00 GMT", 20.0), retry_after("soon", 0.0)
    (7.0, 40.0, None)
    """
    text = (value or "").strip()
    if text.isascii() and text.isdecimal():
        return float(text[:9])
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, OverflowError):  # the latter for a zone of many digits
        return None
    return max(0.0, (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp() - now)
