"""train_vectors: word vectors from a corpus, as a file with a card."""

from dataclasses import asdict
from pathlib import Path

import numpy as np

from medgauge.corpus.from_text import build_corpus
from medgauge.corpus.readers.source_files import recognise_text
from medgauge.corpus.stored_corpus import Corpus
from medgauge.errors import FileError, InputError, option
from medgauge.files.digests import remembered_sha256
from medgauge.files.folders import key_of
from medgauge.files.opening import require_file
from medgauge.files.parquet import is_parquet
from medgauge.files.writing import can_write, check_not_read
from medgauge.models.load import load_model
from medgauge.models.lookup import Tokenizer
from medgauge.models.vector_cards import VectorCard, read_card, write_card
from medgauge.models.words.word_vectors import WordVectors
from medgauge.origins import named_in
from medgauge.progress import remark
from medgauge.train.architectures import ARCHITECTURES, Arch
from medgauge.train.checkpoint import TrainingFolder, load_checkpoint, save_checkpoint
from medgauge.train.encoded_corpus import EncodedCorpus, encode_corpus
from medgauge.train.encoded_dependencies import count_forms, encode_dependencies
from medgauge.train.trainer_choice import trainer_of
from medgauge.train.trainers import check_finite
from medgauge.train.training_loop import train_pieces
from medgauge.train.training_parameters import TrainingParameters
from medgauge.train.vector_output import write_vectors
from medgauge.train.word_counts import WordCounts, count_words

_RULES = 1  # of training; another number makes checkpoints of earlier versions useless
_NAMED = 3  # sources that the card names


def train_vectors(
    corpus: str | Path,
    out: str | Path,
    *,
    arch: Arch = "sg",
    window: int = 5,
    dim: int = 200,
    negative: int = 5,
    sample: float = 1e-5,
    lr: float = 0.05,
    min_count: int = 5,
    epochs: int = 5,
    seed: int = 1,
    tokenizer: Tokenizer = "words",
    keep_case: bool = False,
    threads: int | None = None,
    replace: bool = False,
) -> WordVectors:
    r"""Train word vectors on a corpus, and return them as a model for `evaluate`.

    With one thread, the same seed gives the same bytes; several threads share their work without locks, and
    the result varies a little from run to run. A run that was killed goes on from its last checkpoint when it
    is started again.

    Parameters
    ----------
    corpus
        A corpus that medgauge wrote, or a file of text that one can be made of: MEDLINE or PubMed XML, JATS,
        CoNLL-U, or plain text with a passage in each line, compressed or not.
    out
        The file to write: word2vec's text format if its name ends in .txt or .vec, else binary. Its card is
        written beside it, as OUT.card.json.
    arch
        sg (skip-gram), cbow and fasttext, trained by gensim; ssg (structured skip-gram), attention (CBOW with
        attention) and dependency (skip-gram on dependency contexts, for which the corpus needs a parse),
        trained by medgauge.
    window
        Words on either side that are context.
    dim
        Number of dimensions.
    negative
        Number of words that are drawn for each one that is predicted.
    sample
        The share of the corpus above which occurrences of a word are left out at random; 0 for none.
    lr
        Learning rate at the start, which decreases linearly.
    min_count
        Words that occur less often are left out.
    epochs
        Number of passes over the corpus.
    seed
        Seed of everything that is drawn.
    tokenizer
        words splits tokens as terms are split when vectors are looked up, and drops signs; whitespace takes
        tokens as they are.
    keep_case
        Keep upper case, in place of lower-casing all words.
    threads
        Number of threads; all cores by default.
    replace
        Overwrite `out`, and discard the checkpoint of another training there.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     text = Path(folder) / "passages.txt"
    ...     _ = text.write_text("The patient has gout.\n" * 5)
    ...     model = train_vectors(text, Path(folder) / "vectors.bin", arch="ssg", dim=2, threads=1)
    ...     model.count(), model.card.trained_on
    (4, 'passages.txt (25 tokens), by structured skip-gram')

    """
    parameters = TrainingParameters(
        arch=arch,
        window=window,
        dim=dim,
        negative=negative,
        sample=sample,
        lr=lr,
        min_count=min_count,
        epochs=epochs,
        seed=seed,
        tokenizer=tokenizer,
        keep_case=keep_case,
    )
    train_to(Path(out), Path(corpus), parameters, threads=threads, replace=replace)
    model = load_model(Path(out), tokenizer=parameters.tokenizer)
    assert isinstance(model, WordVectors)
    return model


