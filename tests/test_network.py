import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from medgauge.errors import InputError, LostAnswerError, ServiceError
from medgauge.network import Reply, get, phrase, post, service_address
from tests.support.embedding_service import stand_in

SECRET = "sk-a-secret-key"
BODY = json.dumps({"model": "m", "input": ["a secret term"]}).encode()


@pytest.fixture
def service():
    with stand_in() as running:
        yield running


def ask(url: str, timeout: float = 5.0, key: str = SECRET) -> Reply:
    return post(url, BODY, {"Authorization": f"Bearer {key}"}, timeout)


@contextmanager
def answering(*blocks: bytes) -> Iterator[str]:
    """Answer one connection with some bytes, a little apart, and close it."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:

        def serve() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(1 << 16)
                for block in blocks:
                    try:
                        connection.sendall(block)
                    except OSError:
                        return
                    time.sleep(0.02)

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
        thread.join()


def free_address() -> str:
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        return f"http://127.0.0.1:{listener.getsockname()[1]}/v1"


def test_an_answer_comes_with_status_headers_and_body(service):
    reply = ask(f"{service.url}/embeddings")
    assert reply.status == 200
    assert json.loads(reply.body)["data"][0]["index"] == 0
    assert reply.headers["content-length"] == str(len(reply.body))
    assert service.headers[0]["Authorization"] == f"Bearer {SECRET}"
    assert service.headers[0]["Content-Type"] == "application/json"


def test_a_refusal_is_an_answer_too(service):
    service.faults.append("429 after 7")
    reply = ask(f"{service.url}/embeddings")
    assert (reply.status, reply.headers["retry-after"]) == (429, "7")


def test_a_redirect_is_refused_and_not_followed(service):
    service.faults.append("redirect")
    with pytest.raises(ServiceError, match=r"redirects to another address \(307\), which is not followed"):
        ask(f"{service.url}/embeddings")
    assert len(service.asked) == 1


@pytest.mark.parametrize(
    "blocks",
    [
        [b""],
        [b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"],
        [b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhalf"],
        [b"220 ready\r\n\r\n"],
        [b"HTTP/1.1 500 Oh\r\nContent-Length: 10\r\n\r\nhalf"],
    ],
)
def test_a_broken_answer_is_worth_another_try(blocks):
    with answering(*blocks) as url, pytest.raises(LostAnswerError, match="broke before the answer"):
        ask(url)


def test_a_service_that_does_not_answer_is_given_up(service):
    service.faults.append("hang")
    with pytest.raises(LostAnswerError, match=r"did not answer within 0.1 seconds"):
        ask(f"{service.url}/embeddings", timeout=0.1)


def test_a_service_that_answers_by_drops_is_given_up():
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"
    with answering(head, *[b"x"] * 50) as url, pytest.raises(LostAnswerError, match="did not answer within"):
        ask(url, timeout=0.2)


def test_a_service_that_is_down_is_not_tried_again():
    with pytest.raises(ServiceError, match=r"cannot be reached \(Connection refused\)") as raised:
        ask(free_address())
    assert not isinstance(raised.value, LostAnswerError)


def test_an_answer_without_end_is_cut(monkeypatch):
    monkeypatch.setattr("medgauge.network._LONGEST_ANSWER", 1 << 20)
    head = b"HTTP/1.1 200 OK\r\n\r\n"
    with (
        answering(head, *[bytes(1 << 19)] * 4) as url,
        pytest.raises(ServiceError, match="is longer than"),
    ):
        ask(url)


@pytest.mark.parametrize("key", [f"{SECRET}\n", f"{SECRET}\r\nX: y", "sk-schlüssel"])
def test_a_key_that_cannot_be_sent_is_not_repeated(service, key):
    with pytest.raises(InputError) as raised:
        ask(service.url, key=key)
    assert "sk-" not in str(raised.value)
    assert service.asked == []


def test_this_machine_is_asked_without_a_proxy(service, monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, free_address())
    monkeypatch.delenv("no_proxy", raising=False)
    assert ask(f"{service.url}/embeddings").status == 200


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("http://example.org/v1", "is not encrypted"),
        ("http://localhost.example.org/v1", "is not encrypted"),
        ("http://127.0.0.1@example.org/v1", "user name"),
        ("http://10.0.0.1/v1", "is not encrypted"),
        ("http://127.1/v1", "is not encrypted"),
        ("ftp://example.org", "has the form"),
        ("file:///etc/passwd", "has the form"),
        ("https://", "has the form"),
        ("https://example.org:99999", "has the form"),
        ("https://[::1", "has the form"),
        ("https://example.org/a b", "has the form"),
        ("https://example.org\\@evil.org/", "has the form"),
        (f"https://me:{SECRET}@example.org", "user name"),
        (f"https://example.org/v1?key={SECRET}", "question mark"),
        (f"https://example.org/v1#{SECRET}", "question mark"),
        ("https://example.org/v1/../v2", "in its path"),
        ("https://example.org/v1/%2e%2E/v2", "in its path"),
        (f"https://{'a' * 64}.org/v1", "has the form"),
        ("https://..org/v1", "has the form"),
        ("https://é.example.org/v1", "percent-encoded"),
        ("http://localhost/é", "percent-encoded"),
        (f"https://é:{SECRET}@example.org", "user name"),
    ],
)
def test_addresses_that_nothing_is_sent_to(url, problem):
    with pytest.raises(InputError, match=problem) as raised:
        ask(url)
    assert SECRET not in str(raised.value)


@pytest.mark.parametrize(
    "url", ["http://localhost/v1", "http://[::1]:8000", "http://127.0.0.2:1", "https://example.org"]
)
def test_addresses_that_are_allowed(url):
    assert service_address(url).hostname


def test_statuses_are_named_in_standard_words():
    assert phrase(500) == "500 Internal Server Error"


@pytest.mark.parametrize(
    ("answer", "error", "problem"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{", LostAnswerError, "the connection broke"),
        (
            b"HTTP/1.1 302 Found\r\nLocation: https://x.org/?apiKey=1\r\nContent-Length: 0\r\n\r\n",
            ServiceError,
            "redirects to another address",
        ),
    ],
)
def test_no_error_repeats_a_query(answer, error, problem):
    with answering(answer) as url, pytest.raises(error, match=problem) as caught:
        get(url, [("apiKey", SECRET)], 5.0)
    assert SECRET not in str(caught.value)
    with pytest.raises(ServiceError, match="cannot be reached") as down:
        get(free_address(), [("apiKey", SECRET)], 5.0)
    assert SECRET not in str(down.value)


def test_a_query_is_sent_encrypted_or_to_this_machine():
    with answering(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}") as url:
        assert get(url, [("string", "a b&c"), ("apiKey", SECRET)], 5.0).body == b"{}"
    with pytest.raises(InputError, match="is not encrypted"):
        get("http://example.org/rest", [("apiKey", SECRET)], 5.0)
