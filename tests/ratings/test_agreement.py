"""agreement: undefined cases, who is left out, what stands out, and what must hold of every table."""

import json
import math
import warnings
from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from medgauge import Agreement, agreement
from medgauge.errors import InputError, UndefinedWarning, UnknownNameError
from medgauge.ratings.agreement import find_agreement
from medgauge.ratings.findings import HEADLINES, OVERALL
from medgauge.ratings.source import read_ratings

NAN = math.nan
NONE = "no pair has two ratings"
PANEL = np.array([[0, 0, 1], [1, 2, 1], [3, 3, 3], [2, 3, 2], [0, 1, 0], [3, 2, 3]] * 3, float)


def quick(ratings, **options) -> Agreement:
    return agreement(ratings, resamples=options.pop("resamples", 50), **options)


def told(ratings, **options) -> tuple[Agreement, list[str]]:
    """Give the agreement, and what was warned of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = quick(ratings, **options)
    assert {warning.category for warning in caught} <= {UndefinedWarning}
    return found, [str(warning.message) for warning in caught]


def undefined(found: Agreement) -> set[str]:
    return {name for name in HEADLINES if math.isnan(getattr(found, name))}


def test_one_annotator_leaves_everything_undefined():
    found, warned = told(PANEL[:, :1])
    assert undefined(found) == set(HEADLINES)
    assert (found.pairs, found.rated, found.rated_twice) == (18, 18, 0)
    assert found.intervals == {}
    assert warned == [
        f"{', '.join(list(OVERALL.values())[:-1])} and {OVERALL['mean_sd']} are undefined: {NONE}"
    ]
    assert found.undefined == dict.fromkeys(OVERALL, NONE)
    assert json.loads(found.to_json())["alpha"] is None


def test_no_pair_rated_twice():
    ratings = np.full((8, 2), NAN)
    ratings[:4, 0], ratings[4:, 1] = range(4), range(4)
    found, warned = told(ratings)
    assert undefined(found) == set(HEADLINES)
    assert [one.ratings for one in found.annotators] == [4, 4]
    assert found.pairwise == []
    assert [message.partition(":")[0] for message in warned] == [
        "annotators 1, 2 rated no pair that another annotator rated, so their agreement is unknown",
        f"{', '.join(list(OVERALL.values())[:-1])} and {OVERALL['mean_sd']} are undefined",
    ]


def test_all_ratings_equal():
    found, warned = told(np.full((12, 3), 2.0))
    assert undefined(found) == set(HEADLINES)
    assert found.mean_sd == 0
    assert [one.mean for one in found.annotators] == [2, 2, 2]
    assert found.undefined == dict.fromkeys(set(OVERALL) - {"mean_sd"}, "all 36 ratings are equal")
    [message] = warned
    assert message.endswith(" are undefined: all 36 ratings are equal")


def test_an_annotator_without_overlap_is_named_and_the_rest_computed():
    apart = np.full((24, 4), NAN)
    apart[:18, :3], apart[18:, 3] = PANEL, range(6)
    found, warned = told(apart)
    assert warned == ["annotator 4 rated no pair that another annotator rated, so their agreement is unknown"]
    alone = quick(PANEL)
    for name in set(HEADLINES) - {"icc_c1", "icc_ck"}:  # to which single ratings contribute
        assert getattr(found, name) == pytest.approx(getattr(alone, name)), name
    assert found.packed.icc_c1 == pytest.approx(alone.packed.icc_c1)
    assert math.isnan(found.annotators[3].alpha)
    assert found.annotators[3].ratings == 6


def test_an_annotator_who_rates_nothing_is_kept_and_named():
    found, warned = told(np.column_stack([PANEL, np.full(18, NAN)]))
    assert len(found.annotators) == 4
    assert any(message.startswith("annotator 4 ") for message in warned)


def test_perfect_agreement_is_one_in_every_figure():
    found, _ = told(np.repeat(np.arange(12.0)[:, None], 3, axis=1))
    assert all(getattr(found, name) == pytest.approx(1) for name in HEADLINES)


@given(
    arrays(
        np.float64,
        st.tuples(st.integers(2, 12), st.integers(2, 5)),
        elements=st.sampled_from([NAN, 0.0, 1.0, 2.0, 3.0]),
    ),
    st.randoms(),
    st.sampled_from(["nominal", "ordinal", "interval", "ratio"]),
)
@settings(max_examples=40, deadline=None)
def test_names_of_annotators_change_nothing_and_their_order_only_what_is_packed(ratings, random, level):
    order = list(range(ratings.shape[1]))
    random.shuffle(order)
    one, _ = told(ratings, level=level, resamples=2)
    other, _ = told(ratings[:, order], level=level, resamples=2)
    packed = {"kendall_w", "icc_c1", "icc_ck"}
    for name in set(HEADLINES) - packed:
        assert getattr(other, name) == pytest.approx(getattr(one, name), abs=1e-9, nan_ok=True), name
    by_panel = one.by_panel.model_dump(exclude={"intervals"})
    for name, value in other.by_panel.model_dump(exclude={"intervals"}).items():
        assert value == pytest.approx(by_panel[name], abs=1e-9, nan_ok=True), name
    renamed, _ = told(pl.DataFrame(ratings, [f"rater_{k}x" for k in order], orient="row"), resamples=2)
    again, _ = told(pl.DataFrame(ratings, [f"rater_{k}" for k in order], orient="row"), resamples=2)
    without_names = {
        *("annotators", "pairwise", "standing_out", "best_annotator", "best_annotator_excluding_self")
    }
    assert renamed.model_dump_json(exclude=without_names) == again.model_dump_json(exclude=without_names)


def test_leaving_an_annotator_out_is_not_having_them():
    found = quick(PANEL, without=["2"])
    without = quick(PANEL[:, [0, 2]])
    assert found.left_out == ["2"]
    assert [one.name for one in found.annotators] == ["1", "3"]
    assert found.alpha == without.alpha
    assert found.intervals == without.intervals


@pytest.mark.parametrize("name", ["B", " rater_B", "RATER_B"])
def test_an_annotator_may_be_called_as_their_column_is(name):
    frame = pl.DataFrame(PANEL, ["rater_A", "rater_B", "Rater_C"], orient="row")
    for without in (name, [name]):
        found = quick(frame, without=without)
        assert [one.name for one in found.annotators] == ["A", "C"]
        assert found.left_out == [name]


@pytest.mark.parametrize("given", [PANEL.tolist(), None, {"rater_A": 1}])
def test_what_is_no_table_is_refused(given):
    with pytest.raises(InputError, match="ratings must be a published set's name, a file"):
        quick(given)


def test_in_many_small_groups_intervals_are_the_jackknifes():
    """Resampling shifts a mean over many small groups, further than the bootstrap can put right."""
    rng = np.random.default_rng(0)
    ratings = np.full((20 * 12, 20 * 4), NAN)
    for group in range(20):
        true = rng.integers(0, 7, (12, 1))
        block = np.clip(true + rng.integers(-2, 3, (12, 4)), 0, 6)
        ratings[group * 12 : group * 12 + 12, group * 4 : group * 4 + 4] = block
    found = quick(ratings, resamples=500)
    assert "iaa_2" in found.jackknifed
    assert "alpha" not in found.jackknifed
    low, high = found.intervals["iaa_2"]
    assert low < found.iaa_2 < high
    assert math.atanh(found.iaa_2) - math.atanh(low) == pytest.approx(
        math.atanh(high) - math.atanh(found.iaa_2)
    )


def test_an_unknown_annotator_is_refused():
    with pytest.raises(UnknownNameError, match="there is no annotator 'Z'"):
        quick(PANEL, without=["Z"])
    with pytest.raises(InputError, match="no annotator is left"):
        quick(PANEL, without=["1", "2", "3"])


def test_the_same_seed_gives_the_same_bytes():
    assert quick(PANEL, seed=4).to_json() == quick(PANEL, seed=4).to_json()
    assert quick(PANEL, seed=4).intervals != quick(PANEL, seed=5).intervals


def groups(noisy: int | None = None, pairs: int = 30, shared: int = 12) -> np.ndarray:
    """Two groups of four annotators with pairs of their own, and a consistency set in front."""
    rng = np.random.default_rng(8)
    true = rng.integers(0, 7, 2 * pairs + shared)[:, None]
    ratings = np.clip(true + rng.integers(-1, 2, (len(true), 8)), 0, 6).astype(float)
    if noisy is not None:
        ratings[:, noisy] = rng.integers(0, 7, len(true))
    ratings[shared : shared + pairs, 4:] = NAN
    ratings[shared + pairs :, :4] = NAN
    return ratings


def test_a_consistency_set_is_told_and_left_out_of_the_rest():
    ratings = groups()
    found = quick(ratings)
    assert found.groups == 2
    assert [one.group for one in found.annotators] == [1] * 4 + [2] * 4
    assert found.consistency is not None
    assert found.consistency.pairs == 12
    own = quick(ratings[12:])
    assert found.alpha == own.alpha
    assert found.iaa_1 == own.iaa_1
    assert found.intervals == own.intervals
    assert found.consistency.alpha == quick(ratings[:12]).alpha
    assert found.standing_out == []


def test_an_annotator_at_random_stands_out_on_the_consistency_set():
    ratings = groups(noisy=5)
    found = quick(ratings)
    [one] = found.standing_out
    assert one.name == "6"
    on_set = quick(ratings[:12])
    assert one.iaa_1 == pytest.approx(on_set.annotators[5].rho)
    assert one.median == pytest.approx(np.median([each.rho for each in on_set.annotators]))
    without = quick(np.delete(ratings[12:], 5, axis=1))
    assert one.without.alpha == without.alpha
    assert one.without.iaa_2 == without.iaa_2
    assert found.without_all is None
    assert len(found.annotators) == 8


def test_two_who_stand_out_are_told_with_the_figures_without_both():
    ratings = groups(noisy=5)
    ratings[~np.isnan(ratings[:, 0]), 0] = np.random.default_rng(1).integers(0, 7, 42)
    found = quick(ratings)
    assert {one.name for one in found.standing_out} == {"1", "6"}
    assert found.without_all is not None
    assert found.without_all.alpha == quick(np.delete(ratings[12:], [0, 5], axis=1)).alpha


def rated_frame() -> pl.DataFrame:
    return pl.DataFrame(
        {
            "term_1": ["flu", "gout", "asthma", "otitis media", "fever"] * 3,
            "term_2": ["influenza", "arthritis", "copd", "ear infection", "pyrexia"] * 3,
            "kind": ["easy", "hard", "hard", "hard", "easy"] * 3,
            "rater_A": [6, 3, 2, 5, 6] * 3,
            "rater_B": [5, 0, 4, 5, None] * 3,
            "rater_C": [6, 3, 0, 4, None] * 3,
        }
    )


def test_disagreement_by_a_column_is_worked_by_hand():
    """Easy: (6, 5, 6), √(1/3), as (6) has none. Hard: (3, 0, 3), √3; (2, 4, 0), 2; (5, 5, 4), √(1/3)."""
    found = quick(rated_frame(), by="kind")
    assert found.by == "kind"
    easy, hard = found.subsets
    assert (easy.subset, easy.pairs, hard.subset, hard.pairs) == ("easy", 3, "hard", 9)
    assert easy.mean_sd == pytest.approx(math.sqrt(1 / 3))
    assert hard.mean_sd == pytest.approx((math.sqrt(3) + 2 + math.sqrt(1 / 3)) / 3)
    assert math.isnan(easy.low)  # of three pairs
    # Student's t with 8 degrees of freedom, 2.306, on the scale of the logarithm.
    values = [math.sqrt(3), 2, math.sqrt(1 / 3)] * 3
    times = math.exp(2.306 * np.std(values, ddof=1) / 3 / hard.mean_sd)
    assert (hard.low, hard.high) == pytest.approx((hard.mean_sd / times, hard.mean_sd * times), abs=1e-3)
    assert found.mean_sd == pytest.approx((3 * easy.mean_sd + 9 * hard.mean_sd) / 12)


def test_disagreement_by_an_attribute_of_both_words(tmp_path):
    """Table 10 and 11 of Chiu et al.: both words in the same interval."""
    words = {"flu": 1, "influenza": 2, "gout": 50, "arthritis": 3, "asthma": 60, "copd": 70, "fever": 1}
    path = tmp_path / "frequency.csv"
    path.write_text("word,frequency\n" + "".join(f"{word},{count}\n" for word, count in words.items()))
    found = quick(rated_frame(), by="frequency", attributes=path, bins=[0, 10, 100])
    assert [(one.subset, one.pairs) for one in found.subsets] == [("[0, 10)", 3), ("[10, 100]", 3)]
    assert [one.mean_sd for one in found.subsets] == pytest.approx([math.sqrt(1 / 3), 2])


def test_subsets_need_terms_and_pairs_rated_twice():
    with pytest.raises(InputError, match="have no terms"):
        quick(PANEL, by="words")
    found, warned = told(rated_frame().drop("rater_B", "rater_C"), by="kind")
    assert found.subsets == []
    assert found.undefined["subsets"] == NONE
    [message] = warned
    assert message.endswith(f"and disagreement by kind are undefined: {NONE}")


def test_verdicts_are_nominal_and_have_their_table():
    frame = pl.DataFrame(
        {
            "set": ["x", "x", "y", "y"] * 3,
            "label": [1, 0, 1, 0] * 3,
            "rater_A": ["same", "not same", "same", "not same"] * 3,
            "rater_B": ["same", "not same", "not same", "not same"] * 3,
            "rater_C": ["same", "same", "don't know", "not same"] * 3,
        }
    )
    found = quick(frame)
    assert found.level == "nominal"
    assert [(one.set, one.pairs, one.without_truth) for one in found.verdicts] == [
        ("x", 6, 0),
        ("y", 6, 3),
        ("all sets", 12, 3),
    ]
    assert [one.unsure for one in found.annotators] == [0, 0, 3]
    assert quick(frame, level="ordinal").level == "ordinal"


@pytest.mark.parametrize("resamples", [0, -3, 10**12])
def test_resamples_are_one_to_a_million(resamples):
    with pytest.raises(InputError, match="between 1 and 1,000,000"):
        quick(PANEL, resamples=resamples)


def test_one_number_may_stand_for_no_rating():
    marked = np.where(np.arange(54).reshape(18, 3) % 5 == 0, -9, PANEL)
    blank = np.where(marked == -9, NAN, marked)
    assert (
        told(marked, not_rated=-9)[0].alpha == told(marked, not_rated=[-9])[0].alpha == told(blank)[0].alpha
    )


def test_panels_of_few_pairs_have_no_average():
    """Three of five annotators rate each of 40 pairs: ten panels of four pairs."""
    rng = np.random.default_rng(5)
    ratings = np.clip(rng.integers(0, 4, (40, 1)) + rng.integers(-1, 2, (40, 5)), 0, 3).astype(float)
    for row, two in enumerate(list(combinations(range(5), 2)) * 4):
        ratings[row, list(two)] = NAN
    found = quick(ratings)
    assert (found.packed.pairs, found.packed.panels, found.packed.raters) == (40, 10, 3)
    assert found.by_panel.panels == 0
    assert math.isnan(found.by_panel.icc_c1)
    large = quick(np.repeat(ratings, 8, axis=0))
    assert (large.by_panel.panels, large.by_panel.pairs) == (10, 320)


def test_each_reason_is_warned_of_once_with_the_figures_that_it_leaves_undefined():
    """Nine pairs are too few for a best annotator, and of nothing else."""
    _, warned = told(PANEL[:9])
    assert warned == [
        "best annotator and best annotator, own rating excluded are undefined: "
        "no annotator has 10 pairs that another rated"
    ]


def test_the_confidence_widens_all_intervals():
    frame = rated_frame().with_columns(set=pl.lit("x"))
    ninety, ninety_five, most = (
        quick(frame, by="kind", resamples=999, confidence=confidence) for confidence in (0.9, 0.95, 0.995)
    )
    assert ninety_five.to_json() == quick(frame, by="kind", resamples=999).to_json()
    assert (ninety.confidence, most.estimates["alpha"].confidence) == (0.9, 0.995)
    for narrow, wide in ((ninety, ninety_five), (ninety_five, most)):
        for name in ("alpha", "iaa_1", "icc_ck"):
            assert wide.intervals[name][0] < narrow.intervals[name][0]
            assert wide.intervals[name][1] > narrow.intervals[name][1]
        assert wide.packed.intervals["icc_1"][0] < narrow.packed.intervals["icc_1"][0]
        assert wide.subsets[1].low < narrow.subsets[1].low
        assert wide.alpha == narrow.alpha


def test_the_confidence_is_that_of_labels_against_verdicts_too():
    frame = pl.DataFrame({f"rater_{name}": ["same", "not same", "same"] * 4 for name in "AB"})
    frame = frame.with_columns(label=pl.Series([1, 0, 0] * 4))
    narrow, wide = (told(frame, confidence=confidence)[0].verdicts[0] for confidence in (0.8, 0.95))
    assert wide.intervals["accuracy"][0] < narrow.intervals["accuracy"][0]


@pytest.mark.parametrize("confidence", [0, 1, -0.5, 95, NAN])
def test_a_confidence_lies_between_0_and_1(confidence):
    with pytest.raises(InputError, match="the confidence must be between 0 and 1"):
        quick(PANEL, confidence=confidence)


def test_finding_agreement_itself_warns_of_nothing():
    """Warnings are for the whole process, and a server finds agreement in several threads."""
    ratings = read_ratings(np.column_stack([np.full((12, 2), 2.0), np.full(12, NAN)]))
    found = find_agreement(ratings, resamples=9)  # a warning is an error here
    assert found.notes == [
        "annotator 3 rated no pair that another annotator rated, so their agreement is unknown"
    ]
    assert len(found.undefined) == 11


def test_an_unknown_level_is_refused():
    with pytest.raises(UnknownNameError, match="level"):
        quick(PANEL, level="ordnal")


def test_of_many_annotators_the_best_has_no_interval():
    """The best of 60 who answer at random is so by chance, and better still on each resample."""
    ratings = np.random.default_rng(0).integers(0, 4, (40, 60)).astype(float)
    found = quick(ratings, resamples=300)
    assert "human_upper_bound" not in found.intervals
    assert "alpha" in found.intervals


def test_disagreement_has_no_interval_below_zero():
    """Ratings that differ on one pair of six: the mean ± t s reached below 0."""
    frame = pl.DataFrame(
        {
            "term_1": [f"term {number}" for number in range(6)],
            "term_2": ["flu"] * 6,
            "kind": ["one"] * 6,
            "rater_A": [1, 2, 3, 1, 2, 3],
            "rater_B": [1, 2, 3, 1, 2, 0],
        }
    )
    [one] = told(frame, by="kind")[0].subsets
    assert 0 < one.low < one.mean_sd < one.high


def five_annotators() -> np.ndarray:
    rng = np.random.default_rng(3)
    return np.clip(rng.integers(0, 4, (40, 1)) + rng.integers(-1, 2, (40, 5)), 0, 3).astype(float)


def test_from_five_annotators_up_there_are_intervals_over_annotators():
    found = quick(five_annotators())
    assert set(found.over_annotators) == {"alpha", "icc_c1", "icc_ck", "mean_rho"}
    assert found.annotator_blocks == 5
    for name, (low, high) in found.over_annotators.items():
        assert low < found.figure(name) < high, name
    assert quick(five_annotators()[:, :4]).over_annotators == {}
    wider = quick(five_annotators(), confidence=0.99)
    assert wider.over_annotators["alpha"][0] < found.over_annotators["alpha"][0]


def test_annotators_who_all_agree_have_no_interval_over_annotators_but_a_reason():
    found = quick(np.repeat(np.arange(40.0)[:, None], 5, axis=1))
    assert found.over_annotators == {}
    for name in ("alpha", "icc_c1", "icc_ck", "mean_rho"):
        assert found.no_interval[f"over_annotators_{name}"].startswith("it is not between")


def test_without_enough_pairs_the_reason_is_stored():
    found, _ = told(PANEL[:4])
    assert found.intervals == {}
    assert found.no_interval["alpha"] == found.no_interval["packed_icc_c1"] == "fewer than 5 pairs"
    assert Agreement.model_validate_json(found.to_json()).no_interval == found.no_interval


def unequal() -> np.ndarray:
    """The two annotators of tests/stats/raters/test_kappa.py, whose ratings are 0, 1, 2, 5 and 10."""
    first = [0, 0, 1, 2, 2, 5, 10, 10, 5, 1, 0, 10, 2, 5]
    return np.array([first, [0, 1, 1, 2, 5, 5, 10, 5, 2, 0, 0, 10, 2, 10]], float).T


def test_the_weights_of_kappa_go_by_the_value_or_by_the_category():
    by_value, by_index = (quick(unequal(), kappa_distance=distance) for distance in ("value", "index"))
    assert (by_value.kappa_distance, by_index.kappa_distance) == ("value", "index")
    assert quick(unequal()).kappa_distance == "value"
    assert by_index.pairwise[0].kappa_quadratic == pytest.approx(0.896296296296)  # psych's
    assert by_value.pairwise[0].kappa_quadratic != pytest.approx(0.896296296296, abs=0.01)
    assert by_index.pairwise[0].kappa == by_value.pairwise[0].kappa
    assert by_index.annotators[0].kappa_quadratic == by_index.pairwise[0].kappa_quadratic


def test_the_categories_are_all_whole_numbers_of_a_scale():
    """From 0 to 10, categories are as far apart as values; half points have no such categories."""
    on_scale, by_value = (
        quick(unequal(), scale=(0, 10), kappa_distance=distance).pairwise[0]
        for distance in ("index", "value")
    )
    assert on_scale.kappa_quadratic == by_value.kappa_quadratic
    halves = quick(unequal() / 2, scale=(0, 10), kappa_distance="index").pairwise[0]
    assert halves.kappa_quadratic == pytest.approx(0.896296296296)


def test_an_unknown_distance_is_refused():
    with pytest.raises(UnknownNameError, match="kappa_distance"):
        quick(PANEL, kappa_distance="rank")
