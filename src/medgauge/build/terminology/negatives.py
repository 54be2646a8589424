"""Negative pairs of a set: the first terms of its positives with random or with nearest unlinked terms.

Schulz and Juric (2020), section 3.2, and the program they published.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from medgauge.build.draws import Draws
from medgauge.build.terminology.linked import Avoided, Links
from medgauge.build.terminology.neighbours import Neighbourhood
from medgauge.build.terminology.positives import NumberedPairs
from medgauge.progress import Advance

_REDRAWS = 200  # before all slots are examined
_SPARE = 3  # neighbours requested beyond those needed


@dataclass
class Negatives:
    """First and second terms of the negatives, by number, and how many are missing."""

    first: list[int] = field(default_factory=list)
    second: list[int] = field(default_factory=list)
    shortfall: int = 0

    def add(self, first: int, seconds: Sequence[int]) -> None:
        """Add negatives of a first term."""
        self.first.extend([first] * len(seconds))
        self.second.extend(seconds)


@dataclass(frozen=True)
class NegativeRules:
    """What a negative of a set must not be: linked, equal except for case, or a pair to avoid.

    `avoided` holds the positives of all sets and the negatives of the sets that this one must not repeat.
    """

    links: Links
    same: Mapping[int, Sequence[int]]
    avoided: Sequence[Avoided]

    def excluded(self, first: int) -> set[int]:
        """Return the terms that are not candidates for a first term, or must not be paired with it."""
        avoided = (pairs.partners(first) for pairs in self.avoided)
        return self.links.excluded(first).union(self.same.get(first, ()), *avoided)


def random_negatives(
    pairs: NumberedPairs, rules: NegativeRules, *, seed: Sequence[int], advance: Advance = lambda _done: None
) -> Negatives:
    """Draw a negative for each positive, in their order.

    A positive is drawn uniformly, then either of its terms, until the rules allow the pair and it is not yet
    a negative. If no draw succeeds, all possible terms are examined and one of the allowed ones is drawn; if
    there is none, the negative is missing.
    """
    slots = np.stack([pairs.first, pairs.second], axis=1).ravel().tolist()
    draws = Draws(seed)
    found, made = Negatives(), Avoided()
    for first in pairs.first.tolist():
        second = _drawn(slots, rules.excluded(first) | made.partners(first), draws)
        if second is None:
            found.shortfall += 1
        else:
            found.add(first, [second])
            made.add([first], [second])
        advance(1)
    return found


def _drawn(slots: list[int], excluded: set[int], draws: Draws) -> int | None:
    """Draw a term that is not excluded, or return None if there is none."""
    for _ in range(_REDRAWS):
        term = slots[draws.below(len(slots))]
        if term not in excluded:
            return term
    allowed = [term for term in slots if term not in excluded]
    return allowed[draws.below(len(allowed))] if allowed else None


def nearest_negatives(
    rules: NegativeRules,
    terms: Sequence[str],
    neighbourhood: Neighbourhood,
    *,
    advance: Advance = lambda _done: None,
) -> Negatives:
    """Pair each first term, in code-point order, with as many nearest allowed terms as it has positives.

    A few spare neighbours are requested: only when picking does it show that a pair is already a negative of
    this set in reverse order. If they run out, the search is repeated for that term.
    """
    counts = rules.links.counts()
    order = sorted(counts, key=terms.__getitem__)
    asked = [counts[first] + _SPARE for first in order]
    found, made = Negatives(), Avoided()
    nearest = neighbourhood.nearest(order, asked, rules.excluded, advance=advance)
    for first, wanted, near in zip(order, asked, nearest, strict=True):
        taken = made.partners(first)
        picked = [term for term in near if term not in taken][: counts[first]]
        if len(picked) < counts[first] and len(near) == wanted:
            picked = neighbourhood.search_again(first, counts[first], rules.excluded(first) | taken)
        found.shortfall += counts[first] - len(picked)
        found.add(first, picked)
        made.add([first] * len(picked), picked)
    return found
