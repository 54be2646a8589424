import pytest

from medgauge.catalog.datasets import load_dataset
from medgauge.errors import InputError, UnknownNameError
from medgauge.mapping.concept_map import ConceptMap
from medgauge.mapping.map_concepts import map_concepts
from tests.support.umls_releases import every_case

OBO = """ontology: x

[Term]
id: HP:0000001
name: a
xref: UMLS:C0000001
xref: SNOMEDCT_US_2023_03_01:1001004

[Term]
id: HP:0000002
name: b
xref: UMLS:C0000002
xref: UMLS:C0000003
"""
SSSOM = (
    "subject_id\tpredicate_id\tobject_id\n"
    "HP:0000001\tskos:exactMatch\tUMLS:C0000001\n"
    "SNOMEDCT:1001004\tskos:exactMatch\tUMLS:C0000001\n"
)


def test_ids_keep_their_order_and_their_spelling_and_each_is_there_once(umls):
    found = map_concepts(["1006009", "SNOMEDCT_US:1001004", "1001004", "1006009", "MSH:1"], umls=umls)
    assert [(one.id, one.targets) for one in found.concepts] == [
        ("1006009", ("C0000007",)),
        ("SNOMEDCT_US:1001004", ("C0000001",)),
        ("1001004", ("C0000001",)),
        ("MSH:1", ()),
    ]
    assert found.unmapped == {"MSH:1": "names another code system"}
    assert (found.source, found.target, found.route) == ("SNOMED CT", "UMLS", "UMLS 2024AA")
    assert {*found.files} == {"MRCONSO.RRF"}


def test_codes_of_other_systems_are_mapped_by_shared_cuis(umls):
    found = map_concepts(["Q98.0", "Q99.1", "Q97"], source="icd10cm", target="mesh", umls=umls)
    assert found.mapped == {"Q98.0": ("D999001",)}
    assert found.unmapped == {
        "Q99.1": "one CUI, then no preferred term and no name",
        "Q97": "not in the source",
    }
    assert found["Q99.1"].left == ("C0000010",)


def test_a_vocabulary_may_be_named_as_the_release_names_it(umls):
    assert map_concepts(["D999001"], source="MSH", target="SNOMEDCT_US", umls=umls).mapped == {
        "D999001": ("1002006", "1009002")
    }
    with pytest.raises(UnknownNameError, match="called 'CHV'; choose from: ICD10CM, MSH, SNOMEDCT_US"):
        map_concepts(["1"], source="chv", umls=umls)


def test_semantic_types_of_cuis_are_listed_with_how_they_were_found(umls):
    cuis = ["C0000001", "C0000002", "C0000004", "C0000005"]
    found = map_concepts(cuis, source="umls", target="semantic-types", umls=umls)
    assert found.mapped == {"C0000001": ("Sign or Symptom",), "C0000002": ("Disease or Syndrome",)}
    assert found.unmapped == {"C0000004": "no common ancestor", "C0000005": "no type"}
    assert found["C0000004"].left == ("Sign or Symptom", "Disease or Syndrome")
    assert {*found.files} == {"MRSTY.RRF", "SRDEF"}


def test_the_terms_of_a_set_are_the_names_that_cuis_are_looked_up_by(umls, tmp_path):
    (tmp_path / "pairs.csv").write_text("term_1,term_2,cui_1,cui_2\nBRYL,narvic oedema,C0000010,C0000011\n")
    for source in (tmp_path / "pairs.csv", _loaded(tmp_path / "pairs.csv")):
        found = map_concepts(source, source="umls", target="snomed", umls=umls)
        assert found.mapped == {"C0000010": ("1007000", "1008005"), "C0000011": ("1006009",)}


def _loaded(path):
    from medgauge.catalog.datasets import load_pairs

    return load_pairs([path])[0]


