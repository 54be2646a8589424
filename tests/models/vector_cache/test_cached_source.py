import os
import signal
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge.errors import InputError, MedgaugeWarning
from medgauge.files.private import private_folder
from medgauge.models.encoding import BatchSource, TermEncoder, WordEncoder, as_encoder, encoded
from medgauge.models.kinds import ModelKind
from medgauge.models.loading import Loading
from medgauge.models.spec import ModelSpec
from medgauge.models.vector_cache.cached_source import CachedSource
from tests.support.processes import run, running
from tests.support.sources import CountingSource, KeyedCountingSource, vector_of

TERMS = [f"disease {number}" for number in range(10)]


def folder() -> Path:
    return private_folder("vectors")


def files(pattern: str = "*") -> list[Path]:
    return sorted(path for path in folder().rglob(pattern) if path.is_file())


def asked(terms, **options) -> list[str]:
    """Encode terms through the cache, check the vectors, and return which were computed."""
    source = CountingSource(**options)
    rows, offsets = encoded(CachedSource(source), terms)
    expected, places = encoded(CountingSource(**options), terms)
    assert rows.tobytes() == expected.tobytes()
    assert offsets.tolist() == places.tolist()
    return sorted(source.asked)


def test_a_term_is_encoded_once():
    assert asked(TERMS) == TERMS
    assert asked(TERMS) == []
    assert asked(["new", *TERMS[::-2]]) == ["new"]
    assert asked([*TERMS, "new", "newer"]) == ["newer"]


def test_words_are_kept_with_their_gaps():
    terms = ["heart attack", "z", "renal zz failure", "-", "flu"]
    assert asked(terms, family="words") == sorted(terms)
    assert asked(terms[::-1], family="words") == []


@given(
    st.lists(st.lists(st.text("abz -", min_size=1).filter(str.strip), max_size=12), max_size=4),
    st.sampled_from(["vectors", "words"]),
    st.integers(1, 5),
)
def test_vectors_are_the_same_bits_with_and_without_the_cache(lists, family, dim):
    """A source without the cache is the reference; terms may be repeated."""
    for terms in lists:
        tokenizer = "whitespace" if family == "words" else None
        computed = asked(terms, family=family, dim=dim, tokenizer=tokenizer, digest=f"{family}{dim}")
        assert set(computed) <= set(terms)
        assert asked(terms, family=family, dim=dim, tokenizer=tokenizer, digest=f"{family}{dim}") == []


@pytest.mark.parametrize(
    "other",
    [
        {"digest": "other"},
        {"parameters": {"pooling": "cls"}},
        {"format": "other"},
        {"dim": 4},
        {"family": "words"},
    ],
    ids=str,
)
def test_what_changes_vectors_is_cached_apart(other):
    asked(TERMS)
    assert asked(TERMS, **other) == TERMS


def test_a_name_a_licence_or_what_is_known_of_training_changes_nothing():
    asked(TERMS)
    assert asked(TERMS, name="other", licence="MIT", trained_on="UMLS") == []


def test_vectors_of_another_device_are_not_served():
    for key, computed in (("cuda bf16", TERMS), ("cpu", TERMS), ("cpu", [])):
        source = KeyedCountingSource(key, salt=key)
        rows, _ = encoded(CachedSource(source), TERMS)
        assert sorted(source.asked) == computed
        assert rows[0].tobytes() == vector_of(key + TERMS[0], 3).tobytes()


def test_vectors_that_are_computed_as_fast_as_read_are_not_kept():
    encoded(CachedSource(KeyedCountingSource(None)), TERMS)
    assert not files()


def test_a_model_without_a_digest_is_cached_only_under_a_key():
    assert asked(TERMS, digest="") == asked(TERMS, digest="") == TERMS
    for computed in (TERMS, []):
        source = KeyedCountingSource("digest of a service", digest="")
        encoded(CachedSource(source), TERMS)
        assert sorted(source.asked) == computed


class Service(CountingSource):
    """A source whose digest costs a request."""

    requests = 0

    def content_digest(self) -> str:
        """Ask for the digest."""
        self.requests += 1
        return f"digest of {self.salt}"


