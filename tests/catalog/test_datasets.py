import gzip
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from medgauge.catalog import datasets
from medgauge.catalog.cards import NAMES, published_sets
from medgauge.catalog.datasets import datasets_here, load_dataset, load_pairs
from medgauge.errors import (
    CoverageWarning,
    DigestError,
    FileError,
    InputError,
    MedgaugeError,
    MedgaugeWarning,
    UnknownNameError,
)
from medgauge.pairs import Card, Pairs, PairSet
from tests.support.packing import zstd_packed
from tests.support.workbooks import write_xlsx

CARD = Card(name="small", title="Small", licence="CC0-1.0")


def _small() -> PairSet:
    return PairSet.of([("angina", "chest pain", 3.5), ("fever", "fracture", 0.0)], card=CARD)


@pytest.fixture
def csv(tmp_path) -> Path:
    path = tmp_path / "mine.csv"
    path.write_text("word1,word2,score\nangina,chest pain,3.5\nfever,fracture,0\n")
    return path


@pytest.fixture
def data(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("MEDGAUGE_DATA", str(tmp_path / "data"))
    (tmp_path / "data" / "published").mkdir(parents=True)
    return tmp_path / "data"


@pytest.mark.parametrize("kind", [str, Path])
def test_a_table_is_loaded_by_its_path(csv, kind):
    pairs = load_dataset(kind(csv))
    assert_frame_equal(pairs.frame, _small().frame)
    assert (pairs.card.name, pairs.card.source, pairs.card.licence) == ("mine", "mine.csv", "not known")


@pytest.mark.parametrize("name", ["v1.2.tsv.gz", "v1.2.csv"])
def test_a_set_is_named_after_its_file(tmp_path, name):
    path = tmp_path / name
    text = b"term_1\tterm_2\tgold\na\tb\t1.5\n"
    path.write_bytes(gzip.compress(text) if name.endswith("gz") else text)
    assert load_dataset(path).card.name == "v1.2"


def test_a_saved_set_is_loaded_with_its_card(tmp_path):
    _small().save(tmp_path / "set" / "small.parquet")
    for source in (tmp_path / "set", tmp_path / "set" / "small.parquet"):
        pairs = load_dataset(source)
        assert_frame_equal(pairs.frame, _small().frame)
        assert pairs.card == CARD


def test_a_folder_is_loaded_although_its_name_has_a_dot(tmp_path):
    _small().save(tmp_path / "set.v1" / "small.parquet")
    assert load_dataset(tmp_path / "set.v1").card == CARD


@pytest.mark.parametrize(
    ("count", "problem"),
    [(0, "is a folder without sets"), (2, "is a folder of 2 sets; give the file of one")],
)
def test_a_folder_with_another_number_of_sets_than_one_is_refused(tmp_path, count, problem):
    for number in range(count):
        _small().frame.write_parquet(tmp_path / f"{number}.parquet")
    with pytest.raises(FileError, match=problem):
        load_dataset(tmp_path)


@pytest.mark.parametrize("form", ["parquet", "tsv"])
def test_a_folder_stands_for_its_sets_that_have_pairs_to_tell_apart(form, tmp_path):
    rows = {"both": [1, 0], "one": [1, 1], "none": []}
    for name, labels in rows.items():
        frame = pl.DataFrame(
            {"term_1": ["flu"] * len(labels), "term_2": ["cold"] * len(labels), "label": labels},
            {"term_1": pl.String, "term_2": pl.String, "label": pl.Int8},
        )
        pairs = PairSet(
            frame.with_row_index("pair_id").cast({"pair_id": pl.String}), Card(name=name, title=name)
        )
        if form == "parquet":
            pairs.save(tmp_path / f"{name}.parquet")
        else:
            pairs.frame.write_csv(tmp_path / f"{name}.tsv", separator="\t")
    with pytest.warns(CoverageWarning, match="are left out: none, one$"):
        (found,) = load_pairs([tmp_path])
    assert found.card.name == "both"


def test_a_folder_does_not_hide_a_published_set_of_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ehr-rel-a").mkdir()
    monkeypatch.setenv("MEDGAUGE_DATA", str(tmp_path))
    with pytest.raises(MedgaugeError, match="fetch"):
        load_pairs(["ehr-rel-a"])


def test_a_parquet_table_without_a_card_is_read_by_its_columns(tmp_path):
    path = tmp_path / "bare.parquet"
    pl.DataFrame({"word1": ["angina"], "word2": ["chest pain"], "mine": [3.5]}).write_parquet(path)
    assert load_dataset(path, gold="mine").frame.row(0) == ("1", "angina", "chest pain", 3.5)


def test_a_saved_set_that_is_cut_off_is_named(tmp_path):
    path = tmp_path / "small.parquet"
    _small().save(path)
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(FileError, match=r"small\.parquet: cannot be read as Parquet"):
        load_dataset(path)


def test_columns_can_be_given(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("left,right,close\na,b,1\nc,d,1\n")
    pairs = load_dataset(path, term_1="right", term_2="left", label="close")
    assert pairs.frame.rows() == [("1", "b", "a", 1), ("2", "d", "c", 1)]


def test_a_file_without_a_header_has_terms_and_gold_in_its_first_three_columns(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("angina\tchest pain\t3.5\tN\n")
    frame = load_dataset(path, header=False).frame
    assert frame.select("pair_id", "term_1", "term_2", "gold", "4").row(0) == (
        "1",
        "angina",
        "chest pain",
        3.5,
        "N",
    )


def test_a_file_without_a_header_may_have_its_gold_or_label_elsewhere(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("x\ta\tb\t1\ny\tc\td\t1\n")
    graded = load_dataset(path, header=False, term_1="2", term_2="3", gold="4")
    labelled = load_dataset(path, header=False, term_1="2", term_2="3", label="4")
    assert graded.frame["gold"].to_list() == [1.0, 1.0]
    assert labelled.frame["label"].to_list() == [1, 1]
    assert graded.terms == labelled.terms == ["a", "b", "c", "d"]


def test_a_header_read_as_a_pair_is_an_error_at_line_1(csv):
    with pytest.raises(FileError, match=r"mine\.csv, line 1: the value of column '3' is not a number"):
        load_dataset(csv, header=False)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(FileError, match=r"nowhere\.csv: there is no such file"):
        load_dataset(tmp_path / "nowhere.csv")


def test_an_empty_file_is_named(tmp_path):
    (tmp_path / "empty.csv").touch()
    with pytest.raises(FileError, match=r"empty\.csv: the file is empty"):
        load_dataset(tmp_path / "empty.csv")


def test_an_unknown_name_suggests_the_closest_set():
    with pytest.raises(
        UnknownNameError, match=r"there is no dataset .* 'bio-simlx'; did you mean 'bio-simlex'"
    ):
        load_dataset("bio-simlx")


def test_an_unknown_name_that_resembles_none_lists_the_sets():
    with pytest.raises(UnknownNameError, match=r"choose from: hliaoutakis, .*, simverb-3500"):
        load_dataset("zzz")


def test_a_published_name_that_is_not_here_says_how_to_get_it(data):
    with pytest.raises(InputError, match="run 'medgauge datasets fetch mayosrs'"):
        load_dataset("mayosrs")


def test_a_published_name_is_verified_when_loaded(data):
    (data / "published" / "MayoSRS_mesh.csv").write_text("TERM1,TERM2,Mean\na,b,1\n")
    with pytest.raises(DigestError):
        load_dataset("mayosrs")


def test_a_published_set_is_loaded_by_its_name(real_data):
    real_data("published/EHR-RelB.tsv")
    pairs = load_dataset("ehr-rel-b")
    assert (len(pairs), pairs.card.name, pairs.card.scale) == (3630, "ehr-rel-b", (0, 3))
    assert pairs.frame.select("term_1", "term_2", "gold", "id_1", "rater_A", "rater_C").row(0) == (
        "Chronic obstructive lung disease",
        "Chronic cor pulmonale",
        2.0,
        "13645005",
        None,
        3.0,
    )


def test_a_published_file_is_also_read_by_its_path_and_header(real_data):
    path = real_data("published/EHR-RelB.tsv")
    assert load_dataset(path).digest == load_dataset("ehr-rel-b").digest


def test_all_stands_for_the_sets_whose_files_are_here(data):
    for name in ("MiniMayoSRS_mesh.csv", "EHR-RelB.tsv"):
        (data / "published" / name).touch()
    assert datasets_here() == ["minimayosrs-physicians", "minimayosrs-coders", "minimayosrs", "ehr-rel-b"]


def test_all_where_nothing_is_here_says_what_to_do(data):
    with pytest.raises(
        InputError, match="no published set is on this machine: run 'medgauge datasets fetch --all'"
    ):
        load_pairs(["all"])


def test_all_with_the_whole_data_is_every_set(real_data):
    for entry in published_sets().values():
        real_data(f"published/{entry.file.name}")
    assert [pairs.card.name for pairs in load_pairs(["all"])] == list(NAMES)


@pytest.mark.parametrize("form", ["csv", "tsv", "parquet"])
def test_a_table_of_terms_needs_no_scores(tmp_path, form):
    frame = pl.DataFrame({"Word 1": ["Fièvre", "flu"], "WORD-2": ["fever", "B-cell"], "Pair_ID": ["a", "b"]})
    path = tmp_path / f"pairs.{form}"
    if form == "parquet":
        frame.write_parquet(path)
    else:
        frame.write_csv(path, separator="\t" if form == "tsv" else ",")
    (pairs,) = load_pairs([str(path)])
    assert pairs.card.name == "pairs"
    assert type(pairs) is Pairs
    assert pairs.frame.rows() == [("a", "Fièvre", "fever"), ("b", "flu", "B-cell")]


def test_load_pairs_reads_sets_as_load_dataset_does(tmp_path):
    (tmp_path / "graded.csv").write_text("term_1,term_2,score\nflu,influenza,2.5\n")
    (tmp_path / "labelled.csv").write_text("term_1,term_2,label\nflu,influenza,1\n")
    saved = PairSet.of([("a", "b", 1.0)], card=Card(name="mine", title="Mine"))
    saved.save(tmp_path / "set" / "mine.parquet")
    for name in ("graded.csv", "labelled.csv", "set/mine.parquet", "set"):
        (pairs,) = load_pairs([tmp_path / name])
        expected = load_dataset(tmp_path / name)
        assert pairs.frame.equals(expected.frame)
        assert pairs.card == expected.card


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (
            "flu,influenza\ngout,asthma\n",
            "found no column for term_1 among the 2 columns of the first line",
        ),
        ("term_1,other\nflu,influenza\n", "found no column for term_2 among term_1, other"),
        ("term_1,term_2\nflu, \n", "line 2: the term in column 'term_2' is blank"),
        ("term_1,term_2\n", "has a header but no pairs"),
        ("term_1,term_2\nflu\n", "line 2: the row has 1 fields, but 2 are expected"),
        ("pair_id,term_1,term_2\n1,flu,b\n1,gout,c\n", "line 3: the pair_id is repeated"),
        ("term_1,term_2,score\nflu,influenza,high\n", "line 2: the value of column 'score' is not a number"),
    ],
)
def test_a_table_that_cannot_be_used_is_refused_with_the_place(tmp_path, content, problem):
    path = tmp_path / "pairs.csv"
    path.write_text(content)
    with pytest.raises(FileError, match=problem) as caught:
        load_pairs([path])
    assert "flu" not in str(caught.value)


def test_what_is_not_there_is_named():
    with pytest.raises(UnknownNameError, match="did you mean 'ehr-rel-b'"):
        load_pairs(["ehr-rel-c"])
    with pytest.raises(FileError, match="there is no such file"):
        load_pairs(["pairs.csv"])


def test_all_names_are_checked_before_any_file_is_read(tmp_path, monkeypatch):
    (tmp_path / "mine.csv").write_text("term_1,term_2,score\nflu,influenza,2.5\n")
    monkeypatch.setattr(datasets, "read_table", lambda *_, **__: pytest.fail("a file was read"))
    with pytest.raises(UnknownNameError, match="did you mean 'ehr-rel-b'"):
        load_pairs([tmp_path / "mine.csv", "ehr-rel-c"])


def test_load_dataset_refuses_pairs_without_gold(tmp_path):
    (tmp_path / "mine.csv").write_text("term_1,term_2,other\nflu,influenza,x\n")
    with pytest.raises(InputError, match=r"mine\.csv has no column of gold scores or labels: name it"):
        load_dataset(tmp_path / "mine.csv")


def test_a_published_set_is_found_in_any_case_unless_a_file_has_the_name(real_data, tmp_path, monkeypatch):
    real_data("published/MayoSRS_mesh.csv")
    monkeypatch.chdir(tmp_path)
    assert load_dataset("MayoSRS").card.name == "mayosrs"
    assert [pairs.card.name for pairs in load_pairs(["mayosrs", "MAYOSRS"])] == ["mayosrs"]
    (tmp_path / "MayoSRS").write_text("term_1,term_2,gold\na,b,1\n")
    assert len(load_dataset("MayoSRS")) == 1


def test_a_set_has_the_language_that_is_given_or_none(tmp_path):
    path = tmp_path / "paare.csv"
    path.write_text("term_1,term_2,gold\nHerz,Hirn,1.5\n")
    assert load_dataset(path).card.language is None
    assert load_dataset(path, language="de").card.language == "de"
    assert (
        load_dataset({"term_1": ["Herz"], "term_2": ["Hirn"], "gold": [1.5]}, language="de").card.language
        == "de"
    )


@pytest.mark.parametrize("name", ["paare.xlsx", "paare.csv.gz", "paare.csv.zst", "paare.txt"])
def test_a_set_is_named_after_the_file_that_was_chosen(tmp_path, name):
    path = tmp_path / name
    text = b"term_1,term_2,gold\nHerz,Hirn,1.5\n"
    if name.endswith("xlsx"):
        write_xlsx(path, {"Tabelle1": [["term_1", "term_2", "gold"], ["Herz", "Hirn", 1.5]]})
    else:
        pack = {"gz": gzip.compress, "zst": zstd_packed}.get(name[-3:].lstrip("."), bytes)
        path.write_bytes(pack(text))
    pairs = load_dataset(path)
    assert (pairs.card.name, pairs.card.source, pairs.gold.tolist()) == ("paare", name, [1.5])


def test_a_german_spreadsheet_is_read_without_options(tmp_path):
    rows = [
        ["Begriff 1", "Begriff 2", "Mittelwert (0–10)"],
        ["Übelkeit", "Brechreiz", 8.25],
        ["Gicht", "Fieber", 1],
    ]
    pairs = load_dataset(write_xlsx(tmp_path / "paare.xlsx", {"Tabelle1": rows}))
    assert pairs.frame.rows() == [("1", "Übelkeit", "Brechreiz", 8.25), ("2", "Gicht", "Fieber", 1.0)]


def test_the_same_german_table_as_excel_saves_it_in_each_form_is_the_same_set(tmp_path):
    text = "Begriff 1;Begriff 2;Mittelwert\r\nÜbelkeit;Brechreiz – häufig;8,25\r\nGicht;Fieber;1\r\n"
    (tmp_path / "csv.csv").write_bytes(text.encode("cp1252"))
    (tmp_path / "utf8.csv").write_bytes(text.encode("utf-8-sig"))
    (tmp_path / "unicode.txt").write_bytes(text.replace(";", "\t").encode("utf-16"))
    (tmp_path / "mac.csv").write_bytes(text.replace("\r\n", "\r").encode())
    with pytest.warns(MedgaugeWarning, match="csv.csv: not UTF-8; read as Windows-1252"):
        digests = {load_dataset(path).digest for path in sorted(tmp_path.iterdir())}
    assert len(digests) == 1


def test_a_set_without_pairs_is_named_by_its_file(tmp_path):
    path = tmp_path / "none.parquet"
    PairSet.of([], card=Card(name="pairs", title="Pairs")).save(path)
    for load in (load_dataset, lambda one: load_pairs([one], needs_gold=True)):
        with pytest.raises(FileError, match=r"none\.parquet: the set has no pairs"):
            load(path)
