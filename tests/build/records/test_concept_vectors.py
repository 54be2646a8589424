"""Vectors of concepts against cui2vec's steps in plain loops, scikit-learn's SVD, and eigenvalues by hand."""

import math
from itertools import combinations

import numpy as np
import polars as pl
import pytest
import scipy.sparse.linalg
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.decomposition import TruncatedSVD

from medgauge.build.records import concept_vectors as module
from medgauge.build.records.concept_vectors import concept_vectors, save_vectors
from medgauge.errors import InputError
from medgauge.evaluation.contamination import contamination
from medgauge.evaluation.evaluate import evaluate
from medgauge.files.intact import is_sealed
from medgauge.models.base import ModelCard
from medgauge.models.load import load_model
from medgauge.models.tables.concept_table import ConceptTable
from medgauge.pairs import Card, PairSet
from tests.build.records.counted import SCHEMA, counted, counted_pairs, many_pairs
from tests.support.concept_tables import concept_pairs

RECORDS = "records-0123456789ab"
CARD = ModelCard(
    name="ours", family="vectors", trained_on="pairs of concepts", sources=(RECORDS, "snomed-ct")
)
MANY, TOTAL = many_pairs(60, share=0.4, seed=1), 4000


def slow_matrix(frame, total):
    """Return the concepts and the matrix of cui2vec's construct_pmi and construct_sppmi, entry by entry."""
    ids = sorted({*frame["id_1"], *frame["id_2"]})
    matrix = np.zeros((len(ids), len(ids)))
    for one, other, both, first, second in frame.iter_rows():
        smoothed = (first / total) ** 0.75 * (second / total) ** 0.75
        value = math.log((both / total) / smoothed)
        if value > 1e-12:
            matrix[ids.index(one), ids.index(other)] = matrix[ids.index(other), ids.index(one)] = value
    known = [place for place in range(len(ids)) if matrix[place].any()]
    return [ids[place] for place in known], matrix[np.ix_(known, known)]


def cui2vec(matrix):
    """Return U √S + V √S of all singular values, as cui2vec's construct_word2vec_embedding does."""
    u, s, vt = np.linalg.svd(matrix)
    return (u + vt.T) * np.sqrt(s)


def cosines(vectors):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit @ unit.T


def alike(pairs):
    """Return counts of pairs of concepts whose association is exactly the logarithm of 10.

    Of 10,000 patients, 100 have both: 0.01 / (0.01^0.75 · 0.01^0.75) = 0.01 / 0.001.
    """
    return counted(dict.fromkeys(pairs, 100), 100)


@given(counted_pairs(), st.integers(40, 4000))
def test_vectors_have_the_cosines_of_cui2vec(frame, total):
    ids, matrix = slow_matrix(frame, total)
    assume(ids)
    # What is hardly associated at all has a vector of hardly more than what rounding leaves.
    assume(matrix[matrix > 0].min() > 1e-3)
    found, vectors = concept_vectors(frame, total)
    theirs = cui2vec(matrix)
    assert found == ids
    assert vectors.dtype == np.float32
    # Theirs are twice as long. Single precision has 7 digits, and the shortest vectors fewer good ones.
    assert vectors @ vectors.T == pytest.approx(theirs @ theirs.T / 4, rel=1e-5, abs=1e-5)
    assert cosines(vectors) == pytest.approx(cosines(theirs), abs=1e-4)


@given(counted_pairs(), st.integers(40, 4000), st.integers(1, 8))
def test_dimensions_are_the_largest_eigenvalues_and_in_each_the_peak_is_positive(frame, total, dim):
    ids, matrix = slow_matrix(frame, total)
    assume(ids)
    positive = [one for one in np.linalg.eigvalsh(matrix)[::-1] if one > 1e-6]
    found, vectors = concept_vectors(frame, total, dim=dim)
    assert set(found) <= set(ids)
    assert vectors.shape == (len(found), min(dim, len(positive)))
    assert (vectors**2).sum(axis=0) == pytest.approx(positive[:dim], rel=1e-5)
    assert (vectors.max(axis=0) >= np.abs(vectors).max(axis=0) * (1 - 1e-6)).all()


