"""The table of the words of a corpus: their frequency, documents, journals and subjects."""

import glob
import re
import warnings
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Self

import numpy as np
import polars as pl
from pydantic import BaseModel, ConfigDict

from medgauge.corpus.general_list import GeneralList, open_general_list
from medgauge.corpus.stored_card import check_replaceable, read_stored_card
from medgauge.corpus.stored_corpus import Corpus
from medgauge.corpus.tag_corpus import tag_corpus
from medgauge.engines.ibis_engine import IbisEngine, opened
from medgauge.engines.scratch import scratch_folder
from medgauge.errors import FileError, InputError, UndefinedWarning, option
from medgauge.files.parquet import read_parquet, write_parquet
from medgauge.files.writing import can_write, check_not_read
from medgauge.stats.systems.correlation import spearman
from medgauge.stored import Count, Number, StoredName
from medgauge.tables import read_table, text_of

if TYPE_CHECKING:
    import ibis.expr.types as ir

CARD = "medgauge.words"
SCHEMA = {
    "word": pl.String(),
    "pos": pl.String(),
    "frequency": pl.UInt64(),
    "documents": pl.UInt32(),
    "journals": pl.UInt32(),
    "subject": pl.String(),
    "subjects": pl.List(pl.Struct({"subject": pl.String(), "frequency": pl.UInt64()})),
}
_ADVICE = "make one with 'medgauge corpus words CORPUS --out words.parquet'"
_NO_TAGS = "form: the corpus has no lemmas and parts of speech"
_LETTERS = r"^\p{L}+$"


class GeneralCorrelation(BaseModel):
    """Spearman's ρ between the frequencies of words in a corpus and in a general list that has them too."""

    model_config = ConfigDict(frozen=True)

    reference: StoredName
    words: Count
    spearman: Number

    def described(self) -> str:
        """Say in words how close the two are."""
        return f"ρ = {self.spearman:.3f} with {self.reference}, over {self.words:,} words that both have"


class WordTableCard(BaseModel):
    """What a word table counts; `unit` says whether its words are lemmas or forms."""

    model_config = ConfigDict(frozen=True)

    rules: Literal[1] = 1
    corpus: StoredName
    unit: Literal["lemma", "form"]
    tokens: Count
    words: Count
    documents: Count
    journals: Count
    tagger: StoredName | None = None
    subjects: Count | None = None
    """How many subjects the journals have; None if no table of journals was given."""
    general: GeneralCorrelation | None = None

    def described(self) -> dict[str, str]:
        """Say what the table counts, in words, for a table."""
        facts = {
            "words": f"{self.words:,}",
            "unit": "lemma and part of speech" if self.unit == "lemma" else _NO_TAGS,
            "tokens": f"{self.tokens:,}",
            "documents": f"{self.documents:,}",
            "journals": f"{self.journals:,}",
            "subjects": "" if self.subjects is None else f"{self.subjects:,}",
            "tagger": self.tagger or "",
            "rank correlation": "" if self.general is None else self.general.described(),
            "corpus": self.corpus,
        }
        return {name: value for name, value in facts.items() if value}


