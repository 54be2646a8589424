"""Figures of the skip-gram vectors biomed-sg-w5 (100-d, window 5, 14.8M tokens) on the published sets.

Origin: computed independently of this package (plain numpy and scipy.stats.spearmanr over the files as they
are published) and stated with the project's first requirements; counts are exact, ρ to ±0.002.
"""

import json

import pytest

VECTORS = "vectors/biomed-sg-w5.bin"

GOLDEN = {
    ("bio-simlex", "avg_cos"): (0.615, 894),
    ("bio-simverb", "avg_cos"): (0.299, 722),
    ("umnsrs-sim", "avg_cos"): (0.442, 313),
    ("umnsrs-rel", "avg_cos"): (0.377, 310),
    ("mayosrs", "avg_cos"): (0.414, 93),
    ("ehr-rel-b", "avg_cos"): (0.342, 3076),
    ("ehr-rel-b", "fj"): (0.385, 3076),
}


@pytest.mark.parametrize("measure", ["avg_cos", "fj"])
def test_the_golden_figures(measure, real_data, medgauge):
    vectors = real_data(VECTORS)
    done = medgauge("evaluate", "--model", vectors, "--dataset", "all", "--measure", measure, "--json")
    assert done.code == 0, done.err
    figures = {figure["dataset"]: figure for figure in json.loads(done.out)["figures"]}
    assert len(figures) == 15
    for (dataset, which), (rho, covered) in GOLDEN.items():
        if which == measure:
            found = figures[dataset]
            assert (found["metric"], found["measure"]) == ("spearman", measure)
            assert found["value"] == pytest.approx(rho, abs=0.002), dataset
            assert found["covered"] == covered, dataset
