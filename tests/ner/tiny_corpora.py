"""Tiny corpora in which vectors of words say which words are entities, and others do not."""

from pathlib import Path

import numpy as np

from medgauge.arrays import Floats

KINDS = ("gene", "drug")
OTHERS = [f"word{number}" for number in range(30)]
NAMES = {kind: [f"{kind}{number}" for number in range(20)] for kind in KINDS}
WORDS = [*OTHERS, *NAMES["gene"], *NAMES["drug"]]

Sentence = list[tuple[str, str]]


def some_sentences(count: int, *, seed: int = 0, kinds: tuple[str, ...] = KINDS) -> list[Sentence]:
    """Make sentences with entities of one or two words, labelled BIO."""
    rng = np.random.default_rng(seed)
    made = []
    for _ in range(count):
        sentence: Sentence = []
        for _ in range(rng.integers(1, 6)):
            sentence.append((str(rng.choice(OTHERS)), "O"))
            if rng.random() < 0.5:
                kind = str(rng.choice(kinds))
                own = rng.choice(NAMES[kind], rng.integers(1, 3))
                sentence += [(str(one), f"{'I' if place else 'B'}-{kind}") for place, one in enumerate(own)]
        made.append(sentence)
    # Every kind occurs, and the first word of a corpus is known.
    made[0] = [("word0", "O"), *((NAMES[kind][0], f"B-{kind}") for kind in kinds)]
    return made


def text_of(sentences: list[Sentence]) -> str:
    """Return the text of a file with these sentences."""
    return "".join("".join(f"{word}\t{label}\n" for word, label in one) + "\n" for one in sentences)


def write_corpus(
    folder: Path, *, count: int = 60, devel: bool = True, kinds: tuple[str, ...] = KINDS
) -> Path:
    """Write a corpus with `count` training sentences, and half as many in each other part."""
    folder.mkdir(parents=True)
    parts = {"train": count, "devel": count // 2, "test": count // 2}
    for seed, (name, size) in enumerate(parts.items()):
        if name != "devel" or devel:
            text = text_of(some_sentences(size, seed=seed, kinds=kinds))
            (folder / f"{name}.tsv").write_text(text, "utf-8")
    return folder


def telling_vectors(*, dim: int = 6, seed: int = 0) -> dict[str, Floats]:
    """Make vectors in which the words of a kind are alike, if not very."""
    rng = np.random.default_rng(seed)
    middles = {kind: rng.standard_normal(dim) for kind in ("word", *KINDS)}
    return {
        word: (middles[word.rstrip("0123456789")] + 0.8 * rng.standard_normal(dim)).astype(np.float32)
        for word in WORDS
    }


QUICK = {"epochs": 4, "trials": 2, "hidden": 8, "window": 3, "batch": 5, "rate": 0.3, "resamples": 99}
"""Settings with which a tiny corpus is learnt in a moment, on the processor."""
