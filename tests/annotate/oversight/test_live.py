"""Agreement on what is rated so far: against the table that users read, and at its times."""

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest

import medgauge
from medgauge.annotate.exchange.export import ratings_table
from medgauge.annotate.oversight.live import Live, LiveAgreement, live_agreement
from medgauge.annotate.store.store import Accepts, Store
from medgauge.annotate.store.study import Pair, Rated
from medgauge.protocol import load_protocol
from tests.annotate.studies import Task, make, of_two, rate, rating, undo

GRADED, SAME = load_protocol("graded"), load_protocol("same")


def test_the_first_ratings_of_a_graded_study_are_no_verdicts_even_if_all_are_0_or_1():
    ratings = of_two([(0, 1), (1, 1), (0, 0)])
    assert live_agreement(ratings, GRADED, resamples=9).agreement.level == "ordinal"


@pytest.mark.parametrize("protocol", [SAME, GRADED])
@pytest.mark.parametrize(
    ("ratings", "note"),
    [
        ([], "nothing is rated yet"),
        ([rating("Ann", 0, 1.0, "duplicate")], "nothing is rated yet"),
        ([rating("Ann", pair, 1.0) for pair in range(20)], "no pair has ratings from two"),
        ([rating("Ann", 0, 1.0), rating("Béa", 1, 0.0)], "no pair has ratings from two"),
        (of_two([(None, None)] * 20), "no pair has ratings from two"),
        (of_two([(1.0, None), (None, 0.0)]), "no pair has ratings from two"),
    ],
)
def test_where_nothing_can_be_said_yet_a_sentence_says_why(ratings, note, protocol):
    found = live_agreement(ratings, protocol)
    assert found.agreement is None
    assert [one.startswith(note) for one in found.notes] == [True]
    assert found.ratings == sum(one.role == "own" for one in ratings)


MOSTLY_EQUAL = [(n % 4, n % 4 if n % 3 else (n + 1) % 4) for n in range(24)]


def test_the_figures_are_those_that_users_find_in_the_table():
    ratings = [*of_two(MOSTLY_EQUAL), *(rating("Dan", pair, float(pair % 4)) for pair in range(5, 24))]
    found = live_agreement(ratings, GRADED, name="Étude", resamples=50).agreement
    expected = medgauge.agreement(ratings_table(ratings, GRADED), scale=GRADED.scale, resamples=50)
    assert found.name == "Étude"
    assert expected.intervals.keys() >= {"alpha", "iaa_1"}
    assert found.to_json().replace("Étude", "ratings") == expected.to_json()


def test_second_showings_change_no_figure():
    ratings = of_two(MOSTLY_EQUAL)
    again = [
        replace(one, role="duplicate", value=0.0, at="2027") for one in ratings if one.annotator == "Ann"
    ]
    assert live_agreement(ratings + again, GRADED, resamples=9) == live_agreement(
        ratings, GRADED, resamples=9
    )


def test_what_is_undefined_is_said_in_sentences_that_name_no_term():
    """Warnings are errors here. All ratings are equal, and Dan's are of other pairs."""
    ratings = [*of_two([(2.0, 2.0)] * 4), rating("Dan", 5, 1.0), rating("Dan", 6, 1.0)]
    found = live_agreement(ratings, GRADED, resamples=9)
    assert math.isnan(found.agreement.kendall_w)
    assert list(found.notes) == [
        "annotator Dan rated no pair that another annotator rated, so their agreement is unknown"
    ]
    assert found.agreement.undefined["kendall_w"] == "all 8 ratings of pairs with several are equal"
    notes = found.agreement.grids()[0].notes
    assert any(
        note.endswith("are undefined: all 8 ratings of pairs with several are equal.") for note in notes
    )
    said = [*found.notes, *notes]
    assert not any("secret" in note or "Ménière" in note for note in said)


def test_it_says_as_of_when_and_of_how_many_ratings():
    ratings = [rating("Béa", 0, None, at=40), rating("Béa", 1, 2.0, at=7), rating("Ann", 1, 2.0, at=39)]
    again = rating("Ann", 1, 2.0, "duplicate", at=59)
    found = live_agreement([*ratings, again], GRADED, resamples=9)
    assert (found.ratings, found.last_at) == (3, "2026-03-01T19:30:40.000+00:00")
    assert live_agreement([], GRADED).last_at is None


class SlowStore(Store):
    """A store whose ratings take seconds to read, on a clock of its own."""

    seconds = 0.0
    reads = 0
    takes = 2.0
    meanwhile: Callable[[], object] = staticmethod(lambda: None)

    def timer(self) -> float:
        return self.seconds

    def ratings(self, accepts: Accepts | None = None) -> list[Rated]:
        self.reads += 1
        self.meanwhile()
        self.seconds += self.takes
        return super().ratings(accepts)


