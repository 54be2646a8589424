"""From the store of a study to agreement and gold."""

import itertools
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import medgauge
from medgauge.annotate.design.assignment import assign_groups
from medgauge.annotate.exchange.export import export_study, ratings_of, ratings_table
from medgauge.annotate.oversight.live import live_agreement
from medgauge.annotate.store.store import Store, serving
from medgauge.annotate.store.study import Pair, Rated
from medgauge.errors import CoverageWarning, FileError, InputError, MedgaugeWarning
from medgauge.protocol import Protocol, load_protocol, parse_protocol, protocol_text
from medgauge.ratings.source import read_ratings
from medgauge.ratings.storage import write_ratings
from tests.annotate.studies import beside, make, of_two, rating

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
                    accepts=protocol.allows,
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


# A bare table does not say how many ratings were planned, and "don't know" leaves some pairs with one.
@pytest.mark.filterwarnings("ignore::medgauge.errors.CoverageWarning")
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


def test_an_export_tells_how_far_the_study_is(tmp_path):
    store, _ = rate_all(tmp_path, "graded")
    store.close()
    found = export_study(tmp_path)
    assert (found.table.height, found.annotators, found.pairs, found.complete, found.open) == (
        164,
        4,
        60,
        60,
        0,
    )
    with beside(tmp_path) as connection:
        # Both ratings that Ann gave a pair which she saw twice, and all of Dan's.
        connection.execute(
            "DELETE FROM rating WHERE annotator = 1 AND place IN (SELECT place FROM task WHERE annotator = 1"
            " AND pair = (SELECT pair FROM task WHERE annotator = 1 AND role = 'duplicate'))"
        )
        connection.execute("DELETE FROM rating WHERE annotator = 4")
        wanted = connection.execute("SELECT pair, count(*) FROM task GROUP BY pair").fetchall()
        given = connection.execute("SELECT pair FROM rating JOIN task USING (annotator, place)").fetchall()
    found = export_study(tmp_path)
    assert (found.table.height, found.annotators, found.open) == (164 - 2 - 41, 3, 2 + 41)
    assert found.complete == sum(given.count((pair,)) == count for pair, count in wanted)


def test_the_card_tells_the_scale_the_protocol_and_the_design(tmp_path):
    store, protocol = rate_all(tmp_path, "slider")
    store.close()
    card = export_study(tmp_path).card
    assert (card.name, card.scale, card.kind) == ("mine", protocol.scale, "similarity")
    study = {"protocol": "slider", "seed": 3, "groups": 2, "planned_ratings": 2}
    assert card.build == {"verdicts": False, "study": study}


def test_gold_took_single_ratings_of_a_study_that_planned_two(tmp_path):
    store, _ = rate_all(tmp_path / "study", "graded")
    store.close()
    with beside(tmp_path / "study") as connection:
        connection.execute("DELETE FROM rating WHERE annotator = 4")  # whose pairs then have one rating
    found = export_study(tmp_path / "study")
    write_ratings(tmp_path / "ratings.parquet", found.table, found.card)
    made = medgauge.gold(tmp_path / "ratings.parquet", resamples=9)
    assert made.dropped["too_few_ratings"] > 20
    assert "1" not in made.pairs.card.build["ratings_per_pair"]
    with pytest.warns(CoverageWarning, match="is a single rating"):
        medgauge.gold(tmp_path / "ratings.parquet", min_ratings=1, resamples=9)


@pytest.mark.parametrize(
    ("protocol", "kind"), [("graded", "relatedness"), ("same", "synonymy"), ("slider", "similarity")]
)
def test_gold_of_relatedness_was_carded_as_similarity(protocol, kind, tmp_path):
    store, _ = rate_all(tmp_path / "study", protocol)
    store.close()
    found = export_study(tmp_path / "study")
    write_ratings(tmp_path / "ratings.parquet", found.table, found.card)
    made = medgauge.gold(tmp_path / "ratings.parquet", resamples=20)
    assert (found.card.kind, made.pairs.card.kind) == (kind, kind)


def test_grades_are_no_verdicts_while_only_0_and_1_were_given(tmp_path):
    store, _ = rate_all(tmp_path / "study", "graded")
    store.close()
    with beside(tmp_path / "study") as connection:
        connection.execute("UPDATE rating SET value = min(value, 1)")
    found = export_study(tmp_path / "study")
    write_ratings(tmp_path / "ratings.parquet", found.table, found.card)
    ratings = read_ratings(tmp_path / "ratings.parquet")
    assert (ratings.verdicts, ratings.scale) == (False, (0, 3))


