"""Reading a stored result of any kind, recognised by what it holds, to show it again."""

from pathlib import Path

from pydantic_core import from_json

from medgauge.build.manifest import MANIFEST, Manifest
from medgauge.build.records.data_sheet import DATA_SHEET, DataSheet
from medgauge.build.words.word_sheet import WORD_SHEET, WordSheet
from medgauge.categories.separated import CategorySeparation
from medgauge.comparison.comparison import Comparison
from medgauge.comparison.correlate import Correlations
from medgauge.composition.benchmark_coverage import BenchmarkCoverage
from medgauge.errors import FileError
from medgauge.evaluation.measure_choice import MeasureChoice
from medgauge.evaluation.run import RESULTS, Run
from medgauge.files.opening import read_bytes
from medgauge.files.parquet import is_parquet
from medgauge.inspection.inspected import WorstPairs
from medgauge.mapping.concept_map import ConceptMap
from medgauge.ner.recognition_result import EntityRecognition
from medgauge.probing.probed import Probe
from medgauge.ratings.findings import Agreement
from medgauge.result import StoredResult
from medgauge.study.study_result import STUDY_RESULT, StudyResult
from medgauge.study.study_schedule import StudySchedule

_KINDS: tuple[type[StoredResult], ...] = (
    Run,
    Comparison,
    Agreement,
    Correlations,
    CategorySeparation,
    Manifest,
    DataSheet,
    WordSheet,
    MeasureChoice,
    WorstPairs,
    Probe,
    EntityRecognition,
    BenchmarkCoverage,
    ConceptMap,
    StudyResult,
    StudySchedule,
)
_WANTED = "give the folder of a stored run or build, or the JSON of a result"


def load_result(path: str | Path) -> StoredResult:
    """Read a stored result of any kind: the folder of a run or a build, or a file that `to_json` wrote.

    The kind is recognised by the fields that the file has, so files of older versions are read too. Nothing
    is computed. A file that is none of these, or is damaged, is a FileError.

    >>> import tempfile
    >>> from medgauge.comparison.correlate import correlate
    >>> import polars as pl
    >>> table = pl.DataFrame({"model": ["a", "b", "c"], "x": [0.1, 0.4, 0.2]})
    >>> found = correlate(table, table.rename({"x": "y"}))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     stored = Path(folder) / "found.json"
    ...     _ = stored.write_text(found.to_json())
    ...     load_result(stored) == found
    True
    """
    path = Path(path)
    if path.is_dir():
        path = _main_file(path)
    elif path.is_file() and is_parquet(path):
        raise FileError(path, f"is a Parquet file, which holds pairs or scores and not a result; {_WANTED}")
    return _kind_of(path).load(path)


def _main_file(folder: Path) -> Path:
    names = (RESULTS, MANIFEST, DATA_SHEET, WORD_SHEET, STUDY_RESULT)
    for name in names:
        if (folder / name).is_file():
            return folder / name
    raise FileError(folder, f"is not a stored run or build: it has none of {', '.join(names)}; {_WANTED}")


def _kind_of(path: Path) -> type[StoredResult]:
    """Return the kind of which the file has the largest share of fields, if it has most of them."""
    try:
        stored = from_json(read_bytes(path))
    except ValueError as error:
        raise FileError(path, f"is not JSON ({error}), so it is damaged or not a result; {_WANTED}") from None
    names = set(stored) if isinstance(stored, dict) else set()

    def share(kind: type[StoredResult]) -> float:
        required = {name for name, field in kind.model_fields.items() if field.is_required()}
        return len(required & names) / len(required)

    kind = max(_KINDS, key=share)
    if share(kind) <= 0.5:
        raise FileError(path, f"is JSON, but not a result of medgauge; {_WANTED}")
    return kind
