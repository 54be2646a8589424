"""Files of ratings: what is written is read again, with the scale where the form can hold it."""

import polars as pl
import pytest

from medgauge.errors import FileError, InputError
from medgauge.pairs import Card
from medgauge.ratings.source import read_ratings
from medgauge.ratings.storage import RATINGS_KEY, card_of_ratings, write_ratings

CARD = Card(name="Étude", title="Étude", scale=(0, 6), build={"study": {"protocol": "slider"}})
TABLE = pl.DataFrame(
    {
        "pair_id": ["1", "1"],
        "term_1": ["Ménière's disease"] * 2,
        "term_2": ["flu, asiatic"] * 2,
        "annotator": ["Ann", "Zoë"],
        "rating": ["3.5", "don't know"],
        "seconds": [1.5, None],
    }
)


def test_parquet_holds_the_card(tmp_path):
    path = tmp_path / "new" / "ratings.parquet"
    write_ratings(path, TABLE, CARD)
    assert card_of_ratings(path) == CARD
    found = read_ratings(path)
    assert (found.card, found.scale) == (CARD, (0, 6))
    assert found.annotators == ("Ann", "Zoë")
    assert read_ratings(path, scale=(0, 10)).scale == (0, 10)
    with pytest.raises(FileError, match=r"ratings\.parquet, row 1: the rating of column 'rating' is outside"):
        read_ratings(path, scale=(0, 3))
    assert pl.read_parquet(path).equals(TABLE)


def test_a_csv_has_the_table_alone(tmp_path):
    path = tmp_path / "ratings.csv"
    write_ratings(path, TABLE, CARD)
    assert card_of_ratings(path) is None
    found = read_ratings(path)
    assert (found.card.name, found.scale) == ("ratings", None)
    assert pl.read_csv(path, schema=TABLE.schema).equals(TABLE)


@pytest.mark.parametrize("name", ["ratings.tsv", "ratings", "ratings.csv.gz", "ratings.CSV"])
def test_other_forms_are_refused(tmp_path, name):
    with pytest.raises(InputError, match=r"ratings are written as \.parquet or \.csv"):
        write_ratings(tmp_path / name, TABLE, CARD)
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_card_is_told(tmp_path):
    TABLE.write_parquet(tmp_path / "ratings.parquet", metadata={RATINGS_KEY: '{"name": 7}'})
    with pytest.raises(FileError, match=r"ratings\.parquet: its card is damaged: name"):
        read_ratings(tmp_path / "ratings.parquet")


@pytest.mark.parametrize(
    ("labels", "scale", "verdicts"),
    [
        ([1, 0], None, True),
        ([1, None], None, True),
        ([None, None], None, False),
        ([1, 0], (0, 1), True),
        ([1, 0], (0, 3), False),
    ],
)
def test_0_and_1_are_verdicts_beside_labels_unless_the_scale_is_wider(labels, scale, verdicts):
    frame = pl.DataFrame({"label": pl.Series(labels, dtype=pl.Int8), "rater_A": [0, 1], "rater_B": [1, 1]})
    assert read_ratings(frame, scale=scale).verdicts == verdicts


def test_a_csv_of_ratings_is_safe_in_spreadsheets_and_read_back_exactly(tmp_path):
    terms = ["=1+1", "-OH", "@x", "'-OH", "flu"]
    table = pl.DataFrame(
        {
            "pair_id": [str(number) for number in range(5)],
            "term_1": terms,
            "term_2": ["+a"] * 5,
            "annotator": ["Ada"] * 5,
            "rating": ["-1", "2", "3", "-0.5", "1"],
        }
    )
    path = tmp_path / "ratings.csv"
    write_ratings(path, table, Card(name="x", title="X"), bom=True)
    written = path.read_text("utf-8")
    assert written.startswith("\ufeffpair_id,")
    assert "'=1+1,'+a,Ada,-1\n" in written
    ratings = read_ratings(path, scale=(-3, 3))
    assert ratings.pairs["term_1"].to_list() == terms
    assert ratings.values[:, 0].tolist() == [-1, 2, 3, -0.5, 1]
    write_ratings(tmp_path / "ratings.parquet", table, Card(name="x", title="X"))
    assert pl.read_parquet(tmp_path / "ratings.parquet")["term_1"].to_list() == terms
