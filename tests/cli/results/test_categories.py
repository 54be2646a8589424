import csv
import gzip
import io
import json

import polars as pl
import pytest

from tests.vectors import some_vectors, write_binary

WORDS = [f"w{number}" for number in range(30)]


@pytest.fixture
def vectors(tmp_path):
    return write_binary(tmp_path / "mine.bin", some_vectors(*WORDS))


@pytest.fixture
def lists(tmp_path):
    """The options --close A B --distant C, with lists of ten words each."""
    paths = []
    for number, name in enumerate(("heart", "vessels", "ear")):
        paths.append(tmp_path / f"{name}.txt")
        paths[-1].write_text("\n".join(WORDS[10 * number : 10 * number + 10]) + "\n")
    return ["--close", paths[0], paths[1], "--distant", paths[2]]


def test_a_table_shows_models_best_and_worst_measure_and_counts(medgauge, vectors, lists, monkeypatch):
    monkeypatch.setenv("COLUMNS", "140")
    done = medgauge("categories", *lists, "--model", vectors, "--model", "spelling=levenshtein")
    assert done.code == 0, done.err
    for text in ("mine", "spelling", "(best)", "(worst)", "10 × 10 × 10", "sim(C, C)", "A: heart, 10 terms"):
        assert text in done.out
    assert done.err == ""


def test_json_and_csv_have_every_model_and_measure(medgauge, vectors, lists):
    arguments = ("categories", *lists, "--model", vectors, "--model", "random")
    found = json.loads(medgauge(*arguments, "--json").out)
    assert len(found["separations"]) == 11
    rows = list(csv.DictReader(io.StringIO(medgauge(*arguments, "--format", "csv").out)))
    assert [(row["model"], row["measure"], int(row["errors"])) for row in rows] == [
        (one["model"], one["measure"], one["errors"]) for one in found["separations"]
    ]
    assert found["separations"][0]["triples"] == 1000


def test_measures_can_be_chosen(medgauge, vectors, lists):
    arguments = ("categories", *lists, "--model", vectors, "--json")
    chosen = json.loads(medgauge(*arguments, "--measure", "fj", "--measure", "mj").out)["separations"]
    assert [one["measure"] for one in chosen] == ["fj", "mj"]
    assert medgauge(*arguments, "--measure", "all", "--measure", "mj").code == 2
    wrong = medgauge(*arguments, "--measure", "avg_cosinus")
    assert (wrong.code, wrong.err.strip()) == (
        1,
        "medgauge: there is no measure 'avg_cosinus'; did you mean 'avg_cos'?",
    )


def test_markdown_and_latex(medgauge, vectors, lists):
    arguments = ("categories", *lists, "--model", vectors, "--measure", "fj", "--format")
    assert "| model | measure | O | terms | sim(A, B) |" in medgauge(*arguments, "md").out
    assert r"$\leq$" in medgauge(*arguments, "latex").out


@pytest.mark.parametrize(("columns", "parts"), [("50", 2), ("80", 1)])
def test_a_narrow_terminal_gets_a_table_that_fits(medgauge, vectors, lists, monkeypatch, columns, parts):
    monkeypatch.setenv("COLUMNS", columns)
    done = medgauge("categories", *lists, "--model", vectors)
    assert max(map(len, done.out.splitlines())) <= int(columns)
    assert done.out.count("Category overlap") == parts


def test_look_up_options_are_used_and_recorded(medgauge, vectors, lists, tmp_path):
    lists[1].write_text("W1\nw2 unknown\nunknown\n")
    arguments = ("categories", *lists, "--model", vectors, "--measure", "fj", "--json")
    used = [
        json.loads(medgauge(*arguments, *options).out)["separations"][0]["used_a"]
        for options in ((), ("--oov", "skip-word"), ("--oov", "skip-word", "--case", "keep"))
    ]
    assert used == [1, 2, 1]
    card = json.loads(medgauge(*arguments, "--tokenizer", "whitespace").out)["models"][0]
    assert card["tokenizer"] == "whitespace"


