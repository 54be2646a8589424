"""Samples of pairs against slow, obvious ones, and by hand."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from medgauge.build.records import pair_samples as module
from medgauge.build.records.count_bands import band_of
from medgauge.build.records.pair_samples import frequent_pairs, random_pairs, stratified_pairs
from tests.build.records.counted import SCHEMA, counted, counted_pairs, many_pairs

SEEDS = st.integers(0, 2**32 - 1)
NUMBERS = st.integers(0, 30)
EMPTY = pl.DataFrame(schema=SCHEMA)
MANY = many_pairs(30, share=0.5, seed=0)
BY = pytest.mark.parametrize("by", ["band", "pmi"])


def keys(frame):
    return list(zip(frame["id_1"], frame["id_2"], strict=True))


def stratified(frame, pairs, by, *, seed=0, least=1, total=1000):
    return stratified_pairs(frame, pairs, seed=seed, by=by, least=least, total_patients=total)


def by_patients(frame):
    """Sort pairs as they are gone through: by their patients, descending, then by their ids."""
    rows = sorted(frame.iter_rows(), key=lambda row: (-row[2], row[0], row[1]))
    return [(one, other) for one, other, *_ in rows]


def slow_greedy(frame, pairs, per_concept):
    """Keep each pair whose concepts are in fewer kept pairs than they may be."""
    kept = []
    for pair in by_patients(frame):
        if all(sum(concept in one for one in kept) < per_concept for concept in pair):
            kept.append(pair)
    return kept[:pairs]


def slow_both(frame, pairs, per_concept):
    """Keep each pair that is among the first pairs of both of its concepts, kept or not."""
    order = by_patients(frame)
    firsts = {
        concept: [pair for pair in order if concept in pair][:per_concept]
        for concept in {one for pair in order for one in pair}
    }
    return [pair for pair in order if all(pair in firsts[concept] for concept in pair)][:pairs]


SLOW = {"greedy": slow_greedy, "both": slow_both}
CAPS = pytest.mark.parametrize("cap", SLOW)


@CAPS
@given(counted_pairs(most=4), NUMBERS, st.integers(1, 6), st.integers(1, 30))
def test_frequent_pairs_are_those_of_the_definition_whatever_the_size_of_blocks(
    cap, frame, pairs, per_concept, block
):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_BLOCK", block)
        found = frequent_pairs(frame, pairs, per_concept=per_concept, cap=cap)
    assert keys(found) == SLOW[cap](frame, pairs, per_concept)
    assert found.schema == frame.schema
    assert found.join(frame, on=frame.columns, how="semi", maintain_order="left").equals(found)


@CAPS
@given(counted_pairs(most=4), st.integers(1, 6))
def test_no_concept_is_in_more_frequent_pairs_than_it_may_be(cap, frame, per_concept):
    found = frequent_pairs(frame, 100, per_concept=per_concept, cap=cap)
    times = Counter([*found["id_1"], *found["id_2"]])
    assert max(times.values(), default=0) <= per_concept


@CAPS
@pytest.mark.parametrize("block", [1, 7, 4096])
def test_many_pairs_are_capped_alike_in_blocks(monkeypatch, cap, block):
    monkeypatch.setattr(module, "_BLOCK", block)
    found = frequent_pairs(MANY, 1000, per_concept=6, cap=cap)
    assert keys(found) == SLOW[cap](MANY, 1000, 6)
    assert found.height == {"greedy": 88, "both": 62}[cap]


def test_a_pair_that_is_not_kept_counts_for_both_alone():
    # a-b is kept. b-c is not, since b is full; it was c's first pair, so that c-d is not among c's first.
    frame = counted({("a", "b"): 9, ("b", "c"): 8, ("c", "d"): 7, ("e", "f"): 6}, 10)
    greedy = frequent_pairs(frame, 10, per_concept=1)
    assert keys(greedy) == [("a", "b"), ("c", "d"), ("e", "f")]
    assert keys(frequent_pairs(frame, 10, per_concept=1, cap="both")) == [("a", "b"), ("e", "f")]
    assert keys(frequent_pairs(frame, 10, per_concept=2, cap="both")) == by_patients(frame)


@CAPS
def test_ties_are_broken_by_ids(cap):
    frame = counted(dict.fromkeys(combinations("abcd", 2), 5) | {("c", "d"): 6}, 10)
    assert keys(frequent_pairs(frame, 3, per_concept=3, cap=cap)) == [("c", "d"), ("a", "b"), ("a", "c")]


@CAPS
def test_a_hub_has_its_most_frequent_pairs(cap):
    frame = counted({("a", other): number for number, other in enumerate("bcdefghij", 1)}, 10)
    found = frequent_pairs(frame, 100, per_concept=6, cap=cap)
    assert found["patients"].to_list() == [9, 8, 7, 6, 5, 4]


@CAPS
@pytest.mark.parametrize(("frame", "pairs"), [(EMPTY, 5), (MANY, 0)])
def test_nothing_of_nothing_is_frequent(cap, frame, pairs):
    found = frequent_pairs(frame, pairs, per_concept=6, cap=cap)
    assert (found.height, found.schema) == (0, EMPTY.schema)


@given(counted_pairs(), NUMBERS, SEEDS)
def test_random_pairs_are_distinct_and_the_same_for_the_same_seed(frame, pairs, seed):
    found = random_pairs(frame, pairs, seed=seed)
    assert found.height == min(pairs, frame.height)
    assert found.n_unique() == found.height or found.is_empty()
    assert set(keys(found)) <= set(keys(frame))
    assert found.schema == frame.schema
    assert found.equals(random_pairs(frame, pairs, seed=seed))


def test_fewer_random_pairs_are_the_first_of_more():
    assert random_pairs(MANY, 5, seed=1).equals(random_pairs(MANY, 20, seed=1).head(5))


def test_other_seeds_draw_other_pairs():
    assert len({tuple(keys(random_pairs(MANY, 5, seed=seed))) for seed in range(20)}) == 20


def test_every_ordered_sample_is_drawn_as_often():
    frame = counted({("a", other): 1 for other in "bcdef"}, 5)
    drawn = Counter(tuple(random_pairs(frame, 2, seed=seed)["id_2"]) for seed in range(2000))
    assert set(drawn) == set(permutations("bcdef", 2))
    assert chisquare(list(drawn.values())).pvalue > 0.001


RANDOM = {
    0: ["0016-0022", "0018-0028", "0018-0019", "0000-0014", "0000-0012"],
    42: ["0003-0008", "0012-0021", "0008-0018", "0023-0026", "0012-0023"],
    2**40: ["0024-0025", "0006-0021", "0003-0004", "0015-0027", "0010-0021"],
}
STRATIFIED = {
    "band": "0014-0025 0011-0025 0002-0022 0003-0012 0017-0020 0008-0018 0005-0007 0001-0010",
    "pmi": "0016-0017 0011-0025 0008-0016 0000-0025 0004-0009 0011-0022 0002-0015 0008-0024",
}
"""What was drawn of MANY when these tests were written (numpy 2.4.6, polars 2.1.0): with other versions, a
set that is built again has to be the same set."""


@pytest.mark.parametrize("seed", RANDOM)
def test_random_pairs_are_the_same_in_every_version_of_numpy(seed):
    assert ["-".join(pair) for pair in keys(random_pairs(MANY, 5, seed=seed))] == RANDOM[seed]


def slow_shares(pairs, sizes):
    """Give each stratum with pairs left one pair in each round, those with most pairs first."""
    shares = [0] * len(sizes)
    while pairs:
        open_ = [place for place, size in enumerate(sizes) if shares[place] < size]
        if not open_:
            break
        # The last of equally large strata comes first.
        for place in sorted(open_, key=lambda place: (-sizes[place], -place))[:pairs]:
            shares[place] += 1
            pairs -= 1
    return shares


@given(st.integers(0, 200), st.lists(st.integers(0, 60), max_size=8))
def test_shares_are_as_equal_as_the_strata_allow(pairs, sizes):
    shares = module._shares(pairs, sizes)
    assert shares == slow_shares(pairs, sizes)
    assert sum(shares) == min(pairs, sum(sizes))


@pytest.mark.parametrize(
    ("pairs", "sizes", "shares"),
    [
        (10, [100, 100], [5, 5]),
        (11, [100, 200], [5, 6]),
        (10, [1, 2, 100], [1, 2, 7]),
        (10, [3, 9, 9], [3, 3, 4]),
        (2, [5, 6, 7], [0, 1, 1]),
        (99, [1, 0, 2], [1, 0, 2]),
    ],
)
def test_shares_by_hand(pairs, sizes, shares):
    assert module._shares(pairs, sizes) == shares


def slow_strata(frame, by, least, total):
    """Name the stratum of each pair, in the order of the strata."""
    if by == "band":
        rows = sorted(frame.iter_rows(), key=lambda row: row[2])
        return {(one, other): band_of(both, least) for one, other, both, *_ in rows}
    rows = sorted(frame.iter_rows(), key=lambda row: (Fraction(row[2] * total, row[3] * row[4]), row[:2]))
    names = [
        "PMI fifth 1 (lowest)",
        *(f"PMI fifth {number}" for number in (2, 3, 4)),
        "PMI fifth 5 (highest)",
    ]
    return {(row[0], row[1]): names[place * 5 // len(rows)] for place, row in enumerate(rows)}


@BY
@given(counted_pairs(), NUMBERS, SEEDS)
def test_each_stratum_has_its_share_of_distinct_pairs(by, frame, pairs, seed):
    strata = slow_strata(frame, by, 1, 1000)
    found = stratified(frame, pairs, by, seed=seed)
    sizes = Counter(strata.values())
    names = list(dict.fromkeys(strata.values()))
    shares = dict(zip(names, slow_shares(pairs, [sizes[name] for name in names]), strict=True))
    assert sum(shares.values()) == found.height == min(pairs, frame.height)
    assert Counter(found["stratum"].to_list()) == Counter({name: n for name, n in shares.items() if n})
    assert list(dict.fromkeys(found["stratum"])) == [name for name in names if shares[name]]
    assert [strata[pair] for pair in keys(found)] == found["stratum"].to_list()
    assert len(set(keys(found))) == found.height
    assert dict(found.schema) == {**SCHEMA, "stratum": pl.String}
    assert found.equals(stratified(frame, pairs, by, seed=seed))


@BY
def test_seeds_change_what_is_drawn_of_a_stratum_and_not_how_much(by):
    found = [stratified(MANY, 20, by, seed=seed) for seed in range(10)]
    assert len({tuple(keys(one)) for one in found}) == 10
    assert len({tuple(one["stratum"]) for one in found}) == 1


def test_strata_by_hand():
    frame = counted({("a", other): n for other, n in zip("bcdefg", [3, 12, 7, 8, 400, 15], strict=True)}, 500)
    found = stratified(frame, 5, "band", least=3)
    assert found["stratum"].to_list() == ["3–4", "5–9", "10–19", "10–19", "200–499"]
    by_pmi = stratified(frame, 100, "pmi")
    assert by_pmi["patients"].to_list()[2:] == [8, 12, 15, 400]
    assert by_pmi["stratum"].to_list() == [
        "PMI fifth 1 (lowest)",
        "PMI fifth 1 (lowest)",
        "PMI fifth 2",
        "PMI fifth 3",
        "PMI fifth 4",
        "PMI fifth 5 (highest)",
    ]


def test_ties_of_pmi_are_broken_by_ids():
    frame = counted(dict.fromkeys(combinations("abcdef", 2), 5), 10)
    found = stratified(frame, 15, "pmi")
    strata = [sorted(keys(one)) for _, one in found.group_by("stratum", maintain_order=True)]
    assert strata == [keys(frame)[start : start + 3] for start in range(0, 15, 3)]


@pytest.mark.parametrize("pairs", [1, 2, 3, 4])
def test_fewer_pairs_than_fifths_are_all_drawn(pairs):
    frame = MANY.head(pairs)
    assert sorted(keys(stratified(frame, 10, "pmi"))) == keys(frame)


@BY
def test_strata_are_drawn_independently(by):
    # Two strata of equally many pairs: the same numbers drawn in both would be the same stream twice.
    low = {(f"a{n:03}", "z"): 12 for n in range(100)}
    high = {(f"b{n:03}", "z"): 60 for n in range(100)}
    found = stratified(counted(low | high, 100), 100, by, least=10)
    drawn = [[one[1:] for one in part["id_1"]] for _, part in found.group_by("stratum", maintain_order=True)]
    assert all(one != other for one, other in combinations(drawn, 2))


@BY
@pytest.mark.parametrize(("frame", "pairs"), [(EMPTY, 5), (MANY, 0)])
def test_nothing_of_nothing_is_stratified(by, frame, pairs):
    found = stratified(frame, pairs, by)
    assert found.height == 0
    assert dict(found.schema) == {**SCHEMA, "stratum": pl.String}


@BY
def test_stratified_pairs_are_the_same_in_every_version_of_numpy(by):
    found = stratified(MANY, 8, by, seed=42)
    assert " ".join("-".join(pair) for pair in keys(found)) == STRATIFIED[by]
