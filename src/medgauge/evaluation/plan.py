"""The plan of an evaluation: its models, sets and measures, and what each score depends on."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import polars as pl

from medgauge.catalog.named_sets import Datasets
from medgauge.errors import InputError, option
from medgauge.estimate import check_confidence
from medgauge.evaluation.inputs import (
    Models,
    check_keys,
    check_names_first,
    measures_and_shown,
    named_models,
    named_sets,
    narrowed,
)
from medgauge.evaluation.run import PROTOCOL, Run, ServiceCost, Settings
from medgauge.evaluation.used import check_types, columns_digest
from medgauge.files.folders import key_of
from medgauge.measures.declared import measures_of
from medgauge.models.base import Model, ModelCard, card_of, family_of
from medgauge.models.lookup import Oov, check_choice
from medgauge.models.services.sending import check_sending, sender_behind
from medgauge.pairs import KeyKind, PairSet
from medgauge.strata.attributes import Attribute, read_attribute
from medgauge.strata.groups import groups_frame
from medgauge.strata.subsets import Subsets, subsets_by, subsets_by_attribute

_OTHER_SCORES = 1  # the protocol since which scores are the same, except for correlations of ranks


@dataclass(frozen=True)
class PlannedModel:
    """A model under its name in the run, and the measures it is scored by."""

    model: Model
    card: ModelCard
    measures: list[str]


@dataclass(frozen=True)
class PlannedSet:
    """The pairs of a set that are used, of `total`; their subsets, if any, and which belong together."""

    pairs: PairSet
    total: int
    subsets: Subsets | None
    groups: pl.DataFrame

    @property
    def name(self) -> str:
        """The name of the set."""
        return self.pairs.card.name


@dataclass(frozen=True)
class Plan:
    """All inputs of an evaluation, loaded and checked."""

    settings: Settings
    models: list[PlannedModel]
    sets: list[PlannedSet]

    def key(self, planned: PlannedModel, used: PlannedSet) -> str:
        """Return the key of a model's scores on a set: a digest of everything they depend on."""
        kind = _other_keys(planned.card, used.pairs)
        # The digest of a set covers its terms; ids and CUIs are not in it.
        looked_up = {} if kind is None else {"keys": [kind, used.pairs.key_digest(kind)]}
        return key_of(
            protocol=PROTOCOL if any("spearman" in name for name in planned.measures) else _OTHER_SCORES,
            model=planned.card.model_dump(mode="json"),
            dataset=used.pairs.digest,
            measures=planned.measures,
            oov=self.settings.oov,
            **looked_up,
        )

    def columns(self, used: PlannedSet) -> str:
        """Return the digest of the columns of a set that results depend on, besides terms and gold."""
        found = {_other_keys(planned.card, used.pairs) for planned in self.models}
        kinds = sorted(kind for kind in found if kind is not None)
        return columns_digest(used.pairs, used.subsets, self.settings.types, kinds)

    def costs(self) -> list[ServiceCost]:
        """Return what the services among the models charge for the sets, where the price is known."""
        found = []
        for planned in self.models:
            sender = sender_behind(planned.model)
            if sender is not None and (price := sender.service.budget.price) is not None:
                tokens = sender.tokens([used.pairs.blinded for used in self.sets])
                cost = sender.service.budget.cost_of(tokens)
                found.append(ServiceCost(model=planned.card.name, tokens=tokens, price=price, cost=cost))
        return found

    def differences(self, run: Run) -> list[str]:
        """Return the names of what differs between a stored run and this plan."""
        same = {
            "protocol": run.protocol == PROTOCOL,
            # What is shown is computed and stored either way.
            "settings": run.settings.model_copy(update={"shown": self.settings.shown}) == self.settings,
            "models": run.models == [planned.card for planned in self.models],
            "prices": run.costs == self.costs(),
            "sets": {one.name: one.digest for one in run.datasets}
            == {used.name: used.pairs.digest for used in self.sets},
            "columns of the sets": {one.name: one.columns for one in run.datasets}
            == {used.name: self.columns(used) for used in self.sets},
        }
        return [what for what, is_same in same.items() if not is_same]


def make_plan(
    models: Models,
    datasets: Datasets,
    *,
    measures: str | Sequence[str] | None,
    oov: Oov,
    seed: int,
    limit: int | None,
    where: str | None,
    by: str | None,
    bins: int | Sequence[float] | None,
    attributes: str | Path | None,
    types: tuple[str, str] | None,
    confidence: float,
) -> Plan:
    """Load and check all inputs of `evaluate`, before anything is scored."""
    check_choice("choice for unknown words", oov, Oov)
    check_confidence(confidence)
    seed = int(seed)
    chosen, shown = measures_and_shown(measures)
    if by is None and (bins is not None or attributes is not None):
        raise InputError(f"bins and attributes need a column to split the pairs by ({option('by')})")
    check_names_first(models, datasets)
    named = named_models(models, seed)
    whole = named_sets(datasets)
    sets = narrowed(whole, where, limit)
    check_sending(named.values(), list(sets.values()))
    attribute = read_attribute(attributes, by) if by is not None and attributes is not None else None
    for pairs, model in product(sets.values(), named.values()):
        check_keys(pairs, model)
    settings = Settings(
        measures=chosen,
        shown=shown,
        oov=oov,
        seed=seed,
        limit=limit,
        where=where,
        by=by,
        bins=bins if bins is None or isinstance(bins, int) else list(bins),
        attributes=attribute.digest if attribute else None,
        types=types,
        confidence=confidence,
    )
    measures_by_model = measures_of({name: family_of(model) for name, model in named.items()}, chosen)
    return Plan(
        settings,
        [PlannedModel(model, card_of(model, name), measures_by_model[name]) for name, model in named.items()],
        [
            PlannedSet(pairs, len(whole[name]), _subsets(pairs, settings, attribute), groups_frame(pairs))
            for name, pairs in sets.items()
        ],
    )


def _other_keys(card: ModelCard, pairs: PairSet) -> KeyKind | None:
    """Return what a model looks up in a set instead of its terms, or besides them; None if nothing."""
    if card.ids_first:
        return "id" if pairs.has_keys("id") else None
    return None if card.keys == "term" else card.keys


def _subsets(pairs: PairSet, settings: Settings, attribute: Attribute | None) -> Subsets | None:
    if settings.types is not None:
        check_types(pairs, settings.types)
    if settings.by is None:
        return None
    if attribute is None:
        return subsets_by(pairs, settings.by, bins=settings.bins)
    return subsets_by_attribute(pairs, attribute, bins=settings.bins)
