import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from medgauge.errors import FileError
from medgauge.ratings.ratings import Ratings
from medgauge.ratings.source import read_ratings
from tests.ratings.small import assert_same, values

NAN = float("nan")


@pytest.mark.parametrize(
    "word",
    ["don't know", "Don’t Know", "DONT_KNOW", "dont-know", " dk ", "DK", "unclear", "Unsure", "?", " ? "],
)
def test_words_for_it_are_no_ratings(read, word):
    ratings = read(f"rater_A,rater_B\n1,{word}\n")
    assert values(ratings) == [[1, None]]
    assert ratings.unsure.tolist() == [[False, True]]
    assert not ratings.verdicts


@pytest.mark.parametrize("blank", ["", "  ", "NA", "nan", "NULL", "none"])
def test_blank_cells_are_not_rated(read, blank):
    ratings = read(f"rater_A,rater_B\n1,{blank}\n")
    assert values(ratings) == [[1, None]]
    assert not ratings.unsure.any()


@pytest.mark.parametrize("cell", ["-1", "-1.0", " -1 ", "99"])
def test_numbers_may_stand_for_no_rating(read, cell):
    ratings = read(f"rater_A,rater_B\n1,{cell}\n", not_rated=[-1, 99], scale=(0, 3))
    assert values(ratings) == [[1, None]]


@pytest.mark.parametrize(("cell", "value"), [("3", 3), (" 0.5 ", 0.5), ("1e-3", 0.001), ("-2", -2)])
def test_numbers_are_read_in_their_usual_forms(read, cell, value):
    assert values(read(f"rater_A\n{cell}\n")) == [[value]]


@pytest.mark.parametrize("cell", ["hoch", "inf", "-inf", "1_000", '"1.000,5"', "+nan", "--", "é", "same"])
def test_what_is_no_number_is_an_error_that_names_its_place_and_not_the_value(read, cell):
    with pytest.raises(FileError, match=r"mine\.csv, line 3: the value of column 'rater_B' is not a number$"):
        read(f"rater_A,rater_B\n1,2\n1,{cell}\n{cell},{cell}\n")


def test_text_alone_is_no_number(read):
    with pytest.raises(FileError, match=r"line 2: the value of column 'rater_A' is not a number"):
        read("rater_A\nperhaps\n")


@pytest.mark.parametrize(
    ("same", "different"),
    [("same", "not same"), ("SAME", "Not_Same"), ("yes", "no"), ("True", "FALSE"), ("Same", "notsame")],
)
def test_words_for_verdicts_are_1_and_0(read, same, different):
    ratings = read(f"rater_A,rater_B,rater_C\n{same},{different},\n{different},don't know,different\n")
    assert ratings.verdicts
    assert values(ratings) == [[1, 0, None], [0, None, 0]]
    assert ratings.unsure.tolist() == [[False] * 3, [False, True, False]]


def test_a_verdict_that_comes_before_the_first_number_is_the_error(read):
    with pytest.raises(FileError, match=r"line 2: the value of column 'rater_B' is not a number"):
        read("rater_A,rater_B\n,same\n1,0\n")


def test_a_misspelt_verdict_is_told_what_verdicts_are(read):
    with pytest.raises(
        FileError, match=r"line 3: .* 'rater_A' is not a verdict .same, not same or don't know"
    ):
        read("rater_A\nsame\nsmae\n")


def test_numbers_are_verdicts_beside_labels(read):
    assert read("label,rater_A,rater_B\n1,1,0\n0,0,?\n").verdicts
    assert not read("label,rater_A,rater_B\n1,1,0\n0,0,2\n").verdicts
    assert not read("set,rater_A,rater_B\nx,1,0\ny,0,\n").verdicts


def test_a_table_without_any_rating_has_no_verdicts(read):
    ratings = read("label,rater_A\n1,\n0,dk\n")
    assert not ratings.verdicts
    assert values(ratings) == [[None], [None]]


def test_columns_of_a_frame_may_have_any_type():
    frame = pl.DataFrame(
        {"rater_A": [1, None], "rater_B": [0.5, NAN], "rater_C": ["2", "unsure"], "rater_D": [None, None]}
    )
    ratings = read_ratings(frame)
    assert values(ratings) == [[1, 0.5, 2, None], [None, None, None, None]]
    assert ratings.unsure.tolist() == [[False] * 4, [False, False, True, False]]


