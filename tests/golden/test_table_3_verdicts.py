"""Schulz and Juric (2020), table 3: what three doctors say of 30 positive and 30 negative pairs of each set.

The paper is "Can Embeddings Adequately Represent Medical Terminology?", section 3.3. The doctors' answers are
not published; these tests ask which answers could have given the table, by trying all tables of labels
against truth. What they find:

- The shares of the row "NaN" read as shares of 30, although 60 pairs of each set were rated. If 13% are 4
  pairs (of 30) and 56 are left, and so on, all 20 columns can be had to the printed digit. If they are 8
  pairs (of 60) and 52 are left, 16 can: not SYN.-SYN. e-L, POSS.-EQUIV.-TO h-R, REPLACED-BY e-L and h-L.
  Read as of 30, 84 of the 1200 pairs have no truth, 7%, and the shares of pairs are half of those printed.
- "6%" (SAME-AS e-R and h-R) is 2 of 30, cut off and not rounded. Everything else is rounded as Python does.
- α fits as well: with who does not know as missing, there are answers that give each column whole. That does
  not prove that these were the answers.
"""

import math
from functools import cache

import numpy as np
import polars as pl
import pytest

from medgauge.pairs import Card
from medgauge.ratings.ratings import Ratings
from medgauge.ratings.verdicts import verdict_table

# A line for each column of the table: NaN, IAA, acc, rec and prec.
PRINTED = """
FSN-SYN. e-R         3%  0.88  0.98  1.00  0.97
FSN-SYN. h-R        13%  0.87  0.96  1.00  0.92
FSN-SYN. e-L        17%  0.85  0.98  0.96  1.00
FSN-SYN. h-L        10%  0.93  0.98  1.00  0.97
SYN.-SYN. e-R       13%  0.93  0.96  1.00  0.93
SYN.-SYN. h-R       10%  0.79  0.96  1.00  0.93
SYN.-SYN. e-L       20%  0.85  0.93  0.96  0.88
SYN.-SYN. h-L       20%  0.81  0.94  1.00  0.88
POSS.-EQUIV.-TO e-R 10%  0.91  1.00  1.00  1.00
POSS.-EQUIV.-TO h-R 10%  0.65  0.86  1.00  0.70
POSS.-EQUIV.-TO e-L 13%  0.95  0.98  1.00  0.96
POSS.-EQUIV.-TO h-L 10%  0.74  0.91  0.96  0.86
REPLACED-BY e-R     17%  0.90  0.96  1.00  0.93
REPLACED-BY h-R     30%  0.70  0.86  1.00  0.70
REPLACED-BY e-L     13%  0.95  0.95  0.96  0.93
REPLACED-BY h-L     37%  0.73  0.86  0.93  0.70
SAME-AS e-R          6%  0.82  0.98  1.00  0.96
SAME-AS h-R          6%  0.83  0.95  1.00  0.89
SAME-AS e-L         17%  0.88  0.98  1.00  0.96
SAME-AS h-L          3%  0.86  0.97  1.00  0.93
"""
TABLE_3 = {
    f"{family} {kind}": dict(zip(("NaN", "IAA", "acc", "rec", "prec"), column, strict=True))
    for family, kind, *column in map(str.split, PRINTED.strip().splitlines())
}
SETS = list(TABLE_3)
LABELLED = 30  # pairs of each label in a set
NAN = math.nan


def without_truth(share: str, of: int) -> int:
    """Give the one count whose share is printed so, rounded, or else cut off."""
    rounded = [count for count in range(of + 1) if f"{count / of:.0%}" == share]
    [count] = rounded or [count for count in range(of + 1) if f"{100 * count // of}%" == share]
    return count


@cache
def confusions(name: str, of: int) -> list[tuple[int, int, int, int]]:
    """Give all (tp, fp, fn, tn) with the printed figures, if the share without truth is one of `of` pairs."""
    printed = TABLE_3[name]
    n = 2 * LABELLED - without_truth(printed["NaN"], of)
    found = []
    for positives in range(max(1, n - LABELLED), LABELLED + 1):
        for tp in range(1, positives + 1):
            if f"{tp / positives:.2f}" != printed["prec"]:
                continue
            for fn in range(n - positives + 1):
                tn = n - positives - fn
                if (f"{tp / (tp + fn):.2f}", f"{(tp + tn) / n:.2f}") == (printed["rec"], printed["acc"]):
                    found.append((tp, positives - tp, fn, tn))
    return found


def alpha(same: int, not_same: int, dissents: int, unsure: int) -> float:
    """Write α out for three doctors: `dissents` and `unsure` of the pairs `same` have a third who differs.

    A pair with a dissent has four unequal twos of six, each weighing 1/2.
    """
    ones = 3 * same - dissents - unsure
    zeros = 3 * not_same + dissents
    n = ones + zeros
    return 1 - (2 * dissents / n) / (2 * ones * zeros / (n * (n - 1)))


