from hypothesis import given, settings
from hypothesis import strategies as st

from medgauge.composition.set_overlap import overlaps
from medgauge.pairs import Card, Pairs
from tests.composition.small import pair_set

TERMS = st.sampled_from(
    ["flu", "Flu", "FLU ", "heart  attack", "Heart attack", "é", "e\u0301", "gout", "Straße"]
)
KEYS = st.sampled_from(["1", "2", "3", " 1", "", None])
ROWS = st.lists(st.tuples(TERMS, TERMS, KEYS, KEYS, KEYS, KEYS), min_size=1, max_size=8)


def made(rows, name):
    columns = zip(*(row[2:] for row in rows), strict=True)
    names = ("id_1", "id_2", "cui_1", "cui_2")
    keys = {key: list(values) for key, values in zip(names, columns, strict=True)}
    return pair_set([(*row[:2], 1) for row in rows], name=name, **keys)


def spelled(term):
    """What remains of a term once case, spacing and the composition of accents are taken away."""
    plain = " ".join(term.split()).casefold()
    return plain.replace("e\u0301", "é")


def slow(rows, other, *, single, sides):
    """Compare every key, or unordered pair of keys, with every other one by one."""

    def found(some):
        keys = [tuple(sides(row)) for row in some]
        return (
            [{one} for both in keys for one in both if one]
            if single
            else [{*both} for both in keys if all(both)]
        )

    mine, theirs = found(rows), found(other)
    shared = []
    for one in mine:
        if one in theirs and one not in shared:
            shared.append(one)
    return len(shared)


@given(ROWS, ROWS)
@settings(max_examples=150, deadline=None)
def test_what_two_sets_share_is_what_comparing_each_with_each_finds(one, two):
    [shared] = overlaps({"one": made(one, "one"), "two": made(two, "two")})
    terms = {"sides": lambda row: map(spelled, row[:2])}
    assert shared.terms == slow(one, two, single=True, **terms)
    assert shared.pairs == slow(one, two, single=False, **terms)
    by = {
        kind: {"sides": lambda row, place=place: ((key or "").strip() for key in row[place : place + 2])}
        for kind, place in (("id", 2), ("cui", 4))
    }
    counts = {kind: slow(one, two, single=True, **sides) for kind, sides in by.items()}
    if shared.concept_key is not None:
        assert shared.concepts == counts[shared.concept_key]
        assert shared.concept_pairs == slow(one, two, single=False, **by[shared.concept_key])
    assert (shared.concepts or 0) >= counts["id"]


def test_sets_with_ids_of_different_terminologies_are_compared_by_cuis():
    one = pair_set([("a", "b", 1)], id_1=["HP:1"], id_2=["HP:2"], cui_1=["C1"], cui_2=["C2"])
    two = pair_set([("c", "d", 1)], id_1=["11"], id_2=["12"], cui_1=["C2"], cui_2=["C1"])
    [shared] = overlaps({"one": one, "two": two})
    assert (shared.concept_key, shared.concepts, shared.concept_pairs) == ("cui", 2, 1)
    assert (shared.terms, shared.pairs) == (0, 0)


def test_ids_come_before_cuis_where_both_are_shared():
    same = pair_set([("a", "b", 1)], id_1=["1"], id_2=["2"], cui_1=["C1"], cui_2=["C1"])
    [shared] = overlaps({"one": same, "two": same})
    assert (shared.concept_key, shared.concepts) == ("id", 2)


def test_sets_without_a_common_key_have_no_shared_concepts():
    one = pair_set([("a", "b", 1)], id_1=["1"], id_2=["2"])
    two = pair_set([("a", "b", 1)], cui_1=["C1"], cui_2=["C2"])
    plain = Pairs.of([("a", "b")], card=Card(name="plain", title="plain"))
    found = overlaps({"one": one, "two": two, "plain": plain})
    assert [(shared.set_1, shared.set_2) for shared in found] == [
        ("one", "two"),
        ("one", "plain"),
        ("two", "plain"),
    ]
    assert [(shared.concepts, shared.concept_key, shared.terms) for shared in found] == [(None, None, 2)] * 3


def test_blank_columns_of_ids_are_no_ids():
    blank = pair_set([("a", "b", 1)], id_1=[" "], id_2=[None])
    [shared] = overlaps({"one": blank, "two": blank})
    assert shared.concepts is None
