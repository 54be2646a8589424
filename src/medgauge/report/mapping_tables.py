"""A concept map: as a summary, as grids of its steps and its concepts, and as rows."""

from collections.abc import Sequence

from medgauge.mapping.concept_map import ConceptMap, MappedConcept
from medgauge.report.grids.grid import Cell, ColumnTypes, Grid, counted, first_lines, listed, short_name

_SHOWN = 20  # concepts in a table
_TARGETS = 3  # targets of a concept in a table


def summary(found: ConceptMap) -> list[str]:
    """Describe in a few lines what was mapped, by what, and at which steps the others got stuck."""
    stuck = [f"unmapped: {step} ({count:,})" for (mapped, step), count in found.steps.items() if not mapped]
    return [
        f"{short_name(found.source)} to {short_name(found.target)}, by {short_name(found.route)}",
        f"{len(found.mapped):,} of {counted(len(found.concepts), 'concept')} mapped",
        *first_lines(stuck, "step"),
    ]


def grids(found: ConceptMap) -> list[Grid]:
    """Return the steps with their numbers of concepts, then the first mapped and the first unmapped ones."""
    mapped = [one for one in found.concepts if one.targets]
    unmapped = [one for one in found.concepts if not one.targets]
    made = [_steps(found)]
    if mapped:
        made.append(_concepts(found, "Mapped", mapped))
    if unmapped:
        made.append(_concepts(found, "Unmapped", unmapped))
    return made


def rows(found: ConceptMap) -> tuple[ColumnTypes, list[list[object]]]:
    """Return a row for each concept and target, and one without a target for each unmapped concept."""
    columns = {"id": str, "target": str, "step": str, "left": str}
    return columns, [
        [one.id, target, one.step, " ".join(one.left) or None]
        for one in found.concepts
        for target in (one.targets or (None,))
    ]


def _steps(found: ConceptMap) -> Grid:
    total = len(found.concepts)
    cells = [
        [
            Cell("mapped" if mapped else "unmapped"),
            Cell(step),
            Cell(f"{count:,}"),
            Cell(f"{count / total:.1%}"),
        ]
        for (mapped, step), count in found.steps.items()
    ]
    return Grid(
        f"{found.source} to {found.target}, by {found.route}",
        ["outcome", "step", "concepts", "share"],
        cells,
        labels=2,
        lead=[f"{len(found.mapped):,} of {counted(total, 'concept')} mapped."],
    )


def _concepts(found: ConceptMap, title: str, concepts: Sequence[MappedConcept]) -> Grid:
    """Return the first of some concepts, with their targets or with what was left to choose."""
    are_mapped = title == "Mapped"
    shown = concepts[:_SHOWN]
    cells = [
        [Cell(one.id), Cell(listed(one.targets if are_mapped else one.left, _TARGETS)), Cell(one.step)]
        for one in shown
    ]
    more = len(concepts) - len(shown)
    notes = [f"… and {more:,} more; csv, json and a file have all of them."] if more else []
    what = found.target if are_mapped else "left to choose from"
    return Grid(title, [found.source, what, "step"], cells, notes, labels=3)
