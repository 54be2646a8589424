"""Gold standards: means by hand, what is dropped and why, and what the saved set and its card hold."""

import json
import math
import statistics

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import medgauge
from medgauge.catalog.datasets import load_dataset
from medgauge.errors import CoverageWarning, InputError, UndefinedWarning
from medgauge.evaluation.evaluate import evaluate
from medgauge.pairs import Card, PairSet
from medgauge.ratings.agreement import find_agreement
from medgauge.ratings.findings import HEADLINES
from medgauge.ratings.gold import REASONS, make_gold
from medgauge.ratings.ratings import Ratings
from medgauge.ratings.storage import PLANNED, STUDY
from medgauge.ratings.verdicts import verdict_table
from tests.report.agreements import undefined_agreement

NONE, UNSURE = math.nan, "?"
CARD = Card(
    name="mine",
    title="Mine – fièvre",
    kind="relatedness",
    description="Pairs of doctors' words.",
    source="https://example.org",
    licence="CC0-1.0",
    citation="Nobody (2020).",
    build={"seed": 42, "families": ["same-as"]},
)
ANNOTATORS = ("Ada", "José-María", "C 3")


def rated(answers, *, verdicts=False, scale=None, card=CARD, **columns):
    """Ratings of pairs by three annotators; "?" is "don't know"."""
    unsure = np.array([[answer == UNSURE for answer in row] for row in answers]).reshape(-1, 3)
    values = np.array([[NONE if answer == UNSURE else answer for answer in row] for row in answers], float)
    numbers = range(1, len(answers) + 1)
    terms = {
        "pair_id": [f"p{number}" for number in numbers],
        "term_1": [f"fever {number}" for number in numbers],
        "term_2": [f"fièvre-{number}" for number in numbers],
    }
    pairs = pl.DataFrame(terms | columns, schema_overrides=dict.fromkeys(terms, pl.String))
    return Ratings(pairs, ANNOTATORS, values.reshape(-1, 3), unsure, verdicts, scale, card)


def found(**figures):
    """What might be found of the agreement; figures that are not given are undefined."""
    held = dict.fromkeys(HEADLINES, NONE) | figures
    intervals = {name: (figure - 0.1, figure + 0.1) for name, figure in figures.items()}
    return undefined_agreement("ABC", **held, intervals=intervals, resamples=99, seed=7)


GRADED = [[0.0, 6.0, 3.0], [6.0, 6.0, 6.0], [0.0, NONE, 1.0], [NONE, NONE, 5.0]]
VERDICTS = [[1.0, 1.0, UNSURE], [0.0, 0.0, 1.0], [1.0, 0.0, UNSURE], [NONE, NONE, 1.0]]


def test_gold_is_the_mean_of_the_ratings():
    gold = make_gold(rated(GRADED))
    assert gold.pairs.frame["gold"].to_list() == [3.0, 6.0, 0.5, 5.0]
    assert gold.dropped == {}


def test_gold_is_scaled_linearly():
    """As Chiu et al. (2018) did: 0 to 6 becomes 0 to 10."""
    gold = make_gold(rated(GRADED, scale=(0, 6)), to_scale=(0, 10))
    assert gold.pairs.frame["gold"].to_list() == pytest.approx([5.0, 10.0, 5 / 6, 50 / 6])
    assert gold.pairs.card.scale == (0, 10)
    assert gold.pairs.card.build["ratings_scale"] == [0, 6]


@pytest.mark.parametrize(
    ("scale", "to_scale", "expected"),
    [((-3, 3), (0, 1), [0.5, 1.0]), ((0, 6), (-1, 1), [-0.5, 0.0]), ((0, 4), (0.5, 1.5), [0.875, 1.25])],
)
def test_scales_may_have_any_ends(scale, to_scale, expected):
    low, high = (np.array(expected) - to_scale[0]) / (to_scale[1] - to_scale[0]) * (scale[1] - scale[0])
    ratings = rated([[low + scale[0]] * 3, [high + scale[0]] * 3], scale=scale)
    assert make_gold(ratings, to_scale=to_scale).pairs.gold.tolist() == pytest.approx(expected)


