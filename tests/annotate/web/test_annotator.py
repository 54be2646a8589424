"""The pages of an annotator, without a browser: the way through them, and what they take and refuse."""

from datetime import UTC, datetime, timedelta
from itertools import count

import pytest

from medgauge.errors import FileError
from medgauge.protocol import load_protocol
from tests.annotate.studies import ANN, BEA, TASKS, Task, log, rate, standing
from tests.annotate.web.sites import DANGEROUS, JSON, Visitor, dangerous_pairs, make_graded


def test_the_way_leads_from_the_instructions_over_practice_to_the_pairs(graded):
    ann = Visitor(graded, ANN)
    assert ann.sign_in().headers["location"] == "/"
    assert ann.get("/").url.path == "/instructions"
    assert ann.get("/rate").url.path == "/instructions"
    assert ann.get("/practice").url.path == "/instructions"
    assert ann.post("/instructions").status_code == 303
    assert ann.get("/rate").url.path == "/practice"
    assert ann.post("/practice/end").status_code == 303
    assert ann.get("/").url.path == "/rate"
    assert ann.get("/done").url.path == "/rate"
    assert ann.get("/instructions").status_code == 200  # whenever they are asked for


def test_without_practice_pairs_there_is_no_practice(tmp_path):
    bare = load_protocol("graded").model_copy(update={"practice": ()})
    with make_graded(tmp_path) as store:
        ann = Visitor(store, ANN, protocol=bare)
        ann.sign_in()
        assert ">Begin<" in ann.get("/instructions").text
        ann.post("/instructions")
        for path in ("/", "/practice"):
            assert ann.get(path).url.path == "/rate"


def test_practice_tells_whether_an_answer_is_right_and_stores_nothing(graded):
    ann = Visitor(graded, ANN)
    ann.sign_in()
    pairs = load_protocol("graded").practice
    for place, pair in enumerate(pairs):
        right = ann.send("/practice", {"place": place, "value": pair.value})
        assert right.json() == {"right": True, "feedback": pair.feedback}
    assert ann.send("/practice", {"place": 0, "value": 3}).json()["right"] is False
    assert ann.send("/practice", {"place": 0, "value": None}).json()["right"] is False
    assert ann.send("/practice", {"place": len(pairs), "value": 1}).status_code == 422
    assert ann.send("/practice", {"place": -1, "value": 1}).status_code == 422
    assert ann.send("/practice", {"place": 0, "value": 7}).status_code == 422
    assert log(graded) == []


def test_a_rating_is_stored_with_all_that_was_sent(ann, graded):
    reply = ann.rate(1, 3, key="first")
    assert reply.status_code == 200
    assert reply.json() == {"place": 1, "saved": graded.ratings()[0].at, "remind": False}
    [rated] = graded.ratings()
    assert (rated.annotator, rated.place, rated.value, rated.unsure, rated.seconds) == (
        "Ann",
        1,
        3.0,
        False,
        1.5,
    )
    assert ann.rate(0, None).status_code == 200
    assert standing(graded) == {("Ann", 0): None, ("Ann", 1): 3.0}


def test_a_rating_that_is_sent_again_is_stored_once_and_answered_as_before(ann, graded):
    first = ann.rate(1, 3, key="first").json()
    assert ann.rate(1, 3, key="first").json() == first
    assert len(log(graded)) == 1


@pytest.mark.parametrize("hours", [0, 1])
def test_the_order_of_ratings_does_not_rest_on_a_clock_that_stands_or_was_put_back(tmp_path, hours):
    times = (datetime(2026, 3, 1, 19, tzinfo=UTC) - timedelta(hours=hours * number) for number in count())
    with make_graded(tmp_path, clock=lambda: next(times)) as store:
        ann = Visitor(store, ANN)
        ann.begin()
        for place in (2, 0, 1):
            ann.rate(place, 1)
        ann.rate(0, 2)
        assert [item["turn"] for item in ann.state()["items"]] == [2, 1, 0]


