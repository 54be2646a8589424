"""The plot of a benchmark of word similarity: how many words were left after each step."""

from typing import TYPE_CHECKING

from medgauge.build.words.choice.parts_of_speech import PLURAL
from medgauge.build.words.choice.word_domains import DOMAINS
from medgauge.build.words.word_sheet import WordSheet
from medgauge.report.plots.canvas import COLOURS
from medgauge.report.plots.panels import draw_panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw(sheet: WordSheet, figure: "Figure") -> "list[Axes]":
    """Draw a panel for each part of speech, with a bar for each step and each domain."""
    parts = sheet.parts
    names = [*(step.step for step in sheet.steps), *DOMAINS]

    def fill(axes: "Axes", number: int) -> None:
        part = parts[number]
        values = [step.words[part] for step in sheet.steps]
        values += [sheet.domains[part][domain] for domain in DOMAINS]
        colours = [COLOURS[0]] * len(sheet.steps) + [COLOURS[1]] * len(DOMAINS)
        drawn = axes.barh(range(len(values)), values, 0.6, color=colours)
        axes.bar_label(drawn, [f" {value:,}" for value in values], fontsize=7)
        axes.set_xlim(0, 1.35 * max([*values, 1]))  # room for the longest bar's number
        axes.xaxis.set_major_formatter(lambda value, _place: f"{value:,.0f}")

    return draw_panels(figure, [(PLURAL[part], "") for part in parts], names, fill)
