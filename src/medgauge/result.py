"""Result: what every result of medgauge can do, in notebooks, as frames, as tables and as plots.

    Result
    ├── StoredResult        can be read back from its JSON: Run, Comparison, Agreement, …
    └── Gold                is stored as a set of pairs instead

Each kind names its report. The report is loaded by that name when it is first needed, and only here, so that
the packages that compute do not import the one that reports: `medgauge.report.KIND_tables` has the
functions `summary`, `grids` and `rows`, and `medgauge.report.plots.KIND_plot` has `draw`. A kind may have the
name of a folder before it, as in "study.schedule".
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from medgauge.errors import FileError, MissingExtraError
from medgauge.files.opening import read_text, require_file

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    from matplotlib.figure import Figure

_LARGEST = 1 << 28  # bytes of JSON: a million figures
_LONGEST = 10_000  # characters of a name; a table with longer ones takes minutes to lay out


class Result(ABC):
    """A result: it prints a short summary, and converts to a frame, a table or a plot."""

    _kind: ClassVar[str]

    def __repr__(self) -> str:
        about, *lines = self._tables.summary(self)
        return "\n  ".join([f"{type(self).__name__}: {about}", *lines])

    __str__ = __repr__

    def _repr_html_(self) -> str:
        """Return the HTML that notebooks show."""
        return self.to_html()

    def to_frame(self) -> "pl.DataFrame":
        """Return the figures as a Polars frame, one row for each: what `--format csv` prints."""
        import polars as pl

        columns, rows = self._tables.rows(self)
        # Not strict: a column of figures may contain whole numbers.
        return pl.DataFrame(rows, schema=columns, orient="row", strict=False)

    def to_pandas(self) -> "pd.DataFrame":
        """Return the figures as a pandas frame, one row for each."""
        if find_spec("pandas") is None:
            raise MissingExtraError("pandas")
        import pandas as pd

        # Polars' own to_pandas would also need pyarrow.
        return pd.DataFrame(self.to_frame().to_dict(as_series=False))

    @abstractmethod
    def to_json(self) -> str:
        """Return everything as JSON."""

    def to_csv(self) -> str:
        """Return the figures as CSV, one row for each."""
        return str(_report("grids.grid").to_csv(*self._tables.rows(self)))

    def to_markdown(self, *, intervals: bool = True) -> str:
        """Return the tables as Markdown, with or without intervals."""
        return self._written("md", intervals)

    def to_latex(self, *, intervals: bool = True) -> str:
        """Return the tables as LaTeX for the package booktabs, narrow enough for a portrait page."""
        return self._written("latex", intervals)

    def to_html(self, *, intervals: bool = True) -> str:
        """Return the tables as HTML, to embed in a page, with or without intervals."""
        return self._written("html", intervals)

    def grids(self, *, intervals: bool = True) -> list[Any]:
        """Return the tables as `medgauge.report.grids.grid.Grid`, which the other methods write."""
        found = self._tables.grids(self)
        return list(found) if intervals else [grid.without_intervals() for grid in found]

    def plot(self, figure: "Figure | None" = None) -> Any:
        """Draw the result on `figure` or a new one, and return the axes as an array.

        A notebook shows the array as its figure, which is its attribute `figure`: save it with
        `result.plot().figure.savefig("plot.pdf")`. A new figure is not registered with pyplot.
        """
        draw = _report(f"plots.{self._kind}_plot").draw
        return _report("plots.canvas").draw_plot(lambda onto: draw(self, onto), figure)

    def save_plot(self, path: str | Path) -> None:
        """Draw the result and write it to a .svg, .pdf or .png file, with the same bytes each time."""
        _report("plots.canvas").write_plot(Path(path), self.plot)

    @property
    def _tables(self) -> Any:
        return _report(f"{self._kind}_tables")

    def _written(self, form: str, intervals: bool) -> str:
        return str(_report("grids.formats").write(self.grids(intervals=intervals), form))


class StoredResult(Result, BaseModel):
    """A result that can be read back from its JSON."""

    def __repr_args__(self) -> Any:
        # Rich prints these; otherwise it would print all fields.
        return [(None, line) for line in self._tables.summary(self)]

    def __eq__(self, other: object) -> bool:
        """Return whether both have the same JSON; NaN is equal to NaN."""
        return type(self) is type(other) and self.to_json() == other.to_json()

    def to_json(self) -> str:
        """Return everything as JSON."""
        return self.model_dump_json(indent=2) + "\n"

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a result from the JSON file that `to_json` or `--format json` wrote."""
        return cls._read(path, f"does not hold a {cls.__name__}")

    @classmethod
    def _read(cls, path: str | Path, complaint: str) -> Self:
        """Read a result that is complete; `complaint` says that a file does not hold one."""
        path = require_file(path)
        if (size := path.stat().st_size) > _LARGEST:
            raise FileError(path, f"{complaint}: it has {size:,} bytes, and a result at most {_LARGEST:,}")
        text = read_text(path)
        try:
            found = cls.model_validate_json(text)
        except ValidationError as error:
            problem = error.errors(include_url=False, include_input=False, include_context=False)[0]
            place = ".".join(map(str, problem["loc"])) or None
            raise FileError(path, f"{complaint}: {problem['msg']}", place=place) from None
        if (length := _longest_text(from_json(text))) > _LONGEST:
            raise FileError(path, f"{complaint}: it has a text of {length:,} characters")
        if flaw := found._flaw():
            raise FileError(path, f"is damaged: {flaw}")
        return found

    def _flaw(self) -> str | None:
        """Return what is missing or contradictory in what was read, None if nothing is."""
        return None


def check_plots(folder: Path, names: Iterable[str]) -> None:
    """Refuse a folder in which plots with these names cannot be written, before the work starts."""
    _report("plots.canvas").check_plots(folder, names)


def _longest_text(value: Any) -> int:
    """Return the length of the longest text in parsed JSON.

    >>> _longest_text({"name": ["a", {"long": "abc"}], "n": 1})
    4
    """
    longest = 0
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            longest = max(longest, len(one))
        elif isinstance(one, dict):
            waiting += [*one.keys(), *one.values()]
        elif isinstance(one, list):
            waiting += one
    return longest


def _report(module: str) -> Any:
    """Load a module of `medgauge.report` by its name."""
    return import_module(f"medgauge.report.{module}")