def test_the_page_shows_where_an_annotator_is_and_what_they_answered(ann):
    ann.rate(2, 1)
    ann.rate(0, None)
    state = ann.state()
    assert [item["rated"] for item in state["items"]] == [True, False, True]
    assert [item["value"] for item in state["items"]] == [None, None, 1.0]
    assert [item["turn"] for item in state["items"]] == [1, None, 0]
    assert (state["before"], state["of"]) == (0, 5)


@pytest.mark.parametrize("seen", [{}, {"seen": None}, {"seen": "first"}])
def test_a_tab_that_is_behind_replaced_the_answer_of_another(ann, graded, seen):
    ann.rate(1, 3, key="first")
    ann.rate(1, 2, key="second")
    sent = {"place": 1, "value": 0, "seconds": 1.5, "key": "behind", **seen}
    reply = ann.send("/rate", sent)
    assert reply.status_code == 409
    assert reply.json() == {
        "error": "This pair was rated in another tab: 2 (related).",
        "retry": False,
    }
    assert ann.send("/undo", {"place": 1, "key": "back", **seen}).status_code == 409
    assert standing(graded) == {("Ann", 1): 2.0}
    ann.send("/undo", {"place": 1, "key": "back", "seen": "second"})
    gone = ann.send("/rate", {**sent, "seen": "second"})
    assert gone.json()["error"] == "The rating of this pair was undone in another tab."
    assert standing(graded) == {}


def test_the_answers_of_the_current_page_can_be_asked_for_at_any_time(ann, graded):
    ann.rate(2, 1, key="a")
    ann.rate(0, None, key="b")
    empty = {"rated": False, "value": None, "version": None, "turn": None}
    assert ann.get("/answers").json() == {
        "page": 1,
        "items": [
            {"place": 0, "rated": True, "value": None, "version": "b", "turn": 1},
            {"place": 1, **empty},
            {"place": 2, "rated": True, "value": 1.0, "version": "a", "turn": 0},
        ],
        "paused": False,
    }
    ann.rate(1)
    ann.post("/submit", page=1)
    graded.pause()
    assert ann.get("/answers").json() == {
        "page": 2,
        "items": [{"place": place, **empty} for place in (3, 4)],
        "paused": True,
    }


def test_a_page_of_another_annotator_is_refused_by_name_whatever_it_sends(graded):
    ann, bea = Visitor(graded, ANN), Visitor(graded, BEA)
    ann.begin()
    bea.begin()
    old = ann.csrf
    ann.client.cookies = bea.client.cookies  # her link was opened in the same browser
    person = {"whose": f"{old.split('_')[0]}_{BEA}", "name": "Béa-Łucja"}
    headers = {**JSON, "x-csrf-token": old}
    rating = {"place": 0, "value": 2, "seconds": 1, "key": "k"}
    for reply in (
        ann.client.post("/rate", json=rating, headers=headers),
        ann.client.post("/undo", json={"place": 0, "key": "u"}, headers=headers),
        ann.client.post("/practice", json={"place": 0, "value": 2}, headers=headers),
        ann.client.get("/answers", headers=headers),
    ):
        assert (reply.status_code, reply.json()["retry"], reply.json()["person"]) == (409, False, person)
    for path in ("/instructions", "/practice/end", "/submit", "/sign-out"):
        reply = ann.client.post(path, data={"csrf": old, "page": 1})
        assert reply.status_code == 409
        assert "now signed in as Béa-Łucja" in reply.text
        assert "Ann" not in reply.text.replace("Annotat", "")
    assert log(graded) == []
    assert ann.client.get("/answers", headers={**JSON, "x-csrf-token": bea.csrf}).status_code == 200


def test_instructions_say_that_pairs_recur_where_they_do(tmp_path):
    for duplicates, said in ((3, True), (0, False)):
        with make_graded(tmp_path / str(duplicates), design={"duplicates": duplicates}) as store:
            ann = Visitor(store, ANN)
            ann.sign_in()
            assert ("Some pairs come a second time" in ann.get("/instructions").text) is said


def test_the_reminder_offered_to_change_ratings_that_were_submitted(ann):
    assert "submitted are final" not in ann.get("/rate").text
    assert "go back and change those on this page." in ann.get("/rate").text
    for place in range(3):
        ann.rate(place)
    ann.post("/submit", page=1)
    final = "change those on this page; ratings on pages that you have submitted are final."
    assert final in ann.get("/rate").text


