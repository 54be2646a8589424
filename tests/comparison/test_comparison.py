import math

import pytest

import medgauge
from medgauge.errors import FileError
from tests.results import damaged, example
from tests.runs import word_pairs
from tests.vectors import some_vectors

pytestmark = pytest.mark.filterwarnings("ignore::medgauge.errors.MedgaugeWarning")


@pytest.fixture(scope="module")
def by_measure():
    pairs = word_pairs()
    run = medgauge.evaluate({"one": some_vectors(*pairs.terms)}, pairs, measures=["avg_cos", "fj"])
    return medgauge.compare(run, by="measure", resamples=99)


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        ("contests", [], "is damaged: it has no contest; compare again"),
        ("clustered_by", "concept", "the groups of pairs of 'graded' are missing"),
        ("by", "measure", "the contest on 'graded' is not by measure"),
        ("alpha", 1, "alpha: does not hold a Comparison: Input should be less than 1"),
        (
            "contests.0.metric",
            "pearson",
            "contests.0.metric: does not hold a Comparison: Input should be 'spe",
        ),
        (
            "contests.0.resamples",
            -1,
            "contests.0.resamples: does not hold a Comparison: Input should be great",
        ),
        (
            "contests.0.level",
            0,
            "contests.0.level: does not hold a Comparison: Input should be greater than 0",
        ),
        ("contests.0.pairs", -7, "contests.0.pairs: does not hold a Comparison"),
        ("contests.0.systems", [], "the contest on 'graded' by spearman has fewer than two systems"),
        ("contests.0.systems.0.rank", 2, "does not have its systems from best to worst"),
        ("contests.0.systems.1.value", None, "does not have its systems from best to worst"),
        ("contests.0.systems.0.measure", "pearsn", "has no known measure 'pearsn'"),
        ("contests.0.systems.0.model", "other", "lacks the difference of two systems"),
        ("contests.0.systems.1.model", "random", "has a system twice"),
        ("contests.0.differences", [], "lacks the difference of two systems"),
        ("contests.0.differences.0.model_1", "other", "lacks the difference of two systems"),
        ("contests.2.metric", "auc", "a set is compared twice by the same metric"),
    ],
)
def test_a_comparison_that_contradicts_itself_is_one_sentence(place, value, said, tmp_path):
    path = damaged(example("Comparison"), tmp_path / "c.json", place, value)
    with pytest.raises(FileError) as caught:
        medgauge.Comparison.load(path)
    assert said in str(caught.value)
    assert str(caught.value).startswith(str(path))


def test_a_significant_difference_without_a_p_value_is_refused(tmp_path):
    found = example("Comparison")
    contest = found.contests[0]
    assert not math.isnan(contest.differences[0].p_adjusted)
    sure = [
        one.model_copy(update={"significant": True, "p_adjusted": math.nan}) for one in contest.differences
    ]
    contests = [contest.model_copy(update={"differences": sure}), *found.contests[1:]]
    path = tmp_path / "c.json"
    path.write_text(found.model_copy(update={"contests": contests}).to_json(), "utf-8")
    with pytest.raises(FileError, match="a significant difference without a p-value"):
        medgauge.Comparison.load(path)


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        ("by", "model", "the contest on 'mine' is not by model"),
        ("spreads", [], "the spreads are not those of the contests"),
        ("contests.0.model", "other", "has another model than the one whose measures are compared"),
        ("spreads.0.metric", "rho", "spreads.0.metric: does not hold a Comparison"),
    ],
)
def test_a_comparison_of_measures_that_contradicts_itself_is_one_sentence(
    by_measure, place, value, said, tmp_path
):
    with pytest.raises(FileError) as caught:
        medgauge.Comparison.load(damaged(by_measure, tmp_path / "c.json", place, value))
    assert said in str(caught.value)


def test_a_comparison_is_read_as_it_was_written(by_measure, tmp_path):
    for found in (by_measure, example("Comparison")):
        (tmp_path / "c.json").write_text(found.to_json(), "utf-8")
        assert medgauge.Comparison.load(tmp_path / "c.json") == found
