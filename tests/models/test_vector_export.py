import errno
import os

import numpy as np
import polars as pl
import pytest

from medgauge.errors import FileError, InputError
from medgauge.files.parquet import read_parquet
from medgauge.files.private import private_folder
from medgauge.models import vector_export
from medgauge.models.encoding import TermEncoder, WordEncoder
from medgauge.models.vector_cache.segments import SegmentWriter
from medgauge.models.vector_export import export_vectors
from medgauge.progress import hearing
from tests.support.sources import CountingSource, vector_of

TERMS = [f"disease {number}" for number in range(30)]


class Failing(CountingSource):
    """Fails after some batches."""

    def __init__(self, after: int, **options) -> None:
        super().__init__(**options)
        self.after = after

    def batches(self, texts):
        for number, batch in enumerate(super().batches(texts)):
            if number == self.after:
                raise OSError("the power is gone")
            yield batch


def fail(path, after=3, **options) -> None:
    with pytest.raises(OSError, match="the power is gone"):
        export_vectors(TermEncoder(Failing(after, **options)), TERMS, path)
    assert not path.exists()


def exported(path, **options) -> list[str]:
    """Export, check the table, and return which terms were encoded."""
    source = CountingSource(**options)
    assert export_vectors(TermEncoder(source), TERMS, path).terms == len(TERMS)
    frame = read_parquet(path)
    assert frame["term"].to_list() == TERMS
    rows = [vector_of(term, source.dim) for term in TERMS]
    assert frame["vector"].to_numpy().tobytes() == np.concatenate(rows).tobytes()
    return sorted(source.asked)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "vectors.parquet"


def test_a_table_of_many_pieces_is_that_of_one(path, monkeypatch):
    exported(path)
    monkeypatch.setattr(vector_export, "_PIECE", 7 * 3 * 4)
    exported(path)
    assert pl.scan_parquet(path).select(pl.len()).collect().item() == 30


def test_what_was_encoded_is_not_encoded_again(path):
    fail(path)
    fail(path, after=2)
    heard: list[str] = []
    with hearing(heard.append):
        assert len(exported(path)) == 30 - 4 * 5
    assert heard == ["resuming: 20 of 30 terms are encoded"]


@pytest.mark.parametrize("other", [{"digest": "other"}, {"parameters": {"pooling": "cls"}}], ids=str)
def test_another_model_does_not_go_on(path, other):
    fail(path)
    assert len(exported(path, **other)) == 30


def test_a_model_that_nothing_identifies_starts_again_and_leaves_nothing(path):
    fail(path, digest="")
    assert list(private_folder("encoding").iterdir()) == []
    assert len(exported(path, digest="")) == 30


@pytest.mark.parametrize("pattern", ["*.rows", "*.records"])
def test_what_was_damaged_is_encoded_again(path, pattern):
    fail(path)
    [damaged] = private_folder("encoding").rglob(pattern)
    content = bytearray(damaged.read_bytes())
    content[9] ^= 1
    damaged.write_bytes(content)
    assert len(exported(path)) == 30


def test_a_disk_that_keeps_nothing_is_named(path, monkeypatch):
    def forget(writer, *content):
        append(writer, *content)
        os.truncate(writer.segment.rows_path, 5)

    append = SegmentWriter.append
    monkeypatch.setattr(SegmentWriter, "append", forget)
    with pytest.raises(FileError, match="does not keep what is written to it; check the disk"):
        export_vectors(TermEncoder(CountingSource()), TERMS, path)
    assert not path.exists()


def test_a_full_disk_is_named(path, monkeypatch):
    def fail(*_arguments: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(SegmentWriter, "append", fail)
    with pytest.raises(FileError, match="No space left on device") as raised:
        export_vectors(TermEncoder(CountingSource()), ["flu"], path)
    assert private_folder("encoding") in raised.value.path.parents
    assert not path.exists()


def test_an_object_with_encode_is_enough(path, monkeypatch):
    class Plain:
        def encode(self, texts):
            return [vector_of(text, 5).tolist() for text in texts]

    monkeypatch.setattr(vector_export, "_TEXTS", 7)
    assert export_vectors(Plain(), TERMS, path).dim == 5
    assert read_parquet(path)["vector"].to_list()[3] == vector_of(TERMS[3], 5).tolist()


def test_vectors_of_several_dimensions_are_refused(path):
    class Growing(CountingSource):
        def batches(self, texts):
            for batch in super().batches(texts):
                yield batch
                self.dim += 1

    with pytest.raises(InputError, match="returned vectors of different dimensions"):
        export_vectors(TermEncoder(Growing()), TERMS, path)


def test_a_model_that_forgets_terms_is_named(path):
    class Forgetful(CountingSource):
        def batches(self, texts):
            yield next(super().batches(texts))

    with pytest.raises(InputError, match="counted returned vectors for 4 of 30 terms"):
        export_vectors(TermEncoder(Forgetful()), TERMS, path)


def test_a_vector_for_each_word_is_refused(path):
    with pytest.raises(InputError, match="leave out words= to encode whole terms"):
        export_vectors(WordEncoder(CountingSource("words")), TERMS, path)


def test_a_blank_term_is_refused(path):
    with pytest.raises(InputError, match="the term 2 of 2 is empty"):
        export_vectors(TermEncoder(CountingSource()), ["flu", " "], path)
