"""Agreements laid out by hand, every figure another number, so that a figure in the wrong place shows."""

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from medgauge.pairs import Card
from medgauge.ratings.findings import HEADLINES, Agreement, AnnotatorFigures, Figures, Reliability, Two
from medgauge.ratings.ratings import Ratings, Scale

NAN = math.nan
RELIABILITY = ("kendall_w", "icc_1", "icc_k", "icc_c1", "icc_ck", "icc_a1", "icc_ak")


def reliability(start: float, **other: Any) -> Reliability:
    """Give reliabilities that rise from `start` by 0.01."""
    values = {name: start + 0.01 * number for number, name in enumerate(RELIABILITY)}
    intervals = {name: (value - 0.1, value + 0.1) for name, value in values.items()}
    held = {"pairs": 40, "panels": 1, "raters": 3, "intervals": intervals, **values}
    return Reliability(**(held | other))


def figures(start: float) -> Figures:
    """Give overall figures that rise from `start` by 0.01."""
    return Figures(**{name: start + 0.01 * number for number, name in enumerate(HEADLINES)})


def annotator(name: str, rho: float = 0.6, **other: Any) -> AnnotatorFigures:
    held = {"group": 1, "ratings": 1234, "unsure": 0, "mean": 1.5, "alpha": 0.51, "kappa": 0.52}
    held |= {"kappa_linear": 0.53, "kappa_quadratic": 0.54, "rho_with_mean": 0.7}
    return AnnotatorFigures(name=name, rho=rho, **(held | other))


def two(first: str, second: str, alpha: float, pairs: int = 30) -> Two:
    return Two(
        annotator_1=first,
        annotator_2=second,
        pairs=pairs,
        alpha=alpha,
        kappa=0.41,
        kappa_linear=0.42,
        kappa_quadratic=0.43,
        rho=0.44,
    )


def agreement(names: Sequence[str] = ("A", "B", "C"), **other: Any) -> Agreement:
    """Give the agreement of some annotators, of each two of whom α rises from 0.50 by 0.01."""
    twos = [two(*both, 0.5 + 0.01 * number) for number, both in enumerate(itertools.combinations(names, 2))]
    overall = figures(0.2).model_dump()
    held = overall | {
        "name": "mine",
        "level": "ordinal",
        "scale": (0, 3),
        "pairs": 1500,
        "rated": 1400,
        "rated_twice": 1300,
        "groups": 1,
        "resamples": 9999,
        "seed": 7,
        "left_out": [],
        "mean_sd": 0.4321,
        "intervals": {name: (value - 0.05, value + 0.05) for name, value in overall.items()},
        "jackknifed": [],
        "best_annotator": names[0],
        "best_annotator_excluding_self": names[-1],
        "packed": reliability(0.7),
        "by_panel": reliability(0.7),
        "annotators": [annotator(name) for name in names],
        "pairwise": twos,
        "consistency": None,
        "standing_out": [],
        "without_all": None,
        "by": None,
        "subsets": [],
        "verdicts": [],
    }
    return Agreement(**(held | other))


def undefined_agreement(names: Sequence[str], **other: Any) -> Agreement:
    """Give the agreement of annotators of whom nothing is defined."""
    nothing = reliability(NAN, pairs=0, panels=0, raters=None, intervals={})
    held = dict.fromkeys(HEADLINES, NAN) | {
        "mean_sd": NAN,
        "intervals": {},
        "best_annotator": None,
        "best_annotator_excluding_self": None,
        "packed": nothing,
        "by_panel": nothing,
        "pairwise": [],
    }
    return agreement(names, **(held | other))


def ratings(
    values: Sequence[Sequence[float]], *, scale: Scale | None = (0, 3), verdicts: bool = False
) -> Ratings:
    """Give ratings by annotators A, B, …"""
    table = np.array(values, np.float64)
    return Ratings(
        pairs=pl.DataFrame({"pair_id": [str(number) for number in range(1, len(table) + 1)]}),
        annotators=tuple(chr(ord("A") + column) for column in range(table.shape[1])),
        values=table,
        unsure=np.zeros(table.shape, np.bool_),
        verdicts=verdicts,
        scale=scale,
        card=Card(name="mine", title="Mine"),
    )
