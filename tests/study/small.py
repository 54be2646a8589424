"""A small study: files that take no time to read, and its plan in rooms that only count."""

from pathlib import Path

from medgauge.estimate import CONFIDENCE
from medgauge.files.writing import write_text
from medgauge.study.rooms.room_protocols import Rooms
from medgauge.study.run_study import perform
from medgauge.study.study_file import StudyFile
from medgauge.study.study_inputs import read_inputs
from medgauge.study.study_plan import StudyPlan
from medgauge.study.study_result import StudyResult
from tests.runs import word_pairs
from tests.support.study_rooms import Asked, small_rooms
from tests.vectors import WORDS, some_vectors, write_binary


def write_inputs(folder: Path) -> Path:
    """Write a corpus, two sets, an NER corpus and two files of vectors; return the folder."""
    write_text(folder / "corpus.parquet", " ".join(WORDS))
    write_text(folder / "text.txt", " ".join(WORDS))
    for number, name in enumerate(("alike", "related")):
        word_pairs(name, count=40, seed=number).save(folder / f"{name}.parquet")
    for name in ("GENES", "DISEASES"):
        write_text(folder / name / "train.tsv", f"{name}\tO\n")
    write_binary(folder / "old.bin", some_vectors(*WORDS, seed=7))
    write_binary(folder / "news.bin", some_vectors(*WORDS, seed=8))
    return folder


def small_study(folder: Path, **changes: object) -> StudyFile:
    """Return a study of the written inputs."""
    fields = {
        "title": "Small",
        "corpus": str(folder / "corpus.parquet"),
        "architectures": ["sg"],
        "windows": [1, 2, 5],
        "sets": [str(folder / f"{name}.parquet") for name in ("alike", "related")],
        "ner_corpora": [str(folder / "GENES"), str(folder / "DISEASES")],
        "subsets": {"alike": "noun"},
        "ner": {"trials": 2, "epochs": 4},
        "training": {"dim": 4},
    }
    return StudyFile.model_validate(fields | changes)


def plan_of(study: StudyFile, rooms: Rooms | None = None, confidence: float = CONFIDENCE) -> StudyPlan:
    """Return the plan of a study."""
    rooms = rooms or small_rooms()
    return StudyPlan(read_inputs(study, rooms), rooms, confidence=confidence)


def run(
    study: StudyFile,
    out: Path,
    asked: Asked | None = None,
    *,
    confidence: float = CONFIDENCE,
    **options: object,
) -> StudyResult:
    """Run a study in small rooms, without plots unless they are wanted, as these take longest."""
    plan = plan_of(study, small_rooms(asked), confidence)
    return perform(plan, out, **({"plots": False} | options))
