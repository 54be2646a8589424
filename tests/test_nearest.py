import pickle
import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from medgauge import nearest
from medgauge.errors import InputError
from medgauge.levenshtein.distance_kernels import (
    CLASSES,
    DIGITS,
    FILTERED,
    compare_letters,
    near_by_counts,
    near_by_distance,
)
from medgauge.levenshtein.search import BLOCK, GROUP
from medgauge.nearest import NearestTerms
from medgauge.progress import showing

# Few characters make many ties; the others are where encodings break.
FEW = st.text("ab", max_size=6)
ANY = st.text(
    st.sampled_from("abcAB -éèñßαβ病院\u0301\U0001f600\U00010400\ud800\udfff") | st.characters(), max_size=12
)
LONG = st.builds(
    lambda text, times, more: (text * times + more)[:330],
    st.text("abcé ", min_size=1, max_size=5),
    st.sampled_from([1, 12, 13, 31, 64, 65, 128, 255, 260, 300]),
    st.text("abcé ", max_size=4),
)
TERMS = st.one_of(st.lists(FEW, max_size=9), st.lists(ANY, max_size=9), st.lists(LONG | ANY, max_size=4))


@contextmanager
def only(way):
    """Use only the index, or only all distances, however few terms there are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nearest, "_FEW_PAIRS", {"index": -1, "all": 2**60}[way])
        yield


def slow_distance(one, two):
    """Compute the distance with the textbook table."""
    above = list(range(len(two) + 1))
    for i, mine in enumerate(one, 1):
        row = [i]
        for j, other in enumerate(two, 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (mine != other)))
        above = row
    return above[-1]


def slow_nearest(terms, query, k, excluded=()):
    """Sort all terms by distance, then place."""
    order = sorted((slow_distance(query, term), place) for place, term in enumerate(terms))
    left = [(place, distance) for distance, place in order if terms[place] not in excluded]
    return (left + [(-1, -1)] * k)[:k]


def rows_of(found):
    """Pair places and distances."""
    return [list(zip(*row, strict=True)) for row in zip(found[0].tolist(), found[1].tolist(), strict=True)]


@pytest.mark.parametrize("way", ["index", "all"])
@given(terms=TERMS, others=TERMS, k=st.integers(1, 12), data=st.data())
@example(terms=[""], others=["", "a"], k=2, data=None)
@example(terms=["a" * 300, "a" * 299 + "b", "a" * 44], others=["a" * 256, "b" * 300], k=3, data=None)
@settings(max_examples=100, deadline=None)
def test_the_nearest_are_those_of_a_slow_table(way, terms, others, k, data):
    queries = terms[:3] + others[:3]
    exclude = [
        data.draw(st.lists(st.sampled_from(terms + others), max_size=4)) if data and terms + others else []
        for _ in queries
    ]
    with only(way):
        found = NearestTerms(terms).query(queries, k, exclude=exclude)
    expected = [slow_nearest(terms, *both[:1], k, both[1]) for both in zip(queries, exclude, strict=True)]
    assert rows_of(found) == expected


ROOTS = ["cardi", "hepat", "nephr", "neur", "gastr", "oste", "arthr", "derm", "Ménièr", "sjögren"]
ENDS = ["itis", "osis", "oma", "opathy", "ectomy", "algia", "ic", "al", "'s", "-β"]
SIDES = ["", "left ", "right ", "Left ", "acute ", "chronic ", "non-", "recurrent bilateral "]


def realistic(count, seed):
    """Return terms in families, of 4 to 90 characters, some of them twice."""
    rng = random.Random(seed)

    def word():
        return rng.choice(ROOTS) + rng.choice(["", "o" + rng.choice(ROOTS)]) + rng.choice(ENDS)

    terms = []
    while len(terms) < count:
        words = [word() for _ in range(rng.choice([1, 2, 2, 3, 3, 4, 5]))]
        terms += [" ".join([side + words[0], *words[1:]]) for side in rng.sample(SIDES, rng.randint(1, 4))]
        terms.append(" of the ".join([*words[:-1], word()]))
    return terms[:count]


@pytest.fixture(scope="module")
def many():
    """Return terms that fill many blocks of most lengths, and queries with their distances by rapidfuzz."""
    terms = realistic(6000, seed=1)
    queries = terms[:150] + realistic(150, seed=2) + ["", "x", "Ω" * 40, "heart " * 50, "cardi" * 13]
    return terms, queries, cdist(queries, terms, scorer=Levenshtein.distance, dtype=np.int32)


@pytest.mark.parametrize("k", [1, 4, 40])
def test_many_terms_have_the_neighbours_that_rapidfuzz_finds(many, k):
    terms, queries, table = many
    with only("index"):
        places, distances = NearestTerms(terms).query(queries, k)
    order = np.argsort(table, axis=1, kind="stable")[:, :k]
    assert (places == order).all()
    assert (distances == np.take_along_axis(table, order, axis=1)).all()


def test_no_term_finds_what_it_may_not(many):
    terms, queries, table = many
    exclude = [{query, "no such term", *terms[place : place + 30]} for place, query in enumerate(queries)]
    with only("index"):
        places, _ = NearestTerms(terms).query(queries, 3, exclude=exclude)
    for row, excluded, mine in zip(table, exclude, places, strict=True):
        order = np.argsort(row, kind="stable").tolist()
        assert mine.tolist() == [place for place in order if terms[place] not in excluded][:3]


@pytest.mark.parametrize("workers", [1, 2, 5])
@pytest.mark.parametrize("seed", [None, 3])
def test_threads_and_the_way_taken_change_nothing(many, workers, seed, monkeypatch):
    terms, queries, _ = many
    monkeypatch.setattr("os.cpu_count", lambda: 5)
    index = NearestTerms(terms, seed=seed)
    with only("all"):
        expected = index.query(queries, 5)
    with only("index"):
        found = index.query(queries, 5, workers=workers)
    assert (found[0] == expected[0]).all()
    assert (found[1] == expected[1]).all()


def test_each_query_has_its_own_count(many):
    terms, queries, table = many
    counts = np.arange(len(queries)) % 6
    none = np.zeros(len(queries) + 1, np.int64)
    for way in ("index", "all"):
        with only(way):
            starts, places, distances = NearestTerms(terms).search(
                queries, counts, none, np.zeros(0, np.int32)
            )
        assert (np.diff(starts) == counts).all()
        for query, row in enumerate(table):
            mine = slice(starts[query], starts[query + 1])
            expected = np.argsort(row, kind="stable")[: counts[query]]
            assert (places[mine] == expected).all()
            assert (distances[mine] == row[expected]).all()


@pytest.mark.parametrize("way", ["index", "all"])
def test_a_seed_breaks_ties_by_the_strings_alone(way):
    terms = [f"term {letter}" for letter in "abcdefghijklmnopqrstuvwxyz"]
    shuffled = random.Random(0).sample(terms, len(terms))
    queries = ["term 0", "term 1", "term 2"]

    def found(terms, seed, queries=queries):
        with only(way):
            places, distances = NearestTerms(terms, seed=seed).query(queries, 26)
        assert (distances == 1).all()
        return [[terms[place] for place in row] for row in places]

    first = found(terms, 5)
    assert found(shuffled, 5) == first
    assert found(terms, 5, queries[::-1]) == first[::-1]
    assert len({*map(tuple, first), tuple(terms)}) == 4, "each query has an order of its own"
    assert found(terms, 6) != first
    assert found(terms, -6) != first
    assert found(terms, None) == [terms] * 3


def test_a_seed_prefers_no_place():
    """Of 8 equally near terms each should be first for an eighth of 4,000 queries: 500, give or take 21."""
    terms = [f"x{digit}" for digit in range(8)]
    with only("index"):
        places, _ = NearestTerms(terms, seed=1).query([chr(0x4E00 + number) for number in range(4000)])
    counts = Counter(places[:, 0].tolist())
    assert min(counts.values()) > 500 - 5 * 21
    assert max(counts.values()) < 500 + 5 * 21


@pytest.mark.parametrize("way", ["index", "all"])
def test_ties_may_be_broken_by_other_strings(way):
    originals = [f"Term {letter}" for letter in "ABCDEFGH"]
    lowered = [term.lower() for term in originals]
    none, ten = np.zeros(2, np.int64), np.array([8])
    with only(way):
        by_originals = NearestTerms(lowered, seed=9, ties=originals).search(
            ["term 0"], ten, none, np.zeros(0, np.int32), ties=["TERM 0"]
        )
        upper = NearestTerms(originals, seed=9).query(["TERM 0"], 8)
        lower = NearestTerms(lowered, seed=9).query(["term 0"], 8)
    assert (by_originals[1] == upper[0][0]).all()
    assert (by_originals[2] == 1).all()
    assert (by_originals[1] != lower[0][0]).any()


@pytest.mark.parametrize("way", ["index", "all"])
def test_repeated_terms_are_found_in_their_order_and_excluded_together(way):
    index = NearestTerms(["flu", "cold", "flu", "flue", "flu"], seed=4)
    with only(way):
        assert index.query(["flu"], 4)[0].tolist() == [[0, 2, 4, 3]]
        assert index.query(["flu"], 3, exclude=[["flu"]])[0].tolist() == [[3, 1, -1]]


def test_an_alphabet_of_more_than_65535_characters():
    """Characters with equal low 16 bits must not be confused."""
    points = [point for point in range(0x20, 0x12000) if not 0xD800 <= point < 0xE000]
    terms = ["".join(map(chr, points[at : at + 50])) for at in range(0, len(points), 50)]
    queries = [term[:20] + "?" + term[21:] for term in terms[::97]]
    with only("index"):
        places, distances = NearestTerms(terms).query(queries)
    assert places[:, 0].tolist() == list(range(0, len(terms), 97))
    assert (distances[1:] == 1).all()


@pytest.mark.parametrize("way", ["index", "all"])
def test_nothing_to_search_or_to_find(way):
    with only(way):
        assert NearestTerms([]).query(["a", ""], 2)[0].tolist() == [[-1, -1]] * 2
        places, distances = NearestTerms(["a"]).query([], 3)
        assert places.shape == distances.shape == (0, 3)
        assert NearestTerms([""]).query(["", "é"])[1].tolist() == [[0], [1]]


def test_an_index_travels(many):
    terms, queries, _ = many
    index = NearestTerms(terms, seed=2)
    with only("index"):
        expected = index.query(queries[:20], 3)
        found = pickle.loads(pickle.dumps(index)).query(queries[:20], 3)
    assert (found[0] == expected[0]).all()


def test_what_cannot_be_asked_for():
    with pytest.raises(InputError, match="k must be at least 1, not 0"):
        NearestTerms(["a"]).query(["a"], 0)
    with pytest.raises(InputError, match="workers must be at least 1, not 0"):
        NearestTerms(["a"]).query(["a"], workers=0)
    with pytest.raises(InputError, match="2 strings to search for but 1 exclusion"):
        NearestTerms(["a"]).query(["a", "b"], exclude=[[]])
    with pytest.raises(InputError, match="1 terms but 0 strings"):
        NearestTerms(["a"], ties=[])
    one, none = np.ones(1, np.int64), np.zeros(0, np.int32)
    with pytest.raises(InputError, match="1 strings to search for but 2 to break"):
        NearestTerms(["a"]).search(["a"], one, np.zeros(2, np.int64), none, ties=["A", "B"])
    with pytest.raises(InputError, match="needs a count and a range"):
        NearestTerms(["a"]).search(["a"], one, np.zeros(1, np.int64), none)


def test_no_more_threads_are_started_than_there_are_processors(many, monkeypatch):
    terms, queries, _ = many
    asked = []

    class Pool(ThreadPoolExecutor):
        def __init__(self, threads):
            asked.append(threads)
            super().__init__(threads)

    monkeypatch.setattr(nearest, "ThreadPoolExecutor", Pool)
    monkeypatch.setattr("os.cpu_count", lambda: 3)
    with only("index"):
        for workers in (None, 1, 100_000):
            NearestTerms(terms[:100]).query(queries[:3], workers=workers)
    assert asked == [3, 1, 3]


@pytest.mark.parametrize("way", ["index", "all"])
def test_progress_counts_the_queries(many, way):
    terms, queries, _ = many
    seen = []

    @contextmanager
    def listener(_what, steps):
        seen.append(-steps)
        yield seen.append

    with only(way), showing(listener):
        NearestTerms(terms).query(queries[:140])
    assert seen[0] == -140
    assert sum(seen[1:]) == 140


def kept_by_both(index, query, limit):
    """Return the terms of one length that are left by the counts, and by the table of distances."""
    inside, length = index._index, len(index._terms[0])
    codes = nearest._coding(index._alphabet, inside.text.dtype)[[ord(character) for character in query]]
    wanted = np.bincount(inside.classes[codes], minlength=CLASSES).astype(np.uint8)[None]
    letters, rows = np.unique(codes, return_inverse=True)
    equal = np.empty((FILTERED, letters.size, GROUP), np.uint64)
    deltas, counter = np.empty((len(query), 2, GROUP), np.uint64), np.empty((DIGITS, GROUP), np.uint64)
    left = [], []
    for group in range(0, len(inside.counts), GROUP):
        start = inside.plane_starts[length] + group * length * inside.bits
        compare_letters(inside.planes, start, inside.bits, length, letters, equal)
        near = np.full(GROUP, 2**64 - 1, np.uint64)
        near_by_distance(equal, length, rows[None], 0, limit, deltas, counter, near)
        for block in range(group, min(group + GROUP, len(inside.counts))):
            spare = limit - max(0, length - len(query))
            bits = near_by_counts(inside.counts, block, wanted, 0, spare), near[block - group]
            for lane, place in enumerate(inside.places[block * BLOCK : (block + 1) * BLOCK].tolist()):
                for kept, some in zip(left, bits, strict=True):
                    kept += [index._terms[place]] * (int(some) >> lane & 1)
    return left


def slow_bound(query, term):
    """Return the number of missing or excess characters, whichever is larger."""
    mine, other = Counter(query), Counter(term)
    return max((mine - other).total(), (other - mine).total())


@given(
    st.integers(1, 12).flatmap(
        lambda length: st.lists(st.text("abcdé", min_size=length, max_size=length), min_size=1, max_size=70)
    ),
    st.text("abcdéx", min_size=1, max_size=14),
    st.data(),
)
@settings(max_examples=100, deadline=None)
def test_each_filter_drops_what_it_says_and_no_neighbour(terms, query, data):
    lengths = len(terms[0]), len(query)
    limit = data.draw(st.integers(max(lengths) - min(lengths), max(lengths)))
    by_counts, by_distance = kept_by_both(NearestTerms(terms), query, limit)
    assert sorted(by_counts) == sorted(term for term in terms if slow_bound(query, term) <= limit)
    assert sorted(by_distance) == sorted(term for term in terms if slow_distance(query, term) <= limit)


def test_the_filters_take_terms_of_255_characters_and_several_groups():
    rng = random.Random(5)
    query = "".join(rng.choices("abcdefgh ", k=255))
    terms = []
    for edits in range(1200):
        places = rng.sample(range(255), edits % 60)
        terms.append("".join("x" if place in places else query[place] for place in range(250)))
    by_counts, by_distance = kept_by_both(NearestTerms(terms), query, 30)
    expected = [term for term in terms if Levenshtein.distance(query, term) <= 30]
    assert sorted(by_distance) == sorted(expected)
    assert not Counter(expected) - Counter(by_counts)
    assert 500 < len(expected) < 700


def test_counts_that_do_not_fit_in_a_byte_drop_no_neighbour():
    terms = ["a" * 600, "a" * 300 + "b" * 300, "b" * 300 + "a" * 300]
    queries = ["a" * 255, "b" * 255, "a" * 100 + "b" * 155, "a" * 400]
    with only("index"):
        found = NearestTerms(terms).query(queries, 3)
    assert rows_of(found) == [slow_nearest(terms, query, 3) for query in queries]
