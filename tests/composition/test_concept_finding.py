import pytest

from medgauge.composition.concept_finding import ConceptFinder, ConceptKeys, concept_keys
from medgauge.terminology.concept_lookup import ConceptLookup
from medgauge.terminology.read import read_terminology
from tests.composition.small import pair_set

OBO = """format-version: 1.2
ontology: zo

[Term]
id: ZO:1
name: Zorvic sign

[Term]
id: ZO:2
name: Zorvic fever
synonym: "Zorvosis" EXACT []
xref: UMLS:C0000001
xref: SNOMEDCT_US:1001004
is_a: ZO:1 ! Zorvic sign

[Term]
id: ZO:3
name: Narvic fever
synonym: "Zorvosis" EXACT []
xref: UMLS:C0000001
xref: SNOMEDCT_US_2023_03_01:1007000
xref: sctid:1008005
is_a: ZO:1

[Term]
id: ZO:4
name: old fever
xref: UMLS:C0000004
is_obsolete: true
"""


@pytest.fixture(scope="module")
def ontology(tmp_path_factory):
    path = tmp_path_factory.mktemp("zo") / "zo.obo"
    path.write_text(OBO, "utf-8")
    return read_terminology([path])


@pytest.mark.parametrize(
    ("keys", "ids", "way"),
    [
        (("ZO:3", "C0000001", "Zorvic sign"), ["ZO:3"], "id"),
        ((None, "C0000009", "Zorvic sign"), ["ZO:1"], "UMLS"),
        ((None, "C0000001", "Zorvic sign"), ["ZO:2", "ZO:3"], "cross-reference"),
        (("1001004", None, "Zorvic sign"), ["ZO:2"], "cross-reference"),
        (("9999", "C9999999", "ZORVIC  sign"), ["ZO:1"], "name"),
        ((None, None, "zorvosis"), [], "ambiguous name"),
        ((None, "C0000004", "flu"), [], "not found"),
        (("ZO:4", None, "old fever"), [], "not found"),
    ],
)
def test_a_concept_is_found_by_the_first_way_there_is(ontology, keys, ids, way):
    finder = ConceptFinder(ConceptLookup(ontology), {"C0000009": ("ZO:1", "ZO:77")})
    found = finder.find([ConceptKeys(*keys)])[ConceptKeys(*keys)]
    assert [ontology.concepts["id"][one] for one in found.concepts] == ids
    assert found.way == way


@pytest.mark.parametrize("code", ["1007000", "1008005", "SNOMED:1008005"])
def test_prefixes_with_a_date_or_in_other_case_were_known_to_map_and_not_to_coverage(ontology, code):
    keys = ConceptKeys(code, None, "flu")
    found = ConceptFinder(ConceptLookup(ontology), {}).find([keys])[keys]
    assert [ontology.concepts["id"][one] for one in found.concepts] == ["ZO:3"]


def test_the_keys_of_a_set_are_what_it_has():
    found = pair_set([("a", "b", 1), ("c", "a", 2)], cui_1=["C1", ""], cui_2=["C2", "C1"])
    first, second = concept_keys(found)
    assert first == [(None, "C1", "a"), (None, None, "c")]
    assert second == [(None, "C2", "b"), (None, "C1", "a")]
