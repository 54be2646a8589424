import numpy as np
import pytest

from medgauge.files.private import private_folder
from medgauge.models.services.probe_words import PROBE_WORDS, Memory, is_same

ROWS = np.random.default_rng(0).normal(size=(len(PROBE_WORDS), 64)).astype(np.float32)
OF = ("http://localhost/v1", "mine", None)


def test_what_was_seen_first_is_remembered_where_only_the_user_can_read_it():
    memory = Memory(OF)
    assert not memory.known
    first = memory.digest_of(ROWS)
    assert memory.known
    assert memory.digest_of(ROWS + np.float32(1e-6)) == first
    assert not Memory((*OF[:2], 64)).known
    [file] = private_folder("services").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600


def test_other_vectors_take_the_place_of_the_first():
    memory = Memory(OF)
    digests = [memory.digest_of(rows) for rows in (ROWS, -ROWS, -ROWS, ROWS)]
    assert digests[0] == digests[3] != digests[1] == digests[2]


def test_without_memory_equal_vectors_have_equal_digests():
    memory = Memory(OF)
    assert memory.digest_of(ROWS, remember=False) == memory.digest_of(ROWS.copy(), remember=False)
    assert not memory.known


@pytest.mark.parametrize("content", [b"", b"\x93NUMPY", b"not an array"])
def test_a_damaged_memory_counts_as_none(content):
    memory = Memory(OF)
    first = memory.digest_of(ROWS)
    [file] = private_folder("services").iterdir()
    file.write_bytes(content)
    assert not memory.known
    assert memory.digest_of(ROWS) == first


@pytest.mark.parametrize("change", ["scaled", "one word", "fewer dimensions", "zero"])
def test_other_weights_are_not_the_same(change):
    other = {
        "scaled": ROWS * 2,
        "one word": np.where(np.arange(len(ROWS))[:, None] == 3, ROWS[::-1], ROWS),
        "fewer dimensions": ROWS[:, :32],
        "zero": ROWS * 0,
    }[change]
    assert not is_same(ROWS, other)
    assert not is_same(other, ROWS)


def test_half_precision_is_the_same():
    assert is_same(ROWS, ROWS.astype(np.float16).astype(np.float32))
