"""Training networks: on a GPU as one computation, on a processor each in a thread of its own."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from threading import Event

from medgauge.ner.labels.tagged_corpus import TaggedCorpus
from medgauge.ner.networks.network_settings import NetworkSettings
from medgauge.ner.networks.training_group import Trained, Trainee, TrainingGroup
from medgauge.ner.token_vectors import TokenVectors


def train(
    corpus: TaggedCorpus,
    tables: Sequence[TokenVectors],
    trainees: Sequence[Trainee],
    settings: NetworkSettings,
    *,
    device: str,
    done: Callable[[int, Trained], None],
    advance: Callable[[int], None] = lambda _done: None,
) -> None:
    """Train networks, and call `done` with the number and the result of each; all tables have the same size.

    On a GPU all networks are one batched computation. On a processor, which a single network keeps busy, each
    network has a thread, so that its numbers do not depend on how many processors there are. `advance` is
    called with the number of epochs that were trained, or left out after the patience was over.
    """
    if device != "cpu":
        for number, one in enumerate(_trained(corpus, tables, trainees, settings, device, advance)):
            done(number, one)
        return
    stopped = Event()

    def advance_or_stop(epochs: int) -> None:
        if stopped.is_set():
            raise CancelledError
        advance(epochs)

    with _one_thread_each() as threads, ThreadPoolExecutor(threads) as pool:
        waiting = {
            pool.submit(_alone, corpus, tables, trainee, settings, advance_or_stop): number
            for number, trainee in enumerate(trainees)
        }
        try:
            for future in as_completed(waiting):
                done(waiting[future], future.result())
        except BaseException:
            stopped.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _alone(
    corpus: TaggedCorpus,
    tables: Sequence[TokenVectors],
    trainee: Trainee,
    settings: NetworkSettings,
    advance: Callable[[int], None],
) -> Trained:
    import torch

    torch.set_num_threads(1)
    [found] = _trained(corpus, tables, [trainee], settings, "cpu", advance)
    return found


@contextmanager
def _one_thread_each() -> Iterator[int]:
    """Yield how many threads torch would use, and let it use them again after the block."""
    import torch

    usual = torch.get_num_threads()
    try:
        yield min(usual, os.cpu_count() or 1)
    finally:
        torch.set_num_threads(usual)


def _trained(
    corpus: TaggedCorpus,
    tables: Sequence[TokenVectors],
    trainees: Sequence[Trainee],
    settings: NetworkSettings,
    device: str,
    advance: Callable[[int], None],
) -> list[Trained]:
    import torch

    with torch.no_grad():
        group = TrainingGroup(corpus, tables, trainees, settings, device)
        while group.running:
            before = len(group.running)
            group.train_epoch()
            left = settings.epochs - group.epoch
            advance(before + (before - len(group.running)) * left)
        return [group.results[number] for number in range(len(trainees))]
