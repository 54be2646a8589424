"""Small corpora whose words are counted, and the subjects of their journals."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import polars as pl

from medgauge.corpus.stored_corpus import SCHEMAS, Corpus, CorpusWriter, Layout

Document = tuple[str | None, Sequence[Sequence[str]]]
"""A journal, and sentences of words."""

SOME_DOCUMENTS: list[Document] = [
    ("1", [["gout", "gout", "caries"]]),
    ("2", [["gout", "fever"], ["IL-2", "."]]),
    (None, [["caries"]]),
]
SUBJECTS = {"1": ["Botany", "Zoology"], "2": ["Zoology"], "3": ["Allergy"]}


def write_corpus(path: Path, documents: Iterable[Document], *, tagged: bool = False) -> Corpus:
    """Write documents, each a journal and sentences of words; tags follow from the words."""
    rows = [
        (number, None, journal, words, [word.lower() for word in words], [pos_of(word) for word in words])
        for number, (journal, sentences) in enumerate(documents)
        for words in sentences
    ]
    layout: Layout = "tagged" if tagged else "forms"
    frame = pl.DataFrame(rows, SCHEMAS["tagged"], orient="row").select(SCHEMAS[layout].keys())
    with CorpusWriter(path, layout) as writer:
        writer.write(frame)
    return Corpus.open(path)


def pos_of(word: str) -> str:
    """Return the part of speech of a word: a verb if it begins with a capital letter."""
    return "VERB" if word[0].isupper() else "NOUN"


def write_journals(path: Path) -> Path:
    """Write a table of the subjects of journals."""
    rows = [f"{journal}\t{subject}\n" for journal, some in SUBJECTS.items() for subject in some]
    path.write_text("nlm_id\tsubject\n" + "".join(rows))
    return path
