import pytest

from medgauge.categories.separation import category_separation
from medgauge.errors import InputError
from medgauge.evaluation.evaluate import evaluate
from medgauge.evaluation.scoring import similarity
from medgauge.models.encoding import as_encoder
from medgauge.models.load import load_model
from medgauge.models.services.sending import check_sending, sender_behind
from medgauge.pairs import Card, PairSet
from tests.models.services.asking import embedder, judge

URL = "https://127.0.0.1.example.org/v1"  # never reached
ROWS = [("secret flu", "influenza", 3.0), ("fever", "secret rash", 1.0), ("gout", "toe", 2.0)]


def a_set(name: str = "mine", *, stays: bool = False) -> PairSet:
    return PairSet.of(ROWS, card=Card(name=name, title=name, terms_stay=stays))


def test_models_on_this_machine_are_let_through(service):
    models = [as_encoder(embedder(service)), judge(service), load_model("levenshtein")]
    check_sending(models, [a_set(stays=True)])
    assert [sender_behind(model) is None for model in models] == [False, False, True]
    assert service.asked == []


@pytest.mark.parametrize("kind", ["api", "judge"])
def test_nothing_is_sent_of_a_set_that_was_not_allowed(kind):
    model = load_model(f"{kind}:m@{URL}", allow_remote=f"other@{URL}")
    with pytest.raises(InputError, match="the terms of 'mine' may not be sent"):
        evaluate([model], [a_set()])
    with pytest.raises(InputError, match="the terms of 'pairs' may not be sent"):
        similarity("flu", "influenza", model=model)
    with pytest.raises(InputError, match="the terms of 'A' may not be sent"):
        category_separation(model, close=(["flu"], ["gout"]), distant=["rash"])


def test_a_licence_that_forbids_it_stops_a_run_before_anything_is_sent():
    model = load_model(f"api:m@{URL}", allow_remote=URL)
    with pytest.raises(InputError, match="the licence of 'mine' does not let its terms leave this machine"):
        evaluate([model], [a_set("theirs"), a_set("mine", stays=True)])


def test_a_budget_that_is_too_small_for_all_sets_is_noticed_before_anything_is_sent(service):
    for model in (as_encoder(embedder(service, max_tokens=30)), judge(service, max_tokens=3000)):
        with pytest.raises(InputError, match="max_tokens= allows"):
            evaluate([model], [a_set("a"), a_set("b")])
    assert service.asked == []