RATING = st.sampled_from([NONE, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0])


@given(
    st.lists(st.tuples(RATING, RATING, RATING), min_size=1, max_size=12),
    st.integers(1, 4),
    st.none() | st.sampled_from([0.0, 0.5, 1.0, 2.0]),
)
def test_gold_and_what_is_dropped_are_what_a_loop_gives(rows, min_ratings, max_disagreement):
    kept, dropped = {}, {}
    for number, row in enumerate(rows, 1):
        ratings = [rating for rating in row if not math.isnan(rating)]
        reason = None
        if not ratings:
            reason = "no_rating"
        elif len(ratings) < min_ratings:
            reason = "too_few_ratings"
        elif max_disagreement is not None and len(ratings) > 1:
            reason = "too_much_disagreement" if statistics.stdev(ratings) > max_disagreement else None
        if reason is None:
            kept[f"p{number}"] = statistics.mean(ratings) / 6
        else:
            dropped[reason] = dropped.get(reason, 0) + 1
    options = {"min_ratings": min_ratings, "max_disagreement": max_disagreement}
    ratings = rated(rows, scale=(0, 6))
    if not kept:
        with pytest.raises(InputError, match="no pair of mine is left"):
            make_gold(ratings, to_scale=(0, 1), **options)
        return
    gold = make_gold(ratings, to_scale=(0, 1), **options)
    assert dict(gold.pairs.frame.select("pair_id", "gold").rows()) == pytest.approx(kept)
    assert gold.dropped == dropped


def test_equal_means_stay_equal_when_they_are_scaled():
    gold = make_gold(
        rated([[1.0, 2.0, 5.0], [3.0, 3.0, 2.0], [5.0, 1.0, 2.0]], scale=(0, 7)), to_scale=(0, 1)
    )
    assert len(set(gold.pairs.gold.tolist())) == 1


def test_a_deviation_that_is_the_limit_stays():
    """The deviation of 0.1, 0.2 and 0.3 is 0.1, and floating-point numbers make it more."""
    assert rated([[0.1, 0.2, 0.3]]).deviations[0] != 0.1
    assert len(make_gold(rated([[0.1, 0.2, 0.3]]), max_disagreement=0.1).pairs) == 1


def test_labels_are_the_majority_and_pairs_without_one_are_dropped():
    gold = make_gold(rated(VERDICTS, verdicts=True))
    assert gold.pairs.labelled
    assert gold.pairs.frame.select("pair_id", "label").rows() == [("p1", 1), ("p2", 0), ("p4", 1)]
    assert gold.dropped == {"no_majority": 1}


def test_a_pair_that_nobody_judged_has_no_rating_even_if_some_did_not_know():
    gold = make_gold(rated([*VERDICTS, [UNSURE] * 3, [NONE] * 3], verdicts=True), min_ratings=2)
    assert gold.dropped == {"no_rating": 2, "too_few_ratings": 1, "no_majority": 1}
    assert list(gold.dropped) == [reason for reason in REASONS if reason in gold.dropped]


def test_ratings_are_kept_as_given(tmp_path):
    make_gold(rated([*GRADED, [UNSURE, 2.0, NONE]], scale=(0, 6)), to_scale=(0, 10)).pairs.save(
        tmp_path / "g.parquet"
    )
    saved = PairSet.load(tmp_path / "g.parquet")
    assert saved.raters == ["rater_Ada", "rater_José-María", "rater_C 3"]
    assert saved.frame["rater_Ada"].to_list() == [0.0, 6.0, 0.0, None, None]
    assert saved.frame["unsure_Ada"].to_list() == [False, False, False, False, True]
    assert saved.frame.schema["rater_Ada"] == pl.Float64
    assert "unsure_C 3" not in saved.frame.columns
    np.testing.assert_array_equal(saved.ratings, rated([*GRADED, [NONE, 2.0, NONE]]).values)


