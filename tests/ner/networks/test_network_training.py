import threading
from typing import NamedTuple

import pytest
import torch

from medgauge.models.in_memory import as_model
from medgauge.ner.labels.tagged_corpus import TaggedCorpus, read_corpora
from medgauge.ner.networks.network_settings import network_settings
from medgauge.ner.networks.network_training import train
from medgauge.ner.networks.training_group import Trainee
from medgauge.ner.token_vectors import TokenVectors, vector_sources
from tests.ner.tiny_corpora import telling_vectors, write_corpus

SETTINGS = network_settings(epochs=3, trials=4, hidden=8, window=3, batch=5, rate=0.3)
TRAINEES = [Trainee(0, trial) for trial in range(4)]


class Given(NamedTuple):
    corpus: TaggedCorpus
    tables: list[TokenVectors]


@pytest.fixture
def given(tmp_path):
    [corpus] = read_corpora(write_corpus(tmp_path / "tiny"))
    model = as_model(telling_vectors(), "v", tokenizer="whitespace")
    [source] = vector_sources({"v": model}, [corpus], random=False, seed=0)
    return Given(corpus, [source.vectors(corpus)])


@pytest.fixture
def threads():
    """Let torch use its number of threads again after a test that changes it."""
    usual = torch.get_num_threads()
    yield
    torch.set_num_threads(usual)


def test_results_do_not_depend_on_the_number_of_processors(given, threads):
    found = []
    for count in (1, 3):
        torch.set_num_threads(count)
        networks = {}
        train(given.corpus, given.tables, TRAINEES, SETTINGS, device="cpu", done=networks.__setitem__)
        assert torch.get_num_threads() == count
        found.append([(networks[number].loss, networks[number].test.tolist()) for number in range(4)])
    assert found[0] == found[1]


@pytest.mark.parametrize("settings", [SETTINGS, SETTINGS.model_copy(update={"patience": 1, "epochs": 30})])
def test_progress_ends_at_the_number_of_epochs_of_all_networks(given, settings):
    advanced = []
    train(
        given.corpus,
        given.tables,
        TRAINEES,
        settings,
        device="cpu",
        done=lambda *_: None,
        advance=advanced.append,
    )
    assert sum(advanced) == 4 * settings.epochs


def test_networks_that_are_not_done_end_when_one_cannot_be_kept(given):
    before = threading.active_count()

    def fail(_number, _found):
        raise OSError("the disk is full")

    long = SETTINGS.model_copy(update={"epochs": 100_000})
    short = SETTINGS.model_copy(update={"epochs": 1})
    with pytest.raises(OSError, match="full"):
        train(given.corpus, given.tables, TRAINEES, short, device="cpu", done=fail)

    def interrupt(_epochs):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(given.corpus, given.tables, TRAINEES, long, device="cpu", done=fail, advance=interrupt)
    assert threading.active_count() <= before
