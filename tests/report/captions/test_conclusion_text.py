import itertools
import math

import numpy as np
import pytest
from scipy.stats import spearmanr

from medgauge.comparison.compare import compare
from medgauge.comparison.comparison import Comparison, Contest, Difference, System
from medgauge.evaluation.evaluate import evaluate
from medgauge.evaluation.figures import best_figures
from medgauge.report.captions.conclusion_text import conclusion_lines
from tests.runs import Laid, laid_run, noisy, pair_set, word_pairs
from tests.vectors import some_vectors, write_binary

GOLD = np.tile(np.arange(5.0), 30)
EQUAL = {"one": noisy(GOLD, 2, 1), "two": noisy(GOLD, 2, 1)}


def rho(scores):
    return f"{spearmanr(GOLD, scores).statistic:.3f}"


class Changing(Laid):
    """A model that is good on some sets and poor on the others."""

    def __init__(self, *good_on):
        super().__init__(noisy(GOLD, 0.5, len(good_on)))
        self.good_on = good_on
        self.seed = len(good_on)

    def score(self, pairs):
        return self._scores if pairs.card.name in self.good_on else noisy(GOLD, 30, self.seed)


def compared(models, names, **options):
    sets = [pair_set(GOLD, name=name) for name in names]
    return conclusion_lines(compare(evaluate(models, sets), **{"resamples": 999, **options}))


def test_two_models_on_several_sets_get_wins_losses_and_undecided():
    models = {"rare": Changing("c"), "often": Changing("a", "b")}
    assert compared(models, "abcd", alpha=0.01) == [
        "Compared by ρ on 4 sets.",
        "often beats rare on 2 sets, loses on 1, undecided on 1.",
    ]


def test_models_that_are_never_told_apart_are_undecided_on_all_sets():
    models = {name: Laid(scores) for name, scores in EQUAL.items()}
    assert compared(models, "ab")[1:] == ["one and two: undecided on both sets."]


def test_every_two_of_a_few_models_are_named_and_only_the_closest_of_many():
    few = {f"m{number}": Changing(*"abcdef"[:number]) for number in range(3)}
    assert len(compared(few, "abcdef")) == 1 + 3
    many = {f"m{number}": Changing(*"abcdef"[:number]) for number in range(7)}
    lines = compared(many, "abcdef")
    assert len(lines) == 1 + 1 + 4
    assert lines[1] == (
        "m6 has the most wins minus losses of 7 models; it beats 3 of the 6 others on most sets, but not m5, "
        "m4, m3."
    )
    assert [line.split()[2] for line in lines[2:]] == ["m5", "m4", "m3", "m2"]


def test_no_single_model_leads_where_several_have_as_many_wins():
    many = {f"m{number}": Changing(*"abcd") for number in range(2)}
    many |= {f"m{number}": Changing() for number in range(2, 5)}
    lines = compared(many, "abcd")
    assert lines[1] == (
        "m0 and m1 have the most wins minus losses of 5 models, equally many; m0 beats 3 of the 4 others on "
        "most sets, but not m1."
    )


@pytest.mark.parametrize(
    ("systems", "said"),
    [
        (
            EQUAL,
            f"one and two share the first place on mine (ρ {rho(EQUAL['one'])}).",
        ),
        (
            {"one": noisy(GOLD, 20, 1), "two": GOLD},
            f"two beats one on mine: ρ 1.000 against {rho(noisy(GOLD, 20, 1))}, p ≤ 0.001.",
        ),
        (
            {"one": noisy(GOLD, 20, 1), "two": GOLD, "three": noisy(GOLD, 30, 2)},
            "two wins on mine (ρ 1.000): it beats both others.",
        ),
    ],
)
def test_on_one_set_the_winner_is_named_or_that_there_is_none(systems, said):
    assert conclusion_lines(compare(laid_run(GOLD, systems), resamples=999))[1:] == [said]


@pytest.fixture
def two_files(tmp_path):
    pairs = pair_set(GOLD)
    return pairs, [
        write_binary(tmp_path / f"{name}.bin", some_vectors(*pairs.terms, dim=12, seed=seed))
        for seed, name in ((0, "one"), (2, "two"))
    ]


def test_a_winner_that_evaluate_shows_with_another_measure_is_named(two_files):
    pairs, files = two_files
    run = evaluate(files, [pairs], measures="best")
    top = max(best_figures(run.figures).values(), key=lambda figure: figure.value)
    found = {name: conclusion_lines(compare(run, measure=name, resamples=99)) for name in run_measures(run)}
    first = {
        name: max((one for one in run.figures if one.measure == name), key=lambda one: one.value).model
        for name in found
    }
    assert set(first.values()) == {"one", "two"}
    for name, lines in found.items():
        assert lines[0] == f"Compared by ρ on 1 set, with the measure {name}."
        others = [line for line in lines if "evaluate" in line]
        assert len(others) == (first[name] != top.model)
        for line in others:
            assert line == (
                "The table of evaluate has another model on top on mine, because it shows each model's best "
                f"measure: on mine {top.model} with {top.measure} ({top.value:.3f})."
            )


