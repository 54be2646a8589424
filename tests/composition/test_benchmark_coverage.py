import json

import pytest

import medgauge
from medgauge.errors import FileError
from tests.composition.small import pair_set


def found():
    one = [("a1", "b1", 1), ("a2", "b2", 2), ("a3", "b3", 3), ("a4", "b4", 4)]
    sets = [
        pair_set(
            one, name="one", type_1=["Sign", "Sign", "Gene", "Gene"], type_2=["Gene", "Sign", "Sign", ""]
        ),
        pair_set(
            one, name="two", type_1=["Sign", "Drug", "Drug", "Drug"], type_2=["Sign", "Sign", "Drug", "Drug"]
        ),
        pair_set(one, name="three"),
    ]
    return medgauge.coverage(sets, permutations=9)


def named(some):
    return [(*one.types, one.pairs) for one in some]


def test_combinations_of_one_set_and_of_the_others():
    """By hand: one has gene-sign twice and sign-sign, two has sign-sign, drug-sign and drug-drug twice."""
    shown = found()
    assert named(shown.own_combinations("one")) == [("Gene", "Sign", 2)]
    assert named(shown.lacking_combinations("one")) == [("Drug", "Drug", 2), ("Drug", "Sign", 1)]
    assert named(shown.own_combinations("three")) == []
    assert len(shown.lacking_combinations("three")) == 4


def test_combinations_over_a_share_of_some_set_by_their_mean_share():
    shown = found()
    assert shown.frequent_combinations(0.6) == [("Gene", "Sign")]
    assert shown.frequent_combinations(0.3)[0] == ("Gene", "Sign")
    assert set(shown.frequent_combinations(0.26)) == {("Gene", "Sign"), ("Sign", "Sign"), ("Drug", "Drug")}


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        (
            lambda stored: stored["sets"].append(stored["sets"][0]),
            "is damaged: two of its sets have the same name",
        ),
        (
            lambda stored: stored["overlaps"].pop(),
            "is damaged: its overlaps are not those of every two of its sets",
        ),
        (
            lambda stored: stored["sets"][0]["types"].update(pairs=9),
            "is damaged: the pairs with types of a set do not add up",
        ),
        (lambda stored: stored["sets"][0]["scores"].pop(), "is damaged: the scores of a set do not add up"),
        (lambda stored: stored["sets"][0]["score_fifths"].pop(), "is damaged: .* not counted in 5 parts"),
        (
            lambda stored: stored["sets"][1]["types"]["baseline"]["permuted"].append(0.5),
            "is damaged: the baseline of a set does not have 9 permutations",
        ),
        (lambda stored: stored["sets"].clear(), "does not hold a BenchmarkCoverage"),
        (lambda stored: stored["sets"][0].update(pairs=-1), "does not hold a BenchmarkCoverage"),
        (
            lambda stored: stored["sets"][0]["scores"][0].update(score=None),
            "does not hold a BenchmarkCoverage",
        ),
    ],
)
def test_a_damaged_file_is_refused(tmp_path, damage, problem):
    stored = json.loads(found().to_json())
    damage(stored)
    (tmp_path / "coverage.json").write_text(json.dumps(stored), "utf-8")
    with pytest.raises(FileError, match=rf"coverage\.json.*: {problem}"):
        medgauge.load_result(tmp_path / "coverage.json")