def test_undo_takes_a_rating_back_once(ann, graded):
    ann.rate(0)
    ann.rate(1)
    undo = {"place": 1, "key": "back", "seen": ann.seen(1)}
    assert ann.send("/undo", undo).json() == {"place": 1}
    assert ann.send("/undo", undo).json() == {"place": 1}
    assert set(standing(graded)) == {("Ann", 0)}


def test_a_page_is_submitted_when_it_is_full_and_then_stays(ann, graded):
    ann.rate(0)
    ann.rate(1)
    early = ann.post("/submit", page=1)
    assert early.status_code == 409
    assert "1 pairs without a rating" in early.text
    ann.rate(2)
    assert ann.post("/submit", page=1).headers["location"] == "/"
    assert ann.rate(2, 0, key="late").status_code == 409
    assert ann.rate(3).status_code == 200
    assert ann.state()["before"] == 3
    ann.rate(4)
    ann.post("/submit", page=2)
    assert ann.get("/").url.path == "/done"
    assert "all 5 pairs" in ann.get("/done").text
    assert ann.get("/rate").url.path == "/done"


@pytest.mark.parametrize(
    "sent",
    [
        {"place": 0, "value": 4, "seconds": 1, "key": "k"},  # out of the scale
        {"place": 0, "value": 2.5, "seconds": 1, "key": "k"},
        {"place": 0, "value": -1, "seconds": 1, "key": "k"},
        {"place": 0, "value": "2", "seconds": 1, "key": "k"},
        {"place": 0, "value": True, "seconds": 1, "key": "k"},
        {"place": 0, "seconds": 1, "key": "k"},
        {"place": "0", "value": 2, "seconds": 1, "key": "k"},
        {"place": 99, "value": 2, "seconds": 1, "key": "k"},
        {"place": -1, "value": 2, "seconds": 1, "key": "k"},
        {"place": 10**30, "value": 2, "seconds": 1, "key": "k"},
        {"place": 0, "value": 2, "seconds": -1, "key": "k"},
        {"place": 0, "value": 2, "seconds": 1e9, "key": "k"},
        {"place": 0, "value": 2, "seconds": 1, "key": ""},
        {"place": 0, "value": 2, "seconds": 1, "key": "k" * 65},
        {"place": 0, "value": 2, "seconds": 1, "key": "k", "annotator": BEA},
        [],
        "",
        "{",
        "null",
        '{"place": 0, "value": NaN, "seconds": 1, "key": "k"}',
        '{"place": 0, "value": 2, "seconds": Infinity, "key": "k"}',
        b"\xff\xfe",
        "[" * 5000,
    ],
)
def test_what_is_not_a_rating_is_refused_and_nothing_is_stored(ann, graded, sent):
    reply = ann.send("/rate", sent)
    assert reply.status_code == 422
    assert reply.json()["retry"] is False
    assert reply.json()["error"].endswith(".")
    assert log(graded) == []


def test_ten_equal_ratings_in_a_row_bring_the_reminder_and_twenty_again(tmp_path):
    tasks = {"Ann": [Task(place, 1, place % 5) for place in range(35)]}
    with make_graded(tmp_path, tasks=tasks) as store:
        ann = Visitor(store, ANN)
        ann.begin()
        values = [2] * 25 + [None] * 10
        reminded = [n for n, value in enumerate(values, 1) if ann.rate(n - 1, value).json()["remind"]]
        assert reminded == [10, 20, 35]


def test_a_paused_study_refuses_for_now_and_says_so_on_the_page(ann, graded):
    graded.pause()
    reply = ann.rate(0)
    assert (reply.status_code, reply.json()["retry"]) == (409, True)
    assert 'id="paused" role="status">' in ann.get("/rate").text
    graded.resume()
    assert ann.rate(0).status_code == 200
    assert 'id="paused" role="status" hidden>' in ann.get("/rate").text


