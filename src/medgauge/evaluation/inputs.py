"""What the user asks to evaluate: checked, loaded and named."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import get_args

from medgauge.catalog import datasets as catalog
from medgauge.catalog.datasets import with_gold
from medgauge.catalog.named_sets import Datasets, check_shown, listed_sets, named_pairs
from medgauge.errors import InputError, option, quoted
from medgauge.evaluation.shown import Shown
from medgauge.measures.declared import measure_name
from medgauge.models.base import Model, key_kind, name_of
from medgauge.models.in_memory import ModelSource, as_model, is_model
from medgauge.models.load import check_names, check_source
from medgauge.models.lookup import Tokenizer
from medgauge.models.tables.concept_keys import is_float
from medgauge.pairs import Pairs, PairSet
from medgauge.strata.values import filtered

Models = ModelSource | Sequence[ModelSource] | Mapping[str, ModelSource]
"""Models or where they are: one, several, or several by name."""


def check_names_first(models: Models, datasets: Datasets) -> None:
    """Refuse unknown names and missing files, before any file is read or hashed."""
    for _, source in _listed_models(models):
        check_source(source)
    catalog.check_sources(listed_sets(datasets)[1])


def named_models(models: Models, seed: int, *, tokenizer: Tokenizer = "words") -> dict[str, Model]:
    """Load the models that are not loaded yet, with this tokenizer; `seed` is the random baseline's."""
    named = [
        (name or name_of(model), model)
        for name, model in (
            (name, as_model(source, name, tokenizer=tokenizer, seed=seed))
            for name, source in _listed_models(models)
        )
    ]
    if not named:
        raise InputError("no model was given")
    check_names([name for name, _ in named])
    check_shown(name for name, _ in named)
    return dict(named)


def _listed_models(models: Models) -> list[tuple[str | None, ModelSource]]:
    """Return the sources of models, each with its name if it has one."""
    if isinstance(models, Mapping) and not is_model(models):
        return list(models.items())
    is_one = isinstance(models, str | Path | Mapping) or is_model(models) or not isinstance(models, Sequence)
    return [(None, source) for source in ([models] if is_one else models)]


def named_sets(datasets: Datasets) -> dict[str, PairSet]:
    """Load the sets that are not loaded yet; a folder means the sets in it."""
    return {name: with_gold(pairs) for name, pairs in named_pairs(datasets, needs_gold=True).items()}


def narrowed(sets: Mapping[str, PairSet], where: str | None, limit: int | None) -> dict[str, PairSet]:
    """Keep the pairs that meet a condition, and the first of those."""
    if limit is not None and limit < 1:
        raise InputError(f"the limit must be at least 1, not {limit}")
    met = {name: pairs if where is None else filtered(pairs, where) for name, pairs in sets.items()}
    return {name: pairs if limit is None else pairs.head(limit) for name, pairs in met.items()}


def check_keys(pairs: Pairs, model: Model) -> None:
    """Refuse a set without the ids or CUIs that a model looks up, or whose ids were turned into numbers."""
    kind = key_kind(model)
    if kind == "term":
        return
    for side, keys in enumerate(pairs.keys(kind), 1):
        place = next((number for number, key in enumerate(keys, 1) if key and is_float(key)), None)
        if place is not None:
            raise InputError(
                f"the set {quoted(pairs.card.name)}, pair {place}: {kind}_{side} is a number with a decimal "
                "point or an exponent, as pandas makes of ids where some are missing; write the ids as text"
            )


def chosen_measures(measures: str | Sequence[str] | None) -> list[str] | None:
    """Return the names of measures, each once; None means all.

    >>> chosen_measures("fj"), chosen_measures(["all"]), chosen_measures(["Cosine", "cos"])
    (['fj'], None, ['cos'])
    """
    if measures is None or measures == "all" or list(measures) == ["all"]:
        return None
    given = [measures] if isinstance(measures, str) else measures
    return list(dict.fromkeys(map(measure_name, given)))


def measures_and_shown(measures: str | Sequence[str] | None) -> tuple[list[str] | None, Shown]:
    """Return the names of the measures to compute (None for all), and which of them to show.

    >>> measures_and_shown(None), measures_and_shown("best"), measures_and_shown(["fj", "mj"])
    ((None, 'standard'), (None, 'best'), (['fj', 'mj'], 'all'))
    """
    if measures is None:
        return None, "standard"
    given = [measures] if isinstance(measures, str) else list(measures)
    words: tuple[Shown, ...] = get_args(Shown)
    for word in words:
        if given == [word]:
            return None, word
        if word in given:
            alone = option("measures", word, flag=f"--measure {word}")
            raise InputError(f"give {alone} by itself, or measures by name")
    return chosen_measures(given), "all"
