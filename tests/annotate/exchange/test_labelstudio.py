"""Exports of Label Studio, written here as its guide and its converter say that they are."""

import copy
import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge.annotate.exchange.labelstudio import is_json, read_label_studio
from medgauge.errors import FileError
from medgauge.ratings.source import read_ratings

HEADER = ("term_1", "term_2", "annotator", "rating", "time", "seconds")


def result(answer, name="relatedness", kind="choices"):
    value = {kind: [answer] if kind == "choices" else answer}
    return {"from_name": name, "to_name": "pair", "id": "Dx_aB91ISN", "type": kind, "value": value}


def annotation(number, who, *results, **changed):
    return {
        "id": number,
        "completed_by": who,
        "result": list(results),
        "was_cancelled": False,
        "ground_truth": False,
        "created_at": "2021-03-09T22:16:08.728353Z",
        "updated_at": "2021-03-09T23:17:09.528378+01:00",
        "lead_time": 4.288,
        "result_count": 0,
        "task": 1,
    } | changed


def task(number, *annotations, **data):
    data = data or {"term_1": "Ménière's disease", "term_2": "NON-small-cell carcinoma"}
    return {
        "id": number,
        "data": data,
        "annotations": list(annotations),
        "drafts": [{"result": [result("9")]}],
        "predictions": [{"model_version": "x", "score": 0.9, "result": [result("9")]}],
        "project": 83,
    }


@pytest.fixture
def written(tmp_path):
    def write(content):
        path = tmp_path / "project-1.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
        return path

    return write


def values(table):
    return [row.values for row in table.rows]


def test_an_annotation_is_a_rating_with_its_time_in_utc(written):
    path = written([task(7, annotation(1001, 10, result("3")), annotation("1002", 12, result("0")))])
    table = read_label_studio(path)
    terms, time = ("Ménière's disease", "NON-small-cell carcinoma"), "2021-03-09T22:17:09.528+00:00"
    assert table.header == HEADER
    assert values(table) == [(*terms, "10", "3", time, 4.288), (*terms, "12", "0", time, 4.288)]
    assert [row.place for row in table.rows] == ["task 7, annotation 1001", "task 7, annotation 1002"]
    assert read_ratings(table).values.tolist() == [[3.0, 0.0]]


@pytest.mark.parametrize(
    ("kind", "answer"), [("choices", "not same"), ("choices", "2"), ("rating", 4), ("number", 3.5)]
)
def test_choices_stars_and_numbers_are_ratings(written, kind, answer):
    table = read_label_studio(written([task(1, annotation(1, 1, result(answer, kind=kind)))]))
    assert [row[3] for row in values(table)] == [answer]


def test_verdicts_and_not_knowing_are_read_as_tables_have_them(written):
    said = ["Same", "Not same", "Don't know"]
    path = written([task(1, *(annotation(n, n, result(word)) for n, word in enumerate(said)))])
    ratings = read_ratings(read_label_studio(path))
    assert ratings.verdicts
    assert ratings.unsure.tolist() == [[False, False, True]]
    assert ratings.values[0, :2].tolist() == [1.0, 0.0]


def test_what_is_no_answer_is_no_rating(written):
    """Skipped, submitted without an answer, only commented; drafts and predictions are in every task."""
    comment = {"from_name": "comment", "to_name": "pair", "type": "textarea", "value": {"text": ["hm"]}}
    relation = {"type": "relation", "from_id": "a", "to_id": "b", "direction": "right"}
    path = written(
        [
            task(1, annotation(1, 1, result("3"), was_cancelled=True), annotation(2, 2)),
            task(2, annotation(3, 1, comment, relation), annotation(4, 2, result(None, kind="rating"))),
            task(3, annotation(5, 1, comment, result("1")), annotation(6, None)),
            task(4),
        ]
    )
    assert [row.place for row in read_label_studio(path).rows] == ["task 3, annotation 5"]


def test_ground_truth_counts_as_what_its_annotator_said(written):
    path = written([task(1, annotation(1, 1, result("3"), ground_truth=True))])
    assert len(read_label_studio(path).rows) == 1


@pytest.mark.parametrize("who", [12, "12", {"id": 12, "email": "ann@example.org", "first_name": "Ann"}])
def test_annotators_are_numbers_and_no_address_comes_along(written, who):
    table = read_label_studio(written([task(1, annotation(1, who, result("3")))]))
    assert [row[2] for row in values(table)] == ["12"]


