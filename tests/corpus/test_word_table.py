"""Word tables against counters, and what they are refused."""

import sys
from collections import Counter, defaultdict

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr

from medgauge.corpus.word_table import SCHEMA, corpus_words, open_word_table
from medgauge.errors import FileError, InputError, MissingExtraError, UndefinedWarning
from tests.support.counted_words import SOME_DOCUMENTS, SUBJECTS, pos_of, write_corpus, write_journals


@pytest.fixture(autouse=True)
def cache(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))


def slow_table(documents, *, tagged):
    """Count with dictionaries."""
    frequency, found, journals, subjects = Counter(), defaultdict(set), defaultdict(set), defaultdict(Counter)
    for number, (journal, sentences) in enumerate(documents):
        for word in (word for words in sentences for word in words):
            key = word.lower(), pos_of(word) if tagged else None
            frequency[key] += 1
            found[key].add(number)
            journals[key] |= {journal} - {None}
            for subject in SUBJECTS.get(journal, ()):
                subjects[key][subject] += 1
    rows = []
    for key, count in sorted(frequency.items(), key=lambda item: (-item[1], item[0])):
        listed = sorted(subjects[key].items(), key=lambda item: (-item[1], item[0]))
        named = [{"subject": subject, "frequency": number} for subject, number in listed]
        rows.append(
            (*key, count, len(found[key]), len(journals[key]), listed[0][0] if listed else None, named)
        )
    return rows


WORDS = st.sampled_from(["gout", "Gout", "caries", "IL-2", "Étude", "."])
DOCUMENTS = st.lists(
    st.tuples(
        st.sampled_from([None, "1", "2", "3", "9"]),
        st.lists(st.lists(WORDS, min_size=1, max_size=5), min_size=1, max_size=3),
    ),
    min_size=1,
    max_size=6,
)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(DOCUMENTS, st.booleans())
def test_counts_are_those_of_the_slow_reference(tmp_path_factory, documents, tagged):
    folder = tmp_path_factory.mktemp("words")
    corpus = write_corpus(folder / "[a]*.parquet", documents, tagged=tagged)
    table = corpus_words(corpus, journals=write_journals(folder / "journals.tsv"))
    assert table.frame.rows() == slow_table(documents, tagged=tagged)
    assert table.frame["frequency"].sum() == table.card.tokens


def test_a_table_is_stored_with_its_card_and_read_back(tmp_path):
    corpus = write_corpus(tmp_path / "c.parquet", SOME_DOCUMENTS)
    table = corpus_words(
        tmp_path / "c.parquet", tmp_path / "words.parquet", journals=write_journals(tmp_path / "j.tsv")
    )
    read = open_word_table(tmp_path / "words.parquet")
    assert read.frame.equals(table.frame)
    assert read.card == table.card
    assert read.frame.schema == pl.Schema(SCHEMA)
    card = read.card
    assert (card.corpus, card.unit, card.tokens, card.words) == (corpus.digest, "form", 8, 5)
    assert (card.documents, card.journals, card.subjects) == (3, 2, 2)
    assert card.described()["unit"] == "form: the corpus has no lemmas and parts of speech"
    assert table.subject_shares() == {"Zoology": 0.8, "Botany": 0.2}


def test_the_same_corpus_gives_the_same_bytes(tmp_path):
    write_corpus(tmp_path / "c.parquet", SOME_DOCUMENTS)
    for name in ("a", "b"):
        corpus_words(tmp_path / "c.parquet", tmp_path / name, journals=write_journals(tmp_path / "j.tsv"))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_without_journals_there_are_no_subjects(tmp_path):
    table = corpus_words(write_corpus(tmp_path / "c.parquet", SOME_DOCUMENTS))
    assert table.card.subjects is None
    assert table.frame["subject"].null_count() == 5
    assert table.frame["subjects"].list.len().sum() == 0


def test_the_rank_correlation_is_that_of_scipy_over_words_that_both_have(tmp_path):
    documents = [("1", [["a"] * 5 + ["b"] * 3 + ["c"] * 3 + ["D"] * 2 + ["e", "x-ray", "."]])]
    general = {"a": 0.5, "b": 9, "c": 1, "d": 0.2, "e": 0.3, "x-ray": 7, ".": 9, "other": 1}
    (tmp_path / "general.csv").write_text(
        "word,frequency\n" + "".join(f"{w},{f}\n" for w, f in general.items())
    )
    corpus = write_corpus(tmp_path / "c.parquet", documents)
    found = corpus_words(corpus, reference=str(tmp_path / "general.csv")).card.general
    assert (found.reference, found.words) == ("general.csv", 5)
    expected = spearmanr([5, 3, 3, 2, 1], [0.5, 9, 1, 0.2, 0.3]).statistic
    assert found.spearman == pytest.approx(expected)


