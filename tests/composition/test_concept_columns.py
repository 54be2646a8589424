import pytest

from medgauge.composition.concept_columns import described_sets
from medgauge.terminology.read import read_terminology
from medgauge.terminology.umls.umls_release import open_umls
from tests.composition.small import pair_set
from tests.composition.test_concept_finding import OBO
from tests.rf2 import ROOT, Release
from tests.support.umls_releases import every_case


@pytest.fixture(scope="module")
def umls(tmp_path_factory):
    return open_umls(every_case().write(tmp_path_factory.mktemp("umls")))


@pytest.fixture(scope="module")
def snomed(tmp_path_factory):
    """A release in which 1006009 has two ways to the root, and codes of the UMLS release have places."""
    release = Release()
    root = release.concept(id=ROOT).fsn("SNOMED CT Concept (SNOMED RT+CTV3)")
    finding = release.concept(1).fsn("Finding of zorvosis (finding)")
    disorder = release.concept(2).fsn("Zorvosis (disorder)")
    fever = release.concept(id=1001004).fsn("Zorvic fever (finding)")
    plimmer = release.concept(id=1002006).fsn("Plimmer's disease (disorder)")
    again = release.concept(id=1009002).fsn("Disease of Plimmer (finding)")
    oedema = release.concept(id=1006009).fsn("Narvic oedema (finding)")
    for child, parent in [
        (finding, root),
        (disorder, root),
        (fever, finding),
        (plimmer, disorder),
        (again, fever),
        (oedema, again),
        (oedema, finding),
    ]:
        release.is_a(child, parent)
    return read_terminology([release.write(tmp_path_factory.mktemp("rf2") / "release")])


def one_set(**columns):
    rows = [("Zorvic fever", "Plimmer's disease", 1), ("Narvic oedema", "flu", 2)]
    return {"mine": pair_set(rows, **columns)}


def columns_of(described, *names):
    return [described["mine"].pairs.frame[name].to_list() for name in names]


def test_ids_get_cuis_and_cuis_types(umls):
    """C0000002 has a disease and a neoplasm, of which the disease is the ancestor."""
    found = described_sets(one_set(id_1=["1001004", "1006009"], id_2=["1002006", "1003001"]), umls=umls)
    assert columns_of(found, "cui_1", "cui_2") == [["C0000001", "C0000007"], ["C0000002", None]]
    assert columns_of(found, "semantic_type_1", "semantic_type_2") == [
        ["Sign or Symptom", "Pathologic Function"],
        ["Disease or Syndrome", None],
    ]
    one = found["mine"]
    said = one.pairs.card.build
    assert said["added cui"]["steps"] == {
        "one CUI": 2,
        "preferred term": 1,
        "several CUIs by preferred term": 1,
    }
    assert {*said["added semantic-types"]["files"]} == {"MRSTY.RRF", "SRDEF"}
    assert one.types_from == "UMLS 2024AA"
    assert one.specificity_from is None
    assert sum(one.steps.values()) == 3


def test_a_sets_own_cuis_stay_and_are_counted_by_step(umls):
    """C0000004 has types under A and B, and C0000005 has none."""
    given = one_set(
        cui_1=["C0000004", "C0000001"], cui_2=["C0000005", None], id_1=["1001004", "1006009"], id_2=["", ""]
    )
    found = described_sets(given, umls=umls)["mine"]
    assert found.pairs.frame["cui_1"].to_list() == ["C0000004", "C0000001"]
    assert found.pairs.frame["semantic_type_1"].to_list() == [None, "Sign or Symptom"]
    assert found.steps == {"no common ancestor": 1, "no type": 1, "one type": 1}


def test_ids_of_snomed_ct_have_specificity_by_the_shortest_way_and_semantic_tags(snomed):
    """By hand: findings and disorders have 1, the fever and Plimmer's disease 2, the oedema 2 by one way."""
    found = described_sets(one_set(id_1=["1001004", "1006009"], id_2=["1002006", "77"]), terminology=snomed)
    assert columns_of(found, "specificity_1", "specificity_2") == [[2, 2], [2, None]]
    assert columns_of(found, "semantic_type_1", "semantic_type_2") == [
        ["finding", "finding"],
        ["disorder", None],
    ]
    one = found["mine"]
    assert one.ways == {"id": 3, "not found": 1}
    assert one.types_from == f"semantic tags of {snomed.title}"


