"""The coordinator's tables of annotators and pairs."""

from collections.abc import Sequence

from medgauge.annotate.oversight.overview import HASTY, Disputed, Overseen, Stretches
from medgauge.annotate.oversight.patterns import AnswerValue
from medgauge.protocol import Protocol
from medgauge.report.grids.grid import Cell, Grid, number_text

_NOTHING = "–"


def behaviour_grid(overseen: Sequence[Overseen], *, at_least: int) -> Grid:
    """Show how annotators rate: how quickly, with which patterns, and how consistently."""
    header = [
        "annotator",
        "seconds per pair, median",
        "middle half",
        f"under {HASTY:g} s",
        "hours",
        "longest run of equal",
        "longest run of two alternating",
        "same when shown again",
        "ρ when shown again",
    ]
    rows = [[Cell(text) for text in (one.progress.annotator.name, *_behaviour(one))] for one in overseen]
    return Grid(
        "How they rate",
        header,
        rows,
        notes=[
            f"The number of runs of {at_least} answers or more is in brackets. Careful annotators have them "
            "too, if many pairs are alike: they deserve a look, no more.",
            "Hours count at most five minutes per answer.",
        ],
    )


def _behaviour(one: Overseen) -> list[str]:
    times, mechanical, again = one.times, one.mechanical, one.consistency
    return [
        *(
            [
                f"{times.median:.1f}",
                f"{times.lower_quartile:.1f} to {times.upper_quartile:.1f}",
                f"{times.hasty:,} of {times.answers:,}",
                f"{times.hours:.1f}",
            ]
            if times
            else [_NOTHING] * 4
        ),
        *([_run(mechanical.equal), _run(mechanical.in_turn)] if mechanical else [_NOTHING] * 2),
        *([f"{again.same:.0%} of {again.pairs:,}", number_text(again.rho)] if again else [_NOTHING] * 2),
    ]


def _run(stretches: Stretches) -> str:
    return f"{stretches.longest} ({stretches.count})" if stretches.count else _NOTHING


def disputed_grid(disputed: Sequence[Disputed], protocol: Protocol) -> Grid:
    """Show the pairs on which annotators disagree most, with everyone's answer."""
    apart = "minority" if protocol.verdicts else "SD"
    rows = [
        [
            Cell(text)
            for text in (
                one.term_1,
                one.term_2,
                one.set_name,
                ", ".join(f"{who}: {_in_words(answer, protocol)}" for who, answer in one.answers),
                f"{one.apart:.0%}" if protocol.verdicts else f"{one.apart:.2f}",
            )
        ]
        for one in disputed
    ]
    return Grid(
        "Pairs with the most disagreement", ["term 1", "term 2", "set", "answers", apart], rows, labels=4
    )


def _in_words(answer: AnswerValue, protocol: Protocol) -> str:
    if answer is None:
        return protocol.unsure.label if protocol.unsure else _NOTHING
    if protocol.verdicts:
        return next(one.label for one in protocol.answers if one.value == answer)
    return f"{answer:g}"
