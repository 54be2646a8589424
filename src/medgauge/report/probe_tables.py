"""A probe: as a summary, as a grid with its conclusion above it, and as rows."""

import math

from medgauge.errors import option
from medgauge.probing.probed import Probe, ProbeFigure
from medgauge.report.captions.metric_text import brackets_note, undefined_notes
from medgauge.report.grids.grid import (
    Cell,
    ColumnTypes,
    Grid,
    columns_of,
    counted,
    figure_text,
    interval_text,
    number_text,
    short_name,
)


def summary(found: Probe) -> list[str]:
    """Describe in a few lines what was asked, and whether there is a sign of training."""
    new, old, gap = (found[group] for group in ("new", "old", "gap"))
    return [
        f"{short_name(found.model.name)} on {short_name(found.terminology)}, new since {found.since}",
        f"recall@1 among {found.candidates:,} names: new {number_text(new.value)}, matched older "
        f"{number_text(old.value)} ({counted(found.asked['new'], 'new concept')})",
        f"gap {figure_text(gap.value, gap.low, gap.high)}",
        conclusion(found),
    ]


def grids(found: Probe) -> list[Grid]:
    """Return the one grid."""
    new, old = found.asked["new"], found.asked["old"]
    rows = [
        [Cell(f"new: on {found.since} or later"), Cell(f"{new:,}"), _figure(found["new"])],
        [Cell("older, matched"), Cell(f"{old:,}"), _figure(found["old"])],
        [Cell("gap: older − new"), Cell(""), _figure(found["gap"], bold=bool(found.shows_training))],
    ]
    header = ["concepts that first appear", "concepts", "recall@1"]
    return [
        Grid(
            f"Synonym recall of {found.model.name} on {found.terminology}",
            header,
            rows,
            _notes(found),
            lead=[f"{conclusion(found)}."],
            interval_note=brackets_note(found["gap"].confidence),
        )
    ]


def rows(found: Probe) -> tuple[ColumnTypes, list[list[object]]]:
    """Return every figure as a row."""
    columns = columns_of(ProbeFigure)
    return columns, [[getattr(one, name) for name in columns] for one in found.figures]


def conclusion(found: Probe) -> str:
    """Say whether the gap is a sign of training."""
    name, gap = short_name(found.model.name), found["gap"]
    if found.shows_training is None:
        return f"{name}: nothing can be said of training on the terminology"
    if found.shows_training:
        return (
            f"{name} finds older concepts more often than new ones like them, a sign of training on the "
            "terminology"
        )
    if gap.high < 0 or (math.isnan(gap.high) and gap.value < 0):
        return f"{name} finds new concepts more often than older ones like them: no sign of training"
    return f"{name} finds new concepts about as often as older ones like them: no sign of training"


def _figure(one: ProbeFigure, *, bold: bool = False) -> Cell:
    return Cell(number_text(one.value), bold, interval=interval_text(one.low, one.high))


def _notes(found: Probe) -> list[str]:
    notes = [
        "Asked with a synonym of a concept, the model has to find the concept's name among "
        f"{found.candidates:,} names by {found.measure}; a tie counts as often as drawing one of the tied "
        "names would be right.",
        "Matched: up to three older concepts for each new one, whose names and synonyms are alike in length, "
        "in the frequency of the rarest word, and in the words they share. Intervals of the bootstrap over "
        f"new concepts with their matches (seed {found.seed}).",
        "A gap can have other causes: compare it with that of a model that cannot have seen the terminology.",
    ]
    if found.candidates < found.wanted_candidates:
        notes.append(
            f"{found.wanted_candidates:,} names were to be candidates; the model has vectors for this many."
        )
    left_out = {
        "the model does not cover them or what they are matched with": found.uncovered["new"],
        "no older concept is like them": found.unmatched,
        f"enough others were drawn ({option('concepts')})": found.not_drawn,
    }
    reasons = [f"{count:,} since {reason}" for reason, count in left_out.items() if count]
    if reasons:
        notes.append(f"Left out of {found.concepts['new']:,} new concepts: {'; '.join(reasons)}.")
    if found.undated:
        notes.append(f"Concepts without a date, which are only candidates: {found.undated:,}.")
    if found.ambiguous:
        notes.append(f"Texts of several concepts, which are neither asked nor answers: {found.ambiguous:,}.")
    if found.oov == "skip-word":
        notes.append(f"Unknown words were dropped from their terms ({option('oov', 'skip-word')}).")
    names = ("recall on new concepts", "recall on older ones", "the gap")
    estimates = (one.estimate for one in found.figures)
    return [*notes, *undefined_notes(dict(zip(names, estimates, strict=True)))]
