"""From the store of a study to agreement and gold."""

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import medgauge
from medgauge.annotate.assignment import assign_groups
from medgauge.annotate.export import ratings_table
from medgauge.annotate.protocol import Protocol, load_protocol, protocol_text
from medgauge.annotate.store import Store
from medgauge.annotate.study import Pair
from medgauge.ratings.read import read_ratings

NAMES = ("Ann", "Bea", "Zoë-María", "Dan")


def answer(protocol: Protocol, pair: int, annotator: int) -> float | None:
    """What an annotator says of a pair: mostly the same, now and then not knowing."""
    if protocol.unsure and (pair + annotator) % 11 == 0:
        return None
    values = [one.value for one in protocol.answers] if protocol.kind == "choice" else list(range(7))
    return float(values[(pair + (annotator if pair % 4 == 0 else 0)) % len(values)])


def rate_all(folder: Path, name: str) -> tuple[Store, Protocol]:
    """Let four annotators in two groups rate all their pairs, page by page."""
    protocol = load_protocol(name)
    pairs = [Pair(f"p{n}", f"fever {n}", f"pyrexie-{n}", "xy"[n % 2], n % 2) for n in range(60)]
    tasks = assign_groups(60, 4, groups=2, consistency=10, duplicates=6, page=20, seed=3)
    store = Store.create(
        folder,
        name="mine",
        protocol=protocol_text(name),
        seed=3,
        design={"groups": 2},
        pairs=pairs,
        tasks=dict(zip(NAMES, tasks, strict=True)),
    )
    keys = itertools.count()
    for number, own in enumerate(tasks, 1):
        for page, group in itertools.groupby(own, key=lambda task: task.page):
            for task in group:
                value = answer(protocol, task.pair, number)
                store.rate(
                    number,
                    task.place,
                    value=value,
                    unsure=value is None,
                    seconds=2.5,
                    key=str(next(keys)),
                    accepts=lambda given: given is None or protocol.allows(given),
                )
            store.submit_page(number, page)
    return store, protocol


@pytest.fixture(params=["same", "graded", "slider"])
def rated(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Store, Protocol]]:
    store, protocol = rate_all(tmp_path, request.param)
    with store:
        yield store, protocol


def test_the_table_holds_exactly_what_was_rated(rated):
    store, protocol = rated
    table = ratings_table(store.ratings(), protocol)
    # Each annotator has ten shared pairs, 25 of their group and six of these again.
    assert table.height == 4 * (10 + 25 + 6)
    assert table.group_by("annotator").len()["len"].to_list() == [41] * 4
    assert table["repeat"].sum() == 24
    shown = {"same": {"same", "not same", "don't know"}, "graded": {"0", "1", "2", "3", "don't know"}}
    assert set(table["rating"]) == shown.get(protocol.name, {str(n) for n in range(7)})
    assert table.filter(pl.col("annotator") == "Ann")["order"].to_list() == list(range(1, 42))
    assert set(table["side"]) == {"term_1 first", "term_2 first"}


@pytest.mark.parametrize("form", ["frame", "parquet", "csv"])
def test_agreement_and_gold_read_it_as_it_is(rated, form, tmp_path):
    store, protocol = rated
    table = ratings_table(store.ratings(), protocol)
    source: pl.DataFrame | Path = table
    if form == "parquet":
        source = tmp_path / "ratings.parquet"
        table.write_parquet(source)
    elif form == "csv":
        source = tmp_path / "ratings.csv"
        table.write_csv(source)
    found = read_ratings(source)
    assert set(found.annotators) == set(NAMES)
    assert found.verdicts == protocol.verdicts
    by_pair = dict(zip(found.pairs["pair_id"], found.values, strict=True))
    for column, name in enumerate(found.annotators):
        number = NAMES.index(name) + 1
        for pair_id, values in by_pair.items():
            expected = answer(protocol, int(pair_id[1:]), number)
            if not np.isnan(values[column]):
                assert values[column] == expected
    # Two annotators rate each of the fifty pairs that are not shared, and all four the ten that are.
    assert sorted(found.counts + found.unsure.sum(axis=1)) == [2] * 50 + [4] * 10
    agreed = medgauge.agreement(source, resamples=20)
    assert agreed.consistency is not None
    assert agreed.consistency.pairs == 10
    assert agreed.groups == 2
    made = medgauge.gold(source, resamples=20)
    assert set(made.pairs.raters) == {f"rater_{name}" for name in NAMES}


def test_nothing_rated_is_an_empty_table():
    nothing: Sequence[object] = []
    assert ratings_table(nothing, load_protocol("same")).height == 0
