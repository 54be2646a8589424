"""MEDLINE against a reader that holds the whole tree, and what is not read."""

from xml.etree import ElementTree
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge.corpus.passages import UnreadParts
from medgauge.corpus.readers.medline import read_medline
from medgauge.errors import FileError
from tests.support.articles import ARTICLES, MEDLINE_HEAD, MEDLINE_TAIL, Article, medline, write_medline


def read(path, *, strict=False):
    """Return the id, journal and text of each passage, and what was not read."""
    unread = UnreadParts(path, strict)
    found = [
        row
        for batch in read_medline(path, unread)
        for row in zip(batch.documents, batch.ids, batch.journals, batch.texts, strict=True)
    ]
    return found, unread


def slow_read(path):
    found = []
    for number, record in enumerate(ElementTree.fromstring(path.read_bytes())):
        article = record.find("MedlineCitation/Article")
        texts = [article.find("ArticleTitle"), *article.findall("Abstract/AbstractText")]
        for text in texts:
            plain = " ".join("".join(text.itertext()).split())
            if plain:
                pmid = record.findtext("MedlineCitation/PMID")
                journal = record.findtext("MedlineCitation/MedlineJournalInfo/NlmUniqueID")
                found.append((number, pmid, journal, plain))
    return found


WORDS = st.text("ab α<&\n\t", max_size=12).map(escape)
MARKED = st.builds("{0}<sup>{1}</sup>{2}".format, WORDS, WORDS, WORDS) | WORDS


@given(
    st.lists(
        st.builds(
            Article,
            st.text("123", min_size=1, max_size=5),
            MARKED,
            st.lists(MARKED, max_size=3),
            st.just("9"),
        ),
        max_size=5,
    )
)
def test_passages_are_those_of_the_slow_reference(tmp_path_factory, articles):
    path = write_medline(tmp_path_factory.mktemp("medline") / "a.xml", articles)
    found, unread = read(path)
    assert found == slow_read(path)
    assert unread.count == 0


def test_titles_and_sections_have_their_pmid_and_journal(tmp_path):
    found, _ = read(write_medline(tmp_path / "a.xml.gz"))
    assert found == [
        (0, "101", "0370270", "Gout after renal failure."),
        (0, "101", "0370270", "Uric acid rose."),
        (0, "101", "0370270", "The patients' gout (p<0.05)"),
        (1, "102", "7502406", "Dental caries and IL-2."),
        (1, "102", "7502406", "Caries is common."),
        (2, "103", "7502406", "A letter."),
    ]


def test_formulas_are_left_out_and_chapters_of_books_are_read(tmp_path):
    path = tmp_path / "a.xml"
    book = (
        "<PubmedBookArticle><BookDocument><PMID>7</PMID><ArticleTitle>Gout <mml:math "
        'xmlns:mml="m"><mml:mi>x</mml:mi></mml:math>here</ArticleTitle></BookDocument></PubmedBookArticle>'
    )
    path.write_text(MEDLINE_HEAD + book + MEDLINE_TAIL)
    assert read(path)[0] == [(0, "7", None, "Gout here")]


@pytest.mark.parametrize("ending", [".xml", ".xml.gz"])
def test_what_comes_before_a_break_is_kept_and_the_break_is_located(tmp_path, ending):
    path = write_medline(tmp_path / f"a{ending}", ARTICLES * 200)
    path.write_bytes(path.read_bytes()[: len(path.read_bytes()) // 2])
    whole, _ = read(write_medline(tmp_path / "whole.xml", ARTICLES * 200))
    found, unread = read(path)
    assert 0 < len(found) < len(whole)
    assert found == whole[: len(found)]
    [part] = unread.parts
    assert part.source == str(path)
    assert "after document 10" in part.place
    assert "broken off" in part.reason or "cut off" in part.reason
    with pytest.raises(FileError, match="line"):
        read(path, strict=True)


def test_signs_of_the_dtd_are_read_and_no_other_file_is(tmp_path):
    path = tmp_path / "a.xml"
    secret = tmp_path / "secret.txt"
    secret.write_text("zqx")
    head = MEDLINE_HEAD.replace('.dtd">', f'.dtd" [<!ENTITY x SYSTEM "{secret.as_uri()}">]>')
    path.write_text(head + medline([Article("1", "&alpha;-blocker &x;&unknown;end")]).partition("Set>\n")[2])
    found, unread = read(path)
    assert [text for *_, text in found] == ["α-blocker end"]
    assert unread.count == 0


def test_entities_that_expand_are_refused(tmp_path):
    path = tmp_path / "a.xml"
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 30))
    head = MEDLINE_HEAD.replace('.dtd">', f'.dtd" [<!ENTITY l0 "ha">{laughs}]>')
    path.write_text(head + medline([Article("1", "&l29;")]).partition("Set>\n")[2])
    found, unread = read(path)
    assert found == []
    assert "its DTD declares" in unread.parts[0].reason


def test_a_document_without_end_does_not_fill_the_memory(tmp_path, monkeypatch):
    monkeypatch.setattr("medgauge.corpus.readers.xml_stream._LONGEST_DOCUMENT", 1000)
    monkeypatch.setattr("medgauge.corpus.readers.xml_stream._LONGEST_MARKUP", 1000)
    monkeypatch.setattr("medgauge.corpus.readers.xml_stream._BLOCK", 100)
    path = tmp_path / "a.xml"
    for endless, reason in (
        ("<ArticleTitle>" + "gout " * 1000, "characters"),
        ("<!--" + "x" * 5000, "bytes"),
    ):
        path.write_text(medline().removesuffix(MEDLINE_TAIL) + "<PubmedArticle><MedlineCitation>" + endless)
        found, unread = read(path)
        assert len(found) == 6
        assert reason in unread.parts[0].reason
