"""Assignments against what is promised of them, for any numbers."""

from collections import Counter
from itertools import combinations
from math import ceil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgauge.annotate.defaults import BETWEEN
from medgauge.annotate.design.assignment import Task, assign_balanced, assign_groups, closest_repeat
from medgauge.errors import InputError


def even(counts) -> bool:
    counts = list(counts)
    return max(counts) - min(counts) <= 1


def pairs_of(tasks: list[Task], role: str) -> list[int]:
    return [task.pair for task in tasks if task.role == role]


def check_pages(tasks: list[Task], page: int) -> None:
    """Places run from 0; pages from 1, as few as can be (two for repeats), even in size."""
    assert [task.place for task in tasks] == list(range(len(tasks)))
    pages = [task.page for task in tasks]
    assert pages == sorted(pages)
    repeats = any(task.role == "duplicate" for task in tasks)
    numbers = range(1, max(ceil(len(tasks) / page), 2 if repeats else 1) + 1)
    assert set(pages) == set(numbers)
    sizes = Counter(pages)
    assert max(sizes.values()) <= page
    assert even(sizes.values())
    if not repeats:
        for role in ("own", "consistency"):
            held = Counter(task.page for task in tasks if task.role == role)
            assert even(held[number] for number in numbers)


def check_duplicates(tasks: list[Task]) -> None:
    """Second showings are on a later page, and come after 30 other pairs or as many as can be."""
    firsts = {task.pair: task for task in tasks if task.role == "own"}
    again = [task for task in tasks if task.role == "duplicate"]
    for task in again:
        first = firsts[task.pair]
        assert first.page < task.page
        assert task.place - first.place - 1 >= min(BETWEEN, len(tasks) - len(again) - 1)


def check_sides(tasks: list[Task]) -> None:
    shown_first = [task for task in tasks if task.role != "duplicate"]
    assert even(Counter({True: 0, False: 0} | Counter(task.flipped for task in shown_first)).values())
    sides = {task.pair: task.flipped for task in shown_first}
    changed = Counter(sides[task.pair] != task.flipped for task in tasks if task.role == "duplicate")
    assert abs(changed[True] - changed[False]) <= 1


@st.composite
def group_studies(draw: st.DrawFn) -> dict[str, int]:
    groups = draw(st.integers(1, 4))
    smallest = draw(st.integers(1, 60))
    consistency, page = draw(st.integers(0, 8)), draw(st.integers(1, 50))
    duplicates = draw(st.integers(0, smallest))
    return {
        "pairs": consistency + groups * smallest + draw(st.integers(0, groups - 1)),
        "annotators": groups + draw(st.integers(0, 5)),
        "groups": groups,
        "consistency": consistency,
        "duplicates": duplicates if smallest + consistency > 1 else 0,  # one pair would follow itself
        "page": page,
        "seed": draw(st.integers(0, 2**70)),
    }


@given(group_studies())
@settings(max_examples=300, deadline=None)
def test_groups_are_as_promised(study):
    assigned = assign_groups(**study)
    assert len(assigned) == study["annotators"]
    shared = {frozenset(pairs_of(tasks, "consistency")) for tasks in assigned}
    assert len(shared) == 1
    assert len(next(iter(shared))) == study["consistency"]
    members = Counter(frozenset(pairs_of(tasks, "own")) for tasks in assigned)
    assert len(members) == study["groups"]
    assert even(members.values())
    assert even(map(len, members))
    dealt = [pair for group in (*members, *shared) for pair in group]
    assert sorted(dealt) == list(range(study["pairs"]))
    again = {frozenset(pairs_of(tasks, "own")): set(pairs_of(tasks, "duplicate")) for tasks in assigned}
    for tasks in assigned:
        own, duplicates = pairs_of(tasks, "own"), pairs_of(tasks, "duplicate")
        assert len(own) == len(set(own))
        assert len(pairs_of(tasks, "consistency")) == study["consistency"]
        assert len(duplicates) == len(set(duplicates)) == study["duplicates"]
        assert set(duplicates) <= set(own)
        assert set(duplicates) == again[frozenset(own)]
        check_pages(tasks, study["page"])
        check_duplicates(tasks)
        check_sides(tasks)


