import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge.errors import CoverageWarning, InputError, UndefinedWarning, UnknownNameError
from medgauge.evaluation.evaluate import evaluate
from medgauge.evaluation.run import Run
from medgauge.inspection.worst_pairs import worst_pairs
from medgauge.pairs import Card, PairSet
from tests.models.small import OpenWords
from tests.runs import Laid, laid_run, pair_set
from tests.vectors import some_vectors, write_binary

STORED = Path(__file__).parents[1] / "fixtures" / "0.1.0"
NAN = float("nan")

rows = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 4)), min_size=3, max_size=12)


def slow_rank(value, values):
    """Count the higher values, and half of the other equal ones."""
    return 1 + sum(one > value for one in values) + (sum(one == value for one in values) - 1) / 2


def inspect(gold, systems, *, labelled=False, **options):
    """Return the one inspected set of a run with these scores."""
    run = laid_run(gold, systems, labelled=labelled)
    [found] = worst_pairs(run, datasets=pair_set(gold, labelled=labelled), **options).sets
    return found


def places(found):
    return [int(pair.pair_id) - 1 for pair in found.pairs]


@given(rows)
@pytest.mark.filterwarnings("ignore::medgauge.errors.UndefinedWarning")
def test_the_worst_pairs_are_those_whose_ranks_differ_most(drawn):
    gold, scores, _ = zip(*drawn, strict=True)
    found = inspect(gold, {"a": scores}, model="a", top=None)
    errors = [
        abs(slow_rank(one, gold) - slow_rank(two, scores)) for one, two in zip(gold, scores, strict=True)
    ]
    off = [place for place, error in enumerate(errors) if error]
    assert places(found) == sorted(off, key=lambda place: -errors[place])
    for pair, place in zip(found.pairs, places(found), strict=True):
        assert (pair.gold, pair.score) == (gold[place], scores[place])
        assert pair.gold_rank == slow_rank(gold[place], gold)
        assert pair.score_rank == slow_rank(scores[place], scores)
        assert pair.rank_error == errors[place]


@given(rows)
@pytest.mark.filterwarnings("ignore::medgauge.errors.UndefinedWarning")
def test_two_models_differ_most_where_their_ranks_do_and_the_nearer_one_is_named(drawn):
    gold, one, two = zip(*drawn, strict=True)
    found = inspect(gold, {"a": one, "b": two}, model="a", against="b", top=None)
    gaps = [abs(slow_rank(x, one) - slow_rank(y, two)) for x, y in zip(one, two, strict=True)]
    apart = [place for place, gap in enumerate(gaps) if gap]
    assert places(found) == sorted(apart, key=lambda place: -gaps[place])
    for pair, place in zip(found.pairs, places(found), strict=True):
        errors = [
            abs(slow_rank(scores[place], scores) - slow_rank(gold[place], gold)) for scores in (one, two)
        ]
        nearer = None if errors[0] == errors[1] else "a" if errors[0] < errors[1] else "b"
        assert (pair.other_score, pair.nearer) == (two[place], nearer)


def test_in_a_labelled_set_low_positives_and_high_negatives_are_worst():
    labels, scores = [1, 1, 1, 0, 0, 0], [0.9, 0.8, 0.1, 0.85, 0.2, 0.1]
    found = inspect(labels, {"a": scores}, labelled=True, model="a", top=3)
    assert [(pair.gold, pair.score) for pair in found.pairs] == [(1, 0.1), (0, 0.85), (1, 0.8)]
    assert [pair.wrong_side for pair in found.pairs] == pytest.approx([2.5 / 3, 2 / 3, 1 / 3])
    assert {pair.gold_rank for pair in found.pairs} == {None}


def test_with_labels_the_nearer_model_has_fewer_pairs_on_the_wrong_side():
    labels = [1, 1, 0, 0]
    found = inspect(
        labels, {"a": [4, 1, 3, 2], "b": [4, 3, 2, 1]}, labelled=True, model="a", against="b", top=1
    )
    assert [(pair.pair_id, pair.nearer) for pair in found.pairs] == [("2", "b")]


