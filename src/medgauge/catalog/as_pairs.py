"""as_pairs: a set of pairs from a table in memory."""

from dataclasses import replace
from pathlib import Path

from medgauge.catalog.columns import GoldAs, Missing, numbered_columns, read_pairs
from medgauge.errors import FileError, InputError
from medgauge.frames import Frame, as_frame
from medgauge.pairs import Card, Pairs
from medgauge.tables import frame_table


def as_pairs(
    data: Pairs | Frame,
    *,
    pair_id: str | None = None,
    term_1: str | None = None,
    term_2: str | None = None,
    gold: str | None = None,
    label: str | None = None,
    id_1: str | None = None,
    id_2: str | None = None,
    cui_1: str | None = None,
    cui_2: str | None = None,
    name: str | None = None,
    card: Card | None = None,
    missing: Missing = "error",
    gold_as: GoldAs | None = None,
) -> Pairs:
    """Return a table in memory as pairs: a PairSet if it has gold scores or labels.

    Parameters
    ----------
    data
        A pandas or Polars frame (eager or lazy), an Arrow table, any object with the Arrow C stream or the
        dataframe interchange protocol, a dict of columns, a list of dicts, or a list of (term, term) or
        (term, term, gold) tuples. Pairs are returned unchanged, except for the name or card if one is given.
    pair_id, term_1, term_2, gold, label, id_1, id_2, cui_1, cui_2
        The names of these columns. Columns that are not given are found by name, as in files (term_1, word1,
        score, label, …); other columns are kept as strata. `gold` holds graded scores, `label` 0 and 1.
    name
        The name of the set, "pairs" by default.
    card
        What else is known about the set: its title, kind, scale, language, source, ….
    missing
        What happens to pairs without gold: an "error", "skip", or "ignore" all gold.
    gold_as
        What the gold holds: "graded" scores, or "labels". Default: labels if it is all 0 and 1, with a
        remark.

    Examples
    --------
    >>> columns = {"a": ["flu"], "b": ["influenza"], "score": [4]}
    >>> pairs = as_pairs(columns, term_1="a", term_2="b", name="mine")
    >>> pairs.card.name, pairs.frame.row(0)
    ('mine', ('1', 'flu', 'influenza', 4.0))
    >>> len(as_pairs([("flu", "influenza", 4.0), ("flu", "fracture", 0.5)]))
    2

    """
    given = {
        "pair_id": pair_id,
        "term_1": term_1,
        "term_2": term_2,
        "gold": gold,
        "label": label,
        "id_1": id_1,
        "id_2": id_2,
        "cui_1": cui_1,
        "cui_2": cui_2,
    }
    if isinstance(data, Pairs):
        if any(given.values()):
            raise InputError("pairs already have their columns; name columns only for a frame")
        card = card or data.card
        return replace(data, card=card.model_copy(update={"name": name or card.name}))
    if isinstance(data, str | Path):
        raise InputError("as_pairs takes a table in memory; use load_dataset for a published set or a file")
    what = Path(name or f"the {'list' if isinstance(data, list) else 'frame'}")
    frame = as_frame(data)
    if frame.is_empty():
        raise FileError(what, "has no pairs")
    table = frame_table(frame, what)
    if isinstance(data, list) and frame.columns[0] == "1":
        given = numbered_columns(given, table.header)
    card = card or Card(name="pairs", title=name or "Pairs")
    card = card.model_copy(update={"name": name or card.name})
    return read_pairs(table, given, card, missing=missing, gold_as=gold_as)
