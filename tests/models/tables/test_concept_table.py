import re
from pathlib import Path
from typing import Any

import pytest

from medgauge.errors import CoverageWarning, FileError, InputError
from medgauge.evaluation.evaluate import evaluate
from medgauge.models.base import TableModel, family_of
from medgauge.models.load import load_model
from medgauge.models.tables.concept_table import ConceptTable
from tests.support.concept_tables import FORMS, as_csv, concept_pairs, written
from tests.vectors import some_vectors

KEYS = [f"C{number:07d}" for number in range(1, 7)]
VECTORS = some_vectors(*KEYS)
PAIRS = concept_pairs([("C0000001", "C0000002"), ("C0000003", None), ("C0000004", "C0000099")])


def table(path: Path) -> ConceptTable:
    model = load_model(f"concepts:{path}")
    assert isinstance(model, ConceptTable)
    return model


@pytest.mark.parametrize("form", FORMS)
def test_concepts_are_looked_up_and_counted(tmp_path: Path, form: str) -> None:
    model = table(FORMS[form](tmp_path / "v", VECTORS))
    assert isinstance(model, TableModel)
    assert family_of(model) == "vectors"
    vectors, known = model.lookup(["C0000002", "C0000007"])
    assert known.tolist() == [True, False]
    assert vectors[0].tolist() == VECTORS["C0000002"].tolist()
    assert model.count() == 6
    assert model.path == tmp_path / "v"


def test_no_case_of_a_key_is_tried(tmp_path: Path) -> None:
    assert not table(written(tmp_path / "v", as_csv(VECTORS))).lookup(["c0000002"])[1].any()


@pytest.mark.filterwarnings("ignore")
def test_pairs_without_a_cui_differ_from_those_that_the_table_lacks(tmp_path: Path) -> None:
    model = table(written(tmp_path / "v", as_csv(VECTORS)))
    run = evaluate([model, "levenshtein"], [PAIRS])
    entry = next(one for one in run.coverage if one.model == "v")
    assert (entry.n, entry.covered, entry.without_key) == (3, 1, 1)
    assert '"without_key":1' in run.to_json().replace(" ", "")
    assert run.to_json().count("without_key") == 1
    text = run.to_markdown()
    assert "1 (33%, 1 without key)" in text
    assert "the other uncovered pairs have one that the model lacks" in text


@pytest.mark.parametrize("out", [True, False])
def test_a_table_without_any_id_of_the_sets_is_an_error_and_nothing_is_written(
    tmp_path: Path, out: bool
) -> None:
    model = table(written(tmp_path / "v", as_csv(some_vectors("C9000001", "C9000002"))))
    folder = tmp_path / "new" / "run"
    with pytest.raises(InputError, match="v has none of the 5 CUIs of 'concepts'; check that"):
        evaluate([model, "levenshtein"], [PAIRS], out=folder if out else None)
    assert [path.name for path in tmp_path.iterdir()] == ["v"]


@pytest.mark.filterwarnings("ignore")
def test_a_table_without_the_ids_of_one_set_only_warns(tmp_path: Path) -> None:
    model = table(written(tmp_path / "v", as_csv(VECTORS)))
    other = concept_pairs([("C8000001", "C8000002")], name="other")
    with pytest.warns(CoverageWarning, match="v has none of the CUIs of 'other', and covers no pair there"):
        run = evaluate([model], [PAIRS, other])
    assert [one.covered for one in run.coverage] == [1, 0]


@pytest.mark.filterwarnings("ignore")
def test_a_set_added_to_a_run_was_looked_up_alone(tmp_path: Path) -> None:
    model = table(written(tmp_path / "v", as_csv(VECTORS)))
    other = concept_pairs([("C8000001", "C8000002")], name="other")
    evaluate([model], [PAIRS], out=tmp_path / "run")
    run = evaluate([model], [PAIRS, other], out=tmp_path / "run", replace=True)
    assert [one.covered for one in run.coverage] == [1, 0]


def test_a_set_without_cuis_is_an_error_that_says_how_to_get_them(tmp_path: Path) -> None:
    model = table(written(tmp_path / "v", as_csv(VECTORS)))
    with pytest.raises(InputError, match=r"has no column cui_1 .* need sets with columns id_1"):
        evaluate([model], [concept_pairs([("1", "2")], "id")], out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_ids_of_a_set_that_pandas_made_numbers_of_were_not_found(tmp_path: Path) -> None:
    path = written(tmp_path / "v", as_csv(some_vectors("22298006", "138875005")))
    pairs = concept_pairs([("22298006", "138875005"), ("22298006", "138875005.0")], "id")
    with pytest.raises(
        InputError, match="'concepts', pair 2: id_2 is a number with a decimal point or an exp"
    ):
        evaluate([load_model(f"concepts:{path}")], [pairs], out=tmp_path / "run")
    assert [one.name for one in tmp_path.iterdir()] == ["v"]


@pytest.mark.parametrize("form", FORMS)
def test_a_vector_with_nan_is_an_error_and_nothing_is_written(tmp_path: Path, form: str) -> None:
    vectors = {key: vector.copy() for key, vector in VECTORS.items()}
    vectors["C0000005"][2] = float("nan")  # a concept that no pair has
    path = FORMS[form](tmp_path / "v", vectors)
    with pytest.raises(FileError, match=r"v, (line|row|vector) [56]: the (vector|row) has a value that is"):
        evaluate([load_model(f"concepts:{path}")], [PAIRS], out=tmp_path / "run")
    assert [path.name for path in tmp_path.iterdir()] == ["v"]


def test_the_docs_show_real_output(
    medgauge: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, real_data: Any
) -> None:
    published = tmp_path / "data" / "published"
    published.mkdir(parents=True)
    for name in ("EHR-RelB.tsv", "UMNSRS_similarity.csv", "Bio-SimLex.txt"):
        (published / name).symlink_to(real_data(f"published/{name}"))
    (tmp_path / "biomed-sg-w5.bin").symlink_to(real_data("vectors/biomed-sg-w5.bin"))
    monkeypatch.setenv("MEDGAUGE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "90")
    monkeypatch.chdir(tmp_path)
    page = (Path(__file__).parents[3] / "docs" / "models.md").read_text("utf-8")
    section = page.partition("\n## Concept vectors (`concepts:`)\n")[2].partition("\n## ")[0]
    [code] = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    exec(code, {})
    shown = re.findall(r"^    medgauge ([^\n]*)\n\n```text\n(.*?)```", section, re.MULTILINE | re.DOTALL)
    assert len(shown) == 2
    for command, text in shown:
        assert text.split() == medgauge(*command.split()).out.split()
