import json
from pathlib import Path

import pytest

import medgauge
from medgauge.errors import FileError
from medgauge.evaluation.contamination import contamination
from medgauge.models.base import ModelCard
from medgauge.pairs import Card
from tests.results import damaged
from tests.runs import contaminated_run

STORED = Path(__file__).parents[1] / "fixtures" / "0.1.0"


def test_a_run_holds_which_model_was_trained_on_what_which_set_was_made_of():
    run = contaminated_run()
    [one] = run.contamination
    assert (one.model, one.dataset, one.source, one.made_of) == ("trained", "mine", "umls", ("snomed-ct",))
    stored = json.loads(run.to_json())["contamination"]
    assert stored == [
        {
            "model": "trained",
            "dataset": "mine",
            "source": "umls",
            "made_of": ["snomed-ct"],
            "reason": "UMLS, which contains SNOMED CT, which the set was made from",
        }
    ]


def test_a_run_of_models_that_are_clean_is_stored_as_before():
    run = contaminated_run(sources=("pubmed",))
    assert run.contamination == []
    assert "contamination" not in json.loads(run.to_json())


def test_a_stored_run_keeps_it_and_an_older_one_has_none(tmp_path):
    run = contaminated_run(out=tmp_path / "run")
    assert medgauge.Run.load(tmp_path / "run").contamination == run.contamination
    assert medgauge.Run.load(STORED / "run").contamination == []


def test_a_comparison_has_what_concerns_its_models_and_sets():
    run = contaminated_run()
    assert medgauge.compare(run, resamples=99).contamination == run.contamination
    assert medgauge.compare(contaminated_run(sources=()), resamples=99).contamination == []


@pytest.mark.parametrize("place", ["contamination.0.model", "contamination.0.dataset"])
def test_contamination_of_what_is_not_in_the_result_is_damage(tmp_path, place):
    run = contaminated_run()
    for found in (run, medgauge.compare(run, resamples=99)):
        with pytest.raises(FileError, match="its contamination is of another model or set"):
            type(found).load(damaged(found, tmp_path / "results.json", place, "neither"))


def test_cards_without_origins_are_clean():
    models = [ModelCard(name="a", family="words", sources=("umls",)), ModelCard(name="b", family="words")]
    sets = [Card(name="x", title="X"), Card(name="y", title="Y", made_of=("umls",))]
    assert [(one.model, one.dataset) for one in contamination(models, sets)] == [("a", "y")]
