"""The conclusion of a comparison in words, which stands above its tables."""

from collections.abc import Iterator

from medgauge.comparison.comparison import Comparison, Contest
from medgauge.comparison.conclusion import (
    Conclusion,
    Record,
    conclusions,
    difference_of,
    name_in,
    not_beaten_by_first,
)
from medgauge.report.correlation_tables import p_text
from medgauge.report.grids.grid import counted, listed, number_text, short_name
from medgauge.report.metric_text import SHORT

_FEW = 4  # systems of which every two get a sentence
_CLOSEST = 4  # systems that get a sentence where there are more


def conclusion_lines(comparison: Comparison) -> list[str]:
    """Return the conclusion: by which figure, who beats whom on how many sets, and who else is on top."""
    found = conclusions(comparison)
    if not found:
        return []
    lines = [_compared_by(comparison, found)]
    for one in found:
        of = "" if one.model is None else f"{short_name(one.model)}: "
        lines += [f"{of}{line}" for line in _outcome(one)]
    return [*lines, *_other_winners(found)]


def _compared_by(comparison: Comparison, found: list[Conclusion]) -> str:
    contests = [contest for one in found for contest in one.contests]
    figures = " or ".join(dict.fromkeys(SHORT[contest.metric] for contest in contests))
    sets = counted(len({contest.dataset for contest in contests}), "set")
    if comparison.by == "measure":
        return f"Compared: the measures of each model, by {figures} on {sets}."
    if comparison.chosen_on_test_data:
        return f"Compared by {figures} on {sets}, each model with its best measure, chosen on the same pairs."
    by_measure: dict[str, list[str]] = {}
    for contest in contests:
        for system in contest.systems:
            models = by_measure.setdefault(system.measure, [])
            if system.measure != "score" and system.model not in models:
                models.append(system.model)
    named = {measure: models for measure, models in by_measure.items() if models}
    if len(named) == 1:
        return f"Compared by {figures} on {sets}, with the measure {next(iter(named))}."
    several = "; ".join(f"{measure} for {listed(models)}" for measure, models in named.items())
    return f"Compared by {figures} on {sets}{f', with {several}' if several else ''}."


def _outcome(found: Conclusion) -> Iterator[str]:
    if len(found.contests) == 1:
        yield _single(found.contests[0])
    elif len(found.order) <= _FEW:
        for number, first in enumerate(found.order):
            for second in found.order[number + 1 :]:
                yield _record(first, second, found.record(first, second))
    else:
        yield from _many(found)


def _single(contest: Contest) -> str:
    """Name the winner on one set, or say that there is none."""
    best, *others = contest.systems
    name = name_in(contest, best)
    figure = f"{SHORT[contest.metric]} {number_text(best.value)}"
    where = short_name(contest.dataset)
    near = [short_name(name_in(contest, system)) for system in not_beaten_by_first(contest)]
    if near:
        nobody = "No model" if contest.model is None else "no measure"
        return (
            f"{nobody} wins on {where}: {short_name(name)} is first ({figure}), but not significantly better "
            f"than {listed(near)}."
        )
    if len(others) == 1:
        other = name_in(contest, others[0])
        difference = difference_of(contest, name, other)
        assert difference is not None
        return (
            f"{short_name(name)} beats {short_name(other)} on {where}: {figure} against "
            f"{number_text(others[0].value)}, {p_text(difference.p_adjusted)}."
        )
    return f"{short_name(name)} wins on {where} ({figure}): it beats all {len(others)} others."


def _record(first: str, second: str, record: Record) -> str:
    first, second = short_name(first), short_name(second)
    if not record.wins and not record.losses:
        return f"{first} and {second}: undecided on {_all_sets(record.sets)}."
    parts = [f"beats {second} on {counted(record.wins, 'set')}", f"loses on {record.losses}"]
    return f"{first} {', '.join(parts)}, undecided on {record.undecided}."


def _all_sets(count: int) -> str:
    return {1: "the only set of both", 2: "both sets"}.get(count, f"all {count} sets")


def _many(found: Conclusion) -> Iterator[str]:
    """Compare the best of many systems with the others: with the closest ones in a sentence each."""
    best, *others = found.order
    what = "models" if found.model is None else "measures"
    beaten = found.beaten()
    near = [name for name in others if name not in beaten]
    if not beaten:
        rest = f"none of the {len(others)} others on most sets"
    elif not near:
        rest = f"all {len(others)} others on most sets"
    else:
        rest = f"{len(beaten)} of the {len(others)} others on most sets, but not {listed(near)}"
    leaders = found.leaders()
    of = f"the most wins less losses of {len(found.order)} {what}"
    if len(leaders) == 1:
        yield f"{short_name(best)} has {of}; it beats {rest}."
    else:
        yield f"{listed(leaders)} have {of}, equally many; {short_name(best)} beats {rest}."
    if found.model is not None:
        return
    records = {name: found.record(best, name) for name in others}
    closest = sorted(others, key=lambda name: records[name].wins - records[name].losses)
    for name in closest[:_CLOSEST]:
        yield _record(best, name, records[name])


def _other_winners(found: list[Conclusion]) -> Iterator[str]:
    """Say where the run's own table has another model on top."""
    others = [
        (contest.dataset, contest.other_winner)
        for one in found
        for contest in one.contests
        if contest.other_winner is not None
    ]
    if others:
        dataset, winner = others[0]
        yield (
            f"The table of evaluate has another model on top on {listed([name for name, _ in others])}, "
            f"because it shows each model's best measure: on {short_name(dataset)} "
            f"{short_name(winner.model)} with {winner.measure} ({number_text(winner.value)})."
        )
