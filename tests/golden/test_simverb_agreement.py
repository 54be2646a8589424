"""IAA of SimVerb-3500's annotators: 702 of them in 70 groups, and 20 pairs that all of them rated.

The figures are those of the file that its authors published, without the 20 pairs.
"""

import csv
import gzip

import numpy as np

from medgauge.stats.raters import consistency_set, groups_of_raters, rater_agreement


def test_iaa_1_and_iaa_2_of_simverb(real_data):
    path = real_data("published/SimVerb-3520-annotator-ratings.csv.gz")
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        ratings = np.array([[float(value) for value in row[2:]] for row in csv.reader(stream)])
    ratings[ratings == -1] = np.nan
    assert ratings.shape == (3520, 702)
    shared = consistency_set(ratings)
    assert shared.sum() == 20
    own = ratings[~shared]
    assert len(groups_of_raters(own)) == 70
    found = rater_agreement(own)
    assert (round(found.iaa_1, 3), round(found.iaa_2, 3)) == (0.602, 0.745)
