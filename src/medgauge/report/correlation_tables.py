"""Correlations between intrinsic and extrinsic figures: as a summary, a grid and rows."""

import math

from medgauge.comparison.correlate import ComparedTable, Correlation, Correlations
from medgauge.files.file_names import clean_name
from medgauge.report.captions.metric_text import undefined_notes
from medgauge.report.grids.grid import Cell, ColumnTypes, Grid, columns_of, counted, short_name

_ALPHA = 0.05


def summary(found: Correlations) -> list[str]:
    """Describe in a few lines what was correlated, and where the correlation is strongest."""
    below, corrected = map(len, found.significant(_ALPHA))
    intrinsic, extrinsic = len(found.intrinsic.columns), len(found.extrinsic.columns)
    lines = [
        f"{counted(intrinsic, 'intrinsic column')} × {counted(extrinsic, 'extrinsic column')} over "
        f"{counted(len(found.models), 'model')}",
        f"{below:,} of {counted(found.tests, 'test')} with p < {_ALPHA:g}; "
        f"{corrected:,} after Bonferroni's correction",
    ]
    defined = [one for one in found.correlations if not math.isnan(one.r)]
    if defined:
        top = max(defined, key=lambda one: abs(one.r))
        of = f"{short_name(top.intrinsic)} and {short_name(top.extrinsic)}"
        lines.append(f"strongest: r {top.r:z.2f} of {of} ({p_text(top.p)})")
    return lines


def grids(found: Correlations) -> list[Grid]:
    """Return the one grid."""
    return [correlations_grid(found)]


def correlations_grid(found: Correlations, *, alpha: float = _ALPHA) -> Grid:
    """Return Pearson's r with its p-value, intrinsic columns down and extrinsic ones across; bold: p < α."""
    entries = {(one.intrinsic, one.extrinsic): one for one in found.correlations}
    models = len(found.models)
    rows = [
        [Cell(name), *(_cell(entries[name, other], models, alpha) for other in found.extrinsic.columns)]
        for name in found.intrinsic.columns
    ]
    title = "Pearson's r between intrinsic and extrinsic figures"
    return Grid(title, ["intrinsic", *found.extrinsic.columns], rows, _notes(found, alpha), turned=1)


def rows(found: Correlations) -> tuple[ColumnTypes, list[list[object]]]:
    """Return every correlation as a row."""
    columns = columns_of(Correlation)
    return columns, [[getattr(one, name) for name in columns] for one in found.correlations]


def p_text(p: float, *, floored: bool = False) -> str:
    """Format a p-value; one that is the smallest that a test can give (`floored`) is rounded up.

    >>> p_text(0.0004), p_text(0.25), p_text(0.0002, floored=True), p_text(0.00144, floored=True)
    ('p < 0.001', 'p = 0.250', 'p ≤ 0.0002', 'p ≤ 0.002')
    """
    if floored and 0 < p < 1:
        power = 10.0 ** math.floor(math.log10(p))
        return f"p ≤ {math.ceil(p / power - 1e-9) * power:.1g}"
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def _cell(one: Correlation, models: int, alpha: float) -> Cell:
    fewer = "" if one.n == models else f"n = {one.n}"
    if math.isnan(one.r):
        return Cell(f"undefined ({fewer})" if fewer else "undefined")
    return Cell(f"{one.r:z.2f} ({', '.join(filter(None, (p_text(one.p), fewer)))})", bold=one.p < alpha)


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
        notes.append(
            "A model without a figure is left out of the cells that need it; these give their own n."
        )
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
            f"Left out: {len(table.left_out)} of the models in {source}, which are missing from "
            f"{clean_name(other.source)}."
        )
    if table.chosen:
        notes.append(
            f"{source}: Spearman's ρ, or the AUC of a labelled set, of each model's best measure, "
            "chosen on the test data; these figures are optimistic."
        )
    elif table.measures:
        named = [name for name in table.measures if name != "score"]
        by = f" Measure: {', '.join(named)}." if named else ""
        notes.append(f"{source}: Spearman's ρ, or the AUC of a labelled set.{by}")
    return notes