def test_a_study_is_exported_while_another_process_writes_to_it(tmp_path):
    store, _ = rate_all(tmp_path, "same")
    with serving(tmp_path), beside(tmp_path) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("DELETE FROM rating WHERE annotator = 1")
        assert export_study(tmp_path).table.height == 164
        other.execute("COMMIT")
        assert export_study(tmp_path).table.height == 164 - 41
        assert len(store.ratings()) == 164 - 41
    store.close()


def test_nothing_to_export_is_reported(tmp_path):
    make(tmp_path, protocol=protocol_text("graded")).close()
    with pytest.raises(InputError, match="nobody has rated a pair of the study yet"):
        export_study(tmp_path)
    with pytest.raises(FileError, match=r"there is no such study; make one with 'medgauge annotate init'"):
        export_study(tmp_path / "other")


def test_nothing_rated_is_an_empty_table():
    nothing: Sequence[object] = []
    assert ratings_table(nothing, load_protocol("same")).height == 0


# Of a choice between 0 and 1 that is no verdict, the numbers alone look like verdicts.
BETWEEN = parse_protocol(
    protocol_text("same").replace("verdicts = true", "verdicts = false"), "same.toml, without verdicts"
)
PROTOCOLS = [*map(load_protocol, ("same", "graded", "slider")), BETWEEN]


@st.composite
def studies(draw: st.DrawFn) -> tuple[list[Rated], Protocol]:
    """Draw what some annotators answered of some pairs, second showings among them."""
    protocol = draw(st.sampled_from(PROTOCOLS))
    values = [one.value for one in protocol.answers] + ([None] if protocol.unsure else [])
    answers = st.dictionaries(
        st.tuples(st.sampled_from(["own", "duplicate"]), st.integers(0, 6)), st.sampled_from(values)
    )
    return [
        rating(annotator, pair, value, role)
        for annotator in ("Ann", "Béa-Łucja", "Zoë")
        for (role, pair), value in draw(answers).items()
    ], protocol


@given(studies())
def test_ratings_are_those_that_are_read_from_an_export(tmp_path_factory, study):
    ratings, protocol = study
    assume(any(one.role == "own" for one in ratings))
    found = ratings_of(ratings, protocol)
    path = tmp_path_factory.mktemp("export") / "ratings.parquet"
    write_ratings(path, ratings_table(ratings, protocol), found.card)
    read = read_ratings(path)
    assert found.annotators == read.annotators
    assert found.pairs["pair_id"].to_list() == read.pairs["pair_id"].to_list()
    shared = [name for name in found.pairs.columns if name != "pair_id"]
    assert found.pairs.select(shared).rows() == read.pairs.select(shared).rows()
    np.testing.assert_array_equal(found.values, read.values)
    np.testing.assert_array_equal(found.unsure, read.unsure)
    assert found.scale == read.scale == protocol.scale
    assert found.verdicts == read.verdicts == protocol.verdicts
    assert found.card == read.card


def test_of_nothing_there_are_ratings_of_no_pairs():
    nothing = ratings_of([], load_protocol("graded"))
    assert (len(nothing), nothing.annotators, nothing.values.shape) == (0, (), (0, 0))
    assert nothing.pairs.columns == ["pair_id", "term_1", "term_2", "set", "label"]


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=["same", "graded", "slider", "0 or 1"])
def test_agreement_on_the_export_of_a_half_finished_study_is_that_of_the_live_page(protocol, tmp_path):
    """Béa has only said so far that she does not know, and nothing beyond 1 has been given."""
    answers = [(float(pair % 3 == 0), None, float(pair % 2)) for pair in range(12)]
    names = ("Ann", "Béa", "Dan")
    ratings = [
        rating(name, pair, value, at=pair)
        for name, own in zip(names, zip(*answers, strict=True), strict=True)
        for pair, value in enumerate(own)
        if value is not None or protocol.unsure
    ]
    path = tmp_path / "ratings.parquet"
    write_ratings(path, ratings_table(ratings, protocol), ratings_of(ratings, protocol, name="mine").card)
    live = live_agreement(ratings, protocol, name="mine", resamples=20)
    with pytest.warns(MedgaugeWarning) if live.notes else nullcontext():
        exported = medgauge.agreement(path, resamples=20)
    assert live.agreement.to_json() == exported.to_json()
    assert live.agreement.level == ("nominal" if protocol.verdicts else "ordinal")


def test_of_verdicts_nobody_has_given_yet_an_export_still_says_that_they_are(tmp_path):
    ratings = of_two([(None, None)] * 3)
    same = load_protocol("same")
    write_ratings(tmp_path / "r.parquet", ratings_table(ratings, same), ratings_of(ratings, same).card)
    assert read_ratings(tmp_path / "r.parquet").verdicts
    assert ratings_of(ratings, same).verdicts
