import itertools
import os
from collections import Counter
from statistics import mean, stdev
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib import colormaps

from medgauge.errors import InputError, MissingExtraError
from medgauge.report.plots import canvas
from medgauge.report.plots.agreement_plot import check_plots, write_plots
from tests.report.agreements import NAN, agreement, annotator, ratings, two, undefined_agreement

FILES = [f"{name}.{kind}" for name in ("scores", "pairwise", "disagreement") for kind in ("svg", "png")]
TRIPLES = [list(triple) for triple in itertools.product((0.0, 1.0, 2.0, 3.0), repeat=3)]
GREY, WHITE = (0.87, 0.87, 0.87, 1), (1, 1, 1, 1)


@pytest.fixture
def axes_of():
    """Draw, and return the axes of each plot."""

    def draw(found, given):
        found.hold(given)
        drawn = found.plot()
        drawn.figure.draw_without_rendering()  # which settles colours and ticks
        return dict(zip(("scores", "pairwise", "disagreement"), drawn, strict=True))

    return draw


def held(found, given):
    found.hold(given)
    return found


def bars(axes):
    return [(round(bar.get_x() + bar.get_width() / 2, 9), round(bar.get_height())) for bar in axes.patches]


def legend_texts(axes):
    return [text.get_text() for legend in axes.figure.legends for text in legend.get_texts()]


def texts_of(path):
    """Give the texts of an SVG, which must be well-formed."""
    return {
        "".join(one.itertext()) for one in ElementTree.parse(path).iter("{http://www.w3.org/2000/svg}text")
    }


def test_three_plots_are_written_as_svg_and_png(tmp_path):
    folder = tmp_path / "new" / "plots"
    written = write_plots(held(agreement(["A", "Zoë", "$a_{<&"]), ratings(TRIPLES)), folder)
    assert [path.relative_to(folder).as_posix() for path in written] == FILES
    assert sorted(path.name for path in folder.iterdir()) == sorted(FILES)
    assert {"mine", "mean rating", "pairs"} <= texts_of(folder / "scores.svg")
    assert {"A", "Zoë", "$a_{<&", "Krippendorff's α (ordinal)"} <= texts_of(folder / "pairwise.svg")
    assert {"mine", "mean rating", "standard deviation"} <= texts_of(folder / "disagreement.svg")


def test_the_same_agreement_has_the_same_bytes(tmp_path):
    one, other = (write_plots(held(agreement(), ratings(TRIPLES)), tmp_path / name) for name in "ab")
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in other]


def test_each_mean_has_a_bar_at_its_place(axes_of):
    axes = axes_of(agreement(), ratings([*TRIPLES, [NAN, NAN, NAN]]))["scores"]
    expected = Counter(round(mean(triple), 9) for triple in TRIPLES)
    assert bars(axes) == sorted(expected.items())
    assert axes.get_xlim()[0] < 0 < 3 < axes.get_xlim()[1]
    assert {round(bar.get_width(), 9) for bar in axes.patches} == {round(0.8 / 3, 9)}


def test_many_means_are_counted_in_twenty_bins_over_the_scale(axes_of):
    quarters = [[number / 4] for number in range(41)]
    axes = axes_of(agreement(), ratings(quarters, scale=(0, 10)))["scores"]
    places = [0.25 + 0.5 * number for number in range(20)]
    assert bars(axes) == list(zip(places, [2] * 19 + [3], strict=True))


def test_a_mean_at_the_edge_of_a_bin_is_in_the_bin_that_it_begins(axes_of):
    """0.1 · 3 is a little more than 0.3: edges are rounded as means are."""
    tenths = [[round(number / 10, 12)] for number in range(20)] + [[0.001 * number] for number in range(1, 8)]
    axes = axes_of(agreement(), ratings(tenths, scale=(0, 2)))["scores"]
    assert [height for _, height in bars(axes)] == [8, *[1] * 19]


def test_without_a_scale_bins_are_over_what_there_is(axes_of):
    axes = axes_of(agreement(), ratings([[5.0 + number] for number in range(101)], scale=None))["scores"]
    assert bars(axes) == [(7.5 + 5 * number, 5 if number < 19 else 6) for number in range(20)]