def test_a_digest_is_asked_for_only_when_encoding_begins():
    for salt, computed in (("v1", TERMS), ("v1", []), ("v2", TERMS)):
        source = Service(digest="", salt=salt)
        model = as_encoder(CachedSource(source))
        assert source.requests == 0
        model.encode(TERMS)
        assert source.requests == 1
        assert sorted(source.asked) == computed


def test_the_cache_is_used_when_a_kind_is_opened_unless_it_is_declined():
    kind = ModelKind("counted", "", "", lambda *_: CountingSource())
    for cached in (True, False):
        model = kind.open(ModelSpec("counted", "x"), "x", Loading(cached=cached))
        assert isinstance(model, TermEncoder)
        assert isinstance(model.source, CachedSource) == cached
        assert isinstance(model.source, BatchSource)
        assert model.source.facts() == {"kind": "counted"}
    words = ModelKind("counted", "", "", lambda *_: CountingSource("words"))
    assert isinstance(words.open(ModelSpec("counted", "x"), "x", Loading()), WordEncoder)


def test_no_term_is_in_the_cache_and_nobody_else_can_read_it():
    secret = "Zystadenokarzinom Zweitmeinung"
    for family in ("vectors", "words"):
        asked([secret], family=family)
    for path in folder().rglob("*"):
        assert path.stat().st_mode & 0o077 == 0 or path.parent.stat().st_mode & 0o077 == 0
        for part in (secret, *secret.split()):
            for form in (part, part.lower()):
                assert form.encode() not in bytes(path)
                assert path.is_dir() or form.encode() not in path.read_bytes()
    assert folder().stat().st_mode & 0o777 == 0o700


def test_two_keys_give_two_caches():
    asked(TERMS)
    (folder() / "key").unlink()
    assert asked(TERMS) == TERMS


@pytest.mark.parametrize("pattern", ["*.rows", "*.records"])
@pytest.mark.parametrize("damage", ["flip", "cut", "zeros", "longer"])
def test_damaged_files_are_removed_and_never_give_wrong_vectors(pattern, damage):
    asked(TERMS)
    [path] = files(pattern)
    content = path.read_bytes()
    middle = len(content) // 2
    changed = {
        "flip": content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :],
        "cut": content[:middle],
        "zeros": content[:middle] + bytes(len(content) - middle),
        "longer": content + b"x",
    }[damage]
    path.write_bytes(changed)
    harmless = damage == "longer" or (damage == "cut" and pattern == "*.records")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        computed = asked(TERMS)
    assert set(computed) <= set(TERMS)
    assert (computed == []) == (damage == "longer")
    assert len(said) == (0 if harmless else 1)
    assert path.exists() == harmless
    assert asked(TERMS) == []


def test_every_flipped_bit_is_noticed_or_harmless():
    asked(TERMS[:2])
    [rows] = files("*.rows")
    [records] = files("*.records")
    contents = {path: path.read_bytes() for path in (rows, records)}
    noticed = 0
    for path, content in contents.items():
        for place in range(len(content)):
            for other in (*files("*.rows"), *files("*.records")):
                other.unlink()  # what was computed again would be found in place of the damaged file
            for other, kept in contents.items():
                other.write_bytes(kept)
            changed = bytearray(content)
            changed[place] ^= 1 << place % 8
            path.write_bytes(changed)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", MedgaugeWarning)
                computed = asked(TERMS[:2])  # which checks the vectors
            assert computed in ([], TERMS[:1], TERMS[1:2], TERMS[:2])
            noticed += computed != []
    assert noticed > sum(map(len, contents.values())) / 2


def test_a_full_disk_costs_time_and_one_warning(monkeypatch):
    from medgauge.models.vector_cache import segments

    class Full(segments.SegmentWriter):
        def append(self, *_):
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("medgauge.models.vector_cache.vector_store.SegmentWriter", Full)
    with pytest.warns(MedgaugeWarning, match=r"cannot be used \(No space left on device\)") as said:
        assert asked(TERMS) == TERMS
    assert len(said) == 1