def test_the_study_of_bio_simverb_has_five_pages_of_120_with_10_consistency_pairs():
    assigned = assign_groups(1050, 12, groups=2, seed=3)
    for tasks in assigned:
        held = [Counter(task.role for task in tasks if task.page == page) for page in range(1, 6)]
        assert [one.total() for one in held] == [120] * 5
        assert [one["consistency"] for one in held] == [10] * 5
        assert [one["duplicate"] for one in held] == [0, 12, 12, 13, 13]
    ratings = Counter(task.pair for tasks in assigned for task in tasks if task.role != "duplicate")
    assert Counter(ratings.values()) == {6: 1000, 12: 50}


def test_half_of_the_second_showings_of_the_docs_example_were_on_the_page_of_the_first():
    assigned = assign_groups(24, 4, groups=1, consistency=0, duplicates=6, page=15, seed=1)
    for tasks in assigned:
        check_duplicates(tasks)
    assert closest_repeat(assigned) == 23  # of 30 tasks, six of them repeats


def test_a_pair_of_1050_came_again_after_a_single_other():
    for seed in range(5):
        assigned = assign_groups(1050, 12, groups=2, seed=seed)
        for tasks in assigned:
            check_duplicates(tasks)
        assert (closest_repeat(assigned) or 0) >= BETWEEN


def test_a_study_of_one_page_becomes_two_if_pairs_are_repeated():
    [tasks] = assign_groups(60, 1, groups=1, consistency=10, duplicates=10, seed=1)
    assert Counter(task.page for task in tasks) == {1: 35, 2: 35}
    check_duplicates(tasks)


def test_without_repeats_nothing_is_closest():
    assert closest_repeat(assign_balanced(20, 2, per_pair=1, seed=1)) is None


def test_a_page_larger_than_any_float_holds_everything():
    [tasks] = assign_balanced(20, 1, per_pair=1, page=10**400, seed=1)
    assert {task.page for task in tasks} == {1}


def test_duplicates_are_not_found_by_their_place_on_a_page():
    places = Counter(
        task.place % 120 // 40
        for tasks in assign_groups(1050, 12, groups=2, seed=3)
        for task in tasks
        if task.role == "duplicate"
    )
    # 600 showings in thirds of a page: 200 each is expected, and 6 standard deviations are 70.
    assert all(130 < places[third] < 270 for third in range(3))


@st.composite
def panel_studies(draw: st.DrawFn) -> dict[str, int]:
    annotators = draw(st.integers(1, 8))
    per_pair = draw(st.integers(1, annotators))
    return {
        "pairs": draw(st.integers(ceil(annotators / per_pair), 150)),
        "annotators": annotators,
        "per_pair": per_pair,
        "page": draw(st.integers(1, 50)),
        "seed": draw(st.integers(0, 2**70)),
    }


@given(panel_studies())
@settings(max_examples=300, deadline=None)
def test_panels_are_as_promised(study):
    assigned = assign_balanced(**study)
    assert len(assigned) == study["annotators"]
    assert even(map(len, assigned))
    panels: dict[int, list[int]] = {pair: [] for pair in range(study["pairs"])}
    for annotator, tasks in enumerate(assigned):
        check_pages(tasks, study["page"])
        check_sides(tasks)
        assert {task.role for task in tasks} == {"own"}
        for task in tasks:
            panels[task.pair].append(annotator)
    for panel in panels.values():
        assert len(panel) == len(set(panel)) == study["per_pair"]
    used = Counter(tuple(panel) for panel in panels.values())
    assert even(used[panel] for panel in combinations(range(study["annotators"]), study["per_pair"]))


