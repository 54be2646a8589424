"""How tables mark figures of models that were trained on what a set was made of."""

from collections.abc import Collection, Iterable
from dataclasses import replace

from medgauge.evaluation.contamination import Contamination
from medgauge.report.grids.grid import Cell, listed

MARK = "†"
_MOST = 6  # sets that a note names for one model and reason

Marked = Collection[tuple[str, str]]
"""Models and sets whose figures are marked."""


def marked_figures(found: Iterable[Contamination]) -> Marked:
    """Return the models and sets whose figures are marked."""
    return {(one.model, one.dataset) for one in found}


def with_mark(cell: Cell) -> Cell:
    """Return a cell with the mark, after another superscript if it has one.

    >>> with_mark(Cell("0.61")).raised, with_mark(Cell("0.61", raised="+1")).raised
    ('†', '+1 †')
    """
    return replace(cell, raised=f"{cell.raised} {MARK}".lstrip())


def contamination_notes(found: Iterable[Contamination]) -> list[str]:
    """Say what the mark means, and which models were trained on what.

    >>> found = {"model": "sapbert", "dataset": "mayosrs", "source": "umls", "made_of": ("umls",)}
    >>> contamination_notes([Contamination(**found, reason="UMLS")])[0][-35:]
    'Trained on UMLS: sapbert (mayosrs).'
    """
    by_reason: dict[str, dict[str, list[str]]] = {}
    for one in found:
        by_reason.setdefault(one.reason, {}).setdefault(one.model, []).append(one.dataset)
    if not by_reason:
        return []
    parts = [
        f"Trained on {reason}: "
        + ", ".join(f"{model} ({listed(sets, most=_MOST)})" for model, sets in models.items())
        for reason, models in by_reason.items()
    ]
    lead = f"{MARK}: the model was trained on what the set was made from, so its figure may show memory."
    return [f"{lead} {'; '.join(parts)}."]
