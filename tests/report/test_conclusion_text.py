import numpy as np
import pytest
from scipy.stats import spearmanr

from medgauge.comparison.compare import compare
from medgauge.evaluation.evaluate import evaluate
from medgauge.evaluation.figures import best_figures
from medgauge.report.conclusion_text import conclusion_lines
from tests.runs import Laid, laid_run, noisy, pair_set
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
    assert compared(models, "abcd") == [
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
        "m6 has the most wins less losses of 7 models; it beats 3 of the 6 others on most sets, but not m5, "
        "m4, m3."
    )
    assert [line.split()[2] for line in lines[2:]] == ["m5", "m4", "m3", "m2"]


def test_no_single_model_leads_where_several_have_as_many_wins():
    many = {f"m{number}": Changing(*"abcd") for number in range(2)}
    many |= {f"m{number}": Changing() for number in range(2, 5)}
    lines = compared(many, "abcd")
    assert lines[1] == (
        "m0, m1 have the most wins less losses of 5 models, equally many; m0 beats 3 of the 4 others on most "
        "sets, but not m1."
    )


@pytest.mark.parametrize(
    ("systems", "said"),
    [
        (
            EQUAL,
            f"No model wins on mine: one is first (ρ {rho(EQUAL['one'])}), but not significantly better than "
            "two.",
        ),
        (
            {"one": noisy(GOLD, 20, 1), "two": GOLD},
            f"two beats one on mine: ρ 1.000 against {rho(noisy(GOLD, 20, 1))}, p = 0.002.",
        ),
        (
            {"one": noisy(GOLD, 20, 1), "two": GOLD, "three": noisy(GOLD, 30, 2)},
            "two wins on mine (ρ 1.000): it beats all 2 others.",
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
    run = evaluate(files, [pairs])
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
    assert lines[1].startswith("one: no measure wins on mine: ")
