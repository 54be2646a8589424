"""load_model: a baseline by its name, or a file of vectors by its path."""

from pathlib import Path

from medgauge.errors import InputError, UnknownNameError, option, quoted, same_name
from medgauge.files.digests import remembered_sha256
from medgauge.files.file_names import clean_name
from medgauge.files.opening import require_file
from medgauge.models.base import Model, ModelCard
from medgauge.models.lexical import baselines, renamed
from medgauge.models.lookup import Case, Tokenizer, Undecodable, check_choice
from medgauge.models.recognise import recognise
from medgauge.models.term_table import ParquetTable, ZippedTable
from medgauge.models.vector_files import SubwordVectors, TermTable, WordVectors
from medgauge.models.words.fasttext import FastTextFile

_SUFFIXES = {".bin", ".gz", ".npz", ".parquet", ".txt", ".vec", ".zst"}


def load_model(
    source: str | Path,
    *,
    name: str | None = None,
    tokenizer: Tokenizer = "words",
    case: Case = "fallback",
    undecodable: Undecodable = "error",
    seed: int = 0,
) -> Model:
    """Load a model.

    `source` is the name of a lexical baseline (levenshtein, token-jaccard, char-tfidf, random), or a file:
    word vectors (word2vec binary or text, GloVe, fastText .vec or .bin, each also gzipped) or a table of
    term vectors (Parquet, .npz). The format is detected from the content. Vectors are read later, for the
    words that are needed. `tokenizer` and `case` set how terms are looked up, `undecodable` what happens to
    words that are not UTF-8; `seed` is for the random baseline.

    >>> load_model("levenshtein").card.family
    'pairs'
    """
    check_choice("tokenizer", tokenizer, Tokenizer)
    check_choice("case", case, Case)
    check_choice("choice for undecodable words", undecodable, Undecodable)
    built_in = baselines(seed)
    if (baseline := baseline_name(source)) is not None:
        return renamed(built_in[baseline], name or baseline)
    check_source(source)
    path = Path(source)
    file = recognise(path)
    name = name or default_name(path)
    digest = remembered_sha256(path)
    if isinstance(file, ParquetTable | ZippedTable):
        dim = file.content[1].shape[1]
        card = ModelCard(name=name, family="vectors", format=file.format, digest=digest, dim=dim, case=case)
        return TermTable(file, card)
    card = ModelCard(
        name=name,
        family="words",
        format=file.format,
        digest=digest,
        dim=file.dim,
        tokenizer=tokenizer,
        case=case,
        parameters={} if undecodable == "error" else {"undecodable": undecodable},
    )
    strict = undecodable == "error"
    if isinstance(file, FastTextFile):
        return SubwordVectors(file, card, strict)
    return WordVectors(file, card, strict)


def baseline_name(source: object) -> str | None:
    """Return the name of the baseline that a source names in any case, or None; a file comes first.

    >>> baseline_name("Levenshtein"), baseline_name("vectors.bin")
    ('levenshtein', None)
    """
    if not isinstance(source, str):
        return None
    name = same_name(source, baselines())
    return name if name in baselines() and (name == source or not Path(source).exists()) else None


def check_source(source: object) -> None:
    """Raise an error for a source that is neither a baseline nor an existing file."""
    if not isinstance(source, str | Path) or baseline_name(source) is not None:
        return
    if not Path(source).exists() and Path(source).suffix == "":
        raise UnknownNameError("model (or file)", str(source), baselines())
    require_file(source)


def default_name(path: Path) -> str:
    """Name a model after its file.

    >>> default_name(Path("vectors/BioWordVec_d200.vec.bin")), default_name(Path("glove.6B.txt.gz"))
    ('BioWordVec_d200', 'glove.6B')
    """
    name = path.name
    while (suffix := Path(name).suffix) in _SUFFIXES:
        name = name.removesuffix(suffix)
    return clean_name(name)


def check_names(names: list[str]) -> None:
    """Raise an error if two models have the same name."""
    for name in names:
        if names.count(name) > 1:
            named = option("models", {"NAME": "FILE"}, flag="NAME=FILE")
            raise InputError(f"two models are called {quoted(name)}; rename one of them ({named})")
