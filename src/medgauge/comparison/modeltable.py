"""Figures of several models, a row for each model: from a table, a frame or a run."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from medgauge.arrays import Doubles
from medgauge.errors import FileError
from medgauge.evaluation.run import RESULTS, Run
from medgauge.files.file_names import clean_name
from medgauge.frames import Frame, as_frame, is_frame
from medgauge.ner.recognition_result import EntityRecognition, is_recognition
from medgauge.tables import Row, Table, frame_table, is_missing, read_table, to_number

Side = Literal["intrinsic", "extrinsic"]
TableSource = str | Path | Run | EntityRecognition | Frame
"""A CSV, TSV or Parquet file, the folder of a stored result, a result, or any table in memory."""


@dataclass(frozen=True)
class ModelTable:
    """A row of `values` for each model and a column for each name in `columns`; NaN is missing.

    `measures` are those of a run's figures, empty for a table; `chosen` says that each figure is that of the
    best of several measures.
    """

    source: str
    models: list[str]
    columns: list[str]
    values: Doubles
    measures: tuple[str, ...] = ()
    chosen: bool = False


def model_table(source: TableSource, side: Side) -> ModelTable:
    """Read the figures of models; `side` names a source that has no file name.

    The first column of a file or frame names the model, the others hold numbers. The columns of a run are
    its sets: Spearman's ρ, or the AUC of a labelled set, of each model's best measure. Those of entity
    recognition are its corpora: the mean F over the trials.
    """
    if isinstance(source, Run):
        return _of_run(source, f"the {side} run")
    if isinstance(source, EntityRecognition):
        return _of_recognition(source, f"the {side} result")
    if is_frame(source):
        return _of_table(frame_table(as_frame(source), Path(f"the {side} frame")))
    path = Path(source)
    if path.is_dir() or path.name == RESULTS:
        folder = path if path.is_dir() else path.parent
        if (folder / RESULTS).is_file() and is_recognition(folder / RESULTS):
            return _of_recognition(EntityRecognition.load(folder), str(source))
        return _of_run(Run.load(folder), str(source))
    return _of_table(read_table(path))


def _of_run(run: Run, source: str) -> ModelTable:
    shown = run.shown_figures()
    figures = [
        [shown[card.name, used.name, "auc" if used.labelled else "spearman"] for used in run.datasets]
        for card in run.models
    ]
    return ModelTable(
        source,
        [card.name for card in run.models],
        [used.name for used in run.datasets],
        np.array([[figure.value for figure in row] for row in figures]),
        tuple(dict.fromkeys(figure.measure for row in figures for figure in row)),
        run.several_measures and run.settings.shown == "best",
    )


def _of_recognition(found: EntityRecognition, source: str) -> ModelTable:
    f_of = found.f_by_model()
    models, corpora = [card.name for card in found.models], [used.name for used in found.corpora]
    values = np.array([[f_of[model, corpus].f for corpus in corpora] for model in models])
    return ModelTable(source, models, corpora, values)


def _of_table(table: Table) -> ModelTable:
    columns = _columns(table)
    if not table.rows:
        raise FileError(table.path, "the table has a header but no models")
    places: dict[str, str] = {}
    for row in table.rows:
        name = "" if row.values[0] is None else clean_name(str(row.values[0]).strip())
        if not name:
            raise FileError(table.path, "the first column, for the model's name, is blank", place=row.place)
        if name in places:
            raise FileError(table.path, f"this model is already in {places[name]}", place=row.place)
        places[name] = row.place
    values = [[_figure(table, row, column) for column in range(1, len(table.header))] for row in table.rows]
    return ModelTable(str(table.path), list(places), columns, np.array(values, np.float64))


def _columns(table: Table) -> list[str]:
    """Return the columns of figures; messages number them, since the first line may hold terms instead."""
    columns = [clean_name(name.strip()) for name in table.header[1:]]
    if not columns:
        raise FileError(table.path, "there is only one column; figures must follow the models' names")
    for number, name in enumerate(columns, 2):
        if not name:
            raise FileError(table.path, f"column {number} has no name")
        if name in columns[: number - 2]:
            raise FileError(table.path, f"columns {columns.index(name) + 2} and {number} have the same name")
    if not any(math.isnan(to_number(name)) for name in columns):
        raise FileError(table.path, "the first line has numbers instead of column names")
    return columns


def _figure(table: Table, row: Row, column: int) -> float:
    number = table.parsed(row, column)
    if math.isnan(number) and not is_missing(row.values[column]):
        raise FileError(table.path, f"the value in column {column + 1} is not a number", place=row.place)
    return number
