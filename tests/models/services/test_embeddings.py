import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgauge.errors import InputError, ServiceError
from medgauge.models.base import card_of
from medgauge.models.encoding import Batch, as_encoder, innermost
from medgauge.models.kinds import kind_of
from medgauge.models.loading import Loading
from medgauge.models.services.embeddings import EmbeddingService, vectors_in
from medgauge.models.services.probe_words import PROBE_WORDS
from medgauge.progress import hearing
from tests.models.services.asking import Waits, embedder, spec
from tests.support.embedding_service import DIM, StandIn, vector

TERMS = [f"secret term {number}" for number in range(10)]
KEY = "sk-a-secret-key"


def arrived(source: EmbeddingService, texts: list[str]) -> tuple[dict[str, list[float]], str]:
    """Return the vectors that were yielded, by text, and the error that came after them."""
    found: dict[str, list[float]] = {}
    try:
        for batch in source.batches(texts):
            assert isinstance(batch, Batch)
            assert batch.counts.tolist() == [1] * len(batch.places)
            found |= {texts[place]: row.tolist() for place, row in zip(batch.places, batch.rows, strict=True)}
    except ServiceError as error:
        return found, str(error)
    return found, ""


def wanted(texts: list[str], salt: str = "") -> dict[str, list[float]]:
    return {text: np.array(vector(text, salt), np.float32).tolist() for text in texts}


@pytest.mark.parametrize("fault", ["", "reordered"])
def test_vectors_are_those_of_the_terms_in_any_order_of_the_answer(service, fault):
    service.faults.extend([fault] * 4)
    assert arrived(embedder(service, "?batch=3"), TERMS) == (wanted(TERMS), "")
    assert sorted(len(one["input"]) for one in service.asked) == [1, 3, 3, 3]
    assert {one["model"] for one in service.asked} == {"mine"}


@pytest.mark.parametrize(
    ("fault", "problem"),
    [
        ("fewer", "the service returned 1 vectors for 2 terms"),
        ("no index", "vectors whose indices are missing, repeated or unknown"),
        ("unknown index", "vectors whose indices are missing, repeated or unknown"),
        ("repeated index", "vectors whose indices are missing, repeated or unknown"),
        ("two dimensions", "vectors of several dimensions in one answer"),
        ("other dimension", f"vectors of {DIM + 1} dimensions, not {DIM} as before"),
        ("nan", "values that are infinite or not a number (NaN)"),
        ("infinite", "values that are infinite or not a number (NaN)"),
        ("null", "a value that is not a number"),
        ("no list", "a vector that is not a list of numbers"),
        ("html", "the answer is not JSON"),
        ("a list", "the answer is not a JSON object"),
        ("redirect", "the service redirects to another address (307)"),
        ("400", "the service does not accept the request (400 Bad Request)"),
        ("401", "the service refuses the key (401 Unauthorized)"),
        ("404", "there is no such place or no model 'mine' (404 Not Found)"),
    ],
)
def test_a_failure_half_way_comes_after_what_has_arrived_and_names_no_term(service, fault, problem):
    service.faults.extend(["", "", fault])
    found, error = arrived(embedder(service, "?batch=2&concurrent=1"), TERMS)
    assert found == wanted(TERMS[:4])
    assert problem in error
    assert error.startswith(f"{service.url}/embeddings: ")
    assert "secret" not in error
    assert len(service.asked) == 3


@pytest.mark.parametrize("fault", ["429", "500", "503", "half", "hang"])
def test_what_may_pass_is_tried_again_until_all_have_arrived(service, fault):
    service.faults.extend(["", fault, fault])
    waits = Waits()
    source = embedder(service, "?batch=5&concurrent=1", timeout=0.2, waits=waits)
    assert arrived(source, TERMS) == (wanted(TERMS), "")
    assert waits == [1.0, 2.0]


def test_retry_after_of_a_busy_service_is_honoured(service):
    service.faults.extend(["429 after 7", "429 after Thu, 01 Jan 1970 00:00:09 GMT"])
    waits = Waits()
    assert arrived(embedder(service, waits=waits), TERMS)[1] == ""
    assert waits == [7.0, 9.0]


def test_other_requests_that_were_under_way_are_not_lost(service):
    service.faults.extend(["", "nan", ""])
    found, error = arrived(embedder(service, "?batch=1&concurrent=3"), TERMS[:3])
    assert len(found) == 2
    assert "not a number" in error


def test_options_are_sent_and_held_to(service):
    source = embedder(service, f"?dimensions={DIM}")
    assert arrived(source, TERMS)[1] == ""
    assert service.asked[0]["dimensions"] == DIM
    assert "dimensions, not 9 as asked for" in arrived(embedder(service, "?dimensions=9"), TERMS)[1]