@pytest.mark.parametrize("dim", [1, 2, 5, 12])
def test_vectors_are_those_of_scikit_learns_svd_without_the_dimensions_that_are_zero(dim):
    """Of its components, those with u = -v are 0 in u + v; ours are the others."""
    ids, matrix = slow_matrix(MANY, TOTAL)
    most = len(ids) - 1
    svd = TruncatedSVD(most, algorithm="arpack", random_state=0).fit(matrix)
    v = svd.components_.T
    u = matrix @ v / svd.singular_values_
    theirs = (u + v) * np.sqrt(svd.singular_values_)
    theirs = theirs[:, np.linalg.norm(theirs, axis=0) > 1e-6][:, :dim]
    found, vectors = concept_vectors(MANY, TOTAL, dim=dim)
    assert found == ids
    assert vectors.shape == theirs.shape
    # Theirs may point the other way in a dimension, in which cosines stay.
    assert cosines(vectors) == pytest.approx(cosines(theirs), abs=1e-5)


def test_two_concepts_by_hand():
    """The eigenvalues of [[0, w], [w, 0]] are w and -w."""
    ids, vectors = concept_vectors(alike([("x", "y")]), 10_000)
    assert ids == ["x", "y"]
    assert vectors.tolist() == pytest.approx(np.full((2, 1), math.sqrt(math.log(10) / 2)))


def test_a_star_by_hand():
    """With n leaves the eigenvalues are √n and -√n; the hub is √n times as long as a leaf."""
    ids, vectors = concept_vectors(alike([("a", leaf) for leaf in "bcdefghij"]), 10_000)
    assert ids == list("abcdefghij")
    scale = math.sqrt(math.log(10) * 3)
    assert vectors[:, 0] == pytest.approx([scale / math.sqrt(2), *[scale / math.sqrt(18)] * 9])
    assert vectors.shape == (10, 1)


def test_a_path_by_hand():
    """The path of four has the eigenvalues ±φ and ±1/φ (golden ratio), with (1, φ, φ, 1), (φ, 1, -1, -φ)."""
    golden = (1 + math.sqrt(5)) / 2
    ids, vectors = concept_vectors(alike([("a", "b"), ("b", "c"), ("c", "d")]), 10_000)
    assert ids == list("abcd")
    scale = math.log(10) / (2 + 2 * golden**2)
    first = math.sqrt(golden * scale) * np.array([1, golden, golden, 1])
    second = math.sqrt(scale / golden) * np.array([golden, 1, -1, -golden])
    assert vectors[:, 0] == pytest.approx(first)
    assert np.abs(vectors[:, 1]) == pytest.approx(np.abs(second))
    assert np.sign(vectors[:, 1]).tolist() in ([1, 1, -1, -1], [-1, -1, 1, 1])


def test_a_concept_that_all_dimensions_miss_has_no_vector():
    triangle, pair = [("a", "b"), ("a", "c"), ("b", "c")], [("d", "e")]
    frame = alike(triangle + pair)
    assert concept_vectors(frame, 10_000, dim=1)[0] == list("abc")
    assert concept_vectors(frame, 10_000, dim=2)[0] == list("abcde")


def test_a_concept_without_a_positive_association_has_no_vector():
    frame = counted({("a", "b"): 50, ("a", "c"): 1, ("c", "d"): 1}, 100)
    assert concept_vectors(frame, 10_000)[0] == ["a", "b"]


@pytest.mark.parametrize("dim", [3, 20])
def test_both_ways_to_find_eigenvalues_make_the_same_vectors(monkeypatch, dim):
    dense_ids, dense = concept_vectors(MANY, TOTAL, dim=dim)
    sparse = []
    eigsh = scipy.sparse.linalg.eigsh
    monkeypatch.setattr(scipy.sparse.linalg, "eigsh", lambda *a, **k: sparse.append(k["k"]) or eigsh(*a, **k))
    monkeypatch.setattr(module, "_SMALL", 0)
    ids, vectors = concept_vectors(MANY, TOTAL, dim=dim)
    assert sparse == [dim]
    assert ids == dense_ids
    assert vectors.shape == (60, dim)
    along = (vectors * dense).sum(axis=1)
    assert along / np.linalg.norm(vectors, axis=1) / np.linalg.norm(dense, axis=1) == pytest.approx(
        1, abs=1e-6
    )
    assert vectors == pytest.approx(dense, abs=1e-5)


