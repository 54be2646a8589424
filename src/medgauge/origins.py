"""Origins: what models are trained on and what sets are made of, and which overlap of the two counts.

Terminologies and lexicons count, because a model that was trained on their synonyms, definitions or relations
has seen the answers to a set that is made of their concepts; so do the pairs of a benchmark, and the health
records in which both the model's and the set's concepts were counted. Running text does not: every model is
trained on text, and that terms were picked from a text says nothing about how they are to be rated.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

_LONGEST = 100_000  # characters of a text that are searched
_NAMED = 3  # origins of a set that a reason names


@dataclass(frozen=True)
class NamedOrigin:
    """Something to train on or to make sets of: a terminology, pairs of a benchmark, records, running text.

    `patterns` are regular expressions that recognise its name in prose, where case matters, and in names of
    datasets. `parts` are the terminologies that it contains.
    """

    name: str
    title: str
    kind: Literal["terminology", "pairs", "records", "text"]
    patterns: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()


class Overlap(NamedTuple):
    """What a model was trained on, and which of a set's origins that is, contains or is a part of."""

    source: NamedOrigin
    made_of: tuple[NamedOrigin, ...]

    @property
    def reason(self) -> str:
        """Say in words what the overlap is, to follow "trained on".

        >>> Overlap(origin("umls"), (origin("snomed-ct"),)).reason
        'UMLS, which contains SNOMED CT, which the set was made from'
        """
        if self.source.kind == "pairs":
            return f"pairs of {self.source.title}, which the set has"
        if self.source in self.made_of:
            return f"{self.source.title}, which the set was made from"
        titles = [one.title for one in self.made_of]
        more = f" and {len(titles) - _NAMED} more" if len(titles) > _NAMED else ""
        named = ", ".join(titles[:_NAMED]) + more
        relation = "which contains" if self.made_of[0].name in self.source.parts else "a part of"
        return f"{self.source.title}, {relation} {named}, which the set was made from"


_DECLARED = (
    # What the UMLS Metathesaurus contains: https://www.nlm.nih.gov/research/umls/sourcereleasedocs/
    NamedOrigin(
        "umls",
        "UMLS",
        "terminology",
        (r"UMLS", r"umls", r"Unified Medical Language System"),
        ("snomed-ct", "mesh", "rxnorm", "icd", "loinc", "hp", "go", "ncit", "fma", "omim", "meddra"),
    ),
    NamedOrigin("snomed-ct", "SNOMED CT", "terminology", (r"SNOMED(?:[ _-]?CT)?", r"snomed(?:[ _-]?ct)?")),
    NamedOrigin("mesh", "MeSH", "terminology", (r"MeSH", r"Medical Subject Headings", r"mesh[_-]terms?")),
    NamedOrigin("rxnorm", "RxNorm", "terminology", (r"RxNorm", r"rxnorm")),
    NamedOrigin("icd", "ICD", "terminology", (r"ICD-?(?:9|10|11)(?:-?CM)?", r"icd-?(?:9|10|11)(?:-?cm)?")),
    NamedOrigin("loinc", "LOINC", "terminology", (r"LOINC", r"loinc")),
    NamedOrigin("hp", "Human Phenotype Ontology", "terminology", (r"Human Phenotype Ontology", r"HPO")),
    NamedOrigin("mondo", "Mondo", "terminology", (r"Mondo Disease Ontology", r"MONDO")),
    NamedOrigin("doid", "Disease Ontology", "terminology", (r"(?:Human )?Disease Ontology", r"DOID")),
    NamedOrigin("go", "Gene Ontology", "terminology", (r"Gene Ontology",)),
    NamedOrigin("uberon", "Uberon", "terminology", (r"U(?:beron|BERON)",)),
    NamedOrigin("chebi", "ChEBI", "terminology", (r"ChEBI", r"CHEBI")),
    NamedOrigin("fma", "Foundational Model of Anatomy", "terminology", (r"Foundational Model of Anatomy",)),
    NamedOrigin("ncit", "NCI Thesaurus", "terminology", (r"NCI Thesaurus", r"NCIt")),
    NamedOrigin("omim", "OMIM", "terminology", (r"OMIM",)),
    NamedOrigin("meddra", "MedDRA", "terminology", (r"MedDRA",)),
    NamedOrigin("specialist", "SPECIALIST Lexicon", "terminology", (r"SPECIALIST [Ll]exicon",)),
    NamedOrigin("usf", "USF norms", "terminology", (r"USF (?:free[- ]association )?norms",)),
    NamedOrigin("verbnet", "VerbNet", "terminology", (r"VerbNet", r"verbnet")),
    NamedOrigin("wordnet", "WordNet", "terminology", (r"WordNet", r"wordnet")),
    NamedOrigin("ppdb", "PPDB", "terminology", (r"PPDB", r"ppdb")),
    NamedOrigin("umnsrs", "UMNSRS", "pairs", (r"UMNSRS", r"umnsrs")),
    NamedOrigin("mayosrs", "MayoSRS", "pairs", (r"(?:Mini)?MayoSRS", r"(?:mini)?mayosrs")),
    NamedOrigin("hliaoutakis", "Hliaoutakis (2005)", "pairs", (r"[Hh]liaoutakis",)),
    NamedOrigin("ehr-rel", "EHR-Rel", "pairs", (r"EHR-?Rel[AB]?", r"ehr[_-]?rel(?:[_-]?[ab])?")),
    NamedOrigin("bio-simlex", "Bio-SimLex", "pairs", (r"Bio-?SimLex", r"bio[_-]?sim[_-]?lex")),
    NamedOrigin("bio-simverb", "Bio-SimVerb", "pairs", (r"Bio-?SimVerb", r"bio[_-]?sim[_-]?verb")),
    NamedOrigin("simlex-999", "SimLex-999", "pairs", (r"SimLex-?999", r"simlex[_-]?999")),
    NamedOrigin("simverb-3500", "SimVerb-3500", "pairs", (r"SimVerb-?3500", r"simverb[_-]?3500")),
    NamedOrigin("pubmed", "PubMed", "text", (r"PubMed(?! ?Central)", r"MEDLINE", r"pubmed", r"[Mm]edline")),
    NamedOrigin("pmc", "PubMed Central", "text", (r"PubMed ?Central", r"PMC(?:-?OA)?", r"pmc(?:[_-]oa)?")),
    NamedOrigin("mimic", "MIMIC", "text", (r"MIMIC(?:[ _-]?(?:III|IV))?", r"mimic(?:[_-]?(?:iii|iv|3|4))?")),
    NamedOrigin("wikipedia", "Wikipedia", "text", (r"Wikipedia", r"wikipedia")),
    NamedOrigin("bookcorpus", "BookCorpus", "text", (r"Books?Corpus", r"books?corpus")),
    NamedOrigin("semantic-scholar", "Semantic Scholar", "text", (r"Semantic Scholar", r"S2ORC", r"s2orc")),
)
_RECORDS = re.compile(r"records-([0-9a-f]{12})")
ORIGINS = {one.name: one for one in _DECLARED}
"""The known origins, by name. An ontology has the short id that OBO gives it."""

