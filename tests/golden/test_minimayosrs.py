"""MiniMayoSRS, whose gold is the mean of two printed columns: ties of the means are ties.

Origin: ρ by exact rational arithmetic on the numbers of the published file, and by R 4.2.2's
cor(rank(round(gold, 10)), rank(score)) with the same scores. In binary fractions (1.7 + 1.4)/2 is less than
(2 + 1.1)/2, and ρ was 0.8277 and −0.0744.
"""

import csv
import math
from fractions import Fraction

import pytest

from medgauge import evaluate, load_dataset

VECTORS = "vectors/biomed-sg-w5.bin"
GOLDEN = {"biomed-sg-w5": 0.8289, "levenshtein": -0.0655}


def doubled_ranks(values):
    return [sum(one < own for one in values) * 2 + values.count(own) + 1 for own in values]


def exact_rho(gold, scores):
    ranks = list(zip(doubled_ranks(gold), doubled_ranks(scores), strict=True))
    middle = len(ranks) + 1
    product = sum((a - middle) * (b - middle) for a, b in ranks)
    squares = [sum((pair[side] - middle) ** 2 for pair in ranks) for side in (0, 1)]
    return product / math.sqrt(squares[0] * squares[1])


def test_the_mean_of_two_columns_breaks_no_tie(real_data):
    with real_data("published/MiniMayoSRS_mesh.csv").open(encoding="utf-8") as stream:
        gold = [(Fraction(row["Physicians"]) + Fraction(row["Coders"])) / 2 for row in csv.DictReader(stream)]
    run = evaluate([str(real_data(VECTORS)), "levenshtein"], "minimayosrs")
    frames = {card.name: run.scores(card.name, "minimayosrs").with_row_index() for card in run.models}
    compared = frames["biomed-sg-w5"].filter("covered")["index"].to_list()
    for name, measure in (("biomed-sg-w5", "avg_cos"), ("levenshtein", "score")):
        [found] = [one for one in run.figures if (one.model, one.measure) == (name, measure)]
        scores = frames[name][compared][measure].to_list()
        exact = exact_rho([gold[place] for place in compared], scores)
        assert found.value == pytest.approx(exact, abs=1e-12)
        assert found.value == pytest.approx(GOLDEN[name], abs=5e-5)


def test_the_digest_is_that_of_the_rounded_gold(real_data):
    """It was b43722075d238bf7 before the means were rounded; the two columns keep theirs."""
    real_data("published/MiniMayoSRS_mesh.csv")
    assert load_dataset("minimayosrs").digest.startswith("bad32b45b57bc177")
    assert load_dataset("minimayosrs-coders").digest.startswith("5ccd3b7d2af6a24d")
    assert load_dataset("minimayosrs-physicians").digest.startswith("3163737318cc15d7")
