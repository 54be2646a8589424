"""evaluate: every model on every set, on the pairs that all of them cover."""

import warnings
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import polars as pl

from medgauge.catalog.named_sets import Datasets
from medgauge.errors import InputError, MedgaugeWarning, option
from medgauge.estimate import CONFIDENCE
from medgauge.evaluation.inputs import Models
from medgauge.evaluation.plan import Plan, PlannedModel, PlannedSet, make_plan
from medgauge.evaluation.results import Frames, results
from medgauge.evaluation.run import Run
from medgauge.evaluation.run_folder import RunFolder, scores_frame
from medgauge.evaluation.scoring import scorer_for, warn_of_undefined
from medgauge.models.lookup import Oov
from medgauge.progress import remark, track


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
    or PairSets. All figures on a set are computed on the pairs that every model covers; each model's own
    coverage is in `run.coverage`.

    By default all measures that a model has are computed and stored, and tables and plots show the standard
    one, avg_cos for word vectors and cos for term vectors. With `measures="best"` they show each model's best
    measure on each set, which is chosen on the test data and so flatters it; with "all" every measure; with
    names of measures only those are computed. `run.showing` changes what is shown.

    With `out`, the run is stored in that folder, which appears once it is complete; a run that was killed
    resumes where it stopped, and the same inputs are not computed again. A folder that holds another run is
    left alone unless `replace`. `limit` uses only the first pairs of each set; `seed` is that of the folds of
    cross-validation; `confidence` is that of every interval.

    `where` is a SQL expression over the columns of a set (its own, `words`, `levenshtein`,
    `different_ratings`, `rating_spread`, `specificity`); only pairs that meet it are used. `by` names a
    column that splits the pairs into subsets with figures of their own; `bins` is the number or the edges of
    the intervals of a numeric one. With `attributes`, a table of words and numbers, `by` names a column of
    it, and both terms of a pair must be in the same interval. `types` names two columns of categories: how
    well their combination predicts the gold by itself is in `run.datasets`, as are the best annotator and the
    ceiling of a set with ratings.

    >>> from medgauge.pairs import Card, PairSet
    >>> rows = [("flu", "influenza", 4.0), ("flu", "fracture", 1.0), ("asthma", "asthma attack", 3.0)]
    >>> pairs = PairSet.of(rows, card=Card(name="tiny", title="Tiny"))
    >>> run = evaluate(["levenshtein"], [pairs])
    >>> [(figure.metric, round(figure.value, 2), figure.covered, figure.n) for figure in run.figures]
    [('spearman', 0.5, 3, 3)]
    """
    plan = make_plan(
        models,
        datasets,
        measures=measures,
        oov=oov,
        seed=seed,
        limit=limit,
        where=where,
        by=by,
        bins=bins,
        attributes=attributes,
        types=types,
        confidence=confidence,
    )
    groups = {used.name: used.groups for used in plan.sets}
    if out is None:
        frames = _scores(plan, None)
        run = results(plan, frames)
        run.hold(frames, groups)
        return run
    folder = RunFolder.at(out)
    with folder.locked():
        if stored := _stored(folder, plan, replace=replace):
            remark(f"{out} already holds this run: nothing had to be computed")
            return stored.showing(plan.settings.shown)
        frames = _scores(plan, folder)
        run = results(plan, frames)
        folder.finish(run, groups)
    return run


def _stored(folder: RunFolder, plan: Plan, *, replace: bool) -> Run | None:
    """Return the stored run if it is the planned one; refuse to overwrite another one."""
    run = folder.stored(damaged=replace)
    if run is None:
        return None
    differences = plan.differences(run)
    if differences and not replace:
        raise InputError(
            f"{folder.folder} holds a run with different {', '.join(differences)}; choose another folder, or "
            f"add {option('replace', True)} (what is the same is not computed again)"
        )
    if differences:
        return None
    unknown = [planned.card.name for planned in plan.models if not planned.card.digest]
    if unknown:
        warnings.warn(
            f"{', '.join(unknown)}: no digest shows whether this is the model of the stored run, so its "
            "scores are computed again and replaced",
            MedgaugeWarning,
            stacklevel=3,
        )
        return None
    groups = {used.name: used.groups for used in plan.sets}
    return run if folder.has_files_of(run, groups) else None


def _scores(plan: Plan, folder: RunFolder | None) -> Frames:
    """Score what was not scored before, and keep each set's scores as soon as they are computed.

    Every model is read before the first score is kept, so that an unreadable file leaves nothing behind.
    """
    frames: dict[tuple[str, str], pl.DataFrame] = {}
    ready = []
    for planned in plan.models:
        missing = []
        for used in plan.sets:
            found = _found(plan, planned, used, folder)
            if found is None:
                missing.append(used)
            else:
                frames[planned.card.name, used.name] = found
        if missing:
            # Concepts are looked up for all sets, so that what is kept does not change which are found.
            looked_up = missing if planned.card.keys == "term" else plan.sets
            sets = [used.pairs for used in looked_up]
            scorer = scorer_for(planned.model, sets, planned.measures, oov=plan.settings.oov)
            ready.append((planned, missing, scorer))
    if folder is not None:
        if frames:
            doing = "reusing" if folder.exists() else "resuming"
            remark(f"{doing}: {len(frames)} of {len(plan.models) * len(plan.sets)} scores are kept")
        for planned, used in product(plan.models, plan.sets):
            if (frame := frames.get((planned.card.name, used.name))) is not None:
                folder.adopt(planned.card.name, used.name, plan.key(planned, used), frame)
    with track("scoring", sum(len(used.pairs) for _, missing, _ in ready for used in missing)) as advance:
        for planned, missing, scorer in ready:
            for used in missing:
                scores = scorer(used.pairs)
                warn_of_undefined(scores, f"{planned.card.name} on {used.name}: ")
                frame = scores_frame(used.pairs, scores)
                frames[planned.card.name, used.name] = frame
                if folder is not None:
                    folder.keep_scores(planned.card.name, used.name, plan.key(planned, used), frame)
                advance(len(used.pairs))
    return frames


def _found(
    plan: Plan, planned: PlannedModel, used: PlannedSet, folder: RunFolder | None
) -> pl.DataFrame | None:
    """Find scores that were computed before; a model without a digest may have changed since."""
    if folder is None or not planned.card.digest:
        return None
    return folder.find(planned.card.name, used.name, plan.key(planned, used))
