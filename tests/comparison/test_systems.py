import numpy as np
import pytest

from medgauge.comparison.systems import known_choice, measure_of, parse_choice
from medgauge.errors import InputError, UnknownNameError
from medgauge.evaluation.evaluate import evaluate
from medgauge.progress import hearing
from tests.runs import Laid, pair_set
from tests.vectors import some_vectors, write_binary


class Encoder:
    def encode(self, texts):
        return np.random.default_rng(len(texts)).standard_normal((len(texts), 6))


@pytest.fixture
def run(tmp_path):
    pairs = pair_set(range(12))
    words = write_binary(tmp_path / "w2v.bin", some_vectors(*pairs.terms))
    return evaluate({"w2v": words, "encoder": Encoder(), "laid": Laid(np.arange(12.0))}, [pairs])


def chosen(run, choice):
    choice = known_choice(run, choice)
    return measure_of(run, choice, "mine", "spearman")


def test_without_a_choice_the_standard_measures_are_taken(run):
    assert chosen(run, None) == {"w2v": "avg_cos", "encoder": "cos", "laid": "score"}


def test_a_measure_for_each_kind_of_model(run):
    choice = parse_choice("words=fj,vectors=kendall", [])
    assert chosen(run, choice) == {"w2v": "fj", "encoder": "kendall", "laid": "score"}


def test_a_model_by_name_comes_before_its_kind(run):
    choice = parse_choice("words=fj, w2v=mj", ["w2v"])
    assert chosen(run, choice) == {"w2v": "mj", "encoder": "cos", "laid": "score"}


def test_best_is_the_highest_figure(run):
    figures = {figure.measure: figure.value for figure in run.figures if figure.model == "encoder"}
    assert chosen(run, "best")["encoder"] == max(figures, key=lambda name: round(figures[name], 3))


def test_one_measure_for_all_has_to_be_there_for_all(run):
    with pytest.raises(InputError, match=r"the run has no fj for encoder .*'encoder=cos'"):
        chosen(run, "fj")


def test_a_run_with_one_measure_needs_no_choice(tmp_path):
    pairs = pair_set(range(12))
    words = write_binary(tmp_path / "w2v.bin", some_vectors(*pairs.terms))
    run = evaluate([words], [pairs], measures="mj")
    assert chosen(run, None) == {"w2v": "mj"}


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ("cosinus", "there is no measure 'cosinus'"),
        ("words=cosinus", "there is no measure 'cosinus'"),
        ("word=fj", "there is no model or kind of model 'word'; did you mean 'words'"),
    ],
)
def test_unknown_names_are_named(run, given, complaint):
    with pytest.raises(UnknownNameError, match=complaint):
        chosen(run, parse_choice(given, ["w2v"]))


@pytest.mark.parametrize("given", ["words=", "=fj", "words=fj,", "words=fj,mj"])
def test_a_choice_that_cannot_be_read_says_how_to_write_it(given):
    with pytest.raises(InputError, match="write NAME=MEASURE parts"):
        parse_choice(given, ["w2v"])


def test_a_model_with_signs_in_its_name_can_be_chosen():
    assert parse_choice("dim=200=fj", ["dim=200"]) == {"dim=200": "fj"}
    assert parse_choice("c,d=fj,words=mj", ["c,d"]) == {"c,d": "fj", "words": "mj"}


def test_cosine_is_that_of_mean_vectors_for_words_and_says_so(run):
    said: list[str] = []
    with hearing(said.append):
        found = chosen(run, "cosine")
    assert (found["w2v"], found["encoder"]) == ("avg_cos", "cos")
    assert said == ["cos means avg_cos for models of word vectors"]


def test_names_are_chosen_in_any_case(run):
    assert chosen(run, "BEST") == chosen(run, "best")
    assert chosen(run, {"Words": "FJ", "Encoder": "Kendall"})["w2v"] == "fj"
    assert chosen(run, {"Words": "FJ", "Encoder": "Kendall"})["encoder"] == "kendall"


def test_best_is_for_all_models(run):
    with pytest.raises(UnknownNameError, match="there is no measure 'best'; choose from: avg_cos"):
        chosen(run, parse_choice("words=best", []))
