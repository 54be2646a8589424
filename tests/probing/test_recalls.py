import numpy as np
import pytest

from medgauge.models.in_memory import as_model
from medgauge.pairs import Card
from medgauge.probing.questions import questions_of
from medgauge.probing.recalls import recalls
from medgauge.terminology.obo import read_ontology
from tests.support.dated_terms import Knows, name_of, synonym_of, write_ontology
from tests.vectors import some_vectors

COUNT = 30
CARD = Card(name="dated", title="Dated")


@pytest.fixture
def questions(tmp_path):
    return questions_of(read_ontology(write_ontology(tmp_path / "d.obo", COUNT)), np.random.default_rng(0))


def cosine(a, b):
    a, b = np.float64(a), np.float64(b)
    return round(float(a @ b / np.sqrt((a @ a) * (b @ b))), 12)


def slow(model, questions, asked, candidates, order):
    """Ask one question after another, by the definition."""
    found = {}
    for place in asked:
        query, own = questions.queries[place], int(questions.answers[place])
        others = [one for one in order[:candidates] if one != own][: candidates - 1]
        scores = [cosine(*model.encode([query, questions.names[one]])) for one in (own, *others)]
        best = max(scores)
        found[place] = 1 / scores.count(best) if scores[0] == best else 0.0
    return found


@pytest.mark.parametrize("candidates", [2, 7, COUNT])
@pytest.mark.parametrize("known", [(), range(0, COUNT, 3)])
def test_recalls_are_those_of_loops(questions, candidates, known):
    asked = np.arange(0, COUNT, 2)
    model = Knows(known, dim=2)
    found = recalls(
        model,
        questions,
        asked,
        card=CARD,
        candidates=candidates,
        oov="uncovered",
        rng=np.random.default_rng(5),
    )
    order = np.random.default_rng(5).permutation(COUNT).tolist()
    expected = slow(model, questions, asked, candidates, order)
    assert found.candidates == candidates
    assert {place: found.values[place] for place in asked} == expected
    assert np.isnan(np.delete(found.values, asked)).all()


def test_a_tie_counts_as_often_as_a_drawn_candidate_would_be_right(questions):
    same = as_model({word: [1.0, 2.0] for number in range(COUNT) for word in words(number)})
    found = recalls(
        same,
        questions,
        np.arange(COUNT),
        card=CARD,
        candidates=COUNT,
        oov="uncovered",
        rng=np.random.default_rng(0),
    )
    assert found.values == pytest.approx(1 / COUNT)


def words(number):
    return [*name_of(number).split(), *synonym_of(number).split()]


def test_names_that_word_vectors_lack_are_no_candidates_and_questions_not_asked(questions):
    model = as_model(some_vectors(*(word for number in range(10) for word in words(number))))
    found = recalls(
        model,
        questions,
        np.arange(COUNT),
        card=CARD,
        candidates=5,
        oov="uncovered",
        rng=np.random.default_rng(0),
    )
    assert found.candidates == 5
    asked = [number for number in range(COUNT) if not np.isnan(found.values[number])]
    assert [questions.queries[place] for place in asked] == [synonym_of(number) for number in range(10)]
