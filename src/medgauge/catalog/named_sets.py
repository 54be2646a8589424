"""The sets that the user asks for: loaded, each under a name of its own."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from medgauge.catalog.datasets import SetSource, load_pairs
from medgauge.errors import InputError, has_controls, option, quoted
from medgauge.frames import is_frame
from medgauge.pairs import Pairs, PairSet

Datasets = SetSource | Sequence[SetSource] | Mapping[str, SetSource]
"""Sets or where they are: one, several, or several by name."""


def named_pairs(datasets: Datasets, *, needs_gold: bool = False, whole: bool = False) -> dict[str, Pairs]:
    """Load the sets that are not loaded yet, by name; a folder means the sets in it.

    With `needs_gold`, a set without gold is an error, as is one without pairs in any case. Two sets with one
    name must have the same pairs and gold; with `whole`, the same columns too.
    """
    names, sources = listed_sets(datasets)
    loaded = load_pairs(sources, needs_gold=needs_gold)
    if names:
        if len(names) != len(loaded):
            raise InputError("a name is for one set, but a folder or 'all' means several")
        loaded = [pairs.renamed(name) for name, pairs in zip(names, loaded, strict=True)]
    sets: dict[str, Pairs] = {}
    for pairs in loaded:
        if not len(pairs):
            raise InputError(f"the set {quoted(pairs.card.name)} has no pairs")
        known = sets.setdefault(pairs.card.name, pairs)
        if _digest(known) != _digest(pairs) or (whole and not known.frame.equals(pairs.frame)):
            named = option("datasets", {"NAME": "FILE"}, flag="NAME=FILE")
            raise InputError(
                f"two different sets are called {quoted(pairs.card.name)}; give one another name ({named})"
            )
    if not sets:
        raise InputError("no dataset was given")
    check_shown(sets)
    return sets


def listed_sets(datasets: Datasets) -> tuple[list[str], list[SetSource]]:
    """Return the names of sets, if they have any, and their sources."""
    if isinstance(datasets, str | Path | Pairs) or is_frame(datasets):
        return [], [datasets]
    if isinstance(datasets, Mapping):
        return list(datasets), list(datasets.values())
    return [], list(datasets)


def check_shown(names: Iterable[str]) -> None:
    """Refuse names that a table cannot show."""
    for name in names:
        if has_controls(name):
            raise InputError(f"the name {quoted(name)} has control characters; choose another name")


def _digest(pairs: Pairs) -> str:
    return pairs.digest if isinstance(pairs, PairSet) else pairs.key_digest("term")
