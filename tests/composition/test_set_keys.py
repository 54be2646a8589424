from medgauge.composition.set_keys import concept_kinds, different, different_pairs, keys_of_sides
from tests.composition.small import pair_set


def test_spellings_of_a_term_are_one_and_blank_ids_are_none():
    found = pair_set(
        [("Flu ", "FLU", 1), ("heart  attack", "Heart Attack", 2)], id_1=["1", ""], id_2=[None, " 2"]
    )
    assert different(keys_of_sides(found, "term")) == {"flu", "heart attack"}
    assert keys_of_sides(found, "id") == [("1", None), (None, "2")]
    assert different_pairs(keys_of_sides(found, "id")) == set()


def test_concepts_are_known_by_what_the_set_has():
    rows = [("a", "b", 1)]
    assert concept_kinds(pair_set(rows)) == []
    assert concept_kinds(pair_set(rows, cui_1=["C1"], cui_2=[""])) == ["cui"]
    both = {"id_1": ["1"], "id_2": ["2"], "cui_1": ["C1"], "cui_2": ["C2"]}
    assert concept_kinds(pair_set(rows, **both)) == ["id", "cui"]
