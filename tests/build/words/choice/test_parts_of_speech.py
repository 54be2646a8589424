"""Parts of speech by tags, and by the lexicon where there are no tags."""

import polars as pl
import pytest

from medgauge.build.words.choice.parts_of_speech import with_parts
from medgauge.errors import InputError
from tests.support.lexicon_files import small_lexicon


def table(**pos):
    return pl.DataFrame(
        {"word": list(pos), "pos": list(pos.values())}, schema={"word": pl.String, "pos": pl.String}
    )


def parts(frame, lexicon=None):
    found = with_parts(frame, lexicon, name="words.parquet")
    return dict(found.select("word", "part").iter_rows())


def test_tags_of_universal_dependencies_and_of_the_penn_treebank_are_nouns_and_verbs():
    assert parts(table(cell="NOUN", china="PROPN", mice="NNS", asia="NNP")) == dict.fromkeys(
        ["cell", "china", "mice", "asia"], "noun"
    )
    assert parts(
        table(lyse="VERB", cleaved="VBD", must="MD", be="AUX", red="ADJ", the="DT")
    ) == dict.fromkeys(["lyse", "cleaved", "must", "be"], "verb")


def test_words_without_tags_have_one_part_of_speech():
    assert parts(table(cell=None, lyse=None)) == {"cell": "word", "lyse": "word"}


def test_the_lexicon_says_what_is_only_a_noun_or_only_a_verb():
    found = parts(table(kinases=None, phosphorylates=None, stain=None, unheard=None), small_lexicon())
    assert found == {"kinases": "noun", "phosphorylates": "verb"}  # a stain, and to stain


def test_a_corpus_without_nouns_and_verbs_is_refused_with_its_tags():
    with pytest.raises(
        InputError, match=r"words\.parquet has no nouns and no verbs: .* its tags are ADJ, DET"
    ):
        parts(table(red="ADJ", the="DET"))


def test_a_lexicon_that_knows_none_of_the_words_is_refused():
    with pytest.raises(InputError, match="the lexicon has none of its words as only a noun or only a verb"):
        parts(table(unheard=None), small_lexicon())
