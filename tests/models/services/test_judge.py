import json
from itertools import product

import numpy as np
import polars as pl
import pytest

from medgauge.errors import InputError, ServiceError
from medgauge.evaluation.scoring import own_scores
from medgauge.files.private import private_folder
from medgauge.models.base import card_of, family_of
from medgauge.pairs import Card, Pairs
from medgauge.progress import hearing
from tests.models.services.asking import Waits, judge

CARD = Card(name="mine", title="Mine", kind="relatedness", scale=(0, 3))
ROWS = [("secret Angina", "artery"), ("Fever", "flu"), ("Gout", "toe"), ("secret Rash", "skin")]


def pairs(rows=ROWS, card=CARD) -> Pairs:
    return Pairs.of(rows, card=card)


def rated(by: dict[tuple[str, str], object]):
    """Return what a model writes that gives these ratings."""
    return lambda first, second: json.dumps({"rating": by[first, second]})


def test_a_score_is_the_mean_of_the_ratings_in_both_orders(service):
    given = dict(zip(ROWS, [3, 2, 0, 1], strict=True))
    other = {(second, first): rating for (first, second), rating in zip(ROWS, [2, 2, 1, 1], strict=True)}
    service.rates = rated(given | other)
    model = judge(service)
    assert family_of(model) == "pairs"
    assert model.score(pairs()).tolist() == [2.5, 2.0, 0.5, 1.0]
    assert model.ratings(pairs()) == [3.0, 2.0, 0.0, 1.0]
    assert len(service.asked) == 8


def test_it_is_asked_at_temperature_0_with_the_definitions_and_a_schema(service):
    judge(service, "?concurrent=1").score(pairs(ROWS[:1]))
    asked = service.asked[0]
    assert (asked["model"], asked["temperature"]) == ("mine", 0)
    system, user = (message["content"] for message in asked["messages"])
    assert "1: marginally related - There is a correlation between the concepts" in system
    assert "R is one of 0, 1, 2, 3, or null" in system
    assert json.loads(user) == {"term_1": "secret Angina", "term_2": "artery"}
    schema = asked["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["rating"]["type"] == ["number", "null"]


def test_an_endpoint_without_schemas_is_asked_without(service):
    service.has_schema = False
    assert judge(service, "?concurrent=1").score(pairs()).tolist() == [1.0, 3.0, 1.0, 3.0]
    with_schema = ["response_format" in asked for asked in service.asked]
    assert with_schema == [True, *[False] * 8]


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("refusal", "refused"),
        ("filtered", "refused"),
        ("filtered answer", "refused"),
        ("cut short", "cut short"),
    ],
)
def test_a_pair_that_is_refused_in_one_order_is_not_covered(service, fault, kind):
    service.faults.append(fault)
    values, failures = judge(service, "?concurrent=1").explained(pairs())
    assert np.isnan(values).tolist() == [True, False, False, False]
    assert failures == [kind, None, None, None]


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ("I would say 2.", "unreadable"),
        ('{"rating": 2', "unreadable"),
        ('{"rating": "2"}', "unreadable"),
        ('{"rating": null}', "unsure"),
        ('{"rating": 2.5}', "off the scale"),
        ("", "unreadable"),
    ],
)
def test_answers_without_a_rating_are_counted_by_kind(service, written, kind):
    service.rates = lambda first, second: written if "Fever" in (first, second) else '{"rating": 1}'
    scores = own_scores(judge(service), pairs(), "score")
    assert scores.covered.tolist() == [True, False, True, True]
    assert scores.failures == [None, kind, None, None]


def test_a_run_that_is_killed_half_way_pays_nothing_twice(service):
    service.faults.extend(["", "", "", "404", "404"])
    with pytest.raises(ServiceError, match="no model 'mine'"):
        judge(service, "?concurrent=1").score(pairs())
    assert len(service.asked) == 5  # the fourth one twice: with a schema and without
    paid = {asked["messages"][1]["content"] for asked in service.asked[:3]}
    service.asked.clear()
    assert np.isfinite(judge(service).score(pairs())).all()
    assert len(service.asked) == 5
    assert paid.isdisjoint(asked["messages"][1]["content"] for asked in service.asked)
    service.asked.clear()
    judge(service).score(pairs())
    assert service.asked == []


