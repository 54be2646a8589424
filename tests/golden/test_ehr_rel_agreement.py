"""Agreement and reliability of EHR-RelA and EHR-RelB.

The paper is Schulz et al. (2020), "Biomedical Concept Relatedness", section 4.1, tables 2 and 3. α is ordinal
and κ quadratic, which the paper does not say and its figures show. Of EHR-RelB, where each pair has three of
five raters, the ratings of a pair are taken side by side in the order of the columns; whether the authors did
so cannot be known.
"""

import numpy as np
import pytest

from medgauge import Agreement, agreement, load_dataset
from medgauge.ratings.findings import OVERALL
from medgauge.stats.raters.variance.variance_components import CrossedRatings, variance_components

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
BOTH = list(SETS)


@pytest.fixture(scope="module")
def found() -> dict[str, Agreement]:
    return {}


@pytest.fixture
def agreed(found, real_data):
    """Give the agreement of a set, found once for all tests."""

    def of(name: str) -> Agreement:
        real_data(SETS[name])
        if name not in found:
            found[name] = agreement(name, level="ordinal", resamples=999)
        return found[name]

    return of


@pytest.mark.parametrize("name", BOTH)
def test_table_2_pairwise_alpha(agreed, name):
    alphas = {(two.annotator_1, two.annotator_2): two.alpha for two in agreed(name).pairwise}
    printed = [
        [f"{alphas[column, row]:.2f}" for column in "ABCDE"[:number]] for number, row in enumerate("BCDE", 1)
    ]
    assert printed == PAIRWISE[name]


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize(
    ("row", "figure"), [("alpha", "alpha"), ("kappa", "kappa_quadratic"), ("rho", "rho")]
)
def test_table_2_averages(agreed, name, row, figure):
    printed = [f"{getattr(annotator, figure):.2f}" for annotator in agreed(name).annotators]
    assert printed == AVERAGES[name][row]


@pytest.mark.parametrize(("name", "alpha"), [("ehr-rel-a", "0.64"), ("ehr-rel-b", "0.59")])
def test_section_4_1_overall_alpha(agreed, name, alpha):
    assert f"{agreed(name).alpha:.2f}" == alpha


@pytest.mark.parametrize(
    ("name", "figures"),
    [
        ("ehr-rel-a", {"kendall_w": "0.73", "icc_c1": "0.72", "icc_ck": "0.93", "mean_rho": "0.67"}),
        ("ehr-rel-b", {"kendall_w": "0.73", "icc_ck": "0.81"}),
    ],
)
def test_table_3_reliability(agreed, name, figures):
    assert {figure: f"{getattr(agreed(name), figure):.2f}" for figure in figures} == figures


def test_table_3_prints_two_figures_of_ehr_rel_b_that_the_data_do_not_give(agreed):
    """The table has ICC(C,1) 0.60 and an average ρ of 0.59; the data give 0.587 (packed) and 0.601."""
    of_b = agreed("ehr-rel-b")
    assert (round(of_b.packed.icc_c1, 3), round(of_b.mean_rho, 3)) == (0.587, 0.601)


def test_table_3_does_not_tell_packed_ratings_from_panels(agreed):
    """Both ways give the printed W 0.73 and ICC(C,k) 0.81, and neither the printed ICC(C,1) 0.60."""
    for one in (agreed("ehr-rel-b").packed, agreed("ehr-rel-b").by_panel):
        assert (f"{one.kendall_w:.2f}", f"{one.icc_ck:.2f}") == ("0.73", "0.81")
        assert f"{one.icc_c1:.2f}" == "0.59"


# lme4 1.1-31 (R 4.2.2): lmer(rating ~ 1 + (1|pair) + (1|rater), REML = TRUE), optimizer bobyqa, rhoend 1e-12.
BY_LME4 = {
    "ehr-rel-a": (0.416281715, 0.013480755, 0.163996726),
    "ehr-rel-b": (0.547030665, 0.010329147, 0.377624250),
}


@pytest.mark.parametrize("name", BOTH)
def test_variances_are_those_of_lme4(agreed, name):
    found = agreed(name)
    assert (found.variances.pair, found.variances.annotator, found.variances.residual) == pytest.approx(
        BY_LME4[name], rel=2e-6
    )
    icc = {"ehr-rel-a": 0.7174, "ehr-rel-b": 0.5916}[name]
    assert round(found.icc_c1, 4) == icc


def test_with_a_fifth_of_the_ratings_blank_variances_are_those_of_lme4(real_data):
    """Blank are the cells of row i and column j, from 0, with (7i + 3j) mod 5 = 0; lme4 as above."""
    real_data(SETS["ehr-rel-a"])
    ratings = load_dataset("ehr-rel-a").ratings.copy()
    rows, columns = np.indices(ratings.shape)
    ratings[(7 * rows + 3 * columns) % 5 == 0] = np.nan
    found = variance_components(CrossedRatings.of(ratings))
    expected = (0.425864911, 0.012543855, 0.159947425)
    assert (found.pair, found.rater, found.residual) == pytest.approx(expected, rel=1e-6)


def test_the_ceiling_is_above_the_best_annotator(agreed):
    """√G(q,k); G(q,k) by hand from lme4's variances, k = 3 and q = 0.133368 of the design."""
    of_b = agreed("ehr-rel-b")
    assert of_b.g_qk == pytest.approx(0.547031 / (0.547031 + 0.133368 * 0.010329 + 0.377624 / 3), abs=1e-5)
    assert f"{of_b.ceiling:.2f}" == "0.90"
    assert of_b.ceiling > of_b.human_upper_bound > of_b.human_upper_bound_excluding_self


def test_section_6_best_annotator(agreed):
    of_b = agreed("ehr-rel-b")
    bounds = (of_b.human_upper_bound, of_b.human_upper_bound_excluding_self)
    assert [f"{bound:.2f}" for bound in bounds] == ["0.88", "0.70"]


@pytest.mark.parametrize("name", BOTH)
def test_every_figure_is_in_its_interval(agreed, name):
    figures = agreed(name)
    assert set(figures.intervals) == set(OVERALL)
    for figure, (low, high) in figures.intervals.items():
        assert low < getattr(figures, figure) < high, figure


@pytest.mark.parametrize("name", BOTH)
def test_nobody_stands_out(agreed, name):
    """Section 4.1 keeps annotator E, who agrees least, since the agreement is still moderate."""
    assert agreed(name).standing_out == []


def test_pairs_and_annotators(agreed):
    """Section 4.1 and table 3: 111 pairs with five annotators, and 3,630 with three of the five."""
    shapes = {
        name: (one.pairs, one.packed.pairs, one.packed.raters, len(one.annotators))
        for name, one in ((name, agreed(name)) for name in BOTH)
    }
    assert shapes == {"ehr-rel-a": (111, 111, 5, 5), "ehr-rel-b": (3630, 3630, 3, 5)}
