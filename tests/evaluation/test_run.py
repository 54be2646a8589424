import json

import polars as pl
import pytest

from medgauge.errors import FileError
from medgauge.evaluation.evaluate import evaluate
from medgauge.evaluation.run import Run, Store, scores_path
from medgauge.pairs import Card, PairSet

PAIRS = PairSet.of(
    [("flu", "influenza", 4.0), ("flu", "fracture", 1.0), ("asthma", "asthma attack", 3.0)],
    card=Card(name="tiny", title="Tiny"),
)


def test_odd_names_have_files_of_their_own():
    names = ["a b", "a_b", "a/b", "ä b", "a--b", "x" * 200, "x" * 201, "../up"]
    paths = {scores_path(name, "set") for name in names}
    assert len(paths) == len(names)
    assert scores_path("z", "x--y") != scores_path("y--z", "x")
    for path in paths:
        assert path.count("/") == 1
        assert len(path) < 255


@pytest.mark.parametrize("content", [b"", b"not JSON", b"{}", b'{"protocol": 1}'])
def test_damaged_results_are_named(tmp_path, content):
    evaluate(["levenshtein"], [PAIRS], out=tmp_path / "x")
    (tmp_path / "x" / "results.json").write_bytes(content)
    with pytest.raises(FileError, match=r"results\.json"):
        Run.load(tmp_path / "x")


def test_a_moved_run_finds_its_scores(tmp_path):
    evaluate(["levenshtein"], [PAIRS], out=tmp_path / "x")
    (tmp_path / "x").rename(tmp_path / "y")
    assert Run.load(tmp_path / "y").scores("levenshtein", "tiny").height == 3


def test_lost_or_damaged_scores_are_named(tmp_path):
    run = evaluate(["levenshtein"], [PAIRS], out=tmp_path / "x")
    path = tmp_path / "x" / run.coverage[0].scores
    path.write_bytes(b"PAR1 no more")
    with pytest.raises(FileError, match="levenshtein"):
        Run.load(tmp_path / "x").scores("levenshtein", "tiny")
    path.unlink()
    with pytest.raises(FileError, match="there is no such file"):
        Run.load(tmp_path / "x").scores("levenshtein", "tiny")


def test_damaged_scores_of_a_broken_run_are_computed_again(tmp_path):
    whole = evaluate(["levenshtein"], [PAIRS], out=tmp_path / "x")
    (tmp_path / "x").rename(tmp_path / "x.partial")
    (tmp_path / "x.partial" / whole.coverage[0].scores).write_bytes(b"PAR1 no more")
    assert evaluate(["levenshtein"], [PAIRS], out=tmp_path / "x").to_json() == whole.to_json()


def test_a_kill_between_the_renames_of_a_replacement_loses_nothing(tmp_path):
    before = evaluate(["levenshtein"], [PAIRS], out=tmp_path / "x")
    (tmp_path / "x").rename(tmp_path / ".x.replaced")
    restored = Store(tmp_path / "x").stored()
    assert restored is not None
    assert restored.to_json() == before.to_json()
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


def test_nothing_but_numbers_and_names_is_in_the_results(tmp_path):
    """Terms of a licensed terminology stay out of results.json; scores know pairs by their id."""
    evaluate(["levenshtein"], [PAIRS], out=tmp_path / "x")
    text = (tmp_path / "x" / "results.json").read_text()
    assert "influenza" not in text
    assert json.loads(text)["datasets"][0]["n"] == 3
    frame = pl.read_parquet(next((tmp_path / "x" / "scores").iterdir()))
    assert frame.columns == ["pair_id", "gold", "score", "covered"]
