import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge.models.services.answers import Written, filtered, rating_in
from medgauge.models.services.prompts import Question
from medgauge.protocol import load_protocol

GRADED = Question(load_protocol("graded"), (0, 3))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"rating": 2}', 2.0),
        (' {"rating": 2.0}\n', 2.0),
        ('```json\n{"rating": 2}\n```', 2.0),
        ('```\n{"rating": 0}\n```', 0.0),
        ('{"rating": null}', "unsure"),
        ('{"rating": 4}', "off the scale"),
        ('{"rating": -1}', "off the scale"),
        ('{"rating": 1.5}', "off the scale"),
        ('{"rating": NaN}', "off the scale"),
        ('{"rating": Infinity}', "off the scale"),
        (f'{{"rating": 1{"0" * 400}}}', "off the scale"),
        ('{"rating": true}', "unreadable"),
        ('{"rating": "2"}', "unreadable"),
        ('{"rating": [2]}', "unreadable"),
        ('{"rating": {"rating": 2}}', "unreadable"),
        ('{"rating": 1, "rating": 3}', "unreadable"),
        ('{"rating": 2, "why": "so"}', "unreadable"),
        ('{"Rating": 2}', "unreadable"),
        ('[["rating", 2]]', "unreadable"),
        ('{"rating": 2} I hope this helps', "unreadable"),
        ("2", "unreadable"),
        ("", "unreadable"),
        ("[" * 100_000, "unreadable"),
    ],
)
def test_an_answer_is_read_strictly(text, found):
    assert rating_in(Written(text), GRADED) == found


def test_a_protocol_without_unsure_has_no_null():
    assert rating_in(Written('{"rating": null}'), Question(load_protocol("slider"), (0, 6))) == "unreadable"


def test_a_stretched_scale_allows_any_number_in_it():
    question = Question(load_protocol("slider"), (0, 10))
    assert [rating_in(Written(f'{{"rating": {value}}}'), question) for value in (2.5, 10, 10.5)] == [
        2.5,
        10.0,
        "off the scale",
    ]


@given(st.text())
def test_no_text_ends_in_an_exception(text):
    found = rating_in(Written(text), GRADED)
    assert found in (0, 1, 2, 3) or isinstance(found, str)


ANSWERS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(["choices", "message", "content", "refusal", "finish_reason"]), inner, max_size=3
        )
    ),
    max_leaves=6,
)


@given(st.dictionaries(st.just("choices"), ANSWERS))
def test_no_answer_of_an_endpoint_ends_in_an_exception(answer):
    written = Written.read(answer)
    assert written is None or isinstance(written, Written)
    if written is not None:
        found = rating_in(written, GRADED)
        assert found in (0, 1, 2, 3) or isinstance(found, str)


@given(st.text(), st.text(), st.booleans())
def test_what_is_stored_is_read_back(text, ended, refused):
    written = Written(text, ended, refused)
    assert "\n" not in written.line()
    assert Written.stored(written.line()) == written


@pytest.mark.parametrize(
    "line", ["", "{", "[]", "3", '{"text": 3}', '{"text": "", "other": 1}', '{"text": "", "refused": 1}']
)
def test_a_damaged_line_is_not_an_answer(line):
    assert Written.stored(line) is None


@pytest.mark.parametrize(
    "body", [b"", b"[]", b'{"error": "content_filter"}', b"\xff", b'{"error": {"code": []}}']
)
def test_other_refusals_are_not_taken_for_filters(body):
    assert not filtered(body)


def test_a_filter_is_recognised():
    assert filtered(json.dumps({"error": {"type": "content_policy_violation"}}).encode())
