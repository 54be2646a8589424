"""Norms of free association: which words people say first when they are shown another.

Reference: Nelson, McEvoy and Schreiber (2004). The University of South Florida free association, rhyme, and
word fragment norms. Behavior Research Methods, Instruments, & Computers 36(3), 402-407.
"""

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from medgauge.errors import FileError, printable
from medgauge.files.digests import remembered_sha256
from medgauge.tables import read_table, text_of

_COLUMNS: dict[str, tuple[str, ...]] = {
    "cue": ("cue",),
    "target": ("target", "response"),
    "participants": ("participants", "#p", "p"),
    "forward": ("forward_strength", "fsg"),
    "backward": ("backward_strength", "bsg"),
}
MOST_TOO_FEW = 10
"""A pair counts if more participants than these produced it (Chiu et al. 2018)."""


@dataclass(frozen=True)
class AssociationNorms:
    """Norms: `pairs` has `word_1`, `word_2` (in lower case) and `associated`, for each pair in any direction.

    A pair is associated if, in one direction, more than ten participants produced it and both strengths are
    above 0. `files` has the SHA-256 of the file.
    """

    pairs: pl.DataFrame
    files: dict[str, str]


def read_norms(path: str | Path) -> AssociationNorms:
    """Read a table of norms with the columns of the USF norms, or those of medgauge for these.

    They are cue, target, participants (#P), forward_strength (FSG) and backward_strength (BSG).
    """
    path = Path(path)
    table = read_table(path)
    names = {name.lower(): place for name, place in table.places.items()}
    places = {}
    for ours, known in _COLUMNS.items():
        found = next((names[one] for one in known if one in names), None)
        if found is None:
            raise FileError(path, f"has no column {known[0]}; are these norms of free association?")
        places[ours] = found
    pairs: dict[tuple[str, str], bool] = {}
    for row in table.rows:
        cue, target = (text_of(row.values[places[side]]).strip().lower() for side in ("cue", "target"))
        participants = table.optional_number(row, places["participants"]) or 0
        both = all((table.optional_number(row, places[side]) or 0) > 0 for side in ("forward", "backward"))
        if not cue or not target:
            raise FileError(path, "has no cue or no target", place=row.place)
        key = min(cue, target), max(cue, target)
        pairs[key] = pairs.get(key, False) or (both and participants > MOST_TOO_FEW)
    frame = pl.DataFrame(
        [(first, second, found) for (first, second), found in sorted(pairs.items())],
        schema={"word_1": pl.String, "word_2": pl.String, "associated": pl.Boolean},
        orient="row",
    )
    return AssociationNorms(frame, {printable(path.name): remembered_sha256(path)})
