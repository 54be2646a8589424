import json

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
