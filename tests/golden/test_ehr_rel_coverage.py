"""What EHR-RelA and EHR-RelB cover, by their published files alone.

The paper is Schulz et al. (2020), "Biomedical Concept Relatedness": table 3, and sections 5.1 and 6. UMLS and
SNOMED CT, which its tables 4 and figures 2 and 3 need, cannot be had without a licence.
"""

import pytest

from medgauge import coverage

SETS = {"ehr-rel-a": "EHR-RelA.tsv", "ehr-rel-b": "EHR-RelB.tsv"}
OTHERS = {
    "mayosrs": "MayoSRS_mesh.csv",
    "umnsrs-rel": "UMNSRS_relatedness.csv",
    "minimayosrs": "MiniMayoSRS_mesh.csv",
}


@pytest.fixture
def covered(real_data):
    def of(*names):
        for name in names:
            real_data(f"published/{(SETS | OTHERS)[name]}")
        return coverage(list(names))

    return of


@pytest.mark.parametrize(("name", "pairs", "concepts"), [("ehr-rel-a", 111, 161), ("ehr-rel-b", 3630, 2263)])
def test_table_3_pairs_concepts_and_scale(covered, name, pairs, concepts):
    found = covered(name)[name]
    assert (found.pairs, found.concepts, found.concept_key, found.scale) == (pairs, concepts, "id", (0, 3))


@pytest.mark.parametrize(("name", "both"), [("ehr-rel-a", 106), ("ehr-rel-b", 3225)])
def test_pairs_with_two_cuis(covered, name, both):
    """Section 5.1 has 3,225 for EHR-RelB; 106 for EHR-RelA are counted in its file."""
    found = covered(name)[name]
    assert (found.pairs_with_cuis, found.pairs_with_ids) == (both, found.pairs)


def test_section_6_multi_word_concepts(covered):
    """89% of EHR-RelB: of its different terms (2,021 of 2,261), and of its different concepts as well."""
    assert f"{covered('ehr-rel-b')['ehr-rel-b'].multi_word:.2f}" == "0.89"


def test_section_6_prints_two_shares_that_the_files_do_not_give(covered):
    """47% of MayoSRS and 0% of UMNSRS-Rel; the files have 44% and 3%, also by occurrence."""
    found = covered("mayosrs", "umnsrs-rel")
    assert (f"{found['mayosrs'].multi_word:.2f}", f"{found['umnsrs-rel'].multi_word:.2f}") == ("0.44", "0.03")


def test_table_3_concepts_of_other_sets(covered):
    """MayoSRS has the printed 182 CUIs; of UMNSRS-Rel 386 are printed; MiniMayoSRS's 57 are its terms."""
    found = covered("mayosrs", "umnsrs-rel", "minimayosrs")
    assert [found[name].concepts for name in ("mayosrs", "umnsrs-rel", "minimayosrs")] == [182, 387, 56]
    assert found["minimayosrs"].terms == 57


def test_section_4_2_scores_of_a_are_skewed_and_of_b_are_balanced(covered):
    """Figure 1: of A most are unrelated; of B each fifth of the scale but the last has a fifth or more."""
    found = covered(*SETS)
    assert found["ehr-rel-a"].score_fifths == [81, 13, 8, 6, 3]
    assert found["ehr-rel-b"].score_fifths == [776, 718, 933, 987, 216]
    assert sum(found["ehr-rel-b"].score_fifths) == 3630


def test_both_sets_share_one_pair(covered):
    [shared] = covered(*SETS).overlaps
    assert (shared.concept_key, shared.concepts, shared.concept_pairs) == ("id", 106, 1)