def test_no_other_winner_is_named_where_both_figures_print_equal():
    pairs = word_pairs(count=150)
    vectors = some_vectors(*pairs.terms, dim=6)
    rng = np.random.default_rng(15)
    moved = {word: vector + 0.002 * rng.normal(size=6) for word, vector in vectors.items()}
    run = evaluate({"one": vectors, "two": moved}, pairs, measures=["avg_cos", "fj"])
    values = {(one.model, one.measure): one.value for one in run.figures}
    assert values["one", "fj"] > values["two", "fj"] > 0.0105 > 0 > values["two", "avg_cos"]
    assert values["two", "avg_cos"] > values["one", "avg_cos"]
    assert f"{values['one', 'fj']:.3f}" == f"{values['two', 'fj']:.3f}"
    [contest] = compare(run, measure="avg_cos", resamples=99).contests
    assert contest.systems[0].model == "two"
    assert contest.other_winner is None


def run_measures(run):
    return list(dict.fromkeys(figure.measure for figure in run.figures))


def test_measures_are_named_for_their_models_where_they_differ(two_files):
    pairs, files = two_files
    run = evaluate(files, [pairs])
    lines = conclusion_lines(compare(run, measure={"one": "fj", "two": "mj"}, resamples=99))
    assert lines[0] == "Compared by ρ on 1 set, with fj for one; mj for two."
    lines = conclusion_lines(compare(run, measure="best", resamples=99))
    assert lines[0].endswith("each model with its best measure, chosen on the same pairs.")


def test_the_measures_of_a_model_get_one_sentence_each(two_files):
    pairs, files = two_files
    lines = conclusion_lines(compare(evaluate(files, [pairs]), by="measure", resamples=4999))
    assert [line.split(":")[0] for line in lines] == ["Compared", "one", "two"]
    assert lines[1].startswith("one: avg_kendall and pair_kendall share the first place on mine (ρ ")


P_VALUES = {"better": 0.01, "worse": 0.01, "undecided": 0.5, "untested": math.nan}


def contest(dataset, values, verdicts=None):
    """Make a contest between systems with these figures; differences without a verdict are undecided."""
    differences, wins, losses = [], dict.fromkeys(values, 0), dict.fromkeys(values, 0)
    for one, two in itertools.combinations(values, 2):
        verdict = (verdicts or {}).get(one + two, "undecided")
        p = P_VALUES[verdict]
        if p < 0.05:
            winner, loser = (one, two) if values[one] > values[two] else (two, one)
            wins[winner] += 1
            losses[loser] += 1
        named = {"model_1": one, "measure_1": "score", "model_2": two, "measure_2": "score"}
        numbers = {"value": values[one] - values[two], "low": 0, "high": 0, "p": p, "p_adjusted": p}
        differences.append(Difference(**named, **numbers, significant=p < 0.05))
    names = sorted(values, key=lambda name: -values[name])
    systems = [
        System(
            model=name,
            measure="score",
            value=values[name],
            low=0,
            high=1,
            rank=1 + sum(value > values[name] for value in values.values()),
            rank_low=1,
            rank_high=len(names),
            letters="a",
            wins=wins[name],
            losses=losses[name],
        )
        for name in names
    ]
    return Contest(
        dataset=dataset,
        metric="spearman",
        model=None,
        pairs=50,
        groups=None,
        test="BCa bootstrap",
        resamples=999,
        tests=len(differences),
        level=0.05,
        systems=systems,
        differences=differences,
    )


def concluded(*contests):
    return conclusion_lines(
        Comparison(
            by="model",
            alpha=0.05,
            correction="none",
            family="dataset",
            clustered_by=None,
            chosen_on_test_data=False,
            seed=0,
            contests=list(contests),
            spreads=[],
        )
    )


def on_set(number, verdict):
    """Make a contest in which A does so against B; or, with C in the place of B, is not compared with it."""
    second = "C" if verdict == "absent" else "B"
    figure = 0.6 if verdict == "worse" else 0.4
    return contest(f"s{number}", {"A": 0.5, second: figure}, {f"A{second}": verdict} if second == "B" else {})


