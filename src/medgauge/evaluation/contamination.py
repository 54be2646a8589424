"""Contamination: models that were trained on what a set was made of, as far as the cards of both say."""

from collections.abc import Iterable

from pydantic import BaseModel, ConfigDict

from medgauge.models.base import ModelCard
from medgauge.origins import overlaps
from medgauge.pairs import Card
from medgauge.stored import StoredName


class Contamination(BaseModel):
    """A model that was trained on a source of a set, and the reason in words, to follow "trained on".

    `source` is the name of what the model was trained on, `made_of` are those of the set's origins that it
    is, contains or is a part of (`medgauge.origins`).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: StoredName
    dataset: StoredName
    source: StoredName
    made_of: tuple[StoredName, ...]
    reason: StoredName


def contamination(models: Iterable[ModelCard], sets: Iterable[Card]) -> list[Contamination]:
    """Return which models were trained on what which sets were made of, in the order of the models.

    >>> trained = ModelCard(name="sapbert", family="vectors", sources=("umls",))
    >>> made = Card(name="mine", title="Mine", made_of=("snomed-ct",))
    >>> [found.reason for found in contamination([trained], [made])]
    ['UMLS, which contains SNOMED CT, which the set was made from']
    """
    sets = list(sets)
    return [
        Contamination(
            model=model.name,
            dataset=card.name,
            source=found.source.name,
            made_of=tuple(one.name for one in found.made_of),
            reason=found.reason,
        )
        for model in models
        for card in sets
        for found in overlaps(model.sources, card.made_of)
    ]
