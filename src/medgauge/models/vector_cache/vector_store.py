"""The folder of the cache: a folder for each model with its segments, within a limit on the size of all."""

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from medgauge.arrays import Positions, Words
from medgauge.errors import InputError
from medgauge.files.private import private_folder
from medgauge.files.writing import write_text
from medgauge.models.base import ModelCard
from medgauge.models.encoding import Batch
from medgauge.models.vector_cache.secret_key import KeyedNames, own_key
from medgauge.models.vector_cache.segments import RECORD, DamagedSegment, Segment, SegmentWriter, were_cut

LIMIT = "MEDGAUGE_VECTOR_CACHE_GB"
"""The environment variable with the most that the cache may hold, in GB."""
_LIMIT = 5.0
_LONGEST = 256 << 20  # bytes of a segment, which is removed as a whole
_SHARE = 8  # segments that fit the limit at least
_MODEL = "model.json"


@dataclass(frozen=True)
class KeptModel:
    """What the cache has of a model: how many vectors (of terms or words), and when they were last used."""

    name: str
    format: str
    digest: str
    terms: int
    bytes: int
    used: float


class ModelVectors:
    """The vectors of one model, under one set of parameters, in the cache."""

    def __init__(self, card: ModelCard, more: str) -> None:
        """Find the place; `more` is what the vectors depend on besides the card."""
        self._limit = most_kept()
        self._card = card
        self._root = private_folder("vectors")
        key = own_key(self._root)
        text = json.dumps([2, what_decides(card), more], sort_keys=True)
        model = KeyedNames(key).of(text)
        self.names = KeyedNames(key, model)
        self._folder = self._root / model.hex()
        self._writer: SegmentWriter | None = None
        self.damaged = 0

    def segments(self) -> list[Segment]:
        """Return what is kept of the model, in the order in which it is searched."""
        return sorted(segments_in(self._folder), key=lambda segment: segment.path.name)

    def find(self, keys: Words) -> Iterator[Batch]:
        """Yield the vectors that are kept; the places of a batch are those of the keys.

        A damaged segment is removed, and counted in `damaged`.
        """
        order = np.argsort(keys[:, 0], kind="stable")
        left = np.ones(len(keys), np.bool_)
        for segment in self.segments():
            with suppress(FileNotFoundError):  # removed by another process
                try:
                    yield from self._found_in(segment, keys, order, left)
                except DamagedSegment:
                    segment.remove()
                    self.damaged += 1
            if not left.any():
                return

    @staticmethod
    def _found_in(
        segment: Segment, keys: Words, order: Positions, left: np.ndarray[tuple[int], np.dtype[np.bool_]]
    ) -> Iterator[Batch]:
        records = segment.records()
        numbers, places = _matches(records[:, :2], keys, order)
        new = left[places]
        numbers, places = numbers[new], places[new]
        if not numbers.size:
            return
        _, first = np.unique(places, return_index=True)  # a term that the segment has twice
        numbers, places = numbers[first], places[first]
        by_row = np.argsort(records[numbers, 2], kind="stable")
        numbers, places = numbers[by_row], places[by_row]
        cut = were_cut(records[numbers])
        for piece, rows, counts in segment.read(records[numbers]):
            left[places[piece]] = False
            yield Batch(places[piece], rows, counts, cut[piece])
        with suppress(OSError):
            os.utime(segment.path)  # what is least recently used goes first

    def add(self, keys: Words, batch: Batch) -> None:
        """Keep the vectors of the terms with these keys."""
        rows = batch.rows
        longest = min(_LONGEST, self._limit // _SHARE)
        size = rows.nbytes + RECORD * len(keys)
        if size > self._limit:
            return
        writer = self._writer
        if writer is not None and (writer.size + size > longest or writer.dim != rows.shape[1]):
            self.close()
        if self._writer is None:
            make_room(self._root, self._limit - max(longest, size))
            self._folder.mkdir(mode=0o700, exist_ok=True)
            self._describe()
            self._writer = SegmentWriter(self._folder, rows.shape[1])
        self._writer.append(keys, rows, batch.counts, batch.cut)

    def close(self) -> None:
        """Close the file that is being written."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def _describe(self) -> None:
        card = self._card
        described = {"name": card.name, "format": card.format, "digest": card.digest}
        write_text(self._folder / _MODEL, json.dumps(described))


def _matches(found: Words, keys: Words, order: Positions) -> tuple[Positions, Positions]:
    """Return the numbers of the records with wanted keys, and the places of those keys.

    `order` sorts the keys by their first words. Only keys with the same first word, which differ in no real
    case, would need more than one step.
    """
    wanted = keys[order, 0]
    starts = np.searchsorted(wanted, found[:, 0], "left")
    numbers = np.flatnonzero(wanted[np.minimum(starts, len(wanted) - 1)] == found[:, 0])
    ends = np.searchsorted(wanted, found[numbers, 0], "right")
    times = ends - starts[numbers]
    within = np.arange(int(times.sum())) - np.repeat(np.cumsum(times) - times, times)
    places = order[np.repeat(starts[numbers], times) + within]
    numbers = np.repeat(numbers, times)
    same = found[numbers, 1] == keys[places, 1]
    return numbers[same], places[same]


def what_decides(card: ModelCard) -> dict[str, object]:
    """Return what of a card may change vectors: all but its name, its licence and what it was trained on."""
    return card.model_dump(mode="json", exclude={"name", "trained_on", "sources", "licence"})


def segments_in(folder: Path) -> list[Segment]:
    """Return the segments in a folder, none if it does not exist."""
    return [Segment(path) for path in folder.glob("*.records") if path.stem.rpartition("-")[2].isdecimal()]


def most_kept() -> int:
    """Return how many bytes of vectors are kept."""
    given = os.environ.get(LIMIT, "")
    try:
        gigabytes = float(given) if given else _LIMIT
    except ValueError:
        gigabytes = -1.0
    if not 0 < gigabytes < 1e6:
        raise InputError(f"the environment variable {LIMIT} must be a number of GB, such as 8")
    return int(gigabytes * 1e9)


def make_room(root: Path, most: int) -> None:
    """Remove the least recently used segments of all models until at most `most` bytes are left."""
    held: dict[Path, list[tuple[int, float]]] = {}
    for path in root.glob("*/*"):
        if path.suffix in (".records", ".rows"):
            with suppress(OSError):
                state = path.stat()
                held.setdefault(path.with_suffix(".records"), []).append((state.st_size, state.st_mtime))
    size = sum(length for files in held.values() for length, _ in files)
    for path, files in sorted(held.items(), key=lambda entry: max(used for _, used in entry[1])):
        if size <= most:
            return
        Segment(path).remove()
        size -= sum(length for length, _ in files)


def kept_models(root: Path) -> list[KeptModel]:
    """Return what is kept of each model, the most recently used first."""
    models = []
    for folder in root.iterdir() if root.is_dir() else ():
        described = {"name": "not known", "format": "", "digest": ""}
        with suppress(OSError, TypeError, ValueError):
            described |= json.loads((folder / _MODEL).read_text("utf-8"))
        states = []
        for segment in segments_in(folder):
            with suppress(OSError):
                states.append((segment.count, segment.path.stat(), segment.rows_path.stat()))
        if states:
            models.append(
                KeptModel(
                    str(described["name"]),
                    str(described["format"]),
                    str(described["digest"]),
                    sum(count for count, _, _ in states),
                    sum(records.st_size + rows.st_size for _, records, rows in states),
                    max(records.st_mtime for _, records, _ in states),
                )
            )
    return sorted(models, key=lambda model: -model.used)
