from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from medgauge.files.digests import sha256_of
from medgauge.progress import Advance, showing, track


def _recorder(events: list[tuple[object, ...]]):
    @contextmanager
    def listener(what: str, steps: int) -> Iterator[Advance]:
        events.append(("open", what, steps))
        yield lambda done: events.append(("advance", done))
        events.append(("close", what))

    return listener


def _work() -> None:
    with track("reading", 5) as advance:
        advance(2)
        advance(3)


def test_progress_is_silent_by_default(capfd):
    _work()
    assert capfd.readouterr() == ("", "")


def test_a_listener_sees_the_steps_in_order():
    events: list[tuple[object, ...]] = []
    with showing(_recorder(events)):
        _work()
    assert events == [("open", "reading", 5), ("advance", 2), ("advance", 3), ("close", "reading")]


def test_a_listener_hears_nothing_after_its_block():
    events: list[tuple[object, ...]] = []
    with showing(_recorder(events)):
        pass
    _work()
    assert events == []


def test_a_listener_is_taken_away_after_an_exception():
    events: list[tuple[object, ...]] = []
    with pytest.raises(ZeroDivisionError), showing(_recorder(events)):
        raise ZeroDivisionError
    _work()
    assert events == []


def test_an_inner_listener_replaces_the_outer_one_until_its_block_ends():
    outer: list[tuple[object, ...]] = []
    inner: list[tuple[object, ...]] = []
    with showing(_recorder(outer)):
        with showing(_recorder(inner)):
            _work()
        assert outer == []
        _work()
    assert inner == outer != []


def test_hashing_reports_each_byte_once(tmp_path):
    path = tmp_path / "three-blocks"
    path.write_bytes(bytes(2_500_000))
    events: list[tuple[Any, ...]] = []
    with showing(_recorder(events)):
        sha256_of(path)
    assert events[0] == ("open", "hashing three-blocks", 2_500_000)
    assert sum(event[1] for event in events if event[0] == "advance") == 2_500_000