@pytest.mark.parametrize(
    ("verdicts", "said"),
    [
        ("better better", "A beats B on both sets."),
        ("better better better", "A beats B on all 3 sets."),
        ("better worse worse", "B beats A on 2 sets, loses on 1."),
        ("better undecided undecided", "A beats B on 1 set, undecided on 2."),
        ("better worse undecided", "A beats B on 1 set, loses on 1, undecided on 1."),
        ("better untested", "A beats B on 1 set, not tested on 1."),
        ("better absent", "A beats B on the only set on which both have figures."),
        ("better better absent", "A beats B on the 2 sets on which both have figures."),
        ("better undecided absent", "A beats B on 1 set, undecided on 1, not compared on 1."),
        ("undecided undecided", "A and B: undecided on both sets."),
        ("undecided undecided undecided", "A and B: undecided on all 3 sets."),
        ("undecided untested untested", "A and B: undecided on 1 set, not tested on 2."),
        ("undecided untested absent", "A and B: undecided on 1 set, not tested on 1, not compared on 1."),
        ("undecided undecided absent", "A and B: undecided on the 2 sets on which both have figures."),
        ("untested untested", "A and B: not tested on both sets."),
        ("untested absent", "A and B: not tested on the only set on which both have figures."),
        ("worse undecided absent", "B beats A on 1 set, undecided on 1, not compared on 1."),
    ],
)
def test_two_models_are_said_to_do_what_they_did_and_nothing_else(verdicts, said):
    lines = concluded(*(on_set(number, verdict) for number, verdict in enumerate(verdicts.split())))
    assert [line for line in lines if "A" in line and "B" in line] == [said]


def test_of_every_three_sets_the_numbers_in_a_sentence_add_up():
    for verdicts in itertools.product(["better", "worse", "undecided", "untested", "absent"], repeat=3):
        lines = concluded(*(on_set(number, verdict) for number, verdict in enumerate(verdicts)))
        found = [line for line in lines if "A" in line and "B" in line]
        assert len(found) == (verdicts.count("absent") < 3)
        for line in found:
            assert " 0 " not in line
            named = [int(word.strip(",.")) for word in line.split() if word.strip(",.").isdigit()]
            one_kind = len({*verdicts} - {"absent"}) == 1
            if one_kind and verdicts.count("absent") == 2:
                assert line.endswith("on the only set on which both have figures.")
            else:
                assert sum(named) == (3 - verdicts.count("absent") if one_kind else 3)


def test_the_first_model_of_all_that_loses_to_another_is_not_said_to_beat_it():
    lines = concluded(
        contest("s1", {"A": 0.5, "B": 0.6, "C": 0.1}, {"AB": "worse", "AC": "better"}),
        contest("s2", {"A": 0.5, "B": 0.4, "C": 0.1}, {"AC": "better"}),
    )
    assert lines[1:] == [
        "A loses to B on 1 set, undecided on 1.",
        "A beats C on both sets.",
        "B and C: undecided on both sets.",
    ]


def test_models_without_a_common_set_are_not_undecided_on_0_sets():
    lines = concluded(contest("s1", {"A": 0.5, "B": 0.4}), contest("s2", {"B": 0.5, "C": 0.4}))
    assert "A and C: not compared on any set." in lines


@pytest.mark.parametrize(
    ("values", "verdicts", "said"),
    [
        (
            {"A": 0.5, "B": 0.4, "C": 0.3},
            {"AB": "untested", "AC": "better"},
            "No model wins on s: A is first (ρ 0.500), but not tested against B.",
        ),
        (
            {"A": 0.5, "B": 0.4, "C": 0.3},
            {"AB": "untested"},
            "No model wins on s: A is first (ρ 0.500), but not significantly better than C and not tested "
            "against B.",
        ),
        (
            {"A": 0.5, "B": 0.5, "C": 0.3},
            {"AC": "better", "BC": "better"},
            "A and B share the first place on s (ρ 0.500); both beat C.",
        ),
        (
            {"A": 0.5, "B": 0.5, "C": 0.3},
            {"AC": "better"},
            "A and B share the first place on s (ρ 0.500), but are not both significantly better than C.",
        ),
        (
            {"A": 0.5, "B": 0.5, "C": 0.3},
            {"AC": "better", "BC": "untested"},
            "A and B share the first place on s (ρ 0.500), but are not both tested against C.",
        ),
        (
            {"A": 0.5, "B": 0.5, "C": 0.5},
            {},
            "A, B, C share the first place on s (ρ 0.500).",
        ),
    ],
)
def test_on_one_set_a_shared_place_and_a_missing_test_are_said(values, verdicts, said):
    assert concluded(contest("s", values, verdicts))[1:] == [said]


@pytest.mark.parametrize(
    ("verdict", "said"),
    [
        ("undecided", "No difference between the 5 models is significant on any set."),
        ("untested", "No difference between the 5 models was tested on any set."),
    ],
)
def test_no_model_of_many_leads_where_nothing_is_significant(verdict, said):
    values = {name: number / 10 for number, name in enumerate("ABCDE")}
    verdicts = dict.fromkeys(map("".join, itertools.combinations(values, 2)), verdict)
    lines = concluded(*(contest(name, values, verdicts) for name in ("s1", "s2")))
    assert lines[1] == said
    some = concluded(contest("s1", values, {"AB": "untested"}), contest("s2", values))
    assert some[1] == (
        "No difference between the 5 models is significant on any set; 1 of 20 were not tested."
    )
