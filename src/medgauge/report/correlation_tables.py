"""Correlations between intrinsic and extrinsic figures as a grid."""

import math

from medgauge.comparison.correlate import ComparedTable, Correlation, Correlations
from medgauge.files import clean_name
from medgauge.report.grid import Cell, Grid
from medgauge.report.run_tables import undefined_notes


def correlations_grid(found: Correlations, *, alpha: float = 0.05) -> Grid:
    """Return Pearson's r with its p-value, intrinsic columns down and extrinsic ones across; bold: p < α."""
    entries = {(one.intrinsic, one.extrinsic): one for one in found.correlations}
    models = len(found.models)
    rows = [
        [Cell(name), *(_cell(entries[name, other], models, alpha) for other in found.extrinsic.columns)]
        for name in found.intrinsic.columns
    ]
    title = "Pearson's r between intrinsic and extrinsic figures"
    return Grid(title, ["intrinsic", *found.extrinsic.columns], rows, _notes(found, alpha))


def correlation_rows(found: Correlations) -> tuple[list[str], list[list[object]]]:
    """Return every correlation as a row, for CSV."""
    header = list(Correlation.model_fields)
    return header, [[getattr(one, name) for name in header] for one in found.correlations]


def _cell(one: Correlation, models: int, alpha: float) -> Cell:
    fewer = "" if one.n == models else f"n = {one.n}"
    if math.isnan(one.r):
        return Cell(f"undefined ({fewer})" if fewer else "undefined")
    p = "p < 0.001" if one.p < 0.001 else f"p = {one.p:.3f}"
    return Cell(f"{one.r:z.2f} ({', '.join(filter(None, (p, fewer)))})", bold=one.p < alpha)


def _notes(found: Correlations, alpha: float) -> list[str]:
    tests = found.tests
    notes = [f"n = {len(found.models)} models. p: two-tailed t-test, not corrected for the number of tests."]
    if tests:
        below, corrected = map(len, found.significant(alpha))
        notes.append(
            f"Bold: p < {alpha:g}, {below} of {tests} tests; of these below Bonferroni's {alpha:g}/{tests} = "
            f"{alpha / tests:.3g}: {corrected}."
        )
    if any(one.n < len(found.models) for one in found.correlations):
        notes.append("A model without a figure is left out of the cells that need it; they say their own n.")
    notes += undefined_notes(
        {f"{one.intrinsic} with {one.extrinsic}": one.estimate for one in found.correlations}
    )
    for table, other in ((found.intrinsic, found.extrinsic), (found.extrinsic, found.intrinsic)):
        notes += _notes_on(table, other)
    return list(dict.fromkeys(notes))


def _notes_on(table: ComparedTable, other: ComparedTable) -> list[str]:
    notes, source = [], clean_name(table.source)
    if table.left_out:
        notes.append(
            f"Left out: {len(table.left_out)} of the models in {source}, which {clean_name(other.source)} "
            "does not have."
        )
    if table.chosen:
        notes.append(
            f"{source}: Spearman's ρ, or the AUC of a labelled set, of each model's best measure, which was "
            "chosen on the test data; these figures are optimistic."
        )
    elif table.measures:
        named = [name for name in table.measures if name != "score"]
        by = f" Measure: {', '.join(named)}." if named else ""
        notes.append(f"{source}: Spearman's ρ, or the AUC of a labelled set.{by}")
    return notes
