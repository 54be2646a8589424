"""The windows around tokens, on a device: numbers of rows in one table of vectors for several networks."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from medgauge.arrays import Floats, Integers, Places
from medgauge.ner.token_vectors import PADDING

if TYPE_CHECKING:
    from torch import Tensor


def windows_of(rows: Integers, starts: Integers, width: int) -> Places:
    """Return the rows of the words around each token (tokens × width), padding beyond its sentence.

    >>> windows_of(np.array([5, 6, 7]), np.array([0, 2, 3]), 3).tolist()
    [[0, 5, 6], [5, 6, 0], [0, 7, 0]]
    """
    sentence = np.repeat(np.arange(starts.size - 1), np.diff(starts))
    found = np.full((rows.size, width), PADDING, np.int32)
    for place, shift in enumerate(range(-(width // 2), width // 2 + 1)):
        here = np.arange(max(0, -shift), rows.size - max(0, shift))
        inside = here[sentence[here] == sentence[here + shift]]
        found[inside, place] = rows[inside + shift]
    return found


@contextmanager
def _in_fixed_order() -> Iterator[None]:
    """Let a GPU add up rows in a fixed order inside the block, which it does not do by itself."""
    import torch

    usual = torch.are_deterministic_algorithms_enabled()
    torch.use_deterministic_algorithms(True)
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(usual)


@dataclass
class WindowInputs:
    """The vectors of windows for several networks, each with one of several tables of vectors.

    With `tuned`, each network has a copy of its table, which it changes. `firsts` and `sizes` say where the
    table of each network is in the joined one.
    """

    table: "Tensor"
    firsts: list[int]
    sizes: list[int]

    def __post_init__(self) -> None:
        import torch

        # Where all networks share one table, nothing is added to its rows.
        firsts = torch.tensor(self.firsts, device=self.table.device)[:, None, None]
        self._shift = firsts if any(self.firsts) else None

    @classmethod
    def of(
        cls, tables: Sequence[Floats], table_of: Sequence[int], *, tuned: bool, device: str
    ) -> "WindowInputs":
        """Place the tables on a device; `table_of` has the number of each network's table."""
        import torch

        # Of a single table, which may be large, no copy is made.
        held = [tables[number] for number in table_of] if tuned else list(tables)
        joined = held[0] if len(held) == 1 and not tuned else np.concatenate(held)
        sizes = [len(table) for table in held]
        own = list(range(len(table_of))) if tuned else list(table_of)
        firsts = [sum(sizes[:number]) for number in own]
        return cls(torch.from_numpy(joined).to(device), firsts, [sizes[number] for number in own])

    def only(self, numbers: Sequence[int]) -> "WindowInputs":
        """Keep some of the networks."""
        firsts, sizes = ([some[number] for number in numbers] for some in (self.firsts, self.sizes))
        return WindowInputs(self.table, firsts, sizes)

    def vectors(self, windows: "Tensor") -> "Tensor":
        """Return the vectors of windows of each network: M × windows × (width · dimensions)."""
        return self.table.index_select(0, self._rows(windows)).view(*windows.shape[:2], -1)

    def learn(self, windows: "Tensor", gradient: "Tensor", rate: float) -> None:
        """Take a step down the gradient; what several windows say of a word is added up in a fixed order."""
        rows = self._rows(windows)
        # A processor adds them up in order anyway; what its threads switch is switched for all of them.
        with nullcontext() if self.table.device.type == "cpu" else _in_fixed_order():
            self.table.index_add_(0, rows, gradient.reshape(rows.numel(), -1), alpha=-rate)

    def copied(self, number: int) -> "Tensor":
        """Return a copy of a network's own table."""
        return self._own(number).clone()

    def restore(self, number: int, table: "Tensor") -> None:
        """Put back what `copied` returned."""
        self._own(number).copy_(table)

    def _rows(self, windows: "Tensor") -> "Tensor":
        """Return the rows of the joined table, one after another."""
        return (windows if self._shift is None else windows + self._shift).reshape(-1)

    def _own(self, number: int) -> "Tensor":
        first = self.firsts[number]
        return self.table[first : first + self.sizes[number]]
