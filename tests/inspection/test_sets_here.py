import pytest

from medgauge.errors import InputError, UnknownNameError, options_as_flags
from medgauge.evaluation.evaluate import evaluate
from medgauge.inspection.sets_here import find_sets, named_absent
from tests.runs import pair_set

GOLD = range(5)


@pytest.fixture
def run():
    return evaluate("random", [pair_set(GOLD, name="mine"), pair_set([3, 1, 2], name="other")])


def test_a_set_is_recognised_by_its_content_under_any_name(run):
    found, absent = find_sets(run, pair_set(GOLD, name="renamed"))
    assert list(found) == ["mine"]
    assert found["mine"].card.name == "mine"
    assert absent == {}


def test_a_file_of_the_same_name_with_other_gold_is_refused(run):
    with pytest.raises(InputError) as caught:
        find_sets(run, pair_set([9, 9, 9], name="mine"))
    assert str(caught.value) == (
        "the set 'mine' is not the one that was evaluated: its terms or gold differ; give the file that was "
        "evaluated, with the same columns (datasets={'mine': 'FILE'})"
    )


def test_a_set_that_was_not_evaluated_is_refused(run):
    with pytest.raises(UnknownNameError, match="there is no set of the run called 'third'"):
        find_sets(run, pair_set([9, 9, 9], name="third"))


def test_the_name_of_a_set_from_a_file_says_to_give_the_file(run):
    with options_as_flags(), pytest.raises(InputError, match=r"not a published one.*--dataset mine=FILE\)"):
        find_sets(run, "mine")


def test_without_sets_the_published_ones_of_this_machine_are_taken(real_data):
    real_data("published/Bio-SimLex.txt")
    run = evaluate("random", ["bio-simlex", pair_set(GOLD)], limit=20)
    found, absent = find_sets(run, None)
    assert [(name, len(pairs)) for name, pairs in found.items()] == [("bio-simlex", 20)]
    assert absent == {"mine": "datasets={'mine': 'FILE'}"}


def test_a_set_that_only_has_the_name_of_a_published_one_is_not_taken_for_it(real_data):
    real_data("published/MayoSRS_mesh.csv")
    run = evaluate("random", pair_set(GOLD, name="mayosrs", part=list("xxxxx")), where="part = 'x'")
    with options_as_flags(), pytest.raises(InputError) as caught:
        find_sets(run, None)
    assert str(caught.value) == (
        "no set of the run was found on this machine: get mayosrs (not the published one: --dataset "
        "mayosrs=FILE)"
    )


def test_sets_that_are_not_here_are_named_with_what_to_type(monkeypatch, tmp_path):
    monkeypatch.setenv("MEDGAUGE_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    run = evaluate("random", pair_set(GOLD, name="mayosrs"))
    with pytest.raises(InputError, match=r"get mayosrs \(medgauge datasets fetch mayosrs\)$"):
        find_sets(run, None)


def test_a_sentence_names_only_a_few_sets():
    assert named_absent(dict.fromkeys("abcde", "x")) == "a (x), b (x), c (x) and 2 more"
