"""The conclusion of a comparison in words, which stands above its tables."""

from collections.abc import Iterator

from medgauge.comparison.comparison import Comparison, Contest
from medgauge.comparison.conclusion import (
    Conclusion,
    Record,
    conclusions,
    difference_of,
    models_by_measure,
    name_in,
    verdict_on,
)
from medgauge.report.captions.metric_text import SHORT
from medgauge.report.correlation_tables import p_text
from medgauge.report.grids.grid import counted, listed, number_text, short_name

_FEW = 4  # systems of which every two get a sentence
_CLOSEST = 4  # systems that get a sentence where there are more


def conclusion_lines(comparison: Comparison) -> list[str]:
    """Return the conclusion: by which figure, who beats whom on how many sets, and who else is on top."""
    found = conclusions(comparison)
    if not found:
        return []
    sets = len({contest.dataset for one in found for contest in one.contests})
    lines = [_compared_by(comparison, found, sets)]
    for one in found:
        of = "" if one.model is None else f"{short_name(one.model)}: "
        lines += [f"{of}{line}" for line in _outcome(one, sets)]
    return [*lines, *_other_winners(found)]


def _compared_by(comparison: Comparison, found: list[Conclusion], count: int) -> str:
    contests = [contest for one in found for contest in one.contests]
    figures = " or ".join(dict.fromkeys(SHORT[contest.metric] for contest in contests))
    sets = counted(count, "set")
    if comparison.by == "measure":
        return f"Compared: the measures of each model, by {figures} on {sets}."
    if comparison.chosen_on_test_data:
        return f"Compared by {figures} on {sets}, each model with its best measure, chosen on the same pairs."
    named = models_by_measure(contests)
    if len(named) == 1:
        return f"Compared by {figures} on {sets}, with the measure {next(iter(named))}."
    several = "; ".join(f"{measure} for {listed(models)}" for measure, models in named.items())
    return f"Compared by {figures} on {sets}{f', with {several}' if several else ''}."


def _outcome(found: Conclusion, sets: int) -> Iterator[str]:
    """Say what a conclusion shows; `sets` is the number of sets that the first sentence names."""
    if len(found.contests) == 1:
        yield _single(found.contests[0])
    elif len(found.order) <= _FEW:
        for number, first in enumerate(found.order):
            for second in found.order[number + 1 :]:
                yield _record(first, second, found.record(first, second), sets)
    else:
        yield from _many(found, sets)


def _single(contest: Contest) -> str:
    """Name the winner on one set, or say that there is none."""
    names = [name_in(contest, system) for system in contest.systems]
    first = [name for name, system in zip(names, contest.systems, strict=True) if system.rank == 1]
    others = names[len(first) :]
    figure = f"{SHORT[contest.metric]} {number_text(contest.systems[0].value)}"
    where = short_name(contest.dataset)
    verdicts = {name: {verdict_on(contest, one, name) for one in first} for name in others}
    near = [name for name, found in verdicts.items() if found & {"undecided", "worse"}]
    untested = [name for name, found in verdicts.items() if "untested" in found and name not in near]
    each = {1: "", 2: "both "}.get(len(first), "all ")
    but = [f"not {each}significantly better than {listed(near)}"] if near else []
    but += [f"not {each}tested against {listed(untested)}"] if untested else []
    if len(first) > 1:
        shared = f"{_together(first)} share the first place on {where} ({figure})"
        if but:
            return f"{shared}, but are {' and '.join(but)}."
        return f"{shared}; {each}beat {_rest(others)}." if others else f"{shared}."
    name = short_name(first[0])
    if but:
        nobody = "No model" if contest.model is None else "no measure"
        return f"{nobody} wins on {where}: {name} is first ({figure}), but {' and '.join(but)}."
    if len(others) == 1:
        difference = difference_of(contest, first[0], others[0])
        assert difference is not None
        return (
            f"{name} beats {short_name(others[0])} on {where}: {figure} against "
            f"{number_text(contest.systems[1].value)}, "
            f"{p_text(difference.p_adjusted, floored=difference.floored)}."
        )
    return f"{name} wins on {where} ({figure}): it beats {_rest(others)}."


