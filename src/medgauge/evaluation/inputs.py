"""What the user asks to be evaluated, loaded and named."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from medgauge.catalog.datasets import load_datasets, resolve_names
from medgauge.errors import InputError
from medgauge.models.base import Model, card_of
from medgauge.models.load import check_names, load_model
from medgauge.pairs import PairSet
from medgauge.strata.values import filtered

Source = str | Path | Model
Models = Source | Sequence[Source] | Mapping[str, Source]
"""Models or where they are: one, several, or several by name."""

Datasets = str | Path | PairSet | Sequence[str | Path | PairSet]
"""Sets or where they are: one or several."""


def named_models(models: Models, seed: int) -> dict[str, Model]:
    """Load what is not loaded yet; `seed` is the random baseline's."""
    if isinstance(models, Mapping):
        named = [(name, _loaded(source, name, seed)) for name, source in models.items()]
    else:
        several = models if isinstance(models, Sequence) and not isinstance(models, str) else [models]
        loaded = [_loaded(source, None, seed) for source in several]
        named = [(card_of(model).name, model) for model in loaded]
    if not named:
        raise InputError("no model was given")
    check_names([name for name, _ in named])
    return dict(named)


def _loaded(source: Source, name: str | None, seed: int) -> Model:
    return load_model(source, name=name, seed=seed) if isinstance(source, str | Path) else source


def named_sets(datasets: Datasets) -> dict[str, PairSet]:
    """Load what is not loaded yet; a folder stands for the sets in it."""
    given = [datasets] if isinstance(datasets, str | Path | PairSet) else datasets
    sources = [
        source for one in given for source in (resolve_names([one]) if isinstance(one, str) else [one])
    ]
    sets: dict[str, PairSet] = {}
    for source in sources:
        for pairs in [source] if isinstance(source, PairSet) else load_datasets(source):
            if not len(pairs):
                raise InputError(f"the set '{pairs.card.name}' has no pairs")
            if sets.setdefault(pairs.card.name, pairs).digest != pairs.digest:
                raise InputError(
                    f"two different sets are called '{pairs.card.name}'; give one another name (NAME=FILE)"
                )
    if not sets:
        raise InputError("no dataset was given")
    return sets


def narrowed(sets: Mapping[str, PairSet], where: str | None, limit: int | None) -> dict[str, PairSet]:
    """Keep the pairs that meet a condition, and of those the first."""
    if limit is not None and limit < 1:
        raise InputError(f"the limit must be at least 1, not {limit}")
    met = {name: pairs if where is None else filtered(pairs, where) for name, pairs in sets.items()}
    return {name: pairs if limit is None else pairs.head(limit) for name, pairs in met.items()}


def chosen_measures(measures: str | Sequence[str] | None) -> list[str] | None:
    """Give the names of measures once each; None stands for all.

    >>> chosen_measures("fj"), chosen_measures(["all"])
    (['fj'], None)
    """
    if measures is None or measures == "all" or list(measures) == ["all"]:
        return None
    return [measures] if isinstance(measures, str) else list(dict.fromkeys(measures))
