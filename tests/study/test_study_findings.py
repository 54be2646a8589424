"""What a study says, and its warnings."""

import math

import numpy as np
import pytest

import medgauge
from medgauge.errors import InputError, MedgaugeWarning
from medgauge.study.run_study import perform
from medgauge.study.study_result import DomainCorrelations
from tests.study.small import plan_of, run, small_study, write_inputs
from tests.support.study_rooms import Asked, small_rooms
from tests.vectors import WORDS

pytestmark = pytest.mark.filterwarnings("ignore::medgauge.errors.UndefinedWarning")


@pytest.fixture
def folder(tmp_path):
    return write_inputs(tmp_path)


@pytest.fixture
def found(folder):
    with pytest.warns(MedgaugeWarning, match="too few"):
        return run(small_study(folder), folder / "out")


def test_the_correlations_are_those_of_the_two_runs(found):
    [domain] = found.correlations
    names = [one.name for one in found.models]
    shown = found.evaluation.shown_figures()
    scores = {(one.model, one.corpus): one.f for one in found.ner}
    for one in domain.found.correlations:
        rho = [shown[name, one.intrinsic, "spearman"].value for name in names]
        f = [scores[name, one.extrinsic] for name in names]
        assert one.r == pytest.approx(np.corrcoef(rho, f)[0, 1])
        assert one.n == 3


def test_the_cosine_of_means_is_what_is_evaluated(found):
    assert {one.measure for one in found.evaluation.figures} == {"avg_cos"}


def test_too_few_models_are_a_plain_warning(folder):
    with pytest.warns(MedgaugeWarning) as said:
        run(small_study(folder), folder / "out")
    assert ("3 biomedical models are too few to conclude much from: only |r| above 0.997 has p < 0.05") in [
        str(one.message) for one in said
    ]


def test_two_models_are_not_correlated_and_the_study_goes_on(folder):
    with pytest.warns(
        MedgaugeWarning, match="2 biomedical models cannot be correlated: at least 3 are needed"
    ):
        found = run(small_study(folder, windows=[1, 2]), folder / "out")
    assert [one.found for one in found.correlations] == [None]
    assert len(found.ner) == 4


@pytest.mark.parametrize(("models", "says"), [(9, "above 0.666 .* would in 60% of studies"), (13, None)])
def test_models_are_enough_if_a_strong_correlation_is_found_in_four_studies_of_five(found, models, says):
    domain = DomainCorrelations(domain="biomedical", models=models, found=found.correlations[0].found)
    if says is None:
        assert domain.caution is None
    else:
        assert says.split(" .* ")[0] in domain.caution
        assert says.split(" .* ")[1] in domain.caution


def test_general_models_are_correlated_apart(folder):
    study = small_study(folder, vectors=[str(folder / "old.bin")], general_vectors=[str(folder / "news.bin")])
    with pytest.warns(MedgaugeWarning) as said:
        found = run(study, folder / "out")
    assert "1 model of general English cannot be correlated: at least 3 are needed" in [
        str(one.message) for one in said
    ]
    assert [(one.domain, one.models) for one in found.correlations] == [("biomedical", 4), ("general", 1)]
    assert [grid.title for grid in found.grids()[:2]] == [
        "Figures on sets and in NER, biomedical models",
        "Figures on sets and in NER, models of general English",
    ]


def test_vectors_that_exist_need_no_corpus(folder):
    asked = Asked()
    study = small_study(
        folder, corpus=None, vectors=[str(folder / "old.bin"), str(folder / "news.bin")], ner_corpora=[]
    )
    with pytest.warns(MedgaugeWarning) as said:
        found = run(study, folder / "out", asked)
    assert asked.done == []
    assert [one.name for one in found.models] == ["old", "news"]
    assert found.correlations == found.subsets == []
    notes = [
        "There are no subsets: neither a corpus nor a word table is given.",
        "There are no NER scores and no correlations: no NER corpus is given.",
    ]
    assert found.notes == notes
    assert [str(one.message) for one in said] == [note.removesuffix(".") for note in notes]


