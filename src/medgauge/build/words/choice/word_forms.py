"""Forms of one word: lemmas, American spelling, and the nouns that are made from verbs."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from medgauge.build.words.choice.american_spelling import american_speller
from medgauge.build.words.choice.parts_of_speech import PartOfSpeech
from medgauge.build.words.lexical.specialist_lexicon import SpecialistLexicon
from medgauge.errors import MissingExtraError

_NOMINAL_ENDINGS = (
    *(("ate", "ation"), ("ize", "ization"), ("ise", "isation"), ("size", "sis"), ("yze", "ysis")),
    *(("yse", "ysis"), ("ify", "ification"), ("ct", "ction"), ("ss", "ssion"), ("de", "sion")),
    *(("nd", "nsion"), ("rt", "rsion"), ("rb", "rption"), ("opt", "option"), ("rupt", "ruption")),
    *(("ceive", "ception"), ("duce", "duction"), ("scribe", "scription"), ("olve", "olution")),
    *(("rm", "rmation"), ("nt", "ntation"), ("apt", "aptation"), ("erve", "ervation")),
    *(("ove", "oval"), ("eave", "eavage"), ("ire", "iration"), ("use", "usion"), ("ute", "ution")),
    *(("ete", "etion"), ("ite", "ition"), ("ibit", "ibition"), ("mit", "mission"), ("vert", "version")),
)
"""Endings of verbs and those of the nouns made from them, such as phosphorylate and phosphorylation."""


@dataclass(frozen=True)
class WordForms:
    """How the forms of a word become one: to its lemma, if asked for, and to the American spelling.

    Lemmas are those of the lexicon, which knows the part of speech, and otherwise of the package simplemma,
    which does not. Nouns that are made from verbs are the lexicon's, and otherwise found by their endings.
    """

    lemmatise: bool = False
    american: bool = True
    lexicon: SpecialistLexicon | None = None

    def normal(self, word: str, part: PartOfSpeech) -> str:
        """Return the form that stands for all forms of a word.

        >>> WordForms().normal("Tumour", "noun"), WordForms(lemmatise=True).normal("centrosomes", "noun")
        ('tumor', 'centrosome')
        """
        word = word.lower()
        if self.lemmatise:
            word = self._lemma(word, part)
        return self._american(word) if self.american else word

    def nouns_of(self, verb: str) -> set[str]:
        """Return the nouns that may be made from a verb; those found by endings need not be words.

        >>> sorted(WordForms().nouns_of("splice")), "phosphorylation" in WordForms().nouns_of("phosphorylate")
        (['splicement', 'splicing'], True)
        """
        if self.lexicon is not None:
            return self._nominalisations.get(verb, set())
        return set(_nouns_by_ending(verb))

    def _lemma(self, word: str, part: PartOfSpeech) -> str:
        if found := self._bases.get((word, part)):
            return found
        return self._lemma_without_part(word)

    @cached_property
    def _bases(self) -> dict[tuple[str, str], str]:
        """The base of each form and part of speech, if it has one only; a base is its own."""
        if self.lexicon is None:
            return {}
        forms = self.lexicon.forms.group_by("form", "part").agg(pl.col("base").unique().sort())
        found = {}
        for form, part, bases in forms.iter_rows():
            if form in bases or len(bases) == 1:
                found[form, part] = form if form in bases else bases[0]
        return found

    @cached_property
    def _nominalisations(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        if self.lexicon is not None:
            for noun, base in self.lexicon.nominalisations.iter_rows():
                spelled = [self._american(one) if self.american else one for one in (noun, base)]
                found.setdefault(spelled[1], set()).add(spelled[0])
        return found

    @cached_property
    def _lemma_without_part(self) -> Callable[[str], str]:
        return lemmatiser()

    @cached_property
    def _american(self) -> Callable[[str], str]:
        return american_speller()


def lemmatiser() -> Callable[[str], str]:
    """Return what finds the lemma of a word of unknown part of speech; an unknown word is its own."""
    try:
        from simplemma import lemmatize
    except ImportError as error:
        raise MissingExtraError("simplemma", extra="words") from error
    return lambda word: str(lemmatize(word, lang="en")).lower()


def english_dictionary() -> Callable[[str], bool]:
    """Return what says whether a dictionary of English has a word."""
    try:
        from simplemma import is_known
    except ImportError as error:
        raise MissingExtraError("simplemma", extra="words") from error
    return lambda word: bool(is_known(word, lang="en"))


def _nouns_by_ending(verb: str) -> Iterator[str]:
    for ending, noun in _NOMINAL_ENDINGS:
        if verb.endswith(ending) and len(verb) > len(ending) + 1:
            yield f"{verb.removesuffix(ending)}{noun}"
    stem = verb.removesuffix("e")
    if len(stem) > 2:
        yield f"{stem}ing"
        yield f"{verb}ment"
