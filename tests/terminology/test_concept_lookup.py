import pytest

from medgauge.terminology.concept_lookup import AMBIGUOUS, NOT_FOUND, ConceptLookup
from medgauge.terminology.model import Terminology
from medgauge.terminology.read import read_terminology
from tests.rf2 import Release


@pytest.fixture
def release(tmp_path) -> Terminology:
    release = Release()
    release.concept(1).fsn("Cold (disorder)").synonym("Common  cold").synonym("Rhinitis", active=False)
    release.concept(2).fsn("Cold sensation (finding)").synonym("Cold").synonym("cold sensation")
    release.concept(3, active=False).fsn("Catarrh (disorder)").synonym("Catarrh")
    release.concept(4, active=False).fsn("Common cold (disorder)")
    return read_terminology([release.write(tmp_path / "release")])


def ids_of(terminology: Terminology, found: list[int]) -> list[str | int]:
    return [number if number < 0 else terminology.concepts["id"][number] for number in found]


def test_a_term_finds_the_concept_that_it_names_in_any_case(release):
    one, two = release.concepts["id"][:2]
    terms = [
        "COLD (DISORDER)",
        "common cold",
        " Common   Cold ",
        "Cold Sensation",
        "cold sensation (Finding)",
    ]
    assert ids_of(release, ConceptLookup(release).by_terms(terms).tolist()) == [one, one, one, two, two]


def test_a_name_of_one_concept_that_is_a_synonym_of_another_is_not_guessed(release):
    assert ConceptLookup(release).by_terms(["cold", "Cold"]).tolist() == [AMBIGUOUS, AMBIGUOUS]


def test_retired_concepts_and_retired_terms_name_nothing(release):
    assert ConceptLookup(release).by_terms(["Catarrh", "Rhinitis"]).tolist() == [NOT_FOUND, NOT_FOUND]


def test_ids_find_active_concepts_only(release):
    ids = release.concepts["id"].to_list()
    assert ConceptLookup(release).by_ids([ids[1], ids[2], None, "", "1"]).tolist() == [1, *[NOT_FOUND] * 4]


def test_a_term_of_metadata_names_nothing_but_its_id_does(tmp_path):
    release = Release()
    release.concept(1).fsn("Flu (disorder)")
    release.concept(2, module=900000000000012004).fsn("Synonym (core metadata concept)")
    read = read_terminology([release.write(tmp_path / "release")])
    lookup = ConceptLookup(read)
    assert lookup.by_terms(["Synonym"]).tolist() == [NOT_FOUND]
    assert lookup.by_ids([read.concepts["id"][1]]).tolist() == [1]


def test_ids_of_an_ontology_may_be_iris_and_broader_synonyms_name_nothing(tmp_path):
    path = tmp_path / "x.obo"
    path.write_text('[Term]\nid: X:1\nname: Œdème\nsynonym: "swelling" BROAD []\nsynonym: "edema" EXACT []\n')
    lookup = ConceptLookup(read_terminology([path]))
    assert lookup.by_ids(["X:1", "http://purl.obolibrary.org/obo/X_1", "x:1"]).tolist() == [0, 0, NOT_FOUND]
    assert lookup.by_terms(["Edema", "swelling", "œDE\u0300ME"]).tolist() == [0, NOT_FOUND, 0]
