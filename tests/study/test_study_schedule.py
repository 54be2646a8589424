import pytest

from medgauge.study.run_study import scheduled
from tests.study.small import plan_of, run, small_study, write_inputs
from tests.support.study_rooms import Asked, KilledError, small_rooms

pytestmark = pytest.mark.filterwarnings("ignore::medgauge.errors.MedgaugeWarning")


@pytest.fixture
def folder(tmp_path):
    return write_inputs(tmp_path)


def plan(folder, asked=None, **changes):
    return plan_of(small_study(folder, **changes), small_rooms(asked))


def by_name(found):
    return {one.step: one for one in found.scheduled}


def test_times_come_from_trials_where_nothing_was_done_before(folder):
    asked = Asked()
    found = by_name(scheduled(plan(folder, asked), None))
    assert asked.done == ["try sg 1", "try sg 2", "try sg 5", "try ner 3 of 4"]
    assert (found["train sg-w2"].seconds, found["train sg-w2"].basis) == (1000 * 5 / 500, "measured")
    assert (found["ner sg-w2 on GENES"].seconds, found["ner sg-w2 on GENES"].basis) == (
        50 * 4 * 2 / 100,
        "measured",
    )
    assert (found["evaluate"].seconds, found["evaluate"].basis) == (None, "unknown")
    assert not (folder / "out.partial").exists()


def test_what_is_kept_has_its_own_time_and_the_rest_that_of_earlier_steps(folder):
    run(small_study(folder, windows=[1, 2]), folder / "out")
    asked = Asked()
    found = by_name(scheduled(plan(folder, asked), folder / "out"))
    assert asked.done == ["try sg 5"]
    assert found["train sg-w2"].kept
    assert found["train sg-w2"].basis == "kept"
    assert found["ner sg-w5 on GENES"].basis == found["evaluate"].basis == "earlier steps"
    assert found["train sg-w5"].basis == "measured"
    assert [one.step for one in scheduled(plan(folder), folder / "out").left] == [
        "train sg-w5",
        "evaluate",
        "subsets of alike by frequency",
        "subsets of alike by subjects",
        "ner sg-w5 on GENES",
        "ner scores on GENES",
        "ner sg-w5 on DISEASES",
        "ner scores on DISEASES",
    ]


def test_networks_of_another_size_have_a_time_of_their_own(folder):
    networks = {"trials": 2, "epochs": 4}
    run(small_study(folder, ner=networks), folder / "out")
    found = by_name(scheduled(plan(folder, ner=networks | {"epochs": 9}), folder / "out"))
    assert found["ner sg-w2 on GENES"].basis == "earlier steps"
    found = by_name(scheduled(plan(folder, ner=networks | {"hidden": 3000}), folder / "out"))
    assert found["ner sg-w2 on GENES"].basis == "measured"


def test_a_killed_study_shows_what_it_has_kept(folder):
    with pytest.raises(KilledError):
        run(small_study(folder), folder / "out", Asked(dies_at="train sg-w5"))
    kept = [one.step for one in scheduled(plan(folder), folder / "out").scheduled if one.kept]
    assert kept == ["words", "train sg-w1", "train sg-w2"]


def test_times_are_known_once_text_is_a_corpus(folder):
    text = str(folder / "text.txt")
    run(small_study(folder, corpus=text, windows=[1]), folder / "out")
    found = scheduled(plan(folder, corpus=text, windows=[1, 2]), folder / "out")
    assert found.notes == []
    assert by_name(found)["train sg-w2"].basis == "measured"
    assert by_name(found)["corpus"].kept


def test_text_says_why_the_time_of_training_is_unknown(folder):
    found = scheduled(plan(folder, corpus=str(folder / "text.txt")), None)
    assert by_name(found)["train sg-w2"].basis == "unknown"
    assert found.notes == [
        "How long training takes is not known before 'medgauge corpus' has made a corpus of the text."
    ]
