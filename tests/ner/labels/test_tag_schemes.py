import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from seqeval.metrics.sequence_labeling import get_entities

from medgauge.ner.labels.tag_schemes import (
    PREFIXES,
    Tags,
    entities_of,
    iobes_labels,
    iobes_tags,
    may_follow,
    scheme_of,
)

TYPES = ["x", "y"]


def tags_of(sentences):
    labels = [label for sentence in sentences for label in sentence]
    return Tags(
        np.array([PREFIXES.index(label[0]) for label in labels], np.uint8),
        np.array([TYPES.index(label[2:] or "x") for label in labels], np.int32),
        np.cumsum([0, *map(len, sentences)]),
    )


def found(sentences):
    """Return the entities of each sentence as (type, first, last), counted within the sentence."""
    tags = tags_of(sentences)
    sentence_of = np.repeat(np.arange(len(sentences)), [len(one) for one in sentences])
    entities = [[] for _ in sentences]
    for first, last, kind in zip(*entities_of(tags), strict=True):
        number = sentence_of[first]
        assert sentence_of[last] == number
        begin = tags.starts[number]
        entities[number].append((TYPES[kind], int(first - begin), int(last - begin)))
    return entities


def slowly(labels):
    """Find entities label by label, by the rules of startOfChunk and endOfChunk of conlleval.pl."""
    entities, begun = [], None
    before, before_type = "O", ""
    for place, label in enumerate([*labels, "O"]):
        prefix, kind = label[0], label[2:]
        changed = before != "O" and kind != before_type
        ends = changed or (before, prefix) in [("B", "B"), ("B", "O"), ("I", "B"), ("I", "O")]
        begins = prefix != "O" and (
            kind != before_type or (before, prefix) in [("B", "B"), ("I", "B"), ("O", "B"), ("O", "I")]
        )
        if begun is not None and ends:
            entities.append((before_type, begun, place - 1))
            begun = None
        if begins:
            begun = place
        before, before_type = prefix, kind
    return entities


@pytest.mark.parametrize(
    ("labels", "entities"),
    [
        (["I-x", "I-x"], [("x", 0, 1)]),
        (["O", "I-x", "O"], [("x", 1, 1)]),
        (["B-x", "I-y"], [("x", 0, 0), ("y", 1, 1)]),
        (["I-x", "I-y", "I-x"], [("x", 0, 0), ("y", 1, 1), ("x", 2, 2)]),
        (["B-x", "B-x", "I-x"], [("x", 0, 0), ("x", 1, 2)]),
        (["I-x", "B-x"], [("x", 0, 0), ("x", 1, 1)]),
        (["O", "B-x", "I-x"], [("x", 1, 2)]),
        (["B-x", "O", "I-x"], [("x", 0, 0), ("x", 2, 2)]),
    ],
    ids=lambda value: " ".join(map(str, value)),
)
def test_awkward_sequences_are_read_as_by_the_conll_script(labels, entities):
    assert found([labels]) == [entities]
    assert slowly(labels) == entities


def test_an_entity_ends_with_its_sentence():
    assert found([["O", "B-x"], ["I-x", "O"]]) == [[("x", 1, 1)], [("x", 0, 0)]]


LABELS = st.sampled_from(["O", "B-x", "I-x", "B-y", "I-y"])
WITH_ENDS = st.sampled_from(["O", *(f"{prefix}-{kind}" for prefix in "BIES" for kind in TYPES)])


def sentences_of(labels):
    return st.lists(st.lists(labels, min_size=1, max_size=9), min_size=1, max_size=4)


@given(sentences_of(LABELS))
def test_any_sequence_is_read_as_by_the_conll_script(sentences):
    assert found(sentences) == [slowly(one) for one in sentences]


@given(sentences_of(WITH_ENDS))
def test_any_sequence_is_read_as_by_seqeval(sentences):
    assert found(sentences) == [get_entities(one) for one in sentences]


@given(sentences_of(WITH_ENDS))
def test_iobes_has_the_same_entities_in_legal_sequences(sentences):
    tags = tags_of(sentences)
    entities = entities_of(tags)
    labels = iobes_labels(entities, tags.prefixes.size)
    again = iobes_tags(labels.astype(np.int64), tags.starts)
    assert [one.tolist() for one in entities_of(again)] == [one.tolist() for one in entities]
    allowed = may_follow(len(TYPES))
    for first, last in zip(tags.starts[:-1], tags.starts[1:], strict=True):
        path = [-1, *labels[first:last].tolist(), -1]
        assert all(allowed[one, other] for one, other in itertools.pairwise(path))


def test_what_may_follow_is_what_the_scheme_says():
    allowed = may_follow(2)
    names = ["O", *(f"{prefix}-{kind}" for kind in TYPES for prefix in "BIES"), "edge"]
    for row, one in enumerate(names):
        for column, other in enumerate(names):
            if one[0] in "BI":
                expected = other[0] in "IE" and other[2:] == one[2:]
            else:
                expected = other in ("O", "edge") or other[0] in "BS"
            assert allowed[row, column] == (expected and (one, other) != ("edge", "edge")), (one, other)


@pytest.mark.parametrize(
    ("labels", "scheme"),
    [
        (["B-x", "I-x", "O", "B-x"], "BIO"),
        (["I-x", "I-x", "B-x", "O"], "IOB"),
        (["S-x", "B-y", "E-y", "O"], "IOBES"),
    ],
)
def test_the_scheme_of_labels_is_recognised(labels, scheme):
    tags = tags_of([labels])
    assert scheme_of(tags, entities_of(tags)) == scheme
