"""The worst pairs of a model: as a summary without terms, as grids and as rows."""

from dataclasses import replace

from medgauge.inspection.inspected import InspectedSet, Uncovered, WorstPair, WorstPairs
from medgauge.inspection.sets_here import named_absent
from medgauge.report.grids.grid import (
    Cell,
    ColumnTypes,
    Grid,
    columns_of,
    counted,
    first_lines,
    listed,
    number_text,
    short_name,
)
from medgauge.report.vocabulary_tables import COUNTS_MEAN, most_missing

_NAMED = 2  # missing words of a set, which fit a line of 80 characters
_NARROWEST = 10  # characters of a term
_GAP = 2  # between columns


def summary(found: WorstPairs) -> list[str]:
    """Describe in a few lines how far the worst pairs of each set are off; no line has a term."""

    def line(one: InspectedSet) -> str:
        about = f"{short_name(one.name)} ({one.compared:,} of {counted(one.n, 'pair')})"
        if not one.pairs:
            return f"{about}: {_without_errors(found, one)}"
        worst = one.pairs[0]
        if worst.other_rank is not None:
            return f"{about}: ranks differ by up to {_rank(abs(worst.score_rank - worst.other_rank))}"
        if worst.rank_error is None:
            return f"{about}: up to {worst.wrong_side:.0%} of the other label on the wrong side of a pair"
        return f"{about}: ranks differ from the gold by up to {_rank(worst.rank_error)}"

    against = "" if found.against is None else f" against {short_name(found.against)}"
    pairs = counted(sum(len(one.pairs) for one in found.sets), "worst pair")
    about = f"{pairs} of {short_name(found.model)}{against} on {counted(len(found.sets), 'set')}"
    absent = [f"not found: {listed(list(found.absent))}"] if found.absent else []
    return [about, *first_lines(map(line, found.sets), "set"), *absent]


def grids(found: WorstPairs) -> list[Grid]:
    """Return the worst pairs of each set, and what the models do not cover."""
    return [*(_pairs_grid(found, one) for one in found.sets if one.pairs), _uncovered_grid(found)]


def narrow_grids(found: WorstPairs, width: int) -> list[Grid]:
    """Return the grids with terms cut to fit lines of `width` characters."""
    return [_fitted(grid, width) if grid.labels == 2 else grid for grid in grids(found)]


def rows(found: WorstPairs) -> tuple[ColumnTypes, list[list[object]]]:
    """Return every pair as a row; several words are separated by semicolons."""
    own = columns_of(WorstPair) | dict.fromkeys(("missing", "subwords"), str)
    pairs = [(one.name, pair) for one in found.sets for pair in one.pairs]
    return {"dataset": str} | own, [
        [dataset, *(_value(getattr(pair, name)) for name in own)] for dataset, pair in pairs
    ]


def _value(value: object) -> object:
    return "; ".join(value) if isinstance(value, list) else value


def _pairs_grid(found: WorstPairs, one: InspectedSet) -> Grid:
    if found.against is None:
        title = f"{one.name}: worst pairs of {found.model}{_by(one.measure)}"
    else:
        other = f"{found.against}{_by(one.other_measure)}"
        title = f"{one.name}: A, {found.model}{_by(one.measure)}, against B, {other}"
    has_spread = any(pair.rating_spread is not None for pair in one.pairs)
    has_missing = any(pair.missing for pair in one.pairs)
    has_subwords = any(pair.subwords for pair in one.pairs)
    header = [
        "term 1",
        "term 2",
        *(["label"] if one.labelled else ["gold", "rank"]),
        *(["score", "rank"] if found.against is None else ["rank A", "rank B", "nearer"]),
        *(["wrong side"] if one.labelled and found.against is None else []),
        "edits",
        *(["spread"] if has_spread else []),
        *(["missing"] if has_missing else []),
        *(["by subwords"] if has_subwords else []),
    ]
    table = [
        [
            pair.term_1,
            pair.term_2,
            f"{pair.gold:.4g}",
            *([] if pair.gold_rank is None else [_rank(pair.gold_rank)]),
            *_of_scores(found, pair),
            *([] if pair.wrong_side is None or found.against else [f"{pair.wrong_side:.0%}"]),
            str(pair.edit_distance),
            *([_spread(pair.rating_spread)] if has_spread else []),
            *([listed(pair.missing or [])] if has_missing else []),
            *([listed(pair.subwords or [])] if has_subwords else []),
        ]
        for pair in one.pairs
    ]
    return Grid(title, header, [list(map(Cell, row)) for row in table], labels=2)


