"""The one seam to matplotlib: a figure for a paper, written as SVG, PDF or PNG."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from medgauge.errors import InputError, MissingExtraError
from medgauge.files import can_write, writing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Colours that colour-blind readers tell apart (Okabe and Ito 2008)."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
"""Markers beside the colours, for a print in grey."""

_STYLE: Any = {
    "axes.spines.right": False,
    "axes.spines.top": False,
    "font.size": 9,
    "legend.frameon": False,
    "pdf.fonttype": 42,  # text stays text, as journals ask
    "savefig.dpi": 300,
    "svg.fonttype": "none",
    "svg.hashsalt": "medgauge",  # the same plot has the same bytes
    "text.parse_math": False,  # a $ in a name is a $
}
_NO_DATE = {".pdf": {"CreationDate": None}, ".svg": {"Date": None}, ".png": {}}


def check_plot(path: Path | None) -> None:
    """Refuse a plot that could not be drawn, before the work that it would show."""
    if path is None:
        return
    if path.suffix.lower() not in _NO_DATE:
        raise InputError(f"{path}: a plot is written as .svg, .pdf or .png")
    if not can_write(path):
        raise InputError(f"{path}: a plot cannot be written there")
    if find_spec("matplotlib") is None:
        raise MissingExtraError("matplotlib", extra="plot")


@contextmanager
def drawing(path: Path, *, width: float, height: float) -> "Iterator[Figure]":
    """Give an empty figure of that size in inches, and write it when the block ends."""
    check_plot(path)
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(_STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        yield figure
        kind = path.suffix.lower()
        with writing(path) as temporary:
            figure.savefig(temporary, format=kind[1:], metadata=_NO_DATE[kind])
