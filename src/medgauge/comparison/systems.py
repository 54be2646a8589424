"""The measure with which each model enters a comparison."""

from collections.abc import Iterable, Mapping

from medgauge.errors import InputError, UnknownNameError, option, same_name
from medgauge.evaluation.figures import Figure, best_figures
from medgauge.evaluation.run import Run
from medgauge.measures.declared import MEASURES, STANDARD, meant_by, measure_name, remark_meaning
from medgauge.models.base import ModelCard

BEST = "best"


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


def known_choice(run: Run, choice: str | Mapping[str, str] | None) -> str | dict[str, str] | None:
    """Return a choice with names as the run and the measures spell them; refuse unknown ones."""
    if choice is None:
        return None
    if isinstance(choice, str):
        best = same_name(choice, [BEST])
        return best if best == BEST else _known_measure(choice, [BEST])
    known = [card.name for card in run.models] + ["words", "vectors"]
    chosen = {same_name(name, known): _known_measure(measure, []) for name, measure in choice.items()}
    for name in chosen:
        if name not in known:
            raise UnknownNameError("model or kind of model", name, known)
    return chosen


def _known_measure(given: str, others: Iterable[str]) -> str:
    try:
        return measure_name(given)
    except UnknownNameError:
        raise UnknownNameError("measure", given, [*MEASURES, *others]) from None


def _one(card: ModelCard, figures: list[Figure], choice: str | Mapping[str, str] | None) -> str:
    has = [figure.measure for figure in figures]
    if len(has) == 1 and card.family == "pairs":
        return has[0]
    if choice == BEST:
        return next(iter(best_figures(figures).values())).measure
    by_kind: Mapping[str, str | None] = choice if isinstance(choice, Mapping) else {card.name: choice}
    wanted = by_kind.get(card.name, by_kind.get(card.family))
    if wanted is None:
        wanted = has[0] if len(has) == 1 else STANDARD[card.family]
    if wanted not in has and (meaning := meant_by(wanted, card.family)) in has:
        remark_meaning(wanted, meaning)
        return meaning
    if wanted not in has:
        raise InputError(
            f"the run has no {wanted} for {card.name} (it has {', '.join(has)}): choose another, for "
            f"example {option('measure', f'{card.name}={has[0]}')}, or evaluate again with it"
        )
    return wanted