def test_the_digest_is_asked_for_once_and_only_when_it_is_needed(service):
    source = embedder(service)
    model = as_encoder(source)
    assert innermost(model) is source
    assert (model.card.name, model.card.digest, source.facts()["model"]) == ("mine", "", "mine")
    assert service.asked == []
    digest = card_of(model).digest
    assert len(digest) == 64
    assert card_of(model, "other").digest == digest
    assert [one["input"] for one in service.asked] == [list(PROBE_WORDS)]


def test_a_silently_changed_service_has_another_digest_and_noise_does_not(service):
    digests = []
    for salt, noise in (("", 0.0), ("", 1e-6), ("other weights", 1e-6), ("other weights", 0.0)):
        service.salt, service.noise = salt, noise
        digests.append(card_of(as_encoder(embedder(service))).digest)
    assert digests[0] == digests[1] != digests[2] == digests[3]


def test_a_budget_is_checked_before_anything_is_sent(service):
    source = embedder(service, max_tokens=20)
    with pytest.raises(InputError, match="mine would be sent about 70 tokens but max_tokens= allows 20"):
        list(source.batches(TERMS))
    assert service.asked == []


def test_an_estimate_and_its_cost_are_said_before_anything_is_sent(service):
    said = []
    with hearing(lambda text: said.append((text, len(service.asked)))):
        list(embedder(service, "?batch=5", price=20.0).batches(TERMS))
    assert said == [("mine: about 70 tokens in 2 requests, which cost about 0.0014", 0)]


def test_a_service_that_counts_more_tokens_than_estimated_is_stopped(service):
    source = embedder(service, "?batch=1&concurrent=1", max_tokens=80)
    found, error = arrived(source, TERMS)
    assert len(found) == 7  # 13 letters each, which the stand-in counts as tokens
    assert "has used 91 tokens, more than estimated and than max_tokens= allows (80)" in error


def test_the_key_comes_from_a_variable_and_is_nowhere_else(service, monkeypatch):
    monkeypatch.setenv("MY_KEY", KEY)
    service.key = KEY
    source = embedder(service, "?key=MY_KEY")
    assert arrived(source, TERMS)[1] == ""
    for shown in (repr(source), str(source.facts()), source.card.model_dump_json()):
        assert KEY not in shown
    monkeypatch.setenv("MY_KEY", "sk-another-secret")
    error = arrived(embedder(service, "?key=MY_KEY"), TERMS)[1]
    assert "refuses the key (401 Unauthorized); check the key in MY_KEY" in error
    assert "secret" not in error


def test_a_service_that_wants_a_key_and_gets_none(service, monkeypatch):
    service.key = KEY
    monkeypatch.setenv("OPENAI_API_KEY", KEY)  # of another service, so it is not sent
    error = arrived(embedder(service), TERMS)[1]
    assert "name the variable that holds its key with ?key=VARIABLE" in error
    assert "Authorization" not in service.headers[0]


@pytest.mark.parametrize("option", [KEY, "sk_lower_case_secret", "NOT_SET_SECRET", "A B"])
def test_what_is_given_for_the_variable_is_not_repeated(service, option):
    with pytest.raises(InputError) as raised:
        embedder(service, f"?key={option}")
    assert option not in str(raised.value)


def test_terms_need_permission_to_leave_the_machine():
    remote = replace(spec("api", StandIn(url="https://api.example.org/v1")))
    kind = kind_of(remote)
    with pytest.raises(InputError, match=r"terms would leave this machine for https://api\.example\.org/v1"):
        kind.open(remote, "mine", Loading())
    allowed = kind.open(remote, "mine", Loading(allow_remote=("mine@https://api.example.org",)))
    with pytest.raises(InputError, match="only as those of the sets that are named"):
        allowed.encode(["flu"])


def plain(answer: dict[str, Any], count: int) -> list[list[float]]:
    """Return the vectors of an answer, by the definition: the vector of text i is the one with index i."""
    found = []
    for place in range(count):
        [one] = [one for one in answer["data"] if one["index"] == place]
        found.append([float(value) for value in one["embedding"]])
    return found


@settings(max_examples=50)
@given(st.integers(1, 6), st.integers(1, 4), st.randoms(use_true_random=False))
def test_answers_are_read_as_by_the_definition(count, dim, random):
    data = [
        {"index": place, "embedding": [round(random.uniform(-1, 1), 3) for _ in range(dim)]}
        for place in range(count)
    ]
    random.shuffle(data)
    answer = json.loads(json.dumps({"data": data}))
    np.testing.assert_array_equal(vectors_in(answer, count), np.array(plain(answer, count), np.float32))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["index", "embedding"]), inner)
    ),
    max_leaves=8,
)


@settings(max_examples=100)
@given(JSON, st.integers(1, 3))
def test_no_answer_ends_in_another_exception(data, count):
    try:
        rows = vectors_in({"data": data}, count)
    except ValueError:
        return
    assert rows.shape[0] == count
    assert np.isfinite(rows).all()
