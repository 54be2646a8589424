import pytest

from medgauge.catalog.cards import published_sets
from medgauge.models.training import known_models
from medgauge.origins import ORIGINS, named_in, origin, overlaps


def reasons(sources, made_of):
    return [found.reason for found in overlaps(sources, made_of)]


def test_training_on_the_terminology_that_a_set_was_made_from_counts():
    assert reasons(["umls"], ["umls"]) == ["UMLS, which the set was made from"]


def test_training_on_a_terminology_that_contains_the_sets_counts():
    expected = "UMLS, which contains SNOMED CT, which the set was made from"
    assert reasons(["umls"], ["snomed-ct", "ehr-rel"]) == [expected]


def test_training_on_a_part_of_the_sets_terminology_counts():
    assert reasons(["mesh"], ["umls"]) == ["MeSH, a part of UMLS, which the set was made from"]


def test_training_on_the_pairs_of_a_set_counts():
    assert reasons(["simlex-999"], ["usf", "simlex-999"]) == ["pairs of SimLex-999, which the set has"]


def test_an_ontology_that_nobody_declared_counts_where_both_name_it():
    assert reasons(["mine"], ["mine"]) == ["mine, which the set was made from"]
    assert reasons(["mine"], ["yours"]) == []


@pytest.mark.parametrize("text", [name for name, one in ORIGINS.items() if one.kind == "text"])
def test_text_does_not_count(text):
    assert reasons([text], [text, "umls"]) == []


@pytest.mark.parametrize(
    ("sources", "made_of"),
    [(["hp"], ["snomed-ct"]), (["mesh"], ["snomed-ct"]), (["umls"], ["usf"]), ([], [])],
)
def test_siblings_and_strangers_do_not_count(sources, made_of):
    assert reasons(sources, made_of) == []


def test_several_parts_are_one_reason_that_names_a_few():
    [reason] = reasons(["umls"], ["go", "ncit", "fma", "hp"])
    assert reason.startswith("UMLS, which contains Gene Ontology, NCI Thesaurus, ")
    assert reason.endswith(" and 1 more, which the set was made from")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("UMLS 2020AA (English only)", ("umls",)),
        ("synonyms of SNOMED-CT, SNOMED CT and SNOMED", ("snomed-ct",)),
        ("bigbio/umnsrs, bigbio/ehr_rel, bigbio/bio_simlex", ("umnsrs", "ehr-rel", "bio-simlex")),
        ("PubMed Central", ("pmc",)),
        ("PubMed abstracts and MIMIC-III notes", ("pubmed", "mimic")),
        ("a triangle mesh; PubMedBERT; UMLSBert", ()),
    ],
)
def test_origins_are_recognised_by_whole_words(text, names):
    assert named_in(text) == names


def test_whatever_the_declarations_name_is_declared():
    assert all(part in ORIGINS for one in ORIGINS.values() for part in one.parts)
    assert all(name in ORIGINS for one in published_sets().values() for name in one.made_of)
    assert all(name in ORIGINS for one in known_models() for name in one.sources)


def test_every_published_set_says_what_it_was_made_of_and_names_its_own_pairs():
    for one in published_sets().values():
        assert [origin(name).kind for name in one.made_of][-1] == "pairs", one.name
        assert len(one.made_of) > 1


def test_the_same_health_records_count_and_others_do_not():
    ours, theirs = "records-0123456789ab", "records-ba9876543210"
    assert reasons([ours], [ours, "snomed-ct"]) == [
        "the health records 0123456789ab, which the set was made from"
    ]
    assert reasons([ours], [theirs, "snomed-ct"]) == []
