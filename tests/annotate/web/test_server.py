"""The server itself, by hand: clients that are slow, odd, or do not mean well, and what it logs of them."""

import http.client
import socket
from contextlib import ExitStack, closing

import pytest

from medgauge.annotate.web.connections import MOST
from tests.annotate.web.served import ServedStudy

PATIENCE = 20.0


@pytest.fixture
def study(serve) -> ServedStudy:
    return serve("graded", 3)


def connect(study: ServedStudy) -> socket.socket:
    return socket.create_connection(("127.0.0.1", study.server.port), timeout=PATIENCE)


def status_of(study: ServedStudy, path: str, **headers: str) -> int:
    """Ask as a browser that has just come."""
    with closing(http.client.HTTPConnection("127.0.0.1", study.server.port, timeout=PATIENCE)) as client:
        client.request("GET", path, headers=headers)
        return client.getresponse().status


UPGRADE = b"Connection: Upgrade\r\nUpgrade: websocket\r\n"
ODD = {
    "hangs up within a body": b"POST /rate HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{",
    "is no chunk": b"POST /rate HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nno number\r\n",
    "has two lengths": b"POST /rate HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
    "is no HTTP": b"GET /s/a-secret-link\r\n\r\n",
    "is not ASCII": "GET /s/a-secret-link-é HTTP/1.1\r\nHost: x\r\n\r\n".encode(),
    "asks for a socket": b"GET /s/a-secret-link HTTP/1.1\r\nHost: x\r\n" + UPGRADE + b"\r\n",
}


def test_no_stranger_can_fill_the_log(study):
    for sent in ODD.values():
        with connect(study) as client:
            client.sendall(sent)
        assert status_of(study, "/rate") == 401
    study.server.kill()
    assert study.faults() == []


def send_without_end(client: socket.socket) -> None:
    for _ in range(100_000):
        client.sendall(b"1000\r\n" + b"x" * 4096 + b"\r\n")


@pytest.mark.parametrize("path", ["/nowhere", "/rate", "/static/rate.js"])
def test_a_body_without_an_end_is_not_read_for_ever(study, path):
    with connect(study) as client:
        client.sendall(f"POST {path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
        with pytest.raises(ConnectionError):
            send_without_end(client)


def test_a_request_with_two_ends_is_the_last_of_its_connection(study):
    """A proxy may have taken the other end, and what comes after it for somebody else's request."""
    both = (
        b"POST /rate HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    )
    with connect(study) as client:
        client.sendall(both + b"GET /s/smuggled HTTP/1.1\r\nHost: x\r\n\r\n")
        answered = b"".join(iter(lambda: client.recv(4096), b""))
    assert answered.startswith(b"HTTP/1.1 400 ")
    assert answered.count(b"HTTP/1.1") == 1


UNFINISHED = (b"", b"GET /rate HT", b"POST /rate HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{")


def test_clients_that_keep_silent_keep_nobody_out(study):
    with ExitStack() as stack:
        speaker = stack.enter_context(
            closing(http.client.HTTPConnection("127.0.0.1", study.server.port, timeout=PATIENCE))
        )
        silent = []
        for number in range(MOST + 50):
            client = stack.enter_context(connect(study))
            client.sendall(UNFINISHED[number % 3])
            silent.append(client)
            if number % 100 == 0:
                speaker.request("GET", "/static/icon.svg")
                assert speaker.getresponse().read().startswith(b"<svg")
        assert status_of(study, "/rate") == 401
        assert silent[0].recv(1) == b""  # closed, to make room
        speaker.request("GET", "/static/icon.svg")  # which has spoken since the others
        assert speaker.getresponse().status == 200
    study.server.kill()
    assert study.faults() == []


def test_without_a_proxy_nobody_says_for_whom_they_ask(study):
    statuses = [status_of(study, f"/s/guess-{n}", **{"X-Forwarded-For": f"10.0.0.{n}"}) for n in range(40)]
    assert statuses[0] == 404
    assert statuses[-1] == 429


def test_behind_a_proxy_strangers_are_told_apart(serve):
    study = serve("graded", 3, url="https://study.example.org")
    statuses = [status_of(study, f"/s/guess-{n}", **{"X-Forwarded-For": f"10.0.0.{n}"}) for n in range(40)]
    assert set(statuses) == {404}