def train_to(
    path: Path, source: Path, parameters: TrainingParameters, *, threads: int | None, replace: bool
) -> None:
    """Train vectors and write them to a file, with a card beside it.

    What the same training wrote is kept, so that of several models only those that are missing are trained.
    """
    check_out(path, source, parameters, replace=replace)
    check_parse(source, parameters)
    if threads is not None and threads < 1:
        raise InputError(f"{option('threads')} needs a positive number")
    folder = TrainingFolder.at(path)
    with folder.locked():
        try:
            corpus = _opened(source, folder)
            if path.exists() and not replace:
                if not _is_of(path, parameters, corpus):
                    raise _exists(path)
                remark(f"{path} has these vectors already")
                folder.clear()
                return
            key = key_of(rules=_RULES, corpus=corpus.digest, parameters=asdict(parameters))
            if replace:
                folder.discard_other(key)
            counts, encoded = _encoded(corpus, parameters, folder.ids, source)
            trainer = trainer_of(parameters, counts, encoded)
            done = load_checkpoint(folder.checkpoint, trainer, key, parameters.epochs * len(encoded))

            def save(done: int) -> None:
                check_finite(trainer, parameters.lr)
                save_checkpoint(folder.checkpoint, trainer, key, done)

            train_pieces(trainer, encoded, parameters, threads=threads, done=done, save=save)
            check_finite(trainer, parameters.lr)
            trained = np.flatnonzero(encoded.trained)
            words = [counts.words[place] for place in trained.tolist()]
            write_vectors(path, words, trainer.vectors()[trained])
            write_card(path, _card(path, corpus, parameters, len(words)))
        except BaseException:
            folder.keep_checkpoint()
            raise
        folder.clear()


def check_out(path: Path, source: Path, parameters: TrainingParameters, *, replace: bool) -> None:
    """Refuse a place where nothing can be written, or where something else is; never write over the source.

    Whether vectors there are of the same corpus is known once that is made.
    """
    check_not_read(path, [source])
    if path.exists() and not replace and not _is_of(path, parameters):
        raise _exists(path)
    if not can_write(path):
        raise FileError(path, "cannot be written; choose another place")


def _is_of(path: Path, parameters: TrainingParameters, corpus: Corpus | None = None) -> bool:
    """Return whether vectors were trained with these parameters, and on this corpus if one is given."""
    card = read_card(path)
    facts = parameters.facts if corpus is None else {**parameters.facts, "corpus": corpus.digest}
    return card is not None and facts.items() <= card.parameters.items()


def _exists(path: Path) -> InputError:
    return InputError(f"{path} already exists; choose another file, or add {option('replace', True)}")


def check_parse(source: Path, parameters: TrainingParameters) -> None:
    """Refuse dependency contexts of text, or of a corpus without a parse."""
    if parameters.arch != "dependency":
        return
    stored = is_parquet(require_file(source))
    if not (Corpus.open(source).parsed if stored else recognise_text(source).layout == "parsed"):
        raise FileError(
            source, "has no parse, which dependency contexts need; take CoNLL-U with heads and relations"
        )


def _opened(source: Path, folder: TrainingFolder) -> Corpus:
    """Open a corpus, or make one from text in the folder of the training."""
    if is_parquet(require_file(source)):
        return Corpus.open(source)
    return build_corpus(source, folder.corpus)


def _encoded(
    corpus: Corpus, parameters: TrainingParameters, ids: Path, source: Path
) -> tuple[WordCounts, EncodedCorpus]:
    if parameters.arch == "dependency":
        counts = count_forms(corpus, parameters, source)
        return counts, encode_dependencies(corpus, counts, parameters, ids, source)
    counts = count_words(corpus, parameters, source)
    return counts, encode_corpus(corpus, counts, parameters, ids)


def _card(path: Path, corpus: Corpus, parameters: TrainingParameters, words: int) -> VectorCard:
    """Describe the vectors in a file: by what and on what they were trained."""
    sources = corpus.card.sources
    names = [one.name for one in sources[:_NAMED]]
    names += [f"{len(sources) - _NAMED} more"] if len(sources) > _NAMED else []
    on = ", ".join(names) or corpus.path.name
    title = ARCHITECTURES[parameters.arch].title
    return VectorCard(
        digest=remembered_sha256(path),
        trained_on=f"{on} ({corpus.card.tokens:,} tokens), by {title}",
        sources=named_in(" ".join(f"{one.form} {one.name}" for one in sources)),
        parameters={**parameters.facts, "words": words, "corpus": corpus.digest},
    )
