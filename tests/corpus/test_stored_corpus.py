import polars as pl
import pytest

from medgauge.corpus.stored_corpus import GROUP, SCHEMAS, Corpus, CorpusWriter
from medgauge.errors import FileError


def rows(count, *, first=0):
    return pl.DataFrame(
        {
            "document": range(first, first + count),
            "document_id": [None] * count,
            "journal": ["0000201"] * count,
            "tokens": [["gout", str(number)] for number in range(count)],
        },
        SCHEMAS["forms"],
    )


def written(path, frames, layout="forms"):
    with CorpusWriter(path, layout) as writer:
        for frame in frames:
            writer.write(frame)
    return Corpus.open(path)


def test_a_corpus_is_read_as_it_was_written_in_groups(tmp_path):
    frame = rows(GROUP + 10)
    corpus = written(tmp_path / "a.parquet", [frame[:7], frame[7:]])
    batches = list(corpus.batches(list(SCHEMAS["forms"])))
    assert [batch.height for batch in batches] == [GROUP, 10]
    assert pl.concat(batches).equals(frame)
    assert (corpus.card.documents, corpus.card.tokens) == (GROUP + 10, 2 * (GROUP + 10))


def test_the_digest_is_of_the_rows_and_not_of_how_they_are_grouped(tmp_path):
    frame = rows(10)
    digests = {
        written(tmp_path / "a.parquet", [frame]).digest,
        written(tmp_path / "b.parquet", [frame[:3], frame[3:]]).digest,
    }
    assert len(digests) == 1
    other = frame.with_columns(tokens=pl.col("tokens").list.reverse())
    assert written(tmp_path / "c.parquet", [other]).digest not in digests


def test_nothing_is_left_of_a_corpus_whose_making_failed(tmp_path):
    def failing():
        yield rows(GROUP + 1)
        raise RuntimeError

    with pytest.raises(RuntimeError):
        written(tmp_path / "a.parquet", failing())
    assert list(tmp_path.iterdir()) == []


def test_an_error_of_the_disk_reaches_the_writer(tmp_path):
    (tmp_path / "a.parquet").mkdir()
    with pytest.raises(FileError, match="not a regular file"):
        written(tmp_path / "a.parquet", (rows(GROUP, first=number * GROUP) for number in range(100)))


def test_what_is_not_a_corpus_is_refused(tmp_path):
    (tmp_path / "a.txt").write_text("gout")
    rows(3).write_parquet(tmp_path / "b.parquet")
    for name in ("a.txt", "b.parquet"):
        with pytest.raises(FileError, match="is not a corpus; make one"):
            Corpus.open(tmp_path / name)
