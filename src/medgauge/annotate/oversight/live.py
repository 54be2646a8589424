"""Agreement on the ratings so far, computed while annotators are rating."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock

from medgauge.annotate.exchange.export import ratings_of
from medgauge.annotate.store.store import Store
from medgauge.annotate.store.study import Rated
from medgauge.protocol import Protocol
from medgauge.ratings.agreement import find_agreement
from medgauge.ratings.findings import Agreement

_RESAMPLES = 999
_REST = 9  # times as long as computing the figures: at most a tenth of the time goes into them


@dataclass(frozen=True)
class Live:
    """How far annotators agree, as of the last rating that counted.

    `ratings` is the number of ratings that counted, unsure ones included; `last_at` is when the last of them
    was given. `agreement` is None if nothing can be said yet, and otherwise has the reasons why a figure is
    undefined. `notes` are sentences: why there is no agreement, or what else the coordinator must know about
    the figures.
    """

    agreement: Agreement | None
    notes: tuple[str, ...]
    ratings: int
    last_at: str | None


def live_agreement(
    ratings: Sequence[Rated], protocol: Protocol, *, name: str = "study", resamples: int = _RESAMPLES
) -> Live:
    """Compute how far annotators agree on the ratings so far, without second showings."""
    so_far = ratings_of(ratings, protocol, name=name)
    counted = [one.at for one in ratings if one.role != "duplicate"]
    last_at = max(counted, default=None)
    if not (so_far.counts > 1).any():
        missing = "no pair has ratings from two annotators yet" if counted else "nothing is rated yet"
        return Live(None, (f"{missing}: agreement cannot be computed",), len(counted), last_at)
    found = find_agreement(so_far, resamples=resamples)
    return Live(found, tuple(found.notes), len(counted), last_at)


class LiveAgreement:
    """The agreement in a study that is being rated, for a page that may be requested at any time.

    Figures are computed on request, and again only if a rating was given or undone since, and not before
    nine times as long as they took has passed. Several threads may ask: one computes, the others get the
    last figures, and wait only if there are none. `timer` returns seconds that never go back.
    """

    def __init__(
        self,
        store: Store,
        protocol: Protocol,
        *,
        resamples: int = _RESAMPLES,
        timer: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._protocol = protocol
        self._resamples = resamples
        self._timer = timer
        self._turn = Lock()  # so that two threads do not compute the same figures
        self._last: Live | None = None
        self._log_number = 0
        self._due = 0.0

    def figures(self) -> Live:
        """Return the figures, with the number of ratings and the time of the last one."""
        last = self._last
        if not self._turn.acquire(blocking=last is None) and last is not None:
            return last
        try:
            return self._computed()
        finally:
            self._turn.release()

    def _computed(self) -> Live:
        """Return the last figures, or compute them if they are due; the caller must hold the lock."""
        started = self._timer()
        # Read before the ratings: a rating given in between makes the figures look older, never newer.
        log_number = self._store.log_number()
        if self._last is not None and (log_number == self._log_number or started < self._due):
            return self._last
        self._last = live_agreement(
            self._store.ratings(self._protocol.allows),
            self._protocol,
            name=self._store.study().name,
            resamples=self._resamples,
        )
        ended = self._timer()
        self._log_number, self._due = log_number, ended + _REST * (ended - started)
        return self._last
