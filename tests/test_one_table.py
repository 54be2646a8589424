"""Word vectors, an encoder, concept vectors, a service and a baseline in one table, from one command."""

import csv
import json
from pathlib import Path

import polars as pl
import pytest

from medgauge.demo import minilm_folder
from tests.prerequisites import NEEDS_MINILM, is_there
from tests.support.concept_tables import as_csv, written
from tests.support.embedding_service import stand_in
from tests.support.written_files import everything_written
from tests.vectors import some_vectors, write_binary

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not is_there(NEEDS_MINILM), reason=NEEDS_MINILM)]

CONCEPTS = [
    ("yellow skin", "jaundice"),
    ("kidney failure", "renal insufficiency"),
    ("high blood pressure", "hypertension"),
    ("lisping", "sigmatism"),
    ("gallstones", "cholelithiasis"),
    ("nosebleed", "epistaxis"),
    ("heartburn", "pyrosis"),
    ("hives", "urticaria"),
    ("shingles", "herpes zoster"),
    ("itching", "pruritus"),
    ("baldness", "alopecia"),
    ("broken bone", "fracture"),
    ("german measles", "rubella"),
    ("whooping cough", "pertussis"),
    ("low blood sugar", "hypoglycemia"),
    ("fainting", "syncope"),
    ("lockjaw", "tetanus"),
    ("bedsore", "decubitus ulcer"),
    ("difficulty swallowing", "dysphagia"),
    ("shortness of breath", "dyspnea"),
]
"""Concepts, each with a name that people use and one that doctors use; the number is the CUI."""

MODELS = ["words", "minilm", "concepts", "service", "levenshtein"]
SHOWN = {"avg_cos", "cos", "score"}
"""The standard measure of each kind of model."""

WITHOUT_WORD = "syncope"
WITHOUT_VECTOR = 16  # lockjaw


def cui(concept: int) -> str:
    return f"C{concept:07d}"


def rows() -> list[tuple[int, int, int]]:
    """Return pairs of concepts with their labels: each concept with itself, and with four others."""
    count = len(CONCEPTS)
    return [
        (number, (number + step) % count, int(not step))
        for step in (0, 3, 7, 9, 13)
        for number in range(count)
    ]


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """A set with CUIs, one of which is missing; word vectors without a word; concept vectors without one."""
    monkeypatch.chdir(tmp_path)
    with Path("mine.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["term_1", "term_2", "cui_1", "cui_2", "label"])
        for number, (first, second, label) in enumerate(rows()):
            known = cui(second) if number else ""
            writer.writerow([CONCEPTS[first][0], CONCEPTS[second][1], cui(first), known, label])
    words = {word for names in CONCEPTS for name in names for word in name.split()} - {WITHOUT_WORD}
    write_binary(Path("words.bin"), some_vectors(*sorted(words), dim=20))
    keys = [cui(number) for number in range(len(CONCEPTS)) if number != WITHOUT_VECTOR]
    written(Path("concepts.csv"), as_csv(some_vectors(*keys, dim=20)))
    return tmp_path


def covered(model: str) -> list[bool]:
    """Return which pairs a model covers, by what was left out for it."""
    found = []
    for number, (first, second, _) in enumerate(rows()):
        has_word = WITHOUT_WORD not in (CONCEPTS[first][0], CONCEPTS[second][1])
        has_concepts = bool(number) and WITHOUT_VECTOR not in (first, second)
        found.append({"words": has_word, "concepts": has_concepts}.get(model, True))
    return found


def beaten_by(model: str, contest) -> set[str]:
    """Return the models that a model is significantly better than, of all ten differences."""
    assert len(contest["differences"]) == 10
    found = [one for one in contest["differences"] if one["significant"]]
    assert all(model in (one["model_1"], one["model_2"]) for one in found)
    return {one["model_1"] if one["model_2"] == model else one["model_2"] for one in found}


def test_one_command_gives_one_table_and_says_what_is_significant(medgauge, folder):
    with stand_in() as service:
        done = medgauge(
            *("evaluate", "--model", "words=words.bin", "--model", f"minilm=st:{minilm_folder()}"),
            *("--model", "concepts:concepts.csv", "--model", f"service=api:m@{service.url}"),
            *("--model", "levenshtein", "--dataset", "mine.csv", "--out", "run"),
        )
        asked = service.terms
    assert done.code == 0, done.err
    results = json.loads(Path("run/results.json").read_text("utf-8"))
    assert [card["name"] for card in results["models"]] == MODELS

    coverage = {one["model"]: one for one in results["coverage"]}
    assert {name: coverage[name]["covered"] for name in MODELS} == {
        name: sum(covered(name)) for name in MODELS
    }
    assert coverage["concepts"]["without_key"] == 1
    common = [all(found) for found in zip(*map(covered, MODELS), strict=True)]
    assert sum(common) < min(sum(covered(name)) for name in ("words", "concepts"))
    shown = {
        figure["model"]: figure
        for figure in results["figures"]
        if figure["measure"] in SHOWN and figure["metric"] == "auc"
    }
    assert list(shown) == MODELS
    assert {figure["covered"] for figure in shown.values()} == {sum(common)}
    lines = done.out.splitlines()
    assert f"{sum(common)}/{len(common)}" in done.out
    assert [name for name in MODELS if any(line.startswith(f"{name} ") for line in lines)] == MODELS

    # A service is asked each different term once.
    terms = {CONCEPTS[first][0] for first, _, _ in rows()} | {CONCEPTS[second][1] for _, second, _ in rows()}
    assert sorted(term for term in asked if term in terms) == sorted(terms)

    compared = medgauge("compare", "run", "--format", "json")
    assert compared.code == 0, compared.err
    [contest] = [one for one in json.loads(compared.out)["contests"] if one["metric"] == "auc"]
    assert contest["pairs"] == sum(common)
    assert contest["concepts"] == len(CONCEPTS) - 1
    # The vectors of CUIs are the same for synonyms; the others are random, or see spelling. Many pairs of few
    # concepts do not show that it is better than spelling, unless they are taken for independent.
    assert beaten_by("concepts", contest) == {"words", "service"}
    alone = medgauge("compare", "run", "--format", "json", "--dependence", "independent").out
    [contest] = [one for one in json.loads(alone)["contests"] if one["metric"] == "auc"]
    assert beaten_by("concepts", contest) == {"words", "service", "levenshtein"}
    conclusion = medgauge("compare", "run").out
    assert (
        "concepts is first (AUC 1.000), but not significantly better than minilm, levenshtein."
        in " ".join(conclusion.split())
    )

    said = done.out + done.err + compared.out + conclusion
    for text in (said, everything_written(Path("run"))):
        assert [term for term in terms if term in text.lower()] == []
    assert pl.read_parquet("run/scores/mine--minilm.parquet")["covered"].to_list() == covered("minilm")
