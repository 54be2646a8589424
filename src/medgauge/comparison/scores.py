"""The scores of a run on the pairs that its figures rest on."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from medgauge.errors import InputError, UnknownNameError
from medgauge.evaluation.common import common_pairs
from medgauge.evaluation.run import Run

Doubles = NDArray[np.float64]
Integers = NDArray[np.int64]


class SetScores:
    """What a run holds of one set, on the pairs that every model can score."""

    def __init__(self, run: Run, dataset: str) -> None:
        self._run = run
        self._dataset = dataset

    @cached_property
    def _common(self) -> NDArray[np.bool_]:
        common = common_pairs(self._run.scores(card.name, self._dataset) for card in self._run.models)
        compared = next(used.compared for used in self._run.datasets if used.name == self._dataset)
        if int(common.sum()) != compared:
            raise InputError(
                f"the stored scores of {self._dataset} are not those of the run's results; evaluate again"
            )
        return common

    @cached_property
    def gold(self) -> Doubles:
        """The gold scores or labels."""
        frame = self._run.scores(self._run.models[0].name, self._dataset)
        return np.asarray(frame["gold"].to_numpy()[self._common], np.float64)

    def scores(self, systems: Sequence[tuple[str, str]]) -> Doubles:
        """Give the scores of each system, a model with a measure, as a row."""
        return np.stack(
            [
                self._run.scores(model, self._dataset)[measure].to_numpy()[self._common]
                for model, measure in systems
            ]
        )

    def groups(self, column: str) -> Integers:
        """Give each pair the number of its group, those with one value in a column.

        A pair without a value is a group by itself.
        """
        frame = self._run.groups(self._dataset)
        known = [name for name in frame.columns if name != "pair_id"]
        if column not in known:
            raise UnknownNameError(f"column of {self._dataset}", column, known)
        codes = frame[column].to_numpy()[self._common].astype(np.float64)
        missing = np.isnan(codes)
        codes[missing] = -1.0 - np.arange(missing.sum())
        return np.asarray(np.unique(codes, return_inverse=True)[1], np.int64)