def test_a_cui_has_the_specificity_of_the_least_specific_of_its_ids(umls, snomed):
    """Section 5.3: C0000002 has two ids by preferred term, 1002006 (2 edges) and 1009002 (3)."""
    given = one_set(cui_1=["C0000001", "C0000007"], cui_2=["C0000002", "C9999999"])
    found = described_sets(given, umls=umls, terminology=snomed)
    assert columns_of(found, "specificity_1", "specificity_2") == [[2, 2], [2, None]]
    one = found["mine"]
    assert one.ways == {"UMLS": 3, "not found": 1}
    assert one.types_from == "UMLS 2024AA"
    assert one.pairs.frame["semantic_type_1"].to_list() == ["Sign or Symptom", "Pathologic Function"]


def test_a_cui_with_ids_of_two_tags_has_no_type_without_umls_types(umls, snomed):
    found = described_sets(one_set(cui_1=["C0000002"] * 2, cui_2=["C0000002"] * 2), terminology=snomed)[
        "mine"
    ]
    assert found.ways == {"name": 1}
    both = described_sets(one_set(id_1=["1002006", "1009002"], id_2=["", ""]), terminology=snomed)["mine"]
    assert both.pairs.frame["semantic_type_1"].to_list() == ["disorder", "finding"]


def test_an_ontology_with_xrefs_gives_branches_and_specificity(tmp_path):
    """C0000001 refers to ZO:2 and ZO:3, two branches; what they have in common is the root."""
    path = tmp_path / "zo.obo"
    path.write_text(OBO, "utf-8")
    ontology = read_terminology([path])
    found = described_sets(
        one_set(cui_1=["C0000001", None], cui_2=[None, None], id_1=[None, "ZO:2"], id_2=["ZO:1", None]),
        terminology=ontology,
    )
    assert columns_of(found, "specificity_1", "specificity_2") == [[1, 1], [0, None]]
    assert columns_of(found, "semantic_type_1", "semantic_type_2") == [
        ["Zorvic sign", "Zorvic fever"],
        ["Zorvic sign", None],
    ]
    assert found["mine"].types_from == f"branches of {ontology.title}"


def test_nothing_is_added_without_sources_or_keys(umls):
    given = one_set()
    assert described_sets(given)["mine"].pairs is given["mine"]
    assert described_sets(given, umls=umls)["mine"].pairs is given["mine"]


def test_steps_and_ways_were_in_another_order_each_time(umls, snomed):
    """Four of each, whose order in a set of texts depends on the process."""
    given = one_set(id_1=["1001004", "1003001"], id_2=["1002006", "77"])
    found = described_sets(given, umls=umls, terminology=snomed)["mine"]
    said = found.pairs.card.build
    assert list(said["added cui"]["steps"]) == [
        "not in the source",
        "one CUI",
        "preferred term",
        "several CUIs by preferred term",
    ]
    assert list(said["added semantic-types"]["steps"]) == list(found.steps) == ["common ancestor", "one type"]
    given = one_set(id_1=["1001004", "78"], id_2=["1002006", "77"])
    found = described_sets(given, terminology=snomed)["mine"]
    assert list(found.ways.items()) == [("id", 2), ("name", 1), ("not found", 1)]
    assert list(found.pairs.card.build["added specificity"]["ways"]) == ["id", "name", "not found"]


def test_a_concept_with_several_terms_was_counted_for_each(snomed):
    """C1 is found by one of its two names, C2 by neither, and a term counts once in all its spellings."""
    rows = [("Zorvic fever", "flu", 1), ("pyrexia of Zorvic", "influenza", 2), ("Gout", "gout", 3)]
    given = {"mine": pair_set(rows, cui_1=["C1", "C1", ""], cui_2=["C2", "C2", ""])}
    assert described_sets(given, terminology=snomed)["mine"].ways == {"not found": 2, "name": 1}


def test_ids_with_a_prefix_were_known_to_map_and_not_to_coverage(umls, snomed):
    given = one_set(id_1=["SNOMEDCT_US:1001004", "sctid:1006009"], id_2=["SNOMED:1002006", "HP:0001250"])
    found = described_sets(given, umls=umls, terminology=snomed)
    assert columns_of(found, "cui_1", "cui_2") == [["C0000001", "C0000007"], ["C0000002", None]]
    assert columns_of(found, "specificity_1", "specificity_2") == [[2, 2], [2, None]]
    one = found["mine"]
    assert one.ways == {"id": 3, "not found": 1}
    assert one.pairs.card.build["added cui"]["steps"]["names another code system"] == 1


def test_ids_beside_blank_columns_of_cuis_got_no_cuis(umls):
    given = one_set(
        id_1=["1001004", "1006009"], id_2=["1002006", "1003001"], cui_1=["", None], cui_2=[None, " "]
    )
    found = described_sets(given, umls=umls)
    assert columns_of(found, "cui_1", "cui_2") == [["C0000001", "C0000007"], ["C0000002", None]]
    assert found["mine"].types_from == "UMLS 2024AA"
