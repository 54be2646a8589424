import pytest

import medgauge
from medgauge.errors import FileError
from medgauge.ner.recognition_result import is_recognition
from tests.results import damaged, example

pytestmark = pytest.mark.filterwarnings("ignore::medgauge.errors.CoverageWarning")


@pytest.mark.parametrize(
    ("place", "value", "problem"),
    [
        ("models", [], "a model or a corpus is missing"),
        ("figures.0.model", "other", "the figures of some model on some corpus are missing"),
        ("trials.1.trial", 5, "a trial of some model is missing"),
        ("covered.0.corpus", "other", "the coverage of some model is missing"),
        ("contests", [], "the comparison of the models on some corpus is missing"),
        ("contests.0.models.0.model", "other", "a comparison does not have the models"),
        ("contests.0.differences.0.model_2", "other", "the difference of two models is missing"),
        ("settings.crf", "perhaps", "settings.crf"),
        ("figures.0.f", 1e999, "a figure must be finite"),
    ],
)
def test_a_damaged_result_is_refused_in_a_sentence(tmp_path, place, value, problem):
    path = damaged(example("EntityRecognition"), tmp_path / "results.json", place, value)
    with pytest.raises(FileError, match=problem):
        medgauge.EntityRecognition.load(path)


def test_results_are_recognised_by_what_they_hold(tmp_path):
    for name, expected in (("EntityRecognition", True), ("Run", False)):
        path = tmp_path / f"{name}.json"
        path.write_text(example(name).to_json(), "utf-8")
        assert is_recognition(path) is expected
    path.write_text("{")
    assert is_recognition(path) is False
