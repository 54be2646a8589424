"""Protocols: those that are shipped against the papers, and a user's own with every mistake one can make."""

import math
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from medgauge.errors import FileError, UnknownNameError
from medgauge.pairs import SetKind
from medgauge.protocol import (
    NAMES,
    Measured,
    Practice,
    Protocol,
    load_protocol,
    names_in,
    parse_protocol,
    protocol_text,
)

CHOICE = """
name = "mine"
title = "Mine"
question = "Alike?"
kind = "choice"
scale = [0, 2]
instructions = ["Read.", "Rate."]

[[answers]]
value = 0
label = "no"
key = "n"

[[answers]]
value = 2
label = "yes"
key = "y"
definition = "Alike in <b>all</b> ways."

[unsure]
label = "unclear"
key = "x"

[[examples]]
term_1 = "Fièvre"
term_2 = "FEVER"
value = 2
why = "The same."

[[practice]]
term_1 = "B-cell"
term_2 = "cell"
feedback = "Unclear."
"""
SLIDER = """
name = "mine"
title = "Mine"
question = "Alike?"
kind = "slider"
scale = [0, 0.3]
step = 0.1
instructions = ["Slide."]
answers = [{value = 0, label = "not"}, {value = 0.3, label = "very"}]

[[practice]]
term_1 = "a"
term_2 = "b"
value = 0.2
tolerance = 0.1
feedback = "So."
"""


def refused(text: str) -> str:
    with pytest.raises(FileError) as caught:
        parse_protocol(text, "mine.toml")
    assert "\n" not in str(caught.value)
    return str(caught.value)


def changed(text: str, old: str, new: str, count: int = 1) -> str:
    assert old in text
    return text.replace(old, new, count)


@pytest.fixture(params=NAMES)
def shipped(request) -> Protocol:
    return load_protocol(request.param)


def test_a_protocol_says_what_its_ratings_measure():
    assert {name: load_protocol(name).measures for name in NAMES} == {
        "same": "synonymy",
        "graded": "relatedness",
        "slider": "similarity",
        "associated": "relatedness",
        "domain": None,  # words are sorted, and nothing is measured
    }
    assert set(get_args(Measured)) == set(get_args(SetKind))
    assert parse_protocol(CHOICE, "mine.toml").gold_kind == "similarity"  # as a set of which nothing is said
    related = changed(CHOICE, "[0, 2]", '[0, 2]\nmeasures = "relatedness"')
    assert parse_protocol(related, "mine.toml").gold_kind == "relatedness"


def test_verdicts_measure_synonymy_whether_they_say_so_or_not():
    text = protocol_text("same")
    assert parse_protocol(changed(text, 'measures = "synonymy"\n', ""), "x").gold_kind == "synonymy"
    wrong = refused(changed(text, '"synonymy"', '"relatedness"'))
    assert wrong == "mine.toml, measures: verdicts of same or not the same measure synonymy"


def test_the_copy_of_a_shipped_protocol_in_an_older_study_measures_what_the_shipped_one_does():
    older = changed(protocol_text("graded"), 'measures = "relatedness"\n', "")
    assert parse_protocol(older, "x").gold_kind == "relatedness"
    own = changed(older, "How closely are these two concepts related medically?", "How alike are they?")
    assert parse_protocol(own, "x").gold_kind == "similarity"


def test_an_answer_is_written_as_the_page_shows_it():
    graded, slider = load_protocol("graded"), load_protocol("slider")
    assert [graded.answer_text(value) for value in (0, None)] == ["0 (unrelated)", "unclear"]
    assert [slider.answer_text(value) for value in (0.0, 4.0)] == ["0", "4"]


def test_every_shipped_protocol_has_the_name_of_its_file():
    assert tuple(load_protocol(name).name for name in NAMES) == NAMES
    assert NAMES[:3] == ("same", "graded", "slider")


def test_a_protocol_is_shipped_by_its_file_alone(tmp_path):
    for name in ("slider.toml", "anatomy.toml", "same.toml", "zeta.toml", "graded.toml", "notes.md"):
        (tmp_path / name).write_text("")
    assert names_in(tmp_path) == ("same", "graded", "slider", "anatomy", "zeta")


def test_shipped_protocols_have_four_to_six_practice_pairs_and_the_papers_reminder(shipped):
    assert 4 <= len(shipped.practice) <= 6
    assert shipped.equal_in_a_row == 10
    assert shipped.examples


def test_shipped_practice_has_more_than_one_right_answer(shipped):
    assert len({pair.value for pair in shipped.practice}) > 1
    for pair in shipped.practice:
        assert pair.is_right(pair.value)


