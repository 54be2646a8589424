from datetime import date

import numpy as np
import pytest

from medgauge.probing.questions import ages, normalised, questions_of
from medgauge.terminology.obo import read_ontology
from tests.support.dated_terms import write_ontology

TERMS = """[Term]
id: X:1
name: Renal failure
synonym: "Kidney failure" EXACT []
synonym: "RENAL-FAILURE" EXACT []
creation_date: 2010-01-01

[Term]
id: X:2
name: Flu
synonym: "Influenza" EXACT []
synonym: "Grippe" EXACT []
synonym: "grippe" EXACT []

[Term]
id: X:3
name: Common cold
synonym: "Cold" EXACT []

[Term]
id: X:4
name: Feeling cold
synonym: "cold" EXACT []

[Term]
id: X:5
name: Alone

[Term]
id: X:6
name: obsolete Old
is_obsolete: true
synonym: "Older" EXACT []
"""


@pytest.fixture
def made(tmp_path):
    path = tmp_path / "x.obo"
    path.write_text(TERMS, "utf-8")
    return lambda seed: questions_of(read_ontology(path), np.random.default_rng(seed))


def test_each_concept_with_a_synonym_of_its_own_is_asked_for_once(made):
    found = made(0)
    asked = {query: found.names[answer] for query, answer in zip(found.queries, found.answers, strict=True)}
    assert asked["Kidney failure"] == "Renal failure"
    assert set(asked.values()) == {"Renal failure", "Flu"}
    assert found.names == ["Renal failure", "Flu", "Common cold", "Feeling cold", "Alone"]
    assert found.appeared == [date(2010, 1, 1), None]


def test_a_text_of_several_concepts_is_neither_asked_nor_an_answer(made):
    found = made(0)
    assert found.ambiguous == 1
    assert "cold" not in map(str.lower, found.queries)


def test_the_synonym_is_drawn(made):
    drawn = {query for seed in range(20) for query in made(seed).queries}
    assert drawn == {"Kidney failure", "Influenza", "Grippe"}


def test_questions_of_equal_strata_are_alike(tmp_path):
    found = questions_of(read_ontology(write_ontology(tmp_path / "d.obo", 20)), np.random.default_rng(0))
    assert len(set(found.strata.tolist())) == 1


def test_a_shared_word_and_a_frequent_word_make_other_strata(made):
    found = made(0)
    assert len(set(found.strata.tolist())) == 2


def test_normalised_texts_differ_only_by_their_words():
    assert normalised("Crohn’s  disease") == normalised("CROHN'S DISEASE") == "crohn s disease"
    assert normalised("ﬁbrosis") == "fibrosis"
    assert normalised("—") == ""


def test_ages_split_at_the_date():
    given = [date(2019, 12, 31), date(2020, 1, 1), None]
    assert ages(given, date(2020, 1, 1)).tolist() == [0, 1, -1]
