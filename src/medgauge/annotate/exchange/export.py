"""The ratings of a study: as values to compute with, and as a table with how each rating was given."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from medgauge.annotate.store.store import DATABASE, Store
from medgauge.annotate.store.study import Pair, Rated
from medgauge.errors import InputError
from medgauge.pairs import Card
from medgauge.protocol import Protocol, parse_protocol
from medgauge.ratings.ratings import Ratings
from medgauge.ratings.storage import PLANNED, STUDY, VERDICTS

_WORDS = {1.0: "same", 0.0: "not same"}
_UNSURE = "don't know"


@dataclass(frozen=True)
class Export:
    """A study's ratings so far, with their card and the progress of the study.

    `complete` counts the pairs that have all their assigned ratings; `open` counts the ratings still to come.
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
        study = store.study()
        protocol = parse_protocol(study.protocol, Path(folder) / DATABASE)
        ratings, wanted = store.ratings(protocol.allows), store.tasks_per_pair()
        pairs = store.pairs()
    if not ratings:
        raise InputError(f"{folder}: nobody has rated a pair of the study yet")
    given = Counter(one.pair_id for one in ratings)
    design = {name: value for name, value in study.design.items() if value is not None}
    design |= {"protocol": protocol.name, "seed": study.seed, PLANNED: min(wanted.values(), default=0)}
    return Export(
        table=_with_strata(ratings_table(ratings, protocol), pairs),
        card=_card(study.name, protocol, **{STUDY: design}),
        annotators=len({one.annotator for one in ratings}),
        pairs=len(wanted),
        complete=sum(given[pair_id] == count for pair_id, count in wanted.items()),
        open=sum(wanted.values()) - len(ratings),
    )


def _with_strata(table: pl.DataFrame, pairs: Sequence[Pair]) -> pl.DataFrame:
    """Return ratings with the strata of their pairs, so that a gold standard made of them has these too."""
    strata = {pair.pair_id: pair.strata for pair in pairs if pair.strata}
    names = dict.fromkeys(name for one in strata.values() for name in one)
    columns = {
        name: pl.Series([strata.get(one, {}).get(name) for one in table["pair_id"]], strict=False)
        for name in names
        if name not in table.columns
    }
    return table.with_columns(**columns)


def _card(name: str, protocol: Protocol, **build: Any) -> Card:
    """Return a card that records what was asked, so that an exported table is read as in the study."""
    return Card(
        name=name,
        title=name,
        kind=protocol.gold_kind,
        scale=protocol.scale,
        build={VERDICTS: protocol.verdicts, **build},
    )


def ratings_of(ratings: Sequence[Rated], protocol: Protocol, *, name: str = "study") -> Ratings:
    """Return the ratings of a study in the form that agreement and gold need, without second showings.

    They are equal to what `read_ratings` returns for an export of the study.
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
    """Return ratings as a table that `medgauge agreement` and `medgauge gold` read, one row per rating.

    `rating` is the number, or the words for a verdict or for "don't know". `repeat` says that the annotator
    had seen the pair before: such a rating is for self-consistency, and is not read as another rating of the
    same pair. `order` counts an annotator's pairs as they were shown, from 1; `side` says which term was
    shown first.
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
    """Return an answer (None: "don't know") as it is written in tables of ratings.

    >>> rating_text(3.0, verdicts=False), rating_text(0.0, verdicts=True), rating_text(None, verdicts=True)
    ('3', 'not same', "don't know")
    """
    if value is None:
        return _UNSURE
    return _WORDS[value] if verdicts else repr(value).removesuffix(".0")
