"""Where sets and models meet: whether a model may send the terms, and what that takes."""

from collections.abc import Iterable, Sequence

from medgauge.models.base import Model
from medgauge.models.encoding import innermost
from medgauge.models.services.service import SentTerms
from medgauge.pairs import Card, Pairs


def check_sending(models: Iterable[Model], sets: Sequence[Pairs]) -> None:
    """Raise an error if a model may not send the terms of these sets, or would send more than it may.

    Call it before anything is asked of the models, their digests included.
    """
    for model in models:
        sender = sender_behind(model)
        if sender is not None:
            sender.service.admit(pairs.card for pairs in sets)
            sender.service.budget.allow(sender.unpaid_tokens(sets))


def as_set(terms: Iterable[str], card: Card) -> Pairs:
    """Return a list of terms as a set, under whose name it may be sent and by whose terms it is estimated.

    >>> as_set(["flu", "gout"], Card(name="mine", title="Mine")).terms
    ['flu', 'gout']
    """
    return Pairs.of([(term, term) for term in terms], card=card)


def sender_behind(model: Model) -> SentTerms | None:
    """Return the part of a model that sends terms to a service, None if none does."""
    inner = innermost(model)
    return inner if isinstance(inner, SentTerms) else None
