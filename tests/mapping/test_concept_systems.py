import pytest

from medgauge.errors import InputError
from medgauge.mapping.concept_systems import UMLS, concept_system


@pytest.mark.parametrize(
    ("name", "short", "sab"),
    [
        ("snomed", "snomed", "SNOMEDCT_US"),
        ("http://snomed.info/sct", None, None),
        ("SNOMED CT", "snomed", "SNOMEDCT_US"),
        ("SNOMEDCT_US_2023_03_01", "snomed", "SNOMEDCT_US"),
        ("SCTID", "snomed", "SNOMEDCT_US"),
        ("ICD-10", "icd10", "ICD10"),
        ("ICD10CM", "icd10cm", "ICD10CM"),
        ("icd-9-cm", "icd9cm", "ICD9CM"),
        ("MeSH", "mesh", "MSH"),
        ("LNC", "loinc", "LNC"),
        ("HPO", "hp", "HPO"),
        ("NCIT", "ncit", "NCI"),
        ("UMLS_CUI", "umls", ""),
        ("CHV", "chv", "CHV"),
    ],
)
def test_systems_are_known_by_what_users_releases_and_prefixes_call_them(name, short, sab):
    if short is None:
        with pytest.raises(InputError):
            concept_system(name)
    else:
        assert (concept_system(name).name, concept_system(name).sab) == (short, sab)


def test_ids_lose_their_prefix_unless_the_system_writes_it():
    assert UMLS.id_of("UMLS:C0000001") == UMLS.id_of(" C0000001 ") == "C0000001"
    assert concept_system("mondo").id_of("MONDO:0005148") == "MONDO:0005148"
    assert concept_system("icd10cm").id_of("ICD10CM: I21.9") == "I21.9"
    assert concept_system("chv").id_of("0000012345") == "0000012345"
    assert concept_system("snomed").id_of("HP:0000001") is None
    assert concept_system("snomed").id_of("") is None


@pytest.mark.parametrize(
    "written", ["hp:0001250", "HPO:0001250", " http://purl.obolibrary.org/obo/HP_0001250 "]
)
def test_other_spellings_of_an_ontologys_ids_matched_nothing(written):
    assert concept_system("hp").id_of(written) == "HP:0001250"
    assert concept_system("go").id_of(written) is None


def test_the_prefix_of_an_ontology_that_is_not_known_is_kept():
    assert concept_system("orphanet").id_of("Orphanet:5") == "Orphanet:5"
    assert concept_system("orphanet").id_of("http://www.orpha.net/ORDO/Orphanet_5") == "Orphanet:5"
