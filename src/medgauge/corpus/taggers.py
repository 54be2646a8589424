"""Taggers: programs that find lemmas and parts of speech, and perhaps a parse.

A package adds a kind of tagger by an entry point in the group `medgauge.taggers`, whose value opens one by
its name:

    [project.entry-points."medgauge.taggers"]
    mine = "my_package.tagging:open_tagger"
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from itertools import islice
from typing import Protocol

import polars as pl

from medgauge.corpus.stored_corpus import SCHEMAS, Layout
from medgauge.errors import InputError, UnknownNameError, quoted

GROUP = "medgauge.taggers"
_BUILT_IN = {"spacy": "medgauge.corpus.spacy_tagger:open_spacy"}


@dataclass(frozen=True)
class Tagging:
    """A sentence with a lemma, a part of speech and, if parsed, a head and a relation for each token.

    A head is the number of a token of the sentence, from 1; that of the root is 0.
    """

    tokens: Sequence[str]
    lemmas: Sequence[str]
    pos: Sequence[str]
    heads: Sequence[int] | None = None
    relations: Sequence[str] | None = None


class TextTagger(Protocol):
    """What tags the tokens of passages; `parses` says whether there are heads and relations.

    `tag` returns the sentences of each passage. Their tokens, one after another, are those of the passage;
    tokens may be left out.
    """

    name: str
    parses: bool

    def tag(self, passages: Iterable[Sequence[str]]) -> Iterable[Sequence[Tagging]]:
        """Return the tagged sentences of each passage."""


TaggerOpener = Callable[[str], TextTagger]
"""Opens the tagger of a name."""


@dataclass(frozen=True)
class Tagger:
    """A tagger under the name by which the user asked for it, as `spacy:en_core_sci_sm`."""

    spec: str
    found: TextTagger

    @property
    def layout(self) -> Layout:
        """What tagged rows have."""
        return "parsed" if self.found.parses else "tagged"

    def tagged(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Tag the tokens of rows; each row becomes one row for each of its sentences."""
        columns: dict[str, list[object]] = {name: [] for name in SCHEMAS[self.layout]}
        known = rows.select("document", "document_id", "journal").iter_rows()
        answers = iter(self._asked(rows["tokens"].to_list()))
        for facts in known:
            for sentence in self._answer(answers):
                values = (*facts, *self._cells(sentence))
                for column, value in zip(columns.values(), values, strict=True):
                    column.append(value)
        return pl.DataFrame(columns, SCHEMAS[self.layout])

    def _asked(self, passages: list[list[str]]) -> Iterator[Sequence[Tagging]]:
        try:
            yield from islice(self.found.tag(passages), len(passages))
        except InputError:
            raise
        except Exception as error:  # whatever the tagger raises; its text may quote the corpus
            raise InputError(f"the tagger {self.spec} failed ({type(error).__name__})") from error

    def _answer(self, answers: Iterator[Sequence[Tagging]]) -> list[Tagging]:
        answer = next(answers, None)
        if answer is None:
            raise InputError(f"the tagger {self.spec} returned fewer passages than it was given")
        return [sentence for sentence in answer if len(sentence.tokens)]

    def _cells(self, sentence: Tagging) -> list[list[object]]:
        cells: list[Sequence[object]] = [sentence.tokens, sentence.lemmas, sentence.pos]
        if self.found.parses:
            cells += [sentence.heads or (), sentence.relations or ()]
        if len({len(cell) for cell in cells}) > 1:
            raise InputError(f"the tagger {self.spec} returned more or fewer tags than tokens for a sentence")
        return [list(cell) for cell in cells]


def open_tagger(spec: str) -> Tagger:
    """Open the tagger that a spec names, KIND:NAME, such as spacy:en_core_sci_sm."""
    kind, colon, name = spec.partition(":")
    if not (colon and name):
        raise InputError(
            f"{quoted(spec)} is not a tagger; write its kind and its name, as in spacy:en_core_sci_sm"
        )
    found = {point.name: point.value for point in entry_points(group=GROUP)} | _BUILT_IN
    if kind not in found:
        raise UnknownNameError("kind of tagger", kind, found)
    module, _, function = found[kind].partition(":")
    try:
        opener: TaggerOpener = getattr(import_module(module), function)
    except Exception as error:  # whatever the package that adds the kind raises when it is imported
        raise InputError(
            f"taggers of the kind {quoted(kind)} cannot be opened ({type(error).__name__}: {error}); update "
            "or uninstall the package that adds it"
        ) from error
    return Tagger(spec, opener(name))
