import threading
from dataclasses import replace

import numpy as np
import pytest

from medgauge.errors import InputError
from medgauge.models.base import ModelCard
from medgauge.models.encoders import text_source
from medgauge.models.encoders.computation.devices import Place
from medgauge.models.encoders.text_source import SplitTexts, TextSource
from medgauge.models.encoding import TermEncoder


class LengthNetwork:
    """The length of each text as its vector; nothing is known of the text "?"."""

    dim = 1

    def __init__(self, bad: float | None = None) -> None:
        self.bad = bad
        self.sizes: list[int] = []

    def split(self, texts):
        return SplitTexts(texts, np.array([0 if text == "?" else len(text) for text in texts]))

    def forward(self, split, numbers):
        import torch

        self.sizes.append(len(numbers))
        rows = [[self.bad if self.bad is not None else len(split.content[number])] for number in numbers]
        return torch.tensor(rows, dtype=torch.float32)


def source_of(network: LengthNetwork, **options) -> TextSource:
    return TextSource(
        ModelCard(name="lengths", family="vectors"), Place("cpu", "float16"), lambda: network, dict, **options
    )


def test_texts_of_many_chunks_come_back_in_their_order(monkeypatch):
    monkeypatch.setattr(text_source, "_FIRST_CHUNK", 3)
    monkeypatch.setattr(text_source, "_LARGEST_CHUNK", 5)
    texts = ["x" * (1 + k * 7 % 11) for k in range(40)] + ["?"]
    found = TermEncoder(source_of(LengthNetwork(), budget=20)).encode(texts)[:, 0]
    assert found[:-1].tolist() == [len(text) for text in texts[:-1]]
    assert np.isnan(found[-1])


def test_the_largest_batch_depends_on_the_budget_and_not_on_the_number_of_texts():
    network = LengthNetwork()
    TermEncoder(source_of(network, budget=60)).encode(["abc"] * 1000)
    assert max(network.sizes) == 20


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize(
    ("place", "advice"),
    [
        (Place("cpu", "float16"), r"in float16 on cpu; choose \?precision=float32"),
        (Place("cpu", "float32"), "in float32 on cpu; its weights are damaged; get its files again"),
    ],
)
def test_values_that_are_not_numbers_name_the_precision(bad, place, advice):
    source = replace(source_of(LengthNetwork(bad)), place=place)
    with pytest.raises(
        InputError, match=rf"lengths computes values that are infinite or not a number \(NaN\) {advice}"
    ):
        TermEncoder(source).encode(["a"])


def test_the_network_is_loaded_once_and_not_in_a_thread(monkeypatch):
    monkeypatch.setattr(text_source, "_FIRST_CHUNK", 1)
    loaded_in = []

    def load():
        loaded_in.append(threading.current_thread())
        return LengthNetwork()

    source = TextSource(ModelCard(name="lengths", family="vectors"), Place("cpu", "float32"), load, dict)
    TermEncoder(source).encode(["a", "bc", "def", "g"])
    assert loaded_in == [threading.current_thread()]
