"""Small files of text in the forms that a corpus is made of, as their publishers write them."""

import gzip
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

MEDLINE_HEAD = (
    '<?xml version="1.0" encoding="utf-8"?>\n'
    '<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN" '
    '"https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">\n<PubmedArticleSet>\n'
)
MEDLINE_TAIL = "</PubmedArticleSet>\n"


class Article(NamedTuple):
    """An article; its title and sections are XML."""

    pmid: str
    title: str
    sections: Sequence[str] = ()
    journal: str = "0370270"


ARTICLES = (
    Article("101", "Gout after <i>renal</i> failure.", ("Uric acid rose.", "The patients' gout (p&lt;0.05)")),
    Article("102", "Dental caries and IL-2.", ("Caries is common.",), "7502406"),
    Article("103", "A letter.", (), "7502406"),
)


def medline_record(article: Article) -> str:
    """Return a record with what surrounds the title and abstract in PubMed, in which PMIDs occur too."""
    sections = "".join(
        f'<AbstractText Label="PART {number}" NlmCategory="RESULTS">{text}</AbstractText>\n'
        for number, text in enumerate(article.sections)
    )
    abstract = (
        f"<Abstract>\n{sections}<CopyrightInformation>Copyright of no word</CopyrightInformation></Abstract>"
    )
    return (
        '<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM">\n'
        f'<PMID Version="1">{article.pmid}</PMID>\n'
        '<Article PubModel="Print"><Journal><Title>Journal of no word</Title></Journal>\n'
        f"<ArticleTitle>{article.title}</ArticleTitle>\n{abstract if sections else ''}\n"
        "<Language>eng</Language></Article>\n"
        "<MedlineJournalInfo><Country>England</Country><MedlineTA>J No Word</MedlineTA>"
        f"<NlmUniqueID>{article.journal}</NlmUniqueID></MedlineJournalInfo>\n"
        '<CommentsCorrectionsList><CommentsCorrections RefType="Cites"><PMID Version="1">999</PMID>'
        "</CommentsCorrections></CommentsCorrectionsList>\n"
        '<OtherAbstract Type="Publisher" Language="fre"><AbstractText>Mot.</AbstractText></OtherAbstract>\n'
        f'</MedlineCitation><PubmedData><ArticleIdList><ArticleId IdType="pubmed">{article.pmid}</ArticleId>'
        "</ArticleIdList></PubmedData></PubmedArticle>\n"
    )


def medline(articles: Iterable[Article] = ARTICLES) -> str:
    """Return a file of MEDLINE XML."""
    return MEDLINE_HEAD + "".join(map(medline_record, articles)) + MEDLINE_TAIL


def write_medline(path: Path, articles: Iterable[Article] = ARTICLES) -> Path:
    """Write MEDLINE XML, compressed if its name says so."""
    content = medline(articles).encode()
    path.write_bytes(gzip.compress(content, mtime=0) if path.suffix == ".gz" else content)
    return path


JATS = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Archiving and Interchange DTD v1.2//EN"
  "JATS-archivearticle1.dtd">
<article xmlns:mml="http://www.w3.org/1998/Math/MathML" article-type="research-article">
<front><journal-meta><journal-id journal-id-type="nlm-ta">BMC Gout</journal-id>
<journal-title-group><journal-title>BMC Gout and no word</journal-title></journal-title-group></journal-meta>
<article-meta><article-id pub-id-type="pmid">201</article-id><article-id pub-id-type="pmc">77</article-id>
<title-group><article-title>Gout in <italic>Mus musculus</italic></article-title></title-group>
<abstract><sec><title>Background</title><p>H<sub>2</sub>O helps<xref ref-type="bibr">1</xref>.</p></sec>
</abstract>
<trans-abstract xml:lang="fr"><p>Résumé.</p></trans-abstract></article-meta></front>
<body><sec><label>1</label><title>Methods</title>
<p>See <xref ref-type="fig">Figure 1</xref>:<disp-formula><tex-math>x^2</tex-math></disp-formula>
then 5&#8242;-AMP.</p>
<fig><label>Figure 1</label><caption><p>Levels of &alpha;-urate.</p></caption></fig>
<table-wrap><caption><title>Doses</title></caption><table><tr><td>no word</td></tr></table></table-wrap>
</sec></body>
<back><ref-list><ref><mixed-citation>No word</mixed-citation></ref></ref-list></back>
</article>
"""

CONLLU = """# newdoc id = 301
# journal = 0370270
# sent_id = 1
# text = Gout isn't rare.
1\tGout\tgout\tNOUN\tNN\t_\t5\tnsubj\t_\t_
2-3\tisn't\t_\t_\t_\t_\t_\t_\t_\t_
2\tis\tbe\tAUX\tVBZ\t_\t5\tcop\t_\t_
3\tn't\tnot\tPART\tRB\t_\t5\tadvmod\t_\t_
4\tvery\tvery\tADV\tRB\t_\t5\tadvmod\t_\t_
5\trare\trare\tADJ\tJJ\t_\t0\troot\t_\tSpaceAfter=No
5.1\tgone\tgo\tVERB\tVBN\t_\t_\t_\t5:conj\t_

# newdoc id = 302
1\tGout\tgout\tNOUN\tNN\t_\t2\tnsubj\t_\t_
2\thurts\thurt\tVERB\tVBZ\t_\t0\troot\t_\t_

"""
