"""A table of the vectors of a list of terms, encoded on one machine for use on another."""

import hashlib
import json
import secrets
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from medgauge.arrays import Floats, Integers, Words
from medgauge.errors import FileError, InputError
from medgauge.files.folders import key_of
from medgauge.files.parquet import write_parquet_pieces
from medgauge.files.private import private_folder
from medgauge.files.writing import can_write, lock_folder
from medgauge.models.base import (
    ContextModel,
    Model,
    ModelCard,
    TextModel,
    VectorModel,
    WordModel,
    card_of,
    name_of,
    plain_card,
)
from medgauge.models.encoding import (
    Batch,
    BatchSource,
    TermEncoder,
    cache_key_of,
    check_batch,
    check_texts,
    remark_cut,
)
from medgauge.models.vector_cache.segments import DamagedSegment, Segment, SegmentWriter, were_cut
from medgauge.models.vector_cache.vector_store import segments_in, what_decides
from medgauge.progress import remark, track

_PIECE = 32 << 20  # bytes of vectors that are written to the table together
_TEXTS = 20_000  # that a model without batches of its own encodes at once
_ATTEMPTS = 2


@dataclass(frozen=True)
class ExportedVectors:
    """How many terms were written, with how many dimensions; `lacking` terms have no vector."""

    terms: int
    dim: int
    lacking: int


def export_vectors(model: Model, terms: Sequence[str], path: Path) -> ExportedVectors:
    """Encode terms (all distinct) and write them with their vectors as a Parquet file.

    What is encoded is kept at once, in files that have no term; a run that was killed goes on. Memory is
    bounded by a batch and a piece of the table, not by the number of terms.
    """
    source = _source_of(model)
    check_texts(terms)
    if not can_write(path):
        raise FileError(path, "cannot be written; choose another place")
    card = card_of(model)
    key = _key(source, card, terms)
    folder = private_folder("encoding", (key or secrets.token_hex(32))[:32])
    try:
        with lock_folder(folder) as is_mine:
            if not is_mine:
                raise InputError("another process is encoding the same terms; wait until it is done")
            exported = _exported(source, card, terms, folder, path)
        key = None
    finally:
        if key is None:
            shutil.rmtree(folder, ignore_errors=True)
    return exported


def _source_of(model: Model) -> BatchSource:
    """Return what computes the vectors; refuse a model without vectors of terms, or with a table of them."""
    if isinstance(model, TermEncoder):
        return model.source
    name = name_of(model)
    if isinstance(model, ContextModel):
        raise InputError(
            f"{name} has a vector for each word of a term, which a table of terms cannot hold; leave out "
            "words= to encode whole terms, or evaluate the model on the machine where it is"
        )
    if isinstance(model, WordModel):
        raise InputError(f"{name} has vectors of words, and needs no encoding; use its file as it is")
    if isinstance(model, TextModel):
        return _Encoder(model, plain_card(model))
    if isinstance(model, VectorModel):
        raise InputError(f"{name} is a table of vectors already; use its file as it is")
    raise InputError(f"{name} scores pairs and has no vectors to encode")


@dataclass(frozen=True)
class _Encoder:
    """A model with nothing but `encode`, as a source."""

    model: TextModel
    card: ModelCard

    def batches(self, texts: Sequence[str]) -> Iterator[Batch]:
        for start in range(0, len(texts), _TEXTS):
            some = list(texts[start : start + _TEXTS])
            rows = np.ascontiguousarray(self.model.encode(some), np.float32)
            if rows.ndim != 2 or len(rows) != len(some):
                raise InputError(f"the model returned an array of shape {rows.shape} for {len(some)} texts")
            yield Batch(np.arange(start, start + len(some)), rows, np.ones(len(some), np.int64))

    def facts(self) -> dict[str, object]:
        return {}


def _key(source: BatchSource, card: ModelCard, terms: Sequence[str]) -> str | None:
    """Return the key of what is kept; None for a model that nothing identifies, which may have changed."""
    more = cache_key_of(source)
    if not (card.digest or more):
        return None
    digest = hashlib.sha256()
    for term in terms:
        digest.update(json.dumps(term).encode() + b"\n")
    return key_of(model=what_decides(card), more=more, terms=digest.hexdigest())


