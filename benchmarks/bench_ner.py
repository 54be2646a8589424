"""Networks that find entities: trained side by side and one after another, on whatever device there is.

Ten tables of 100-dimensional vectors and three trials make 30 networks of the default size, which see made-up
sentences for an epoch. Side by side, they are one batched computation; one after another, each is computed by
the same code alone. The peer is the same network as PyTorch users write it: Linear, Hardtanh and Dropout
layers, cross_entropy and SGD, fed with the same windows from memory. On a processor, `train` does neither: it
gives each network a thread of its own, which is measured too.
"""

import time
from collections.abc import Callable

import numpy as np
import torch

from common import print_table
from medgauge.models.encoders.computation.devices import place_for
from medgauge.ner.labels.tag_schemes import Entities
from medgauge.ner.labels.tagged_corpus import TaggedCorpus, TaggedPart
from medgauge.ner.networks.network_settings import NetworkSettings
from medgauge.ner.networks.network_training import train
from medgauge.ner.networks.sentence_windows import windows_of
from medgauge.ner.networks.training_group import Trainee, TrainingGroup
from medgauge.ner.token_vectors import TokenVectors

TABLES, TRIALS, WORDS, DIM = 10, 3, 20_000, 100
LENGTH = 25
WINDOWS = {"cpu": 10_000, "cuda": 100_000, "mps": 50_000}
SETTINGS = NetworkSettings(epochs=1)


def some_part(tokens: int, seed: int) -> TaggedPart:
    """Make sentences with entities of two words."""
    rng = np.random.default_rng(seed)
    first = np.flatnonzero(rng.random(tokens // 5) < 0.3) * 5
    starts = np.arange(0, tokens + 1, LENGTH)
    found = Entities(first, first + 1, np.zeros(first.size, np.int64))
    return TaggedPart([""] * int(starts[-1]), starts, found, "BIO")


def some_inputs(tokens: int) -> tuple[TaggedCorpus, list[TokenVectors]]:
    """Make a corpus, and tables of vectors for it; little is scored."""
    training, other = some_part(tokens, 0), some_part(LENGTH * 4, 1)
    corpus = TaggedCorpus("made-up", ["x"], training, other, other, devel_taken=False, digest="")
    rng = np.random.default_rng(3)
    rows = {name: rng.integers(2, WORDS, len(part.words)) for name, part in corpus.parts.items()}
    tables = [rng.standard_normal((WORDS, DIM), np.float32) * 0.3 for _ in range(TABLES)]
    return corpus, [TokenVectors(table, rows) for table in tables]


def train_group(
    corpus: TaggedCorpus, tables: list[TokenVectors], trainees: list[Trainee], device: str
) -> None:
    """Train networks for an epoch as one computation; the losses are copied back at its end."""
    with torch.no_grad():
        TrainingGroup(corpus, tables, trainees, SETTINGS, device).train_epoch()


def train_plainly(corpus: TaggedCorpus, table: TokenVectors, device: str) -> None:
    """Train a network for an epoch with the layers, the loss and the optimiser of PyTorch."""
    windows = windows_of(table.rows["train"], corpus.train.starts, SETTINGS.window)
    ids = torch.from_numpy(windows).to(device)
    vectors = torch.from_numpy(table.table).to(device)
    labels = torch.from_numpy(corpus.train.labels.astype(np.int64)).to(device)
    network = torch.nn.Sequential(
        torch.nn.Linear(DIM * SETTINGS.window, SETTINGS.hidden),
        torch.nn.Hardtanh(),
        torch.nn.Dropout(SETTINGS.dropout),
        torch.nn.Linear(SETTINGS.hidden, 5),
    ).to(device)
    optimiser = torch.optim.SGD(network.parameters(), lr=SETTINGS.rate)
    loss = torch.zeros(())
    for some in torch.randperm(len(labels), device=device).split(SETTINGS.batch):
        given = vectors[ids[some]].flatten(1)
        loss = torch.nn.functional.cross_entropy(network(given), labels[some])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    loss.item()


def timed(work: Callable[[], object]) -> float:
    """Return the seconds of some work that was done once before."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    """Measure all ways on the device, and print windows per second of all networks and the ratios."""
    device = place_for("auto", "float32").device
    tokens = WINDOWS[device]
    corpus, tables = some_inputs(tokens)
    trainees = [Trainee(table, trial) for table in range(TABLES) for trial in range(TRIALS)]
    few = trainees[:: len(trainees) // 5]  # those measured one after another; all take the same time

    def alone() -> None:
        for one in few:
            train_group(corpus, tables, [one], device)

    def plainly() -> None:
        for one in few:
            train_plainly(corpus, tables[one.vectors], device)

    share = len(few) / len(trainees)
    ways: dict[str, tuple[Callable[[], object], float]] = {
        "PyTorch's layers, one after another": (plainly, share),
        "medgauge, one after another": (alone, share),
        "medgauge, side by side": (lambda: train_group(corpus, tables, trainees, device), 1.0),
    }
    if device == "cpu":
        ways["medgauge, a thread each (`train`)"] = (
            lambda: train(corpus, tables, trainees, SETTINGS, device=device, done=lambda *_: None),
            1.0,
        )
    for work, _ in ways.values():
        work()
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(3):
        for name, (work, part) in ways.items():
            times[name].append(timed(work) / part)
    best = {name: min(some) for name, some in times.items()}
    base = best["medgauge, one after another"]
    rows = [
        [name, f"{seconds:.1f}", f"{len(trainees) * tokens / seconds:,.0f}", f"{base / seconds:.2f}"]
        for name, seconds in best.items()
    ]
    print_table(
        f"{len(trainees)} networks, an epoch of {tokens:,} windows each",
        ["way", "seconds", "windows/s", "times as fast as one after another"],
        rows,
        [f"Device: {device}, PyTorch {torch.__version__}, {torch.get_num_threads()} threads; best of 3."],
    )


if __name__ == "__main__":
    main()
