import json

from tests.support.concept_tables import as_cui2vec
from tests.vectors import some_vectors, write_binary, write_text


def test_the_list_has_the_baselines_and_the_papers_embeddings(medgauge):
    out = medgauge("models").out
    for name in (
        "levenshtein",
        "token-jaccard",
        "char-tfidf",
        "random",
        "bionlp-pmc",
        "mesh-intr",
        "paragram-cf",
    ):
        assert name in out
    listed = json.loads(medgauge("models", "--json").out)
    assert len(listed["built_in"]) == 4
    assert sum("A.1" in entry["compared_in"] for entry in listed["published"]) == 17


def test_info_shows_format_size_dimension_and_coverage(medgauge, real_data):
    vectors = real_data("vectors/biomed-sg-w5.bin")
    described = json.loads(medgauge("models", "info", vectors, "--json").out)
    assert (described["format"], described["vectors"], described["dim"]) == ("word2vec binary", 77783, 100)
    coverage = {entry["dataset"]: entry for entry in described["coverage"]}
    assert coverage["ehr-rel-b"]["covered_pairs"] == 3076
    out = medgauge("models", "info", vectors).out
    assert "77,783" in out
    assert "3076/3630" in out


def test_missing_words_are_on_the_screen_and_not_in_the_json(medgauge, real_data):
    vectors = real_data("vectors/biomed-sg-w5.bin")
    assert "Plavix (8)" in medgauge("models", "info", vectors).out
    described = json.loads(medgauge("models", "info", vectors, "--json").out)
    assert "missing" not in described["coverage"][0]


def test_info_without_any_set_says_how_to_get_them(medgauge, tmp_path):
    done = medgauge("models", "info", write_binary(tmp_path / "v.bin", some_vectors("a", "b")))
    assert "medgauge datasets fetch --all" in " ".join(done.out.split())


def test_info_of_a_published_embedding_shows_its_licence(medgauge):
    out = " ".join(medgauge("models", "info", "aueb400").out.split())
    assert "CC BY-NC-SA 4.0" in out
    assert "400" in out


def test_overlap_is_the_share_of_the_columns_words_in_the_row(medgauge, tmp_path):
    one = write_binary(tmp_path / "one.bin", some_vectors("a", "b", "c", "d"))
    two = write_text(tmp_path / "two.txt", some_vectors("c", "d", "e"))
    found = json.loads(medgauge("models", "overlap", one, two, "--json").out)
    assert found == {
        "words": {"one": 4, "two": 3},
        "overlap": {"one": {"two": 2 / 3}, "two": {"one": 0.5}},
    }
    assert "66.67%" in medgauge("models", "overlap", one, two).out


def test_overlap_needs_two_files_and_two_names(medgauge, tmp_path):
    one = write_binary(tmp_path / "one.bin", some_vectors("a", "b"))
    alone = medgauge("models", "overlap", one)
    assert (alone.code, "at least two files" in alone.err) == (2, True)
    assert "rename one of them (NAME=FILE)" in medgauge("models", "overlap", one, one).err
    assert "100.00%" in medgauge("models", "overlap", one, f"two={one}").out


def test_info_of_a_concept_table_shows_its_keys_and_the_sets_that_have_such(medgauge, tmp_path, real_data):
    for name in ("EHR-RelB.tsv", "SimLex-999.txt"):
        real_data(f"published/{name}")
    table = tmp_path / "c.csv"
    table.write_bytes(as_cui2vec(some_vectors("C0024117", "C0238074", "C0262578", dim=3)))
    done = medgauge("models", "info", f"concepts:{table}", "--json")
    described = json.loads(done.out)
    assert described["file"] == str(table)
    assert (described["keys"], described["vectors"], described["dim"]) == ("cui", 3, 3)
    assert described["format"] == "concept vectors (CSV)"
    assert "its keys look like CUIs" in done.err
    coverage = {entry["dataset"]: entry for entry in described["coverage"]}
    assert "simlex-999" in described["without_keys"]
    assert "simlex-999" not in coverage
    entry = coverage["ehr-rel-b"]
    assert (entry["covered_terms"], entry["without_key"], entry["pairs"]) == (3, 405, 3630)
    out = medgauge("models", "info", f"concepts:{table}").out
    assert "concepts" in out
    assert "Sets without such keys: " in out
    assert "Terms whose concept has no vector" in out
    assert "In brackets: the pairs with the term." in out
    by_id = json.loads(medgauge("models", "info", f"concepts:{table}?keys=id", "--json").out)
    assert {entry["dataset"] for entry in by_id["coverage"]} <= {"ehr-rel-a", "ehr-rel-b"}
    assert all(entry["covered_terms"] == 0 for entry in by_id["coverage"])


def test_info_of_a_baseline_says_what_it_is(medgauge):
    done = medgauge("models", "info", "levenshtein")
    assert (done.code, "is a built-in baseline" in done.err) == (1, True)
