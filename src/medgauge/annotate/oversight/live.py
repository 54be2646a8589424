"""How far annotators agree on what is rated so far, computed beside annotators who are rating."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock

import numpy as np
import polars as pl

from medgauge.annotate.design.protocol import Protocol
from medgauge.annotate.store.store import Store
from medgauge.annotate.store.study import Rated
from medgauge.pairs import Card
from medgauge.ratings.agreement import find_agreement
from medgauge.ratings.findings import Agreement
from medgauge.ratings.ratings import Ratings

_RESAMPLES = 999
_REST = 9  # times as long as the figures took: a tenth of the time at most goes into them


def ratings_of(ratings: Sequence[Rated], protocol: Protocol, *, name: str = "study") -> Ratings:
    """Give the ratings of a study as agreement and gold take them, without second showings.

    They are what `read_ratings` makes of the study's table, but that the protocol alone says whether ratings
    are verdicts: of the first few, it cannot be seen.
    """
    first = [one for one in ratings if one.role != "duplicate"]
    pairs = {one.pair_id: one for one in first}
    annotators = tuple(dict.fromkeys(one.annotator for one in first))
    rows = {pair_id: row for row, pair_id in enumerate(pairs)}
    columns = {annotator: column for column, annotator in enumerate(annotators)}
    values = np.full((len(pairs), len(annotators)), np.nan)
    unsure = np.zeros(values.shape, np.bool_)
    for one in first:
        cell = rows[one.pair_id], columns[one.annotator]
        values[cell] = np.nan if one.value is None else one.value
        unsure[cell] = one.unsure
    described = [(one.pair_id, one.term_1, one.term_2, one.set_name, one.label) for one in pairs.values()]
    texts = dict.fromkeys(("pair_id", "term_1", "term_2", "set"), pl.String)
    return Ratings(
        pairs=pl.DataFrame(described, schema={**texts, "label": pl.Int8}, orient="row"),
        annotators=annotators,
        values=values,
        unsure=unsure,
        verdicts=protocol.verdicts,
        scale=protocol.scale,
        card=Card(name=name, title=name),
    )


@dataclass(frozen=True)
class Live:
    """How far annotators agree, as of the last rating that counted.

    `ratings` are all that counted, the unsure among them; `last_at` is when the last of these was given.
    `agreement` is None where nothing can be said yet, and has the reasons why a figure is undefined. `notes`
    are sentences: why there is none, or what else the coordinator must know of the figures.
    """

    agreement: Agreement | None
    notes: tuple[str, ...]
    ratings: int
    last_at: str | None


def live_agreement(
    ratings: Sequence[Rated], protocol: Protocol, *, name: str = "study", resamples: int = _RESAMPLES
) -> Live:
    """Find out how far annotators agree on what is rated so far, second showings left out."""
    so_far = ratings_of(ratings, protocol, name=name)
    counted = [one.at for one in ratings if one.role != "duplicate"]
    last_at = max(counted, default=None)
    if not (so_far.counts > 1).any():
        missing = "no pair has ratings of two annotators yet" if counted else "nothing is rated yet"
        return Live(None, (f"{missing}: nothing can be said of agreement",), len(counted), last_at)
    found = find_agreement(so_far, resamples=resamples)
    return Live(found, tuple(found.notes), len(counted), last_at)


class LiveAgreement:
    """The agreement in a study that is being rated, for a page that may be asked for at any time.

    Figures are computed when they are asked for, again only if a rating was given or taken back since, and
    not before nine times as long as they took has passed. Several threads may ask: one computes, the others
    are given the last figures, and wait only if there are none. `timer` gives seconds that never go back.
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
        """Return the figures, which say as of when they are and of how many ratings."""
        last = self._last
        if not self._turn.acquire(blocking=last is None) and last is not None:
            return last
        try:
            return self._computed()
        finally:
            self._turn.release()

    def _computed(self) -> Live:
        """Return the figures that are there, or compute them if it is time to; call it holding the lock."""
        started = self._timer()
        # Read before the ratings: one that is given in between makes the figures look older, never newer.
        log_number = self._store.log_number()
        if self._last is not None and (log_number == self._log_number or started < self._due):
            return self._last
        self._last = live_agreement(
            self._store.ratings(), self._protocol, name=self._store.study().name, resamples=self._resamples
        )
        ended = self._timer()
        self._log_number, self._due = log_number, ended + _REST * (ended - started)
        return self._last