def test_same_asks_what_the_doctors_of_section_3_3_were_asked():
    same = load_protocol("same")
    assert "used interchangeably in consultation notes" in same.question
    assert {answer.key: (answer.value, answer.label) for answer in same.answers} == {
        "s": (1, "same"),
        "n": (0, "not same"),
    }
    assert same.unsure is not None
    assert (same.unsure.key, same.unsure.label) == ("d", "don't know")
    assert same.verdicts
    assert any("look up" in paragraph for paragraph in same.instructions)


def test_graded_has_the_four_definitions_and_the_examples_of_table_1():
    graded = load_protocol("graded")
    assert [(answer.key, answer.value, answer.label) for answer in graded.answers] == [
        ("0", 0, "unrelated"),
        ("1", 1, "marginally related"),
        ("2", 2, "related"),
        ("3", 3, "extremely related"),
    ]
    definitions = [answer.definition or "" for answer in graded.answers]
    for words, definition in zip(
        (
            "nothing in common and no relationship links them",
            "an established link might not exist",
            "strongly related medically",
            "one cannot happen without the other",
        ),
        definitions,
        strict=True,
    ):
        assert words in definition
    assert [
        (example.term_1.lower(), example.term_2.lower(), example.value) for example in graded.examples
    ] == [
        ("nausea", "vomiting", 2),
        ("obesity", "ischemic heart disease", 2),
        ("alcoholic liver disease", "liver cirrhosis", 3),
    ]
    assert graded.unsure is not None
    assert graded.unsure.label == "unclear"
    assert not graded.verdicts


def test_slider_goes_from_0_to_6_and_asks_for_low_ratings_of_related_pairs():
    slider = load_protocol("slider")
    assert (slider.kind, slider.scale, slider.unsure) == ("slider", (0, 6), None)
    text = " ".join(slider.instructions)
    assert "low" in text
    assert "same rating to the same pair" in text
    low = next(
        example for example in slider.examples if {example.term_1, example.term_2} == {"drug", "pharmacy"}
    )
    assert low.value < 3


def test_words_are_asked_about_one_by_one_and_pairs_as_pairs():
    domain, associated = load_protocol("domain"), load_protocol("associated")
    assert {one.term_2 for one in domain.examples} == {one.term_2 for one in domain.practice} == {None}
    assert {answer.label: answer.value for answer in domain.answers} == {
        "biomedical": 2,
        "both": 1,
        "general": 0,
    }
    assert all(one.term_2 for one in associated.examples)
    assert all(one.term_2 for one in associated.practice)
    assert {answer.label: answer.value for answer in associated.answers} == {
        "associated": 1,
        "not associated": 0,
    }


