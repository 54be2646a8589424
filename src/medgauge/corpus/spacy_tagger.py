"""Tags with a spaCy model that is installed, or in a folder."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from medgauge.corpus.taggers import Tagging
from medgauge.errors import InputError, MissingExtraError, quoted

_UNNEEDED = ("ner", "entity_linker", "entity_ruler", "textcat", "textcat_multilabel")


def open_spacy(name: str) -> "SpacyTagger":
    """Load a spaCy model."""
    try:
        import spacy
    except ImportError as error:
        raise MissingExtraError("spacy") from error
    try:
        model = spacy.load(name, exclude=list(_UNNEEDED))
    except (OSError, ValueError, ImportError) as error:
        raise InputError(
            f"there is no spaCy model {quoted(name)} that can be loaded; install it with pip, and check that "
            "it is for this version of spaCy"
        ) from error
    return SpacyTagger(name, model)


class SpacyTagger:
    """A spaCy model that is given tokens, and splits them into sentences where it can."""

    def __init__(self, name: str, model: Any) -> None:
        self.name = name
        self.parses = "parser" in model.pipe_names
        self._model = model

    def tag(self, passages: Iterable[Sequence[str]]) -> Iterator[list[Tagging]]:
        """Return the sentences of each passage."""
        from spacy.tokens import Doc

        documents = self._model.pipe(Doc(self._model.vocab, words=list(tokens)) for tokens in passages)
        first = next(documents, None)
        if first is None:
            return
        if not (
            first.has_annotation("LEMMA") and (first.has_annotation("POS") or first.has_annotation("TAG"))
        ):
            raise InputError(f"the spaCy model {quoted(self.name)} finds no lemmas or no parts of speech")
        for document in chain((first,), documents):
            split = document.has_annotation("SENT_START")
            yield [self._tagging(span) for span in (document.sents if split else (document[:],))]

    def _tagging(self, span: Any) -> Tagging:
        tokens = [token.text for token in span]
        # An empty lemma or part of speech is one that the model does not know.
        lemmas = [token.lemma_ or token.text for token in span]
        pos = [token.pos_ or token.tag_ or "X" for token in span]
        if not self.parses:
            return Tagging(tokens, lemmas, pos)
        heads = [0 if token.head.i == token.i else token.head.i - span.start + 1 for token in span]
        return Tagging(tokens, lemmas, pos, heads, [token.dep_ for token in span])
