from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from medgauge.models.encoders.recurrent.elmo_files import ElmoOptions
from medgauge.models.encoders.recurrent.elmo_network import ElmoNetwork
from tests.models.encoders.recurrent.elmo_reference import elmo_vector
from tests.support.elmo_folders import OPTIONS, made_weights, options_with


def network(
    options: dict[str, Any] = OPTIONS, weights: dict[str, NDArray[np.float32]] | None = None
) -> ElmoNetwork:
    read = ElmoOptions.model_validate(options)
    return ElmoNetwork(read, weights or made_weights(options), "cpu")


@pytest.mark.parametrize(
    ("term", "vector"),
    [
        (
            "heart attack",
            [0.1969992, -1.3031898, -0.9320832, 0.5721328, 0.0547081, -1.0933282, -0.8595949, 0.6794269],
        ),
        (
            "acute heart attack",
            [0.2051098, -1.4021516, -0.9628789, 0.6695759, 0.0398918, -1.1760522, -0.9103635, 0.7700245],
        ),
        ("Ödem", [0.2679762, -1.3346239, -1.0151255, 0.5684056, 0.144917, -1.140379, -0.9185679, 0.6832752]),
    ],
)
def test_the_vectors_are_those_of_allennlp(term: str, vector: list[float]) -> None:
    # AllenNLP 2.10.1: allennlp.modules.elmo.Elmo on the files of these options and weights, with one output
    # representation (equal weights of the layers), without dropout, from an empty state; mean of the words.
    assert network().encode([term.split()])[0] == pytest.approx(np.array(vector), abs=1e-6)


options = st.builds(
    options_with,
    activation=st.sampled_from(["relu", "tanh"]),
    filters=st.sampled_from([[[1, 2], [2, 3], [3, 4]], [[5, 6]], [[7, 1], [1, 3]]]),
    n_highway=st.integers(0, 2),
    max_characters_per_token=st.sampled_from([7, 12, 50]),
    n_layers=st.integers(1, 3),
    use_skip_connections=st.booleans(),
    cell_clip=st.sampled_from([None, 0.3, 3]),
    proj_clip=st.sampled_from([None, 0.2, 3]),
)
words = st.text(st.sampled_from("ab-é心"), min_size=1, max_size=14)
terms = st.integers(1, 3).flatmap(
    lambda count: st.lists(st.lists(words, min_size=count, max_size=count), min_size=1, max_size=4)
)


@settings(max_examples=40)
@given(options, terms)
def test_terms_of_one_length_are_encoded_as_the_definition_says(
    chosen: dict[str, Any], some: list[list[str]]
) -> None:
    weights = made_weights(chosen)
    expected = [elmo_vector(term, chosen, weights) for term in some]
    assert network(chosen).encode(some) == pytest.approx(np.array(expected), abs=1e-5)


@pytest.mark.parametrize(
    "changes",
    [
        {"cell_clip": 3},
        {"proj_clip": 3},
        {"use_skip_connections": False},
        {"n_highway": 1},
        {"activation": "tanh"},
        {"max_characters_per_token": 5},
    ],
)
def test_every_option_counts(changes: dict[str, Any]) -> None:
    term = [["heart", "attack"]]
    other = network(options_with(**changes), made_weights(OPTIONS))
    assert np.abs(other.encode(term) - network().encode(term)).max() > 1e-3


def test_the_order_of_words_counts() -> None:
    found = network().encode([["heart", "attack"], ["attack", "heart"]])
    assert np.abs(found[0] - found[1]).max() > 1e-4


def test_terms_that_begin_or_end_alike_share_no_more_than_that() -> None:
    some = [["acute", "heart", "attack"], ["acute", "heart", "failure"], ["old", "heart", "attack"]]
    together = network().encode(some)
    alone = np.vstack([network().encode([term]) for term in some])
    assert together == pytest.approx(alone, abs=1e-6)
    assert len(np.unique(together.round(4), axis=0)) == 3


def test_everything_is_computed_on_the_device_of_the_weights() -> None:
    read = ElmoOptions.model_validate(OPTIONS)
    elsewhere = ElmoNetwork(read, made_weights(OPTIONS), "meta")
    vectors = elsewhere._word_vectors(["heart", "attack"])
    numbers = np.array([[0, 1], [1, 1]])
    sums = elsewhere._sums(elsewhere._directions[0], elsewhere._starts[0], vectors, numbers)
    assert (vectors.device.type, sums.device.type, sums.shape) == ("meta", "meta", (2, 4))
