import numpy as np
import pytest

import medgauge
from medgauge.errors import InputError
from medgauge.pairs import Card, Pairs
from medgauge.report.plots.coverage_plot import write_plots
from tests.composition.small import pair_set


def set_with(name, seed, kinds, deepest):
    rng = np.random.default_rng(seed)
    rows = [(f"a{number}", f"b{number}", int(rng.integers(5))) for number in range(80)]
    columns = {f"type_{side}": rng.choice(kinds, 80).tolist() for side in (1, 2)}
    columns |= {f"specificity_{side}": rng.integers(2, deepest, 80).tolist() for side in (1, 2)}
    return pair_set(rows, name=name, scale=(0, 4), **columns)


@pytest.fixture(scope="module")
def found():
    kinds = ["Sign", "Disease or Syndrome", "Body Part, Organ, or Organ Component"]
    sets = [set_with("one $x$", 0, kinds, 7), set_with("two", 1, kinds[:2], 5)]
    return medgauge.coverage(
        [*sets, Pairs.of([("a", "b")], card=Card(name="plain", title="x"))], permutations=99
    )


def test_every_part_is_drawn_for_every_set_that_has_it(found):
    panels = found.plot()
    titles = [axes.get_title(loc="left") for axes in panels]
    assert titles == ["one $x$", "two", "one $x$", "two", "", "one $x$", "two"]


def test_bars_of_types_are_the_shares_of_the_table(found):
    axes = found.plot()[2]
    types = found["one $x$"].types
    counts = {one.types: one.pairs for one in types.combinations}
    expected = [100 * counts.get(two, 0) / types.pairs for two in found.frequent_combinations()]
    assert [bar.get_width() for bar in axes.patches] == pytest.approx(expected)
    colours = {bar.get_facecolor() for bar in axes.patches if bar.get_width() > 3}
    assert len(colours) == 1
    assert colours.isdisjoint(bar.get_facecolor() for bar in axes.patches if bar.get_width() <= 3)


def test_bars_of_scores_add_up_to_the_pairs(found):
    assert sum(bar.get_height() for bar in found.plot()[0].patches) == 80


def test_the_map_of_specificity_has_every_pair_above_the_diagonal(found):
    axes = found.plot()[-2]
    values = axes.collections[0].get_array()
    assert float(values.sum()) == pytest.approx(100)
    rows, columns = np.nonzero(values.filled(0))
    assert (rows >= columns).all()
    levels = found["one $x$"].specificity
    for one in levels.counts:
        assert values[one.high, one.low] == pytest.approx(100 * one.pairs / levels.pairs)


def test_plots_are_written_as_svg_and_png_for_what_there_is(found, tmp_path):
    paths = write_plots(found, tmp_path / "plots")
    names = ["scores", "types", "baseline", "specificity"]
    assert [path.name for path in paths] == [f"{name}.{kind}" for name in names for kind in ("svg", "png")]
    assert all(path.stat().st_size > 5_000 for path in paths)
    alone = medgauge.coverage(pair_set([("a", "b", 1), ("a", "c", 2)]))
    assert [path.name for path in write_plots(alone, tmp_path / "alone")] == ["scores.svg", "scores.png"]


def test_without_any_figure_the_plot_says_so(tmp_path):
    plain = medgauge.coverage(Pairs.of([("a", "b")], card=Card(name="plain", title="x")))
    [svg, _] = write_plots(plain, tmp_path)
    assert "No set has scores." in svg.read_text("utf-8")


def test_a_file_in_place_of_a_folder_is_refused(found, tmp_path):
    (tmp_path / "plots").write_text("", "utf-8")
    with pytest.raises(InputError, match="is a file; plots need a folder"):
        write_plots(found, tmp_path / "plots")
