import json

import numpy as np
import pytest

from medgauge.models.encoders.computation.devices import Place
from medgauge.models.encoders.splitting import pieces, splitting_processes
from medgauge.models.encoders.splitting.pieces import Splitter
from medgauge.models.encoders.splitting.splitting_processes import SplittingProcesses
from medgauge.models.encoders.splitting.splitting_program import answers

TEXTS = ["kidney", "acute renal failure", "Ménière's\nheart", "", "心臓", "attack " * 30] * 3
GPU = Place("cuda", "bfloat16")


@pytest.fixture
def tokenizer(bert):
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(bert)


@pytest.fixture
def many(monkeypatch):
    monkeypatch.setattr(pieces, "_MANY", 10)
    monkeypatch.setattr("os.cpu_count", lambda: 8)


def test_processes_split_as_this_one_does(tokenizer, many):
    plain = Splitter.of(tokenizer, 12)
    beside = plain.beside(GPU)
    for texts in (TEXTS, TEXTS[:11], TEXTS[::-1]):
        (expected, cut), (found, cut_there) = plain.split(texts), beside.split(texts)
        np.testing.assert_array_equal(found.ids, expected.ids)
        np.testing.assert_array_equal(found.offsets, expected.offsets)
        np.testing.assert_array_equal(cut_there, cut)
    assert cut.sum() == 3
    assert [process.poll() for process in beside.processes._started] == [None] * 2


def test_few_texts_start_no_processes(tokenizer):
    beside = Splitter.of(tokenizer, 12).beside(GPU)
    beside.split(TEXTS)
    assert not beside.processes._started


def test_processes_are_for_a_gpu_and_for_tokenizers_that_can_be_sent_there(tokenizer):
    plain = Splitter.of(tokenizer, 12)
    assert plain.beside(Place("cpu", "float32")).processes is None
    assert plain.beside(GPU).processes is not None

    class Slow:
        backend_tokenizer = None

    assert Splitter(Slow(), 1, 1, 12, 0).beside(GPU).processes is None


def test_when_a_process_ended_texts_are_split_here(tokenizer, many):
    beside = Splitter.of(tokenizer, 12).beside(GPU)
    expected, _ = beside.split(TEXTS)
    beside.processes._started[1].kill()
    beside.processes._started[1].wait()
    found, _ = beside.split(TEXTS)
    np.testing.assert_array_equal(found.ids, expected.ids)
    assert beside.processes.split(TEXTS) is None


@pytest.mark.parametrize("tokenizer_text", ["{}", "no JSON"])
def test_a_tokenizer_that_a_process_cannot_read_ends_it(tokenizer_text):
    assert SplittingProcesses(tokenizer_text).split(["kidney"]) is None


def test_processes_end_with_what_refers_to_them(tokenizer, many):
    beside = Splitter.of(tokenizer, 12).beside(GPU)
    beside.split(TEXTS)
    started = beside.processes._started
    del beside
    assert None not in [process.poll() for process in started]


def test_an_answer_is_the_counts_and_the_pieces(tokenizer):
    lines = [json.dumps(tokenizer.backend_tokenizer.to_str()), json.dumps(["kidney", "heart failure"])]
    [answer] = answers(iter(lines))
    expected = tokenizer(["kidney", "heart failure"])["input_ids"]
    assert np.frombuffer(answer[:16], np.int64).tolist() == [2, 7]
    assert np.frombuffer(answer[16:], np.int32).tolist() == [3, 4, *expected[0], *expected[1]]


@pytest.mark.parametrize("error", [MemoryError, KeyboardInterrupt])
def test_what_was_not_read_is_not_taken_for_the_answer_to_later_texts(tokenizer, many, monkeypatch, error):
    beside = Splitter.of(tokenizer, 12).beside(GPU)
    beside.split(TEXTS)
    answered = []

    def fail(*given):
        answered.append(given)
        raise error

    monkeypatch.setattr(splitting_processes, "_answer", fail)
    with pytest.raises(error):
        beside.split(TEXTS)
    monkeypatch.undo()
    monkeypatch.setattr(pieces, "_MANY", 10)
    other = [f"{text} kidney" for text in TEXTS]
    found, _ = beside.split(other)
    expected, _ = Splitter.of(tokenizer, 12).split(other)
    np.testing.assert_array_equal(found.ids, expected.ids)
    assert len(answered) == 1


def test_special_tokens_that_are_split_like_other_text_are_split_here(tokenizer):
    tokenizer.split_special_tokens = True
    assert Splitter.of(tokenizer, 12).beside(GPU).processes is None
