"""The ratings of a study: to compute with, and as a table with all that is known of how each was given."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from medgauge.annotate.design.protocol import Protocol, parse_protocol
from medgauge.annotate.store.store import DATABASE, Store
from medgauge.annotate.store.study import Rated
from medgauge.errors import InputError
from medgauge.pairs import Card
from medgauge.ratings.ratings import Ratings
from medgauge.ratings.storage import VERDICTS

_WORDS = {1.0: "same", 0.0: "not same"}
_UNSURE = "don't know"


@dataclass(frozen=True)
class Export:
    """A study's ratings so far, with their card, and how far the study is.

    `complete` are the pairs that have all the ratings that they are to have; `open` is how many ratings are
    still to be given.
    """

    table: pl.DataFrame
    card: Card
    annotators: int
    pairs: int
    complete: int
    open: int


def export_study(folder: str | Path) -> Export:
    """Read the ratings of a study, which another process may be serving."""
    with Store.open(folder, read_only=True) as store:
        study, ratings, wanted = store.study(), store.ratings(), store.tasks_per_pair()
    if not ratings:
        raise InputError(f"{folder}: nobody has rated a pair of the study yet")
    protocol = parse_protocol(study.protocol, Path(folder) / DATABASE)
    given = Counter(one.pair_id for one in ratings)
    design = {name: value for name, value in study.design.items() if value is not None}
    return Export(
        table=ratings_table(ratings, protocol),
        card=_card(study.name, protocol, study={"protocol": protocol.name, "seed": study.seed, **design}),
        annotators=len({one.annotator for one in ratings}),
        pairs=len(wanted),
        complete=sum(given[pair_id] == count for pair_id, count in wanted.items()),
        open=sum(wanted.values()) - len(ratings),
    )


def _card(name: str, protocol: Protocol, **build: Any) -> Card:
    """Return a card that says what was asked, so that a table of ratings is read as the study has them."""
    return Card(
        name=name,
        title=name,
        kind="synonymy" if protocol.verdicts else "similarity",
        scale=protocol.scale,
        build={VERDICTS: protocol.verdicts, **build},
    )


def ratings_of(ratings: Sequence[Rated], protocol: Protocol, *, name: str = "study") -> Ratings:
    """Return the ratings of a study as agreement and gold take them, without second showings.

    They are what `read_ratings` makes of an export of the study.
    """
    first = [one for one in ratings if one.role != "duplicate"]
    pairs = {one.pair_id: one for one in first}
    annotators = tuple(dict.fromkeys(one.annotator for one in first))
    rows = {pair_id: row for row, pair_id in enumerate(pairs)}
    columns = {annotator: column for column, annotator in enumerate(annotators)}
    values = np.full((len(pairs), len(annotators)), np.nan)
    unsure = np.zeros(values.shape, np.bool_)
    for one in first:
        cell = rows[one.pair_id], columns[one.annotator]
        values[cell] = np.nan if one.value is None else one.value
        unsure[cell] = one.unsure
    described = [(one.pair_id, one.term_1, one.term_2, one.set_name, one.label) for one in pairs.values()]
    texts = dict.fromkeys(("pair_id", "term_1", "term_2", "set"), pl.String)
    return Ratings(
        pairs=pl.DataFrame(described, schema={**texts, "label": pl.Int8}, orient="row"),
        annotators=annotators,
        values=values,
        unsure=unsure,
        verdicts=protocol.verdicts,
        scale=protocol.scale,
        card=_card(name, protocol),
    )


def ratings_table(ratings: Sequence[Rated], protocol: Protocol) -> pl.DataFrame:
    """Write ratings as `medgauge agreement` and `medgauge gold` read them, a row for each.

    `rating` is the number, or in words what a verdict says and that somebody does not know. `repeat` says
    that the annotator had the pair before: such a rating is there for self-consistency, and is not read as
    another of the same pair. `order` counts an annotator's pairs as they were shown, from 1; `side` says
    which term stood first.
    """
    names: dict[str, type[pl.DataType]] = {
        "pair_id": pl.String,
        "term_1": pl.String,
        "term_2": pl.String,
        "set": pl.String,
        "label": pl.Int8,
        "annotator": pl.String,
        "rating": pl.String,
        "repeat": pl.Boolean,
        "role": pl.String,
        "time": pl.String,
        "seconds": pl.Float64,
        "page": pl.Int64,
        "order": pl.Int64,
        "side": pl.String,
    }
    rows = [
        (
            one.pair_id,
            one.term_1,
            one.term_2,
            one.set_name,
            one.label,
            one.annotator,
            rating_text(one.value, verdicts=protocol.verdicts),
            one.role == "duplicate",
            one.role,
            one.at,
            one.seconds,
            one.page,
            one.place + 1,
            "term_2 first" if one.flipped else "term_1 first",
        )
        for one in ratings
    ]
    return pl.DataFrame(rows, schema=names, orient="row")


def rating_text(value: float | None, *, verdicts: bool) -> str:
    """Write an answer, None being "don't know", as tables of ratings have it.

    >>> rating_text(3.0, verdicts=False), rating_text(0.0, verdicts=True), rating_text(None, verdicts=True)
    ('3', 'not same', "don't know")
    """
    if value is None:
        return _UNSURE
    return _WORDS[value] if verdicts else repr(value).removesuffix(".0")
