"""Runs of earlier versions: figures that are now computed in another way are computed again."""

from medgauge.comparison.scores import SetScores
from medgauge.evaluation.figures import METRICS, Figure, figures
from medgauge.evaluation.run import Run
from medgauge.progress import remark

_MEAN_OVER_DEALS = 2  # the protocol since which cross-validated accuracies are means over deals into folds


def with_present_figures(run: Run) -> Run:
    """Return the run with the figures on whole sets that this version computes from its scores.

    In runs before protocol 2, cross-validated accuracies are those of a single deal of the pairs into folds.
    """
    dealt_once = [used.name for used in run.datasets if used.labelled and used.compared]
    if run.protocol >= _MEAN_OVER_DEALS or not dealt_once:
        return run
    held = {name: SetScores(run, name) for name in dealt_once}
    present = run.model_copy(
        update={
            "figures": [
                _again(run, held[one.dataset], one)
                if one.metric == "accuracy_cv" and one.subset is None and one.dataset in held
                else one
                for one in run.figures
            ]
        }
    )
    remark(
        f"{run.place} is of an earlier version: {METRICS['accuracy_cv']} is computed again from its scores, "
        "as the mean over 50 deals of the pairs into folds"
    )
    return present


def _again(run: Run, held: SetScores, one: Figure) -> Figure:
    found = figures(
        model=one.model,
        dataset=one.dataset,
        measure=one.measure,
        gold=held.gold,
        scores=held.scores([(one.model, one.measure)])[0],
        labelled=True,
        n=one.n,
        seed=run.settings.seed,
        confidence=one.confidence,
    )
    return next(figure for figure in found if figure.metric == one.metric)
