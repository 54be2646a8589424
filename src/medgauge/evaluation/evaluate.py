"""evaluate: every model on every set, on the pairs that all of them cover."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from medgauge.errors import InputError
from medgauge.estimate import CONFIDENCE, check_confidence
from medgauge.evaluation.inputs import Datasets, Models, chosen_measures, named_models, named_sets, narrowed
from medgauge.evaluation.results import results
from medgauge.evaluation.run import PROTOCOL, Run, Settings
from medgauge.evaluation.run_folder import RunFolder, scores_frame
from medgauge.evaluation.scoring import scorer_for
from medgauge.evaluation.used import check_types, columns_digest
from medgauge.folders import key_of
from medgauge.measures.declared import measures_for
from medgauge.models.base import Model, ModelCard, card_of, family_of
from medgauge.models.lookup import Oov
from medgauge.pairs import PairSet
from medgauge.progress import track
from medgauge.strata.attributes import Attribute, read_attribute
from medgauge.strata.groups import groups_frame
from medgauge.strata.subsets import Subsets, subsets_by, subsets_by_attribute


def evaluate(
    models: Models,
    datasets: Datasets,
    *,
    measures: str | Sequence[str] | None = None,
    out: str | Path | None = None,
    oov: Oov = "uncovered",
    seed: int = 0,
    limit: int | None = None,
    where: str | None = None,
    by: str | None = None,
    bins: int | Sequence[float] | None = None,
    attributes: str | Path | None = None,
    types: tuple[str, str] | None = None,
    confidence: float = CONFIDENCE,
    replace: bool = False,
) -> Run:
    """Evaluate models on sets of pairs.

    `models` are files, names of baselines or model objects (anything with an `encode` method is one), or a
    mapping from names to them. `datasets` are names of published sets ('all': those on this machine), files
    or PairSets. All figures of a set rest on the pairs that every model covers; each model's own coverage
    stands in `run.coverage`. `measures` are names of measures, None for all that a model has.

    With `out`, the run is stored in that folder, which appears when it is whole; a run that was killed goes
    on where it was, and the same inputs are not computed again. A folder that holds another run is left
    alone unless `replace`. `limit` takes the first pairs of each set alone; `seed` deals the folds of
    cross-validation; `confidence` is that of every interval.

    `where` is a SQL expression over the columns of a set (its own, `words`, `levenshtein`,
    `different_ratings`, `rating_spread`); only pairs that meet it are used. `by` names a column that parts
    the pairs into subsets with figures of their own; `bins` is the number or the edges of the intervals of a
    numeric one. With `attributes`, a table of words and numbers, `by` names a column of it, and both terms
    of a pair have to be in the same interval. `types` names two columns of categories: how far their
    combination tells the gold by itself stands in `run.datasets`, as does the human upper bound of a set
    with ratings.

    >>> from medgauge.pairs import Card, PairSet
    >>> rows = [("flu", "influenza", 4.0), ("flu", "fracture", 1.0), ("asthma", "asthma attack", 3.0)]
    >>> pairs = PairSet.of(rows, card=Card(name="tiny", title="Tiny"))
    >>> run = evaluate(["levenshtein"], [pairs])
    >>> [(figure.metric, round(figure.value, 2), figure.covered, figure.n) for figure in run.figures]
    [('spearman', 0.5, 3, 3)]
    """
    seed = int(seed)
    check_confidence(confidence)
    chosen = chosen_measures(measures)
    named = named_models(models, seed)
    whole = named_sets(datasets)
    sets = narrowed(whole, where, limit)
    wanted = {name: measures_for(family_of(model), chosen) for name, model in named.items()}
    cards = [card_of(model, name) for name, model in named.items()]
    if by is None and (bins is not None or attributes is not None):
        raise InputError("bins and attributes need a column to part the pairs by (--by)")
    attribute = read_attribute(attributes, by) if by is not None and attributes is not None else None
    settings = Settings(
        measures=chosen,
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
    subsets = _parted(sets, settings, attribute)
    totals = {name: len(pairs) for name, pairs in whole.items()}
    groups = {name: groups_frame(pairs) for name, pairs in sets.items()}
    if out is None:
        frames = _scores(named, cards, sets, wanted, oov, None)
        run = results(settings, cards, sets, wanted, frames, subsets=subsets, totals=totals)
        run.hold(frames, groups)
        return run
    store = RunFolder.at(out)
    with store.locked():
        if stored := _stored(store, settings, cards, sets, subsets, groups, replace):
            return stored
        frames = _scores(named, cards, sets, wanted, oov, store)
        run = results(settings, cards, sets, wanted, frames, subsets=subsets, totals=totals)
        store.finish(run, groups)
    return run


def _parted(sets: dict[str, PairSet], settings: Settings, attribute: Attribute | None) -> dict[str, Subsets]:
    """Part the pairs of every set, before anything is scored that could be in vain."""
    if settings.types is not None:
        for pairs in sets.values():
            check_types(pairs, settings.types)
    if settings.by is None:
        return {}
    return {
        name: subsets_by(pairs, settings.by, bins=settings.bins)
        if attribute is None
        else subsets_by_attribute(pairs, attribute, bins=settings.bins)
        for name, pairs in sets.items()
    }


def _stored(
    store: RunFolder,
    settings: Settings,
    cards: list[ModelCard],
    sets: dict[str, PairSet],
    subsets: dict[str, Subsets],
    groups: dict[str, pl.DataFrame],
    replace: bool,
) -> Run | None:
    """Give the stored run if it has these inputs; refuse to write over another one."""
    run = store.stored(damaged=replace)
    if run is None:
        return None
    same = {
        "protocol": run.protocol == PROTOCOL,
        "settings": run.settings == settings,
        "models": run.models == cards,
        "sets": {one.name: one.digest for one in run.datasets}
        == {name: pairs.digest for name, pairs in sets.items()},
        "columns of the sets": {one.name: one.columns for one in run.datasets}
        == {name: columns_digest(pairs, subsets.get(name), settings.types) for name, pairs in sets.items()},
    }
    unknown = [card.name for card in cards if not card.digest]
    if all(same.values()) and not unknown:
        return run if store.has_files_of(run, groups) else None
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
    store: RunFolder | None,
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
    if store is not None:
        for (model_name, name), frame in frames.items():
            store.adopt(model_name, name, keys[model_name, name], frame)
    steps = sum(len(pairs) for _, missing, _ in ready for pairs in missing.values())
    with track("scoring", steps) as advance:
        for card, missing, scorer in ready:
            for name, pairs in missing.items():
                frame = scores_frame(pairs, scorer(pairs))
                frames[card.name, name] = frame
                if store is not None:
                    store.keep_scores(card.name, name, keys[card.name, name], frame)
                advance(len(pairs))
    return frames