def test_xrefs_and_sssom_map_without_a_release(tmp_path):
    (tmp_path / "x.obo").write_text(OBO)
    (tmp_path / "x.sssom.tsv").write_text(SSSOM)
    by_class = map_concepts(["HP:0000001", "HP:0000002"], source="hpo", xrefs=tmp_path / "x.obo")
    assert by_class.mapped == {"HP:0000001": ("C0000001",)}
    assert by_class["HP:0000002"].left == ("C0000002", "C0000003")
    assert map_concepts(["1001004"], xrefs=tmp_path / "x.obo").mapped == {"1001004": ("C0000001",)}
    assert map_concepts(["1001004"], sssom=tmp_path / "x.sssom.tsv").mapped == {"1001004": ("C0000001",)}
    back = map_concepts(["C0000001"], source="umls", target="hp", sssom=tmp_path / "x.sssom.tsv")
    assert back.mapped == {"C0000001": ("HP:0000001",)}


def test_a_result_is_read_back(umls, tmp_path):
    found = map_concepts(["1001004", "1003001"], umls=umls)
    (tmp_path / "found.json").write_text(found.to_json())
    assert ConceptMap.load(tmp_path / "found.json") == found


def test_an_id_that_was_not_mapped_was_a_bare_stop_iteration(umls):
    with pytest.raises(InputError, match="'7' is not among the concepts that were mapped"):
        map_concepts(["1001004"], umls=umls)["7"]


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({}, "say how to map with one of umls="),
        ({"umls": "x", "xrefs": "y"}, "say how to map with one of umls="),
        ({"srdef": "x", "xrefs": "y"}, "srdef= needs umls="),
        ({"source": "umls", "target": "cui", "umls": "x"}, "UMLS is mapped to itself"),
        ({"target": "semantic-types", "umls": "x"}, "semantic types are those of CUIs"),
        ({"source": "umls", "target": "semantic-types", "xrefs": "x"}, "are those of a UMLS release"),
        ({"source": "snomed;", "umls": "x"}, "is not the name of a code system"),
    ],
)
def test_what_does_not_go_together_is_one_sentence(options, problem):
    with pytest.raises(InputError, match=problem):
        map_concepts(["1"], **options)


def test_ehr_rel_has_one_cui_for_each_id_as_algorithm_1_gives(real_data):
    """The CUIs that the authors chose are a function of the SNOMED CT id, in both files together."""
    cuis: dict[str, set[str]] = {}
    for name, file in (("ehr-rel-a", "EHR-RelA.tsv"), ("ehr-rel-b", "EHR-RelB.tsv")):
        real_data(f"published/{file}")
        frame = load_dataset(name).frame
        for side in (1, 2):
            for one, cui in frame.select(f"id_{side}", f"cui_{side}").iter_rows():
                cuis.setdefault(one, set()).add(cui.strip())
    assert len(cuis) == 2318
    assert {len(found) for found in cuis.values()} == {1}


@pytest.mark.slow
def test_the_cuis_of_ehr_rel_are_mostly_those_of_the_xrefs_of_hpo(real_data, hpo_file):
    """Two mappings that nobody here made: 277 of the 289 ids that both map have the same CUI."""
    real_data("published/EHR-RelB.tsv")
    pairs = load_dataset("ehr-rel-b")
    found = map_concepts(pairs, xrefs=hpo_file)
    authors = {
        one: cui
        for side in (1, 2)
        for one, cui in pairs.frame.select(f"id_{side}", f"cui_{side}").iter_rows()
        if cui.strip()
    }
    both = {one: to[0] == authors[one] for one, to in found.mapped.items() if one in authors}
    assert (len(found.concepts), len(found.mapped), len(both), sum(both.values())) == (2263, 290, 289, 277)


def test_a_release_in_a_folder_maps_as_its_zip_does(umls, tmp_path):
    folder = every_case().write(tmp_path / "2024AA")
    ids = ["1001004", "1003001"]
    assert map_concepts(ids, umls=folder) == map_concepts(ids, umls=umls)