def test_an_annotator_who_is_revoked_is_signed_out_at_once(ann, graded):
    graded.revoke(ANN)
    csrf = "0" * 64
    reply = ann.client.post("/rate", content="{}", headers={**JSON, "x-csrf-token": csrf})
    assert (reply.status_code, reply.json()["retry"]) == (401, False)
    assert ann.get("/rate").status_code == 401
    assert log(graded) == []


def test_a_full_disk_is_reported_without_the_servers_paths_and_tried_again(ann, graded, monkeypatch, caplog):
    problem = "the disk is full and nothing was stored; free some space and try again (SQLITE_FULL)"

    def fails(*_: object, **__: object) -> None:
        raise FileError("/srv/studies/x/study.sqlite", problem)

    monkeypatch.setattr(graded, "rate", fails)
    reply = ann.rate(0)
    assert (reply.status_code, reply.json()["retry"]) == (503, True)
    assert reply.json()["error"].startswith("The disk is full")
    assert "/srv" not in reply.text
    assert "study.sqlite" in caplog.text


def test_what_nobody_foresaw_is_reported_calmly_and_logged_without_what_it_is_about(
    ann, graded, monkeypatch, caplog
):
    term = "-".join(["a", "licensed", "term"])  # not in the source as it is, which a log may quote

    def fails(*_: object, **__: object) -> None:
        try:
            raise KeyError(term)
        except KeyError as error:
            raise ZeroDivisionError(term) from error

    monkeypatch.setattr(graded, "rate", fails)
    reply = ann.rate(0)
    assert (reply.status_code, reply.json()["retry"]) == (500, True)
    assert "ZeroDivisionError" not in reply.text
    assert "ZeroDivisionError" in caplog.text
    assert "in fails" in caplog.text
    assert term not in reply.text + caplog.text


def test_nobody_reads_or_writes_what_is_anothers(graded):
    rate(graded, BEA, 0, 3.0)
    bea, ann = Visitor(graded, BEA), Visitor(graded, ANN)
    ann.begin()
    bea.begin()
    for path in ("/rate", "/rate?annotator=2", "/rate?page=2", "/instructions?annotator=2"):
        page = ann.get(path).text
        assert "influenza" not in page  # Béa's pair alone
        assert "Béa" not in page
    assert all(item["value"] is None for item in ann.state()["items"])
    # A token of one session does not post for another.
    forged = ann.client.post("/rate", content="{}", headers={**JSON, "x-csrf-token": bea.csrf})
    assert forged.status_code == 409
    assert forged.json()["person"]["name"] == "Ann"
    assert "Béa" not in forged.text
    assert ann.get("/coordinator").status_code == 401
    assert ann.post("/coordinator/pause").status_code == 401
    assert not graded.study().paused
    assert standing(graded) == {("Béa-Łucja", 0): 3.0}


def test_no_page_shows_where_a_pair_is_from_and_terms_are_text(tmp_path):
    pairs = dangerous_pairs()
    tasks = {"Ann": [Task(n, 1, n, role="duplicate" if n == 4 else "own") for n in range(5)]}
    with make_graded(tmp_path, pairs=pairs, tasks=tasks) as store:
        ann = Visitor(store, ANN)
        ann.begin()
        page = ann.get("/rate").text
        for hidden in ("secret-id", "secret-set", "duplicate"):
            assert hidden not in page
        items = ann.state()["items"]
        assert {name for item in items for name in item} == {
            "place",
            "left",
            "right",
            "rated",
            "value",
            "version",
            "turn",
        }
        for term in DANGEROUS:
            assert term not in page
        assert [item["left"] for item in items] == [pair.term_1 for pair in pairs]  # each as it is, once read
        assert page.count("</script>") == 4  # the page's own


def test_a_name_and_a_protocol_are_escaped_too(tmp_path):
    evil = "<script>alert(3)</script>"
    protocol = load_protocol("graded").model_copy(
        update={"title": evil, "question": evil, "instructions": (evil,)}
    )
    with make_graded(tmp_path, name=evil, tasks={evil: TASKS["Ann"]}) as store:
        ann = Visitor(store, ANN, protocol=protocol)
        ann.begin()
        for path in ("/instructions", "/practice", "/rate", "/nowhere"):
            assert evil not in ann.get(path).text
            assert "&lt;script&gt;alert(3)" in ann.get(path).text
