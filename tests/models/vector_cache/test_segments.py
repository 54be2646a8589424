import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge.models.vector_cache import segments
from medgauge.models.vector_cache.segments import DamagedSegment, Segment, SegmentWriter, were_cut


def keys_of(count: int, start: int = 1):
    return np.arange(start, start + 2 * count, dtype=np.uint64).reshape(-1, 2)


def written(folder, batches, dim):
    writer = SegmentWriter(folder, dim)
    start = 1
    for counts in batches:
        rows = np.arange(sum(counts) * dim, dtype=np.float32).reshape(-1, dim) + start
        writer.append(keys_of(len(counts), start), rows, np.array(counts, np.int64))
        start += 2 * len(counts)
    writer.close()
    return writer.segment


def read_plainly(segment: Segment, record) -> np.ndarray:
    """Read the rows of a record with numpy."""
    rows = np.fromfile(segment.rows_path, "<f4").reshape(-1, segment.dim)
    return rows[int(record[2]) : int(record[2] + record[3])]


@given(
    st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=5), min_size=1, max_size=4),
    st.integers(1, 4),
    st.randoms(use_true_random=False),
    st.sampled_from([1, 40, 1 << 20]),
)
def test_any_records_are_read_in_any_order(tmp_path_factory, batches, dim, random, at_once):
    segment = written(tmp_path_factory.mktemp("segment"), batches, dim)
    records = segment.records()
    assert segment.count == len(records) == sum(map(len, batches))
    chosen = records[random.choices(range(len(records)), k=random.randrange(1, 8))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(segments, "_AT_ONCE", at_once)
        pieces = list(segment.read(chosen))
    assert np.concatenate([chosen[piece] for piece, _, _ in pieces]).tolist() == chosen.tolist()
    for piece, rows, counts in pieces:
        expected = [read_plainly(segment, record) for record in chosen[piece]]
        assert rows.tolist() == np.concatenate(expected).tolist()
        assert counts.tolist() == [len(one) for one in expected]


def test_a_record_says_whether_its_term_was_cut(tmp_path):
    writer = SegmentWriter(tmp_path, 2)
    rows, counts = np.ones((3, 2), np.float32), np.array([1, 2])
    writer.append(keys_of(2), rows, counts, np.array([False, True]))
    writer.append(keys_of(2, 9), rows, counts)
    writer.close()
    records = writer.segment.records()
    assert were_cut(records).tolist() == [False, True, False, False]
    [(_, found, lengths)] = writer.segment.read(records)
    assert (found.shape, lengths.tolist()) == ((6, 2), [1, 2, 1, 2])


def test_a_record_that_is_still_being_written_is_left_out(tmp_path):
    segment = written(tmp_path, [[1, 1], [1]], 2)
    content = segment.path.read_bytes()
    segment.path.write_bytes(content[:-1])
    assert len(segment.records()) == 2


def test_rows_in_another_order_are_noticed(tmp_path):
    segment = written(tmp_path, [[2]], 2)
    rows = np.fromfile(segment.rows_path, "<f4").reshape(-1, 2)
    rows[::-1].tofile(segment.rows_path)
    with pytest.raises(DamagedSegment):
        list(segment.read(segment.records()))


@given(st.binary(min_size=8, max_size=8), st.binary(min_size=8, max_size=8))
def test_checksums_tell_contents_apart_as_those_of_zlib_do(one, other):
    checks = [
        segments._content_checks(np.frombuffer(content, "<f4").reshape(1, 2), np.ones(1, np.int64))[0]
        for content in (one, other)
    ]
    assert (checks[0] == checks[1]) == (zlib.crc32(one) == zlib.crc32(other)) == (one == other)


def test_removing_twice_is_harmless(tmp_path):
    segment = written(tmp_path, [[1]], 2)
    segment.remove()
    segment.remove()
    assert list(tmp_path.iterdir()) == []
