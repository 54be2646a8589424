"""Code systems between which concepts are mapped: what they are called, in the UMLS too, and their ids."""

import re
from dataclasses import dataclass
from functools import lru_cache

from medgauge.errors import InputError, quoted
from medgauge.records.code_systems import is_known, short_system, title_of
from medgauge.terminology.classes import curie

_DATE = re.compile(r"[_-]?20\d\d[_-]?\d\d[_-]?\d\d$")  # as in SNOMEDCT_US_2023_03_01
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9 _.-]{0,39}")


@dataclass(frozen=True)
class ConceptSystem:
    """A code system: its short name, its title, and its abbreviation (SAB) in the UMLS.

    `prefixed` says that its ids are written with their prefix, as HP:0000118 is.
    """

    name: str
    title: str
    sab: str
    prefixed: bool = False

    def id_of(self, written: str) -> str | None:
        """Return an id as this system writes it, None if it names another system.

        >>> snomed, hp = concept_system("snomed"), concept_system("hpo")
        >>> snomed.id_of("SNOMEDCT_US:22298006"), snomed.id_of("22298006"), snomed.id_of("MESH:D009203")
        ('22298006', '22298006', None)
        >>> hp.id_of("HP:0000118"), hp.id_of("UMLS:C0000001")
        ('HP:0000118', None)
        >>> hp.id_of("hpo:0000118"), hp.id_of("http://purl.obolibrary.org/obo/HP_0000118")
        ('HP:0000118', 'HP:0000118')
        """
        prefix, colon, local = curie(written.strip()).partition(":")
        if not colon:
            return prefix or None
        if system_named(prefix) != self.name:
            return None
        if not self.prefixed:
            return local.strip() or None
        # How an ontology that is not declared here writes its prefix is not known.
        return f"{self.name.upper() if self.name in _BY_NAME else prefix}:{local.strip()}"


UMLS = ConceptSystem("umls", "UMLS", "")
# Those that records do not have, or that the UMLS calls otherwise.
_DECLARED = (
    UMLS,
    ConceptSystem("snomed", "SNOMED CT", "SNOMEDCT_US"),
    ConceptSystem("mesh", "MeSH", "MSH"),
    ConceptSystem("loinc", "LOINC", "LNC"),
    ConceptSystem("meddra", "MedDRA", "MDR"),
    ConceptSystem("rxnorm", "RxNorm", "RXNORM"),
    ConceptSystem("ctv3", "CTV3 (Read v3)", "RCD"),
    ConceptSystem("ncit", "NCI Thesaurus", "NCI"),
    ConceptSystem("omim", "OMIM", "OMIM"),
    ConceptSystem("atc", "ATC", "ATC"),
    ConceptSystem("hp", "Human Phenotype Ontology", "HPO", prefixed=True),
    ConceptSystem("go", "Gene Ontology", "GO", prefixed=True),
)
_BY_NAME = {one.name: one for one in _DECLARED}
_ALIASES = {one.sab.lower().replace("_", ""): one.name for one in _DECLARED if one.sab} | {
    "cui": "umls",
    "umlscui": "umls",
    "sctid": "snomed",
    "ncithesaurus": "ncit",
    "mim": "omim",
}


@lru_cache(maxsize=1024)  # an ontology repeats a few prefixes in each of its xrefs
def system_named(name: str) -> str:
    """Return the short name of a code system that a user, a UMLS release or a prefix names.

    >>> [system_named(name) for name in ("SNOMEDCT_US_2023_03_01", "MSH", "ICD-10-CM", "HPO", "MONDO")]
    ['snomed', 'mesh', 'icd10cm', 'hp', 'mondo']
    """
    plain = re.sub(r"[\s_.-]", "", _DATE.sub("", name.strip())).lower()
    return _ALIASES.get(plain) or (plain if plain in _BY_NAME else short_system(_DATE.sub("", name)))


def concept_system(name: str) -> ConceptSystem:
    """Return a code system by any of its names; one that is not known is taken for an ontology's prefix.

    >>> concept_system("ICD-10-CM").sab, concept_system("SNOMEDCT_US").title, concept_system("MONDO").prefixed
    ('ICD10CM', 'SNOMED CT', True)
    """
    if not _NAME.fullmatch(name.strip()):
        raise InputError(
            f"{quoted(name)} is not the name of a code system; choose one such as snomed, icd10cm, mesh or hp"
        )
    short = system_named(name)
    if short in _BY_NAME:
        return _BY_NAME[short]
    if is_known(short):
        return ConceptSystem(short, title_of(short), short.upper())
    return ConceptSystem(short, name.strip(), name.strip().upper(), prefixed=True)
