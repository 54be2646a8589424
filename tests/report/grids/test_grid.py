import csv
import io

from medgauge.report.grids.grid import Cell, Grid, to_csv

GRID = Grid(
    "Agreement",
    ["set", "pairs", "my_model"],
    [
        [Cell("bio-simlex ρ"), Cell("894/988"), Cell("0.615", bold=True, interval="[0.57, 0.66]")],
        [Cell("a|b 50%"), Cell("1/2"), Cell("undefined")],
    ],
    ["ρ: Spearman's ρ."],
    labels=2,
    turned=1,
    interval_note="In brackets: 95% intervals.",
)


def test_csv_can_be_read_back():
    rows = [["a,b", 0.5], ['say "hi"', float("nan")]]
    read = list(csv.reader(io.StringIO(to_csv(["x", "y"], rows))))
    assert read == [["x", "y"], ["a,b", "0.5"], ['say "hi"', "nan"]]


def test_transposing_twice_gives_the_same_grid():
    assert GRID.transposed().transposed() == GRID


def test_the_second_label_of_rows_becomes_the_first_row():
    turned = GRID.transposed()
    assert turned.header == ["set", "bio-simlex ρ", "a|b 50%"]
    assert [row[0].text for row in turned.rows] == ["pairs", "my_model"]
    assert turned.labels == 1


def test_a_cell_is_one_text_for_those_who_do_not_lay_it_out():
    cell = Cell("0.5", raised="+1/−2", interval="[0.4, 0.6]", after="fj")
    assert cell.text == "0.5 [0.4, 0.6] fj"
    assert cell.plain == "0.5 [0.4, 0.6] fj +1/−2"


def test_the_note_on_intervals_is_there_only_if_an_interval_is():
    assert GRID.all_notes == ["In brackets: 95% intervals.", "ρ: Spearman's ρ."]
    assert GRID.without_intervals().all_notes == ["ρ: Spearman's ρ."]


def test_without_intervals_a_column_of_intervals_goes_but_an_empty_one_stays():
    grid = Grid(
        "T", ["f", "value", "95%", ""], [[Cell("α"), Cell("0.5"), Cell("", interval="[0, 1]"), Cell("")]]
    )
    assert grid.without_intervals().header == ["f", "value", ""]
    assert [cell.text for cell in grid.without_intervals().rows[0]] == ["α", "0.5", ""]