def test_a_set_of_one_label_has_no_wrong_side():
    with pytest.warns(UndefinedWarning):
        run = laid_run([1, 1, 1], {"a": [3, 2, 1]}, labelled=True)
    [found] = worst_pairs(run, model="a", datasets=pair_set([1, 1, 1], labelled=True)).sets
    assert found.pairs == []


def test_a_pair_without_an_error_is_not_a_worst_pair():
    assert places(inspect([1, 2, 3, 4], {"a": [1, 3, 2, 4]}, model="a")) == [1, 2]
    assert places(inspect([1, 2, 3], {"a": [1, 2, 3]}, model="a")) == []
    assert places(inspect([0, 0, 1, 1], {"a": [1, 2, 3, 4]}, labelled=True, model="a")) == []
    same = {"a": [2, 1, 3], "b": [4, 2, 6]}
    assert places(inspect([1, 2, 3], same, model="a", against="b")) == []


def test_models_are_named_in_any_case():
    gold = [1, 2, 3]
    run = laid_run(gold, {"Mine": [3, 2, 1], "Yours": [1, 3, 2]})
    found = worst_pairs(run, model="MINE", against="yours", datasets=pair_set(gold))
    assert (found.model, found.against) == ("Mine", "Yours")
    assert {pair.nearer for pair in found.sets[0].pairs} <= {"Mine", "Yours", None}
    with pytest.raises(InputError, match="against= names the same model"):
        worst_pairs(run, model="mine", against="MINE", datasets=pair_set(gold))


def test_only_pairs_that_every_model_can_score_are_ranked():
    gold = [1, 2, 3, 4, 5]
    systems = {"a": [1, 3, 5, NAN, 2], "b": [NAN, 2, 3, 4, 5]}
    with pytest.warns(CoverageWarning):
        run = laid_run(gold, systems)
    [found] = worst_pairs(run, model="a", datasets=pair_set(gold)).sets
    assert sorted(places(found)) == [1, 2, 4]
    assert (found.n, found.compared) == (5, 3)
    assert [(one.model, one.pairs, one.words) for one in found.uncovered] == [("a", 1, None)]


def test_the_pairs_of_a_filtered_and_limited_run_are_found_in_the_whole_set():
    pairs = pair_set(range(9), part=["x", "y", "x"] * 3)
    run = evaluate({"a": "random"}, pairs, where="part = 'x'", limit=4)
    [found] = worst_pairs(run, model="a", datasets=pairs).sets
    assert sorted(pair.pair_id for pair in found.pairs) == ["1", "3", "4", "6"]


@pytest.mark.filterwarnings("ignore::medgauge.errors.UndefinedWarning")
def test_each_pair_has_its_edits_and_the_spread_of_its_ratings():
    pairs = pair_set(
        range(4), rater_a=[1.0, 2.0, 3.0, 4.0], rater_b=[1.0, 4.0, 3.5, None], levenshtein=["x"] * 4
    )
    run = evaluate({"reversed": Laid([4, 3, 2, 1])}, pairs)
    [found] = worst_pairs(run, model="reversed", datasets=pairs).sets
    by_id = {pair.pair_id: pair for pair in found.pairs}
    assert [by_id[str(number)].rating_spread for number in (1, 2, 3, 4)] == [0, 2, 0.5, 0]
    assert {pair.edit_distance for pair in found.pairs} == {1}


def test_missing_words_and_subwords_are_named_from_the_set_at_hand(tmp_path):
    texts = [
        ("heart", "hearts", 1),
        ("heart", "attack", 2),
        ("x attack", "heart", 3),
        ("x y", "x", 0),
        ("x", "x", 4),
    ]
    pairs = PairSet.of(texts, card=Card(name="mine", title="mine"))
    with pytest.warns(CoverageWarning):
        evaluate([OpenWords()], pairs, measures=["avg_cos"], oov="skip-word", out=tmp_path / "run")
    [found] = worst_pairs(tmp_path / "run", model="open", datasets=pairs).sets
    assert {pair.pair_id: pair.missing for pair in found.pairs} == {"1": [], "2": [], "3": ["x"]}
    assert {pair.pair_id: pair.subwords for pair in found.pairs} == {"1": ["hearts"], "2": [], "3": []}
    assert [(one.pairs, one.words) for one in found.uncovered] == [(2, {"x": 2, "y": 1})]


