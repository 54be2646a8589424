import polars as pl
import pytest

from medgauge.comparison.correlate import correlate
from medgauge.errors import InputError, UndefinedWarning
from medgauge.evaluation.evaluate import evaluate
from medgauge.pairs import Card, PairSet
from medgauge.report.correlation_tables import correlations_grid, rows
from medgauge.report.grids.grid import Cell

MODELS = ["a", "b", "c", "d", "e"]
LINE = [1.0, 2.0, 3.0, 4.0, 5.0]
WITH_GAP = [2.0, 1.0, 4.0, 3.0, None]


def frame(models=MODELS, **columns):
    return pl.DataFrame({"model": models, **columns}, strict=False)


def test_intrinsic_columns_go_down_and_extrinsic_ones_across_with_p_and_bold():
    """r = 0.8 with p = 0.104, as t = 0.8 √(3 / 0.36) = 2.309; r = 0.6 with p = 0.4 over four models."""
    found = correlate(
        frame(x=LINE, y=[-one for one in LINE]),
        frame(close=[1.0, 2.0, 3.0, 4.0, 5.1], far=[2.0, 1.0, 4.0, 3.0, 5.0], gap=WITH_GAP),
    )
    grid = correlations_grid(found)
    assert grid.header == ["intrinsic", "close", "far", "gap"]
    assert grid.rows == [
        [
            Cell("x"),
            Cell("1.00 (p < 0.001)", bold=True),
            Cell("0.80 (p = 0.104)"),
            Cell("0.60 (p = 0.400, n = 4)"),
        ],
        [
            Cell("y"),
            Cell("-1.00 (p < 0.001)", bold=True),
            Cell("-0.80 (p = 0.104)"),
            Cell("-0.60 (p = 0.400, n = 4)"),
        ],
    ]
    notes = " ".join(grid.notes)
    assert "n = 5 models. p: two-tailed t-test, not corrected for the number of tests." in notes
    assert "Bold: p < 0.05, 2 of 6 tests; of these below Bonferroni's 0.05/6 = 0.00833: 2." in notes
    assert "these give their own n" in notes


def test_alpha_moves_what_is_bold_and_what_is_counted():
    found = correlate(frame(x=LINE), frame(far=[2.0, 1.0, 4.0, 3.0, 5.0]))
    grid = correlations_grid(found, alpha=0.2)
    assert grid.rows[0][1] == Cell("0.80 (p = 0.104)", bold=True)
    assert "Bold: p < 0.2, 1 of 1 tests" in grid.notes[1]
    with pytest.raises(InputError, match="alpha"):
        correlations_grid(found, alpha=1.5)


def test_an_r_of_nearly_zero_has_no_minus_sign():
    found = correlate(frame(x=LINE), frame(y=[5.0, 2.0, 1.0, 2.0, 4.999]))
    assert correlations_grid(found).rows[0][1].text.startswith("0.00 (p")


def test_undefined_says_so_and_without_any_test_no_correction_is_spoken_of():
    with pytest.warns(UndefinedWarning):
        found = correlate(frame(x=LINE), frame(constant=[1.0] * 5, rare=[1.0, 2.0, None, None, None]))
    grid = correlations_grid(found)
    assert [cell.text for cell in grid.rows[0]] == ["x", "undefined", "undefined (n = 2)"]
    assert not any("Bonferroni" in note for note in grid.notes)
    assert grid.notes[-2:] == [
        "x with constant is undefined: all 5 figures of constant are equal.",
        "x with rare is undefined: only 2 models have both figures.",
    ]


def test_models_that_were_left_out_are_counted_for_each_table():
    found = correlate(frame([*MODELS, "f"], x=[*LINE, 6.0]), frame([*MODELS[1:], "g", "h"], y=[*LINE, 7.0]))
    assert correlations_grid(found).notes[-2:] == [
        "Left out: 2 of the models in the intrinsic frame, which are missing from the extrinsic frame.",
        "Left out: 2 of the models in the extrinsic frame, which are missing from the intrinsic frame.",
    ]


class Encoder:
    def __init__(self, letters):
        self.letters = letters

    def encode(self, texts):
        return [[text.count(letter) + 0.5 * i for i, letter in enumerate(self.letters)] for text in texts]


@pytest.mark.parametrize("measures", ["best", ["cos"]], ids=["best measure", "one measure"])
def test_a_run_says_whether_its_measures_were_chosen_on_the_test_data(measures):
    rows = [
        ("flu", "influenza", 4.0),
        ("flu", "fracture", 1.0),
        ("asthma", "attack", 3.0),
        ("ulcer", "scar", 2.0),
    ]
    pairs = PairSet.of(rows, card=Card(name="tiny", title="Tiny"))
    models = {
        "one": Encoder("fluenza"),
        "two": Encoder("acrst"),
        "three": Encoder("aeiouh"),
        "d": "levenshtein",
    }
    run = evaluate(models, [pairs], measures=measures)
    notes = correlations_grid(correlate(run, frame(["one", "two", "three", "d"], f1=LINE[:4]))).notes
    if measures == "best":
        assert "best measure, chosen on the test data; these figures are optimistic" in notes[-1]
    else:
        assert notes[-1] == "the intrinsic run: Spearman's ρ, or the AUC of a labelled set. Measure: cos."


def test_csv_rows_hold_every_correlation_with_its_interval():
    found = correlate(frame(x=LINE, y=LINE), frame(far=[2.0, 1.0, 4.0, 3.0, 5.0]))
    columns, lines = rows(found)
    assert list(columns) == [
        "intrinsic",
        "extrinsic",
        "r",
        "low",
        "high",
        "p",
        "n",
        "confidence",
        "undefined",
    ]
    assert [row[:2] for row in lines] == [["x", "far"], ["y", "far"]]
    assert lines[0][7:] == [0.95, None]
    assert lines[0][2:7] == [pytest.approx(value, abs=1e-4) for value in (0.8, -0.2796, 0.9862, 0.1041, 5)]