def test_means_that_many_pairs_share_have_a_bar_each_even_if_they_are_some_more(axes_of):
    """Twenty bins over 31 places would hold now one of them and now two, and show a comb."""
    fifths = [[number / 5] for number in range(31)] * 2
    axes = axes_of(agreement(), ratings(fifths, scale=(0, 6)))["scores"]
    assert bars(axes) == [(number / 5, 2) for number in range(31)]


def test_equal_ratings_have_one_bar(axes_of):
    drawn = axes_of(agreement(mean_sd=0.0), ratings([[2.0, 2.0]] * 3, scale=None))
    assert bars(drawn["scores"]) == [(2.0, 3)]
    assert drawn["disagreement"].collections[0].get_offsets().tolist() == [[2.0, 0.0]]


def test_the_map_has_alpha_of_each_two_on_both_sides_of_a_blank_diagonal(axes_of):
    axes = axes_of(agreement(["A", "B", "C"]), ratings(TRIPLES))["pairwise"]
    written = {text.get_position(): text.get_text() for text in axes.texts}
    upper = {(1, 0): "0.50", (2, 0): "0.51", (2, 1): "0.52"}
    assert written == upper | {(row, column): text for (column, row), text in upper.items()}
    colours = axes.collections[0].get_facecolor().reshape(3, 3, 4)
    # From 0.5 to 0.6, the tenths around what there is.
    expected = {(0, 1): 0.0, (0, 2): 0.1, (1, 2): 0.2}
    for (row, column), share in expected.items():
        assert np.allclose(colours[row, column], colormaps["viridis"](share), atol=0.01)
        assert (colours[row, column] == colours[column, row]).all()
    assert (colours[np.eye(3, dtype=bool)] == WHITE).all()
    assert axes.get_ylim()[0] > axes.get_ylim()[1]  # the first annotator is at the top
    assert legend_texts(axes) == []


def test_annotators_stand_by_group_and_those_apart_are_grey_with_a_note(axes_of):
    people = [annotator(name, group=group) for name, group in (("A", 2), ("B", 1), ("C", 2))]
    found = agreement(annotators=people, groups=2, pairwise=[two("A", "C", -0.2)])
    axes = axes_of(found, ratings(TRIPLES))["pairwise"]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["B", "A", "C"]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["B", "A", "C"]
    colours = axes.collections[0].get_facecolor().reshape(3, 3, 4)
    assert np.allclose(colours[0, 1:], GREY)
    assert not np.allclose(colours[1, 2], GREY)
    assert sorted(text.get_text() for text in axes.texts) == ["-0.20", "-0.20"]
    [note] = legend_texts(axes)
    assert "no pairs in common" in note


@pytest.mark.parametrize(("count", "written", "named"), [(12, True, 12), (13, False, 13), (40, False, 40)])
def test_alpha_is_written_for_few_annotators_and_names_for_some(axes_of, count, written, named):
    names = [f"n{number}" for number in range(count)]
    axes = axes_of(agreement(names), ratings(TRIPLES))["pairwise"]
    assert len(axes.texts) == (count * (count - 1) if written else 0)
    assert [label.get_text() for label in axes.get_yticklabels()] == names[:named]


