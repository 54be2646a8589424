"""The tutorials run, and their stored outputs are up to date."""

import importlib.util
from pathlib import Path

import pytest

from tests.prerequisites import NEEDS_MINILM, is_there

DOCS = Path(__file__).parents[1] / "docs"
TUTORIALS = sorted((DOCS / "tutorials").glob("*.ipynb"))


@pytest.fixture(scope="module")
def notebooks():
    spec = importlib.util.spec_from_file_location("run_notebooks", DOCS / "run_notebooks.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def shown(notebook):
    """Return the outputs of cells, without the bytes of pictures, which depend on matplotlib."""
    return [
        output.get("text") or {**output["data"], "image/png": "image/png" in output["data"]}
        for cell in notebook["cells"]
        for output in cell.get("outputs", [])
    ]


@pytest.mark.slow
@pytest.mark.parametrize("path", TUTORIALS, ids=lambda path: path.stem)
def test_the_stored_outputs_of_a_tutorial_are_up_to_date(path, notebooks):
    if "minilm_folder" in path.read_text("utf-8") and not is_there(NEEDS_MINILM):
        pytest.skip(NEEDS_MINILM)
    stored = notebooks.json.loads(path.read_text("utf-8"))
    run = notebooks.run(path)
    assert shown(stored) == shown(run), "run make docs"
    assert sum(one["image/png"] for one in shown(run) if isinstance(one, dict)) >= 2


@pytest.mark.parametrize("path", TUTORIALS, ids=lambda path: path.stem)
def test_a_tutorial_is_formatted_as_the_script_does(path, notebooks):
    text = path.read_text("utf-8")
    assert notebooks.written(notebooks.json.loads(text)) == text


def test_a_cell_that_fails_is_named(tmp_path, notebooks):
    path = tmp_path / "bad.ipynb"
    cells = [{"cell_type": "code", "source": ["1 / 0"]}]
    path.write_text(notebooks.json.dumps({"cells": cells}), "utf-8")
    with pytest.raises(ZeroDivisionError) as caught:
        notebooks.run(path)
    assert str(caught.traceback[-1].path).endswith("bad.ipynb, cell 1")


def test_both_tutorials_are_there():
    assert [path.stem for path in TUTORIALS] == ["choose-an-embedding", "trust-ratings"]
