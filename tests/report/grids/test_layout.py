import re
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge.report.grids.grid import Cell, Grid
from medgauge.report.grids.layout import Line, Page, lay_out

WIDTHS = (40, 60, 80, 100, 120, 200)


def page(width):
    return Page(width + 2, 2, lambda line: len(f"{line.text} {line.raised}".rstrip()))


def grid_of(models, sets, *, measure="", name="model-{}", turned=1):
    rows = [
        [
            Cell(f"set-{row} ρ"),
            Cell(f"{row}/988"),
            *(
                Cell(f"0.{row:02}{column:02}", interval=f"[-0.{row:03}, 0.{column:03}]", after=measure)
                for column in range(models)
            ),
        ]
        for row in range(sets)
    ]
    header = ["set", "pairs", *(name.format(column) for column in range(models))]
    return Grid("T", header, rows, labels=2, turned=turned)


def lines_of(part):
    """Return the lines of a part as they would be printed."""
    widths = [int(width) for width in part.widths]
    for row in (part.header, *part.rows):
        for number in range(max(map(len, row))):
            texts = [block[number].text if number < len(block) else "" for block in row]
            yield "".join(text.ljust(width) for text, width in zip(texts, widths, strict=True)).rstrip()


def figures_of(parts):
    texts = [line.text for part in parts for row in part.rows for block in row for line in block]
    return re.findall(r"0\.\d{4}", " ".join(texts))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("models", "sets"), [(1, 1), (2, 15), (6, 15), (12, 15), (15, 2), (40, 3)])
@pytest.mark.parametrize("measure", ["", "pair_spearman"])
def test_no_line_is_longer_than_the_width_and_no_figure_is_lost(width, models, sets, measure):
    parts = lay_out(grid_of(models, sets, measure=measure), [page(width)])
    assert max(len(line) for part in parts for line in lines_of(part)) <= width
    expected = [f"0.{row:02}{column:02}" for row, column in product(range(sets), range(models))]
    assert sorted(figures_of(parts)) == sorted(expected)
    below = " ".join(line.text for part in parts for row in part.rows for block in row for line in block)
    assert below.count("[") == below.count("]") == models * sets
    assert below.count("pair_spearman") == (models * sets if measure else 0)


@given(
    models=st.integers(1, 9),
    sets=st.integers(1, 5),
    width=st.integers(40, 200),
    name=st.text("ab-_ 1", max_size=60).map(lambda text: f"{text}{{}}"),
    turned=st.sampled_from([None, 1]),
)
def test_names_of_any_length_fit(models, sets, width, name, turned):
    parts = lay_out(grid_of(models, sets, name=name, turned=turned), [page(width)])
    assert max(len(line) for part in parts for line in lines_of(part)) <= width
    assert len(figures_of(parts)) == models * sets


def test_a_grid_that_fits_stays_as_it_is():
    grid = grid_of(2, 3)
    [part] = lay_out(grid, [page(80)])
    assert part.header == [[Line(name)] for name in grid.header]
    assert part.rows == [[[Line(cell.text)] for cell in row] for row in grid.rows]
    assert part.labels == 2


def test_six_models_do_not_fall_into_six_tables_at_80_columns():
    assert len(lay_out(grid_of(6, 15), [page(80)])) == 1
    assert len(lay_out(grid_of(6, 15, measure="pair_spearman"), [page(80)])) == 2


def test_intervals_go_below_their_figures_and_pairs_below_their_set():
    [part] = lay_out(grid_of(3, 15), [page(60)])
    assert part.rows[1][0] == [Line("set-1 ρ"), Line("1/988", small=True)]
    assert part.rows[1][1] == [Line("0.0100"), Line("[-0.001, 0.000]", small=True)]
    assert part.labels == 1


def test_a_measure_stays_beside_its_figure_while_there_is_room():
    wide, narrow = (lay_out(grid_of(3, 15, measure="fj"), [page(width)])[0] for width in (80, 40))
    assert [line.text for line in wide.rows[0][-1]] == ["0.0002 fj", "[-0.000, 0.002]"]
    assert [line.text for line in narrow.rows[0][-1]] == ["0.0002", "[-0.000,", "0.002]", "fj"]


def test_rows_and_columns_are_swapped_where_only_that_fits():
    """With long names, three models down fit where three across do not."""
    grid = grid_of(3, 3, name="a-model-with-a-rather-long-name-{}")
    [part] = lay_out(grid, [page(110)])
    assert [row[0][0].text for row in part.rows][:2] == ["pairs", "a-model-with-a-rather-long-name-0"]
    [fixed] = lay_out(replace(grid, turned=None), [page(110)])
    assert fixed.rows[0][0][0].text == "set-0 ρ"


def test_parts_have_about_the_same_number_of_columns():
    parts = lay_out(grid_of(8, 15, measure="pair_spearman"), [page(80)])
    assert [len(part.header) - part.labels for part in parts] == [4, 4]


def test_a_name_is_folded_between_its_words_and_keeps_its_symbol():
    rows = [[Cell("minimayosrs-physicians ρ"), *[Cell("0.123456")] * 5]]
    [part] = lay_out(Grid("T", ["set", *"abcde"], rows), [page(66)])
    assert [line.text for line in part.rows[0][0]] == ["minimayosrs-", "physicians ρ"]


