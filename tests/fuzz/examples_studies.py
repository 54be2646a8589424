"""Kinds of studies, of annotation and of benchmarks, and of ratings made elsewhere."""

import json
from collections.abc import Callable
from importlib import resources
from pathlib import Path

from medgauge.annotate.exchange.export import export_study
from medgauge.annotate.exchange.importing import import_ratings
from medgauge.annotate.store.store import DATABASE
from medgauge.annotate.store.study import Pair
from medgauge.protocol import load_protocol
from medgauge.study.study_file import load_study, study_text
from tests.annotate.studies import Task, Ticking, make, rate
from tests.fuzz.examples_tables import PAIRS, csv_of, file, ratings_frame
from tests.fuzz.kind import Kind
from tests.fuzz.mutations import NESTED, RAW, TABLE
from tests.fuzz.structures import DATABASE as EDIT
from tests.fuzz.structures import JSON

_GRADED = (resources.files("medgauge") / "protocols" / "graded.toml").read_text("utf-8")


def _study(folder: Path) -> None:
    pairs = [Pair(str(n), *terms, "example", n % 2) for n, terms in enumerate(PAIRS[:6])]
    tasks = {name: [Task(n, 1 + n // 3, n) for n in range(6)] for name in ("Ann", "Bea")}
    given = {"name": "example", "protocol": _GRADED, "pairs": pairs, "tasks": tasks, "clock": Ticking()}
    with make(folder / "study", **given) as store:
        for annotator in (1, 2):
            for place in range(6):
                rate(store, annotator, place, float(place % 4) if place else None)
                if place == 2:
                    store.submit_page(annotator, 1)


def _exported(folder: Path) -> object:
    found = export_study(folder / "study")
    return found.table.rows(), found.card.model_dump_json(), found.complete, found.open


def _protocol(folder: Path) -> object:
    return load_protocol(folder / "mine.toml").model_dump_json()


def _tasks() -> bytes:
    tasks = [
        {
            "id": number,
            "data": {"term_1": first, "term_2": second, "pair_id": str(number)},
            "annotations": [
                {
                    "id": 10 * number + who,
                    "completed_by": who,
                    "result": [
                        {
                            "from_name": "relatedness",
                            "type": "choices",
                            "value": {"choices": [str(number % 4)]},
                        }
                    ],
                    "was_cancelled": False,
                    "updated_at": "2021-03-09T23:17:09.528378+01:00",
                    "lead_time": 4.288,
                }
                for who in (1, 2)
            ],
        }
        for number, (first, second) in enumerate(PAIRS[:5], 1)
    ]
    return json.dumps(tasks, indent=1).encode()


def _flat_tasks() -> bytes:
    rows = [
        {
            "id": number,
            "term_1": first,
            "term_2": second,
            "relatedness": str(number % 4),
            "annotator": 1,
            "annotation_id": number,
            "updated_at": "2021-03-09T23:17:09Z",
            "lead_time": 2.5,
        }
        for number, (first, second) in enumerate(PAIRS[:5], 1)
    ]
    return json.dumps(rows, indent=1).encode()


def _imported(name: str, **options: object) -> Callable[[Path], object]:
    def read(folder: Path) -> object:
        table, card = import_ratings([folder / name], **options)
        return table.rows(), card.scale

    return read


def _benchmark_study(folder: Path) -> object:
    return load_study(folder / "study.toml").model_dump_json()


KINDS = (
    Kind(
        "benchmark-study",
        file("study.toml", study_text("windows").encode),
        ("study.toml",),
        _benchmark_study,
        NESTED,
    ),
    Kind("study", _study, (f"study/{DATABASE}",), _exported, (*RAW, EDIT, EDIT, EDIT, EDIT)),
    Kind("protocol", file("mine.toml", _GRADED.encode), ("mine.toml",), _protocol, NESTED),
    Kind(
        "label-studio",
        file("ls.json", _tasks),
        ("ls.json",),
        _imported("ls.json"),
        (*NESTED, JSON, JSON, JSON),
    ),
    Kind(
        "label-studio-min",
        file("ls.json", _flat_tasks),
        ("ls.json",),
        _imported("ls.json", control="relatedness"),
        (*NESTED, JSON, JSON, JSON),
    ),
    Kind(
        "import-csv",
        file("ratings.csv", lambda: csv_of(ratings_frame())),
        ("ratings.csv",),
        _imported("ratings.csv"),
        TABLE,
    ),
)
