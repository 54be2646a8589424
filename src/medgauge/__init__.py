"""medgauge gauges how well embeddings know medical language.

>>> import medgauge
>>> medgauge.similarity("renal failure", "renal disease", model="token-jaccard")
0.3333333333333333
"""

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from medgauge.compiling import find_place

if TYPE_CHECKING:
    from medgauge.build.manifest import Manifest
    from medgauge.build.records.data_sheet import DataSheet
    from medgauge.build.records.from_records import build_records
    from medgauge.build.terminology.build import build_terminology
    from medgauge.build.words.from_words import build_words
    from medgauge.build.words.word_sheet import WordSheet
    from medgauge.catalog.as_pairs import as_pairs
    from medgauge.catalog.datasets import load_dataset
    from medgauge.categories.separated import CategorySeparation
    from medgauge.categories.separation import category_separation
    from medgauge.comparison.compare import compare
    from medgauge.comparison.comparison import Comparison
    from medgauge.comparison.correlate import Correlations, correlate
    from medgauge.composition.benchmark_coverage import BenchmarkCoverage
    from medgauge.composition.cover import coverage
    from medgauge.corpus.from_text import build_corpus
    from medgauge.corpus.stored_corpus import Corpus
    from medgauge.corpus.word_table import WordTable, corpus_words
    from medgauge.errors import MedgaugeError, MedgaugeWarning
    from medgauge.estimate import Estimate
    from medgauge.evaluation.evaluate import evaluate
    from medgauge.evaluation.measure_choice import MeasureChoice
    from medgauge.evaluation.run import Run
    from medgauge.evaluation.scoring import similarity
    from medgauge.inspection.inspected import WorstPairs
    from medgauge.inspection.worst_pairs import worst_pairs
    from medgauge.mapping.added_columns import add_concepts
    from medgauge.mapping.concept_map import ConceptMap
    from medgauge.mapping.map_concepts import map_concepts
    from medgauge.mapping.umls_service import UmlsService
    from medgauge.models.base import ModelCard
    from medgauge.models.in_memory import as_model
    from medgauge.models.load import load_model
    from medgauge.nearest import NearestTerms
    from medgauge.ner.entity_recognition import entity_recognition
    from medgauge.ner.recognition_result import EntityRecognition
    from medgauge.pairs import Card, Pairs, PairSet
    from medgauge.probing.probe import probe
    from medgauge.probing.probed import Probe
    from medgauge.ratings.agreement import agreement
    from medgauge.ratings.findings import Agreement
    from medgauge.ratings.gold import Gold, gold
    from medgauge.report.stored_results import load_result
    from medgauge.study.run_study import run_study, schedule_study
    from medgauge.study.study_result import StudyResult
    from medgauge.study.study_schedule import StudySchedule
    from medgauge.train.train_vectors import train_vectors

__all__ = [
    "Agreement",
    "BenchmarkCoverage",
    "Card",
    "CategorySeparation",
    "Comparison",
    "ConceptMap",
    "Corpus",
    "Correlations",
    "DataSheet",
    "EntityRecognition",
    "Estimate",
    "Gold",
    "Manifest",
    "MeasureChoice",
    "MedgaugeError",
    "MedgaugeWarning",
    "ModelCard",
    "NearestTerms",
    "PairSet",
    "Pairs",
    "Probe",
    "Run",
    "StudyResult",
    "StudySchedule",
    "UmlsService",
    "WordSheet",
    "WordTable",
    "WorstPairs",
    "add_concepts",
    "agreement",
    "as_model",
    "as_pairs",
    "build_corpus",
    "build_records",
    "build_terminology",
    "build_words",
    "category_separation",
    "compare",
    "corpus_words",
    "correlate",
    "coverage",
    "entity_recognition",
    "evaluate",
    "gold",
    "load_dataset",
    "load_model",
    "load_result",
    "map_concepts",
    "probe",
    "run_study",
    "schedule_study",
    "similarity",
    "train_vectors",
    "worst_pairs",
]

find_place(Path(__file__).parent)

# Names are loaded when first used, so that `medgauge --help` and a single import stay quick.
_HOMES = {
    "Agreement": "ratings.findings",
    "BenchmarkCoverage": "composition.benchmark_coverage",
    "Card": "pairs",
    "CategorySeparation": "categories.separated",
    "Comparison": "comparison.comparison",
    "ConceptMap": "mapping.concept_map",
    "Corpus": "corpus.stored_corpus",
    "Correlations": "comparison.correlate",
    "DataSheet": "build.records.data_sheet",
    "EntityRecognition": "ner.recognition_result",
    "Estimate": "estimate",
    "Gold": "ratings.gold",
    "Manifest": "build.manifest",
    "MeasureChoice": "evaluation.measure_choice",
    "MedgaugeError": "errors",
    "MedgaugeWarning": "errors",
    "ModelCard": "models.base",
    "NearestTerms": "nearest",
    "PairSet": "pairs",
    "Pairs": "pairs",
    "Probe": "probing.probed",
    "Run": "evaluation.run",
    "StudyResult": "study.study_result",
    "StudySchedule": "study.study_schedule",
    "UmlsService": "mapping.umls_service",
    "WordSheet": "build.words.word_sheet",
    "WordTable": "corpus.word_table",
    "WorstPairs": "inspection.inspected",
    "add_concepts": "mapping.added_columns",
    "agreement": "ratings.agreement",
    "as_model": "models.in_memory",
    "as_pairs": "catalog.as_pairs",
    "build_corpus": "corpus.from_text",
    "build_records": "build.records.from_records",
    "build_terminology": "build.terminology.build",
    "build_words": "build.words.from_words",
    "category_separation": "categories.separation",
    "compare": "comparison.compare",
    "corpus_words": "corpus.word_table",
    "correlate": "comparison.correlate",
    "coverage": "composition.cover",
    "entity_recognition": "ner.entity_recognition",
    "evaluate": "evaluation.evaluate",
    "gold": "ratings.gold",
    "load_dataset": "catalog.datasets",
    "load_model": "models.load",
    "load_result": "report.stored_results",
    "map_concepts": "mapping.map_concepts",
    "probe": "probing.probe",
    "run_study": "study.run_study",
    "schedule_study": "study.run_study",
    "similarity": "evaluation.scoring",
    "train_vectors": "train.train_vectors",
    "worst_pairs": "inspection.worst_pairs",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'medgauge' has no attribute '{name}'")
    return getattr(import_module(f"medgauge.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
