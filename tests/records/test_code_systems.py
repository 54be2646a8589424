"""Code systems have one short name each, whatever a source calls them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge.origins import ORIGINS
from medgauge.records.code_systems import origin_of, short_system, title_of


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("http://snomed.info/sct", "snomed"),
        ("https://snomed.info/sct/", "snomed"),
        ("http://snomed.info/sct|http://snomed.info/sct/731000124108", "snomed"),
        ("http://snomed.info/sct/999000041000000102", "snomed"),
        ("urn:oid:2.16.840.1.113883.6.96", "snomed"),
        ("SNOMED", "snomed"),
        ("SNOMED-CT", "snomed"),
        ("SNOMED CT", "snomed"),
        ("http://hl7.org/fhir/sid/icd-10", "icd10"),
        ("ICD10", "icd10"),
        ("ICD-10", "icd10"),
        ("urn:oid:2.16.840.1.113883.6.3", "icd10"),
        ("http://hl7.org/fhir/sid/icd-10-cm", "icd10cm"),
        ("ICD10CM", "icd10cm"),
        ("urn:oid:2.16.840.1.113883.6.90", "icd10cm"),
        ("http://fhir.de/CodeSystem/bfarm/icd-10-gm", "icd10gm"),
        ("ICD10GM", "icd10gm"),
        ("http://hl7.org/fhir/sid/icd-9-cm", "icd9cm"),
        ("http://hl7.org/fhir/sid/icd-9-cm/diagnosis", "icd9cm"),
        ("ICD9CM", "icd9cm"),
        ("urn:oid:2.16.840.1.113883.6.103", "icd9cm"),
        ("urn:oid:2.16.840.1.113883.6.42", "icd9"),
        ("http://id.who.int/icd/release/11/mms", "icd11"),
        ("http://loinc.org", "loinc"),
        ("LOINC", "loinc"),
        ("urn:oid:2.16.840.1.113883.6.1", "loinc"),
        ("http://www.nlm.nih.gov/research/umls/rxnorm", "rxnorm"),
        ("RxNorm", "rxnorm"),
        ("urn:oid:2.16.840.1.113883.6.88", "rxnorm"),
        ("http://read.info/readv2", "read2"),
        ("Read", "read2"),
        ("Read v2", "read2"),
        ("http://terminology.hl7.org/CodeSystem/rcV2", "read2"),
        ("urn:oid:2.16.840.1.113883.6.29", "read2"),
        ("urn:oid:2.16.840.1.113883.2.1.6.2", "read2"),
        ("http://read.info/ctv3", "ctv3"),
        ("CTV3", "ctv3"),
        ("urn:oid:2.16.840.1.113883.2.1.3.2.4.14", "ctv3"),
        ("https://fhir.hl7.org.uk/Id/egton-codes", "egton"),
        ("http://hl7.org/fhir/sid/icpc-2", "icpc2"),
        ("urn:oid:2.16.840.1.113883.6.139", "icpc2"),
        ("ICPC-2", "icpc2"),
        ("http://human-phenotype-ontology.org", "hp"),
        ("MedDRA", "meddra"),
        ("MeSH", "mesh"),
        ("", ""),
        (" Hospital A ", "hospital a"),
        ("http://example.org/our-codes", "http://example.org/our-codes"),
        ("http://example.org/read", "http://example.org/read"),  # ends like one, which says nothing
    ],
)
def test_a_system_has_one_short_name(name, short):
    assert short_system(name) == short


@given(st.text())
def test_a_short_name_is_its_own(name):
    assert short_system(short_system(name)) == short_system(name)


@pytest.mark.parametrize(
    ("system", "origin"),
    [
        ("snomed", "snomed-ct"),
        ("icd9cm", "icd"),
        ("icd10", "icd"),
        ("icd11", "icd"),
        ("loinc", "loinc"),
        ("rxnorm", "rxnorm"),
        ("meddra", "meddra"),
        ("mesh", "mesh"),
        ("hp", "hp"),
    ],
)
def test_known_systems_are_declared_origins(system, origin):
    assert origin_of(system) == origin
    assert origin in ORIGINS


@pytest.mark.parametrize("system", ["read2", "ctv3", "icpc2", "hospital a", ""])
def test_other_systems_are_their_own_origin(system):
    assert origin_of(system) == system


@pytest.mark.parametrize(
    ("system", "title"),
    [
        ("snomed", "SNOMED CT"),
        ("icd10", "ICD-10"),
        ("icd10cm", "ICD-10-CM"),
        ("icd9cm", "ICD-9-CM"),
        ("icpc2", "ICPC-2"),
        ("read2", "Read v2"),
        ("ctv3", "CTV3 (Read v3)"),
        ("hospital a", "hospital a"),
        ("", ""),
    ],
)
def test_titles_are_for_people(system, title):
    assert title_of(system) == title
