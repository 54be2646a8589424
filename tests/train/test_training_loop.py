from dataclasses import dataclass, field

import numpy as np
import pytest

from medgauge.progress import hearing, showing
from medgauge.train import training_loop
from medgauge.train.encoded_corpus import EncodedCorpus
from medgauge.train.training_loop import train_pieces
from medgauge.train.training_parameters import TrainingParameters
from tests.train.corpora import Shown


@dataclass
class Recorder:
    """A trainer that remembers what it was asked."""

    asked: list[tuple[int, float, int]] = field(default_factory=list)

    def learn(self, piece, rate, seed):
        self.asked.append((int(piece[0]), rate, seed))


@pytest.fixture
def encoded(tmp_path):
    """Three pieces of two, one and three words, each with its number as its only content."""
    np.arange(3, dtype=np.int32).tofile(tmp_path / "ids")
    return EncodedCorpus(tmp_path / "ids", np.arange(4), np.array([2, 1, 3]), np.ones(1, bool))


PARAMETERS = TrainingParameters(lr=0.1, epochs=2, seed=5)


def test_pieces_come_in_order_with_a_rate_that_decreases_linearly(encoded):
    recorder = Recorder()
    train_pieces(recorder, encoded, PARAMETERS, threads=1)
    assert [piece for piece, _, _ in recorder.asked] == [0, 1, 2, 0, 1, 2]
    rates = [rate for _, rate, _ in recorder.asked]
    np.testing.assert_allclose(rates, [0.1 * (1 - before / 12) for before in (0, 2, 3, 6, 8, 9)])
    assert len({seed for _, _, seed in recorder.asked}) == 6


def test_what_follows_a_checkpoint_is_what_would_have_followed(encoded, monkeypatch):
    monkeypatch.setattr(training_loop, "_ROUND", 3)
    monkeypatch.setattr(training_loop, "_CHECKPOINT", 0.0)
    whole, saved = Recorder(), []
    train_pieces(whole, encoded, PARAMETERS, threads=1, save=saved.append)
    assert saved == [2, 3, 5, 6]
    for done in saved:
        rest, heard, shown = Recorder(), [], Shown()
        with hearing(heard.append), showing(shown):
            train_pieces(rest, encoded, PARAMETERS, threads=1, done=done)
        assert rest.asked == whole.asked[done:]
        assert heard == [f"resuming: {done / 6:.0%} of the training is done"]
        assert shown.bars == [("training skip-gram", 12, "words", 12)]


def test_an_error_of_a_thread_is_raised(encoded):
    recorder = Recorder(asked=None)
    with pytest.raises(AttributeError, match="append"):
        train_pieces(recorder, encoded, PARAMETERS, threads=2)


def test_a_long_training_says_how_fast_it_was(encoded, monkeypatch):
    monkeypatch.setattr(training_loop, "_LONG", 0.0)
    heard = []
    with hearing(heard.append):
        train_pieces(Recorder(), encoded, PARAMETERS, threads=1)
    assert heard[0].startswith("trained on 12 words in 0:00:00, ")