def test_other_columns_are_kept_and_old_targets_renamed():
    strata = {"id_1": ["1", "2", "3", "4"], "set": list("abab"), "gold": [1, 2, 3, 4], "label": [1, 0, 1, 0]}
    frame = make_gold(rated(GRADED, **strata)).pairs.frame
    assert frame.columns[:8] == [
        *("pair_id", "term_1", "term_2", "gold", "id_1", "set", "gold_before", "label_in_set")
    ]
    assert frame["gold_before"].to_list() == [1, 2, 3, 4]
    assert frame["label_in_set"].to_list() == [1, 0, 1, 0]
    labelled = make_gold(rated(VERDICTS, verdicts=True, **strata)).pairs.frame
    assert labelled["label_in_set"].to_list() == [1, 0, 0]
    assert labelled["gold_before"].to_list() == [1, 2, 4]


def test_ratings_of_annotators_who_were_not_asked_for_are_left_out():
    gold = make_gold(rated(GRADED, rater_Other=[1.0, 2.0, 3.0, 4.0], Rater_X=["a", "b", "c", "d"]))
    assert gold.pairs.raters == [f"rater_{name}" for name in ANNOTATORS]
    assert "Rater_X" not in gold.pairs.frame.columns


def again(gold, *, verdicts):
    """Ratings as they are read from a gold standard: targets and strata beside the pairs."""
    pairs = gold.pairs
    frame = pairs.frame.select(pl.exclude(r"^(rater|unsure)_.*$"))
    unsure = np.zeros(pairs.ratings.shape, bool)
    return Ratings(frame, ANNOTATORS, pairs.ratings, unsure, verdicts, None, pairs.card)


def test_a_gold_standard_can_be_made_of_another():
    first = make_gold(rated(GRADED, scale=(0, 6), gold=[9.0] * 4), to_scale=(0, 10), max_disagreement=5)
    second = make_gold(again(first, verdicts=False))
    assert second.pairs.frame["gold_before"].to_list() == first.pairs.gold.tolist()
    assert second.pairs.card.description == (
        "Pairs of doctors' words. "
        "Made by medgauge gold: the gold scores are the mean ratings of 3 annotators."
    )
    assert "max_disagreement" not in second.pairs.card.build


def test_labels_of_the_annotators_are_not_taken_for_those_of_the_set():
    first = make_gold(rated(VERDICTS, verdicts=True, label=[0, 0, 0, 1]))
    second = make_gold(again(first, verdicts=True))
    assert second.pairs.frame["label_in_set"].to_list() == [0, 0, 1]
    [told] = verdict_table(again(second, verdicts=True))
    assert told.accuracy == pytest.approx(2 / 3)
    bare = make_gold(rated(VERDICTS, verdicts=True))
    assert bare.pairs.frame["label_in_set"].to_list() == [None, None, None]
    assert math.isnan(verdict_table(again(bare, verdicts=True))[0].accuracy)


def test_the_card_says_what_the_pairs_are_and_how_the_gold_was_made():
    card = make_gold(
        rated([*GRADED, [NONE] * 3], scale=(0, 6)),
        to_scale=(0, 10),
        min_ratings=2,
        max_disagreement=2.5,
        agreement=found(alpha=0.59123456789, icc_ck=0.8),
        without=["Eve"],
    ).pairs.card
    for field in ("name", "title", "kind", "source", "licence", "citation"):
        assert getattr(card, field) == getattr(CARD, field)
    assert card.description == (
        "Pairs of doctors' words. "
        "Made by medgauge gold: the gold scores are the mean ratings of 3 annotators, "
        "scaled linearly from 0–6 to 0–10."
    )
    figures, reliability = card.build.pop("agreement"), card.build.pop("reliability")
    assert set(reliability) == {"g_qk", "ceiling", "intervals", "k", "q"}
    assert card.build == {
        "seed": 42,
        "families": ["same-as"],
        "annotators": list(ANNOTATORS),
        "without": ["Eve"],
        "ratings_scale": [0, 6],
        "min_ratings": 2,
        "max_disagreement": 2.5,
        "pairs_dropped": {"no_rating": 1, "too_few_ratings": 1, "too_much_disagreement": 1},
        "ratings_per_pair": {"2": 1, "3": 1},
    }
    assert set(figures) == {*HEADLINES, "level", "resamples", "seed", "intervals", "confidence"}
    assert (figures["alpha"], figures["icc_ck"], figures["kendall_w"]) == (0.591235, 0.8, None)
    assert figures["intervals"] == {"alpha": [0.491235, 0.691235], "icc_ck": [0.7, 0.9]}
    assert (figures["level"], figures["resamples"], figures["seed"]) == ("ordinal", 99, 7)
    assert figures["confidence"] == 0.95