def test_of_a_run_of_version_0_1_0_missing_words_are_not_known():
    sets = [STORED / "sets" / "graded.parquet", STORED / "sets" / "labelled.parquet"]
    graded, labelled = worst_pairs(STORED / "run", model="vectors", datasets=sets).sets
    assert graded.pairs
    assert labelled.pairs
    assert {pair.missing is None for one in (graded, labelled) for pair in one.pairs} == {True}
    assert [one.words for one in graded.uncovered] == [None]


def test_the_measure_is_chosen_for_the_inspected_models_alone(tmp_path):
    words = write_binary(tmp_path / "v.bin", some_vectors(*(f"{side}{n}" for n in range(9) for side in "ab")))
    pairs = pair_set(range(9))
    run = evaluate({"words": words, "texts": _Lengths()}, pairs, measures=["avg_cos", "fj", "cos"])

    def measure(model, chosen):
        [found] = worst_pairs(run, model=model, datasets=pairs, measure=chosen).sets
        return found.measure

    assert (measure("words", None), measure("words", "fj"), measure("texts", None)) == (
        "avg_cos",
        "fj",
        "cos",
    )
    assert measure("words", {"words": "fj"}) == "fj"
    assert measure("words", "best") in ("avg_cos", "fj")
    with pytest.raises(InputError, match="the run has no mj for words"):
        measure("words", "mj")


class _Lengths:
    def encode(self, texts):
        return np.array([[len(text), ord(text[0]), int(text[1:]) ** 2 % 7] for text in texts], float)


@pytest.mark.parametrize(
    ("options", "error", "complaint"),
    [
        ({"model": "aa"}, UnknownNameError, "there is no model of the run called 'aa'"),
        ({"model": "a", "against": "c"}, UnknownNameError, "there is no model of the run called 'c'"),
        ({"model": "a", "against": "a"}, InputError, "against= names the same model"),
        ({"model": "a", "top": 0}, InputError, "top= must be at least 1, not 0"),
        ({"model": "a", "measure": "cosin"}, UnknownNameError, "there is no measure 'cosin'"),
    ],
)
def test_what_cannot_be_inspected_is_one_sentence(options, error, complaint):
    run = laid_run([1, 2, 3], {"a": [1, 2, 3], "b": [3, 2, 1]})
    with pytest.raises(error, match=complaint):
        worst_pairs(run, datasets=pair_set([1, 2, 3]), **options)


@pytest.mark.parametrize("places", [[7], None])
def test_damaged_places_of_words_are_one_sentence(places):
    texts = [("heart", "attack", 1), ("heart", "heart", 2), ("attack", "heart attack", 3)]
    pairs = PairSet.of(texts, card=Card(name="mine", title="mine"))
    run = evaluate([OpenWords()], pairs, measures=["avg_cos"])
    scores = run.scores("open", "mine")
    damaged = pl.Series("missing_1", [places, [], []], scores["missing_1"].dtype)
    run.hold({("open", "mine"): scores.with_columns(damaged)}, {})
    with pytest.raises(InputError, match="name words that its terms do not have; evaluate again"):
        worst_pairs(run, model="open", datasets=pairs)


def test_a_stored_run_holds_no_term_and_its_worst_pairs_do(tmp_path):
    pairs = PairSet.of(
        [("zebrafish", "wombat", 1), ("wombat", "quoll", 2), ("quoll", "quoll", 3)],
        card=Card(name="mine", title="mine"),
    )
    evaluate("levenshtein", pairs, out=tmp_path / "run")
    found = worst_pairs(Run.load(tmp_path / "run"), model="levenshtein", datasets=pairs)
    assert "zebrafish" in json.dumps(json.loads(found.to_json()))
    for path in (tmp_path / "run").rglob("*.*"):
        assert b"zebrafish" not in path.read_bytes()
