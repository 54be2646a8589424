"""Whole corpora: the same whatever the number of workers, and bad sources."""

import gzip

import polars as pl
import pytest

from medgauge.corpus.from_text import build_corpus
from medgauge.corpus.side_by_side import read_parts
from medgauge.corpus.stored_corpus import SCHEMAS, Corpus
from medgauge.corpus.word_table import corpus_words
from medgauge.errors import FileError, InputError, MedgaugeWarning
from medgauge.progress import hearing
from tests.support.articles import ARTICLES, CONLLU, JATS, Article, write_medline


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def sources(tmp_path):
    """A folder of each form without tags, in several files."""
    folder = tmp_path / "sources"
    (folder / "inner").mkdir(parents=True)
    write_medline(folder / "a.xml.gz")
    write_medline(folder / "inner" / "b.xml", [Article(f"{n}", f"Gout {n}", ["IL-2."]) for n in range(50)])
    (folder / "c.nxml").write_text(JATS)
    (folder / "d.txt").write_text("\u200b\ngout\n\u200b\ncaries\n")
    (folder / "a.xml.gz.md5").write_text("no text")
    return folder


def whole(corpus: Corpus) -> pl.DataFrame:
    return pl.concat(corpus.batches(list(SCHEMAS[corpus.card.layout])))


def test_the_corpus_is_the_same_with_any_number_of_workers(sources, tmp_path, monkeypatch):
    monkeypatch.setattr("medgauge.corpus.parts._SIZE", 1)  # a part for each file
    heard = []
    with hearing(heard.append):
        one = build_corpus(sources, tmp_path / "one.parquet", workers=1)
    many = build_corpus(sources, tmp_path / "many.parquet", workers=3)
    assert one.path.read_bytes() == many.path.read_bytes()
    assert one.card.documents == 3 + 50 + 1 + 2
    frame = whole(one)
    assert frame["document"].unique(maintain_order=True).to_list() == list(range(56))
    assert [(source.form, source.files, source.documents) for source in one.card.sources] == [
        ("medline", 2, 53),
        ("jats", 1, 1),
        ("text", 1, 2),
    ]
    assert heard == [f"{sources}: 1 file is empty or of another kind, and left out"]
    assert list((tmp_path / "cache" / "medgauge" / "corpus").iterdir()) == []


def test_files_are_read_in_the_order_of_the_sources(sources, tmp_path):
    given = [sources / "d.txt", sources / "a.xml.gz"]
    corpus = build_corpus(given, tmp_path / "corpus.parquet")
    assert whole(corpus)["tokens"].list.join(" ").to_list()[:3] == [
        "gout", "caries", "Gout after renal failure .",
    ]  # fmt: skip
    assert whole(corpus)["document"].to_list() == [0, 1, 2, 2, 2, 3, 3, 4]


def test_sentences_of_conllu_keep_their_parse(tmp_path):
    (tmp_path / "a.conllu").write_text(CONLLU)
    corpus = build_corpus(tmp_path / "a.conllu", tmp_path / "corpus.parquet")
    assert (corpus.tagged, corpus.parsed, corpus.card.tokenizer) == (True, True, "given by the source")
    assert whole(corpus)["heads"].to_list() == [[5, 5, 5, 5, 0], [2, 0]]


def test_what_could_not_be_read_is_counted_located_and_warned_of(sources, tmp_path):
    broken = sources / "a.xml.gz"
    broken.write_bytes(gzip.compress(gzip.decompress(broken.read_bytes())[:2000]))
    with pytest.warns(MedgaugeWarning, match=r"^1 part of the sources .*/a\.xml\.gz, line \d+, after"):
        corpus = build_corpus(sources, tmp_path / "corpus.parquet")
    assert corpus.card.unread == 1
    assert corpus.card.unread_parts[0].source == str(broken)
    assert str(broken) in corpus.card.described()["parts not read"]
    assert corpus.card.documents == 1 + 50 + 1 + 2
    for workers in (1, 2):
        with pytest.raises(FileError, match=r"a\.xml\.gz, line"):
            build_corpus(
                [broken, sources / "d.txt"], tmp_path / "strict.parquet", strict=True, workers=workers
            )
    assert not (tmp_path / "strict.parquet").exists()


