"""Words of an ontology, its synonyms and siblings, against plain versions."""

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from medgauge.build.words.choice.word_forms import WordForms
from medgauge.build.words.pairing.ontology_words import concept_words, siblings, single_words, synonyms
from medgauge.terminology.read import read_terminology
from tests.build.words.pairing.slow_pairs import slow_siblings, slow_synonyms
from tests.build.words.pairing.vocabularies import vocabulary_of
from tests.support.word_tables import ONTOLOGY

ROWS = st.sets(st.tuples(st.integers(0, 5), st.integers(0, 6)))
PARENTS = st.sets(st.tuples(st.integers(0, 5), st.integers(0, 3)))


def mini(tmp_path, text=ONTOLOGY):
    (tmp_path / "mini.obo").write_text(text)
    return read_terminology([tmp_path / "mini.obo"])


def frame(rows, first, second):
    return pl.DataFrame(sorted(rows), schema={first: pl.UInt32, second: pl.UInt32}, orient="row")


@given(ROWS)
def test_synonyms_are_those_of_a_loop_over_all_pairs(rows):
    assert {*synonyms(frame(rows, "concept", "word"))} == slow_synonyms(rows)


@given(ROWS, PARENTS)
def test_siblings_are_those_of_a_loop_over_all_pairs(rows, parents):
    found = siblings(frame(rows, "concept", "word"), frame(parents, "child", "parent"))
    pairs = {pair for first, second in found for pair in zip(first.tolist(), second.tolist(), strict=True)}
    assert pairs == slow_siblings(rows, parents)


def test_single_words_are_labels_and_synonyms_without_obsolete_classes(tmp_path):
    text = f"{ONTOLOGY}\n[Term]\nid: M:10\nname: obsolete anasarca\nis_obsolete: true\n"
    found = single_words(mini(tmp_path, text))["term"].to_list()
    assert sorted(found) == [
        *("Dropsy", "Hyperlordosis", "Kyphosis", "Lordosis", "Methylation", "Oedema", "Scoliosis"),
        *("acetylation", "phosphorylation"),
    ]


def test_words_meet_terms_in_american_spelling_and_in_any_case(tmp_path):
    vocabulary = vocabulary_of("dropsy", "esophagus", "kyphosis")
    text = ONTOLOGY.replace("Oedema", "Oesophagus")
    found = concept_words(mini(tmp_path, text), vocabulary)
    assert found["word"].to_list() == [2, 0, 1]
    assert vocabulary.words == ["dropsy", "esophagus", "kyphosis"]


def test_inflected_terms_meet_lemmas_only_if_words_are_lemmas(tmp_path):
    text = ONTOLOGY.replace("Scoliosis", "Kinases")
    for lemmatise in (False, True):
        forms = WordForms(lemmatise=lemmatise)
        assert concept_words(mini(tmp_path, text), vocabulary_of("kinase", forms=forms)).height == lemmatise


def test_phosphorylate_meets_phosphorylation_as_a_verb_alone(tmp_path):
    for part, met in (("verb", 2), ("noun", 0), ("word", 0)):
        vocabulary = vocabulary_of("methylate", "phosphorylate", part=part)
        assert concept_words(mini(tmp_path), vocabulary).height == met