def test_booleans_are_verdicts():
    ratings = read_ratings(pl.DataFrame({"rater_A": [True, None], "rater_B": [False, True]}))
    assert ratings.verdicts
    assert values(ratings) == [[1, 0], [None, 1]]


@pytest.mark.parametrize("cells", [[[1.0], [2.0]], [float("inf"), 1.0]])
def test_other_values_of_a_frame_are_named_by_their_row(cells):
    with pytest.raises(FileError, match=r"the frame, row 1: the value of column 'rater_A' is not a number"):
        read_ratings(pl.DataFrame({"rater_A": cells, "rater_B": [1, 1]}))


def test_a_rating_outside_is_an_error_that_names_its_place(read):
    problem = "the rating of column 'rater_B' is outside the scale 0 to 3"
    for cell in ("4", "-1", "3.01"):
        with pytest.raises(FileError, match=rf"mine\.csv, line 3: {problem}"):
            read(f"rater_A,rater_B\n0,3\n3,{cell}\n", scale=(0, 3))
    assert read("rater_A,rater_B\n0,3\n", scale=(0, 3)).scale == (0, 3)


def test_a_rating_of_a_long_table_outside_is_an_error_that_names_its_line(read):
    with pytest.raises(FileError, match=r"line 3: the rating of column 'score' is outside the scale 0.5 t"):
        read("pair,user,score\n1,A,1\n1,B,0\n", scale=(0.5, 1))


FLOATS = st.one_of(
    st.sampled_from([0.0, 1.0, 2.5, -1.0, -0.0, NAN, None, float("inf"), 1e300, 0.1]), st.floats(width=32)
)
KINDS = {
    pl.Float64: FLOATS,
    pl.Float32: FLOATS.filter(lambda value: value != 1e300),
    pl.Int8: st.one_of(st.none(), st.integers(-128, 127)),
    pl.UInt64: st.one_of(st.none(), st.integers(0, 2**64 - 1)),
    pl.Boolean: st.one_of(st.none(), st.booleans()),
}


@st.composite
def numbers(draw: st.DrawFn) -> pl.DataFrame:
    """Draw a frame of ratings, some of them bad, with columns of one or two types."""
    kinds = draw(st.lists(st.sampled_from(list(KINDS)), min_size=1, max_size=3))
    height = draw(st.integers(1, 4))
    return pl.DataFrame(
        [
            pl.Series(f"rater_{number}", draw(st.lists(KINDS[kind], min_size=height, max_size=height)), kind)
            for number, kind in enumerate(kinds)
        ]
    )


def outcome(source: pl.DataFrame | np.ndarray, **options: object) -> Ratings | str:
    try:
        return read_ratings(source, **options)
    except FileError as error:
        return str(error)


@given(
    frame=numbers(),
    not_rated=st.sampled_from([(), (-1,), (-1, 2.5)]),
    scale=st.sampled_from([(-1, 3), (-200, 1e9)]),
    beside=st.sampled_from(["nothing", "ids", "flags"]),
)
def test_numbers_are_read_as_their_texts_are(frame, not_rated, scale, beside):
    """A frame of texts is read cell by cell."""
    texts = frame.select(
        pl.Series(column.name, [str(value) for value in column]) for column in frame.iter_columns()
    )
    further = {
        "nothing": {},
        "ids": {"pair": pl.Series([f"p{row}" for row in range(frame.height)])},
        "flags": {"unsure_0": pl.Series([row == 0 for row in range(frame.height)])},
    }[beside]
    found, expected = (
        outcome(one.with_columns(**further), not_rated=not_rated, scale=scale) for one in (frame, texts)
    )
    if isinstance(expected, str):
        assert found == expected
    else:
        assert_same(found, expected)
        assert found.values.flags.c_contiguous


@given(numbers().filter(lambda frame: len(set(frame.dtypes)) == 1), st.sampled_from([(-1, 3), (-200, 1e9)]))
def test_an_array_is_read_as_a_frame_of_its_columns_is(frame, scale):
    array = frame.drop_nulls().to_numpy()
    assume(len(array))
    named = pl.DataFrame(array, [f"rater_{n}" for n in range(1, array.shape[1] + 1)], orient="row")
    found, expected = outcome(array, scale=scale), outcome(named, scale=scale)
    if isinstance(expected, str):
        assert found == expected.replace("the frame", "the array").replace("'rater_", "'")
    else:
        assert_same(found, expected)