def test_the_card_of_verdicts_says_majority():
    card = make_gold(rated(VERDICTS, verdicts=True, card=Card(name="x", title="X"))).pairs.card
    assert card.description == (
        "Made by medgauge gold: the labels are the majority of the verdicts of 3 annotators; "
        "pairs without one are left out."
    )
    assert set(card.build) == {"annotators", "without", "min_ratings", "pairs_dropped", "ratings_per_pair"}


def test_the_saved_set_is_read_and_evaluated_as_any_other(tmp_path):
    ratings = rated([[place % 7, place % 5, place % 6] for place in range(20)], scale=(0, 6))
    gold = make_gold(ratings, to_scale=(0, 10), agreement=found(alpha=0.5))
    gold.pairs.save(tmp_path / "gold.parquet")
    saved = load_dataset(tmp_path / "gold.parquet")
    assert saved.card == gold.pairs.card
    assert saved.frame.equals(gold.pairs.frame)
    assert json.loads(json.dumps(saved.card.build, allow_nan=False)) == gold.pairs.card.build
    [told] = evaluate(["levenshtein"], [saved]).datasets
    assert (told.name, told.compared) == ("mine", 20)
    assert told.human is not None
    assert "| built with ratings_scale | 0, 6 |" in (tmp_path / "README.md").read_text("utf-8")


@pytest.mark.parametrize("name", ["ehr-rel-a", "ehr-rel-b"])
def test_gold_of_published_ratings_is_the_published_mean(real_data, name):
    """The column mean_rating of EHR-RelA and EHR-RelB, which their authors computed."""
    real_data(f"published/EHR-Rel{name[-1].upper()}.tsv")
    published = load_dataset(name)
    annotators = tuple(column.removeprefix("rater_") for column in published.raters)
    nobody_unsure = np.zeros(published.ratings.shape, bool)
    ratings = Ratings(
        published.frame, annotators, published.ratings, nobody_unsure, False, (0, 3), published.card
    )
    frame = make_gold(ratings).pairs.frame
    assert frame["gold"].to_list() == pytest.approx(frame["gold_before"].to_list(), abs=1e-12)
    tenths = make_gold(ratings, to_scale=(0, 30)).pairs
    assert tenths.gold.tolist() == pytest.approx((published.gold * 10).tolist(), abs=1e-9)
    assert tenths.raters == published.raters


def test_terms_are_needed():
    ratings = rated(GRADED)
    bare = Ratings(
        ratings.pairs.select("pair_id"), ANNOTATORS, ratings.values, ratings.unsure, False, None, CARD
    )
    with pytest.raises(InputError, match="columns term_1 and term_2 are needed"):
        make_gold(bare)