ANN, BEA = 1, 2


@pytest.fixture
def slow(tmp_path: Path):
    pairs = [Pair(f"p{n}", f"fever {n}", f"pyrexia {n}", "x") for n in range(6)]
    tasks = {name: [Task(n, 1, n) for n in range(6)] for name in ("Ann", "Béa")}
    make(tmp_path, pairs=pairs, tasks=tasks).close()
    with SlowStore.open(tmp_path) as store:
        yield store


def watch(store: SlowStore) -> LiveAgreement:
    return LiveAgreement(store, GRADED, resamples=9, timer=store.timer)


def test_figures_are_computed_again_when_a_rating_came_or_went(slow):
    live = watch(slow)
    assert live.figures() == Live(None, ("nothing is rated yet: agreement cannot be computed",), 0, None)
    for change, ratings in (
        (lambda: rate(slow, ANN, 0, 1), 1),
        (lambda: rate(slow, BEA, 0, 1), 2),
        (lambda: rate(slow, ANN, 0, 3), 2),
        (lambda: undo(slow, ANN, 0, key="u"), 1),
    ):
        change()
        slow.seconds += 1000
        reads = slow.reads
        assert live.figures().ratings == ratings
        assert slow.reads == reads + 1


def test_without_a_change_nothing_is_computed(slow):
    live = watch(slow)
    rate(slow, ANN, 0, 1)
    first = live.figures()
    slow.seconds += 1000
    slow.pause()
    assert live.figures() is first
    assert slow.reads == 1


def test_the_next_figures_wait_nine_times_as_long_as_the_last_took(slow):
    live = watch(slow)
    first = live.figures()  # took 2 seconds, until 2
    rate(slow, ANN, 0, 1)
    slow.seconds = 19.9
    assert live.figures() is first
    slow.seconds = 20.0
    slow.takes = 5.0
    second = live.figures()  # until 25
    assert second.ratings == 1
    rate(slow, ANN, 1, 1)
    slow.seconds = 69.9
    assert live.figures() is second
    slow.seconds = 70.0
    assert live.figures().ratings == 2


def test_a_rating_that_comes_while_figures_are_computed_is_in_the_next(slow):
    """It comes after the look at the log and is read with the others: once more is computed, not less."""
    live = watch(slow)
    slow.meanwhile = lambda: rate(slow, ANN, 0, 1)
    live.figures()
    slow.meanwhile = lambda: None
    slow.seconds += 1000
    assert live.figures().ratings == 1
    assert slow.reads == 2


def test_while_one_computes_the_others_get_the_last_figures_at_once(slow):
    live = watch(slow)
    first = live.figures()
    rate(slow, ANN, 0, 1)
    slow.seconds += 1000
    begun, may_end = Event(), Event()
    slow.meanwhile = lambda: (begun.set(), may_end.wait(30))
    with ThreadPoolExecutor() as pool:
        computing = pool.submit(live.figures)
        try:
            assert begun.wait(30)
            assert live.figures() is first
            assert not computing.done()
        finally:
            may_end.set()
    assert computing.result().ratings == 1
    assert live.figures() is computing.result()


def test_all_wait_for_the_first_figures_which_are_computed_once(slow):
    live = watch(slow)
    rate(slow, ANN, 0, 1)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: live.figures(), range(8)))
    assert slow.reads == 1
    assert all(one is found[0] for one in found)


def test_two_studies_are_computed_at_the_same_time(slow, tmp_path_factory):
    """One waits, in the middle of its figures, for the other to be done."""
    folder = tmp_path_factory.mktemp("other")
    pairs = [Pair("p0", "fever", "pyrexia", "x")]
    make(folder, pairs=pairs, tasks={name: [Task(0, 1, 0)] for name in ("Ann", "Béa")}).close()
    one = watch(slow)
    with SlowStore.open(folder) as store, ThreadPoolExecutor() as pool:
        other = watch(store)
        done = Event()
        slow.meanwhile = lambda: done.wait(30) or pytest.fail("the other study waited")
        computing = pool.submit(one.figures)
        assert other.figures().ratings == 0
        done.set()
        assert computing.result().ratings == 0


def test_after_a_failure_the_next_one_has_their_turn(slow):
    live = watch(slow)

    def fail() -> None:
        raise OSError("no disk")

    slow.meanwhile = fail
    with pytest.raises(OSError, match="no disk"):
        live.figures()
    slow.meanwhile = lambda: None
    assert live.figures().ratings == 0
