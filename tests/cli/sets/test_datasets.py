import json

import pytest

from medgauge.catalog.cards import NAMES


def test_the_list_shows_every_set_with_size_kind_scale_and_multi_word_shares(medgauge):
    done = medgauge("datasets")
    for name in NAMES:
        assert name in done.out
    row = next(line.split() for line in done.out.splitlines() if line.startswith("ehr-rel-b "))
    assert row == ["ehr-rel-b", "relatedness", "–", "3630", "0–3", "88%", "89%"]


def test_the_list_says_what_is_here(medgauge, real_data):
    real_data("published/EHR-RelB.tsv")
    row = next(
        line.split() for line in medgauge("datasets").out.splitlines() if line.startswith("ehr-rel-b ")
    )
    assert row[2] == "here"
    entries = json.loads(medgauge("datasets", "--json").out)
    assert [entry["name"] for entry in entries] == list(NAMES)
    assert entries[12]["here"].endswith("EHR-RelB.tsv")


def test_info_shows_licence_citation_source_and_digest(medgauge):
    out = " ".join(medgauge("datasets", "info", "bio-simverb").out.split())
    for text in ("licence not stated", "Chiu, B.", "raw.githubusercontent.com", "ffe5a7472270", "0 to 10"):
        assert text in out
    assert json.loads(medgauge("datasets", "info", "minimayosrs", "--json").out)["columns"]["gold"] == [
        "Physicians",
        "Coders",
    ]


def test_info_of_an_unknown_set_suggests_one(medgauge):
    done = medgauge("datasets", "info", "ehr-rel")
    assert (done.code, done.out) == (1, "")
    assert "did you mean 'ehr-rel-" in done.err


def test_info_describes_a_file_of_pairs_that_has_no_gold_yet(medgauge, tmp_path):
    (tmp_path / "mine.csv").write_text("term_1,term_2\nflu,influenza\nflu,fracture\n")
    described = json.loads(medgauge("datasets", "info", tmp_path / "mine.csv", "--json").out)
    assert (described["name"], described["pairs"], described["gold"]) == ("mine", "2", "none yet")
    done = medgauge("evaluate", "--model", "levenshtein", "--dataset", tmp_path / "mine.csv")
    assert done.code == 1
    assert "mine.csv has no column of gold scores or labels: name it with --gold COLUMN" in done.err


def test_fetch_from_a_folder_brings_the_files_and_verifies_them(medgauge, real_data, monkeypatch, tmp_path):
    source = real_data("published/EHR-RelB.tsv").parent
    monkeypatch.setenv("MEDGAUGE_DATA", str(tmp_path / "mine"))
    done = medgauge("datasets", "fetch", "--all", "--from", source)
    assert done.code == 0, done.err
    assert len(list((tmp_path / "mine" / "published").iterdir())) == 13
    again = medgauge("datasets", "fetch", "ehr-rel-b", "--from", source)
    assert "already here" in again.err


def test_a_changed_file_is_refused_and_nothing_is_left(medgauge, monkeypatch, tmp_path):
    folder = tmp_path / "changed"
    folder.mkdir()
    (folder / "EHR-RelB.tsv").write_text("snomed_id_1\n")
    monkeypatch.setenv("MEDGAUGE_DATA", str(tmp_path / "mine"))
    done = medgauge("datasets", "fetch", "ehr-rel-b", "--from", folder)
    assert done.code == 1
    assert "expected SHA-256 f27d4aedbbf95f5a" in done.err
    assert not list((tmp_path / "mine").rglob("*.*"))


@pytest.mark.parametrize("arguments", [(), ("ehr-rel-b", "--all")])
def test_fetch_wants_names_or_all(medgauge, arguments):
    done = medgauge("datasets", "fetch", *arguments)
    assert done.code == 2
    assert "either names of sets or --all" in done.err


def test_one_bad_file_does_not_keep_the_others_from_coming(medgauge, real_data, monkeypatch, tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    (source / "EHR-RelA.tsv").write_bytes(real_data("published/EHR-RelA.tsv").read_bytes())
    (source / "Bio-SimLex.txt").write_text("changed")
    monkeypatch.setenv("MEDGAUGE_DATA", str(tmp_path / "mine"))
    done = medgauge("datasets", "fetch", "bio-simlex", "ehr-rel-a", "--from", source)
    assert done.code == 1
    assert "expected SHA-256" in done.err
    assert [path.name for path in (tmp_path / "mine" / "published").iterdir()] == ["EHR-RelA.tsv"]


def test_a_path_in_info_can_be_copied_whole_on_a_narrow_terminal(medgauge, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    out = medgauge("datasets", "info", "ehr-rel-b").out
    assert "…" not in out
    assert "f27d4aedbbf95f5aad6eb42f9a1687d7d30c42a914014187bbc9ec1090cf172d" in "".join(out.split())


def test_info_says_from_which_columns_a_file_was_read(medgauge, tmp_path):
    path = tmp_path / "paare.csv"
    path.write_text("links;rechts;Mittelwert;Wert\nHerz;Hirn;1,5;2\n")
    done = medgauge("datasets", "info", path, "--term-1", "links", "--term-2", "rechts", "--json")
    assert done.code == 0, done.err
    assert json.loads(done.out)["read from columns"] == "links (term_1), rechts (term_2), Mittelwert (gold)"
    assert done.err.strip() == f"{path}: gold from 'Mittelwert'"


def test_a_folder_of_several_sets_is_not_described_as_one(medgauge, tmp_path):
    for name in ("one.tsv", "two.tsv"):
        (tmp_path / name).write_text("term_1\tterm_2\tgold\nflu\tcold\t1\ngout\tcold\t2\n")
    done = medgauge("datasets", "info", tmp_path)
    assert (done.code, done.err) == (
        1,
        f"medgauge: {tmp_path}: is a folder of 2 sets; give the file of one set\n",
    )


def test_a_published_set_is_described_in_any_case(medgauge):
    assert medgauge("datasets", "info", "UMNSRS-Sim").out == medgauge("datasets", "info", "umnsrs-sim").out
