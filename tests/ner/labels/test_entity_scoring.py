import numpy as np
from hypothesis import given
from seqeval.metrics import f1_score, precision_score, recall_score

from medgauge.ner.labels.entity_scoring import sentence_counts
from medgauge.ner.labels.tag_schemes import entities_of
from medgauge.stats.systems.f_measure import f_measure
from tests.ner.labels.test_tag_schemes import LABELS, TYPES, sentences_of, slowly, tags_of


def counted(gold, guessed):
    tags = tags_of(gold)
    return sentence_counts(
        entities_of(tags),
        entities_of(tags_of(guessed)),
        sentence_of=np.repeat(np.arange(len(gold)), [len(one) for one in gold]),
        types=len(TYPES),
        sentences=len(gold),
    )


def two_labellings(sentences):
    """Return labels and others of the same lengths."""
    return sentences, [one[1:] + one[:1] for one in sentences]


@given(sentences_of(LABELS))
def test_counts_are_those_of_comparing_sets_of_entities(sentences):
    gold, guessed = two_labellings(sentences)
    counts = counted(gold, guessed)
    for number, labels in enumerate(zip(gold, guessed, strict=True)):
        right, found = (set(slowly(one)) for one in labels)
        for place, kind in enumerate(TYPES):
            of_kind = [{one for one in some if one[0] == kind} for some in (right & found, found, right)]
            assert counts[number, place].tolist() == [len(some) for some in of_kind]


def test_a_wrong_end_or_type_is_wrong():
    gold = [["B-x", "I-x", "O", "B-y"]]
    guessed = [["B-x", "O", "O", "B-x"]]
    assert counted(gold, guessed).tolist() == [[[0, 2, 1], [0, 0, 1]]]


def test_figures_are_those_of_seqeval():
    rng = np.random.default_rng(0)
    labels = np.array(["O", "B-x", "I-x", "B-y", "I-y"])
    gold = [labels[rng.integers(0, 5, rng.integers(1, 12))].tolist() for _ in range(60)]
    guessed = [
        [label if rng.random() < 0.8 else str(rng.choice(labels)) for label in sentence] for sentence in gold
    ]
    found = f_measure(*counted(gold, guessed).sum(axis=(0, 1)).astype(float))
    expected = [score(gold, guessed) for score in (precision_score, recall_score, f1_score)]
    np.testing.assert_allclose([float(one) for one in found], expected, rtol=1e-12)
