"""Signing in by a link and out, and what a session may do."""

import pytest

from tests.annotate.studies import ANN, COORDINATOR, log
from tests.annotate.web.sites import JSON, Visitor


def test_a_link_signs_in_by_a_cookie_that_scripts_and_other_sites_do_not_get(graded):
    ann = Visitor(graded, ANN)
    cookie = ann.sign_in().headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "samesite=lax" in cookie.lower()
    assert ann.get("/instructions").status_code == 200


def test_the_coordinator_is_led_to_their_page(chief):
    assert chief.sign_in().headers["location"] == "/coordinator"
    assert chief.get("/coordinator").status_code == 200


def test_one_browser_can_hold_the_coordinator_and_an_annotator(chief, graded):
    chief.get(f"/s/{graded.new_link(ANN)}")
    assert "Ann" in chief.get("/instructions").text
    assert chief.get("/coordinator").status_code == 200


@pytest.mark.parametrize("token", ["unknown", "", "Ünknown", "%2e%2e", "a" * 500])
def test_an_unknown_link_is_told_what_to_do(graded, token):
    reply = Visitor(graded, ANN).get(f"/s/{token}")
    assert reply.status_code == 404
    assert "set-cookie" not in reply.headers
    assert "coordinator of the study for a new one" in reply.text or token == ""


def test_a_revoked_link_is_like_an_unknown_one(graded):
    ann = Visitor(graded, ANN)
    graded.revoke(ANN)
    assert ann.sign_in().status_code == 404


def test_a_new_link_signs_the_old_one_out(ann, graded):
    graded.new_link(ANN)
    assert ann.get("/rate").status_code == 401


def test_without_a_link_there_is_a_sentence_and_no_page(graded):
    stranger = Visitor(graded, ANN)
    for path in ("/", "/instructions", "/practice", "/rate", "/done", "/coordinator"):
        reply = stranger.get(path)
        assert reply.status_code == 401
        assert "Open the link that you were sent" in reply.text
    assert stranger.get("/rate", headers=JSON).json()["retry"] is False


def test_a_browser_that_keeps_no_cookies_is_informed_of_them(graded):
    ann = Visitor(graded, ANN)
    assert ann.sign_in().status_code == 303
    ann.client.cookies.clear()
    reply = ann.get("/")
    assert reply.status_code == 401
    assert "a browser that accepts cookies" in reply.text


def test_a_looked_at_link_changes_nothing(graded):
    ann = Visitor(graded, ANN)
    before = graded.annotators()
    assert ann.client.head(f"/s/{ann.token}", follow_redirects=False).status_code in (303, 405)
    ann.sign_in()
    assert graded.annotators() == before


@pytest.mark.parametrize(
    "path", ["/instructions", "/practice", "/practice/end", "/rate", "/undo", "/submit", "/sign-out"]
)
@pytest.mark.parametrize("csrf", [None, "", "0" * 64, "é"])
def test_a_post_without_the_sessions_token_does_nothing(ann, graded, path, csrf):
    before = graded.annotators()
    reply = ann.client.post(path, data={} if csrf is None else {"csrf": csrf}, follow_redirects=False)
    assert reply.status_code == 403
    assert graded.annotators() == before
    assert log(graded) == []


@pytest.mark.parametrize("path", ["pause", "resume", "link", "revoke"])
def test_the_coordinators_posts_need_the_token_too(chief, graded, path):
    assert chief.client.post(f"/coordinator/{path}", data={"annotator": "1"}).status_code == 403
    assert not graded.study().paused
    assert all(one.revoked_at is None for one in graded.annotators())


def test_signing_out_forgets_the_session_on_this_device(ann):
    assert ann.post("/sign-out").status_code == 200
    assert ann.get("/rate").status_code == 401
    assert ann.sign_in().status_code == 303


def test_studies_on_the_same_host_do_not_sign_each_other_out(tmp_path, graded):
    from tests.annotate.web.sites import make_graded

    with make_graded(tmp_path / "other", name="Another") as store:
        one, other = Visitor(graded, ANN), Visitor(store, ANN)
        names = [next(iter(visitor.sign_in().cookies)) for visitor in (one, other)]
    assert names[0] != names[1]


def test_a_coordinators_token_does_not_open_an_annotators_pages(graded):
    chief = Visitor(graded, COORDINATOR)
    name = next(iter(chief.sign_in().cookies))
    chief.client.cookies.set(name.removesuffix("-coordinator"), chief.token)
    assert chief.get("/instructions").status_code == 401
