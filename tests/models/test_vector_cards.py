import json

import numpy as np
import pytest

from medgauge.files.digests import sha256_of
from medgauge.models.load import load_model
from medgauge.models.vector_cards import VectorCard, card_path, read_card, write_card
from tests.vectors import some_vectors, write_binary


@pytest.fixture
def vectors(tmp_path):
    path = write_binary(tmp_path / "vectors.bin", some_vectors("gout", "rash"))
    card = VectorCard(
        digest=sha256_of(path),
        trained_on="MEDLINE",
        sources=("pubmed",),
        licence="CC0",
        parameters={"arch": "sg", "window": 5, "sample": 1e-5, "keep_case": False},
    )
    write_card(path, card)
    return path, card


def test_a_card_is_part_of_the_card_of_the_model(vectors):
    path, card = vectors
    assert read_card(path) == card
    found = load_model(path).card
    assert (found.trained_on, found.sources, found.licence) == ("MEDLINE", ("pubmed",), "CC0")
    assert found.parameters == card.parameters


def test_a_card_of_other_vectors_says_nothing(vectors):
    path, _ = vectors
    write_binary(path, some_vectors("gout", "rash", seed=1))
    assert read_card(path) is None
    assert load_model(path).card.trained_on == "not known"
    assert np.isfinite(load_model(path).vectors(["gout"])[0]).all()


@pytest.mark.parametrize(
    "change",
    [
        {"digest": "none"},
        {"trained_on": 7},
        {"trained_on": "red\x1b[31m"},
        {"trained_on": "x" * 2000},
        {"parameters": {"window": [5]}},
        {"parameters": {str(number): number for number in range(99)}},
        {"other": 1},
    ],
)
def test_a_card_that_cannot_be_believed_says_nothing(vectors, change):
    path, card = vectors
    card_path(path).write_text(json.dumps(card.model_dump() | change))
    assert read_card(path) is None
    assert load_model(path).card.parameters == {}


def test_a_file_without_a_card_has_none(tmp_path):
    assert read_card(tmp_path / "vectors.bin") is None
