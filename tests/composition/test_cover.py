import math

import numpy as np
import pytest
from polars.testing import assert_frame_equal

import medgauge
from medgauge.errors import FileError, InputError, UnknownNameError
from medgauge.pairs import Card, Pairs, PairSet
from tests.composition.small import pair_set
from tests.composition.test_concept_finding import OBO

ROWS = [("Flu", "heart attack", 1), ("heart attack", "flu", 3), ("gout", "gout", 0)]


def test_a_set_is_described_by_what_it_has():
    found = medgauge.coverage(pair_set(ROWS, scale=(0, 3), id_1=["1", "2", "3"], id_2=["2", "1", ""]))["mine"]
    assert (found.pairs, found.different_pairs, found.terms) == (3, 2, 3)
    assert (found.concepts, found.concept_key, found.pairs_with_ids, found.pairs_with_cuis) == (
        3,
        "id",
        2,
        None,
    )
    assert found.multi_word == pytest.approx(1 / 3)
    assert (found.scale, found.score_fifths) == ((0, 3), [1, 1, 0, 0, 1])
    assert [(one.score, one.pairs) for one in found.scores] == [(0, 1), (1, 1), (3, 1)]
    assert (found.target, found.agreement, found.types, found.specificity) == ("gold", None, None, None)


def test_a_set_that_was_not_described_was_a_bare_stop_iteration():
    with pytest.raises(UnknownNameError, match="there is no set 'yours'; choose from: mine"):
        medgauge.coverage(pair_set(ROWS))["yours"]


def test_a_set_without_ids_has_no_concepts():
    found = medgauge.coverage(pair_set(ROWS))["mine"]
    assert (found.concepts, found.concept_key, found.pairs_with_ids, found.pairs_with_cuis) == (None,) * 4


def test_scores_without_a_known_scale_are_counted_over_their_range():
    assert medgauge.coverage(pair_set(ROWS))["mine"].score_fifths == [1, 1, 0, 0, 1]
    equal = medgauge.coverage(pair_set([("a", "b", 2), ("a", "c", 2)]))["mine"]
    assert equal.score_fifths == []


def test_pairs_without_gold_and_with_labels_are_described_too():
    plain = Pairs.of([("a", "b"), ("a", "c c")], card=Card(name="plain", title="Plain"))
    labelled = PairSet.of(
        [("a", "b", 1), ("a", "c", 0)], card=Card(name="labels", title="x", scale=(0, 1)), labelled=True
    )
    found = medgauge.coverage([plain, labelled])
    assert (found["plain"].target, found["plain"].scores, found["plain"].score_fifths) == (None, [], [])
    assert (found["labels"].target, found["labels"].score_fifths, found["labels"].scale) == (
        "label",
        [],
        None,
    )
    assert [(one.score, one.pairs) for one in found["labels"].scores] == [(0, 1), (1, 1)]
    assert len(found.overlaps) == 1


def typed(**columns):
    rng = np.random.default_rng(3)
    rows = [(f"term {number}", f"other {number}", int(rng.integers(4))) for number in range(40)]
    return pair_set(rows, **{name: values(rng) for name, values in columns.items()})


def types(rng):
    return rng.choice(["Sign", "Disease", ""], 40).tolist()


@pytest.mark.parametrize("name", ["semantic_type", "type"])
def test_types_in_columns_of_the_set_are_used(name):
    found = medgauge.coverage(typed(**{f"{name}_1": types, f"{name}_2": types}), permutations=49)[
        "mine"
    ].types
    assert found.source == f"columns {name}_1 and {name}_2"
    counts = [one.pairs for one in found.combinations]
    assert sum(counts) == found.pairs
    assert found.pairs < 40
    assert len(found.baseline.permuted) == 49


def test_semantic_types_come_before_other_types():
    found = medgauge.coverage(
        typed(type_1=types, type_2=types, semantic_type_1=lambda _rng: ["Gene"] * 40, semantic_type_2=types)
    )
    assert "semantic_type_1" in found["mine"].types.source


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        (
            lambda _rng: [f"term {number}" for number in range(40)],
            "holds terms of the set, or what may be ids",
        ),
        (lambda _rng: ["C0000001"] * 40, "holds terms of the set, or what may be ids"),
    ],
)
def test_types_that_are_terms_or_ids_are_refused(values, problem):
    with pytest.raises(InputError, match=f"column type_1 of mine {problem}"):
        medgauge.coverage(typed(type_1=values, type_2=types))


def test_hundreds_of_types_are_no_types():
    rows = [(f"a{number}", f"b{number}", 1) for number in range(301)]
    own = [f"kind {number}" for number in range(301)]
    with pytest.raises(InputError, match="column type_1 of mine has 301 values; at most 300 can be types"):
        medgauge.coverage(pair_set(rows, type_1=own, type_2=own))


