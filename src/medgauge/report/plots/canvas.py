"""The one seam to matplotlib: figures for a paper, shown in notebooks or written as SVG, PDF or PNG."""

import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from medgauge.errors import InputError, MissingExtraError
from medgauge.files.writing import can_write, writing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Colours that colour-blind readers can tell apart (Okabe and Ito 2008)."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
"""Markers in addition to the colours, for printing in grey."""

_STYLE: Any = {
    "axes.spines.right": False,
    "axes.spines.top": False,
    "font.size": 9,
    "legend.frameon": False,
    "pdf.fonttype": 42,  # text stays text, as journals require
    "savefig.dpi": 300,
    "svg.fonttype": "none",
    "svg.hashsalt": "medgauge",  # the same plot has the same bytes
    "text.parse_math": False,  # a $ in a name is a $
}
_NO_DATE = {".pdf": {"CreationDate": None}, ".svg": {"Date": None}, ".png": {}}
_IN_FOLDERS = ("svg", "png")
_NOTEBOOK = 110  # dots per inch


class Panels(np.ndarray[tuple[int], np.dtype[np.object_]]):
    """The axes of a figure, as an array that a notebook shows as the figure."""

    figure: "Figure | None"

    def __array_finalize__(self, whole: Any) -> None:
        self.figure = getattr(whole, "figure", None)

    def _repr_png_(self) -> bytes | None:
        if self.figure is None:
            return None
        out = io.BytesIO()
        with _style():
            self.figure.savefig(out, format="png", dpi=_NOTEBOOK)
        return out.getvalue()


def draw_plot(draw: "Callable[[Figure], Sequence[Axes]]", figure: "Figure | None" = None) -> "Panels":
    """Draw on a figure, or on a new one unknown to pyplot, and return the axes."""
    with _style():
        if figure is None:
            figure = _new_figure()
        panels = np.array(draw(figure), dtype=np.object_).view(Panels)
    panels.figure = figure
    return panels


def write_plot(path: Path, draw: "Callable[[Figure], object]") -> None:
    """Draw on a new figure and write it atomically."""
    check_plot(path)
    with _style():
        figure = _new_figure()
        draw(figure)
        kind = path.suffix.lower()
        with writing(path) as temporary:
            figure.savefig(temporary, format=kind[1:], metadata=_NO_DATE[kind])


def write_plots(folder: Path, plots: "Mapping[str, Callable[[Figure], object]]") -> list[Path]:
    """Draw each plot and write it into a folder, as NAME.svg and NAME.png; return the paths."""
    check_plots(folder, plots)
    paths = {folder / f"{name}.{kind}": draw for name, draw in plots.items() for kind in _IN_FOLDERS}
    for path, draw in paths.items():
        write_plot(path, draw)
    return list(paths)


def check_plots(folder: Path | None, names: Iterable[str]) -> None:
    """Refuse a folder in which plots cannot be written, before the work starts."""
    if folder is None:
        return
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file; plots need a folder")
    for name in names:
        for kind in _IN_FOLDERS:
            check_plot(folder / f"{name}.{kind}")


def check_plot(path: Path | None) -> None:
    """Refuse a plot that cannot be written, before the work starts."""
    if path is None:
        return
    if path.suffix.lower() not in _NO_DATE:
        raise InputError(f"{path}: a plot must be a .svg, .pdf or .png file")
    if not can_write(path):
        raise InputError(f"{path}: a plot cannot be written there")
    _require_matplotlib()


def _require_matplotlib() -> None:
    if find_spec("matplotlib") is None:
        raise MissingExtraError("matplotlib", extra="plot")


@contextmanager
def _style() -> Iterator[None]:
    _require_matplotlib()
    from matplotlib import rc_context

    with rc_context(_STYLE):
        yield


def _new_figure() -> "Figure":
    from matplotlib.figure import Figure

    return Figure(layout="constrained")
