"""Counted pairs for tests, as `count_pairs` returns them: by hand, by hypothesis, or many at random."""

from collections.abc import Mapping
from itertools import combinations
from random import Random

import polars as pl
from hypothesis import strategies as st

IDS = ["10", "9", "A", "a", "b", "É", "é", "ﬀ"]  # "ﬀ" is the last code point, but not the last in UTF-16
SCHEMA = {
    "id_1": pl.String,
    "id_2": pl.String,
    "patients": pl.Int64,
    "patients_1": pl.Int64,
    "patients_2": pl.Int64,
}


def counted(pairs: Mapping[tuple[str, str], int], concepts: Mapping[str, int] | int) -> pl.DataFrame:
    """Make a frame of pairs with these patients, of concepts with these patients, or all with the same."""
    rows = [
        (
            one,
            other,
            both,
            *(concepts if isinstance(concepts, int) else concepts[id_] for id_ in (one, other)),
        )
        for (one, other), both in sorted(pairs.items())
    ]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


@st.composite
def counted_pairs(draw: st.DrawFn, *, most: int = 40, fewest_pairs: int = 0) -> pl.DataFrame:
    """Draw counted pairs, with few different numbers of patients."""
    concepts = {id_: draw(st.integers(1, most)) for id_ in IDS}
    chosen = draw(st.lists(st.sampled_from(list(combinations(IDS, 2))), unique=True, min_size=fewest_pairs))
    pairs = {pair: draw(st.integers(1, min(concepts[one] for one in pair))) for pair in chosen}
    return counted(pairs, concepts)


def many_pairs(concepts: int, *, share: float, seed: int) -> pl.DataFrame:
    """Make about this share of all pairs of concepts of 20 to 399 patients, the same on every machine."""
    draw = Random(seed).random
    patients = [20 + int(380 * draw()) for _ in range(concepts)]
    pairs = {
        (f"{one:04}", f"{other:04}"): 1 + int(min(patients[one], patients[other]) * draw())
        for one, other in combinations(range(concepts), 2)
        if draw() < share
    }
    return counted(pairs, {f"{number:04}": one for number, one in enumerate(patients)})