def test_specificity_in_columns_of_the_set_is_used():
    found = medgauge.coverage(pair_set(ROWS, specificity_1=["2", "5", ""], specificity_2=[5.0, 2.0, 3.0]))
    specificity = found["mine"].specificity
    assert [(one.low, one.high, one.pairs) for one in specificity.counts] == [(2, 5, 2)]
    assert (specificity.pairs, specificity.concepts, specificity.median) == (2, 2, 3.5)
    assert specificity.source == "columns specificity_1 and specificity_2"


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        (["a", "b", "c"], "is not numeric"),
        ([1.5, 2, 3], "not a number of edges"),
        ([1, 2, 40_000], "not a number of edges, of which there are at most 1,000"),
        ([1.0, 2.0, 1e30], "not a number of edges"),
        ([-1, 2, 3], "not a number of"),
    ],
)
def test_specificity_that_is_no_number_of_edges_is_refused(values, problem):
    with pytest.raises(InputError, match=f"column specificity_1 of mine .*{problem}"):
        medgauge.coverage(pair_set(ROWS, specificity_1=values, specificity_2=[1, 2, 3]))


def test_the_same_seed_gives_the_same_bytes():
    given = typed(type_1=types, type_2=types)
    one, two, other = (medgauge.coverage(given, permutations=19, seed=seed).to_json() for seed in (0, 0, 1))
    assert one == two != other


def test_the_sets_with_their_columns_are_in_memory_only(tmp_path):
    (tmp_path / "zo.obo").write_text(OBO, "utf-8")
    given = pair_set([("Zorvic fever", "Narvic fever", 1), ("Zorvic sign", "flu", 2)])
    found = medgauge.coverage(given, terminology=tmp_path / "zo.obo")
    kept = found.pairs("mine")
    assert kept.frame["specificity_2"].to_list() == [1, None]
    assert kept.frame["semantic_type_1"].to_list() == ["Zorvic fever", "Zorvic sign"]
    assert_frame_equal(kept.frame.select(given.frame.columns), given.frame)
    (tmp_path / "found.json").write_text(found.to_json(), "utf-8")
    assert medgauge.load_result(tmp_path / "found.json") == found
    loaded = medgauge.BenchmarkCoverage.load(tmp_path / "found.json")
    with pytest.raises(InputError, match="does not store the pairs of its sets"):
        loaded.pairs("mine")


def test_results_hold_no_term_and_no_id(tmp_path):
    (tmp_path / "zo.obo").write_text(OBO, "utf-8")
    given = pair_set(
        [("zorvosis", "wombat pox", 1), ("wombat pox", "dugong gout", 2)],
        cui_1=["C0000001"] * 2,
        cui_2=["C0000007"] * 2,
    )
    stored = medgauge.coverage(given, terminology=tmp_path / "zo.obo").to_json()
    assert not any(text in stored for text in ("zorvosis", "wombat", "dugong", "C0000001", "C0000007"))


@pytest.mark.parametrize("count", [0, 100_001])
def test_a_number_of_permutations_that_makes_no_sense_is_refused(count):
    with pytest.raises(InputError, match="permutations must be between 1 and 100,000"):
        medgauge.coverage(pair_set(ROWS), permutations=count)


def test_wrong_names_and_sources_are_found_before_anything_is_read(tmp_path):
    with pytest.raises(UnknownNameError, match="no dataset"):
        medgauge.coverage("no-such-set", umls=tmp_path)
    with pytest.raises(FileError, match="has no folder META"):
        medgauge.coverage(pair_set(ROWS), umls=tmp_path)
    with pytest.raises(FileError, match="there is no such file or folder"):
        medgauge.coverage(pair_set(ROWS), terminology=tmp_path / "none.obo")


def test_two_sets_of_one_name_and_a_set_without_pairs_are_refused():
    with pytest.raises(InputError, match="two different sets are called 'mine'"):
        medgauge.coverage([pair_set(ROWS), pair_set(ROWS[:1])])
    with pytest.raises(InputError, match="the set 'mine' has no pairs"):
        medgauge.coverage(pair_set(ROWS).head(0))


def test_an_undefined_baseline_has_its_reason():
    one = medgauge.coverage(pair_set(ROWS, type_1=["Sign"] * 3, type_2=["Sign"] * 3))["mine"].types.baseline
    assert math.isnan(one.rho)
    assert one.undefined == "all 3 medians are equal"


def test_all_concepts_without_an_id_were_one_concept():
    """By hand: concepts 1 (3 edges), gout (9), asthma (1) and C1 (6), of which the last three have no id."""
    rows = [("flu", "gout", 1), ("asthma", "flu", 2), ("flu", "cold", 0)]
    levels = {"specificity_1": [3, 1, 3], "specificity_2": [9, 3, 6]}
    found = medgauge.coverage(
        pair_set(
            rows, id_1=["1", "", "1"], id_2=["", "1", ""], cui_1=[""] * 3, cui_2=["", "", "C1"], **levels
        )
    )["mine"].specificity
    assert (found.concepts, found.shallowest, found.median, found.deepest) == (4, 1, 4.5, 9)


def test_a_set_with_its_columns_was_left_out_beside_the_set_without_them():
    both = [pair_set(ROWS), pair_set(ROWS, specificity_1=[1, 2, 3], specificity_2=[1, 2, 3])]
    with pytest.raises(InputError, match="two different sets are called 'mine'; give one another name"):
        medgauge.coverage(both)
    found = medgauge.coverage({"plain": both[0], "more": both[1]})
    assert [one.specificity is None for one in found.sets] == [True, False]
