"""The measure with which each model enters a comparison."""

from collections.abc import Iterable, Mapping

from medgauge.errors import InputError, UnknownNameError, option
from medgauge.evaluation.figures import Figure, best_figures
from medgauge.evaluation.run import Run
from medgauge.measures.declared import MEASURES
from medgauge.models.base import ModelCard

BEST = "best"
_STANDARD = {"words": "avg_cos", "vectors": "cos", "pairs": "score"}


def parse_choice(given: str, known: Iterable[str]) -> str | dict[str, str]:
    """Parse a choice of measures from the command line, for models and kinds with these names.

    >>> parse_choice("fj", []), parse_choice("words=fj, my,model=mj", ["my,model"])
    ('fj', {'words': 'fj', 'my,model': 'mj'})
    """
    if "=" not in given:
        return given
    names = {*known, "words", "vectors"}
    chosen: dict[str, str] = {}
    pending = ""
    for part in given.split(","):
        # A model's name may contain = or a comma, a measure's neither.
        pending = f"{pending},{part}" if pending else part.strip()
        name, equals, measure = pending.rpartition("=")
        if equals and name and measure and (name in names or "," not in given):
            chosen[name] = measure.strip()
            pending = ""
    if pending or not chosen or given.rstrip().endswith(","):
        raise InputError(
            f"{option('measure', given)}: write NAME=MEASURE parts separated by commas, where NAME is "
            "words, vectors or a model of the run"
        )
    return chosen


def measure_of(run: Run, choice: str | Mapping[str, str] | None, dataset: str, metric: str) -> dict[str, str]:
    """Return the measure of each model of the run on a set.

    `choice` is one measure for all, a mapping from models or kinds of models (words, vectors) to measures,
    'best' (the highest figure on these same pairs), or None: the run's only measure, else the standard
    avg_cos and cos.
    """
    figures = [
        figure
        for figure in run.figures
        if (figure.dataset, figure.metric) == (dataset, metric) and figure.subset is None
    ]
    return {
        card.name: _one(card, [f for f in figures if f.model == card.name], choice) for card in run.models
    }


def check_choice(run: Run, choice: str | Mapping[str, str] | None) -> None:
    """Refuse a choice that names an unknown measure, model or kind of model."""
    if choice is None or choice == BEST:
        return
    measures = [choice] if isinstance(choice, str) else list(choice.values())
    for name in measures:
        if name not in MEASURES:
            known = [*MEASURES, *([BEST] if isinstance(choice, str) else [])]
            raise UnknownNameError("measure", name, known)
    if isinstance(choice, Mapping):
        known = [card.name for card in run.models] + ["words", "vectors"]
        for name in choice:
            if name not in known:
                raise UnknownNameError("model or kind of model", name, known)


def _one(card: ModelCard, figures: list[Figure], choice: str | Mapping[str, str] | None) -> str:
    has = [figure.measure for figure in figures]
    if len(has) == 1 and card.family == "pairs":
        return has[0]
    if choice == BEST:
        return next(iter(best_figures(figures).values())).measure
    by_kind: Mapping[str, str | None] = choice if isinstance(choice, Mapping) else {card.name: choice}
    wanted = by_kind.get(card.name, by_kind.get(card.family))
    if wanted is None:
        wanted = has[0] if len(has) == 1 else _STANDARD[card.family]
    if wanted not in has:
        raise InputError(
            f"the run has no {wanted} for {card.name} (it has {', '.join(has)}): choose another, for "
            f"example {option('measure', f'{card.name}={has[0]}')}, or evaluate again with it"
        )
    return wanted