@dataclass(frozen=True)
class WordTable:
    """A word table: a row for each word and part of speech, the most frequent first, and its card.

    The columns are `word` (lower-cased), `pos` (null if the corpus has none), `frequency`, `documents`,
    `journals`, `subjects` with the frequency in each, and `subject`, the one with the highest (null if no
    journal of the word has one).
    """

    frame: pl.DataFrame
    card: WordTableCard

    def save(self, path: str | Path) -> None:
        """Write the table as Parquet with its card, whole or not at all."""
        write_parquet(Path(path), self.frame, {CARD: self.card.model_dump_json()})

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read what `save` wrote."""
        card = read_stored_card(path, CARD, WordTableCard, what="a word table", advice=_ADVICE)
        frame = read_parquet(path)
        if frame.schema != pl.Schema(SCHEMA):
            raise FileError(path, f"does not have the columns of a word table; {_ADVICE}")
        return cls(frame, card)

    def subject_shares(self) -> dict[str, float]:
        """Return the share of words whose dominant subject each is, among those that have one."""
        counts = (
            self.frame["subject"]
            .drop_nulls()
            .value_counts()
            .sort(["count", "subject"], descending=[True, False])
        )
        total = int(counts["count"].sum())
        return {subject: count / total for subject, count in counts.iter_rows()}


def open_word_table(path: str | Path) -> WordTable:
    """Open a word table that `corpus_words` or `medgauge corpus words` wrote."""
    return WordTable.load(path)


def corpus_words(
    corpus: str | Path | Corpus,
    out: str | Path | None = None,
    *,
    journals: str | Path | None = None,
    reference: str | None = None,
    tagger: str | None = None,
    memory: str | None = None,
    connect: str | None = None,
) -> WordTable:
    r"""Count the words of a corpus: their frequency, documents, journals and subjects.

    Words are the lemmas of a corpus that has them, apart for each part of speech, and otherwise its forms.

    Parameters
    ----------
    corpus
        A corpus, or its file.
    out
        Where to write the table as Parquet. A word table that is there is replaced, another file is not.
    journals
        A table with the columns nlm_id and subject, a row for each Broad Subject Term of a journal.
    reference
        A general list with whose frequencies to correlate those of the corpus: `wordfreq`, or a table with
        the columns word and frequency.
    tagger
        What finds lemmas and parts of speech in a corpus that has none, as `spacy:NAME`.
    memory
        Memory of the engine on this machine, by default 4GB; the rest spills to disk.
    connect
        The URL of an Ibis engine in place of the one on this machine, such as Spark, which reads the file of
        the corpus by its path.

    Examples
    --------
    >>> import tempfile
    >>> from medgauge import build_corpus
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     text = Path(folder) / "passages.txt"
    ...     _ = text.write_text("Gout is painful.\nChronic gout\n")
    ...     words = corpus_words(build_corpus(text, Path(folder) / "corpus.parquet"))
    ...     words.frame.select("word", "frequency", "documents").row(0)
    ('gout', 2, 2)

    """
    found = corpus if isinstance(corpus, Corpus) else Corpus.open(corpus)
    if out is not None and not can_write(Path(out)):
        raise FileError(Path(out), "cannot be written; choose another place")
    if out is not None:
        check_not_read(Path(out), [found.path, *(Path(one) for one in (journals, reference) if one)])
        check_replaceable(Path(out), CARD, what="a word table")
    if memory is not None and connect is not None:
        raise InputError(f"{option('memory')} is that of the engine on this machine; leave it out")
    if tagger is not None and found.tagged:
        raise FileError(found.path, f"is tagged; leave out {option('tagger')}")
    subjects = None if journals is None else _subjects(Path(journals))
    general = None if reference is None else open_general_list(reference)
    with ExitStack() as stack:
        if tagger is not None:
            folder = stack.enter_context(scratch_folder("corpus"))
            found = tag_corpus(found, folder / "tagged.parquet", tagger=tagger)
        engine = stack.enter_context(
            opened(IbisEngine, connect, memory=memory or "4GB", scratch="corpus", extra="words")
        )
        frame, count = _counted(engine, found, subjects)
    table = WordTable(frame, _card(found, frame, count, subjects, general))
    if out is not None:
        table.save(out)
    return table


def _subjects(path: Path) -> pl.DataFrame:
    """Read which subjects each journal has."""
    table = read_table(path)
    for name in ("nlm_id", "subject"):
        if name not in table.places:
            raise FileError(path, f"has no column {name}; it needs the columns nlm_id and subject")
    journal, subject = table.places["nlm_id"], table.places["subject"]
    rows = [
        (text_of(row.values[journal]).strip(), text_of(row.values[subject]).strip()) for row in table.rows
    ]
    return pl.DataFrame(
        [row for row in dict.fromkeys(rows) if all(row)],
        {"journal": pl.String, "subject": pl.String},
        orient="row",
    )


def _counted(engine: IbisEngine, corpus: Corpus, subjects: pl.DataFrame | None) -> tuple[pl.DataFrame, int]:
    """Count words in an engine; return the table, and the number of journals."""
    path = str(corpus.path.absolute())
    engine.files[path] = corpus.path
    with engine.computing("opening the corpus"):
        rows = engine.backend.read_parquet(_escaped(path, engine.backend.name))
    words = _occurrences(rows, tagged=corpus.tagged)
    groups = ["word", "pos"]
    in_documents = engine.kept(
        words.group_by([*groups, "document", "journal"]).aggregate(frequency=words.count()), "counting words"
    )
    counted = in_documents.group_by(groups).aggregate(
        frequency=in_documents.frequency.sum(),
        documents=in_documents.count(),  # of which each has one journal
        journals=in_documents.journal.nunique(),
    )
    frame = engine.fetch(counted, "counting words")
    journals = engine.fetch(rows.aggregate(journals=rows.journal.nunique()), "counting journals").item()
    found = pl.DataFrame(schema={name: SCHEMA[name] for name in ("word", "pos", "subjects")})
    if subjects is not None and subjects.height:
        of_journals = engine.given(subjects)
        joined = in_documents.inner_join(of_journals, "journal")
        each = joined.group_by([*groups, "subject"]).aggregate(frequency=joined.frequency.sum())
        found = _listed(engine.fetch(each, "counting subjects"))
    frame = frame.cast(pl.Schema({name: SCHEMA[name] for name in frame.columns}))
    frame = frame.join(found, groups, "left", nulls_equal=True)
    frame = frame.with_columns(
        pl.col("subjects").fill_null([]),
        subject=pl.col("subjects").list.first().struct.field("subject"),
    )
    frame = frame.sort(["frequency", "word", "pos"], descending=[True, False, False])
    return frame.select(*SCHEMA).cast(pl.Schema(SCHEMA)), int(journals)


def _escaped(path: str, engine: str) -> str:
    """Return a path whose signs no engine takes for a pattern of several files."""
    return re.sub(r"([\\*?{}\[\]])", r"\\\1", path) if engine == "pyspark" else glob.escape(path)


def _occurrences(rows: "ir.Table", *, tagged: bool) -> "ir.Table":
    """Return a row for each token."""
    import ibis

    if not tagged:
        tokens = rows.select("document", "journal", word=rows.tokens).unnest("word")
        return tokens.mutate(word=tokens.word.lower(), pos=ibis.null("string"))
    pairs = rows.select("document", "journal", pair=rows.lemmas.zip(rows.pos)).unnest("pair")
    return pairs.select("document", "journal", word=pairs.pair["f1"].lower(), pos=pairs.pair["f2"])


def _listed(each: pl.DataFrame) -> pl.DataFrame:
    """Return the subjects of each word as a list, the most frequent first; equal ones by name."""
    ordered = each.cast({"frequency": pl.UInt64}).sort(["frequency", "subject"], descending=[True, False])
    return ordered.group_by(["word", "pos"], maintain_order=True).agg(
        subjects=pl.struct("subject", "frequency")
    )


def _card(
    corpus: Corpus,
    frame: pl.DataFrame,
    journals: int,
    subjects: pl.DataFrame | None,
    general: GeneralList | None,
) -> WordTableCard:
    named = frame["subjects"].explode().struct.field("subject").n_unique() if subjects is not None else None
    return WordTableCard(
        corpus=corpus.digest,
        unit="lemma" if corpus.tagged else "form",
        tokens=corpus.card.tokens,
        words=frame.height,
        documents=corpus.card.documents,
        journals=journals,
        tagger=corpus.card.tagger,
        subjects=named,
        general=None if general is None else _correlation(frame, general),
    )


def _correlation(frame: pl.DataFrame, general: GeneralList) -> GeneralCorrelation:
    """Correlate the frequencies of words of letters that both have; NaN where that is undefined."""
    words = (
        frame.filter(pl.col("word").str.contains(_LETTERS)).group_by("word").agg(pl.col("frequency").sum())
    )
    both = [
        (count, general.frequencies[word]) for word, count in words.iter_rows() if word in general.frequencies
    ]
    ours, theirs = np.array(both, np.float64).reshape(-1, 2).T
    found = spearman(ours, theirs, names=("frequencies in the corpus", "frequencies in the list"))
    if found.undefined:
        warnings.warn(
            f"the rank correlation with {general.name} is undefined: {found.undefined}",
            UndefinedWarning,
            stacklevel=4,
        )
    return GeneralCorrelation(reference=general.name, words=len(both), spearman=found.value)