@pytest.mark.parametrize(
    "who", [None, True, 1.5, {}, {"email": "ann@example.org"}, "ann@example.org", "None", "١٢"]
)
def test_who_has_no_number_is_refused_and_not_named(written, who):
    with pytest.raises(FileError, match=r"task 1, annotation 5: the annotator has no number") as caught:
        read_label_studio(written([task(1, annotation(5, who, result("3")))]))
    assert "example.org" not in str(caught.value)


def test_pairs_are_described_by_the_names_that_tables_have(written):
    data = {"Pair ID": 17, "Word1": " flu ", "word-2": "influenza", "dataset": "x", "label": 1, "url": [1]}
    table = read_label_studio(written([task(1, annotation(1, 1, result("3")), **data)]))
    assert table.header == ("pair_id", "term_1", "term_2", "set", "label", *HEADER[2:])
    pairs = read_ratings(table).pairs
    columns = ("pair_id", "term_1", "term_2", "set", "label")
    assert pairs.select(columns).rows() == [("17", "flu", "influenza", "x", 1)]


def test_an_id_alone_is_enough(written):
    table = read_label_studio(written([task(1, annotation(1, 1, result("3")), pair_id="p1")]))
    assert table.header == ("pair_id", *HEADER[2:])


def test_one_of_several_controls_is_named(written):
    both = [result("3"), result("1", name="similarity"), result("yes", name="Wörter klar?")]
    path = written([task(1, annotation(1, 1, *both)), task(2, annotation(2, 1, *both[:1]))])
    assert [row[3] for row in values(read_label_studio(path, control="similarity"))] == ["1"]
    assert len(read_label_studio(path, control="relatedness").rows) == 2
    with pytest.raises(
        FileError, match=r"answers to relatedness, similarity, Wörter klar\?; choose the one .*control="
    ):
        read_label_studio(path)
    with pytest.raises(FileError, match=r"there is no control 'similarty'; did you mean 'similarity'\?"):
        read_label_studio(path, control="similarty")


def pretty(results):
    """What Label Studio's converter writes for the results of a control in JSON_MIN."""
    out = [
        one["value"]["choices"][0] if len(one["value"].get("choices", ())) == 1 else one["value"]
        for one in results
    ]
    return out[0] if len(out) == 1 and results[0]["type"] == "choices" else out


def minimal(tasks):
    """Turn an export as JSON into one as JSON_MIN."""
    records = []
    for one in tasks:
        done = [said for said in one["annotations"] if not said["was_cancelled"]]
        if not one["annotations"]:
            done = [
                dict.fromkeys(("id", "completed_by", "created_at", "updated_at", "lead_time"))
                | {"result": []}
            ]
        for said in done:
            names = dict.fromkeys(entry["from_name"] for entry in said["result"])
            answers = {
                name: pretty([entry for entry in said["result"] if entry["from_name"] == name])
                for name in names
            }
            kept = {name: said[name] for name in ("created_at", "updated_at", "lead_time")}
            records.append(
                one["data"]
                | {"id": one["id"]}
                | answers
                | {"annotator": said["completed_by"], "annotation_id": said["id"]}
                | kept
            )
    return records


ANSWERS = st.one_of(
    st.tuples(st.just("choices"), st.sampled_from(["0", "1", "2.5", "Don't know", " 3 "])),
    st.tuples(st.just("rating"), st.integers(0, 5)),
    st.tuples(st.just("number"), st.floats(0, 5).map(lambda number: round(number, 3))),
)
TERM = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip)


@st.composite
def projects(draw):
    """Tasks that each of three people answers, skips, or leaves alone."""
    tasks = []
    for number in range(draw(st.integers(1, 6))):
        answered = []
        for who in draw(st.lists(st.integers(1, 3), unique=True)):
            results = [result(answer, kind=kind) for kind, answer in draw(st.lists(ANSWERS, max_size=1))]
            answered.append(annotation(len(answered), who, *results, was_cancelled=draw(st.booleans())))
        tasks.append(task(number, *answered, term_1=draw(TERM), term_2=draw(TERM), pair_id=number))
    return tasks


