import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from medgauge.files.front_matter import listed_under, split_front_matter


def keys(text):
    return split_front_matter(f"---\n{text}\n---\nbody")[0]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("license: mit", {"license": ["mit"]}),
        ("license: 'it''s'  # so", {"license": ["it's"]}),
        ('license: "apache-2.0"', {"license": ["apache-2.0"]}),
        ("license: mit # so", {"license": ["mit"]}),
        ("datasets:\n- a/b\n-   'c d'\ntags: [x, y]", {"datasets": ["a/b", "c d"], "tags": ["x", "y"]}),
        ("datasets:\n  - a\n  - b # so\n", {"datasets": ["a", "b"]}),
        ("datasets: []", {"datasets": []}),
        ("datasets:", {"datasets": []}),
        # What is not a text or a list of texts is passed over, with all that belongs to it.
        ("a: |\n  license: mit\nlicense: x", {"license": ["x"]}),
        ("model-index:\n- name: a\n  results:\n  - task: b\nlicense: x", {"license": ["x"]}),
        ("a: {license: mit}\nb: &c d\nlicense: x", {"license": ["x"]}),
        ("a:\n  license: mit\nlicense: x", {"license": ["x"]}),
        ("# license: mit\nlicense: x", {"license": ["x"]}),
    ],
)
def test_texts_and_lists_of_texts_are_read(text, found):
    assert keys(text) == found


@pytest.mark.parametrize(
    "text", ["license: mit", "--- \nlicense: mit", "", "# Title\n---\nlicense: mit\n---"]
)
def test_a_text_without_front_matter_is_all_body(text):
    assert split_front_matter(text) == ({}, text)


def test_a_list_in_the_body_is_found_under_its_heading():
    text = "# Model\ndatasets:\n- UMLS\n- MIMIC\n\nOther:\n- no\n"
    assert listed_under("datasets", text) == ["UMLS", "MIMIC"]
    assert listed_under("tags", text) == []


_WORD = st.text("ab-/. #:'\"[]{},&*!|>%@`?\\é0", min_size=0, max_size=8)
_LINE = st.one_of(
    st.tuples(st.sampled_from(["license", "datasets", "tags"]), _WORD).map(lambda two: f"{two[0]}: {two[1]}"),
    st.sampled_from(["datasets:", "tags:", "nested:"]),
    st.tuples(st.sampled_from(["- ", "  - ", "  ", "    k: "]), _WORD).map("".join),
)


@given(st.lists(_LINE, max_size=6))
@example(["datasets:", "- a: b", "- c"])
def test_what_is_read_is_what_a_library_reads(lines):
    yaml = pytest.importorskip("yaml")
    text = "\n".join(lines)
    try:
        read = yaml.load(text, Loader=yaml.BaseLoader)
    except yaml.YAMLError:
        return  # never an error here; what is read of a broken text does not matter
    if not isinstance(read, dict):
        return
    for key, values in keys(text).items():
        expected = read[key] if isinstance(read[key], list) else [read[key]]
        assert list(filter(None, values)) == list(filter(None, expected))
