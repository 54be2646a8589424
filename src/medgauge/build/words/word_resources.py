"""The resources that link words: ontologies, the SPECIALIST Lexicon, norms of free association."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from medgauge.build.words.choice.word_forms import WordForms, english_dictionary
from medgauge.build.words.lexical.association_norms import AssociationNorms, read_norms
from medgauge.build.words.lexical.specialist_lexicon import SpecialistLexicon
from medgauge.build.words.pairing.ontology_words import single_words
from medgauge.build.words.word_sheet import WordResource
from medgauge.errors import InputError, option
from medgauge.progress import remark
from medgauge.terminology.model import Terminology, origin_name
from medgauge.terminology.read import read_terminology


@dataclass(frozen=True)
class Resources:
    """What links words."""

    ontologies: Sequence[Terminology] = ()
    lexicon: SpecialistLexicon | None = None
    norms: AssociationNorms | None = None


def read_resources(
    ontology: str | Path | Sequence[str | Path],
    scopes: Sequence[str],
    lexicon: SpecialistLexicon | None,
    norms: str | Path | None,
) -> Resources:
    """Read what links words: ontologies, and norms of free association, beside a lexicon read before."""
    named = [ontology] if isinstance(ontology, str | Path) else ontology
    found = Resources(
        [read_terminology([Path(one)], scopes=scopes) for one in named],
        lexicon,
        None if norms is None else read_norms(norms),
    )
    titles = [one.title for one in found.ontologies]
    if twice := [title for title in titles if titles.count(title) > 1]:
        raise InputError(f"the ontology {twice[0]} was given twice")
    return found


def remark_on(resources: Resources) -> None:
    """Say what cannot be associated."""
    lexicon = resources.lexicon
    if not resources.ontologies and (lexicon is None or not lexicon.synonyms.height):
        remark(
            f"no resource links biomedical words, so none are associated; name {option('ontology')} or "
            f"{option('lexicon')}"
        )
    if resources.norms is None:
        remark(f"no norms link general words, so none are associated; name them with {option('norms')}")


def known_words(resources: Resources, forms: WordForms) -> Callable[[str], bool]:
    """Return what says whether a dictionary of English, the lexicon or an ontology has a word."""
    words = {forms.normal(term, "noun") for one in resources.ontologies for term in single_words(one)["term"]}
    if resources.lexicon is not None:
        words.update(resources.lexicon.forms["form"], resources.lexicon.forms["base"])
    in_english = english_dictionary()
    return lambda word: word in words or in_english(word)


def described(resources: Resources) -> list[WordResource]:
    """Return the resources as the data sheet names them."""
    found = [
        WordResource(name=origin_name(one.form, one.title), title=one.title, files=dict(one.files))
        for one in resources.ontologies
    ]
    if resources.lexicon is not None:
        found.append(
            WordResource(name="specialist", title="SPECIALIST Lexicon", files=resources.lexicon.files)
        )
    if resources.norms is not None:
        found.append(WordResource(name="usf", title="norms of free association", files=resources.norms.files))
    return found