@given(projects())
def test_both_forms_say_the_same_and_what_a_plain_loop_finds(tmp_path_factory, tasks):
    folder = tmp_path_factory.mktemp("exports")
    expected = [
        (
            one["data"]["pair_id"],
            str(said["completed_by"]),
            answer[0] if isinstance(answer, list) else answer,
        )
        for one in tasks
        for said in one["annotations"]
        if not said["was_cancelled"]
        for entry in said["result"]
        for answer in entry["value"].values()
    ]
    for form, content in (("full", tasks), ("min", minimal(copy.deepcopy(tasks)))):
        path = folder / form
        path.write_text(json.dumps(content), "utf-8")
        if not expected:
            if content:
                with pytest.raises(FileError, match="has no ratings"):
                    read_label_studio(path)
            continue
        table = read_label_studio(path, control="relatedness")
        places = [table.header.index(name) for name in ("pair_id", "annotator", "rating")]
        assert [tuple(row[place] for place in places) for row in values(table)] == expected
        ratings = read_ratings(table)
        assert (ratings.counts.sum() + ratings.unsure.sum()) == len(expected)


def test_in_json_min_an_answer_is_known_by_its_form_or_its_name(written):
    beside = {"annotator": 3, "annotation_id": 1, "created_at": None, "updated_at": None, "lead_time": None}
    pair = {"term_1": "flu", "term_2": "influenza", "score": "9", "id": 4}
    for answer in (
        {"choice": "2"},
        {"Rating": 2},
        {"how close": [{"number": 2}]},
        {"x": [{"choices": ["2"]}]},
    ):
        table = read_label_studio(written([pair | answer | beside]))
        assert [str(row[3]) for row in values(table)] == ["2"]
        assert [row.place for row in table.rows] == ["task 4"]
        assert values(table)[0][4:] == (None, None)
    with pytest.raises(FileError, match=r"has no ratings: nobody answered .*name it with control="):
        read_label_studio(written([pair | {"relatedness": "2"} | beside]))
    table = read_label_studio(written([pair | {"relatedness": "2"} | beside]), control="relatedness")
    assert [row[3] for row in values(table)] == ["2"]
    two = pair | {"choice": "2", "x": [{"rating": 3}]} | beside
    with pytest.raises(FileError, match="there are answers to choice, x; choose"):
        read_label_studio(written([two]))


def test_a_gzipped_export_and_one_with_a_byte_order_mark_are_read(tmp_path):
    content = json.dumps([task(1, annotation(1, 1, result("3")))]).encode()
    (tmp_path / "a.json.gz").write_bytes(gzip.compress(content))
    (tmp_path / "b.json").write_bytes(b"\xef\xbb\xbf\n " + content)
    (tmp_path / "c.csv").write_bytes(b"term_1,term_2,rater_A\nflu,influenza,3\n")
    for name in ("a.json.gz", "b.json"):
        assert is_json(tmp_path / name)
        assert len(read_label_studio(tmp_path / name).rows) == 1
    assert not is_json(tmp_path / "c.csv")


def test_times_and_seconds_may_be_missing_and_empty_cells_be_nan(written):
    one = annotation(1, 1, result("3"), created_at=None, updated_at=None, lead_time=None)
    text = json.dumps([task(1, one, term_1="flu", term_2="influenza", weight=float("nan"))])
    assert "NaN" in text
    assert values(read_label_studio(written(text)))[0][4:] == (None, None)
    created = annotation(1, 1, result("3"), created_at="2021-03-09T22:16:08", updated_at=None)
    assert values(read_label_studio(written([task(1, created)])))[0][4] == "2021-03-09T22:16:08.000+00:00"