def test_a_long_name_is_not_folded_more_than_it_must_be():
    """A name of 90 characters over a column of short figures took a dozen lines at any width."""
    rows = [[Cell("mayosrs"), Cell("93 (92%)"), Cell("93 (92%)")]]
    grid = Grid("T", ["set", "PubMed-and-PMC-w2v-" * 5, "x" * 90], rows)
    [part] = lay_out(grid, [page(80)])
    assert max(map(len, part.header)) <= 8


def test_names_of_rows_were_folded_to_nine_letters_beside_an_empty_half_of_the_page():
    types = "Abnormality of the nervous system – Abnormality of the cardiovascular system"
    rows = [[Cell("ehr-rel-b ρ"), Cell(types), Cell("20/20"), Cell("0.334")]]
    grid = Grid("T", ["set", "semantic-types", "pairs", "levenshtein"], rows, labels=2)
    [part] = lay_out(grid, [page(80)])
    assert list(lines_of(part))[1:] == [
        "ehr-rel-b ρ  Abnormality of the nervous system – Abnormality  20/20  0.334",
        "             of the cardiovascular system",
    ]


def test_a_name_of_one_long_word_is_broken_and_none_of_it_is_lost():
    name = "x" * 100
    [part] = lay_out(Grid("T", ["set", name], [[Cell("s"), Cell("0.5")]]), [page(40)])
    assert "".join(line.text for line in part.header[1]) == name


def test_long_names_of_rows_leave_room_for_the_figures_of_every_part():
    rows = [[Cell("a-set-with-a-rather-long-name " * 2), *[Cell("0.123456789012345")] * 4]]
    parts = lay_out(Grid("T", ["set", *"abcd"], rows), [page(40)])
    assert max(len(line) for part in parts for line in lines_of(part)) <= 40
    texts = [line.text for part in parts for block in part.rows[0][1:] for line in block]
    assert texts == ["0.123456789012345"] * 4


def test_a_text_wider_than_the_page_is_folded():
    text = "Ann, Bea, " * 20
    parts = lay_out(Grid("T", ["figure", "value"], [[Cell("annotators"), Cell(text.strip())]]), [page(40)])
    assert max(len(line) for part in parts for line in lines_of(part)) <= 40
    assert " ".join(line.text for line in parts[0].rows[0][1]) == text.strip()


def test_smaller_type_is_tried_before_intervals_go_below_but_the_smallest_last():
    normal, small, smallest = page(60), Page(90, 2, page(1).measure), Page(200, 2, page(1).measure)
    [beside] = lay_out(grid_of(3, 15), [normal, small, smallest])
    assert beside.page is small
    [below] = lay_out(grid_of(4, 15), [normal, small, smallest])
    assert below.page is small
    assert len(below.rows[0][1]) == 2


def test_a_table_that_would_be_too_long_is_split_by_columns_instead():
    tall = grid_of(6, 15)
    [folded] = lay_out(tall, [page(80)])
    assert folded.lines() == 2 + 15 * 3
    parts = lay_out(tall, [replace(page(80), lines=40)])
    assert [part.lines() for part in parts] == [2 + 15 * 2] * 2


@pytest.mark.parametrize("lines", [-1, 5, 15, 15.5, 16])
def test_more_rows_than_a_page_has_lines_have_one_line_each(lines):
    parts = lay_out(grid_of(6, 15), [replace(page(80), lines=lines)])
    assert {part.lines() for part in parts} == {16}


def test_a_grid_of_names_alone_is_folded_to_the_width():
    [part] = lay_out(Grid("T", ["set"], [[Cell("a rather long name " * 5)]]), [page(40)])
    assert max(map(len, lines_of(part))) <= 40


def test_a_grid_without_rows_has_its_header():
    [part] = lay_out(Grid("T", ["set", "value"], []), [page(40)])
    assert part.header == [[Line("set")], [Line("value")]]


@pytest.mark.parametrize("width", [60, 70, 80, 90, 100])
def test_names_of_rows_were_broken_within_their_words_to_save_a_second_table(width):
    """A table of sets at 60 columns had minimay, osrs-ph, ysician and s below each other."""
    names, kinds = ("minimayosrs-physicians", "umnsrs-sim"), ("relatedness", "similarity")
    cells = [Cell(text) for text in ("here", "29", "0–1600", "47%", "46%", "0.375", "0.442")]
    rows = [[Cell(name), Cell(kind), *cells] for name, kind in zip(names, kinds, strict=True)]
    header = ["name", "kind", "here", "pairs", "scale", "multi-word", "unique", "sg-w1", "sg-w2"]
    for part in lay_out(Grid("T", header, rows, labels=2), [page(width)]):
        shown = [line.text for row in part.rows for block in row[: part.labels] for line in block]
        assert {*shown} <= {*names, *kinds, "minimayosrs-", "physicians", "umnsrs-", "sim", *("here", "29")}
        assert max(map(len, lines_of(part))) <= width
