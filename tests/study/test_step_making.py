"""A study that was killed goes on, and a changed one recomputes only what depends on the change."""

from dataclasses import replace

import pytest

from medgauge.files.digests import sha256_of
from medgauge.models.vector_cards import VectorCard, write_card
from medgauge.pairs import PairSet
from medgauge.progress import hearing
from medgauge.study.study_plan import vectors_path
from medgauge.study.study_step import step_keys
from tests.study.small import plan_of, run, small_study, write_inputs
from tests.support.study_rooms import Asked, KilledError

pytestmark = pytest.mark.filterwarnings("ignore::medgauge.errors.MedgaugeWarning")

TRAINED = [f"train sg-w{window}" for window in (1, 2, 5)]
NETWORKS = [f"ner sg-w{window} on {corpus}" for corpus in ("GENES", "DISEASES") for window in (1, 2, 5)]
EVERYTHING = ["words", *TRAINED, *NETWORKS]


@pytest.fixture
def folder(tmp_path):
    return write_inputs(tmp_path)


@pytest.fixture
def done(folder):
    """Run the small study once; return its folder."""
    run(small_study(folder), folder / "out")
    return folder / "out"


def again(folder, **changes):
    """Run the study again with changes; return what rooms had to do."""
    asked = Asked()
    run(small_study(folder, **changes), folder / "out", asked, replace=True)
    return asked.done


def test_every_step_is_made_once(folder):
    asked = Asked()
    run(small_study(folder), folder / "out", asked)
    assert asked.done == EVERYTHING


@pytest.mark.parametrize("dies_at", EVERYTHING)
def test_a_killed_study_goes_on_where_it_was(folder, dies_at):
    before, after, whole = Asked(dies_at=dies_at), Asked(), folder / "whole"
    with pytest.raises(KilledError):
        run(small_study(folder), folder / "out", before)
    assert not (folder / "out").exists()
    found = run(small_study(folder), folder / "out", after)
    assert before.done + after.done == EVERYTHING
    assert found == run(small_study(folder), whole)
    assert (folder / "out" / "report.md").read_text("utf-8") == (whole / "report.md").read_text("utf-8")
    assert not (folder / "out.partial").exists()


def test_the_same_study_again_computes_nothing(folder, done):
    said: list[str] = []
    asked = Asked()
    with hearing(said.append):
        run(small_study(folder), done, asked)
    assert asked.done == []
    assert said == [f"{done} already holds this study: nothing had to be computed"]


def test_a_changed_window_trains_and_uses_the_new_vectors_only(folder, done):
    assert again(folder, windows=[1, 8, 5]) == [
        "train sg-w8",
        "ner sg-w8 on GENES",
        "ner sg-w8 on DISEASES",
    ]
    assert not (done / vectors_path("sg-w2")).exists()
    assert (done / vectors_path("sg-w8")).is_file()


def test_scores_of_models_that_are_the_same_are_not_computed_again(folder, done):
    said: list[str] = []
    with hearing(said.append):
        again(folder, windows=[1, 8, 5])
    assert "reusing: 4 of 6 scores are kept" in said


def test_a_window_less_trains_nothing(folder, done):
    assert again(folder, windows=[1, 5]) == []


def test_another_set_trains_nothing(folder, done):
    assert again(folder, sets=[str(folder / "related.parquet")], subsets={}) == []


def test_another_corpus_of_entities_leaves_the_others(folder, done):
    changed = again(folder, ner_corpora=[f"X={folder / 'GENES'}", str(folder / "DISEASES")])
    assert changed == [f"ner sg-w{window} on X" for window in (1, 2, 5)]


def test_other_training_trains_everything_again(folder, done):
    assert again(folder, training={"dim": 3}) == TRAINED  # of the same bytes, in these rooms


def test_another_seed_changes_all_that_is_drawn(folder, done):
    assert again(folder, seed=2) == [*TRAINED, *NETWORKS]


def test_other_networks_train_no_vectors(folder, done):
    (folder / "out" / "runs" / "ner-GENES" / "counts" / "GENES--sg-w1.json").unlink()
    assert again(folder, ner={"trials": 3, "epochs": 4}) == ["ner sg-w1 on GENES"]


def test_damaged_vectors_are_trained_again(folder, done):
    path = done / vectors_path("sg-w2")
    path.write_bytes(path.read_bytes()[:-1] + b"\x07")
    assert again(folder) == ["train sg-w2"]  # which gives the same bytes, so nothing else changes


def test_a_corpus_that_changed_is_noticed(folder, done):
    (folder / "corpus.parquet").write_text("other words", "utf-8")
    assert again(folder) == ["words", *TRAINED]  # of the same bytes, in these rooms


def test_text_is_made_into_a_corpus_first(folder):
    asked = Asked()
    run(small_study(folder, corpus=str(folder / "text.txt")), folder / "out", asked)
    assert asked.done == ["corpus", *EVERYTHING]


def test_what_text_allows_is_known_once_it_is_a_corpus(folder):
    asked, out = Asked(), folder / "out"
    changes = {"corpus": str(folder / "text.txt"), "architectures": ["sg", "dependency"], "windows": [2]}
    found = run(small_study(folder, **changes), out, asked)
    assert [one.name for one in found.models] == ["sg-w2"]
    assert found.notes == ["dependency is left out, as the corpus has no parse."]
    assert found.settings.tokens == 1000
    said: list[str] = []
    with hearing(said.append):
        run(small_study(folder, **changes), out, asked)
    assert said == [f"{out} already holds this study: nothing had to be computed"]


def test_keys_follow_what_a_step_needs(folder):
    before, after = (
        step_keys(plan_of(small_study(folder, windows=windows)).steps()) for windows in ([1, 2], [1, 5])
    )
    same = {name for name in before if before[name] == after.get(name)}
    assert same == {"words", "train sg-w1", "ner sg-w1 on GENES", "ner sg-w1 on DISEASES"}


def test_other_cards_change_the_scores_of_sets_alone(folder):
    study = small_study(folder, windows=[2], vectors=[str(folder / "old.bin")])

    def keys():
        return step_keys(plan_of(study).steps())

    first = keys()
    vectors = folder / "old.bin"
    write_card(
        vectors, VectorCard(digest=sha256_of(vectors), trained_on="names of the UMLS", sources=("umls",))
    )
    second = keys()
    pairs = PairSet.load(folder / "alike.parquet")
    made = pairs.card.model_copy(update={"made_of": ("umls",)})
    replace(pairs, card=made).save(folder / "alike.parquet")
    third = keys()
    scores = {"evaluate", "subsets of alike by frequency", "subsets of alike by subjects"}
    for before, after in ((first, second), (second, third)):
        assert {name for name in before if before[name] != after[name]} == scores


def test_each_step_comes_after_those_that_it_needs(folder):
    steps = plan_of(small_study(folder, corpus=str(folder / "text.txt"))).steps()
    names = [step.name for step in steps]
    assert len(set(names)) == len(names)
    for place, step in enumerate(steps):
        assert set(step.needs) <= set(names[:place])
