from pathlib import Path

import pytest

from medgauge.build.difference import diff
from medgauge.build.manifest import Manifest
from medgauge.build.terminology.build import build_terminology
from medgauge.build.verification import verify
from medgauge.report.built.build_tables import difference_grid, statistics_grid, verification_grid
from medgauge.report.grids.grid import Grid
from tests.build.small import small_release


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    build_terminology(small_release().zip(folder / "release.zip"), folder / "sets")
    return folder


def texts(grid: Grid) -> list[list[str]]:
    return [[cell.plain for cell in row] for row in grid.rows]


def test_a_family_stands_over_its_halves_with_means_over_both(folder):
    manifest = Manifest.load(folder / "sets")
    rows = texts(statistics_grid(manifest))
    assert [row[0] for row in rows[:3]] == ["fsn-syn", "– easy", "– hard"]
    easy, hard = (manifest.sets[f"fsn-syn-{half}-random"] for half in ("easy", "hard"))
    assert [row[1] for row in rows[:3]] == ["32", "10", "22"]
    mean = (5 * easy.distance_positives + 11 * hard.distance_positives) / 16
    assert rows[0][2] == f"{mean:.2f}"
    assert rows[0][5] == f"{manifest.multi_word['fsn-syn']:.0%}"


def test_sets_without_pairs_have_dashes_and_a_shortfall_is_noted(folder):
    grid = statistics_grid(Manifest.load(folder / "sets"))
    rows = {row[0]: row for row in texts(grid)}
    assert rows["same-as"][1:5] == ["1", "12.00", "–", "–"]
    assert "same-as-hard-random 1" in grid.notes[-1]


def test_a_build_without_any_pair_had_no_table(tmp_path):
    (tmp_path / "small.obo").write_text("[Term]\nid: A:1\nname: flu\n", "utf-8")
    manifest = build_terminology(tmp_path / "small.obo", tmp_path / "sets")
    assert "multi-word: share of distinct terms with several words." in statistics_grid(manifest).notes


def test_one_kind_of_negatives_has_one_column(folder):
    manifest = build_terminology(folder / "release.zip", folder / "one", negatives=["levenshtein"])
    assert statistics_grid(manifest).header == ["family", "size", "Pos", "Neg-L", "multi-word"]


def test_a_verification_has_a_verdict_for_each_set_and_says_what_differs(folder):
    build_terminology(folder / "release.zip", folder / "seed", seed=1, families=["same-as", "replaced-by"])
    grid = verification_grid(verify(folder / "sets", folder / "seed"))
    verdicts = dict(texts(grid))
    assert verdicts["fsn-syn-easy-random"] == "missing"
    assert verdicts["same-as-hard-random"] == "same"  # one pair, and no negatives
    assert grid.labels < len(grid.header)
    assert "seed: 42 there, 1 here" in grid.notes
    assert (
        "families: fsn-syn, syn-syn, possibly-equivalent-to, replaced-by, same-as there, "
        "replaced-by, same-as here" in grid.notes
    )


def test_a_difference_has_a_row_for_each_set_and_label(folder):
    grid = difference_grid(diff(folder / "sets", folder / "sets"))
    assert len(grid.rows) == 40
    assert texts(grid)[0] == ["fsn-syn-easy-random", "positive", "5", "5", "0", "0"]
