from collections import Counter

import polars as pl

from medgauge.ratings.gold import make_gold
from medgauge.ratings.source import read_ratings

TERMS = {"term_1": [f"a{number}" for number in range(6)], "term_2": [f"b{number}" for number in range(6)]}


def bars(axes):
    return {round(bar.get_x() + bar.get_width() / 2, 9): round(bar.get_height()) for bar in axes.patches}


def test_bars_count_the_pairs_of_each_gold_score_over_the_scale():
    made = make_gold(read_ratings(pl.DataFrame(TERMS | {"rater_A": [0, 1, 1, 3, 3, 3]}), scale=(0, 4)))
    [axes] = made.plot()
    assert bars(axes) == Counter(made.pairs.gold.tolist())
    assert axes.get_xlim()[0] < 0 < 4 < axes.get_xlim()[1]
    assert axes.get_xlabel() == "gold score"


def test_labels_are_named():
    verdicts = pl.DataFrame(TERMS | {f"rater_{name}": ["same", "not same", "same"] * 2 for name in "ABC"})
    [axes] = make_gold(read_ratings(verdicts)).plot()
    assert bars(axes) == {0: 2, 1: 4}
    assert [label.get_text() for label in axes.get_xticklabels()] == ["not same", "same"]