@pytest.mark.parametrize("workers", [1, 2])
def test_a_row_of_conllu_that_is_wrong_ends_the_work(tmp_path, workers):
    (tmp_path / "a.conllu").write_text(CONLLU)
    (tmp_path / "b.conllu").write_text(CONLLU.replace("\tNOUN\tNN\t_\t2\t", "\tNOUN\t2\t"))
    with pytest.raises(FileError, match=r"b\.conllu, line 14: the row has 8 of the 10 columns"):
        build_corpus(
            [tmp_path / "a.conllu", tmp_path / "b.conllu"], tmp_path / "corpus.parquet", workers=workers
        )
    assert sorted(path.name for path in tmp_path.iterdir() if path.name != "cache") == [
        "a.conllu",
        "b.conllu",
    ]


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("a.txt", b"\n \n", "a.txt: has no text$"),
        ("a.xml", b"<PubmedArticleSet><Pub", r"a\.xml, line 1: nothing could be read: the XML is broken off"),
        ("a.xml", b"<html><p>gout</p></html>", "first element is none of PubmedArticleSet"),
        ("a.pdf", b"%PDF-1.4 gout", "is not text; a corpus is made of MEDLINE"),
        ("a.txt", "gout".encode("utf-16"), "the file is UTF-16; save it as UTF-8"),
        ("a.txt", b"", "the file is empty"),
    ],
)
def test_what_has_no_text_is_refused_in_a_sentence_and_nothing_is_written(tmp_path, name, content, complaint):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=complaint):
        build_corpus(tmp_path / name, tmp_path / "corpus.parquet")
    assert not (tmp_path / "corpus.parquet").exists()


def test_a_corpus_replaces_a_corpus_but_no_other_file(sources, tmp_path):
    out = tmp_path / "corpus.parquet"
    out.touch()  # as mktemp makes one
    build_corpus(sources / "d.txt", out)
    again = build_corpus(sources, out)
    assert again.card.tokens > 200
    precious, table = tmp_path / "precious.csv", tmp_path / "other.parquet"
    precious.write_text("term_1,term_2\n")
    pl.DataFrame({"a": [1]}).write_parquet(table)
    for other in (precious, table):
        before = other.read_bytes()
        with pytest.raises(FileError, match="already exists, and is not a corpus; choose another place"):
            build_corpus(sources, other)
        with pytest.raises(FileError, match="already exists, and is not a word table"):
            corpus_words(again, other)
        assert other.read_bytes() == before


def test_a_source_is_not_overwritten_by_its_corpus(sources):
    source = sources / "d.txt"
    before = source.read_bytes()
    for given in (source, sources):
        with pytest.raises(FileError, match=r"d\.txt: is read here, and would be overwritten"):
            build_corpus(given, source)
    assert source.read_bytes() == before


@pytest.mark.parametrize("name", ["two\nlines.txt", "red\x1b[31m.txt"])
def test_a_source_whose_name_cannot_be_printed_is_named_nevertheless(tmp_path, name):
    (tmp_path / name).write_text("gout\n")
    [source] = build_corpus(tmp_path / name, tmp_path / "c.parquet").card.sources
    assert source.name.isprintable()
    assert source.name.endswith(".txt")


def test_the_current_folder_is_named(sources, tmp_path, monkeypatch):
    monkeypatch.chdir(sources)
    assert {one.name for one in build_corpus(".", tmp_path / "c.parquet").card.sources} == {"sources"}


def test_sources_with_and_without_tags_do_not_mix(sources, tmp_path):
    (tmp_path / "a.conllu").write_text(CONLLU)
    with pytest.raises(FileError, match=r"a\.conllu: has a parse, but .* is text without tags"):
        build_corpus([sources, tmp_path / "a.conllu"], tmp_path / "corpus.parquet")


def test_bad_options_are_refused_before_anything_is_read(tmp_path):
    (tmp_path / "a.txt").write_text("gout")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="at least one file"):
        build_corpus([], tmp_path / "c.parquet")
    with pytest.raises(InputError, match="at least 1, not 0"):
        build_corpus(tmp_path / "a.txt", tmp_path / "c.parquet", workers=0)
    with pytest.raises(FileError, match="cannot be written"):
        build_corpus(tmp_path / "a.txt", tmp_path / "a.txt" / "c.parquet")
    with pytest.raises(FileError, match="no file that ends in"):
        build_corpus(tmp_path / "empty", tmp_path / "c.parquet")
    with pytest.raises(FileError, match="no such file"):
        build_corpus(tmp_path / "none.xml", tmp_path / "c.parquet")


def test_a_process_that_ends_is_one_sentence(sources, tmp_path, monkeypatch):
    monkeypatch.setattr("medgauge.corpus.parts._SIZE", 1)
    monkeypatch.setattr("medgauge.corpus.side_by_side._PROGRAM", ("-c", "raise SystemExit(3)"))
    with pytest.raises(FileError, match="reading it ended the process that tried"):
        build_corpus(sources, tmp_path / "corpus.parquet", workers=2)
    assert not (tmp_path / "corpus.parquet").exists()


def test_few_parts_are_read_here():
    assert list(read_parts([])) == []


def test_articles_without_text_leave_no_gap_in_the_numbers(tmp_path):
    articles = [ARTICLES[0], Article("7", ""), ARTICLES[1]]
    corpus = build_corpus(write_medline(tmp_path / "a.xml", articles), tmp_path / "corpus.parquet")
    assert whole(corpus)["document"].to_list() == [0, 0, 0, 1, 1]
    assert whole(corpus)["document_id"].unique(maintain_order=True).to_list() == ["101", "102"]
