import math
from itertools import combinations, product

import numpy as np
import pytest
from scipy import stats

from medgauge import category_separation, load_result, similarity
from medgauge.categories.overlap_contest import overlap_contest
from medgauge.categories.separated import CategorySeparation
from medgauge.errors import FileError
from medgauge.models.base import ModelCard
from medgauge.report.category_tables import grids, rows
from medgauge.stats.systems.category_overlap import overlap_counts
from tests.vectors import some_vectors

WORDS = [f"w{number}" for number in range(40)]
CLOSE = [f"w{number}" for number in range(12)], [f"w{number}" for number in range(12, 22)]
DISTANT = [f"w{number}" for number in range(22, 36)]


class Vectors:
    """Random vectors for some words; those of the same seed are alike up to their noise."""

    def __init__(self, name, seed, *, without=(), noise=0.0):
        rng = np.random.default_rng(seed)
        self.card = ModelCard(name=name, family="words")
        self.rows = {word: row for word, row in some_vectors(*WORDS, dim=12).items() if word not in without}
        self.rows = {word: row + noise * rng.standard_normal(12) for word, row in self.rows.items()}

    def vectors(self, tokens):
        known = np.array([token in self.rows for token in tokens])
        return np.array([self.rows.get(token, np.zeros(12)) for token in tokens], np.float32), known


def errors(model, a, b, c):
    """1 for each triple in error, by asking for every pair."""
    pairs = list(product(a, [*b, *c]))
    known = dict(zip(pairs, similarity(*zip(*pairs, strict=True), model=model), strict=True))
    return np.array([[[known[x, y] <= known[x, z] for z in c] for y in b] for x in a], float)


MODELS = {
    "one": Vectors("one", 1, without=["w3", "w14"], noise=0.5),
    "two": Vectors("two", 2, without=["w30"], noise=1.0),
    "three": Vectors("three", 3, noise=2.0),
}


def found_on(models=MODELS, **other):
    return category_separation(models, close=CLOSE, distant=DISTANT, **other)


def test_every_two_models_are_compared_on_the_terms_that_all_of_them_cover():
    """The variance over the differences of each term, by enumerating all triples."""
    contest = found_on(measures=["fj", "avg_cos"]).contest
    sides = [[word for word in side if word not in ("w3", "w14", "w30")] for side in (*CLOSE, DISTANT)]
    assert (contest.common_a, contest.common_b, contest.common_c) == tuple(map(len, sides))
    wrong = {name: errors(model, *sides) for name, model in MODELS.items()}
    assert {one.model: one.overlap for one in contest.systems} == pytest.approx(
        {name: cube.mean() for name, cube in wrong.items()}
    )
    assert [one.overlap for one in contest.systems] == sorted(one.overlap for one in contest.systems)
    assert {one.measure for one in contest.systems} == {"avg_cos"}
    assert len(contest.differences) == 3
    for one in contest.differences:
        apart = wrong[one.model_1] - wrong[one.model_2]
        means = [apart.mean(axis=axes) for axes in ((1, 2), (0, 2), (0, 1))]
        parts = [mean.var(ddof=1) / mean.size for mean in means]
        freedom = sum(parts) ** 2 / sum(v**2 / (m.size - 1) for v, m in zip(parts, means, strict=True))
        deviation = math.sqrt(sum(parts))
        assert one.value == pytest.approx(apart.mean())
        assert one.p == pytest.approx(2 * stats.t.sf(abs(apart.mean()) / deviation, freedom))
        assert one.p_adjusted == pytest.approx(min(1, 3 * one.p))
        half = stats.t.isf(0.05 / 3 / 2, freedom) * deviation
        assert (one.low, one.high) == pytest.approx((apart.mean() - half, apart.mean() + half))


def test_a_model_that_is_clearly_better_has_a_letter_of_its_own():
    """Vectors that mark the categories, against random ones."""

    class Marked(Vectors):
        def __init__(self):
            super().__init__("marked", 0)
            self.rows = {
                word: row + (9.0 if number < 22 else -9.0)
                for number, (word, row) in enumerate(self.rows.items())
            }

    contest = found_on({"noise": Vectors("noise", 3), "marked": Marked()}, measures="avg_cos").contest
    assert [(one.model, one.letters) for one in contest.systems] == [("marked", "a"), ("noise", "b")]
    [difference] = contest.differences
    assert difference.significant
    assert difference.high < 0