def _together(names: list[str]) -> str:
    """List names that a verb follows.

    >>> _together(["aa", "bb"]), _together(["aa", "bb", "cc"])
    ('aa and bb', 'aa, bb, cc')
    """
    return " and ".join(map(short_name, names)) if len(names) == 2 else listed(names)


def _rest(others: list[str]) -> str:
    """Name the others that are all beaten.

    >>> _rest(["aa"]), _rest(["aa", "bb"]), _rest(["aa", "bb", "cc"])
    ('aa', 'both others', 'all 3 others')
    """
    return {1: short_name(others[0]), 2: "both others"}.get(len(others), f"all {len(others)} others")


def _record(first: str, second: str, record: Record, sets: int) -> str:
    """Say how one system did against another, out of a number of sets; what did not happen is left out.

    >>> _record("aa", "bb", Record(wins=9, losses=1, undecided=5, untested=0), 15)
    'aa beats bb on 9 sets, loses on 1, undecided on 5.'
    """
    first, second = short_name(first), short_name(second)
    beside = f"{first} and {second}:"
    if not record.sets:
        return f"{beside} not compared on any set."
    words = ("beats", "loses to", "undecided", "not tested")
    happened = [(word, count) for word, count in zip(words, record, strict=True) if count]
    whose = (
        f"{first} {happened[0][0]} {second}" if record.wins or record.losses else f"{beside} {happened[0][0]}"
    )
    if len(happened) == 1:
        return f"{whose} on {_where(record.sets, sets)}."
    parts = [f"{whose} on {counted(happened[0][1], 'set')}"]
    parts += [f"{word.removesuffix(' to')} on {count:,}" for word, count in happened[1:]]
    parts += [f"not compared on {sets - record.sets:,}"] if record.sets < sets else []
    return f"{', '.join(parts)}."


def _where(count: int, sets: int) -> str:
    """Name the sets on which two systems were compared, of all sets.

    >>> _where(2, 2), _where(3, 3), _where(2, 3)
    ('both sets', 'all 3 sets', 'the 2 sets on which both have figures')
    """
    if count == sets:
        return "both sets" if count == 2 else f"all {count:,} sets"
    return f"the {'only set' if count == 1 else f'{count:,} sets'} on which both have figures"


def _many(found: Conclusion, sets: int) -> Iterator[str]:
    """Compare the best of many systems with the others: with the closest ones in a sentence each."""
    best, *others = found.order
    what = "models" if found.model is None else "measures"
    total = found.total()
    if total.wins:
        yield _lead(found, what)
    elif total.undecided:
        some = f"; {total.untested:,} of {total.sets:,} were not tested" if total.untested else ""
        yield f"No difference between the {len(found.order)} {what} is significant on any set{some}."
    else:
        yield f"No difference between the {len(found.order)} {what} was tested on any set."
    if found.model is not None:
        return
    records = {name: found.record(best, name) for name in others}
    closest = sorted(
        others, key=lambda name: (not records[name].sets, records[name].wins - records[name].losses)
    )
    for name in closest[:_CLOSEST]:
        yield _record(best, name, records[name], sets)


def _lead(found: Conclusion, what: str) -> str:
    """Name the systems with the most wins minus losses, and whom the first of them beats."""
    best, *others = found.order
    beaten = found.beaten()
    near = [name for name in others if name not in beaten]
    if not beaten:
        rest = f"none of the {len(others)} others on most sets"
    elif not near:
        rest = f"all {len(others)} others on most sets"
    else:
        rest = f"{len(beaten)} of the {len(others)} others on most sets, but not {listed(near)}"
    leaders = found.leaders()
    of = f"the most wins minus losses of {len(found.order)} {what}"
    if len(leaders) == 1:
        return f"{short_name(best)} has {of}; it beats {rest}."
    return f"{_together(leaders)} have {of}, equally many; {short_name(best)} beats {rest}."


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