def test_a_users_own_protocol_is_read_from_a_file_with_a_byte_order_mark_and_crlf(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xef\xbb\xbf" + CHOICE.replace("\n", "\r\n").encode())
    protocol = load_protocol(path)
    assert protocol == load_protocol(str(path)) == parse_protocol(CHOICE, "elsewhere")
    assert protocol.examples[0].term_1 == "Fièvre"
    assert protocol.practice[0].value is None
    assert (protocol.equal_in_a_row, protocol.verdicts, protocol.step) == (10, False, None)


def test_html_is_just_text():
    assert parse_protocol(CHOICE, "x").answers[1].definition == "Alike in <b>all</b> ways."


def test_the_text_of_a_protocol_makes_the_same_protocol_again(shipped):
    assert parse_protocol(protocol_text(shipped.name), "study") == shipped


def test_a_protocol_cannot_be_changed(shipped):
    with pytest.raises(ValidationError):
        shipped.name = "other"
    assert hash(shipped) == hash(load_protocol(shipped.name))


def test_an_unknown_name_suggests_the_closest():
    with pytest.raises(
        UnknownNameError, match=r"there is no protocol \(or file\) 'grade'; did you mean 'graded'"
    ):
        load_protocol("grade")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (None, "there is no such file"),
        (b"", "the file is empty"),
        (b'a = 1\nb = "\xff"', "line 2: byte 0xff"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path, content, problem):
    path = tmp_path / "mine.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(FileError, match=problem) as caught:
        load_protocol(path)
    assert str(caught.value).startswith(str(path))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('name = "a"\ntitle = \n', "mine.toml, line 2: is not valid TOML"),
        ('name = "a"\n[a]\n[a]\n', "mine.toml, line 3: is not valid TOML"),
        ('name = "a"\ntitle = "open', "mine.toml, line 2: is not valid TOML"),
        ("name = " + "[" * 100_000, "mine.toml: is not a protocol: its values are nested too deeply"),
        ("scale = [0, " + "1" * 5000 + "]", "mine.toml: is not valid TOML"),
    ],
)
def test_what_is_not_toml_is_refused_with_its_line(text, problem):
    assert refused(text).startswith(problem)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (
            'question = "Alike?"',
            'quesion = "Alike?"',
            "mine.toml: there is no field 'quesion'; did you mean 'question'?",
        ),
        ('why = "', 'reason = "', "mine.toml, examples[1]: there is no field 'reason'"),
        ('question = "Alike?"', "", "mine.toml, question: is missing"),
        ('"Alike?"', '" \\t"', "mine.toml, question: is blank"),
        ('"Alike?"', '"\\u200b"', "mine.toml, question: is blank"),
        ('"Rate."', '""', "mine.toml, instructions[2]: is blank"),
        ('["Read.", "Rate."]', "[]", "mine.toml, instructions: has 0 entries, and needs at least 1"),
        ('["Read.", "Rate."]', '"Read."', "mine.toml, instructions: is not a list"),
        ('"Alike?"', "3", "mine.toml, question: is not text; put it in quotes"),
        ('"choice"', '"menu"', "mine.toml, kind: must be 'choice' or 'slider'"),
        ("[0, 2]", "[2, 0]", "mine.toml, scale: the lowest value, 2, is not below the highest, 0"),
        ("[0, 2]", "[0]", "mine.toml, scale[2]: is missing"),
        ("[0, 2]", "[0, inf]", "mine.toml, scale[2]: is not a finite number"),
        ("[0, 2]", "[0, 1]", "mine.toml, answers[2].value: the value 2 is not on the scale from 0 to 1"),
        ("[0, 2]", "[0, 2]\nstep = 1", "mine.toml, step: only a slider has steps; leave it out"),
        ("[0, 2]", "[0, 2]\nverdicts = true", "mine.toml, verdicts: verdicts are a choice of 1 (same) and 0"),
        (
            "[0, 2]",
            '[0, 2]\nmeasures = "pain"',
            "mine.toml, measures: must be 'similarity', 'relatedness' or",
        ),
        ("[0, 2]", "[0, 2]\nverdicts = 1", "mine.toml, verdicts: is neither true nor false"),
        ("[0, 2]", "[0, 2]\nequal_in_a_row = 1", "mine.toml, equal_in_a_row: is below 2"),
        ("[0, 2]", "[0, 2]\nequal_in_a_row = 9.5", "mine.toml, equal_in_a_row: is not a whole number"),
        ("value = 2", "value = 0", "mine.toml, answers[2].value: the value 0 is used twice"),
        ("value = 2", "value = true", "mine.toml, answers[2].value: is not a number"),
        ("value = 2", "value = nan", "mine.toml, answers[2].value: is not a finite number"),
        ('"yes"', '"NO"', "mine.toml, answers[2].label: the label 'NO' is used twice"),
        ('"unclear"', '"yes"', "mine.toml, unsure.label: the label 'yes' is used twice"),
        ('key = "y"', 'key = "N"', "mine.toml, answers[2].key: the key 'N' is used twice"),
        ('key = "y"', "", "mine.toml, answers[2].key: is missing, and each answer of a choice needs a key"),
        ('key = "y"', 'key = "yes"', "mine.toml, answers[2].key: a key is a single character"),
        ('key = "y"', 'key = "Enter"', "mine.toml, answers[2].key: a key is a single character"),
        ('key = "y"', 'key = " "', "mine.toml, answers[2].key: is blank"),
        ('key = "y"', 'key = "\\u0007"', "mine.toml, answers[2].key: is blank"),
        ('key = "y"', 'key = "U"', "mine.toml, answers[2].key: the key 'u' takes a rating back"),
        ('key = "x"', 'key = "y"', "mine.toml, unsure.key: the key 'y' is used twice"),
        ('key = "x"', "", "mine.toml, unsure.key: is missing"),
        (
            '[unsure]\nlabel = "unclear"\nkey = "x"',
            "",
            "mine.toml, practice[1].value: is missing, and the protocol",
        ),
        (
            "value = 2\nwhy",
            "value = 1\nwhy",
            "mine.toml, examples[1].value: the value 1 is not one of the answers",
        ),
        ("value = 2\nwhy", "value = 3\nwhy", "mine.toml, examples[1].value: the value 3 is not on the scale"),
        ('"FEVER"', '" "', "mine.toml, examples[1].term_2: is blank"),
        ("feedback", "tolerance = 1\nfeedback", "mine.toml, practice[1].tolerance: only a value on a slider"),
        (
            "feedback",
            "value = 2\ntolerance = 1\nfeedback",
            "mine.toml, practice[1].tolerance: only a value on a",
        ),
        (
            "feedback",
            "value = 1\nfeedback",
            "mine.toml, practice[1].value: the value 1 is not one of the answers",
        ),
    ],
)
def test_a_mistake_in_a_choice_is_reported_with_its_place(old, new, problem):
    assert refused(changed(CHOICE, old, new)).startswith(problem)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("step = 0.1", "", "mine.toml, step: is missing, and a slider needs it"),
        ("step = 0.1", "step = 0", "mine.toml, step: is not above 0"),
        ("step = 0.1", "step = 0.2", "mine.toml, step: steps of 0.2 do not divide the scale from 0 to 0.3"),
        ("0.3, label", "0.2, label", "mine.toml, answers: the end of the slider at 0.3 has no label"),
        ('"very"}', '"very", key = "v"}', "mine.toml, answers[2].key: a slider is moved with the arrow keys"),
        (', {value = 0.3, label = "very"}', "", "mine.toml, answers: has 1 entries, and needs at least 2"),
        (
            "value = 0.2",
            "value = 0.25",
            "mine.toml, practice[1].value: the value 0.25 is not one of the slider's steps",
        ),
        (
            "value = 0.2",
            "",
            'mine.toml, practice[1].value: is missing, and the protocol has no "don\'t know" answer',
        ),
        ("tolerance = 0.1", "tolerance = -1", "mine.toml, practice[1].tolerance: is below 0"),
        (
            "[[practice]]",
            '[unsure]\nlabel = "?"\nkey = "0"\n[[practice]]',
            "mine.toml, unsure.key: the key '0' moves the slider to that value; choose another",
        ),
        ("step = 0.1", "step = 0.1\nverdicts = true", "mine.toml, verdicts: verdicts are a choice"),
    ],
)
def test_a_mistake_in_a_slider_is_reported_with_its_place(old, new, problem):
    assert refused(changed(SLIDER, old, new)).startswith(problem)


