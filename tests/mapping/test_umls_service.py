import json
from collections import deque
from functools import partial
from operator import add
from threading import Event

import pytest

from medgauge.errors import InputError, ServiceError, options_as_flags
from medgauge.files.private import private_folder
from medgauge.mapping.map_concepts import map_concepts
from medgauge.mapping.umls_service import ADDRESS, Pace, UmlsService
from medgauge.models.services.requests import Patience
from medgauge.network import Reply
from medgauge.pairs import Card
from tests.support.umls_api import KEY, umls_api
from tests.support.umls_releases import UmlsRelease

CODES = ["1001004", "1002006", "1003001", "1004007", "1005008", "1006009", "9999999"]


def service(api, waits=None, *, timeout: float = 5, **options) -> UmlsService:
    waits = [] if waits is None else waits
    patience = Patience(sleep=waits.append, jitter=lambda: 1.0, clock=lambda: 0.0, tries=3)
    opened = UmlsService.of(api.url, patience=patience, timeout=timeout, **options)
    opened.pace.per_second = 1e6
    return opened


def mapped(found) -> dict[str, tuple[str, ...]]:
    return {one.id: one.targets for one in found.concepts}


@pytest.mark.parametrize("old", [True, False])
def test_the_service_maps_as_the_release_does(api, umls, old):
    api.old = old
    by_release, by_service = map_concepts(CODES, umls=umls), map_concepts(CODES, service=service(api))
    assert mapped(by_service) == mapped(by_release)
    assert by_service.route == "UMLS REST API (current)"
    either = {"only suppressed rows", "not in the source"}
    for one, other in zip(by_release.concepts, by_service.concepts, strict=True):
        step = "not in the source, or only suppressed rows" if one.step in either else one.step
        assert (other.step, other.left) == (step, one.left)


@pytest.mark.parametrize(
    ("source", "target"), [("umls", "snomed"), ("snomed", "icd10cm"), ("mesh", "snomed")]
)
def test_the_ways_back_and_between_are_those_of_the_release_too(api, umls, source, target):
    ids = {"umls": [f"C{number:07}" for number in (2, 8, 9, 10, 11, 99)], "mesh": ["D999001", "D999002"]}
    asked = {"source": source, "target": target}
    one = map_concepts(ids.get(source, CODES), umls=umls, **asked)
    other = map_concepts(ids.get(source, CODES), service=service(api), **asked)
    assert mapped(one) == mapped(other)
    assert any(mapped(one).values())


def test_what_is_not_a_cui_is_not_asked_for(api):
    found = map_concepts(["../../x", "C1"], source="umls", target="snomed", service=service(api))
    assert {*found.unmapped.values()} == {"not in the release"}
    assert api.asked == []


def test_more_than_a_page_of_results_is_read_whole(monkeypatch):
    monkeypatch.setenv("UMLS_API_KEY", KEY)
    release = UmlsRelease()
    for number in range(230):
        release.atom("C0000001", "SNOMEDCT_US", f"{number:04}", f"name {number}", type="PT")
    with umls_api(release) as api:
        found = map_concepts(["C0000001"], source="umls", target="snomed", service=service(api))
        assert len(found.mapped["C0000001"]) == 230
        assert [query["pageNumber"] for _, query in api.asked] == ["1", "2", "3"]


def test_answers_are_kept_and_an_interrupted_mapping_goes_on(api):
    waits: list[float] = []
    api.faults = deque(["", "", "500", "500", "500"])
    one = service(api, waits)
    one.requester = one.requester.__class__({}, 5, 1, patience=one.requester.patience)
    with pytest.raises(ServiceError, match=r"the service answered 500 .*, 3 times in a row"):
        map_concepts(CODES, service=one)
    before = len(api.asked)
    assert before == 5
    found = map_concepts(CODES, service=service(api))
    questions = [(path, query.get("string")) for path, query in api.asked]
    assert questions.count(questions[0]) == questions.count(questions[1]) == 1
    assert mapped(found)["1002006"] == ("C0000002",)
    after = len(api.asked)
    assert map_concepts(CODES, service=service(api)) == found
    assert len(api.asked) == after
    map_concepts(CODES, service=service(api, remembers=False))
    assert len(api.asked) > after


def test_what_the_current_release_answered_is_asked_again_after_a_day(api):
    for release, asked_again in (("current", True), ("2024AA", False)):
        old = service(api, release=release)
        map_concepts(["1001004"], service=old)
        count = len(api.asked)
        for hours, again in ((23, False), (25, asked_again)):
            later = service(api, release=release)
            later.now = partial(add, old.now(), hours * 3600)
            map_concepts(["1001004"], service=later)
            assert (len(api.asked) > count) is again


def test_the_cache_has_neither_codes_nor_the_key_and_a_damaged_line_is_ignored(api):
    map_concepts(["1001004"], service=service(api))
    [file] = private_folder("umls").iterdir()
    assert KEY not in file.read_text()
    assert "1001004" not in file.read_text()
    assert file.stat().st_mode & 0o077 == 0
    line = file.read_text()
    file.write_text(f"{line[:64]} {json.dumps({'at': 'soon', 'found': [3]})}\n")
    assert map_concepts(["1001004"], service=service(api)).mapped == {"1001004": ("C0000001",)}


