"""Which pages there are."""

import pytest

from tests.annotate.studies import ANN
from tests.annotate.web.sites import JSON, Visitor


@pytest.mark.parametrize("path", ["/nowhere", "/static/../app.py", "/static/", "/static/none.js", "/s"])
def test_a_page_that_is_not_there_says_so(ann, path):
    reply = ann.get(path)
    assert reply.status_code == 404
    assert "There is no such page" in reply.text


@pytest.mark.parametrize(("method", "path"), [("PUT", "/rate"), ("DELETE", "/rate"), ("GET", "/submit")])
def test_a_page_that_is_asked_for_in_another_way_says_so(ann, method, path):
    reply = ann.client.request(method, path, headers=JSON)
    assert reply.status_code == 405
    assert reply.json() == {"error": "This page does not accept such a request.", "retry": False}


@pytest.mark.parametrize(
    "name",
    [
        "answers",
        "dialogs",
        "fresh",
        "kept",
        "person",
        "practice",
        "queue",
        "rate",
        "refusals",
        "requests",
        "stopwatch",
    ],
)
def test_scripts_are_served_as_scripts(ann, name):
    reply = ann.get(f"/static/{name}.js")
    assert reply.status_code == 200
    assert reply.headers["content-type"].startswith("text/javascript")


@pytest.mark.parametrize("host", ["evil.example.org", "127.0.0.1:8000"])
def test_a_slash_behind_a_link_does_not_send_it_to_where_the_request_says_it_came(graded, host):
    ann = Visitor(graded, ANN, url="https://study.example.org")
    for path in (f"/s/{ann.token}/", "/rate/", "/static"):
        reply = ann.client.get(path, headers={"host": host}, follow_redirects=False)
        assert reply.status_code == 404
        assert "location" not in reply.headers