def test_a_table_of_term_vectors_and_gzipped_or_tabular_lists(medgauge, lists, tmp_path):
    made = some_vectors(*WORDS, dim=6)
    table = tmp_path / "table.parquet"
    pl.DataFrame({"term": list(made), "vector": [row.tolist() for row in made.values()]}).write_parquet(table)
    packed, rows = tmp_path / "heart.txt.gz", tmp_path / "vessels.csv"
    packed.write_bytes(gzip.compress(lists[1].read_bytes()))
    rows.write_text("id,term\n" + "".join(f"{word},{word}\n" for word in WORDS[10:20]))
    plain = medgauge("categories", *lists, "--model", table, "--json")
    other = medgauge("categories", "--close", packed, rows, *lists[3:], "--model", table, "--json")
    assert json.loads(plain.out) == json.loads(other.out)
    assert {one["measure"] for one in json.loads(plain.out)["separations"]} == {
        "cos",
        "pearson",
        "spearman",
        "kendall",
    }


def test_nothing_covered_is_undefined_with_a_warning(medgauge, vectors, lists):
    lists[4].write_text("unknown\nwords\n")
    done = medgauge("categories", *lists, "--model", vectors)
    assert done.code == 0
    assert "undefined" in done.out
    assert "10 × 10 × 0" in done.out
    assert done.err.strip() == (
        "warning: mine: the category overlap is undefined: no term of C can be compared"
    )


def test_the_confidence_is_in_the_table_and_in_json(medgauge, vectors, lists):
    arguments = ("categories", *lists, "--model", vectors, "--measure", "fj", "--confidence", "0.995")
    assert "In brackets: 99.5% intervals." in " ".join(medgauge(*arguments).out.split())
    assert json.loads(medgauge(*arguments, "--json").out)["separations"][0]["confidence"] == 0.995
    done = medgauge("categories", *lists, "--model", vectors, "--confidence", "95")
    assert (done.code, done.out) == (1, "")
    assert "the confidence must be between 0 and 1" in done.err


def test_bad_lists_are_one_sentence_that_repeats_no_term(medgauge, lists, tmp_path):
    bad = tmp_path / "bad.txt"
    for content, said in (
        (b"", "the file is empty"),
        (b"\n\n", "has no terms"),
        (b"secret\nna\x81ve\n", "line 2"),
        (b"secret\0\x01", "is not a text file"),
        (b"id,term\n1,secret\n2\n", "line 3"),
    ):
        bad.write_bytes(content)
        done = medgauge("categories", *lists[:4], bad, "--model", "levenshtein")
        assert (done.code, done.out) == (1, "")
        assert str(bad) in done.err
        assert said in done.err
        assert "secret" not in done.err
        assert len(done.err.strip().splitlines()) == 1
    missing = medgauge("categories", *lists[:4], tmp_path / "nowhere.txt", "--model", "levenshtein")
    assert (missing.code, "there is no such file" in missing.err) == (1, True)
    same = medgauge("categories", *lists[:4], lists[1], "--model", "levenshtein")
    assert same.code == 1
    assert "no term of the category A (heart) is left" in same.err


def test_what_is_needed_is_asked_for(medgauge, vectors, lists):
    assert medgauge("categories", *lists).code == 2
    assert medgauge("categories", "--close", lists[1], "--model", vectors).code == 2
    assert medgauge("categories", *lists[:3], "--model", vectors).code == 2


def test_two_models_of_one_name_are_refused(medgauge, vectors, lists):
    done = medgauge("categories", *lists, "--model", vectors, "--model", f"mine={vectors}")
    assert (done.code, "two models are called 'mine'" in done.err) == (1, True)


def test_the_column_of_terms_can_be_named(medgauge, tmp_path):
    files = []
    for name, terms in (
        ("a", ("Herz", "Herzinfarkt")),
        ("b", ("Herzklappe", "Haut")),
        ("c", ("Gicht", "Bein")),
    ):
        files.append(tmp_path / f"{name}.csv")
        files[-1].write_text("Nr;Begriff\n" + "".join(f"1;{term}\n" for term in terms))
    arguments = ("categories", "--close", *files[:2], "--distant", files[2], "--model", "levenshtein")
    done = medgauge(*arguments, "--term", "Begriff", "--json")
    assert done.code == 0, done.err
    assert [one["terms"] for one in json.loads(done.out)["categories"]] == [2, 2, 2]
