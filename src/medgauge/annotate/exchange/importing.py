"""Import ratings made elsewhere into the same table that a study's export has."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from medgauge.annotate.defaults import Origin
from medgauge.annotate.design.sampling import all_pairs
from medgauge.annotate.exchange.export import rating_text
from medgauge.annotate.exchange.labelstudio import is_json, read_label_studio
from medgauge.errors import FileError, option
from medgauge.files.opening import require_file
from medgauge.pairs import Card, Pairs
from medgauge.ratings.pair_columns import PAIR, TERMS
from medgauge.ratings.ratings import Ratings, Scale
from medgauge.ratings.source import read_ratings
from medgauge.tables import text_of

_COLUMNS = (*PAIR, "annotator", "rating", "time", "seconds")

_Pair = Mapping[str, Any]
_When = tuple[str | None, float | None]


@dataclass(frozen=True)
class _File:
    """The ratings of a file.

    Where known, `when` has time and seconds by pair_id and annotator, and `places` the place of each pair.
    """

    path: Path
    ratings: Ratings
    when: Mapping[tuple[str, str], _When] = field(default_factory=dict)
    places: Mapping[str, str] = field(default_factory=dict)

    def error(self, pair_id: str, problem: str) -> FileError:
        """Return an error that names the place of a pair; pairs without ids are counted from 1."""
        return FileError(self.path, problem, place=self.places.get(pair_id, f"pair {pair_id}"))


def import_ratings(
    paths: Sequence[Path],
    *,
    origin: Origin | None = None,
    control: str | None = None,
    sets: Sequence[Pairs] = (),
    annotators: Sequence[str] | None = None,
    not_rated: Sequence[float] = (),
    scale: Scale | None = None,
    term_1: str | None = None,
    term_2: str | None = None,
    pair_id: str | None = None,
    annotator: str | None = None,
    rating: str | None = None,
    header: bool = True,
    sheet: str | None = None,
) -> tuple[pl.DataFrame, Card]:
    """Read ratings from tables and exports of Label Studio; return a table with one row each, and its card.

    `origin` says what the files are; by default this is detected from how they begin. `control` is passed to
    `read_label_studio`, and the other options to `read_ratings`. Pairs are matched to those of `sets` by
    their terms, in either order, or by their id if there are no terms; they then take the id, the order of
    the terms, the set and the label from there. Without sets, pairs of several files are the same if their
    ids are. Each annotator rates a pair once.
    """
    options = {
        "annotators": annotators,
        "not_rated": not_rated,
        "scale": scale,
        "term_1": term_1,
        "term_2": term_2,
        "pair_id": pair_id,
        "annotator": annotator,
        "rating": rating,
        "header": header,
        "sheet": sheet,
    }
    files = [_read(path, origin, control, **options) for path in paths]
    for one in files:
        _check_alike(files[0], one, are_matched=bool(sets))
    known = _Known(all_pairs(sets)) if sets else None
    pairs: dict[str, dict[str, Any]] = {}
    rated: dict[tuple[str, str], Path] = {}
    rows: list[tuple[str, dict[str, Any]]] = []
    for one in files:
        for row, given in enumerate(one.ratings.pairs.iter_rows(named=True)):
            pair = known.find(one, given) if known else given
            pair_id, given_id = pair["pair_id"], given["pair_id"]
            _describe(pairs.setdefault(pair_id, {}), pair, one, given_id)
            for annotator, rating in _ratings_of(one.ratings, row):
                if (pair_id, annotator) in rated:
                    before = rated[pair_id, annotator]
                    problem = f"annotator '{annotator}' has already rated the pair, in {before}"
                    raise one.error(given_id, problem)
                rated[pair_id, annotator] = one.path
                time, seconds = one.when.get((given_id, annotator), (None, None))
                answer = {"annotator": annotator, "rating": rating, "time": time, "seconds": seconds}
                rows.append((pair_id, answer))
    if not rows:
        raise FileError(paths[0], "has pairs but no ratings")
    return _table([pairs[pair_id] | answer for pair_id, answer in rows]), _card(files)


def _read(path: Path, origin: Origin | None, control: str | None, **options: Any) -> _File:
    require_file(path)
    if not (is_json(path) if origin is None else origin == "label-studio"):
        return _File(path, read_ratings(path, **options))
    table = read_label_studio(path, control=control)
    ratings = read_ratings(table, not_rated=options["not_rated"], scale=options["scale"])
    by = ["pair_id"] if "pair_id" in table.header else list(TERMS)
    ids = dict(zip(ratings.pairs.select(by).iter_rows(), ratings.pairs["pair_id"], strict=True))
    columns = [table.header.index(name) for name in (*by, "annotator", "time", "seconds")]
    when: dict[tuple[str, str], _When] = {}
    places: dict[str, str] = {}
    for row in table.rows:
        *key, annotator, time, seconds = (row.values[column] for column in columns)
        pair_id = ids[tuple(text_of(part).strip() for part in key)]
        when[pair_id, annotator] = time, seconds
        places.setdefault(pair_id, row.place)
    return _File(path, ratings, when, places)


def _check_alike(first: _File, other: _File, *, are_matched: bool) -> None:
    """Refuse files whose ratings cannot be combined in one table."""
    if other.ratings.verdicts != first.ratings.verdicts:
        here, there = ("verdicts", "numbers") if other.ratings.verdicts else ("numbers", "verdicts")
        raise FileError(
            other.path,
            f"has {here}, and {first.path} has {there}; import them separately, or pass "
            f"{option('scale')} if 0 and 1 are grades on a wider scale",
        )
    if other.ratings.scale != first.ratings.scale:
        raise FileError(other.path, f"its ratings are on a different scale from those in {first.path}")
    have_terms = ["term_1" in one.ratings.pairs.columns for one in (first, other)]
    if have_terms[0] != have_terms[1] and not are_matched:
        without = (first, other)[have_terms[0]].path
        how = option("sets", flag="--pairs")
        raise FileError(without, f"has no terms, but another file does; match the pairs with {how}")


class _Known:
    """The pairs of sets, to be found by their terms or their id."""

    def __init__(self, pairs: pl.DataFrame) -> None:
        self._by_id: dict[str, _Pair] = {}
        self._by_terms: dict[frozenset[str], list[_Pair]] = {}
        for pair in pairs.iter_rows(named=True):
            self._by_id[pair["pair_id"]] = pair
            self._by_terms.setdefault(_terms(pair), []).append(pair)

    def find(self, file: _File, pair: _Pair) -> _Pair:
        """Return the known pair that matches a rated one."""
        given_id = pair["pair_id"]
        if "term_1" in pair:
            matches = self._by_terms.get(_terms(pair), [])
            matches = [one for one in matches if one["pair_id"] == given_id] or matches
        else:
            matches = [self._by_id[given_id]] if given_id in self._by_id else []
        where = option("sets", flag="--pairs")
        if not matches:
            raise file.error(given_id, f"the pair is not in {where}")
        if len(matches) > 1:
            raise file.error(given_id, f"its terms are in {where} more than once; add a pair_id to the file")
        return matches[0]


def _terms(pair: _Pair) -> frozenset[str]:
    return frozenset((pair["term_1"].strip(), pair["term_2"].strip()))


def _describe(known: dict[str, Any], pair: _Pair, file: _File, given_id: str) -> None:
    """Add what a file says about a pair to what is known; refuse a contradiction."""
    for name in PAIR:
        value = pair.get(name)
        if value not in (None, "") and known.setdefault(name, value) != value:
            raise file.error(
                given_id,
                f"the pair has another {name} in an earlier file; use the same pair ids in all files, or "
                f"match them with {option('sets', flag='--pairs')}",
            )


def _ratings_of(ratings: Ratings, row: int) -> Iterator[tuple[str, str]]:
    """Yield who rated a pair, and their rating."""
    for annotator, value, unsure in zip(
        ratings.annotators, ratings.values[row].tolist(), ratings.unsure[row].tolist(), strict=True
    ):
        if unsure or not math.isnan(value):
            yield annotator, rating_text(None if unsure else value, verdicts=ratings.verdicts)


def _table(rows: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    """Make the table, with only the columns that have values."""
    types = dict.fromkeys(_COLUMNS, pl.String()) | {"label": pl.Int8(), "seconds": pl.Float64()}
    columns = {name: [row.get(name) for row in rows] for name in _COLUMNS}
    known = {name: values for name, values in columns.items() if any(value is not None for value in values)}
    return pl.DataFrame(known, {name: types[name] for name in known})


def _card(files: Sequence[_File]) -> Card:
    first = files[0].ratings
    return Card(
        name=first.card.name,
        title=first.card.title,
        kind="synonymy" if first.verdicts else first.card.kind,
        scale=first.scale,
        source=", ".join(one.path.name for one in files),
    )
