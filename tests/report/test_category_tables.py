import math

import pytest

from medgauge.categories.separated import CategorySeparation, CategoryUsed, Separation
from medgauge.models.base import ModelCard
from medgauge.report.category_tables import rows, separation_grid
from medgauge.report.grids.latex import to_latex


def separation(model, measure, overlap, **other):
    values = {"low": overlap - 0.01, "high": overlap + 0.01, "errors": 1, "triples": 8, "undefined": 0}
    values |= dict.fromkeys(("sim_ab", "sim_ac", "sim_aa", "sim_bb", "sim_cc"), 0.25)
    values |= dict.fromkeys(("used_a", "used_b", "used_c", "n_a", "n_b", "n_c"), 2)
    return Separation(model=model, measure=measure, overlap=overlap, **(values | other))


def result(*separations, shared=0, repeated=0, oov="uncovered"):
    names = dict.fromkeys(one.model for one in separations)
    return CategorySeparation(
        versions={},
        oov=oov,
        models=[ModelCard(name=name, family="words") for name in names],
        categories=[
            CategoryUsed(
                role=role, name=name, given=2, repeated=repeated, shared=shared, terms=2 + number, digest="x"
            )
            for number, (role, name) in enumerate(zip("ABC", ("heart", "vessels", "ear"), strict=True))
        ],
        separations=list(separations),
    )


def test_each_model_has_its_best_and_worst_measure():
    found = result(
        separation("m", "fj", 0.2),
        separation("m", "mj", 0.1, sim_ab=-0.0001),
        separation("m", "avg_cos", 0.3),
    )
    grid = separation_grid(found)
    assert [[cell.text for cell in row] for row in grid.rows] == [
        ["m", "mj (best)", "10.0% [9.0, 11.0]", "2 × 2 × 2", "0.000", *["0.250"] * 4],
        ["m", "avg_cos (worst)", "30.0% [29.0, 31.0]", "2 × 2 × 2", *["0.250"] * 5],
    ]
    assert not any(cell.bold for row in grid.rows for cell in row)
    assert "The best and the worst measure of each model were chosen on these same terms." in grid.notes


def test_of_measures_that_are_equal_in_print_the_first_is_shown():
    found = result(
        separation("m", "fj", 0.20003), separation("m", "mj", 0.20001), separation("m", "avg_cos", 0.20004)
    )
    assert [row[1].text for row in separation_grid(found).rows] == ["fj"]


def test_one_measure_is_neither_best_nor_worst():
    grid = separation_grid(result(separation("m", "fj", 0.2), separation("b", "score", 0.1)))
    assert [row[1].text for row in grid.rows] == ["fj", "score"]
    assert not any("very terms" in note for note in grid.notes)


def test_the_model_with_the_least_overlap_is_in_bold():
    grid = separation_grid(
        result(
            separation("m", "fj", 0.2),
            separation("m", "mj", 0.3),
            separation("n", "fj", 0.1),
            separation("n", "mj", 0.4),
        )
    )
    assert [row[2].bold for row in grid.rows] == [False, False, True, False]


def test_what_is_undefined_says_so_and_is_never_best():
    nothing = separation("m", "fj", math.nan, sim_ab=math.nan, triples=0, errors=0, used_b=0)
    grid = separation_grid(result(nothing, separation("m", "mj", 0.3, low=math.nan, high=math.nan)))
    assert [cell.text for cell in grid.rows[0]][:4] == ["m", "mj", "30.0%", "2 × 2 × 2"]
    alone = separation_grid(result(nothing, separation("n", "fj", math.nan)))
    assert [cell.text for cell in alone.rows[0]][:5] == ["m", "fj", "undefined", "2 × 0 × 2", "undefined"]
    assert not any(cell.bold for row in alone.rows for cell in row)
    reason = "no term of B can be compared"
    said = separation_grid(result(nothing.model_copy(update={"overlap_undefined": reason}))).notes
    assert "O of m with fj is undefined: no term of B can be compared." in said


def test_the_notes_say_the_confidence():
    for confidence, said in ((0.95, "95%"), (0.995, "99.5%")):
        notes = separation_grid(result(separation("m", "fj", 0.2, confidence=confidence))).all_notes
        assert any(note.endswith(f"In brackets: {said} intervals.") for note in notes)


def test_the_notes_count_what_was_left_out():
    notes = separation_grid(
        result(separation("m", "fj", 0.2, undefined=3), shared=2, repeated=1, oov="skip-word")
    ).notes
    assert notes[0] == "A: heart, 2 terms; B: vessels, 3 terms; C: ear, 4 terms."
    assert "Left out because they are in another list too: 2 of A, 2 of B, 2 of C." in notes
    assert "Left out because they repeat an earlier line: 1 of A, 1 of B, 1 of C." in notes
    assert "Up to 3 covered terms are left out where the measure is undefined for them." in notes
    assert "Unknown words were dropped from their terms (oov='skip-word')." in notes
    assert any("ties count as errors" in note for note in notes)
    assert not any("Left out" in note for note in separation_grid(result(separation("m", "fj", 0.2))).notes)


def test_different_coverage_is_pointed_out():
    same = result(separation("m", "fj", 0.2), separation("n", "fj", 0.1))
    other = result(separation("m", "fj", 0.2), separation("n", "fj", 0.1, used_a=1))
    warning = "Where these numbers differ, figures are computed on different triples."
    assert [warning in separation_grid(one).notes for one in (same, other)] == [False, True]


def test_csv_rows_hold_every_model_and_measure():
    columns, lines = rows(result(separation("m", "fj", 0.2), separation("m", "mj", 0.1)))
    assert list(columns)[:5] == ["model", "measure", "overlap", "low", "high"]
    assert [row[:3] for row in lines] == [["m", "fj", 0.2], ["m", "mj", 0.1]]


@pytest.mark.parametrize("sign", ["≤", "×"])
def test_latex_has_no_sign_that_it_cannot_set(sign):
    text = to_latex(separation_grid(result(separation("m", "fj", 0.2))))
    assert sign not in text
    assert r"2 $\times$ 2 $\times$ 2" in text