_RECOGNISED = {
    one.name: re.compile(rf"(?<![^\W_])(?:{'|'.join(one.patterns)})(?![^\W_])") for one in _DECLARED
}


def origin(name: str) -> NamedOrigin:
    """Look an origin up; a name that is not declared, such as that of a user's ontology, is a terminology.

    Health records are named by the beginning of a digest.

    >>> origin("umls").title, origin("my-ontology").kind
    ('UMLS', 'terminology')
    >>> origin("records-1a2b3c4d5e6f").title
    'the health records 1a2b3c4d5e6f'
    """
    if records := _RECORDS.fullmatch(name):
        return NamedOrigin(name, f"the health records {records[1]}", "records")
    return ORIGINS.get(name) or NamedOrigin(name, name, "terminology")


def named_in(text: str) -> tuple[str, ...]:
    """Return the names of the known origins that a text names, in the order of their declaration.

    >>> named_in("synonyms from UMLS 2020AA, text from PubMed"), named_in("bigbio/umnsrs"), named_in("a mesh")
    (('umls', 'pubmed'), ('umnsrs',), ())
    """
    return tuple(name for name, pattern in _RECOGNISED.items() if pattern.search(text[:_LONGEST]))


def overlaps(sources: Iterable[str], made_of: Iterable[str]) -> list[Overlap]:
    """Return which overlap of what a model was trained on with what a set was made of counts.

    >>> [found.reason for found in overlaps(["umls", "pubmed"], ["umls", "umnsrs"])]
    ['UMLS, which the set was made from']
    >>> overlaps(["pubmed"], ["pubmed"])
    []
    """
    listed = [origin(name) for name in made_of]
    found = []
    for source in map(origin, dict.fromkeys(sources)):
        met = tuple(one for one in listed if _counts(source, one))
        if met:
            found.append(Overlap(source, met))
    return found


def _counts(source: NamedOrigin, one: NamedOrigin) -> bool:
    return source.kind == one.kind != "text" and (
        source == one or one.name in source.parts or source.name in one.parts
    )
