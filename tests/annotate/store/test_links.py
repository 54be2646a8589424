"""Tokens of links, and who they let in."""

import hashlib

import pytest

from medgauge.annotate.store import links
from medgauge.errors import InputError
from tests.annotate.studies import ANN, BEA, COORDINATOR, beside, make, rate, undo


def test_a_token_has_128_bits_that_are_drawn_each_time(monkeypatch):
    asked = []
    monkeypatch.setattr("secrets.token_urlsafe", lambda size: asked.append(size) or "x")
    links.new_token()
    assert asked == [16]
    monkeypatch.undo()
    assert len({links.new_token() for _ in range(100)}) == 100


def test_a_link_signs_in_whose_it_is(tmp_path):
    with make(tmp_path) as store:
        tokens = {number: store.new_link(number) for number in (ANN, BEA, COORDINATOR)}
        found = {number: store.annotator_by_link(token) for number, token in tokens.items()}
    assert {number: one.number for number, one in found.items()} == {1: 1, 2: 2, 3: 3}
    assert [one.coordinator for one in found.values()] == [False, False, True]
    assert found[BEA].name == "Béa-Łucja"


@pytest.mark.parametrize("change", [str.swapcase, lambda token: token[:-1], lambda token: token + "A"])
def test_a_token_that_is_almost_one_lets_nobody_in(tmp_path, change):
    with make(tmp_path) as store:
        assert store.annotator_by_link(change(store.new_link(ANN))) is None


@pytest.mark.parametrize("token", ["", "Ünknown", "\ud800", "' OR 1 = 1 --", "\0"])
def test_odd_tokens_let_nobody_in(tmp_path, token):
    with make(tmp_path) as store:
        store.new_link(ANN)
        assert store.annotator_by_link(token) is None


def test_a_digest_is_compared_in_constant_time(tmp_path, monkeypatch):
    compared = []
    monkeypatch.setattr("hmac.compare_digest", lambda a, b: compared.append((a, b)) or False)
    with make(tmp_path) as store:
        token = store.new_link(ANN)
        assert store.annotator_by_link(token) is None
    digest = hashlib.sha256(token.encode()).digest()
    assert compared == [(digest, digest)]


def test_only_the_digest_of_a_token_is_on_disk(tmp_path):
    with make(tmp_path) as store:
        token = store.new_link(ANN)
        written = b"".join(path.read_bytes() for path in tmp_path.iterdir())
        assert token.encode() not in written
        assert hashlib.sha256(token.encode()).digest() in written


def test_a_new_link_ends_the_old_one(tmp_path):
    with make(tmp_path) as store:
        old, new = store.new_link(ANN), store.new_link(ANN)
        assert store.annotator_by_link(old) is None
        assert store.annotator_by_link(new).number == ANN


def test_who_is_revoked_neither_signs_in_nor_changes_anything_and_keeps_what_was_rated(tmp_path):
    with make(tmp_path) as store:
        token = store.new_link(ANN)
        key = rate(store, ANN, 0)
        store.revoke(ANN)
        assert store.annotator_by_link(token) is None
        refused = [
            lambda: rate(store, ANN, 1),
            lambda: rate(store, ANN, 0, key=key),
            lambda: undo(store, ANN, 0, key="u"),
            lambda: store.submit_page(ANN, 1),
            lambda: store.mark_instructed(ANN),
        ]
        for change in refused:
            with pytest.raises(InputError, match="revoked"):
                change()
        assert [rated.place for rated in store.ratings()] == [0]
        (first, *_) = store.annotators()
        store.revoke(ANN)
        assert store.annotators()[0].revoked_at == first.revoked_at


def test_a_revoked_annotator_comes_back_by_a_new_link_alone(tmp_path):
    with make(tmp_path) as store:
        old = store.new_link(ANN)
        store.revoke(ANN)
        new = store.new_link(ANN)
        assert store.annotator_by_link(old) is None
        assert store.annotator_by_link(new).revoked_at is None
        rate(store, ANN, 0)


@pytest.mark.parametrize("number", [0, -1, 4, 2**70])
def test_nobody_has_a_link_of_no_one(tmp_path, number):
    with make(tmp_path) as store:
        for change in (store.new_link, store.revoke):
            with pytest.raises(InputError, match=r"no annotator|too large"):
                change(number)


def test_revoking_forgets_the_digest(tmp_path):
    with make(tmp_path) as store:
        store.new_link(ANN)
        store.revoke(ANN)
    with beside(tmp_path) as connection:
        assert connection.execute("SELECT link_hash FROM annotator").fetchall() == [(None,)] * 3