def test_subsets_are_those_of_words_in_one_interval(found):
    [frequency, subjects] = found.subsets
    assert (frequency.dataset, frequency.by, subjects.by, frequency.part) == (
        "alike",
        "frequency",
        "subjects",
        "noun",
    )
    counts = {word: (place + 1) ** 2 for place, word in enumerate(WORDS)}
    [used] = frequency.run.datasets
    edges = sorted(counts.values())
    assert sum(subset.n for subset in used.subsets) + sum(used.left_out.values()) == 40
    assert used.subsets[-1].name.endswith(f"{edges[-1]}]")


def test_a_word_table_without_subjects_leaves_those_subsets_out(folder):
    plan = plan_of(small_study(folder), small_rooms(subjects=False))
    with pytest.warns(MedgaugeWarning):
        found = perform(plan, folder / "out", plots=False)
    assert [one.by for one in found.subsets] == ["frequency"]
    assert found.notes == ["alike has no subsets by subjects: the word table has no subjects of its words."]


def test_a_set_and_a_corpus_may_be_called_model(folder):
    sets, corpora = [f"model={folder / 'alike.parquet'}"], [f"model={folder / 'GENES'}"]
    with pytest.warns(MedgaugeWarning):
        found = run(small_study(folder, sets=sets, subsets={}, ner_corpora=corpora), folder / "out")
    [domain] = found.correlations
    [r] = domain.found.correlations
    assert (r.intrinsic, r.extrinsic, r.n) == ("model", "model", 3)


def test_one_trial_has_no_deviation(folder):
    with pytest.warns(MedgaugeWarning):
        found = run(small_study(folder, ner={"trials": 1}), folder / "out")
    assert all(math.isnan(one.deviation) for one in found.ner)
    assert "of one trial" in found.to_markdown()


def test_the_confidence_is_that_of_the_intervals_of_all_figures(folder, found):
    asked = Asked()
    with pytest.warns(MedgaugeWarning):
        narrower = run(small_study(folder), folder / "out", asked, confidence=0.5, replace=True)
    assert asked.done == []  # no network is trained again
    for before, after in zip(found.evaluation.figures, narrower.evaluation.figures, strict=True):
        assert before.value == after.value
        assert before.low < after.low < after.high < before.high
    assert {split.run.settings.confidence for split in narrower.subsets} == {0.5}
    assert narrower.ner[0].low > found.ner[0].low


def test_another_study_in_the_folder_is_left_alone(folder, found):
    before = (folder / "out" / "study.json").read_bytes()
    with pytest.raises(InputError, match=r"holds another study \(.* of its steps differ\); choose another"):
        run(small_study(folder, windows=[1, 2]), folder / "out")
    with pytest.raises(InputError, match=r"holds another study \(its title differs\)"):
        run(small_study(folder, title="Other"), folder / "out")
    with pytest.raises(InputError, match=r"holds another study \(.* of its steps differ\)"):
        run(small_study(folder), folder / "out", confidence=0.9)
    assert (folder / "out" / "study.json").read_bytes() == before


def test_a_foreign_file_in_the_folder_is_not_lost(folder, found):
    (folder / "out" / "notes.txt").write_text("mine", "utf-8")
    with pytest.raises(InputError, match=r"contains notes\.txt, which is not part of a study"):
        run(small_study(folder, windows=[1]), folder / "out", replace=True)
    assert (folder / "out" / "notes.txt").exists()


def test_the_folder_is_a_result_that_can_be_shown_again(folder, found):
    assert medgauge.load_result(folder / "out") == found
    assert medgauge.load_result(folder / "out" / "runs" / "sets") == found.evaluation


def test_a_lost_report_is_written_again(folder, found):
    (folder / "out" / "report.md").unlink()
    asked = Asked()
    with pytest.warns(MedgaugeWarning):
        run(small_study(folder), folder / "out", asked)
    assert asked.done == []
    assert (folder / "out" / "report.md").is_file()
