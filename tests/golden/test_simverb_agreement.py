"""IAA of SimVerb-3500's annotators: 702 of them in 70 groups, and 20 pairs that all of them rated.

The figures are those of the file that its authors published, without the 20 pairs.
"""

import csv
import gzip

import numpy as np
import pytest

from medgauge import Agreement, agreement
from medgauge.stats.raters.alpha import krippendorff_alpha

pytestmark = pytest.mark.slow

FILE = "published/SimVerb-3520-annotator-ratings.csv.gz"


@pytest.fixture(scope="module")
def found() -> list[Agreement]:
    return []


@pytest.fixture
def simverb(found, real_data) -> Agreement:
    path = real_data(FILE)
    if not found:
        found.append(agreement(path, annotators=["3:704"], not_rated=[-1], header=False, resamples=99))
    return found[0]


def test_annotators_pairs_and_groups(simverb):
    assert (len(simverb.annotators), simverb.pairs, simverb.groups) == (702, 3520, 70)
    assert simverb.consistency is not None
    assert simverb.consistency.pairs == 20


def test_iaa_1_and_iaa_2(simverb):
    assert (round(simverb.iaa_1, 3), round(simverb.iaa_2, 3)) == (0.602, 0.745)


def test_the_consistency_set_is_of_all_annotators(simverb, real_data):
    with gzip.open(real_data(FILE), "rt", encoding="utf-8") as stream:
        ratings = np.array([[float(value) for value in row[2:]] for row in csv.reader(stream)])
    shared = ratings[(ratings != -1).all(axis=1)]
    assert len(shared) == 20
    assert simverb.consistency is not None
    assert simverb.consistency.alpha == pytest.approx(krippendorff_alpha(shared, level="ordinal").value)


def test_annotators_who_stand_out_lower_the_agreement(simverb):
    assert simverb.standing_out
    assert simverb.without_all is not None
    assert simverb.without_all.iaa_1 > simverb.iaa_1
    lowest = simverb.standing_out[0]
    assert lowest.iaa_1 == min(one.iaa_1 for one in simverb.standing_out)
    assert lowest.without.alpha > simverb.alpha