def test_a_digit_that_a_slider_does_not_have_can_be_a_key():
    text = changed(SLIDER, "[[practice]]", '[unsure]\nlabel = "?"\nkey = "9"\n[[practice]]')
    assert parse_protocol(text, "mine.toml").unsure.key == "9"


def test_no_error_repeats_a_term():
    for old, new in (("value = 2\nwhy", "value = 1\nwhy"), ('why = "The same."', ""), ('"FEVER"', "3")):
        assert "Fièvre" not in refused(changed(CHOICE, old, new))


def test_a_protocol_made_in_python_is_checked_as_well():
    fields = parse_protocol(CHOICE, "x").model_dump() | {"scale": (0, 1)}
    with pytest.raises(ValidationError, match=r"answers\[2\]\.value: the value 2 is not on the scale"):
        Protocol.model_validate(fields)


def test_a_choice_allows_its_answers_alone():
    protocol = parse_protocol(CHOICE, "x")
    assert [value for value in (-1, 0, 1, 2, 3, math.nan, math.inf) if protocol.allows(value)] == [0, 2]


def test_being_unsure_is_an_answer_where_the_protocol_has_it():
    assert load_protocol("same").allows(None)
    assert not load_protocol("slider").allows(None)


@given(low=st.integers(-50, 50), steps=st.integers(1, 60), digits=st.integers(0, 3), at=st.integers(-5, 70))
def test_a_slider_allows_its_steps_and_nothing_between_or_beyond(low, steps, digits, at):
    def decimal(number: int) -> float:
        return float(f"{number}e-{digits}")

    ends = decimal(low), decimal(low + steps)
    given = {"scale": ends, "step": decimal(1), "practice": []}
    answers = [{"value": end, "label": str(end)} for end in ends]
    fields = parse_protocol(SLIDER, "x").model_dump() | given | {"answers": answers}
    protocol = Protocol.model_validate(fields)
    assert protocol.allows(decimal(low + at)) == (0 <= at <= steps)
    assert not protocol.allows(decimal(low + at) + decimal(1) / 3)
    assert not protocol.allows(math.nan)


@pytest.mark.parametrize(
    ("right", "tolerance", "answer", "expected"),
    [
        (0.6, 0.2, 0.8, True),
        (0.6, 0.2, 0.81, False),
        (6, 0, 6, True),
        (6, 0, 5, False),
        (None, 0, None, True),
        (None, 0, 0.0, False),
        (0, 0, None, False),
    ],
)
def test_practice_is_right_within_its_tolerance(right, tolerance, answer, expected):
    pair = Practice(term_1="a", term_2="b", value=right, tolerance=tolerance, feedback="So.")
    assert pair.is_right(answer) is expected
