import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from medgauge.probing.matching import matched

_STRATA = st.lists(st.integers(0, 4), max_size=25)


@given(_STRATA, _STRATA, st.integers(1, 3), st.integers(0, 5))
def test_matches_are_of_the_stratum_used_once_and_as_many_as_there_can_be(new, old, most, seed):
    found = matched(
        np.array(new, np.int64), np.array(old, np.int64), most=most, rng=np.random.default_rng(seed)
    )
    assert found.shape == (len(new), most)
    used = found[found >= 0].tolist()
    assert len(set(used)) == len(used)
    for stratum in set(new):
        mine = [row for row, one in zip(found.tolist(), new, strict=True) if one == stratum]
        counts = [sum(place >= 0 for place in row) for row in mine]
        assert all(old[place] == stratum for row in mine for place in row if place >= 0)
        assert sum(counts) == min(most * len(mine), old.count(stratum))
        assert max(counts) - min(counts) <= 1
    for row in found.tolist():
        assert row == [place for place in row if place >= 0] + [-1] * row.count(-1)


def test_which_are_matched_is_drawn():
    new, old = np.zeros(3, np.int64), np.zeros(9, np.int64)
    drawn = {tuple(matched(new, old, most=1, rng=np.random.default_rng(seed)).ravel()) for seed in range(9)}
    assert len(drawn) > 3
