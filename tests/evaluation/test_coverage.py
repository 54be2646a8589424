from medgauge.evaluation.coverage import SetCoverage, coverage_of
from medgauge.models.load import load_model
from medgauge.pairs import Card, PairSet
from tests.models.small import OpenWords
from tests.support.concept_tables import as_csv, concept_pairs
from tests.vectors import some_vectors, write_binary


def test_terms_and_pairs_are_counted(tmp_path):
    model = load_model(write_binary(tmp_path / "v.bin", some_vectors("heart", "attack")))
    rows = [("heart attack", "heart", 1.0), ("heart", "stroke", 0.0), ("Stroke", "attack", 0.5)]
    pairs = PairSet.of(rows, card=Card(name="x", title="x"))
    assert coverage_of(model, [pairs]) == [SetCoverage("x", 5, 3, 3, 1, missing={"stroke": 1, "Stroke": 1})]


def test_words_are_missing_by_pairs_and_those_of_subwords_are_counted():
    rows = [("heart attack", "heart", 1.0), ("hearts", "Hearts attack", 0.0), ("x", "x heart", 0.5)]
    pairs = PairSet.of([*rows, ("hearts", "x", 2.0)], card=Card(name="x", title="x"))
    [found] = coverage_of(OpenWords(), [pairs])
    assert found.missing == {"x": 2}
    assert (found.covered_pairs, found.subword_pairs, found.subword_words) == (2, 1, 2)


def test_pairs_without_a_cui_are_counted_apart(tmp_path):
    path = tmp_path / "c.csv"
    path.write_bytes(as_csv(some_vectors("C0000001", "C0000002")))
    one, two, other = "C0000001", "C0000002", "C0000003"
    pairs = concept_pairs([(one, two), (one, " "), (None, None), (two, other)])
    [found] = coverage_of(load_model(f"concepts:{path}"), [pairs])
    assert (found.terms, found.covered_terms) == (3, 2)
    assert (found.pairs, found.covered_pairs, found.without_key) == (4, 1, 2)
