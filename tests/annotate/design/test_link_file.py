"""The file of links: it leads to where the study is served, or it is said that it does not."""

import errno
import os
import stat

import pytest

from medgauge.annotate.design.link_file import LINKS, LinksMoved, move_links, write_links

OLD, NEW = "http://127.0.0.1:8000", "http://127.0.0.1:8765"
TOKENS = {"Ann": "a" * 22, 'D"an, http://127.0.0.1:8000': "b" * 22}


def test_links_led_to_another_port_than_that_of_the_server(tmp_path):
    write_links(tmp_path / LINKS, TOKENS, OLD)
    assert move_links(tmp_path, NEW) == LinksMoved(OLD, NEW)
    text = (tmp_path / LINKS).read_text("utf-8")
    assert (
        text
        == f"""name,link
"Ann",{NEW}/s/{"a" * 22}
"D""an, {OLD}",{NEW}/s/{"b" * 22}
"""
    )
    assert stat.S_IMODE((tmp_path / LINKS).stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [LINKS]
    assert move_links(tmp_path, NEW) is None


@pytest.mark.parametrize("old", ["http://localhost:9", "http://[::1]:8000", "https://127.0.0.2"])
def test_links_to_this_machine_are_changed_to_those_of_a_proxy(tmp_path, old):
    write_links(tmp_path / LINKS, TOKENS, old)
    proxy = "https://study.example.org"
    assert move_links(tmp_path, proxy) == LinksMoved(old, proxy)
    assert f",{proxy}/s/{'a' * 22}" in (tmp_path / LINKS).read_text("utf-8")


def test_links_to_another_machine_are_left_as_they_are(tmp_path):
    proxy = "https://study.example.org"
    write_links(tmp_path / LINKS, TOKENS, proxy)
    before = (tmp_path / LINKS).read_bytes()
    assert move_links(tmp_path, NEW) == LinksMoved(proxy, proxy)
    assert (tmp_path / LINKS).read_bytes() == before


def test_a_file_that_cannot_be_written_is_left_as_it_is(tmp_path, monkeypatch):
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    write_links(tmp_path / LINKS, TOKENS, OLD)
    monkeypatch.setattr(os, "fsync", full)
    assert move_links(tmp_path, NEW) == LinksMoved(OLD, OLD)
    assert OLD in (tmp_path / LINKS).read_text("utf-8")


@pytest.mark.parametrize(
    "content", [None, b"", b"\xff\xfe", b"name,link\n", b"Ann,http://127.0.0.1:8765/s/x\n"]
)
def test_without_links_that_lead_elsewhere_nothing_is_changed(tmp_path, content):
    if content is not None:
        (tmp_path / LINKS).write_bytes(content)
    assert move_links(tmp_path, NEW) is None
    if content is not None:
        assert (tmp_path / LINKS).read_bytes() == content
