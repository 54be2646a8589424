"""A gold standard as a summary, a grid and rows, none of which contain its terms."""

import math
from typing import Any

from medgauge.ratings.findings import HEADLINES
from medgauge.ratings.gold import REASONS, Gold
from medgauge.report.captions.metric_text import percent
from medgauge.report.grids.grid import Cell, ColumnTypes, Grid, counted, figure_text, short_name

_MOST_NAMES = 12  # annotators listed by name
_MOST_NUMBERS = 4  # numbers of ratings listed one by one
_BEST = "human_upper_bound_excluding_self"


def summary(made: Gold) -> list[str]:
    """Describe in a few lines what the gold is made of, and how well its annotators agree."""
    shown = facts(made)
    names = made.pairs.card.build["annotators"]
    kept = ("dropped", "scale", *(name for name in shown if name.startswith(HEADLINES["alpha"])))
    return [
        f"{counted(len(made.pairs), 'pair')} of {short_name(made.pairs.card.name)}, "
        f"rated by {counted(len(names), 'annotator')}",
        *(f"{name}: {shown[name]}" for name in kept),
    ]


def grids(made: Gold) -> list[Grid]:
    """Return the one grid."""
    lines = [[Cell(name), Cell(text)] for name, text in facts(made).items()]
    return [Grid(f"Gold standard {made.pairs.card.name}", ["figure", "value"], lines)]


def rows(made: Gold) -> tuple[ColumnTypes, list[list[object]]]:
    """Return the number of pairs, the numbers dropped, and each figure of agreement as rows."""
    described = made.described()
    counts = {
        "pairs": described["pairs"],
        **{f"pairs_with_{number}_ratings": count for number, count in described["ratings_per_pair"].items()},
        **{f"dropped_{why}": count for why, count in made.dropped.items()},
    }
    found: list[list[object]] = [[name, count, None, None] for name, count in counts.items()]
    if (agreement := described["agreement"]) is not None:
        for name in HEADLINES:
            found.append([name, agreement[name], *agreement["intervals"].get(name, (None, None))])
    if (reliability := described["reliability"]) is not None:
        for name in ("g_qk", "ceiling"):
            found.append([name, reliability[name], *reliability["intervals"].get(name, (None, None))])
    return {"figure": str, "value": float, "low": float, "high": float}, found


def facts(made: Gold) -> dict[str, str]:
    """Return how many pairs there are, what was dropped, who rated them, and how well they agree."""
    card, described = made.pairs.card, made.described()
    names, left_out, agreement = (described[name] for name in ("annotators", "without", "agreement"))
    dropped = [f"{count:,} {REASONS[reason]}" for reason, count in made.dropped.items()]
    shown = {
        "pairs": f"{len(made.pairs):,}",
        "dropped": ", ".join(dropped) or "none",
        "ratings per pair": _tally(card.build.get("ratings_per_pair") or {}),
        "annotators": f"{len(names):,}" + (f": {', '.join(names)}" if len(names) <= _MOST_NAMES else ""),
        **({"left out": ", ".join(left_out)} if left_out else {}),
        "scale": "0 or 1" if made.pairs.labelled else _scales(card.scale, card.build.get("ratings_scale")),
    }
    if agreement is not None:
        shown[f"{HEADLINES['alpha']} ({agreement['level']})"] = _figure(agreement, "alpha")
        shown[HEADLINES["icc_ck"]] = _figure(agreement, "icc_ck")
        shown[HEADLINES[_BEST]] = _figure(agreement, _BEST)
    if (reliability := described["reliability"]) is not None:
        shown["reliability of the gold, G(q,k)"] = _figure(reliability, "g_qk")
        shown["ceiling of a model, √G(q,k)"] = f"{_figure(reliability, 'ceiling')}, approximate for ρ"
    if agreement is not None:
        shown["intervals"] = percent(agreement["confidence"])
    return shown


def _tally(pairs: dict[str, int]) -> str:
    """Say how many pairs have each number of ratings; many numbers from some on are one.

    >>> _tally({"1": 28, "2": 1})
    '1 (28 pairs, a single rating each), 2 (1 pair)'
    """
    parts = []
    for number, count in list(pairs.items())[:_MOST_NUMBERS]:
        single = ", a single rating each" if number == "1" else ""
        parts.append(f"{number} ({counted(count, 'pair')}{single})")
    if rest := list(pairs.items())[_MOST_NUMBERS:]:
        more = sum(count for _, count in rest)
        parts.append(f"{rest[0][0]} to {rest[-1][0]} ({counted(more, 'pair')})")
    return ", ".join(parts)


def _scales(scale: tuple[float, float] | None, of_ratings: list[float] | None) -> str:
    if scale is None:
        return "unknown"
    shown = f"{scale[0]:g} to {scale[1]:g}"
    if of_ratings is None or tuple(of_ratings) == scale:
        return shown
    return f"{shown}, from ratings of {of_ratings[0]:g} to {of_ratings[1]:g}"


def _figure(agreement: dict[str, Any], name: str) -> str:
    if agreement[name] is None:
        return "undefined"
    return figure_text(agreement[name], *agreement["intervals"].get(name, (math.nan, math.nan)))