@pytest.mark.parametrize(
    ("ratings", "options", "problem"),
    [
        (
            rated(GRADED),
            {"to_scale": (0, 10)},
            r"unknown; give it too, such as scale=\(0, 6\)",
        ),
        (rated(GRADED, scale=(0, 6)), {"to_scale": (10, 0)}, "the scale 10 to 0 must rise"),
        (rated(VERDICTS, verdicts=True), {"to_scale": (0, 10)}, "verdicts become the labels 0 and 1"),
        (rated(GRADED), {"min_ratings": 0}, "min_ratings cannot be 0"),
        (rated(GRADED), {"max_disagreement": -1.0}, "a standard deviation and cannot be -1"),
        (rated(GRADED), {"max_disagreement": math.nan}, "a standard deviation and cannot be nan"),
        (rated(GRADED), {"max_disagreement": math.inf}, "a standard deviation and cannot be inf"),
        (
            rated(GRADED),
            {"min_ratings": 4},
            "no pair of mine is left for a gold standard: 4 with too few ratings",
        ),
        (rated([]), {}, "no pair of mine is left for a gold standard: it has no pairs"),
    ],
)
def test_what_cannot_be_made_is_one_sentence(ratings, options, problem):
    with pytest.raises(InputError, match=problem):
        make_gold(ratings, **options)


def test_no_reason_to_drop_tells_a_term():
    with pytest.raises(InputError) as caught:
        make_gold(rated([[NONE] * 3]))
    assert "fever" not in str(caught.value)


def graded_frame(rows: int = 28) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "term_1": [f"fever {n}" for n in range(rows)],
            "term_2": [f"pyrexia {n}" for n in range(rows)],
            "rater_A": [n % 7 for n in range(rows)],
            "rater_B": [min(6, n % 7 + n % 2) for n in range(rows)],
            "rater_C": [n % 7 if n % 4 else 6 - n % 7 for n in range(rows)],
        }
    )


def test_gold_of_gold_keeps_what_the_first_dropped_and_agreement_warns_of_it(tmp_path):
    first = medgauge.gold(graded_frame(), max_disagreement=1, without=["B"], resamples=20)
    assert first.dropped["too_much_disagreement"] > 0
    first.pairs.save(tmp_path / "first.parquet")
    with pytest.warns(CoverageWarning, match="because annotators disagreed"):
        second = medgauge.gold(tmp_path / "first.parquet", resamples=20)
    before = second.pairs.card.build["made_of"]
    for name in ("without", "max_disagreement", "pairs_dropped", "agreement"):
        assert before[name] == first.pairs.card.build[name]
    second.pairs.save(tmp_path / "second.parquet")
    with pytest.warns(CoverageWarning, match="because annotators disagreed"):
        medgauge.agreement(tmp_path / "second.parquet", resamples=20)


def test_the_card_has_the_confidence_and_why_a_figure_is_undefined():
    with pytest.warns(UndefinedWarning, match="best annotator"):
        made = medgauge.gold(graded_frame(9), resamples=20, confidence=0.9)
    figures = made.pairs.card.build["agreement"]
    assert figures["confidence"] == 0.9
    reason = "no annotator has 10 pairs that another rated"
    assert figures["undefined"] == {
        "human_upper_bound": reason,
        "human_upper_bound_excluding_self": reason,
    }


def test_a_second_set_leaves_the_readme_of_the_first_alone(tmp_path):
    made = medgauge.gold(graded_frame(), resamples=20)
    for name in ("one", "two"):
        made.pairs.save(tmp_path / f"{name}.parquet")
    assert 'data_files: "one.parquet"' in (tmp_path / "README.md").read_text("utf-8")
    (tmp_path / "one.parquet").unlink()
    made.pairs.save(tmp_path / "two.parquet")
    assert 'data_files: "two.parquet"' in (tmp_path / "README.md").read_text("utf-8")


@pytest.mark.parametrize("to_scale", [(0, float("inf")), (0, 1e300), (1, 1)])
def test_a_scale_has_two_ends_that_rise(to_scale):
    with pytest.raises(InputError, match="must rise"):
        make_gold(rated(GRADED, scale=(0, 6)), to_scale=to_scale)


def test_a_gold_standard_has_the_name_and_language_that_are_given():
    frame = pl.DataFrame(
        {"term_1": ["flu", "gout"], "term_2": ["cold", "flu"], "rater_A": [1, 2], "rater_B": [1, 3]}
    )
    with pytest.warns(UndefinedWarning):
        made = medgauge.gold(frame, name="mine", language="de", resamples=9)
    assert (made.pairs.card.name, made.pairs.card.language) == ("mine", "de")


