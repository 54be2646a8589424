import math
import re

import numpy as np
import polars as pl
import pytest

import medgauge
from medgauge.pairs import Card, Pairs, PairSet
from medgauge.report.captions.coverage_notes import missing_parts_notes
from medgauge.report.coverage_tables import grids, rows, summary
from tests.composition.small import pair_set
from tests.support.umls_releases import every_case


@pytest.fixture(scope="module")
def found():
    """Three sets: with everything, with labels and CUIs, and with terms alone."""
    rng = np.random.default_rng(0)
    count = 60
    rows_of_set = [
        (f"heart term {number % 40}", f"word{number}", int(rng.integers(5))) for number in range(count)
    ]
    kinds = {
        f"type_{side}": rng.choice(["Sign", "Disease", "Drug"], count, p=[0.7, 0.28, 0.02]).tolist()
        for side in (1, 2)
    }
    levels = {f"specificity_{side}": rng.integers(2, 6, count).tolist() for side in (1, 2)}
    rated = {f"rater_{name}": rng.integers(0, 5, count).astype(float).tolist() for name in "AB"}
    ids = {f"id_{side}": [f"{number % 40}{side}" for number in range(count)] for side in (1, 2)}
    labelled = PairSet.of(
        [("flu", "gout", 1), ("flu", "rash", 0)] * 2, card=Card(name="labels", title="x"), labelled=True
    )
    labelled = PairSet(labelled.frame.with_columns(cui_1=pl.lit("C1"), cui_2=pl.lit("C2")), labelled.card)
    return medgauge.coverage(
        [
            pair_set(rows_of_set, name="rich", scale=(0, 4), **kinds, **levels, **rated, **ids),
            labelled,
            Pairs.of([("flu", "gout")], card=Card(name="plain", title="Plain")),
        ],
        permutations=99,
    )


def grid_of(found, title):
    return next(grid for grid in grids(found) if grid.title.startswith(title))


def row_of(grid, name):
    return dict(
        zip(
            grid.header,
            (cell.plain for cell in next(row for row in grid.rows if row[0].text == name)),
            strict=True,
        )
    )


def test_the_first_table_has_a_dash_for_what_a_set_lacks(found):
    grid = grid_of(found, "Size")
    rich, labels, plain = (row_of(grid, name) for name in ("rich", "labels", "plain"))
    assert (rich["pairs"], rich["terms"], rich["concepts"], rich["scale"]) == ("60", "100", "80", "0 to 4")
    assert (rich["annotators"], rich["pairs with ids"], rich["multi-word"]) == ("2", "60", "40%")
    assert (labels["scale"], labels["different pairs"], labels["pairs with CUIs"]) == ("0 or 1", "2", "4")
    assert rich["mean ρ"] == f"{found['rich'].agreement.mean_rho:.3f}"
    for name in (
        "concepts",
        "pairs with ids",
        "pairs with CUIs",
        "scale",
        "annotators",
        "ICC(C,1)",
        "ceiling",
    ):
        assert plain[name] == "–"


def test_scores_are_shares_that_sum_to_one_and_labels_have_none(found):
    grid = grid_of(found, "Scores")
    rich = row_of(grid, "rich")
    assert sum(int(text.removesuffix("%")) for name, text in rich.items() if name != "set") == pytest.approx(
        100, abs=3
    )
    assert [text for name, text in row_of(grid, "labels").items() if name != "set"] == ["–"] * 5
    assert "positive are: labels 50%" in " ".join(grid.notes)


def test_the_table_of_types_has_what_is_over_three_percent_and_sums_the_rest(found):
    grid = grid_of(found, "Combinations")
    types = found["rich"].types
    shown = {row[0].text: row[1] for row in grid.rows}
    for one in types.combinations:
        text, share = " – ".join(one.types), one.pairs / types.pairs
        assert (text in shown) == (share > 0.03)
        if text in shown:
            assert shown[text].text == f"{share:.1%}"
            assert shown[text].bold
    rest = sum(one.pairs for one in types.combinations if one.pairs / types.pairs <= 0.03)
    assert shown["all others"].text == (f"{rest / types.pairs:.1%}" if rest else "–")
    assert "in this set alone" not in shown


