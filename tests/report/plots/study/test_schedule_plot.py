from matplotlib.colors import to_hex

from medgauge.report.plots.canvas import COLOURS
from tests.results import example


def test_the_legend_has_the_colours_of_the_bars():
    figure = example("StudySchedule").plot().figure
    [legend] = figure.legends
    shown = {
        text.get_text(): to_hex(patch.get_facecolor())
        for text, patch in zip(legend.get_texts(), legend.get_patches(), strict=True)
    }
    assert shown == {"kept": COLOURS[0].lower(), "to do": COLOURS[1].lower()}
