"""Whatever is done to a store, in whatever order, it is what a plain dictionary would be."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from medgauge.annotate.store.store import Store
from medgauge.errors import InputError
from tests.annotate.studies import ANN, BEA, TASKS, graded, log, make, next_item, seen

PAGES = {ANN: [task.page for task in TASKS["Ann"]], BEA: [task.page for task in TASKS["Béa-Łucja"]]}
WHO = st.sampled_from([ANN, BEA])
PLACES = st.integers(0, 5)
VALUES = st.sampled_from([None, 0.0, 1.0, 2.0, 3.0])


class Studies(RuleBasedStateMachine):
    """A store beside its model: ratings in the order in which they were given, pages, and the log."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.store = make(Path(self.folder.name))
        self.rated: dict[int, dict[int, float | None]] = {ANN: {}, BEA: {}}  # the last given comes last
        self.submitted = {ANN: 0, BEA: 0}  # pages, which are submitted in their order
        self.paused = False
        self.revoked: set[int] = set()
        self.log: list[tuple[int, int, str, float | None, int, str]] = []

    @initialize()
    def begin(self) -> None:
        assert self.store.ratings() == []

    def teardown(self) -> None:
        self.store.close()
        self.folder.cleanup()

    def current(self, who: int) -> int | None:
        return self.submitted[who] + 1 if self.submitted[who] < max(PAGES[who]) else None

    def try_to(self, change: Callable[[], object], *, allowed: bool) -> object:
        if allowed:
            return change()
        with pytest.raises(InputError):
            change()
        return None

    def send(self, who: int, place: int, value: float | None, key: str) -> Callable[[], object]:
        return lambda: self.store.rate(
            who,
            place,
            value=value,
            unsure=value is None,
            seconds=1,
            key=key,
            seen=seen(self.store, who, place),
            accepts=graded,
        )

    @rule(who=WHO, place=PLACES, value=VALUES)
    def rate(self, who: int, place: int, value: float | None) -> None:
        key = f"k{len(self.log)}"
        on_page = place < len(PAGES[who]) and PAGES[who][place] == self.current(who)
        allowed = on_page and not self.paused and who not in self.revoked
        self.try_to(self.send(who, place, value, key), allowed=allowed)
        if allowed:
            self.rated[who].pop(place, None)
            self.rated[who][place] = value
            self.log.append((who, place, "rate", value, int(value is None), key))

    @rule(data=st.data(), value=VALUES)
    def send_again(self, data: st.DataObject, value: float | None) -> None:
        if self.log:
            who, place, action, before, _, key = data.draw(st.sampled_from(self.log))
            same = action == "rate" and value == before
            self.try_to(self.send(who, place, value, key), allowed=same and who not in self.revoked)

    @rule(who=WHO, place=PLACES)
    def undo(self, who: int, place: int) -> None:
        key = f"u{len(self.log)}"
        on_page = place < len(PAGES[who]) and PAGES[who][place] == self.current(who)
        allowed = on_page and not self.paused and who not in self.revoked
        for _ in range(2):  # and sent again
            self.try_to(
                lambda: self.store.undo(who, place, key=key, seen=seen(self.store, who, place)),
                allowed=allowed,
            )
        if allowed and place in self.rated[who]:
            del self.rated[who][place]
            self.log.append((who, place, "undo", None, 0, key))

    @rule(who=WHO, page=st.integers(0, 3))
    def submit(self, who: int, page: int) -> None:
        self.submit_page(who, page)

    @rule(who=WHO)
    def finish_page(self, who: int) -> None:
        for place, page in enumerate(PAGES[who]):
            if page == self.current(who) and place not in self.rated[who]:
                self.rate(who, place, 1.0)
        self.submit_page(who, self.current(who) or 1)

    def submit_page(self, who: int, page: int) -> None:
        is_whole = page == self.current(who) and all(
            place in self.rated[who] for place, its in enumerate(PAGES[who]) if its == page
        )
        was_submitted = 1 <= page <= self.submitted[who]
        allowed = who not in self.revoked and (was_submitted or (is_whole and not self.paused))
        self.try_to(lambda: self.store.submit_page(who, page), allowed=allowed)
        if allowed and not was_submitted:
            self.submitted[who] = page

    @rule()
    def reopen(self) -> None:
        self.store.close()
        self.store = Store.open(self.folder.name)

    @rule()
    def pause_or_resume(self) -> None:
        self.paused = not self.paused
        (self.store.pause if self.paused else self.store.resume)()

    @rule(who=WHO)
    def revoke_or_readmit(self, who: int) -> None:
        if who in self.revoked:
            self.store.new_link(who)
        else:
            self.store.revoke(who)
        self.revoked ^= {who}

    @invariant()
    def holds_what_was_rated(self) -> None:
        names = dict(zip(TASKS, (ANN, BEA), strict=True))
        found = [(names[row.annotator], row.place, row.value, row.unsure) for row in self.store.ratings()]
        assert found == [
            (who, place, value, value is None)
            for who, ratings in self.rated.items()
            for place, value in sorted(ratings.items())
        ]
        assert log(self.store) == self.log

    @invariant()
    def knows_what_was_answered_last(self) -> None:
        assert self.store.log_number() == len(self.log)
        for who, ratings in self.rated.items():
            for count in (1, 2, 9):
                assert self.store.latest_answers(who, count) == list(ratings.values())[-count:]

    @invariant()
    def knows_where_everyone_is(self) -> None:
        for progress in self.store.progress():
            who = progress.annotator.number
            assert (progress.done, progress.page) == (len(self.rated[who]), self.current(who))
            left = [
                place
                for place, page in enumerate(PAGES[who])
                if page == self.current(who) and place not in self.rated[who]
            ]
            item = next_item(self.store, who)
            assert (item.place if item else None) == (left[0] if left else None)


TestStudies = pytest.mark.slow(Studies.TestCase)
TestStudies.settings = settings(max_examples=40, stateful_step_count=40, deadline=None)
