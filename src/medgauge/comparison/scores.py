"""The scores of a run on the pairs that its figures are computed on."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from medgauge.arrays import Doubles, Integers
from medgauge.comparison.recomputed import recomputed, reproduces
from medgauge.errors import InputError, UnknownNameError
from medgauge.evaluation.common import common_pairs
from medgauge.evaluation.figures import Figure
from medgauge.evaluation.run import PROTOCOL, Run
from medgauge.stats.differences.dyadic import Dyads
from medgauge.strata.groups import CONCEPTS


class SetScores:
    """The gold and scores of one set of a run, on the pairs that every model can score."""

    def __init__(self, run: Run, dataset: str) -> None:
        self._run = run
        self._dataset = dataset

    @property
    def _foreign(self) -> InputError:
        return InputError(
            f"{self._run.place}: the stored scores of {self._dataset} do not match the run's results; "
            "evaluate again"
        )

    def _frame(self, model: str) -> pl.DataFrame:
        """Read the scores of a model, if the run's figures may have been computed from them."""
        frame = self._run.scores(model, self._dataset)
        used = next(one for one in self._run.datasets if one.name == self._dataset)
        figures = self._run.figures
        measures = {one.measure for one in figures if (one.model, one.dataset) == (model, self._dataset)}
        kinds = dict(frame.schema)
        whole = (
            frame.height == used.n
            and kinds.get("pair_id") == pl.String
            and kinds.get("covered") == pl.Boolean
            and all(kinds.get(name, pl.String).is_numeric() for name in ("gold", *measures))
            and not any(frame[name].null_count() for name in ("pair_id", "covered", "gold", *measures))
        )
        if not whole or (used.labelled and not frame["gold"].is_in([0.0, 1.0]).all()):
            raise self._foreign
        return frame

    @cached_property
    def common(self) -> NDArray[np.bool_]:
        """Which pairs of the set every model can score."""
        first = self._frame(self._run.models[0].name).select("pair_id", "gold")
        frames = []
        for card in self._run.models:
            frame = self._frame(card.name)
            if not frame.select("pair_id", "gold").equals(first):
                raise self._foreign
            frames.append(frame)
        common = common_pairs(frames)
        compared = next(used.compared for used in self._run.datasets if used.name == self._dataset)
        if int(common.sum()) != compared:
            raise self._foreign
        return common

    @cached_property
    def gold(self) -> Doubles:
        """The gold scores or labels."""
        frame = self._frame(self._run.models[0].name)
        return np.asarray(frame["gold"].to_numpy()[self.common], np.float64)

    def scores(self, systems: Sequence[tuple[str, str]]) -> Doubles:
        """Return the scores of each system, a model with a measure, as a row."""
        return np.stack([self._frame(model)[measure].to_numpy()[self.common] for model, measure in systems])

    def current_figures(
        self, stored: Sequence[Figure], scores: Doubles, found: Doubles
    ) -> tuple[Figure, ...]:
        """Return figures of one metric as they are computed now, from scores (rows) that give `found`.

        Refuse scores that do not reproduce the stored figures, except for what an earlier protocol computed
        in another way.
        """
        current = self._run.protocol == PROTOCOL
        if not reproduces(stored, found, current=current):
            raise self._foreign
        return tuple(stored) if current else recomputed(self._run, stored, self.gold, scores)

    def dyads(self, *, needed: bool) -> Dyads | None:
        """Return the concepts of each pair; None if the run does not know them and they are not needed."""
        try:
            frame = self._run.groups(self._dataset)
        except InputError:
            if needed:
                raise
            return None
        if not set(CONCEPTS) <= set(frame.columns):
            if needed:
                raise InputError(
                    f"{self._run.place}: {self._dataset} was stored by an earlier version, which does not "
                    "say which pairs share a concept; evaluate again"
                )
            return None
        sides = [self._numbers(frame, name) for name in CONCEPTS]
        joint = np.unique(np.concatenate(sides), return_inverse=True)[1].astype(np.int64)
        return Dyads(*np.split(joint, 2))

    def _numbers(self, frame: pl.DataFrame, column: str) -> Doubles:
        """Return a column of the stored groups on the common pairs, NaN where a pair has no value."""
        if frame.height != self.common.size or not frame[column].dtype.is_integer():
            raise InputError(
                f"{self._run.place}: the stored groups of {self._dataset} are damaged; evaluate again"
            )
        return np.asarray(frame[column].to_numpy()[self.common], np.float64)

    def groups(self, column: str) -> Integers:
        """Return, for each pair, the number of its group: the pairs with the same value in a column.

        A pair without a value is a group by itself.
        """
        frame = self._run.groups(self._dataset)
        known = [name for name in frame.columns if name != "pair_id"]
        if column not in known:
            raise UnknownNameError(f"column of {self._dataset}", column, known, place=self._run.place)
        codes = self._numbers(frame, column)
        missing = np.isnan(codes)
        codes[missing] = -1.0 - np.arange(missing.sum())
        return np.asarray(np.unique(codes, return_inverse=True)[1], np.int64)