def test_two_equal_models_do_not_differ():
    contest = found_on({"one": MODELS["one"], "other": MODELS["one"]}).contest
    [difference] = contest.differences
    assert (difference.value, difference.p, difference.significant) == (0, 1, False)
    assert math.isnan(difference.low)
    assert [one.letters for one in contest.systems] == ["a", "a"]


def test_one_common_term_of_a_category_cannot_be_tested():
    counts = [overlap_counts(np.array([[0.5, 0.6]]), np.array([[far, 0.1]])) for far in (0.2, 0.55)]
    contest = overlap_contest({("x", "fj"): counts[0], ("y", "fj"): counts[1]}, alpha=0.05)
    assert contest.untested == "all models cover only 1 term of A"
    assert math.isnan(contest.differences[0].p)
    assert not contest.differences[0].significant


def test_models_without_a_common_term_are_not_compared():
    half = [*CLOSE[0][:6], *CLOSE[1][:5], *DISTANT[:7]]
    other = [word for word in WORDS if word not in half]
    contest = found_on(
        {"one": Vectors("one", 1, without=half), "two": Vectors("two", 1, without=other)}
    ).contest
    assert contest.untested == "all models cover no term of A"
    assert all(math.isnan(one.overlap) for one in contest.systems)


def test_a_single_model_has_no_contest():
    found = found_on({"one": MODELS["one"]})
    assert found.contest is None
    assert "contest" not in found.to_json()
    assert len(grids(found)) == 1


def test_differences_are_in_the_table_in_csv_and_in_json(tmp_path):
    found = found_on(measures=["fj", "avg_cos"])
    path = tmp_path / "found.json"
    path.write_text(found.to_json(), "utf-8")
    assert load_result(path) == found
    grid = grids(found)[1]
    assert [row[0].text for row in grid.rows] == [one.model for one in found.contest.systems]
    assert grid.rows[0][4].text == "best"
    assert "p = " in grid.rows[1][4].text
    columns, lines = rows(found)
    table = [dict(zip(columns, line, strict=True)) for line in lines]
    assert {line["measure"]: line["letters"] is None for line in table} == {"fj": True, "avg_cos": False}
    best = found.contest.systems[0]
    for one in found.contest.differences:
        if one.model_1 == best.model:
            [line] = [row for row in table if (row["model"], row["measure"]) == (one.model_2, "avg_cos")]
            assert (line["from_best"], line["from_best_p"]) == (-one.value, one.p_adjusted)
            assert line["from_best_low"] <= line["from_best"] <= line["from_best_high"]


def test_a_contest_of_other_models_is_rejected(tmp_path):
    text = found_on().to_json()
    path = tmp_path / "found.json"
    path.write_text(text.replace('"model_1": "one"', '"model_1": "two"'), "utf-8")
    with pytest.raises(FileError, match="its differences are not those of its models"):
        CategorySeparation.load(path)


def test_equal_systems_are_rarely_told_apart():
    """Terms with the same signal, and independent noise for each system."""
    rng = np.random.default_rng(0)
    found = 0
    for _ in range(400):
        centres = np.eye(5)[[0, 0, 2]] * 0.8
        signal = [rng.standard_normal((20, 5)) + centre for centre in centres]
        counts = {}
        for name in ("x", "y"):
            a, b, c = (side + rng.standard_normal((20, 5)) for side in signal)
            counts[name, "cos"] = overlap_counts(a @ b.T, a @ c.T)
        found += overlap_contest(counts, alpha=0.05).differences[0].significant
    assert found <= 26  # 0.065 of 400


def test_every_two_of_the_systems_have_a_difference():
    contest = found_on().contest
    names = [one.model for one in contest.systems]
    assert [(one.model_1, one.model_2) for one in contest.differences] == list(combinations(names, 2))
