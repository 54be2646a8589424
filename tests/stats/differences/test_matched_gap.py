import math

import numpy as np
import pytest
from scipy import stats

from medgauge.stats.differences.matched_gap import matched_gap


def values(seed, groups=120, shift=0.2):
    rng = np.random.default_rng(seed)
    cases = (rng.random(groups) < 0.4).astype(float)
    controls = rng.binomial(3, 0.4 + shift, groups) / 3
    return cases, controls


def found_on(cases, controls, **options):
    settings = {"resamples": 1999, "rng": np.random.default_rng(0), **options}
    return matched_gap(np.asarray(cases, float), np.asarray(controls, float), **settings)


def test_means_are_those_of_loops():
    cases, controls = values(0)
    found = found_on(cases, controls)
    assert found.cases.value == pytest.approx(sum(cases.tolist()) / len(cases))
    assert found.controls.value == pytest.approx(sum(controls.tolist()) / len(controls))
    differences = [y - x for x, y in zip(cases.tolist(), controls.tolist(), strict=True)]
    assert found.gap.value == pytest.approx(sum(differences) / len(differences))
    assert found.gap.n == len(cases)


@pytest.mark.parametrize("seed", [1, 2])
def test_intervals_are_those_of_scipy_up_to_the_resamples(seed):
    cases, controls = values(seed)
    found = found_on(cases, controls, resamples=9999)
    for data, ours in ((cases, found.cases), (controls, found.controls), (controls - cases, found.gap)):
        theirs = stats.bootstrap(
            (data,), np.mean, n_resamples=9999, method="BCa", rng=np.random.default_rng(1)
        ).confidence_interval
        assert [ours.low, ours.high] == pytest.approx([theirs.low, theirs.high], abs=0.01)


def test_the_interval_of_the_gap_contains_the_true_one_as_often_as_it_says():
    inside = 0
    for seed in range(300):
        found = found_on(*values(seed, groups=80), resamples=299)
        inside += found.gap.low <= 0.2 <= found.gap.high
    assert 0.915 <= inside / 300 <= 0.985


def test_pairing_is_kept():
    cases = np.array([0.0, 1.0] * 20)
    found = found_on(cases, cases)
    assert found.gap.value == 0
    assert math.isnan(found.gap.low)
    assert found.gap.no_interval == "it is the same on every resample"
    assert found.cases.low < 0.5 < found.cases.high


def test_few_groups_have_no_interval_and_none_no_figure():
    few = found_on([0, 1], [1, 1])
    assert (few.gap.value, few.gap.no_interval) == (0.5, "fewer than 5 groups")
    assert found_on([], []).gap.undefined == "there are no matched groups"


def test_the_result_does_not_depend_on_the_order_of_threads():
    assert len({found_on(*values(3)).gap for _ in range(3)}) == 1
