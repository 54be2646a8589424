"""Passes over a corpus: pieces for the threads, the learning rate, progress and checkpoints."""

import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import numpy as np

from medgauge.progress import remark, track
from medgauge.train.architectures import ARCHITECTURES
from medgauge.train.encoded_corpus import EncodedCorpus
from medgauge.train.trainers import Trainer
from medgauge.train.training_parameters import TrainingParameters

_ROUND = 1_000_000  # words between two looks at the clock
_CHECKPOINT = 300.0  # seconds between two checkpoints
_LONG = 10.0  # seconds of training that are worth reporting
_LEAST_RATE = 1e-4  # of the learning rate at the start


def train_pieces(
    trainer: Trainer,
    encoded: EncodedCorpus,
    parameters: TrainingParameters,
    *,
    threads: int | None = None,
    done: int = 0,
    save: Callable[[int], None] = lambda _done: None,
) -> None:
    """Train on the pieces of all epochs, in their order, except those that are done.

    The learning rate of a piece decreases linearly with the words before it, and what is drawn in it depends
    on the seed, the epoch and the piece alone; so does what follows a checkpoint. `save` is called with the
    number of pieces that are done, while no thread is at work.
    """
    before = np.cumsum(encoded.words) - encoded.words
    total = encoded.total * parameters.epochs
    pieces = len(encoded) * parameters.epochs

    def work(number: int) -> int:
        epoch, place = divmod(number, len(encoded))
        share = (epoch * encoded.total + int(before[place])) / total
        seed = np.random.SeedSequence([parameters.seed, epoch, place]).generate_state(1, np.uint64)[0]
        trainer.learn(encoded.piece(place), parameters.lr * max(1 - share, _LEAST_RATE), int(seed))
        return int(encoded.words[place])

    epochs_done, rest = divmod(done, len(encoded))
    words_done = epochs_done * encoded.total + int(encoded.words[:rest].sum())
    started = saved = time.monotonic()
    pool = ThreadPoolExecutor(threads or os.cpu_count())
    try:
        with track(f"training {ARCHITECTURES[parameters.arch].title}", total, "words") as advance:
            if done:
                remark(f"resuming: {done / pieces:.0%} of the training is done")
                advance(words_done)
            for numbers in _rounds(encoded, done, pieces):
                for words in pool.map(work, numbers):
                    advance(words)
                if time.monotonic() - saved >= _CHECKPOINT:
                    save(numbers.stop)
                    saved = time.monotonic()
    finally:
        pool.shutdown(cancel_futures=True)
    words, seconds = total - words_done, time.monotonic() - started
    if seconds >= _LONG:
        duration = timedelta(seconds=round(seconds))
        remark(f"trained on {words:,} words in {duration}, {words / seconds:,.0f} words/s")


def _rounds(encoded: EncodedCorpus, done: int, pieces: int) -> Iterator[range]:
    """Yield the pieces of each round, which has _ROUND words or more, except for the last."""
    first, words = done, 0
    for number in range(done, pieces):
        words += int(encoded.words[number % len(encoded)])
        if words >= _ROUND:
            yield range(first, number + 1)
            first, words = number + 1, 0
    if first < pieces:
        yield range(first, pieces)
