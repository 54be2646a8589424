"""Schulz and Juric (2020), table 1: the size and the share of multi-word terms of each set.

The paper is "Can Embeddings Adequately Represent Medical Terminology?"; its percentages are by occurrence.
EHR-RelB, which it does not have, is 88% by occurrence (counted in the file) and 89% of the different terms,
the number in section 6 of Schulz et al. (2020), "Biomedical Concept Relatedness".
"""

import pytest

from medgauge.catalog.cards import published_set
from medgauge.catalog.datasets import load_dataset

TABLE_1 = [
    ("hliaoutakis", 36, "47%"),
    ("minimayosrs", 29, "47%"),
    ("mayosrs", 101, "44%"),
    ("umnsrs-sim", 566, "2%"),
    ("umnsrs-sim-mod", 449, "0%"),
    ("umnsrs-rel", 587, "2%"),
    ("umnsrs-rel-mod", 458, "0%"),
    ("bio-simlex", 988, "0%"),
    ("bio-simverb", 1000, "0%"),
]


@pytest.mark.parametrize(("name", "size", "multi_word"), TABLE_1, ids=[row[0] for row in TABLE_1])
def test_size_and_multi_word_share_are_those_of_table_1(real_data, name, size, multi_word):
    real_data(f"published/{published_set(name).file.name}")
    pairs = load_dataset(name)
    by_occurrence, _ = pairs.multi_word_shares()
    assert (len(pairs), f"{by_occurrence:.0%}") == (size, multi_word)


def test_the_multi_word_shares_of_ehr_rel_b_are_88_and_89_percent(real_data):
    real_data("published/EHR-RelB.tsv")
    assert [f"{share:.0%}" for share in load_dataset("ehr-rel-b").multi_word_shares()] == ["88%", "89%"]
