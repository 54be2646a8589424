import hmac
import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge.errors import FileError
from medgauge.models.vector_cache.secret_key import KeyedNames, own_key


@given(st.binary(min_size=1, max_size=64), st.binary(max_size=16), st.text(st.characters(codec="utf-8")))
def test_names_are_those_of_the_standard_library(key, prefix, term):
    expected = hmac.digest(key, prefix + term.encode(), "sha256")[:16]
    assert KeyedNames(key, prefix).of(term) == expected
    assert KeyedNames(key, prefix).of_all([term, term])[1].tobytes() == expected


def test_names_are_those_of_a_printed_example():
    """Test case 2 of RFC 4231."""
    name = KeyedNames(b"Jefe", b"what do ya want ").of("for nothing?")
    assert name.hex() == "5bdcc146bf60754e6a042426089575c7"


def test_half_a_character_has_a_name():
    assert len(KeyedNames(b"key").of("\ud800")) == 16


def test_no_terms_have_no_names():
    assert KeyedNames(b"key").of_all([]).shape == (0, 2)


def test_the_key_is_made_once_and_only_the_users(tmp_path):
    key = own_key(tmp_path)
    assert len(key) == 32
    assert own_key(tmp_path) == key
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


def test_a_key_that_others_could_read_is_closed(tmp_path):
    own_key(tmp_path)
    (tmp_path / "key").chmod(0o644)
    own_key(tmp_path)
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600


def test_a_damaged_key_is_replaced(tmp_path):
    first = own_key(tmp_path)
    (tmp_path / "key").write_bytes(first[:5])
    assert len(own_key(tmp_path)) == 32
    assert own_key(tmp_path) != first


def test_many_at_once_get_the_same_key(tmp_path):
    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(lambda _: own_key(tmp_path), range(40)))) == 1


def test_a_file_system_without_links_has_a_key(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr("pathlib.Path.hardlink_to", refuse)
    assert own_key(tmp_path) == own_key(tmp_path)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="Windows has no such owners")
def test_the_key_of_another_user_is_refused(tmp_path, monkeypatch):
    own_key(tmp_path)
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    with pytest.raises(FileError, match="key: belongs to another user"):
        own_key(tmp_path)


def test_names_of_different_terms_and_keys_differ():
    names = [KeyedNames(key).of_all(["flu", "asthma"]) for key in (b"one", b"two")]
    assert len(np.unique(np.concatenate(names), axis=0)) == 4
