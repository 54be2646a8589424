from medgauge.corpus.passages import UnreadParts
from medgauge.corpus.readers.jats import read_jats
from tests.support.articles import JATS

PASSAGES = [
    "Gout in Mus musculus",
    "Background",
    "H2O helps .",
    "Methods",
    "See Figure 1: then 5′-AMP.",
    "Levels of α-urate.",
    "Doses",
]


def read(path):
    unread = UnreadParts(path)
    found = [
        row
        for batch in read_jats(path, unread)
        for row in zip(batch.documents, batch.ids, batch.journals, batch.texts, strict=True)
    ]
    return found, unread


def test_text_is_read_and_references_tables_and_formulas_are_not(tmp_path):
    path = tmp_path / "a.nxml"
    path.write_text(JATS)
    found, unread = read(path)
    assert found == [(0, "PMC77", "BMC Gout", text) for text in PASSAGES]
    assert unread.count == 0


def test_an_article_has_its_nlm_id_and_else_its_pmid(tmp_path):
    path = tmp_path / "a.xml"
    journal = '<journal-id journal-id-type="nlm-journal-id">100966975</journal-id></journal-meta>'
    text = JATS.replace('<article-id pub-id-type="pmc">77</article-id>', "").replace(
        "</journal-meta>", journal
    )
    path.write_text(text)
    assert {row[1:3] for row in read(path)[0]} == {("201", "100966975")}


def test_several_articles_and_one_within_another_are_read(tmp_path):
    path = tmp_path / "a.xml"
    body = JATS[JATS.index("<article ") :].replace("&alpha;", "α")  # which needs the DTD
    answer = "<sub-article><body><p>An answer.</p></body></sub-article></article>"
    path.write_text(f"<pmc-articleset>{body.replace('</article>', answer)}{body}</pmc-articleset>")
    found, _ = read(path)
    assert [(number, text) for number, *_, text in found] == [
        *((0, text) for text in [*PASSAGES, "An answer."]),
        *((1, text) for text in PASSAGES),
    ]


def test_a_place_after_an_id_of_two_lines_is_one_line(tmp_path):
    path = tmp_path / "a.xml"
    text = JATS.replace('"pmc">77<', '"pmc">7\n7<')
    path.write_text(f"{text}<")
    assert "after document PMC7 7" in read(path)[1].parts[0].place


def test_an_article_that_breaks_off_is_located(tmp_path):
    path = tmp_path / "a.xml"
    path.write_text(JATS[: JATS.index("Figure 1")])
    found, unread = read(path)
    assert found == []
    assert unread.parts[0].place.startswith("line 1")