def _of_scores(found: WorstPairs, pair: WorstPair) -> list[str]:
    if pair.other_rank is None:
        return [number_text(pair.score), _rank(pair.score_rank)]
    nearer = {found.model: "A", found.against: "B"}.get(pair.nearer, "equal")
    return [_rank(pair.score_rank), _rank(pair.other_rank), nearer]


def _spread(spread: float | None) -> str:
    return "" if spread is None else f"{spread:g}"


def _uncovered_grid(found: WorstPairs) -> Grid:
    rows = [
        [
            Cell(one.name if found.against is None else f"{one.name} {entry.model}"),
            Cell(f"{entry.pairs}/{one.n}"),
            Cell(_lacking(entry)),
        ]
        for one in found.sets
        for entry in one.uncovered
    ]
    name = found.model if found.against is None else "a model"
    header = ["set", "pairs", "missing most often"]
    return Grid(f"Pairs that {name} does not cover", header, rows, _notes(found))


def _lacking(entry: Uncovered) -> str:
    if entry.words is None:
        return "not known" if entry.pairs else ""
    return most_missing(entry.words, most=_NAMED)


def _notes(found: WorstPairs) -> list[str]:
    labelled = [one.labelled for one in found.sets]
    notes = [
        f"{one.name} is not shown: {_without_errors(found, one)}." for one in found.sets if not one.pairs
    ]
    notes.append(
        "Rank 1 is the highest of the pairs that every model of the run can score; ties share a rank."
    )
    if any(labelled) and found.against is None:
        notes.append(
            "Wrong side: the share of negatives that score higher than a positive pair, or of positives that "
            "score lower than a negative one; ties count half."
        )
    if found.against is not None:
        labels = "; with labels, the one with fewer pairs on the wrong side" if any(labelled) else ""
        notes.append(f"Nearer: the model whose rank is nearer to the gold's{labels}.")
    notes.append("Edits: Levenshtein's distance of the terms, in lower case.")
    if any(pair.rating_spread is not None for one in found.sets for pair in one.pairs):
        notes.append("Spread: the highest rating of the pair minus the lowest.")
    if any(entry.pairs and entry.words is None for one in found.sets for entry in one.uncovered):
        notes.append(
            "Which words are missing is not known of a model that scores pairs itself, nor of scores that "
            "medgauge 0.1.0 stored: evaluate again, in another folder."
        )
    elif any(entry.words for one in found.sets for entry in one.uncovered):
        notes.append(COUNTS_MEAN)
    if found.absent:
        notes.append(f"Not found on this machine: {named_absent(found.absent)}.")
    return notes


def _without_errors(found: WorstPairs, one: InspectedSet) -> str:
    """Say why a set has no worst pairs."""
    if not one.compared:
        return "no pair to compare"
    if found.against is not None:
        return f"both models rank every pair the same{', or all have one label' if one.labelled else ''}"
    if one.labelled:
        return "no pair is on the wrong side of one with the other label"
    return "every pair has the rank of its gold"


def _by(measure: str | None) -> str:
    return "" if measure in (None, "score") else f" ({measure})"


def _rank(rank: float) -> str:
    return f"{rank:.1f}".removesuffix(".0")


def _fitted(grid: Grid, width: int) -> Grid:
    """Cut the terms, in the first two columns, to what the other columns leave of a line."""
    widths = [
        max(len(name), *(len(row[column].plain) for row in grid.rows))
        for column, name in enumerate(grid.header)
    ]
    room = max(2 * _NARROWEST, width - _GAP * (len(widths) - 1) - sum(widths[2:]))
    first = min(widths[0], max(room // 2, room - widths[1]))
    second = min(widths[1], room - first)
    rows = [[_cut(row[0], first), _cut(row[1], second), *row[2:]] for row in grid.rows]
    return replace(grid, rows=rows)


def _cut(cell: Cell, most: int) -> Cell:
    return cell if len(cell.text) <= most else Cell(f"{cell.text[: most - 1]}…")
