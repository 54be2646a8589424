"""Which pages there are."""

import pytest

from tests.annotate.web.sites import JSON


@pytest.mark.parametrize("path", ["/nowhere", "/static/../app.py", "/static/", "/static/none.js", "/s"])
def test_a_page_that_is_not_there_says_so(ann, path):
    reply = ann.get(path)
    assert reply.status_code == 404
    assert "There is no such page" in reply.text


@pytest.mark.parametrize(("method", "path"), [("PUT", "/rate"), ("DELETE", "/rate"), ("GET", "/submit")])
def test_a_page_that_is_asked_for_in_another_way_says_so(ann, method, path):
    reply = ann.client.request(method, path, headers=JSON)
    assert reply.status_code == 405
    assert reply.json() == {"error": "This page cannot be asked for in that way.", "retry": False}


@pytest.mark.parametrize("name", ["answers", "post", "practice", "queue", "rate", "stopwatch"])
def test_scripts_are_served_as_scripts(ann, name):
    reply = ann.get(f"/static/{name}.js")
    assert reply.status_code == 200
    assert reply.headers["content-type"].startswith("text/javascript")