@pytest.mark.parametrize(
    ("pairs", "dims"),
    [
        ([("hub", f"{number:02}") for number in range(40)], 1),
        ([(f"{number}", f"{number}'") for number in range(30)], 20),
        ([pair for group in ("abcd", "efgh", "ijkl") for pair in combinations(group, 2)] * 4, 3),
    ],
    ids=["star", "pairs", "cliques"],
)
def test_eigenvalues_that_are_few_or_equal_are_found_by_the_sparse_way_too(monkeypatch, pairs, dims):
    frame = alike(pairs)
    dense = concept_vectors(frame, 10_000, dim=5 if dims == 3 else 20)[1]
    monkeypatch.setattr(module, "_SMALL", 0)
    vectors = concept_vectors(frame, 10_000, dim=5 if dims == 3 else 20)[1]
    assert dense.shape[1] == vectors.shape[1] == dims
    assert (vectors**2).sum(axis=0) == pytest.approx((dense**2).sum(axis=0), rel=1e-5)


@pytest.mark.parametrize("small", [600, 0], ids=["dense", "sparse"])
def test_the_same_counts_make_the_same_bytes(monkeypatch, tmp_path, small):
    monkeypatch.setattr(module, "_SMALL", small)
    contents = []
    for name in ("one", "other"):
        save_vectors(tmp_path / name, *concept_vectors(MANY.clone(), TOTAL, dim=10), CARD)
        contents.append((tmp_path / name).read_bytes())
        np.random.default_rng().random()
    assert contents[0] == contents[1]


@pytest.mark.parametrize(
    "frame",
    [
        pl.DataFrame(schema=SCHEMA),
        counted({("a", "b"): 1, ("b", "c"): 2}, 100),
        # p(1 and 2) is exactly (p(1) p(2))^0.75, of which rounding makes an association of 4e-16.
        counted({("a", "b"): 6}, {"a": 9, "b": 16}),
    ],
    ids=["no pairs", "less than by chance", "exactly zero"],
)
def test_counts_without_a_positive_association_are_an_error(frame):
    with pytest.raises(InputError, match="there are no vectors"):
        concept_vectors(frame, 48 if frame.height == 1 else 10_000)


def test_rounding_makes_no_vector_of_an_association_that_is_zero():
    frame = counted({("a", "b"): 6, ("c", "d"): 8}, {"a": 9, "b": 16, "c": 8, "d": 8})
    assert concept_vectors(frame, 48)[0] == ["c", "d"]


def saved(path, sources=(RECORDS,)):
    ids, vectors = concept_vectors(MANY, TOTAL, dim=10)
    save_vectors(path, ids, vectors, CARD.model_copy(update={"sources": sources}))
    return ids, vectors


def opened(path):
    model = load_model(f"concepts:{path}")
    assert isinstance(model, ConceptTable)
    return model


def test_saved_vectors_are_opened_by_the_ids_of_concepts(tmp_path):
    path = tmp_path / "vectors.parquet"
    ids, vectors = saved(path)
    assert is_sealed(path)
    model = opened(path)
    found, known = model.lookup([*ids[::-1], "9999"])
    assert known.tolist() == [True] * len(ids) + [False]
    assert found[:-1].tolist() == vectors[::-1].tolist()
    assert (model.card.name, model.card.dim, model.card.keys) == ("vectors", 10, "id")
    assert model.card.trained_on == "pairs of concepts"
    assert model.card.sources == (RECORDS,)


def set_of(made_of):
    pairs = concept_pairs([("0000", "0001"), ("0002", "0003"), ("0004", "0005")], "id")
    return PairSet(pairs.frame, Card(name="mine", title="Mine", made_of=made_of))


@pytest.mark.filterwarnings("ignore::medgauge.errors.MedgaugeWarning")
def test_a_run_marks_vectors_of_the_records_that_the_set_was_made_of(tmp_path):
    saved(tmp_path / "ours.parquet")
    run = evaluate([opened(tmp_path / "ours.parquet"), "levenshtein"], [set_of(("snomed-ct", RECORDS))])
    [mark] = run.contamination
    assert (mark.model, mark.dataset, mark.source, mark.made_of) == ("ours", "mine", RECORDS, (RECORDS,))
    assert mark.reason == "the health records 0123456789ab, which the set was made from"
    assert "Trained on the health records 0123456789ab, which the set was made from: ours" in (
        run.to_markdown(intervals=False).replace("\n", " ")
    )


@pytest.mark.parametrize(
    ("sources", "made_of"),
    [
        ((RECORDS,), ("records-ba9876543210",)),
        ((RECORDS,), ("snomed-ct",)),
        ((), (RECORDS,)),
    ],
)
def test_vectors_of_other_records_are_not_marked(tmp_path, sources, made_of):
    saved(tmp_path / "ours.parquet", sources)
    assert contamination([opened(tmp_path / "ours.parquet").card], [set_of(made_of).card]) == []
