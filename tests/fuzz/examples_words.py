"""Kinds of input from which pairs of words are built: a lexicon, norms, and experts' verdicts."""

from collections.abc import Callable
from pathlib import Path

from medgauge.build.words.expert_verdicts import read_associated
from medgauge.build.words.lexical.association_norms import read_norms
from medgauge.build.words.lexical.specialist_lexicon import read_lexicon
from tests.fuzz.kind import SECRET, Kind
from tests.fuzz.mutations import RAW, TABLE
from tests.support.lexicon_files import AGREEMENT, NOMINALISATIONS, RECORDS, SPELLINGS, SYNONYMS
from tests.support.word_tables import NORMS

_VERDICTS = f"term_1\tterm_2\trater_A\trater_B\n{SECRET}\tdropsy\t1\t1\nedema\t{SECRET}2\t0\t1\n"


def _written(name: str, text: str) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        (folder / name).write_text(text, "utf-8")

    return make


def _lexicon(name: str) -> Callable[[Path], object]:
    def read(folder: Path) -> object:
        found = read_lexicon(folder / name)
        return [frame.rows() for frame in (found.forms, found.nominalisations, found.synonyms)]

    return read


def _norms(folder: Path) -> object:
    return read_norms(folder / "norms.tsv").pairs.rows()


def _verdicts(folder: Path) -> object:
    return sorted(read_associated(folder / "ratings.tsv").of.items())


def _with_secret(text: str) -> str:
    """Return a text of the lexicon with a word that no message may contain."""
    return text.replace("kinase", SECRET.lower())


KINDS = (
    Kind(
        "lexicon-records",
        *(_written("LEXICON", _with_secret(RECORDS)), ("LEXICON",), _lexicon("LEXICON"), RAW),
    ),
    Kind("lexicon-forms", _written("LRAGR", _with_secret(AGREEMENT)), ("LRAGR",), _lexicon("LRAGR"), RAW),
    Kind("lexicon-spellings", _written("LRSPL", SPELLINGS), ("LRSPL",), _lexicon("LRSPL"), RAW),
    Kind("lexicon-nouns", _written("LRNOM", NOMINALISATIONS), ("LRNOM",), _lexicon("LRNOM"), RAW),
    Kind("lexicon-synonyms", _written("SM.DB", SYNONYMS), ("SM.DB",), _lexicon("SM.DB"), RAW),
    Kind(
        "association-norms",
        *(_written("norms.tsv", NORMS.replace("river", SECRET)), ("norms.tsv",), _norms, TABLE),
    ),
    Kind("expert-verdicts", _written("ratings.tsv", _VERDICTS), ("ratings.tsv",), _verdicts, TABLE),
)
