import polars as pl
import pytest

from medgauge.catalog.datasets import load_pairs
from medgauge.errors import FileError, InputError
from medgauge.mapping.given_ids import given_ids
from tests.support.workbooks import write_xlsx


@pytest.fixture
def ids(tmp_path):
    def ids(text: str, kind="id", name="ids.csv", **options):
        path = tmp_path / name
        path.write_text(text, "utf-8")
        found = given_ids(path, kind, **options)
        return list(found.ids), found.names

    return ids


@pytest.mark.parametrize(
    "text",
    [
        "22298006\n386661006\n\n22298006\n",
        "id\n22298006\n386661006\n",
        "SCTID\n22298006\n386661006\n",
        "note\tcode\nx\t22298006\ny\t386661006\n",
        "term_1,term_2,snomed_id_1,id_2\na,b,22298006,386661006\n",
    ],
)
def test_ids_are_one_a_line_or_in_a_column_or_those_of_a_set(ids, text):
    assert ids(text)[0] == ["22298006", "386661006"]


def test_the_column_may_be_named(ids):
    assert ids("a,b\n1,2\n3,4\n", column="b")[0] == ["2", "4"]
    with pytest.raises(FileError, match="there is no column 'c'"):
        ids("a,b\n1,2\n", column="c")
    with pytest.raises(FileError, match="has 2 columns, and it is not known which holds ids"):
        ids("a,b\n1,2\n")


def test_the_terms_of_a_set_and_of_a_table_are_kept_as_names(ids):
    assert ids("term_1,term_2,cui_1,cui_2\na,b,C1,C2\nc,b,C1,\n", "cui")[1] == {"C1": {"a", "c"}, "C2": {"b"}}
    assert ids("cui,term\nC1,a\nC1,\n", "cui")[1] == {"C1": {"a"}}


def test_a_set_without_ids_is_one_sentence(ids, tmp_path):
    with pytest.raises(FileError, match="has no ids to map: it needs the columns id_1 and id_2"):
        ids("term_1,term_2,gold\na,b,1\n")
    pairs = load_pairs([tmp_path / "ids.csv"])[0]
    with pytest.raises(InputError, match=r"the set 'ids' has no ids to map: it needs .* cui_1 and cui_2"):
        given_ids(pairs, "cui")
    pairs.save(tmp_path / "set.parquet")
    with pytest.raises(InputError, match="the set 'ids' has no ids to map"):
        given_ids(tmp_path / "set.parquet")
    with pytest.raises(FileError, match="has no ids"):
        ids("id\n\n")


def test_numbers_are_ids_if_they_have_all_of_their_digits(tmp_path):
    path = write_xlsx(tmp_path / "ids.xlsx", {"s": [["id"], [22298006], ["900000000000207008"]]})
    assert list(given_ids(path).ids) == ["22298006", "900000000000207008"]
    pl.DataFrame({"id": [22298006.0, None]}).write_parquet(tmp_path / "ids.parquet")
    assert list(given_ids(tmp_path / "ids.parquet").ids) == ["22298006"]
    pl.DataFrame({"id": [22298006.0, 900000000000207008.0]}).write_parquet(tmp_path / "ids.parquet")
    with pytest.raises(FileError, match=r"row 2: .* is a number that may have lost digits"):
        given_ids(tmp_path / "ids.parquet")


def test_a_list_must_be_of_text():
    with pytest.raises(InputError, match="id 2 of the list is int, not text"):
        given_ids(["1", 2])
    with pytest.raises(InputError, match="id 1 of the list is not one id"):
        given_ids(["1\n2"])


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(FileError, match="there is no such file"):
        given_ids(tmp_path / "nowhere.txt")


def test_a_misspelled_set_is_guessed():
    with pytest.raises(InputError, match=r"no dataset \(or file\) 'ehr-rel-bb'; did you mean 'ehr-rel-b'\?"):
        given_ids("ehr-rel-bb")
