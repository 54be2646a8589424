import pytest

from medgauge.errors import InputError
from medgauge.ner.networks.network_settings import NetworkSettings, network_settings


def test_the_defaults_are_those_of_table_4():
    # Chiu et al. (2018), table 4; the trials are those of section "Inter-rater reliability" ff.
    found = NetworkSettings()
    assert (found.hidden, found.window, found.rate, found.dropout) == (300, 5, 0.01, 0.2)
    assert (found.epochs, found.batch, found.trials) == (20, 50, 3)
    assert not (found.tune)
    assert not (found.decodes)


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"window": 4}, "it is odd and not 4"),
        ({"window": 0}, "window must be between 1 and 99, not 0"),
        ({"epochs": 0}, "epochs must be between 1 and 100,000, not 0"),
        ({"hidden": -1}, "hidden must be between 1 and 100,000, not -1"),
        ({"trials": 10**9}, "trials must be between 1 and 1,000, not 1000000000"),
        ({"batch": 0}, "batch must be between"),
        ({"dropout": 1.0}, "dropout is a probability from 0 to below 1, not 1"),
        ({"rate": 0}, "the learning rate must be above 0"),
        ({"rate": float("nan")}, "the learning rate must be above 0"),
        ({"patience": 0}, "patience must be at least 1"),
        ({"seed": -1}, "the seed must be at least 0"),
    ],
)
def test_settings_out_of_range_are_refused(given, problem):
    with pytest.raises(InputError, match=problem):
        network_settings(**given)
