import re

import polars as pl
import pytest

from medgauge.errors import UndefinedWarning
from medgauge.evaluation.evaluate import evaluate
from medgauge.pairs import PairSet
from medgauge.report.plots.canvas import write_plot
from tests.report.subsets.test_subset_tables import pairs


@pytest.mark.parametrize(("by", "models"), [("size", 2), ("pos", 8)])
def test_a_plot_shows_every_subset_model_and_number_of_pairs(tmp_path, by, models):
    named = {f"model-{number}": "random" for number in range(models)}
    run = evaluate(named, [pairs(), pairs("labels", labelled=True)], by=by)
    for name in ("one", "two"):
        write_plot(tmp_path / f"{name}.svg", run.plot)
    drawn = (tmp_path / "one.svg").read_text("utf-8")
    assert drawn == (tmp_path / "two.svg").read_text("utf-8")
    texts = re.findall(r">([^<>]+)</text>", drawn)
    for text in [
        *named,
        *(subset.name for subset in run.datasets[0].subsets),
        "n = 30",
        "Spearman's ρ",
        "AUC",
        by,
    ]:
        assert text in texts, text


def test_a_plot_of_undefined_figures_and_long_names_is_drawn(tmp_path):
    made = pairs(count=40)
    long = [f"a category with a long name, number {min(number, 19)}" for number in range(40)]
    with pytest.warns(UndefinedWarning):
        run = evaluate(
            ["random"], [PairSet(made.frame.with_columns(pos=pl.Series(long)), made.card)], by="pos"
        )
    write_plot(tmp_path / "p.svg", run.plot)
    assert (tmp_path / "p.svg").read_text("utf-8").count("n = 1<") == 19
