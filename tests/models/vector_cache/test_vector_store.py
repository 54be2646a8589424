from collections.abc import Iterator
from contextlib import closing

import numpy as np
import pytest

from medgauge.errors import InputError
from medgauge.files.private import private_folder
from medgauge.models.base import ModelCard
from medgauge.models.encoding import Batch
from medgauge.models.vector_cache import vector_store
from medgauge.models.vector_cache.vector_store import ModelVectors, kept_models, make_room

CARD = ModelCard(name="mine", family="vectors", format="test", digest="abc", dim=2)


@pytest.fixture
def vectors() -> Iterator[ModelVectors]:
    with closing(ModelVectors(CARD, "")) as opened:
        yield opened


def add(vectors: ModelVectors, *terms: str) -> None:
    rows = np.array([[len(term), ord(term[0])] for term in terms], np.float32)
    batch = Batch(np.arange(len(terms)), rows, np.ones(len(terms), np.int64))
    vectors.add(vectors.names.of_all(terms), batch)


def found(vectors: ModelVectors, *terms: str) -> dict[str, list[float]]:
    return {
        terms[place]: row
        for batch in vectors.find(vectors.names.of_all(terms))
        for place, row in zip(batch.places.tolist(), batch.rows.tolist(), strict=True)
    }


def test_what_two_writers_add_is_found_once(vectors):
    one, two = vectors, ModelVectors(CARD, "")
    add(one, "flu", "asthma")
    add(two, "asthma", "gout")
    two.close()
    assert len(one.segments()) == 2
    pieces = list(one.find(one.names.of_all(["gout", "asthma", "flu", "none"])))
    assert sorted(place for batch in pieces for place in batch.places) == [0, 1, 2]
    assert found(two, "gout", "asthma", "none") == {"gout": [4, 103], "asthma": [6, 97]}


def test_a_term_that_is_asked_for_twice_is_found_twice(vectors):
    add(vectors, "flu", "flu", "asthma")
    names = vectors.names.of_all(["flu", "asthma", "flu"])
    [batch] = vectors.find(names)
    assert sorted(batch.places.tolist()) == [0, 1, 2]
    assert sorted(batch.rows[:, 0].tolist()) == [3, 3, 6]


def test_only_the_same_128_bits_are_the_same_term(vectors):
    add(vectors, "flu")
    name = vectors.names.of_all(["flu"])
    assert list(vectors.find(name ^ np.array([[0, 1]], np.uint64))) == []
    assert list(vectors.find(name ^ np.array([[1, 0]], np.uint64))) == []


def test_a_segment_does_not_grow_without_end(vectors, monkeypatch):
    monkeypatch.setattr(vector_store, "_LONGEST", 150)
    for term in ("a", "b", "c", "d", "e"):
        add(vectors, term)
    assert [segment.count for segment in vectors.segments()] in ([2, 2, 1], [2, 1, 2], [1, 2, 2])
    assert len(found(vectors, "a", "b", "c", "d", "e")) == 5


def test_a_segment_that_goes_while_it_is_searched_is_not_found(vectors):
    add(vectors, "flu")
    [segment] = vectors.segments()
    segment.rows_path.unlink()
    assert found(vectors, "flu") == {}


def test_the_models_are_listed_with_what_is_kept(vectors):
    add(vectors, "flu", "asthma")
    vectors.close()
    [kept] = kept_models(private_folder("vectors"))
    assert (kept.name, kept.format, kept.digest, kept.terms) == ("mine", "test", "abc", 2)
    assert kept.bytes == 2 * 2 * 4 + 2 * 48


def test_a_damaged_description_costs_the_name(vectors):
    add(vectors, "flu")
    for path in private_folder("vectors").rglob("model.json"):
        path.write_text("{")
    assert [kept.name for kept in kept_models(private_folder("vectors"))] == ["not known"]


def test_room_is_made_even_of_what_a_kill_left(vectors):
    add(vectors, "flu")
    [segment] = vectors.segments()
    segment.path.unlink()  # killed before it was written
    make_room(private_folder("vectors"), 0)
    assert not segment.rows_path.exists()


def test_other_files_are_left_alone(vectors):
    add(vectors, "flu")
    folder = vectors.segments()[0].path.parent
    (folder / "note.records").write_text("mine")
    assert len(vectors.segments()) == 1


@pytest.mark.parametrize("given", ["0", "-1", "nan", "a lot", "1e9"])
def test_a_limit_that_is_not_a_size_is_refused(given, monkeypatch):
    monkeypatch.setenv("MEDGAUGE_VECTOR_CACHE_GB", given)
    with pytest.raises(InputError, match="must be a number of GB"):
        vector_store.most_kept()
