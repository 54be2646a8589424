"""Headers on every answer, and limits on size and rate."""

import asyncio
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from medgauge.annotate.web import site
from medgauge.annotate.web.guards import LARGEST_BODY, BoundedBody, Rate
from tests.annotate.studies import ANN, COORDINATOR, log
from tests.annotate.web.sites import Visitor


@pytest.fixture
def standing_clock(monkeypatch):
    """Let no time pass in which a busy machine would refill what a visitor may ask for."""
    monkeypatch.setattr(site, "Rate", partial(Rate, clock=lambda: 0.0))


@pytest.mark.parametrize("path", ["/", "/rate", "/nowhere", "/s/unknown", "/static/rate.js", "/coordinator"])
def test_every_answer_forbids_what_is_not_the_studys_own(ann, path):
    headers = ann.get(path).headers
    policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == ("no-cache" if path.startswith("/static") else "no-store")
    assert "strict-transport-security" not in headers


def test_over_tls_browsers_are_told_to_stay_there_and_cookies_are_secure(graded):
    ann = Visitor(graded, ANN, url="https://study.example.org")
    reply = ann.sign_in()
    assert reply.headers["strict-transport-security"].startswith("max-age=")
    cookie = reply.headers["set-cookie"]
    assert cookie.startswith("__Host-")
    assert "; Secure" in cookie
    assert "; Path=/" in cookie


def test_a_page_has_nothing_that_the_policy_would_stop(ann, chief):
    pages = [ann.get(path).text for path in ("/instructions", "/practice", "/rate")]
    for page in [*pages, chief.get("/coordinator").text]:
        assert " style=" not in page
        assert "<style" not in page
        assert " onclick=" not in page
        assert "http://" not in page.replace("http://testserver", "")
        assert "https://" not in page


def test_a_request_that_is_too_large_is_refused_by_its_header(ann, graded):
    reply = ann.send("/rate", "x" * (LARGEST_BODY + 1))
    assert reply.status_code == 413
    assert log(graded) == []


def receive_in_parts(parts: list[bytes]):
    left = list(parts)

    async def receive():
        body = left.pop(0)
        return {"type": "http.request", "body": body, "more_body": bool(left)}

    return receive


def bounded(headers, parts: list[bytes]) -> tuple[int, int]:
    """Give the status that is answered, and how much of the body was read."""
    read, answers = [], []

    async def app(scope, receive, send):
        more = True
        while more:
            message = await receive()
            read.append(len(message["body"]))
            more = message["more_body"]
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message):
        answers.append(message.get("status"))

    scope = {"type": "http", "headers": headers}
    asyncio.run(BoundedBody(app)(scope, receive_in_parts(parts), send))
    return answers[0], sum(read)


@given(st.lists(st.integers(0, LARGEST_BODY), min_size=1, max_size=6))
def test_a_body_without_a_length_is_read_up_to_the_limit(sizes):
    status, read = bounded([], [b"x" * size for size in sizes])
    assert status == (200 if sum(sizes) <= LARGEST_BODY else 413)
    assert read <= LARGEST_BODY


@pytest.mark.parametrize(
    "length", [b"-1", b"1e3", b"", b"\xd9\xa3", str(LARGEST_BODY + 1).encode(), b"9" * 5000]
)
def test_a_length_that_is_none_or_too_large_is_refused_unread(length):
    assert bounded([(b"content-length", length)], [b"{}"]) == (413, 0)


def test_a_rate_is_that_of_a_bucket_which_fills_again():
    now = 0.0
    rate = Rate(burst=3, per_second=0.5, clock=lambda: now)
    assert [rate.allows("a") for _ in range(5)] == [True, True, True, False, False]
    now = 1.9
    assert not rate.allows("a")
    now = 2.0
    assert [rate.allows("a") for _ in range(2)] == [True, False]
    now = 1000.0
    assert [rate.allows("a") for _ in range(4)] == [True, True, True, False]


def test_very_many_clients_are_forgotten_from_the_oldest_on():
    rate = Rate(burst=1, per_second=0, clock=lambda: 0.0)
    assert rate.allows("first")
    assert not rate.allows("first")
    for client in range(10_000):
        rate.allows(client)
    assert rate.allows("first")
    assert not rate.allows(9_999)


@pytest.mark.usefixtures("standing_clock")
def test_who_asks_too_often_waits_and_the_others_do_not(graded):
    ann = Visitor(graded, ANN)
    ann.sign_in()
    statuses = [ann.get("/instructions").status_code for _ in range(130)]
    assert statuses[0] == 200
    assert 429 in statuses
    other = Visitor(graded, COORDINATOR)
    assert other.sign_in().status_code == 303


@pytest.mark.usefixtures("standing_clock")
def test_guessing_links_is_limited_and_never_keeps_out_who_has_one(graded):
    ann = Visitor(graded, ANN)
    statuses = [ann.get(f"/s/guess-{n}").status_code for n in range(40)]
    assert statuses[0] == 404
    assert statuses[-1] == 429
    assert ann.get("/rate").status_code == 429
    assert ann.sign_in().status_code == 303
    assert ann.get("/instructions").status_code == 200


@pytest.mark.usefixtures("standing_clock")
def test_an_address_that_a_proxy_passes_on_is_not_kept_at_any_length(graded):
    """Buckets are few enough to keep only if each is small."""
    app = Visitor(graded, ANN).client.app
    clients = [TestClient(app, client=(f"{'z' * 64}{n}{'z' * 10_000}", 1)) for n in range(40)]
    assert [client.get("/rate").status_code for client in clients][-1] == 429
