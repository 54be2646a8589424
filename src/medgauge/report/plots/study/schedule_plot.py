"""The plot of a schedule: how long each step takes."""

from typing import TYPE_CHECKING

from medgauge.report.plots.canvas import COLOURS
from medgauge.report.plots.panels import draw_panels
from medgauge.study.study_schedule import StudySchedule

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw(found: StudySchedule, figure: "Figure") -> "list[Axes]":
    """Draw a bar for each step, of another colour if it is kept; a step of unknown time has none."""
    from matplotlib.patches import Patch

    def fill(axes: "Axes", _: int) -> None:
        minutes = [(one.seconds or 0.0) / 60 for one in found.scheduled]
        colours = [COLOURS[0] if one.kept else COLOURS[1] for one in found.scheduled]
        axes.barh(range(len(minutes)), minutes, 0.7, color=colours)
        axes.set_xlim(left=0)

    drawn = draw_panels(figure, [("Time", "minutes")], [one.step for one in found.scheduled], fill)
    labels = zip(COLOURS, ("kept", "to do"), strict=False)
    handles = [Patch(color=colour, label=label) for colour, label in labels]
    figure.legend(handles=handles, loc="outside upper right", ncols=2, fontsize=8)
    return drawn
