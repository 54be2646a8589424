import math

import numpy as np
import pytest

from medgauge import agreement, load_dataset
from medgauge.catalog.cards import published_sets
from medgauge.composition.rating_figures import set_agreement
from tests.composition.small import pair_set


def rated(**columns):
    return pair_set(
        [("a", f"b{number}", 1) for number in range(len(next(iter(columns.values()))))], **columns
    )


def test_figures_of_ratings_are_those_of_agreement():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 4, 60)
    columns = {
        f"rater_{name}": np.clip(truth + rng.integers(-1, 2, 60), 0, 3).astype(float) for name in "ABC"
    }
    found, expected = set_agreement(rated(**columns)), agreement(rated(**columns), resamples=9)
    names = {"best": "human_upper_bound", "best_excluding_self": "human_upper_bound_excluding_self"}
    for name in ("mean_rho", "icc_c1", "icc_ck", "kendall_w", "ceiling", *names):
        assert getattr(found, name) == pytest.approx(getattr(expected, names.get(name, name))), name
    assert (found.annotators, found.ratings, found.source) == ("3", 3, "ratings")


def test_ratings_with_gaps_have_no_number_of_ratings():
    found = set_agreement(
        rated(rater_A=[1.0, 2, 3, 0], rater_B=[1.0, 2, 3, 1], rater_C=[2.0, None, None, None])
    )
    assert found.ratings is None


def test_an_undefined_figure_has_its_reason():
    found = set_agreement(rated(rater_A=[1.0, 2.0, 3.0]))
    assert math.isnan(found.mean_rho)
    assert "mean_rho" in found.undefined


def test_without_ratings_and_card_there_is_nothing():
    assert set_agreement(rated(other=[1.0])) is None


def test_a_published_set_has_the_figures_of_its_paper_and_a_part_of_it_has_none(real_data):
    """Table 3 of Schulz et al. (2020), row MayoSRS."""
    real_data("published/MayoSRS_mesh.csv")
    mayosrs = load_dataset("mayosrs")
    found = set_agreement(mayosrs)
    figures = (found.mean_rho, found.icc_c1, found.icc_ck, found.kendall_w)
    assert figures == (0.53, 0.50, 0.93, 0.57)
    assert found.annotators == "13 coders"
    assert "table 3 of Schulz et al. (2020" in found.source
    assert math.isnan(found.best)
    assert set_agreement(mayosrs.head(100)) is None
    assert set_agreement(mayosrs.renamed("umnsrs-rel")) is None


def test_published_figures_are_of_sets_without_ratings_and_name_their_source():
    for entry in published_sets().values():
        if entry.agreement is not None:
            assert not any(name.startswith("rater_") for name in entry.columns)
            assert "(20" in entry.agreement.source
            printed = entry.agreement.model_dump(exclude={"annotators", "source"})
            assert printed
            assert all(0 < figure < 1 for figure in printed.values())