def test_a_correlation_over_too_few_words_is_undefined_with_a_warning(tmp_path):
    (tmp_path / "general.csv").write_text("word,frequency\ngout,1\n")
    corpus = write_corpus(tmp_path / "c.parquet", SOME_DOCUMENTS)
    with pytest.warns(UndefinedWarning, match="rank correlation with general.csv is undefined"):
        card = corpus_words(corpus, tmp_path / "w.parquet", reference=str(tmp_path / "general.csv")).card
    assert card.general.words == 1
    assert open_word_table(tmp_path / "w.parquet").card.general.spearman != card.general.spearman  # NaN


def test_wordfreq_is_a_general_list_and_named_where_it_is_missing(tmp_path, monkeypatch):
    corpus = write_corpus(tmp_path / "c.parquet", SOME_DOCUMENTS)
    monkeypatch.setitem(sys.modules, "wordfreq", None)
    with pytest.raises(MissingExtraError, match="wordfreq"):
        corpus_words(corpus, reference="wordfreq")
    monkeypatch.undo()
    pytest.importorskip("wordfreq")
    with pytest.raises(InputError, match="wordfreq has no language 'zz'"):
        corpus_words(corpus, reference="wordfreq:zz")


@pytest.mark.parametrize(
    ("content", "option", "complaint"),
    [
        ("id,subject\n1,x\n", "journals", "has no column nlm_id"),
        ("word,count\ngout,1\n", "reference", "has no column frequency"),
        (
            "word,frequency\ngout,many\n",
            "reference",
            "line 2: the value of column 'frequency' is not",
        ),
        ("word,frequency\ngout,-1\n", "reference", "is negative"),
        ("word,frequency\ngout,0\n", "reference", "has no frequency above 0"),
    ],
)
def test_tables_that_do_not_fit_are_refused(tmp_path, content, option, complaint):
    (tmp_path / "table.csv").write_text(content)
    corpus = write_corpus(tmp_path / "c.parquet", SOME_DOCUMENTS)
    with pytest.raises(FileError, match=complaint):
        corpus_words(corpus, **{option: str(tmp_path / "table.csv")})


def test_what_is_not_a_corpus_or_a_word_table_is_refused(tmp_path):
    corpus = write_corpus(tmp_path / "c.parquet", SOME_DOCUMENTS)
    with pytest.raises(FileError, match="is not a word table; make one with 'medgauge corpus words"):
        open_word_table(corpus.path)
    corpus_words(corpus, tmp_path / "w.parquet")
    with pytest.raises(FileError, match="is not a corpus; make one with 'medgauge corpus"):
        corpus_words(tmp_path / "w.parquet")
    with pytest.raises(InputError, match="there is no general list 'nowhere'"):
        corpus_words(corpus, reference="nowhere")
    with pytest.raises(FileError, match="cannot be written"):
        corpus_words(corpus, tmp_path / "c.parquet" / "w.parquet")
    with pytest.raises(InputError, match="memory= is that of the engine on this machine"):
        corpus_words(corpus, memory="1GB", connect="pyspark://local")


def test_a_corpus_and_its_journals_are_not_overwritten_by_the_table(tmp_path):
    corpus = write_corpus(tmp_path / "c.parquet", SOME_DOCUMENTS)
    journals = write_journals(tmp_path / "j.tsv")
    for path in (corpus.path, journals):
        before = path.read_bytes()
        with pytest.raises(FileError, match="is read here, and would be overwritten"):
            corpus_words(corpus, path, journals=journals)
        assert path.read_bytes() == before


def test_a_list_whose_name_has_two_lines_is_named_in_one(tmp_path):
    path = tmp_path / "two\nlines.csv"
    path.write_text("word,frequency\ngout,1\ncaries,2\nthe,4\n")
    documents = [("1", [["gout", "caries", "caries", "the", "the", "the"]])]
    card = corpus_words(write_corpus(tmp_path / "c.parquet", documents), reference=str(path)).card
    assert card.general.reference == "two lines.csv"