def test_answers_are_kept_where_only_the_user_can_read_them(service):
    judge(service).score(pairs())
    folder = private_folder("answers")
    [file] = folder.iterdir()
    assert (folder.stat().st_mode & 0o777, file.stat().st_mode & 0o777) == (0o700, 0o600)
    judge(service, cached=False).score(pairs([("a", "b")]))
    assert len(list(folder.iterdir())) == 1


def test_without_the_cache_answers_are_kept_while_the_model_is_open(service):
    model = judge(service, cached=False)
    model.score(pairs())
    model.score(pairs())
    assert len(service.asked) == 8
    judge(service, cached=False).score(pairs())
    assert len(service.asked) == 16


def test_equal_pairs_are_asked_once(service):
    judge(service).score(pairs([("flu", "cold"), ("flu", "cold"), ("cold", "flu"), ("flu", "flu")]))
    assert len(service.asked) == 3


@pytest.mark.parametrize("fault", ["500", "429 after 3", "half", "hang"])
def test_what_may_pass_is_tried_again(service, fault):
    service.faults.append(fault)
    waits = Waits()
    model = judge(service, "?concurrent=1", timeout=0.2, waits=waits)
    assert np.isfinite(model.score(pairs(ROWS[:1]))).all()
    assert waits == [3.0 if "after" in fault else 1.0]


@pytest.mark.parametrize(
    ("fault", "problem"),
    [
        ("401", "refuses the key"),
        ("html", "the answer is not JSON"),
        ("no choices", "the answer has no message; check that the address is that of a chat service"),
        ("redirect", "redirects"),
    ],
)
def test_errors_name_no_term(service, fault, problem):
    service.faults.extend([fault] * 2)
    with pytest.raises(ServiceError, match=problem) as raised:
        judge(service, "?concurrent=1").score(pairs())
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize(
    ("kind", "scale", "said"),
    [
        ("synonymy", None, "R is one of 1, 0, or null"),
        ("similarity", (0, 6), "R is a number from 0 to 6 in steps of 1."),
        ("similarity", (0, 10), "R is a number from 0 to 10."),
        ("relatedness", (0, 1600), "1066.67: related - The concepts are strongly related medically"),
    ],
)
def test_the_protocol_is_that_of_what_the_set_measures_on_the_scale_of_the_set(service, kind, scale, said):
    judge(service).score(pairs(ROWS[:1], Card(name="x", title="X", kind=kind, scale=scale)))
    assert said in service.asked[0]["messages"][0]["content"]


def test_another_protocol_can_be_named(service, tmp_path):
    model = judge(service, "?protocol=same")
    assert model.card.parameters["protocol"] == "same"
    assert card_of(model).digest != card_of(judge(service)).digest
    with pytest.raises(InputError, match=r"there is no protocol \(or file\) 'sane'; did you mean 'same'"):
        judge(service, "?protocol=sane")


def test_a_budget_is_for_what_was_not_answered_before(service):
    model = judge(service, max_tokens=1000)
    with pytest.raises(InputError, match="max_tokens= allows 1,000"):
        model.score(pairs())
    assert service.asked == []
    said = []
    with hearing(said.append):
        judge(service, price=1.0).score(pairs())
        assert np.isfinite(model.service.budget.cost_of(1))
    [sentence] = said
    assert "tokens in 8 requests, which cost about 0.0" in sentence
    judge(service, max_tokens=1000).score(pairs())  # all of it is paid for


def test_a_blank_term_is_refused_before_anything_is_sent(service):
    with pytest.raises(InputError, match="is empty"):
        judge(service).score(pairs([*ROWS, ("flu", " ")]))
    assert service.asked == []


def plain_scores(rates, rows):
    """Score pairs one by one, by the definition."""
    found = []
    for first, second in rows:
        both = [json.loads(rates(*order))["rating"] for order in ((first, second), (second, first))]
        found.append(sum(both) / 2)
    return found


def test_scores_are_those_of_the_definition(service):
    words = [f"w{number}" for number in range(5)]
    rows = list(product(words, words))
    service.rates = lambda first, second: json.dumps({"rating": (int(first[1]) * 3 + int(second[1])) % 4})
    assert judge(service).score(pairs(rows)).tolist() == plain_scores(service.rates, rows)


def test_columns_that_models_do_not_see_do_not_matter(service):
    frame = pairs().frame.with_columns(pl.lit(1.0).alias("rater_A"))
    assert np.isfinite(judge(service).score(Pairs(frame, CARD))).all()