def _exported(
    source: BatchSource, card: ModelCard, terms: Sequence[str], folder: Path, path: Path
) -> ExportedVectors:
    for _ in range(_ATTEMPTS):
        _encode(source, card.name, terms, folder)
        table = _KeptTable(folder, terms)
        try:
            metadata = {"medgauge.model": card.model_dump_json()}
            write_parquet_pieces(path, table.pieces(), table.schema, metadata, group=table.group)
        except DamagedSegment:
            remark("some vectors were damaged on the disk, and are encoded again")
        else:
            remark_cut(card.name, table.cut, len(terms))
            return ExportedVectors(len(terms) - table.lacking, table.dim, table.lacking)
    raise FileError(folder, "does not keep what is written to it; check the disk")


def _encode(source: BatchSource, name: str, terms: Sequence[str], folder: Path) -> None:
    """Encode the terms that are not kept yet, and keep each batch under the places of its terms."""
    done = np.zeros(len(terms), np.bool_)
    dims = set()
    for segment in segments_in(folder):
        try:
            done[_places(segment.records(), len(terms))] = True
        except DamagedSegment:
            segment.remove()
        else:
            dims.add(segment.dim)
    missing = np.flatnonzero(~done)
    if not missing.size:
        return
    if done.any():
        remark(f"resuming: {int(done.sum()):,} of {len(terms):,} terms are encoded")
    writer: SegmentWriter | None = None
    try:
        with track(f"encoding, {name}", len(terms), "terms") as advance:
            ahead = int(done.sum())  # shown with the first batch, so that loading does not count as encoding
            for batch in source.batches([terms[place] for place in missing.tolist()]):
                check_batch(batch, name)
                dims.add(batch.rows.shape[1])
                if len(dims) > 1 or (batch.counts != 1).any():
                    raise InputError(
                        f"{name} returned vectors of different dimensions, or several for a term"
                    )
                places = missing[batch.places]
                try:
                    writer = writer or SegmentWriter(folder, batch.rows.shape[1])
                    writer.append(_keys(places), batch.rows, batch.counts, batch.cut)
                except OSError as error:  # which names no file when the disk is full
                    raise FileError(folder, f"cannot be written: {error.strerror or error}") from error
                done[places] = True
                advance(len(places) + ahead)
                ahead = 0
    finally:
        if writer is not None:
            writer.close()
    if not done.all():
        raise InputError(f"{name} returned vectors for {int(done.sum())} of {len(done)} terms")


def _keys(places: Integers) -> Words:
    return np.column_stack([places, np.zeros_like(places)]).astype(np.uint64)


def _places(records: Words, count: int) -> Integers:
    places = records[:, 0].astype(np.int64)
    if (places >= count).any():
        raise DamagedSegment
    return places


class _KeptTable:
    """The table of what is kept, in the order of the terms; a term without a vector is left out."""

    def __init__(self, folder: Path, terms: Sequence[str]) -> None:
        self._terms = terms
        self._segments = [(segment, segment.records()) for segment in segments_in(folder)]
        self.dim = self._segments[0][0].dim
        self.group = max(1, _PIECE // (4 * self.dim))
        self.lacking = 0
        self.cut = sum(int(were_cut(records).sum()) for _, records in self._segments)

    @property
    def schema(self) -> dict[str, pl.DataType]:
        """The columns of the table."""
        return {"term": pl.String(), "vector": pl.Array(pl.Float32(), self.dim)}

    def pieces(self) -> Iterator[pl.DataFrame]:
        """Yield the table in pieces; a damaged segment is removed."""
        for start in range(0, len(self._terms), self.group):
            terms = self._terms[start : start + self.group]
            rows = np.empty((len(terms), self.dim), np.float32)
            for segment, records in self._segments:
                try:
                    _fill(rows, segment, records, start)
                except DamagedSegment:
                    segment.remove()
                    raise
            known = np.asarray(np.isfinite(rows).all(axis=1))
            self.lacking += int((~known).sum())
            chosen = [terms[place] for place in np.flatnonzero(known).tolist()]
            vectors = pl.Series(rows[known], dtype=pl.Array(pl.Float32, self.dim))
            yield pl.DataFrame({"term": pl.Series(chosen, dtype=pl.String), "vector": vectors})
        if self.lacking == len(self._terms):
            raise InputError("the model has a vector for none of these terms")


def _fill(rows: Floats, segment: Segment, records: Words, start: int) -> None:
    """Put the vectors that a segment has of a piece of the table in place."""
    places = records[:, 0].astype(np.int64) - start
    chosen = np.flatnonzero((places >= 0) & (places < len(rows)))
    for piece, found, _ in segment.read(records[chosen]):
        rows[places[chosen[piece]]] = found
