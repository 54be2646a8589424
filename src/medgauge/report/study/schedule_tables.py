"""The schedule of a study: as a summary, as a grid of steps, and as rows."""

from collections.abc import Sequence

from medgauge.report.grids.grid import Cell, ColumnTypes, Grid, columns_of, counted, short_name
from medgauge.study.study_schedule import Basis, ScheduledStep, StudySchedule

_MINUTE, _HOUR = 60, 3600
_NOTES: dict[Basis, str] = {
    "kept": "kept: the step is done, and took this long.",
    "earlier steps": "earlier steps: as long as steps of this kind took, for their work.",
    "measured": "measured: as long as a trial on this machine says, just now.",
    "unknown": "unknown: nothing is known of its time before a first step of its kind is done.",
}


def summary(found: StudySchedule) -> list[str]:
    """Describe in a few lines what is left to do."""
    left = found.left
    return [
        short_name(found.title),
        f"{len(found.scheduled) - len(left):,} of {counted(len(found.scheduled), 'step')} are kept",
        f"time of what is left: {_time_left(left)}",
    ]


def grids(found: StudySchedule) -> list[Grid]:
    """Return the one grid."""
    rows = [
        [
            Cell(one.step),
            Cell("kept" if one.kept else "to do"),
            Cell("" if one.seconds is None else time_text(one.seconds)),
            Cell(one.basis),
        ]
        for one in found.scheduled
    ]
    bases = dict.fromkeys(one.basis for one in found.scheduled)
    left = f"Left: {len(found.left):,} of {counted(len(found.scheduled), 'step')}"
    about = f"; time: {_time_left(found.left)}." if found.left else "."
    notes = [left + about, *(_NOTES[basis] for basis in bases), *found.notes]
    return [
        Grid(f"Steps of the study: {found.title}", ["step", "state", "time", "from"], rows, notes, labels=2)
    ]


def rows(found: StudySchedule) -> tuple[ColumnTypes, list[list[object]]]:
    """Return every step as a row."""
    columns = columns_of(ScheduledStep)
    return columns, [[getattr(one, name) for name in columns] for one in found.scheduled]


def time_text(seconds: float) -> str:
    """Write a time with what matters of it.

    >>> [time_text(seconds) for seconds in (0.2, 42.4, 95, 3700, 90_000)]
    ['1 s', '42 s', '2 min', '1 h 2 min', '25 h 0 min']
    """
    if seconds < _MINUTE:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / _MINUTE)
    return f"{minutes} min" if seconds < _HOUR else f"{minutes // 60} h {minutes % 60} min"


def _time_left(left: Sequence[ScheduledStep]) -> str:
    """Say how long steps may take, and of how many that is not known.

    >>> _time_left([])
    'none'
    """
    known = [one.seconds for one in left if one.seconds is not None]
    unknown = counted(len(left) - len(known), "step") if len(known) < len(left) else ""
    if not known:
        return "unknown" if unknown else "none"
    return f"about {time_text(sum(known))}" + (f", besides {unknown} of unknown time" if unknown else "")
