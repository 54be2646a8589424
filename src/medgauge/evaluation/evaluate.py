"""evaluate: every model on every set, on the pairs that all of them cover."""

import platform
import warnings
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from medgauge.catalog.load import load_dataset, resolve_names
from medgauge.errors import CoverageWarning, InputError, UndefinedWarning
from medgauge.evaluation.figures import Figure, figures
from medgauge.evaluation.run import (
    RESULTS,
    Coverage,
    Run,
    Settings,
    SetUsed,
    Store,
    key_of,
    scores_frame,
    scores_path,
    undefined_mask,
)
from medgauge.evaluation.scoring import score_sets
from medgauge.measures.declared import measures_for
from medgauge.models.base import Model, ModelCard, PairScorer, TableModel, WordModel, family_of
from medgauge.models.load import check_names, load_model
from medgauge.models.terms import Oov
from medgauge.pairs import PairSet

_SCORES_VERSION = 1  # raise when a measure or baseline gives other scores than before
_FEW = 20

Frames = dict[tuple[str, str], pl.DataFrame]


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
    chosen = list(measures) if measures is not None else None
    named = _named_models(models, seed)
    cards = [_card(name, model) for name, model in named.items()]
    sets = _sets(datasets, limit)
    wanted = {name: measures_for(family_of(model), chosen) for name, model in named.items()}
    settings = Settings(measures=chosen, oov=oov, seed=seed, limit=limit)
    store = Store(Path(out)) if out is not None else None
    if store is not None and (stored := _stored(store, settings, cards, sets, replace)):
        return stored
    frames: Frames = {}
    for card in cards:
        _score_model(named[card.name], card, sets, wanted[card.name], oov, store, frames)
    run = _results(settings, cards, sets, wanted, frames)
    if store is not None:
        store.finish(run)
    else:
        run._scores = frames
    return run


def _named_models(models: Sequence[str | Path | Model] | Mapping[str, Model], seed: int) -> dict[str, Model]:
    if isinstance(models, Mapping):
        named = list(models.items())
    else:
        loaded = [load_model(one, seed=seed) if isinstance(one, str | Path) else one for one in models]
        named = [(_name(model), model) for model in loaded]
    if not named:
        raise InputError("no model was given")
    check_names([name for name, _ in named])
    return dict(named)


def _name(model: Model) -> str:
    card = getattr(model, "card", None)
    return card.name if isinstance(card, ModelCard) else type(model).__name__


def _card(name: str, model: Model) -> ModelCard:
    if isinstance(model, WordModel | TableModel | PairScorer):
        return model.card.model_copy(update={"name": name})
    return ModelCard(name=name, family="vectors", format=type(model).__qualname__)


def _sets(datasets: Sequence[str | Path | PairSet], limit: int | None) -> dict[str, PairSet]:
    sets: dict[str, PairSet] = {}
    for one in datasets:
        names = resolve_names([one]) if isinstance(one, str) else [one]
        for name in names:
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
    if not store.folder.exists():
        return None
    if not (store.folder / RESULTS).is_file():
        raise InputError(f"{store.folder} exists and is no run of medgauge; choose another folder")
    run = Run.load(store.folder)
    same = {
        "settings": run.settings == settings,
        "models": run.models == cards and all(card.digest for card in cards),
        "datasets": {one.name: one.digest for one in run.datasets}
        == {name: pairs.digest for name, pairs in sets.items()},
    }
    if all(same.values()):
        return run
    if not replace:
        other = ", ".join(what for what, is_same in same.items() if not is_same)
        raise InputError(
            f"{store.folder} holds a run with other {other}; choose another folder, or add --replace "
            "(what is the same is not computed again)"
        )
    return None


def _score_model(
    model: Model,
    card: ModelCard,
    sets: dict[str, PairSet],
    measures: list[str],
    oov: Oov,
    store: Store | None,
    frames: Frames,
) -> None:
    """Score the sets that were not scored before, and keep each as soon as it is."""
    keys = {
        name: key_of(
            version=_SCORES_VERSION,
            model=card.model_dump(mode="json"),
            dataset=pairs.digest,
            measures=measures,
            oov=oov,
        )
        for name, pairs in sets.items()
    }
    missing = []
    for name in sets:
        path = scores_path(card.name, name)
        found = store.find(path, keys[name]) if store is not None and card.digest else None
        if found is None:
            missing.append(name)
        else:
            frames[card.name, name] = found
    if not missing:
        return
    scored = score_sets(model, [sets[name] for name in missing], measures, oov=oov)
    for name, scores in zip(missing, scored, strict=True):
        frame = scores_frame(sets[name], scores)
        frames[card.name, name] = frame
        if store is not None:
            store.keep(scores_path(card.name, name), frame, keys[name])


def _results(
    settings: Settings,
    cards: list[ModelCard],
    sets: dict[str, PairSet],
    wanted: dict[str, list[str]],
    frames: Frames,
) -> Run:
    used, coverage, found = [], [], []
    for name, pairs in sets.items():
        common = np.ones(len(pairs), bool)
        for card in cards:
            frame = frames[card.name, name]
            covered, undefined = frame["covered"].to_numpy(), undefined_mask(frame)
            common &= covered & ~undefined
            coverage.append(
                Coverage(
                    model=card.name,
                    dataset=name,
                    n=len(pairs),
                    covered=int(covered.sum()),
                    undefined=int(undefined.sum()),
                    scores=scores_path(card.name, name),
                )
            )
        if common.sum() < min(_FEW, len(pairs)):
            warnings.warn(
                f"on {name} only {int(common.sum())} of {len(pairs)} pairs are covered by all models",
                CoverageWarning,
                stacklevel=3,
            )
        used.append(_set_used(pairs, common))
        for card in cards:
            found += _figures(card, pairs, frames[card.name, name], wanted[card.name], common, settings)
    return Run(
        versions=_versions(),
        settings=settings,
        models=cards,
        datasets=used,
        coverage=coverage,
        figures=found,
    )


def _figures(
    card: ModelCard,
    pairs: PairSet,
    frame: pl.DataFrame,
    measures: list[str],
    common: NDArray[np.bool_],
    settings: Settings,
) -> list[Figure]:
    found = []
    for measure in measures:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UndefinedWarning)
            found += figures(
                model=card.name,
                dataset=pairs.card.name,
                measure=measure,
                gold=pairs.gold[common],
                scores=frame[measure].to_numpy()[common],
                labelled=pairs.labelled,
                n=len(pairs),
                seed=settings.seed,
            )
        for warning in caught:
            warnings.warn(
                f"{card.name} on {pairs.card.name}: {warning.message}",
                warning.category,
                stacklevel=4,
            )
    return found


def _set_used(pairs: PairSet, common: NDArray[np.bool_]) -> SetUsed:
    positives = float(pairs.gold[common].mean()) if pairs.labelled and common.any() else None
    return SetUsed(
        name=pairs.card.name,
        title=pairs.card.title,
        kind=pairs.card.kind,
        labelled=pairs.labelled,
        n=len(pairs),
        compared=int(common.sum()),
        majority=None if positives is None else max(positives, 1 - positives),
        digest=pairs.digest,
        citation=pairs.card.citation,
    )


def _versions() -> dict[str, str]:
    packages = ("medgauge", "numpy", "scipy", "numba", "polars", "rapidfuzz")
    return {"python": platform.python_version(), **{name: version(name) for name in packages}}