def test_many_annotators_are_counted_and_not_named(axes_of):
    names = [f"n{number}" for number in range(41)]
    people = [annotator(name, group=1 + number // 21) for number, name in enumerate(names)]
    one, several = (
        axes_of(agreement(names, annotators=people, groups=groups), ratings(TRIPLES))["pairwise"]
        for groups in (1, 2)
    )
    assert list(one.get_yticks()) == []
    assert one.get_xlabel() == "41 annotators"
    assert several.get_xlabel() == "41 annotators, group by group"


def test_long_names_keep_both_ends(axes_of):
    names = [f"annotator-of-the-university-hospital-{number:02}" for number in (1, 2)]
    labels = [
        label.get_text()
        for label in axes_of(agreement(names), ratings(TRIPLES))["pairwise"].get_yticklabels()
    ]
    assert labels == ["annotator-of-the-…ospital-01", "annotator-of-the-…ospital-02"]


def test_points_that_pairs_share_have_an_area_by_their_number(axes_of):
    axes = axes_of(agreement(mean_sd=0.75), ratings([*TRIPLES, [1.0, NAN, NAN]]))["disagreement"]
    expected = Counter((round(mean(triple), 9), round(stdev(triple), 9)) for triple in TRIPLES)
    scatter = axes.collections[0]
    points = [tuple(point) for point in scatter.get_offsets().round(9).tolist()]
    assert sorted(points) == sorted(expected)
    shares = {
        round(size / expected[point], 9) for point, size in zip(points, scatter.get_sizes(), strict=True)
    }
    assert len(shares) == 1
    assert legend_texts(axes) == ["mean 0.750", "5 pairs", "1 pair"]


def test_the_order_of_a_pairs_ratings_does_not_move_its_point(axes_of):
    orders = [list(order) for order in itertools.permutations((0.1, 0.2, 0.7))]
    scatter = axes_of(agreement(), ratings(orders))["disagreement"].collections[0]
    assert len(scatter.get_offsets()) == 1


def test_points_of_their_own_are_dots(axes_of):
    given = [[0.0, 1.0], [0.5, 1.7], [2.0, 2.0], [2.0, 2.0], [3.0, NAN]]
    axes = axes_of(agreement(["A", "B"]), ratings(given))["disagreement"]
    [scatter] = axes.collections
    expected = sorted((round(mean(row), 9), round(stdev(row), 9)) for row in given[:4])
    assert sorted(map(tuple, scatter.get_offsets().round(9).tolist())) == expected
    assert legend_texts(axes) == ["mean 0.432"]


def test_the_mean_standard_deviation_is_a_dashed_line(axes_of):
    axes = axes_of(agreement(), ratings(TRIPLES))["disagreement"]
    [line] = axes.lines
    assert set(line.get_ydata()) == {0.4321}
    assert line.get_linestyle() == "--"
    assert axes.get_xlim()[0] < 0 < 3 < axes.get_xlim()[1]


def test_plots_with_nothing_to_show_say_so(axes_of):
    def said(found, given):
        return {
            name: [text.get_text() for text in axes.texts] for name, axes in axes_of(found, given).items()
        }

    assert said(undefined_agreement(["A"]), ratings([[1.0], [2.0]])) == {
        "scores": [],
        "pairwise": ["There is only one annotator."],
        "disagreement": ["No pair was rated twice."],
    }
    apart = said(undefined_agreement(["A", "B"]), ratings([[NAN, NAN]]))
    assert apart["scores"] == ["No pair was rated."]
    assert apart["pairwise"] == ["α is undefined for every two annotators."]


def test_verdicts_say_what_their_ends_mean(axes_of):
    drawn = axes_of(agreement(), ratings([[0.0, 1.0]], scale=(0, 1), verdicts=True))
    labels = {drawn[name].get_xlabel() for name in ("scores", "disagreement")}
    assert labels == {"mean verdict (0: not same, 1: same)"}


def test_a_folder_that_cannot_be_drawn_in_is_refused_before_any_work(tmp_path):
    check_plots(None)
    check_plots(tmp_path / "new" / "plots")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="file is a file; plots need a folder"):
        check_plots(tmp_path / "file")
    with pytest.raises(InputError, match=r"scores\.svg: a plot cannot be written there"):
        check_plots(tmp_path / "file" / "below")
    (tmp_path / "plots" / "disagreement.png").mkdir(parents=True)
    with pytest.raises(InputError, match=r"disagreement\.png: a plot cannot be written there"):
        check_plots(tmp_path / "plots")


def test_a_folder_that_may_not_be_written_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda _path, _mode: False)
    with pytest.raises(InputError, match="cannot be written there"):
        check_plots(tmp_path)


def test_a_missing_matplotlib_is_named_with_its_extra(tmp_path, monkeypatch):
    monkeypatch.setattr(canvas, "find_spec", lambda _name: None)
    with pytest.raises(MissingExtraError, match=r"pip install .*\[plot\]"):
        check_plots(tmp_path)


def test_without_its_ratings_an_agreement_says_what_to_do():
    with pytest.raises(InputError, match=r"does not store its ratings.*medgauge\.agreement"):
        agreement().plot()


@pytest.mark.parametrize("count", [3, 20])
def test_the_three_plots_stand_in_one_figure_with_few_and_with_many_annotators(axes_of, count):
    drawn = axes_of(agreement([f"n{number}" for number in range(count)]), ratings(TRIPLES))
    figures = {axes.get_figure(root=True) for axes in drawn.values()}
    assert len(figures) == 1
