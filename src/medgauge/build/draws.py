"""Uniform draws by a seed, the same on every machine and in every version of numpy."""

from collections.abc import Iterator, Sequence
from itertools import chain, count, islice

import numpy as np

_BLOCK = 4096  # words generated at a time
_WORDS = 2**64


class Draws:
    """Uniform draws from the raw stream of PCG64, which is the same in every version of numpy.

    >>> draws = Draws([42])
    >>> draws.below(10), draws.sample(3, population=100)
    (0, [85, 99, 1])
    """

    def __init__(self, seed: Sequence[int]) -> None:
        generator = np.random.PCG64(np.random.SeedSequence(seed))
        blocks = (generator.random_raw(_BLOCK).tolist() for _ in count())
        self._words: Iterator[int] = chain.from_iterable(blocks)

    def below(self, bound: int) -> int:
        """Draw a number below a bound; words past its last multiple are skipped: they favour small ones."""
        last = _WORDS - _WORDS % bound
        return next(word for word in self._words if word < last) % bound

    def sample(self, count: int, population: int) -> list[int]:
        """Draw distinct numbers below a population, in the order in which they are drawn.

        This is the beginning of a Fisher-Yates shuffle that remembers only which places it changed, so that
        memory is that of the sample, not of the population.
        """
        if count > population:
            raise ValueError(f"{count} distinct numbers cannot be drawn from {population}")
        return list(islice(self.shuffled(population), count))

    def shuffled(self, population: int) -> Iterator[int]:
        """Yield all numbers below a population in random order, of which a caller may take the first few.

        >>> list(Draws([42]).shuffled(5))
        [0, 2, 4, 1, 3]
        """
        changed: dict[int, int] = {}
        for place in range(population):
            other = place + self.below(population - place)
            yield changed.get(other, other)
            changed[other] = changed.get(place, place)
