import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge.errors import InputError, ServiceError, options_as_flags
from medgauge.models.services.budget import Budget, estimated_tokens
from medgauge.progress import hearing


@given(st.lists(st.text(max_size=20)), st.lists(st.text(max_size=20)))
def test_estimates_add_up_and_are_at_least_a_token_for_each_text(first, second):
    assert estimated_tokens(first + second) == estimated_tokens(first) + estimated_tokens(second)
    assert estimated_tokens(first) >= len(first)


def test_what_is_left_is_what_may_be_sent():
    budget = Budget("mine", most=100)
    budget.plan(100, 1)
    budget.spend(60)
    budget.check()
    with (
        options_as_flags(),
        pytest.raises(
            InputError, match="about 41 tokens, after 60 already, but --max-tokens allows 100; raise it"
        ),
    ):
        budget.plan(41, 1)
    budget.spend(50)
    with pytest.raises(ServiceError, match="has used 110 tokens"):
        budget.check()


def test_a_plan_says_one_request_and_several_requests():
    said: list[str] = []
    with hearing(said.append):
        Budget("mine").plan(1200, 1)
        Budget("mine").plan(1200, 3)
    assert said == ["mine: about 1,200 tokens in 1 request", "mine: about 1,200 tokens in 3 requests"]


def test_without_a_limit_anything_may_be_sent():
    budget = Budget("mine", price=2.5)
    budget.plan(10**12, 1)
    budget.check()
    assert budget.cost_of(2_000_000) == 5.0