@cache
def answers(name: str) -> tuple[tuple[int, int, int, int], int, int]:
    """Find a table of labels against truth, dissents and doctors who do not know, that give the column."""
    for tp, fp, fn, tn in confusions(name, LABELLED):
        same = tp + fn
        for dissents in range(same + 1):
            for unsure in range(same - dissents + 1):
                if f"{alpha(same, fp + tn, dissents, unsure):.2f}" == TABLE_3[name]["IAA"]:
                    return (tp, fp, fn, tn), dissents, unsure
    raise AssertionError(f"no answers give the column {name}")


def rated(name: str) -> tuple[list[int], list[list[float]]]:
    """Give labels and answers of the 60 pairs of a set, NaN standing for "don't know"."""
    (tp, fp, fn, tn), dissents, unsure = answers(name)
    labels = [1] * tp + [0] * fn + [1] * fp + [0] * tn
    verdicts = [[1.0, 1.0, 0.0]] * dissents + [[1.0, 1.0, NAN]] * unsure
    verdicts += [[1.0, 1.0, 1.0]] * (tp + fn - len(verdicts)) + [[0.0, 0.0, 0.0]] * (fp + tn)
    rest = [1] * (LABELLED - tp - fp) + [0] * (LABELLED - fn - tn)
    return labels + rest, verdicts + [[1.0, NAN, NAN]] * len(rest)


@pytest.fixture(scope="module")
def table():
    labels, verdicts = [], []
    for name in SETS:
        of_set = rated(name)
        labels += of_set[0]
        verdicts += of_set[1]
    pairs = pl.DataFrame(
        {
            "pair_id": [str(number) for number in range(1, len(labels) + 1)],
            "set": np.repeat(SETS, 2 * LABELLED).tolist(),
            "label": labels,
        }
    )
    values = np.array(verdicts)
    doctors = ("A", "B", "C")
    card = Card(name="doctors", title="Doctors")
    return verdict_table(Ratings(pairs, doctors, values, np.isnan(values), True, (0, 1), card))


def test_every_printed_share_is_one_of_30():
    """Of 60, every other count would have a share such as 2%, 5% or 8%, and none of these is printed."""
    counts = [without_truth(TABLE_3[name]["NaN"], 30) for name in SETS]
    assert counts == [1, 4, 5, 3, 4, 3, 6, 6, 3, 3, 4, 3, 5, 9, 4, 11, 2, 2, 5, 1]
    cut_off = [
        name for name, count in zip(SETS, counts, strict=True) if f"{count / 30:.0%}" != TABLE_3[name]["NaN"]
    ]
    assert cut_off == ["SAME-AS e-R", "SAME-AS h-R"]


def test_shares_of_30_explain_all_columns_and_shares_of_60_do_not():
    assert [name for name in SETS if not confusions(name, 30)] == []
    unexplained = ["SYN.-SYN. e-L", "POSS.-EQUIV.-TO h-R", "REPLACED-BY e-L", "REPLACED-BY h-L"]
    assert [name for name in SETS if not confusions(name, 60)] == unexplained


def test_six_columns_leave_one_table_of_labels_against_truth():
    found = {name: confusions(name, 30) for name in SETS}
    assert {name: tables[0] for name, tables in found.items() if len(tables) == 1} == {
        "FSN-SYN. h-R": (24, 2, 0, 30),
        "POSS.-EQUIV.-TO h-R": (19, 8, 0, 30),
        "REPLACED-BY h-R": (16, 7, 0, 28),
        "REPLACED-BY h-L": (14, 6, 1, 28),
        "SAME-AS e-R": (27, 1, 0, 30),
        "SAME-AS h-R": (25, 3, 0, 30),
    }


@pytest.mark.parametrize("name", SETS)
def test_such_answers_give_the_column(table, name):
    [found] = [one for one in table if one.set == name]
    printed = TABLE_3[name]
    figures = {"IAA": found.alpha, "acc": found.accuracy, "rec": found.recall, "prec": found.precision}
    assert {row: f"{figure:.2f}" for row, figure in figures.items()} == {row: printed[row] for row in figures}
    assert found.pairs == 60
    assert found.without_truth == without_truth(printed["NaN"], 30)


def test_84_of_the_1200_pairs_have_no_truth(table):
    assert [one.set for one in table] == [*SETS, "all sets"]
    assert (table[-1].pairs, table[-1].without_truth) == (1200, 84)
    assert f"{table[-1].share_without_truth:.0%}" == "7%"


def test_the_lowest_and_highest_agreement_are_those_of_the_text():
    """Section 3.3: "the lowest agreement on a dataset being α = 0.65 and the highest α = 0.95"."""
    agreement = [column["IAA"] for column in TABLE_3.values()]
    assert (min(agreement), max(agreement)) == ("0.65", "0.95")
