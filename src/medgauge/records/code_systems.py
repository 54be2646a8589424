"""Code systems: one short name for each, whatever a source calls it, and its title for people.

URIs and OIDs are those that HL7 lists (https://hl7.org/fhir/R4/terminologies-systems.html) and, for Read
codes, also those of GP Connect in the UK.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from medgauge.files.file_names import clean_name

_SCHEME = re.compile(r"^(?:https?://|urn:oid:)")
_ICD_OR_ICPC = re.compile(r"(icd|icpc)(\d+)([a-z]*)")


@dataclass(frozen=True)
class CodeSystem:
    """A code system: its short name, its title, its name among the origins, and what sources call it.

    Addresses are without their scheme; other names are without spaces, hyphens, underscores and dots.
    """

    name: str
    title: str
    origin: str
    aliases: tuple[str, ...]


_DECLARED = (
    CodeSystem(
        "snomed",
        "SNOMED CT",
        "snomed-ct",
        ("snomedct", "sct", "snomed.info/sct", "2.16.840.1.113883.6.96", "2.16.840.1.113883.2.1.3.2.4.15"),
    ),
    CodeSystem(
        "read2",
        "Read v2",
        "read2",
        (
            "read",
            "readv2",
            "readcodesv2",
            "rcv2",
            "read.info/readv2",
            "terminology.hl7.org/codesystem/rcv2",
            "2.16.840.1.113883.6.29",
            "2.16.840.1.113883.2.1.6.2",
        ),
    ),
    CodeSystem(
        "ctv3",
        "CTV3 (Read v3)",
        "ctv3",
        (
            "read3",
            "readv3",
            "readctv3",
            "read.info/ctv3",
            "terminology.hl7.org/codesystem/read-codes",
            "2.16.840.1.113883.6.6",
            "2.16.840.1.113883.2.1.3.2.4.14",
        ),
    ),
    CodeSystem(
        "egton",
        "EMIS (Egton) codes",
        "egton",
        ("fhir.hl7.org.uk/id/egton-codes", "2.16.840.1.113883.2.1.6.3"),
    ),
    CodeSystem("loinc", "LOINC", "loinc", ("loinc.org", "2.16.840.1.113883.6.1")),
    CodeSystem(
        "rxnorm", "RxNorm", "rxnorm", ("www.nlm.nih.gov/research/umls/rxnorm", "2.16.840.1.113883.6.88")
    ),
    CodeSystem("meddra", "MedDRA", "meddra", ("www.meddra.org",)),
    CodeSystem("mesh", "MeSH", "mesh", ()),
    CodeSystem("hp", "Human Phenotype Ontology", "hp", ("hpo", "human-phenotype-ontology.org")),
)
_BY_NAME = {one.name: one for one in _DECLARED}
_BY_ALIAS = {alias: one.name for one in _DECLARED for alias in (one.name, *one.aliases)}
# ICD and ICPC have many national editions, whose names are read; these addresses do not have one.
_BY_ALIAS |= {
    "2.16.840.1.113883.6.3": "icd10",
    "2.16.840.1.113883.6.90": "icd10cm",
    "2.16.840.1.113883.6.42": "icd9",
    "2.16.840.1.113883.6.103": "icd9cm",
    "2.16.840.1.113883.6.104": "icd9cm",
    "2.16.840.1.113883.6.139": "icpc2",
    "hl7.org/fhir/sid/icd-9-cm/diagnosis": "icd9cm",
    "id.who.int/icd/release/11/mms": "icd11",
}


@lru_cache(maxsize=1000)
def short_system(name: str) -> str:
    """Return the short name of a code system that a source names by its URI, OID or vocabulary_id.

    A system that is not known keeps its name, in lower case.

    >>> short_system("http://snomed.info/sct"), short_system("SNOMED-CT"), short_system("SNOMED")
    ('snomed', 'snomed', 'snomed')
    >>> short_system("http://hl7.org/fhir/sid/icd-10-cm"), short_system("ICD10CM"), short_system("Read")
    ('icd10cm', 'icd10cm', 'read2')
    >>> short_system(" Local codes"), short_system("")
    ('local codes', '')
    """
    lowered = clean_name(name.strip().lower())
    address = _SCHEME.sub("", lowered).partition("|")[0].rstrip("/")
    if address.startswith("snomed.info/sct/"):  # an edition
        address = "snomed.info/sct"
    plain = re.sub(r"[\s_.-]", "", address.rpartition("/")[2])
    if known := _BY_ALIAS.get(address) or (_BY_ALIAS.get(plain) if "/" not in address else None):
        return known
    return plain if _ICD_OR_ICPC.fullmatch(plain) else lowered


def is_known(system: str) -> bool:
    """Return whether a short name is that of a code system that medgauge knows; others may be anything.

    >>> is_known("icd10cm"), is_known("local codes")
    (True, False)
    """
    return system in _BY_NAME or bool(_ICD_OR_ICPC.fullmatch(system))


def origin_of(system: str) -> str:
    """Return the name that a code system has among the origins that the cards of sets name.

    >>> origin_of("snomed"), origin_of("icd10cm"), origin_of("read2"), origin_of("")
    ('snomed-ct', 'icd', 'read2', '')
    """
    if system.startswith("icd"):
        return "icd"
    return _BY_NAME[system].origin if system in _BY_NAME else system


def title_of(system: str) -> str:
    """Return the title of a code system for people.

    >>> title_of("snomed"), title_of("icd10cm"), title_of("icpc2"), title_of("local codes")
    ('SNOMED CT', 'ICD-10-CM', 'ICPC-2', 'local codes')
    """
    if parts := _ICD_OR_ICPC.fullmatch(system):
        return "-".join(part.upper() for part in parts.groups() if part)
    return _BY_NAME[system].title if system in _BY_NAME else system