def test_ratings_without_terms_are_named_by_their_file(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("rater_A,rater_B\n1,2\n")
    with pytest.raises(
        InputError, match=r"the ratings of .*r\.csv have no terms: columns term_1 and term_2 are"
    ):
        medgauge.gold(path)


def planned(rows, number: int) -> Ratings:
    """Ratings whose card says how many were planned for each pair, as the export of a study does."""
    card = CARD.model_copy(update={"build": {STUDY: {PLANNED: number}}})
    return rated(rows, scale=(0, 6), card=card)


PARTIAL = [[1, NONE, NONE], [2, 3, NONE], [4, 4, 5]]


def test_a_single_rating_is_no_gold_where_several_were_planned():
    made = make_gold(planned(PARTIAL, 3))
    assert made.dropped == {"too_few_ratings": 1}
    assert made.pairs.card.build["min_ratings"] == 2
    assert made.pairs.card.build["ratings_per_pair"] == {"2": 1, "3": 1}
    assert made.single_note is None


@pytest.mark.parametrize(
    "ratings", [planned(PARTIAL, 1), rated(PARTIAL, scale=(0, 6))], ids=["one", "unknown"]
)
def test_a_single_rating_is_gold_with_a_note_where_no_more_are_known_to_be_planned(ratings):
    made = make_gold(ratings)
    assert len(made.pairs) == 3
    assert made.pairs.card.build["ratings_per_pair"] == {"1": 1, "2": 1, "3": 1}
    assert made.single_note == (
        "the gold of 1 of the 3 pairs of mine is a single rating; min_ratings=2 leaves such pairs out"
    )


def test_fewer_ratings_than_planned_can_be_asked_for():
    assert len(make_gold(planned(PARTIAL, 3), min_ratings=1).pairs) == 3


def test_where_all_have_a_single_rating_the_message_names_the_option():
    with pytest.raises(InputError, match=r"2 with too few ratings \(min_ratings=2\)"):
        make_gold(planned([[1, NONE, NONE], [NONE, 2, NONE]], 2))


def test_single_ratings_are_warned_of():
    table = pl.DataFrame(
        {
            "term_1": [f"a{place}" for place in range(14)],
            "term_2": [f"b{place}" for place in range(14)],
            "rater_A": [place % 5 for place in range(14)],
            "rater_B": [None, *((place * 3) % 5 for place in range(1, 14))],
        }
    )
    with pytest.warns(CoverageWarning, match="the gold of 1 of the 14 pairs of ratings is a single rating"):
        medgauge.gold(table, resamples=9)


def test_gold_says_how_reliable_the_mean_is_that_it_wrote():
    """With two or three ratings of a pair, and annotators who rate higher throughout: not ICC(C,k)."""
    rng = np.random.default_rng(1)
    values = rng.normal(size=(40, 1)) + [0, 1, 4] + 0.5 * rng.normal(size=(40, 3))
    values[::2, 2] = math.nan
    ratings = rated(values.tolist(), scale=(-9, 9))
    agreement = find_agreement(ratings, resamples=9)
    told = make_gold(ratings, agreement=agreement).pairs.card.build["reliability"]
    assert told["k"] == pytest.approx(2.4)
    assert told["g_qk"] == pytest.approx(agreement.g_qk, abs=1e-6)
    assert told["g_qk"] < agreement.icc_ck - 0.1
    assert told["ceiling"] == pytest.approx(math.sqrt(agreement.g_qk), abs=1e-6)
    low, high = told["intervals"]["g_qk"]
    assert 0 <= low < told["g_qk"] < high <= 1
    complete = make_gold(ratings, agreement=agreement, min_ratings=3).pairs.card.build["reliability"]
    assert complete["q"] == 0
    assert complete["g_qk"] > told["g_qk"]
