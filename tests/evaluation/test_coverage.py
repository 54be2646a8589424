from medgauge.evaluation.coverage import SetCoverage, coverage_of
from medgauge.models.load import load_model
from medgauge.pairs import Card, PairSet
from tests.vectors import some_vectors, write_binary


def test_terms_and_pairs_are_counted(tmp_path):
    model = load_model(write_binary(tmp_path / "v.bin", some_vectors("heart", "attack")))
    rows = [("heart attack", "heart", 1.0), ("heart", "stroke", 0.0), ("Stroke", "attack", 0.5)]
    pairs = PairSet.of(rows, card=Card(name="x", title="x"))
    assert coverage_of(model, [pairs]) == [SetCoverage("x", 5, 3, 3, 1)]