def test_a_file_in_place_of_the_folder_costs_one_warning():
    folder().rmdir()
    folder_place = folder()
    folder_place.rmdir()
    folder_place.write_text("")
    with pytest.warns(MedgaugeWarning, match="cannot be used") as said:
        assert asked(TERMS) == TERMS
    assert len(said) == 1


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="Windows has no such owners")
def test_the_key_of_another_user_is_refused(monkeypatch):
    asked(TERMS)
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    with pytest.warns(MedgaugeWarning, match="key: belongs to another user"):
        assert asked(TERMS) == TERMS


def test_a_bad_limit_is_named(monkeypatch):
    monkeypatch.setenv("MEDGAUGE_VECTOR_CACHE_GB", "much")
    with pytest.warns(MedgaugeWarning, match="MEDGAUGE_VECTOR_CACHE_GB must be a number of GB"):
        assert asked(TERMS) == TERMS


def test_the_least_recently_used_goes_first(monkeypatch):
    limit = 20_000
    monkeypatch.setenv("MEDGAUGE_VECTOR_CACHE_GB", str(limit / 1e9))
    for number in range(40):
        asked(TERMS, dim=16, digest=f"model {number}")
        asked(TERMS, dim=16, digest="often used")
        assert sum(path.stat().st_size for path in files("*.r*")) <= limit
        for path in files("*.r*"):  # time goes on
            state = path.stat()
            os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns - 10**9))
    assert asked(TERMS, dim=16, digest="often used") == []
    assert asked(TERMS, dim=16, digest="model 39") == []
    assert asked(TERMS, dim=16, digest="model 0") == TERMS


def test_a_batch_that_is_larger_than_the_cache_is_not_kept(monkeypatch):
    monkeypatch.setenv("MEDGAUGE_VECTOR_CACHE_GB", "1e-7")
    assert asked(TERMS) == asked(TERMS) == TERMS
    assert files("*.rows") == []


def test_bad_vectors_are_refused_and_not_kept():
    class Bad(CountingSource):
        def row(self, _part):
            return np.array([1, np.nan, 1], np.float32)

    with pytest.raises(InputError, match="infinite or not a number"):
        encoded(CachedSource(Bad()), TERMS)
    assert asked(TERMS) == TERMS


_ENCODE = """
import sys, time
from medgauge.models.encoding import encoded
from medgauge.models.vector_cache.cached_source import CachedSource
from tests.support.sources import CountingSource

class Slow(CountingSource):
    def batches(self, texts):
        for number, batch in enumerate(super().batches(texts)):
            if number == int(sys.argv[1]):
                print("waiting", flush=True)
                sys.stdin.read()
            yield batch

terms = [f"disease {number}" for number in range(int(sys.argv[2]))]
source = Slow()
rows, _ = encoded(CachedSource(source), terms)
assert rows.tobytes() == encoded(CountingSource(), terms)[0].tobytes()
print(len(source.asked))
"""


def program(*arguments: int) -> list[str]:
    return [sys.executable, "-c", _ENCODE, *map(str, arguments)]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def test_a_killed_run_loses_at_most_a_batch():
    pipes = {"stdin": -1, "stdout": -1}
    with running(program(2, 10), env=environment(), **pipes) as process:
        assert process.stdout.readline() == "waiting\n"
        process.send_signal(signal.SIGKILL)
    assert len(asked(TERMS)) == 2  # of two batches of 4 and one of 2, the third was not there yet


def test_two_processes_at_once_each_get_what_they_ask_for():
    pipes = {"stdin": -1, "stdout": -1}
    with (
        running(program(100, 2000), env=environment(), **pipes) as first,
        running(program(300, 2000), env=environment(), **pipes) as second,
    ):
        for process in (first, second):
            assert process.stdout.readline() == "waiting\n"
        for process in (first, second):
            process.stdin.close()
        computed = [int(process.stdout.read()) for process in (first, second)]
    assert all(100 < count <= 2000 for count in computed)
    assert run(program(-1, 2000), env=environment(), check=True).stdout == "0\n"
    assert asked([f"disease {number}" for number in range(2000)]) == []
