import pytest

from medgauge.study.rooms.trial_speed import speed_of


class Trained:
    """Trainings on a clock of their own: so much for starting, and for each pass."""

    def __init__(self, starting, a_pass):
        self.starting = list(starting)
        self.a_pass = a_pass
        self.now = 0.0
        self.passes = []

    def __call__(self, passes):
        self.passes.append(passes)
        started = self.starting.pop(0) if self.starting else 0.25
        self.now += started + passes * self.a_pass

    def clock(self):
        return self.now


def test_speed_counts_neither_the_first_start_nor_later_ones():
    trained = Trained([60.0], a_pass=0.5)
    assert speed_of(trained, 1000, clock=trained.clock) == pytest.approx(1000 / 0.5)
    assert trained.passes == [1, 1, 3]


def test_short_passes_are_added_until_they_say_something():
    trained = Trained([60.0, 0.30, 0.25], a_pass=0.004)
    assert speed_of(trained, 1000, clock=trained.clock) == pytest.approx(1000 / 0.004, rel=0.15)
    assert trained.passes == [1, 1, 3, 9, 33, 129]


def test_what_takes_no_time_has_no_speed():
    trained = Trained([], a_pass=0.0)
    assert speed_of(trained, 1000, clock=trained.clock) == 0
    assert trained.passes == [1, 1, 3, 9, 33, 129]
