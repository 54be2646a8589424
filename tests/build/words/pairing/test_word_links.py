"""What links words: each resource, what counts as associated, and what does not."""

import polars as pl

from medgauge.build.words.lexical.association_norms import read_norms
from medgauge.build.words.pairing.word_links import word_links
from medgauge.build.words.word_resources import Resources
from medgauge.terminology.read import read_terminology
from tests.build.words.pairing.vocabularies import vocabulary_of
from tests.support.lexicon_files import small_lexicon
from tests.support.word_tables import BIOMEDICAL, GENERAL, NORMS, ONTOLOGY


def resources(tmp_path, **others):
    (tmp_path / "mini.obo").write_text(ONTOLOGY)
    (tmp_path / "norms.tsv").write_text(NORMS)
    return Resources(
        [read_terminology([tmp_path / "mini.obo"], scopes=others.pop("scopes", ["EXACT"]))],
        norms=read_norms(tmp_path / "norms.tsv"),
        **others,
    )


def named(linked, vocabulary):
    return {
        (vocabulary.words[first], vocabulary.words[second]): link
        for first, second, link in linked.iter_rows()
    }


def test_nouns_are_linked_as_synonyms_and_siblings_of_the_ontology(tmp_path):
    vocabulary = vocabulary_of(*BIOMEDICAL["noun"])
    assert named(word_links(vocabulary, resources(tmp_path)).biomedical(), vocabulary) == {
        ("dropsy", "edema"): "synonyms in mini",
        ("kyphosis", "scoliosis"): "siblings in mini",
        ("kyphosis", "lordosis"): "siblings in mini",
        ("lordosis", "scoliosis"): "siblings in mini",
        ("methylation", "phosphorylation"): "siblings in mini",
        ("acetylation", "methylation"): "siblings in mini",
        ("acetylation", "phosphorylation"): "siblings in mini",
    }


def test_verbs_are_linked_by_the_nouns_made_from_them(tmp_path):
    vocabulary = vocabulary_of(*BIOMEDICAL["verb"], part="verb")
    assert set(named(word_links(vocabulary, resources(tmp_path)).biomedical(), vocabulary)) == {
        ("methylate", "phosphorylate"),
        ("acetylate", "methylate"),
        ("acetylate", "phosphorylate"),
    }


def test_broad_synonyms_count_if_their_scope_is_asked_for(tmp_path):
    vocabulary = vocabulary_of("edema", "necrosis")
    assert not word_links(vocabulary, resources(tmp_path)).codes
    broad = resources(tmp_path, scopes=["EXACT", "BROAD"])
    assert named(word_links(vocabulary, broad).biomedical(), vocabulary) == {
        ("edema", "necrosis"): "synonyms in mini"
    }


def test_the_lexicon_links_synonyms_of_the_part_of_speech_and_a_pair_has_all_its_links(tmp_path):
    nouns = vocabulary_of("dropsy", "edema")
    both = resources(tmp_path, lexicon=small_lexicon())
    assert named(word_links(nouns, both).biomedical(), nouns) == {
        ("dropsy", "edema"): "synonyms in mini; synonyms in SPECIALIST"
    }
    verbs = vocabulary_of("breathe", "respire", part="verb")
    assert word_links(verbs, both).biomedical().height == 1
    assert word_links(vocabulary_of("breathe", "respire"), both).biomedical().height == 0  # as nouns


def test_norms_associate_what_is_said_often_and_both_ways_and_link_the_rest(tmp_path):
    vocabulary = vocabulary_of(*GENERAL["noun"])
    links = word_links(vocabulary, resources(tmp_path))
    assert set(named(links.general(), vocabulary)) == {
        ("lake", "river"),
        ("king", "queen"),
        ("door", "window"),
    }
    assert links.biomedical().height == 0
    assert len(links.codes) == 5  # also teacher and school, and idea and people


def test_a_verb_and_the_noun_made_from_it_are_linked_and_never_associated(tmp_path):
    vocabulary = vocabulary_of("methylate", "methylation", "phosphorylation", part="word")
    links = word_links(vocabulary, resources(tmp_path))
    assert links.frame.filter(pl.col("link") == "forms of one word").select("first", "second").rows() == [
        (0, 1)
    ]
    assert set(named(links.biomedical(), vocabulary)) == {("methylation", "phosphorylation")}