def test_the_baseline_stands_beside_its_permutations(found):
    baseline = found["rich"].types.baseline
    mean, low, high = baseline.usual
    row = row_of(grid_of(found, "Scores predicted"), "rich")
    assert row["ρ"] == f"{baseline.rho:.3f}"
    assert row["mean ρ of permutations"] == f"{mean:.3f}"
    assert row["middle 95% of them"] == f"{low:.3f} to {high:.3f}"
    assert row["p"] == f"{baseline.p:.3f}"


def test_specificity_has_a_row_for_each_set(found):
    grid = grid_of(found, "Specificity")
    assert row_of(grid, "rich")["least"] == "2"
    assert row_of(grid, "plain")["median"] == "–"
    assert "columns specificity_1 and specificity_2" in grid.notes[0]


def test_overlap_counts_every_two_sets(found):
    grid = grid_of(found, "What two sets share")
    shown = {(row[0].text, row[1].text): [cell.text for cell in row[2:]] for row in grid.rows}
    assert shown["labels", "plain"] == ["2", "1", "–", "–"]
    assert len(shown) == 3


def test_what_is_missing_is_said_with_what_to_give(found):
    typed, specific = missing_parts_notes(found)
    assert typed.startswith("No semantic types of labels, plain: ")
    assert "umls" in typed
    assert "terminology" in specific
    assert missing_parts_notes(found)[0] in grids(found)[-1].notes


def test_a_release_was_asked_for_although_one_without_the_types_was_given(tmp_path):
    given = pair_set([("a", "b", 1), ("a", "c", 2)], cui_1=["C9999999"] * 2, cui_2=["C9999998"] * 2)
    found = medgauge.coverage(given, umls=every_case().write(tmp_path))
    typed, _ = missing_parts_notes(found)
    assert typed == "No pair of mine has semantic types of both concepts in UMLS 2024AA."


def test_parts_that_no_set_has_are_left_out():
    alone = medgauge.coverage(pair_set([("a", "b", 1), ("a", "c", 2)]))
    assert [grid.title for grid in grids(alone)] == ["Size, concepts and agreement", "Scores"]
    assert "No semantic types of any set" in " ".join(grids(alone)[-1].notes)


def test_published_figures_are_marked_with_their_source(real_data):
    real_data("published/MayoSRS_mesh.csv")
    [grid] = [grid for grid in medgauge.coverage("mayosrs").grids() if grid.title.startswith("Size")]
    assert row_of(grid, "mayosrs")["ICC(C,k)"] == "0.93 p"
    assert any(re.match(r"p: as published, not computed\. mayosrs: table 3", note) for note in grid.notes)


def test_rows_have_every_figure_once(found):
    columns, listed = rows(found)
    assert list(columns) == ["part", "set", "other_set", "item_1", "item_2", "value"]
    keys = [tuple(row[:5]) for row in listed]
    assert len({*keys}) == len(keys)
    values = {tuple(row[:5]): row[5] for row in listed}
    assert values["set", "rich", "", "terms", ""] == 100
    assert math.isnan(values["set", "plain", "", "concepts", ""])
    assert values["overlap", "labels", "plain", "pairs", ""] == 1
    assert values["baseline", "rich", "", "p", ""] == found["rich"].types.baseline.p
    parts = {part for part, name, *_ in keys if name == "rich"}
    assert parts == {"set", "agreement", "score", "combination", "baseline", "specificity", "overlap"}


def test_a_summary_has_a_line_for_each_set(found):
    about, rich, *_, plain = summary(found)
    assert about == "3 sets"
    assert rich.startswith("rich: 60 pairs of 100 terms, 80 concepts, 40% multi-word, ")
    assert plain == "plain: 1 pair of 2 terms, 0% multi-word"
