import numpy as np
import pytest
import torch

from medgauge.models.in_memory import as_model
from medgauge.ner.labels.tagged_corpus import read_corpora
from medgauge.ner.networks.network_settings import network_settings
from medgauge.ner.networks.training_group import Trainee, TrainingGroup
from medgauge.ner.token_vectors import vector_sources
from medgauge.stats.systems.f_measure import f_measure
from tests.ner.tiny_corpora import telling_vectors, write_corpus

SMALL = {"epochs": 3, "trials": 2, "hidden": 8, "window": 3, "batch": 5, "rate": 0.3}


@pytest.fixture
def corpus(tmp_path):
    [found] = read_corpora(write_corpus(tmp_path / "tiny"))
    return found


@pytest.fixture
def tables(corpus):
    models = {
        name: as_model(telling_vectors(seed=seed), name, tokenizer="whitespace")
        for seed, name in enumerate(("first", "second"))
    }
    return [one.vectors(corpus) for one in vector_sources(models, [corpus], random=False, seed=0)]


def trained(corpus, tables, trainees, **options):
    group = TrainingGroup(corpus, tables, trainees, network_settings(**(SMALL | options)), "cpu")
    with torch.no_grad():
        while group.running:
            group.train_epoch()
    return [group.results[number] for number in range(len(trainees))]


ALL = [Trainee(vectors, trial) for vectors in (0, 1) for trial in (0, 1)]


@pytest.mark.parametrize(
    "options", [{}, {"tune": True}, {"crf": True}, {"patience": 1, "epochs": 9}], ids=str
)
def test_a_network_is_the_same_alone_and_beside_others(corpus, tables, options):
    together = trained(corpus, tables, ALL, **options)
    for number, trainee in enumerate(ALL):
        [alone] = trained(corpus, tables, [trainee], **options)
        assert (alone.test == together[number].test).all()
        assert (alone.epochs, alone.scored) == (together[number].epochs, together[number].scored)
        assert alone.loss == pytest.approx(together[number].loss, rel=1e-4)
    assert len({one.loss for one in together}) == len(ALL)


def test_training_is_that_of_a_plain_loop_over_batches(corpus, tables):
    """Trains one network by torch's own layers, loss and optimiser, on the same draws."""
    from medgauge.ner.networks.sentence_windows import windows_of
    from medgauge.ner.networks.trial_draws import TrialDraws

    settings = network_settings(**SMALL)
    [found] = trained(corpus, tables, [Trainee(0, 0)])
    draws = TrialDraws(settings.seed, 0)
    labels = 1 + 4 * len(corpus.types)
    values = 3 * tables[0].table.shape[1]
    layers = [torch.nn.Linear(values, 8), torch.nn.Linear(8, labels)]
    for layer, shape in zip(layers, ((values, 8), (8, labels)), strict=True):
        layer.weight.data = torch.from_numpy(draws.weights(*shape).T.copy())
        layer.bias.data.zero_()
    optimiser = torch.optim.SGD([one for layer in layers for one in layer.parameters()], lr=0.3)
    windows = windows_of(tables[0].rows["train"], corpus.train.starts, 3)
    x = torch.from_numpy(tables[0].table[windows].reshape(len(windows), -1))
    y = torch.from_numpy(corpus.train.labels.astype(np.int64))
    for _ in range(settings.epochs):
        order = draws.order(len(windows))
        losses = []
        for first in range(0, len(order), 5):
            some = torch.from_numpy(order[first : first + 5])
            kept = torch.from_numpy(draws.kept(len(some), 8, 0.2)).float() / 0.8
            hidden = torch.nn.functional.hardtanh(layers[0](x[some])) * kept
            loss = torch.nn.functional.cross_entropy(layers[1](hidden), y[some])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            losses += [loss.item()] * len(some)
    assert found.loss == pytest.approx(np.mean(losses), rel=1e-4)


def f_of(trained):
    return float(f_measure(*trained.test.sum(axis=(0, 1)).astype(float)).f)


@pytest.mark.parametrize("options", [{}, {"tune": True}, {"viterbi": True}, {"crf": True}], ids=str)
def test_every_way_to_train_learns_what_vectors_tell(corpus, tables, options):
    [found] = trained(corpus, tables, [Trainee(0, 0)], **options, epochs=12)
    assert f_of(found) > 0.6


def test_patience_ends_training_and_the_best_epoch_is_scored(corpus, tables):
    [long] = trained(corpus, tables, [Trainee(0, 0)], epochs=15)
    [found] = trained(corpus, tables, [Trainee(0, 0)], epochs=15, patience=2)
    assert found.epochs <= 15
    assert found.epochs - found.scored in (0, 1, 2)
    [same] = trained(corpus, tables, [Trainee(0, 0)], epochs=found.scored)
    assert (found.test == same.test).all()
    assert (found.devel == same.devel).all()
    assert long.epochs == long.scored == 15


def test_tuning_changes_no_vector_that_was_given(corpus, tables):
    before = [one.table.copy() for one in tables]
    trained(corpus, tables, ALL, tune=True)
    assert all((one.table == own).all() for one, own in zip(tables, before, strict=True))


def test_tuned_and_frozen_vectors_give_different_networks(corpus, tables):
    frozen, tuned = (trained(corpus, tables, [Trainee(0, 0)], tune=tune)[0].loss for tune in (False, True))
    assert tuned < frozen