GOOD = annotation(1, 1, result("3"))
BROKEN = {
    "no JSON": ("[{", r"project-1\.json, line 1: is not valid JSON"),
    "a table": ("term_1,term_2\nflu,influenza\n", "line 1: is not valid JSON"),
    "cut off": (json.dumps([task(1, GOOD)], indent=1)[:-200], r"line \d+: is not valid JSON"),
    "nested too deeply": ("[" * 100_000, "nested too deeply"),
    "a number without end": ('[{"id": ' + "9" * 5_000 + "}]", "a number has too many digits"),
    "an object": (task(1, GOOD), "is not a list of tasks"),
    "a list of numbers": ([1, 2], "is not a list of tasks"),
    "a text": ('"flu"', "is not a list of tasks"),
    "no tasks": ([], "has no tasks"),
    "something else": ([{"flu": "influenza"}], "task number 1: has neither annotations nor an annotator"),
    "no data": ([{"id": 5, "annotations": []}], "task 5: its 'data' is missing"),
    "data that is a text": ([task(5) | {"data": "flu"}], "task 5: its 'data' is not an object"),
    "annotations that are none": ([task(5) | {"annotations": {}}], "task 5: its 'annotations' is not a list"),
    "a task without annotations": (
        [task(4, GOOD), {"id": 5, "data": {}}],
        "task 5: its 'annotations' is missing",
    ),
    "an annotation that is none": ([task(5, 7)], "task 5, annotation 1: the annotation is not an object"),
    "no result": ([task(5, annotation(8, 1, result=None))], "task 5, annotation 8: its 'result' is missing"),
    "a result that is none": ([task(5, annotation(8, 1, 7))], "annotation 8: a result is not an object"),
    "a value that is none": (
        [task(5, annotation(8, 1, result("3") | {"value": "3"}))],
        "task 5, annotation 8: its 'value' is not an object",
    ),
    "an answer that is none": (
        [task(5, annotation(8, 1, result({"a": 1}, kind="rating")))],
        "task 5, annotation 8: 'relatedness' is neither text nor a number",
    ),
    "an answer of yes": (
        [task(5, annotation(8, 1, result(True, kind="rating")))],
        "'relatedness' is neither text nor a number",
    ),
    "two choices": (
        [task(5, annotation(8, 1, result("3") | {"value": {"choices": ["1", "2"]}}))],
        "task 5, annotation 8: there are several answers to 'relatedness', but a rating needs exactly one",
    ),
    "two regions": (
        [task(5, annotation(8, 1, result("3"), result("3")))],
        "several answers to 'relatedness'",
    ),
    "no terms": ([task(5, GOOD, text="flu", word1="flu")], "has neither term_1 and term_2 nor pair_id"),
    "half a character": (
        [task(5, GOOD, term_1="\ud800", term_2="flu")],
        "task 5, annotation 1: 'term_1' has half a character",
    ),
    "an id that is a list": ([task(5, GOOD, pair_id=[1])], "'pair_id' is neither text nor a number"),
    "no time": ([task(5, annotation(8, 1, result("3"), updated_at="soon"))], "annotation 8: the time"),
    "a time that is a number": ([task(5, annotation(8, 1, result("3"), updated_at=7))], "the time"),
    "a time before all": (
        [task(5, annotation(8, 1, result("3"), updated_at="0001-01-01T00:00:00+14:00"))],
        "the time of the annotation is not a valid time",
    ),
    "no seconds": (
        [task(5, annotation(8, 1, result("3"), lead_time="long"))],
        "its 'lead_time' is not a number",
    ),
    "seconds without end": (
        [task(5, annotation(8, 1, result("3"), lead_time=10**400))],
        "its 'lead_time' is not a number of seconds",
    ),
    "nobody answered": ([task(5), task(6, annotation(1, 1))], "has no ratings: nobody answered a control"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_export_is_reported_in_a_sentence_with_its_place(written, case):
    content, problem = BROKEN[case]
    with pytest.raises(FileError, match=problem) as caught:
        read_label_studio(written(content))
    message = str(caught.value)
    assert "\n" not in message
    assert "flu" not in message
    assert "Ménière" not in message


READ = {
    "a word that is no rating": (
        [task(5, annotation(8, 1, result("very")))],
        "task 5, annotation 8: the value",
    ),
    "a blank term": (
        [task(5, GOOD, term_1=" ", term_2="flu")],
        "task 5, annotation 1: the term in .* is blank",
    ),
    "a term that is a number": (
        [task(5, GOOD, term_1=7, term_2="flu")],
        "annotation 1: the term .* is not text",
    ),
    "no term in one task": (
        [task(5, GOOD), task(6, annotation(9, 1, result("3")), term_1="flu")],
        "task 6, annotation 9: the term in column 'term_2' is blank",
    ),
    "a label that is none": (
        [task(5, GOOD, term_1="flu", term_2="influenza", label=10**400)],
        "task 5, annotation 1: the value of column 'label' is not a number",
    ),
    "two of one person": (
        [task(5, annotation(8, 1, result("3")), annotation(9, 1, result("3")))],
        "task 5, annotation 9: the annotator already rated this pair, at task 5, annotation 8",
    ),
    "a task that stands twice": (
        [task(5, annotation(8, 1, result("3")))] * 2,
        "the annotator already rated this pair",
    ),
}


@pytest.mark.parametrize("case", READ)
def test_what_no_table_of_ratings_may_have_is_refused_with_task_and_annotation(written, case):
    content, problem = READ[case]
    with pytest.raises(FileError, match=problem) as caught:
        read_ratings(read_label_studio(written(content)))
    assert "influenza" not in str(caught.value)
