"""How reliable ratings and their means are: the grid, and notes on where the figures come from."""

import math
from collections.abc import Iterator

from medgauge.estimate import undefined_sentences
from medgauge.ratings.findings import Agreement, Reliability
from medgauge.report.captions.agreement_notes import has_panels, sentence
from medgauge.report.captions.metric_text import brackets_note
from medgauge.report.grids.grid import Cell, Grid, interval_text, number_text
from medgauge.stats.raters.agreement_statistics import RELIABILITY, STATISTICS
from medgauge.stats.raters.reliability import FEWEST_OF_A_PANEL
from medgauge.stats.raters.variance.mean_reliability import MeanReliability

_NONE = (math.nan, math.nan)
_ALL = "all ratings"


def has_reliability(found: Agreement) -> bool:
    """Return whether any figure of the grid is defined."""
    figures = [getattr(one, name) for one in (found.packed, found.by_panel) for name in RELIABILITY]
    return found.variances is not None or not all(map(math.isnan, figures))


def reliability_grid(found: Agreement) -> Grid:
    """Return W and ICC of complete ratings, packed and by panel, beside the figures of all ratings."""
    complete = {"packed": found.packed, "by panel": found.by_panel}
    if not has_panels(found):
        complete = {"complete pairs": found.packed}
    of_all = {}
    if found.variances is not None:
        of_all = {name: one for name, one in found.estimates.items() if name in MeanReliability.names}
    rows = []
    for name, statistic in STATISTICS.items():
        if name not in RELIABILITY and name not in of_all:
            continue
        cells = [
            quality_cell(getattr(one, name), *one.intervals.get(name, _NONE))
            if name in RELIABILITY
            else Cell("")
            for one in complete.values()
        ]
        if of_all:
            one = of_all.get(name)
            cells.insert(0, Cell("") if one is None else quality_cell(one.value, *one.interval))
        rows.append([Cell(RELIABILITY.get(name, statistic.symbol)), *cells])
    counts = [
        *([] if found.variances is None else [found.variances.pairs]),
        *(one.pairs for one in complete.values()),
    ]
    rows.append([Cell("pairs"), *(Cell(f"{count:,}") for count in counts)])
    header = ["figure", *([_ALL] if of_all else []), *complete]
    notes = list(_grid_notes(found, complete))
    return Grid("Reliability", header, rows, notes, interval_note=brackets_note(found.confidence))


def _grid_notes(found: Agreement, complete: dict[str, Reliability]) -> Iterator[str]:
    yield (
        "ICC forms of McGraw and Wong (1996), for one rating (1) and for the mean of k: annotators not "
        "distinguished; consistency (C), which ignores whether annotators rate higher throughout a panel; "
        "absolute agreement (A), which does not."
    )
    if (variances := found.variances) is not None:
        yield (
            f"{_ALL}: from the variances of pairs ({number_text(variances.pair)}), annotators' offsets "
            f"({number_text(variances.annotator)}) and the rest ({number_text(variances.residual)}) by REML, "
            "gaps allowed. G(q,k) of Putka et al. (2008) is the reliability of the mean rating."
        )
    if has_panels(found):
        yield (
            "packed: ratings side by side in the order of the columns, over "
            f"{found.packed.pairs:,} pairs of {found.packed.panels:,} panels (annotators who rated the same "
            f"pairs); by panel: {_by_panel(found)}."
        )
        if found.by_panel.panels and found.by_panel.raters is None:
            yield "Panels differ in their number of annotators, and so in k."
    reasons = {
        RELIABILITY[name] if len(complete) == 1 else f"{RELIABILITY[name]} ({way})": reason
        for way, one in complete.items()
        if one.panels  # else a note says that there are no panels
        for name, reason in one.undefined.items()
    }
    yield from map(sentence, undefined_sentences(reasons))


def _by_panel(found: Agreement) -> str:
    panels, pairs = found.by_panel.panels, found.by_panel.pairs
    few = f"{FEWEST_OF_A_PANEL} pairs"
    if not panels:
        return f"undefined, as no panel has {few}"
    some = "" if pairs == found.rated_twice else f" of at least {few}"
    return f"averaged over {panels:,} panels{some}, weighted by their {pairs:,} pairs"


def quality_cell(value: float, low: float, high: float) -> Cell:
    """Return the cell of a figure with its interval."""
    return Cell(number_text(value), interval=interval_text(low, high))
