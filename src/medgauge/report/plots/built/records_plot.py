"""The plot of a benchmark from health records: how much was left after each step."""

from typing import TYPE_CHECKING

from medgauge.build.records.data_sheet import DataSheet
from medgauge.report.plots.canvas import COLOURS
from medgauge.report.plots.panels import draw_panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_NUMBERS = ("patients", "events", "concepts", "pairs")


def draw(sheet: DataSheet, figure: "Figure") -> "list[Axes]":
    """Draw a panel for patients, events, concepts and pairs, with a bar for each step that has a number."""
    steps = sheet.found.steps
    shown = {
        name: [
            (place, number)
            for place, step in enumerate(steps)
            if (number := getattr(step, name)) is not None and not isinstance(number, str)
        ]
        for name in _NUMBERS
    }
    names = [name for name, bars in shown.items() if bars] or ["patients"]

    def fill(axes: "Axes", number: int) -> None:
        bars = shown[names[number]]
        places, values = [place for place, _ in bars], [value for _, value in bars]
        drawn = axes.barh(places, values, 0.6, color=COLOURS[0])
        axes.bar_label(drawn, [f" {value:,}" for value in values], fontsize=7)
        axes.set_xlim(0, 1.35 * max([*values, 1]))  # room for the longest bar's number
        axes.xaxis.set_major_formatter(lambda value, _place: f"{value:,.0f}")

    return draw_panels(figure, [(name, "") for name in names], [step.step for step in steps], fill)
