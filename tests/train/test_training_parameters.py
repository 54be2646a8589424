import pytest

from medgauge.errors import InputError, options_as_flags
from medgauge.train.training_parameters import TrainingParameters


def test_the_defaults_are_those_of_table_3():
    # Chiu et al. (2018), table 3; it does not say how many epochs.
    found = TrainingParameters()
    table = {"window": 5, "dim": 200, "lr": 0.05, "negative": 5, "min_count": 5, "sample": 1e-5}
    assert {name: getattr(found, name) for name in table} == table


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"arch": "glove"}, "there is no architecture 'glove'; choose from: sg, cbow, fasttext, ssg"),
        ({"window": 0}, "--window needs a whole number from 1 to 1000"),
        ({"dim": 0}, "--dim needs a whole number from 1 to 10000"),
        ({"negative": 0}, "--negative needs"),
        ({"min_count": 0}, "--min-count needs"),
        ({"epochs": 0}, "--epochs needs"),
        ({"seed": -1}, "--seed needs a whole number from 0"),
        ({"sample": 1.5}, r"--sample needs a number from 0 \(no subsampling\) to 1"),
        ({"lr": 0.0}, "--lr needs a number above 0"),
        ({"lr": float("nan")}, "--lr needs a number above 0"),
        ({"tokenizer": "bpe"}, "there is no tokenizer 'bpe'"),
    ],
)
def test_a_value_that_makes_no_sense_is_refused(given, message):
    with options_as_flags(), pytest.raises(InputError, match=message):
        TrainingParameters(**given)
