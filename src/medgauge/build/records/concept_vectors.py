"""Vectors of concepts from how often they occur together in records, by the method behind cui2vec."""

import inspect
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from medgauge.arrays import Doubles, Floats, Positions
from medgauge.build.records.associations import numbered
from medgauge.errors import InputError
from medgauge.files.parquet import write_parquet
from medgauge.models.base import ModelCard
from medgauge.models.training import EMBEDDED_CARD

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_SMOOTHING = 0.75
_ROUNDING = 1e-12  # what rounding may leave of an association that is exactly 0
_SMALL = 600  # concepts up to which all eigenvalues are computed at once
_NOISE = 1e-8  # of the largest eigenvalue, or of its root for a vector, which rounding leaves of zero


def concept_vectors(counted: pl.DataFrame, total: int, *, dim: int = 300) -> tuple[list[str], Floats]:
    """Return the ids of concepts, sorted, and a vector for each: PPMI, factorised.

    As Beam et al. (2020, arXiv 1804.01486) and their program do, the association of two concepts is
    max(0, log(p(1 and 2) / (p(1)^0.75 p(2)^0.75))), where p is the share of all patients; of a concept with
    itself it is 0. Their vectors are U √S + V √S of a truncated singular value decomposition U S V'. For a
    symmetric matrix this is 2 Q √Λ for the positive eigenvalues Λ and 0 for the negative ones. Here vectors
    are Q √Λ of the `dim` largest positive eigenvalues, which have the same cosines: no dimension is spent on
    what is 0. In each dimension the number of largest absolute value is positive.

    A concept without a positive association has no vector, nor has one that all of these dimensions miss;
    there are fewer dimensions if fewer eigenvalues are positive.
    """
    concepts = numbered(counted)
    values = _smoothed_pmi(counted, total)
    positive = values > _ROUNDING
    if not positive.any():
        raise InputError("no two concepts occur together more often than by chance; there are no vectors")
    first, second = concepts.first[positive], concepts.second[positive]
    present, places = np.unique(np.concatenate([first, second]), return_inverse=True)
    matrix = _symmetric(values[positive], places[: len(first)], places[len(first) :], len(present))
    eigenvalues, eigenvectors = _largest(matrix, dim)
    rows = eigenvectors * np.sqrt(eigenvalues)
    peaks = np.take_along_axis(rows, np.abs(rows).argmax(axis=0)[None], axis=0)
    rows *= np.where(peaks < 0, -1, 1)
    known = np.linalg.norm(rows, axis=1) > _NOISE * np.sqrt(eigenvalues[0])
    ids = concepts.ids.gather(present[known]).to_list()
    return ids, np.ascontiguousarray(rows[known], np.float32)


def save_vectors(path: Path, ids: list[str], vectors: Floats, card: ModelCard) -> None:
    """Write vectors of concepts, with the card of the model that they are, as Parquet for `concepts:FILE`."""
    kind = pl.Array(pl.Float32, vectors.shape[1])
    frame = pl.DataFrame({"id": pl.Series(ids, dtype=pl.String), "vector": pl.Series(vectors, dtype=kind)})
    write_parquet(path, frame, {EMBEDDED_CARD: card.model_dump_json()})


def _smoothed_pmi(counted: pl.DataFrame, total: int) -> Doubles:
    both, first, second = (
        np.log(counted[name].to_numpy() / total) for name in ("patients", "patients_1", "patients_2")
    )
    return np.asarray(both - _SMOOTHING * (first + second), np.float64)


def _symmetric(values: Doubles, first: Positions, second: Positions, size: int) -> "csr_array":
    from scipy.sparse import csr_array

    places = np.concatenate([first, second]), np.concatenate([second, first])
    return csr_array((np.concatenate([values, values]), places), shape=(size, size))


def _largest(matrix: "csr_array", most: int) -> tuple[Doubles, Doubles]:
    """Return the largest positive eigenvalues of a symmetric matrix, descending, and their eigenvectors."""
    from scipy.linalg import eigh
    from scipy.sparse.linalg import eigsh

    size = matrix.shape[0]
    if size <= max(_SMALL, 2 * most):
        low = max(0, size - most)
        eigenvalues, eigenvectors = eigh(matrix.toarray(), subset_by_index=(low, size - 1))
    else:
        start = np.random.PCG64(0).random_raw(size) / 2**64 - 0.5
        # What restarts draw: older versions of scipy take no generator, and always begin with the same one.
        again: dict[str, Any] = {"rng": 0} if "rng" in inspect.signature(eigsh).parameters else {}
        eigenvalues, eigenvectors = eigsh(matrix, k=most, which="LA", v0=start, **again)
    order = np.argsort(-eigenvalues, kind="stable")
    order = order[eigenvalues[order] > _NOISE * eigenvalues[order[0]]]
    return eigenvalues[order], eigenvectors[:, order]
