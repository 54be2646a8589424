import polars as pl
import pytest

from medgauge.ratings.gold import Gold, gold, make_gold
from medgauge.ratings.source import read_ratings
from medgauge.report.gold_tables import facts, grids, rows, summary

TABLE = pl.DataFrame(
    {
        "term_1": [f"a{number}" for number in range(12)],
        "term_2": [f"b{number}" for number in range(12)],
        "rater_Ann": [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 0],
        "rater_Bea": [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 3, 3],
    }
)


@pytest.fixture(scope="module")
def made() -> Gold:
    return gold(TABLE, scale=(0, 3), to_scale=(0, 10), max_disagreement=1, resamples=99)


def test_facts_say_what_was_kept_dropped_and_rescaled(made):
    found = facts(made)
    assert (found["pairs"], found["dropped"]) == ("11", "1 with too much disagreement")
    assert (found["annotators"], found["scale"]) == ("2: Ann, Bea", "0 to 10, from ratings of 0 to 3")
    alpha = made.pairs.card.build["agreement"]["alpha"]
    assert found["Krippendorff's α (ordinal)"].startswith(f"{alpha:.3f} [")
    [grid] = grids(made)
    assert {row[0].text: row[1].text for row in grid.rows} == found


def test_rows_have_counts_and_figures_with_their_intervals(made):
    columns, lines = rows(made)
    found = {line[0]: dict(zip(columns, line, strict=True)) for line in lines}
    assert found["pairs"]["value"] == 11
    assert found["dropped_too_much_disagreement"]["value"] == 1
    card = made.pairs.card.build["agreement"]
    assert found["alpha"]["value"] == card["alpha"]
    assert [found["alpha"]["low"], found["alpha"]["high"]] == card["intervals"]["alpha"]


def test_a_gold_without_agreement_leaves_its_figures_out():
    made = make_gold(read_ratings(TABLE))
    assert [line[0] for line in rows(made)[1]] == ["pairs", "pairs_with_2_ratings"]
    assert summary(made) == [
        "12 pairs of ratings, rated by 2 annotators",
        "dropped: none",
        "scale: unknown",
    ]
