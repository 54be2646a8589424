import json

import polars as pl
import pytest

from medgauge.errors import InputError
from medgauge.models.load import load_model
from medgauge.models.services.rater_column import with_rater
from medgauge.pairs import Card, Pairs
from tests.support.embedding_service import stand_in

ROWS = [("flu", "influenza"), ("gout", "toe"), ("rash", "skin")]


@pytest.fixture
def service():
    with stand_in() as running:
        yield running


def pairs(*, stays: bool = False, **columns: list[float]) -> Pairs:
    made = Pairs.of(ROWS, card=Card(name="mine", title="Mine", kind="relatedness", terms_stay=stays))
    return Pairs(
        made.frame.with_columns(pl.Series(name, values) for name, values in columns.items()), made.card
    )


def test_each_pair_is_rated_once_in_its_own_order(service):
    ratings = {("flu", "influenza"): 3, ("gout", "toe"): 0, ("rash", "skin"): None}
    service.rates = lambda first, second: json.dumps({"rating": ratings[first, second]})
    frame, failures = with_rater(
        pairs(rater_A=[1.0, 2.0, 3.0]), load_model(f"judge:m@{service.url}", name="llm")
    )
    assert frame.columns == ["pair_id", "term_1", "term_2", "rater_A", "rater_llm"]
    assert frame["rater_llm"].to_list() == [3.0, 0.0, None]
    assert failures == {"unsure": 1}
    assert len(service.asked) == 3


def test_a_column_that_is_there_is_not_replaced(service):
    with pytest.raises(InputError, match="cannot have another column 'rater_m'; name the model with LABEL="):
        with_rater(pairs(rater_m=[1.0, 2.0, 3.0]), load_model(f"judge:m@{service.url}"))
    assert service.asked == []


def test_only_a_judge_rates():
    with pytest.raises(InputError, match="only a model of the kind judge: rates pairs"):
        with_rater(pairs(), load_model("levenshtein"))


def test_nothing_is_sent_of_a_set_whose_licence_forbids_it():
    url = "https://api.example.org/v1"
    with pytest.raises(InputError, match="the licence of 'mine'"):
        with_rater(pairs(stays=True), load_model(f"judge:m@{url}", allow_remote=url))
