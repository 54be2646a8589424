import shutil
from pathlib import Path

import polars as pl
import pytest

from medgauge.errors import FileError, InputError
from medgauge.evaluation.evaluate import evaluate
from medgauge.evaluation.run import Run
from medgauge.evaluation.run_folder import RunFolder, _lists, scores_path
from medgauge.files.intact import is_sealed
from tests.evaluation.test_run import PAIRS
from tests.runs import pair_set


def test_odd_names_have_files_of_their_own():
    names = ["a b", "a_b", "a/b", "ä b", "a--b", "x" * 200, "x" * 201, "../up"]
    paths = {scores_path(name, "set") for name in names}
    assert len(paths) == len(names)
    assert scores_path("z", "x--y") != scores_path("y--z", "x")
    for path in paths:
        assert path.count("/") == 1
        assert len(path) < 255


def test_damaged_scores_of_a_broken_run_are_computed_again(tmp_path):
    whole = evaluate(["levenshtein"], [PAIRS], out=tmp_path / "x")
    (tmp_path / "x").rename(tmp_path / "x.partial")
    (tmp_path / "x.partial" / whole.coverage[0].scores).write_bytes(b"PAR1 no more")
    assert evaluate(["levenshtein"], [PAIRS], out=tmp_path / "x").to_json() == whole.to_json()


def flip(path: Path, place: int) -> None:
    content = bytearray(path.read_bytes())
    content[place] ^= 1 << place % 8
    path.write_bytes(content)


@pytest.mark.parametrize("folder", ["x.partial", "x"])
def test_a_flipped_bit_in_scores_that_are_kept_changes_no_figure(folder, tmp_path):
    """Whether a kill left them or a run is replaced: damaged scores are computed again."""
    whole = evaluate(["random"], [PAIRS], out=tmp_path / "x", seed=1)
    scores = tmp_path / folder / whole.coverage[0].scores
    if folder != "x":
        (tmp_path / "x").rename(tmp_path / folder)
        (tmp_path / folder / "results.json").unlink()
    kept = shutil.copytree(tmp_path / folder, tmp_path / "kept")
    for place in range(4, scores.stat().st_size, 61):
        for left in (tmp_path / "x", tmp_path / "x.partial"):
            shutil.rmtree(left, ignore_errors=True)
        shutil.copytree(kept, tmp_path / folder)
        flip(scores, place)
        again = evaluate(["random"], [PAIRS], out=tmp_path / "x", seed=1, replace=True, confidence=0.9)
        assert [one.value for one in again.figures] == [one.value for one in whole.figures], place
        assert is_sealed(tmp_path / "x" / whole.coverage[0].scores)


def test_undamaged_scores_of_a_run_that_is_replaced_are_not_computed_again(tmp_path, monkeypatch):
    evaluate(["random"], [PAIRS], out=tmp_path / "x", seed=1)

    def refuse(*_arguments: object, **_options: object) -> None:
        raise AssertionError("scores were computed again")

    monkeypatch.setattr("medgauge.evaluation.evaluate.scorer_for", refuse)
    assert evaluate(["random"], [PAIRS], out=tmp_path / "x", seed=1, replace=True, confidence=0.9)


@pytest.mark.parametrize("what", ["scores", "groups"])
def test_a_flipped_bit_in_a_stored_run_is_one_sentence_that_names_the_file(what, tmp_path):
    run = evaluate(["random"], [PAIRS], out=tmp_path / "x", seed=1)
    path = tmp_path / "x" / (run.coverage[0].scores if what == "scores" else run.datasets[0].groups)
    flip(path, 60)
    stored = Run.load(tmp_path / "x")
    with pytest.raises(FileError, match=f"{path.name}: cannot be read as Parquet: its content is not what"):
        stored.scores("random", "tiny") if what == "scores" else stored.groups("tiny")


def test_a_kill_between_the_renames_of_a_replacement_loses_nothing(tmp_path):
    before = evaluate(["levenshtein"], [PAIRS], out=tmp_path / "x")
    (tmp_path / "x").rename(tmp_path / ".x.replaced")
    restored = RunFolder(tmp_path / "x").stored()
    assert restored is not None
    assert restored.to_json() == before.to_json()
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


def test_a_folder_that_another_process_writes_is_left_alone(tmp_path):
    """Two locks within one process stand for two processes: they are held by open files."""
    store = RunFolder(tmp_path / "x")
    with store.locked():
        with (
            pytest.raises(InputError, match="another run is being written"),
            RunFolder(tmp_path / "x").locked(),
        ):
            pass
        assert store.partial.is_dir()
    assert list(tmp_path.iterdir()) == []


def test_a_run_that_ends_leaves_the_folder_of_the_next_alone(tmp_path):
    first, second = RunFolder(tmp_path / "x"), RunFolder(tmp_path / "x")
    with first.locked():
        first.partial.rename(tmp_path / "done")  # as `finish` does
        waiting = second.locked()
        waiting.__enter__()
    with pytest.raises(InputError, match="another run is being written"), RunFolder(tmp_path / "x").locked():
        pass
    assert second.partial.is_dir()
    waiting.__exit__(None, None, None)


def test_a_stored_run_takes_on_groups_that_changed(tmp_path):
    """Terms, gold and scores are the same, so that nothing is lost and nothing computed again."""
    for concepts in (["x", "y", "x"], ["x", "y", "y"]):
        pairs = pair_set([1, 2, 3], concept=concepts)
        evaluate(["random"], [pairs], out=tmp_path / "run")
        stored = Run.load(tmp_path / "run").groups("mine")["concept"].to_list()
        assert (stored[0] == stored[2]) == (concepts[0] == concepts[2])


@pytest.mark.parametrize("places", [[], [(), (), ()], [(0, 2), (), (1,), (0, 2)]])
def test_places_of_words_are_lists_in_the_order_of_the_pairs(places):
    found = _lists(places)
    assert found.dtype == pl.List(pl.UInt32)
    assert found.to_list() == [list(some) for some in places]
