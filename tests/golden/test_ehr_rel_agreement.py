"""Agreement and reliability of EHR-RelA and EHR-RelB.

The paper is Schulz et al. (2020), "Biomedical Concept Relatedness", section 4.1, tables 2 and 3. α is ordinal
and κ quadratic, which the paper does not say and its figures show. Of EHR-RelB, where each pair has three of
five raters, the ratings of a pair are taken side by side in the order of the columns.
"""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from medgauge.catalog.load import load_dataset
from medgauge.stats.alpha import krippendorff_alpha
from medgauge.stats.correlation import spearman
from medgauge.stats.kappa import cohen_kappa
from medgauge.stats.reliability import intraclass_correlations, kendall_w

SETS = {"ehr-rel-a": "published/EHR-RelA.tsv", "ehr-rel-b": "published/EHR-RelB.tsv"}

# Table 2, "pairw. α": annotators B to E (rows) with those before them.
PAIRWISE = {
    "ehr-rel-a": [["0.77"], ["0.69", "0.65"], ["0.70", "0.73", "0.68"], ["0.52", "0.40", "0.57", "0.50"]],
    "ehr-rel-b": [["0.57"], ["0.58", "0.64"], ["0.62", "0.63", "0.66"], ["0.49", "0.57", "0.54", "0.55"]],
}
# Table 2, rows "Average α", "Average κ" and "Average ρ": annotators A to E.
AVERAGES = {
    "ehr-rel-a": {
        "alpha": ["0.67", "0.64", "0.65", "0.65", "0.50"],
        "kappa": ["0.74", "0.70", "0.72", "0.69", "0.61"],
        "rho": ["0.70", "0.69", "0.67", "0.68", "0.60"],
    },
    "ehr-rel-b": {
        "alpha": ["0.57", "0.60", "0.60", "0.61", "0.54"],
        "kappa": ["0.56", "0.60", "0.61", "0.62", "0.54"],
        "rho": ["0.58", "0.62", "0.63", "0.63", "0.55"],
    },
}
Floats = NDArray[np.float64]


@pytest.fixture(params=list(SETS))
def dataset(request, real_data) -> tuple[str, Floats]:
    real_data(SETS[request.param])
    return request.param, load_dataset(request.param).ratings


def pairwise(ratings: Floats, of: Callable[[Floats, Floats], float]) -> Floats:
    table = np.full((5, 5), np.nan)
    for one in range(5):
        for other in range(5):
            both = ~np.isnan(ratings[:, [one, other]]).any(axis=1)
            if one != other:
                table[one, other] = of(ratings[both, one], ratings[both, other])
    return table


def alpha(one: Floats, other: Floats) -> float:
    return krippendorff_alpha(np.stack([one, other], axis=1), level="ordinal")


def kappa(one: Floats, other: Floats) -> float:
    return cohen_kappa(one, other, weights="quadratic")


def side_by_side(ratings: Floats) -> Floats:
    return ratings[~np.isnan(ratings)].reshape(len(ratings), -1)


def test_table_2_pairwise_alpha(dataset):
    name, ratings = dataset
    found = pairwise(ratings, alpha)
    assert [[f"{found[row, column]:.2f}" for column in range(row)] for row in range(1, 5)] == PAIRWISE[name]


@pytest.mark.parametrize(("figure", "of"), [("alpha", alpha), ("kappa", kappa), ("rho", spearman)])
def test_table_2_averages(dataset, figure, of):
    name, ratings = dataset
    found = np.nanmean(pairwise(ratings, of), axis=1)
    assert [f"{value:.2f}" for value in found] == AVERAGES[name][figure]


def test_overall_alpha(dataset):
    """Section 4.1: 0.64 for EHR-RelA and 0.59 for EHR-RelB."""
    name, ratings = dataset
    expected = {"ehr-rel-a": "0.64", "ehr-rel-b": "0.59"}[name]
    assert f"{krippendorff_alpha(ratings, level='ordinal'):.2f}" == expected


def test_table_3_reliability(dataset):
    """W and ICC as printed, but for ICC(C,1) of EHR-RelB: the table has 0.60, and the data give 0.587."""
    name, ratings = dataset
    found = intraclass_correlations(side_by_side(ratings))
    single, mean = {"ehr-rel-a": ("0.717", "0.93"), "ehr-rel-b": ("0.587", "0.81")}[name]
    assert f"{found.consistency_one:.3f}" == single
    assert f"{found.consistency_mean:.2f}" == mean
    assert f"{kendall_w(side_by_side(ratings)):.2f}" == "0.73"
