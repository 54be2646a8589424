"""load_model: a baseline by its name, a file of vectors by its path, or any other model by its spec."""

from collections.abc import Sequence
from pathlib import Path

from medgauge.errors import InputError, UnknownNameError, option, quoted, same_name
from medgauge.files.digests import remembered_sha256
from medgauge.files.file_names import clean_name
from medgauge.files.opening import require_file
from medgauge.models.base import Model, ModelCard
from medgauge.models.kinds import kind_of
from medgauge.models.lexical import baselines, renamed
from medgauge.models.loading import Device, Loading
from medgauge.models.lookup import Case, Tokenizer, Undecodable
from medgauge.models.recognise import recognise
from medgauge.models.spec import parse_spec
from medgauge.models.tables.concept_table import ConceptTable
from medgauge.models.tables.parquet_table import ParquetTable
from medgauge.models.tables.term_table import TermTable
from medgauge.models.tables.zipped_table import ZippedTable
from medgauge.models.training import training_of
from medgauge.models.words.fasttext import FastTextFile
from medgauge.models.words.word_vectors import SubwordVectors, WordVectors

FileModel = WordVectors | SubwordVectors | TermTable | ConceptTable
"""A model that is a file of vectors."""

_SUFFIXES = {".bin", ".csv", ".gz", ".npz", ".parquet", ".tsv", ".txt", ".vec", ".zst"}


def load_model(
    source: str | Path,
    *,
    name: str | None = None,
    tokenizer: Tokenizer = "words",
    case: Case = "fallback",
    undecodable: Undecodable = "error",
    seed: int = 0,
    device: Device = "auto",
    cluster: str | None = None,
    cached: bool = True,
    trust_remote_code: bool = False,
    trust_pickle: bool = False,
    allow_remote: str | Sequence[str] = (),
    max_tokens: int | None = None,
    price: float | None = None,
) -> Model:
    """Load a model.

    `source` is the name of a lexical baseline (levenshtein, token-jaccard, char-tfidf, random), a file, or a
    spec such as "st:FOLDER?prompt=…"; `medgauge models` lists the kinds of specs. A file holds word vectors
    (word2vec binary or text, GloVe, fastText .vec or .bin, each also gzipped) or a table of term vectors
    (Parquet, .npz); its format is detected from the content. Vectors are read later, for the words that are
    needed, and weights are loaded when the first term is encoded.

    `tokenizer` and `case` set how terms are looked up, `undecodable` what happens to words that are not
    UTF-8; `seed` is for the random baseline. Encoders run on `device`, or on the workers of the Dask cluster
    at `cluster`; `cached` keeps their vectors in the user's cache. `trust_remote_code` runs code that comes
    with a model, `trust_pickle` opens pickled weights. `allow_remote` has the services that terms may be
    sent to (a URL, or SET@URL for a set whose licence forbids it), `max_tokens` is the most to send, and
    `price` the cost of a million tokens.

    >>> load_model("levenshtein").card.family
    'pairs'
    """
    allowed = (allow_remote,) if isinstance(allow_remote, str) else tuple(allow_remote)
    loading = Loading(
        tokenizer=tokenizer,
        case=case,
        undecodable=undecodable,
        seed=seed,
        device=device,
        cluster=cluster,
        cached=cached,
        trust_remote_code=trust_remote_code,
        trust_pickle=trust_pickle,
        allow_remote=allowed,
        max_tokens=max_tokens,
        price=price,
    )
    return open_model(source, name, loading)


def open_model(source: str | Path, name: str | None, loading: Loading) -> Model:
    """Open a model as `load_model` does."""
    if (baseline := baseline_name(source)) is not None:
        return renamed(baselines(loading.seed)[baseline], name or baseline)
    check_source(source)
    spec = parse_spec(source) if isinstance(source, str) else None
    if spec is not None:
        kind = kind_of(spec)
        return kind.open(spec, name or kind.name_of(spec) or default_name(Path(spec.place)), loading)
    return _open_file(Path(source), name, loading)


def _open_file(path: Path, name: str | None, loading: Loading) -> Model:
    file = recognise(path)
    name = name or default_name(path)
    if isinstance(file, ParquetTable | ZippedTable):
        return TermTable.of(file, name, loading)
    card = ModelCard(
        name=name,
        family="words",
        format=file.format,
        digest=remembered_sha256(path),
        dim=file.dim,
        tokenizer=loading.tokenizer,
        case=loading.case,
        parameters={} if loading.undecodable == "error" else {"undecodable": loading.undecodable},
    )
    card = training_of(path, name).on(card)
    strict = loading.undecodable == "error"
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
    """Raise an error for a source that is not a baseline, a spec of a known kind, or an existing file."""
    if not isinstance(source, str | Path) or baseline_name(source) is not None:
        return
    if isinstance(source, str) and (spec := parse_spec(source)) is not None:
        kind_of(spec)
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
