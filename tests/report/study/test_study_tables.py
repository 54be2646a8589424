import pytest

from tests.results import example
from tests.study.small import run, small_study, write_inputs

pytestmark = pytest.mark.filterwarnings("ignore::medgauge.errors.MedgaugeWarning")


@pytest.fixture
def found():
    return example("StudyResult")


def made(tmp_path, **changes):
    folder = write_inputs(tmp_path)
    return run(small_study(folder, **changes), folder / "out")


def first_column(found, number=0):
    grid = found.grids()[number]
    return grid.header[0], [row[0].figure for row in grid.rows]


def test_rows_are_windows_where_only_these_differ_as_in_table_7(tmp_path):
    assert first_column(made(tmp_path)) == ("window", ["1", "2", "5"])


def test_rows_are_architectures_where_only_these_differ_as_in_table_5(tmp_path):
    changes = {"architectures": ["ssg", "sg", "cbow"], "windows": [5]}
    assert first_column(made(tmp_path, **changes)) == ("architecture", ["ssg", "sg", "cbow"])


def test_rows_are_models_where_vectors_are_given_too(tmp_path):
    changes = {"vectors": [str(tmp_path / "old.bin")], "windows": [5]}
    assert first_column(made(tmp_path, **changes)) == ("model", ["sg-w5", "old"])


def test_columns_are_sets_then_corpora(found):
    assert found.grids()[0].header == ["window", "alike ρ", "related ρ", "GENES F", "DISEASES F"]


def test_the_best_of_each_column_is_bold_within_its_domain(found):
    grid = found.grids()[0]
    for column in range(1, len(grid.header)):
        assert sum(row[column].bold for row in grid.rows) == 1
    assert not any(cell.bold for row in found.grids()[1].rows for cell in row)  # one general model


def test_correlations_have_sets_down_and_corpora_across_as_in_tables_6_8_and_9(found):
    grid = next(one for one in found.grids() if one.title.startswith("Pearson's r"))
    assert grid.header == ["set", "GENES", "DISEASES"]
    assert [row[0].figure for row in grid.rows] == ["alike", "related"]
    assert grid.lead == [
        "4 biomedical models are too few to conclude much from: only |r| above 0.950 has p < 0.05, as a true "
        "correlation of 0.7 would in 20% of studies."
    ]


def test_each_correlation_has_its_interval_and_number_of_models(found):
    grid = next(one for one in found.grids() if one.title.startswith("Correlations in full"))
    assert grid.header == ["set", "corpus", "r", "p", "models"]
    assert all(row[2].interval.startswith("[") for row in grid.rows)
    assert {row[4].figure for row in grid.rows} == {"4"}


def test_every_figure_is_a_row_of_the_csv(found):
    frame = found.to_frame()
    counts = dict(frame["kind"].value_counts().rows())
    assert counts == {"set": 10, "ner": 10, "correlation": 4, "subset": 30}
    assert set(frame["domain"]) == {"biomedical", "general"}


def test_notes_name_no_option_that_a_study_does_not_have(found):
    assert not [note for grid in found.grids() for note in grid.notes if "bins" in note]
