"""A benchmark from health records: as a summary, as a grid of steps, and as rows."""

from medgauge.build.records.data_sheet import FEW, FORM_NAMES, DataSheet, RecordStep, Shown, in_words
from medgauge.errors import option
from medgauge.report.grids.grid import Cell, ColumnTypes, Grid, counted, listed, short_name

_NUMBERS = ("patients", "events", "concepts", "pairs")


def summary(sheet: DataSheet) -> list[str]:
    """Describe in a few lines what was read and what was written."""
    read, least = sheet.found.steps[0], sheet.counting.min_patients
    last = next(step for step in reversed(sheet.found.steps) if step.concepts is not None)
    pairs = f" and {counted(last.pairs, 'pair')}" if last.pairs is not None else ""
    written = sheet.written
    return [
        f"{FORM_NAMES[sheet.found.form]}, counted by {short_name(sheet.found.engine)}",
        f"{_text(read.events)} events of {_text(read.patients)} patients",
        f"of {least} or more patients: {counted(last.concepts or 0, 'concept')}{pairs}",
        _written(sheet) if written is not None else "dry run: no pairs were written",
    ]


def grids(sheet: DataSheet) -> list[Grid]:
    """Return the one grid: what was left after each step."""
    title = f"Counted in {FORM_NAMES[sheet.found.form]}"
    steps = [_step_row(step) for step in sheet.found.steps]
    return [Grid(title, ["step", *_NUMBERS], steps, [*_step_notes(sheet), *_read_notes(sheet)])]


def rows(sheet: DataSheet) -> tuple[ColumnTypes, list[list[object]]]:
    """Return every step as a row; a number is empty where a step has none, or where it is not shown."""
    columns: ColumnTypes = {"step": str} | dict.fromkeys(_NUMBERS, int)
    numbers = [[getattr(step, name) for name in _NUMBERS] for step in sheet.found.steps]
    return columns, [
        [step.step, *(None if isinstance(number, str) else number for number in own)]
        for step, own in zip(sheet.found.steps, numbers, strict=True)
    ]


def _text(number: Shown | None) -> str:
    """Write a number; one that a step does not have is empty."""
    return "" if number is None else in_words(number)


def _is_band(number: Shown | None) -> bool:
    return isinstance(number, str) and number != FEW


def _step_row(step: RecordStep) -> list[Cell]:
    numbers = [getattr(step, name) for name in _NUMBERS]
    return [Cell(step.step), *(Cell(_text(number)) for number in numbers)]


def _written(sheet: DataSheet) -> str:
    """Say how many pairs were written, and how they were chosen."""
    written, chosen = sheet.written, sheet.sampling
    assert written is not None
    assert chosen is not None
    how = {
        "random": f"drawn at random (seed {chosen.seed})",
        "frequent": f"those with the most patients, at most {chosen.per_concept} for a concept "
        f"({chosen.cap})",
        "stratified": f"drawn evenly by {chosen.by} (seed {chosen.seed})",
    }[chosen.sample]
    return f"written: {counted(written.pairs, 'pair')} of {counted(written.concepts, 'concept')}, {how}"


def _step_notes(sheet: DataSheet) -> list[str]:
    found, counting = sheet.found, sheet.counting
    notes = [
        f"Enough patients: {counting.min_patients} or more ({option('min_patients')}); few: some, but fewer. "
        f"Categories: {listed(counting.categories, most=8)}."
    ]
    if any(_is_band(number) for step in found.steps for number in (step.patients, step.events)):
        notes.append("A range hides a number whose difference from those above is due to too few patients.")
    if counting.window is not None:
        notes.append(f"Pairs were recorded within {counted(counting.window, 'day')}.")
    if found.cut:
        notes.append(
            f"Patients of whom only the {counting.max_concepts:,} commonest concepts are paired: "
            f"{_text(found.cut)}."
        )
    if found.unmapped_codes:
        notes.append(f"Codes without a concept: {found.unmapped_codes:,}.")
    if sheet.written is not None:
        text = _written(sheet)
        notes.append(f"{text[0].upper()}{text[1:]}.")
    return notes


def _read_notes(sheet: DataSheet) -> list[str]:
    found = sheet.found
    notes = [
        f"Read from {short_name(table)}: {listed(columns, most=12)}."
        for table, columns in found.tables.items()
    ]
    systems = [f"{name} {_text(events)}" for name, events in found.systems.items()]
    if systems:
        notes.append(f"Events by code system: {listed(systems, most=8)}.")
    left_out = {"events without a patient": found.without_patient} | found.left_out
    reasons = [f"{name} {number:,}" for name, number in left_out.items() if number]
    if reasons:
        notes.append(f"Left out: {'; '.join(reasons)}.")
    return notes
