"""evaluate: every model on every set, on the pairs that all of them cover."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl

from medgauge.catalog.load import load_dataset, resolve_names
from medgauge.errors import InputError
from medgauge.evaluation.results import results
from medgauge.evaluation.run import (
    PROTOCOL,
    Run,
    Settings,
    Store,
    key_of,
    scores_frame,
    scores_path,
)
from medgauge.evaluation.scoring import scorer_for
from medgauge.measures.declared import measures_for
from medgauge.models.base import Model, ModelCard, card_of, family_of
from medgauge.models.choices import Oov
from medgauge.models.load import check_names, load_model
from medgauge.pairs import PairSet
from medgauge.progress import track


def evaluate(
    models: Sequence[str | Path | Model] | Mapping[str, Model],
    datasets: Sequence[str | Path | PairSet],
    *,
    measures: Sequence[str] | None = None,
    out: str | Path | None = None,
    oov: Oov = "uncovered",
    seed: int = 0,
    limit: int | None = None,
    replace: bool = False,
) -> Run:
    """Evaluate models on sets of pairs.

    `models` are files, names of baselines, model objects, or a mapping from names to objects (anything with
    an `encode` method is one). `datasets` are names of published sets ('all': those on this machine), files
    or PairSets. All figures of a set rest on the pairs that every model covers; each model's own coverage
    stands in `run.coverage`. `measures` are names of measures, None for all that a model has.

    With `out`, the run is stored in that folder, which appears when it is whole; a run that was killed goes
    on where it was, and the same inputs are not computed again. A folder that holds another run is left
    alone unless `replace`. `limit` takes the first pairs of each set alone; `seed` deals the folds of
    cross-validation.

    >>> from medgauge.pairs import Card, PairSet
    >>> rows = [("flu", "influenza", 4.0), ("flu", "fracture", 1.0), ("asthma", "asthma attack", 3.0)]
    >>> pairs = PairSet.of(rows, card=Card(name="tiny", title="Tiny"))
    >>> run = evaluate(["levenshtein"], [pairs])
    >>> [(figure.metric, round(figure.value, 2), figure.covered, figure.n) for figure in run.figures]
    [('spearman', 0.5, 3, 3)]
    """
    if limit is not None and limit < 1:
        raise InputError(f"the limit must be at least 1, not {limit}")
    chosen = None if measures is None else list(dict.fromkeys(measures))
    named = _named_models(models, seed)
    sets = _sets(datasets, limit)
    wanted = {name: measures_for(family_of(model), chosen) for name, model in named.items()}
    cards = [card_of(model, name) for name, model in named.items()]
    settings = Settings(measures=chosen, oov=oov, seed=seed, limit=limit)
    store = None if out is None else Store(Path(out))
    if store is not None and (stored := _stored(store, settings, cards, sets, replace)):
        return stored
    frames = _scores(named, cards, sets, wanted, oov, store)
    run = results(settings, cards, sets, wanted, frames)
    if store is None:
        run.hold(frames)
    else:
        store.finish(run)
    return run


def _named_models(models: Sequence[str | Path | Model] | Mapping[str, Model], seed: int) -> dict[str, Model]:
    if isinstance(models, Mapping):
        named = list(models.items())
    else:
        loaded = [load_model(one, seed=seed) if isinstance(one, str | Path) else one for one in models]
        named = [(card_of(model).name, model) for model in loaded]
    if not named:
        raise InputError("no model was given")
    check_names([name for name, _ in named])
    return dict(named)


def _sets(datasets: Sequence[str | Path | PairSet], limit: int | None) -> dict[str, PairSet]:
    sets: dict[str, PairSet] = {}
    for one in datasets:
        for name in resolve_names([one]) if isinstance(one, str) else [one]:
            pairs = name if isinstance(name, PairSet) else load_dataset(name)
            pairs = pairs if limit is None else pairs.head(limit)
            if sets.setdefault(pairs.card.name, pairs).digest != pairs.digest:
                raise InputError(f"two different sets are called '{pairs.card.name}'")
    if not sets:
        raise InputError("no dataset was given")
    return sets


def _stored(
    store: Store,
    settings: Settings,
    cards: list[ModelCard],
    sets: dict[str, PairSet],
    replace: bool,
) -> Run | None:
    """Give the stored run if it has these inputs; refuse to write over another one."""
    run = store.stored()
    if run is None:
        return None
    same = {
        "protocol": run.protocol == PROTOCOL,
        "settings": run.settings == settings,
        "models": run.models == cards,
        "sets": {one.name: one.digest for one in run.datasets}
        == {name: pairs.digest for name, pairs in sets.items()},
    }
    unknown = [card.name for card in cards if not card.digest]
    if all(same.values()) and not unknown:
        return run
    if not replace:
        other = ", ".join(what for what, is_same in same.items() if not is_same)
        reason = f"with other {other}" if other else f"of {unknown[0]}, which has no digest to know it by"
        raise InputError(
            f"{store.folder} holds a run {reason}; choose another folder, or add --replace "
            "(what is the same is not computed again)"
        )
    return None


def _scores(
    named: dict[str, Model],
    cards: list[ModelCard],
    sets: dict[str, PairSet],
    wanted: dict[str, list[str]],
    oov: Oov,
    store: Store | None,
) -> dict[tuple[str, str], pl.DataFrame]:
    """Score what was not scored before, and keep each set's scores as soon as they are there.

    Every model is read before the first score is kept, so that a file that cannot be read leaves nothing.
    """
    frames: dict[tuple[str, str], pl.DataFrame] = {}
    keys = {
        (card.name, name): key_of(
            protocol=PROTOCOL,
            model=card.model_dump(mode="json"),
            dataset=pairs.digest,
            measures=wanted[card.name],
            oov=oov,
        )
        for card in cards
        for name, pairs in sets.items()
    }
    ready = []
    for card in cards:
        missing = {}
        for name, pairs in sets.items():
            found = store.find(card.name, name, keys[card.name, name]) if store and card.digest else None
            if found is None:
                missing[name] = pairs
            else:
                frames[card.name, name] = found
        if missing:
            model = named[card.name]
            scorer = scorer_for(model, list(missing.values()), wanted[card.name], oov=oov)
            ready.append((card, missing, scorer))
    with track("scoring", sum(len(missing) for _, missing, _ in ready)) as advance:
        for card, missing, scorer in ready:
            for name, pairs in missing.items():
                frame = scores_frame(pairs, scorer(pairs))
                frames[card.name, name] = frame
                if store is not None:
                    store.keep(scores_path(card.name, name), frame, keys[card.name, name])
                advance(1)
    return frames