@pytest.mark.parametrize(("annotators", "per_pair"), [(40, 20), (60, 3), (13, 12)])
def test_panels_of_many_annotators_differ_and_keep_loads_even(annotators, per_pair):
    assigned = assign_balanced(500, annotators, per_pair=per_pair, seed=5)
    assert even(map(len, assigned))
    panels = Counter()
    for pair in range(500):
        panels[tuple(n for n, tasks in enumerate(assigned) if any(task.pair == pair for task in tasks))] += 1
    assert {len(panel) for panel in panels} == {per_pair}
    assert max(panels.values()) == (1 if annotators > 13 else ceil(500 / 13))


def test_the_study_of_ehr_rel_b_uses_all_ten_panels_of_three_of_five_doctors_equally():
    assigned = assign_balanced(4000, 5, per_pair=3, seed=0)
    panels: dict[int, list[int]] = {}
    for annotator, tasks in enumerate(assigned):
        for task in tasks:
            panels.setdefault(task.pair, []).append(annotator)
    assert Counter(map(tuple, panels.values())) == dict.fromkeys(combinations(range(5), 3), 400)


@pytest.mark.parametrize(
    "assign",
    [
        lambda seed: assign_groups(300, 4, groups=2, seed=seed),
        lambda seed: assign_balanced(300, 4, per_pair=4, seed=seed),
    ],
)
def test_the_seed_settles_everything_and_annotators_differ(assign):
    assert assign(7) == assign(7)
    assert assign(7) != assign(8)
    orders = [[task.pair for task in tasks] for tasks in assign(7)]
    sides = [{task.pair: task.flipped for task in tasks if task.role != "duplicate"} for tasks in assign(7)]
    for one, other in combinations(range(4), 2):
        assert orders[one] != orders[other]
        both = sides[one].keys() & sides[other].keys()
        assert any(sides[one][pair] != sides[other][pair] for pair in both)


def groups_with(**changes: int) -> list[list[Task]]:
    return assign_groups(**({"pairs": 300, "annotators": 4, "groups": 2, "seed": 1} | changes))


def balanced_with(**changes: int) -> list[list[Task]]:
    return assign_balanced(**({"pairs": 300, "annotators": 4, "per_pair": 2, "seed": 1} | changes))


@pytest.mark.parametrize(
    ("assign", "changes", "problem"),
    [
        (groups_with, {"pairs": 0}, "pairs is 0; it must be 1 or more"),
        (groups_with, {"annotators": 0}, "annotators is 0; it must be 1 or more"),
        (groups_with, {"groups": 0}, "groups is 0; it must be 1 or more"),
        (groups_with, {"page": 0}, "page is 0; it must be 1 or more"),
        (groups_with, {"consistency": -1}, "consistency is -1; it must be 0 or more"),
        (groups_with, {"duplicates": -1}, "duplicates is -1; it must be 0 or more"),
        (groups_with, {"seed": -1}, "seed is -1; it must be 0 or more"),
        (groups_with, {"groups": 5}, "4 annotators cannot be split into 5 groups; use fewer groups"),
        (
            groups_with,
            {"pairs": 51},
            "51 pairs are too few for a consistency set of 50 and at least one for each of 2",
        ),
        (groups_with, {"pairs": 149}, "50 duplicates are more than the 49 pairs of a group"),
        (
            groups_with,
            {"pairs": 2, "consistency": 0, "duplicates": 1},
            "the two showings of a pair would follow each other directly; ask for fewer duplicates",
        ),
        (balanced_with, {"per_pair": 0}, "per_pair is 0; it must be 1 or more"),
        (balanced_with, {"per_pair": 5}, "a pair cannot be rated by 5 of only 4 annotators"),
        (balanced_with, {"pairs": 1}, "1 pairs, each rated by 2, are too few for 4 annotators"),
        (balanced_with, {"page": -3}, "page is -3; it must be 1 or more"),
        (balanced_with, {"seed": -1}, "seed is -1; it must be 0 or more"),
    ],
)
def test_numbers_that_cannot_be_are_reported(assign, changes, problem):
    with pytest.raises(InputError) as caught:
        assign(**changes)
    assert str(caught.value).startswith(problem)