@pytest.mark.parametrize("fault", ["429", "500", "503", "half", "408"])
def test_what_passes_is_tried_again(api, fault):
    waits: list[float] = []
    api.faults = deque([fault, fault])
    assert map_concepts(["1001004"], service=service(api, waits)).mapped == {"1001004": ("C0000001",)}
    assert waits == [1.0, 2.0]


def test_a_time_that_the_service_names_is_waited(api):
    waits: list[float] = []
    api.faults = deque(["429 after 7"])
    map_concepts(["1001004"], service=service(api, waits))
    assert waits == [7.0]


def test_an_answer_that_takes_too_long_is_given_up_after_some_tries(api):
    api.faults = deque(["hang"] * 3)
    with pytest.raises(ServiceError, match=r"did not answer within 0\.2 seconds, 3 times in a row") as caught:
        map_concepts(["1001004"], service=service(api, timeout=0.2))
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    ("fault", "problem"),
    [
        ("html", "is not a JSON object; check the address"),
        ("a list", "is not a JSON object; check the address"),
        ("not found page", r"\(404 Not Found\) is not a JSON object; check the address"),
        ("no result", "has no result"),
        ("400", r"does not accept the request \(400 Bad Request\)"),
        ("403", r"refuses the key \(403 Forbidden\); check the key in UMLS_API_KEY"),
    ],
)
def test_other_failures_are_one_sentence_without_the_key_and_the_code(api, fault, problem):
    api.faults = deque([fault])
    with pytest.raises(ServiceError, match=problem) as caught:
        map_concepts(["1001004"], service=service(api))
    assert KEY not in str(caught.value)
    assert "1001004" not in str(caught.value)


def test_a_wrong_key_is_named_by_its_variable_and_not_tried_again(api, monkeypatch):
    monkeypatch.setenv("UMLS_API_KEY", "another-key")
    with pytest.raises(ServiceError, match=r"refuses the key \(401 Unauthorized\)") as caught:
        map_concepts(["1001004"], service=service(api))
    assert "another-key" not in str(caught.value)
    assert len(api.asked) == 1


def test_a_service_that_is_down_is_said_to_be(api):
    down = service(api)
    down.url = "http://127.0.0.1:9/rest"
    with pytest.raises(ServiceError, match="cannot be reached") as caught:
        map_concepts(["1001004"], service=down)
    assert KEY not in str(caught.value)


def test_the_key_is_in_no_print_of_the_service(api):
    assert KEY not in repr(service(api))


@pytest.mark.parametrize("key", ["", "a b", "schlüssel"])
def test_a_key_that_is_missing_or_no_key_is_refused(monkeypatch, key):
    monkeypatch.setenv("UMLS_API_KEY", key)
    with pytest.raises(InputError, match="UMLS_API_KEY") as caught:
        UmlsService.of("http://127.0.0.1:1/rest")
    assert key == "" or key not in str(caught.value)


def test_nothing_is_sent_to_another_machine_without_a_permission(monkeypatch):
    monkeypatch.setenv("UMLS_API_KEY", KEY)
    allow = (
        f"codes would leave this machine for {ADDRESS}; if they may, allow it with --allow-remote {ADDRESS}"
    )
    with options_as_flags(), pytest.raises(InputError, match=allow):
        UmlsService.of()
    allowed = UmlsService.of(allow_remote=[ADDRESS])
    allowed.admit([Card(name="x", title="X")])
    with pytest.raises(InputError, match="the licence of 'x' does not let its codes leave this machine"):
        allowed.admit([Card(name="x", title="X", terms_stay=True)])


@pytest.mark.parametrize("options", [{"release": "2024"}, {"per_second": 21}, {"per_second": 0}])
def test_a_release_and_a_rate_are_checked(api, options):
    with pytest.raises(InputError):
        UmlsService.of(api.url, **options)


def test_requests_are_sent_evenly_and_no_faster_than_allowed():
    class Clock:
        now = 0.0

        def sleep(self, seconds: float) -> None:
            self.now += seconds

    clock = Clock()
    pace = Pace(10, clock=lambda: clock.now, sleep=clock.sleep)
    sent = []
    for pause in (0, 0, 0, 1.0, 0):
        clock.now += pause
        pace.wait()
        sent.append(round(clock.now, 6))
    assert sent == [0.0, 0.1, 0.2, 1.2, 1.3]


def test_every_try_waits_for_its_turn(api):
    turns = []
    one = service(api)
    one.pace = Pace(20, clock=lambda: 0.0, sleep=turns.append)
    replies = iter([Reply(503, b""), Reply(200, b'{"result": {"results": [{"ui": "C0000001"}]}}')])
    one.get = lambda *_: next(replies)
    assert one.cuis_of("SNOMEDCT_US", "1", Event()) == ["C0000001"]
    assert turns == [0.05]
