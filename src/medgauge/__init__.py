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
    from medgauge.build.terminology.build import build_terminology
    from medgauge.catalog.as_pairs import as_pairs
    from medgauge.catalog.datasets import load_dataset
    from medgauge.categories.separated import CategorySeparation
    from medgauge.categories.separation import category_separation
    from medgauge.comparison.compare import compare
    from medgauge.comparison.comparison import Comparison
    from medgauge.comparison.correlate import Correlations, correlate
    from medgauge.errors import MedgaugeError, MedgaugeWarning
    from medgauge.estimate import Estimate
    from medgauge.evaluation.evaluate import evaluate
    from medgauge.evaluation.measure_choice import MeasureChoice
    from medgauge.evaluation.run import Run
    from medgauge.evaluation.scoring import similarity
    from medgauge.inspection.inspected import WorstPairs
    from medgauge.inspection.worst_pairs import worst_pairs
    from medgauge.models.base import ModelCard
    from medgauge.models.in_memory import as_model
    from medgauge.models.load import load_model
    from medgauge.nearest import NearestTerms
    from medgauge.pairs import Card, Pairs, PairSet
    from medgauge.ratings.agreement import agreement
    from medgauge.ratings.findings import Agreement
    from medgauge.ratings.gold import Gold, gold
    from medgauge.report.stored_results import load_result

__all__ = [
    "Agreement",
    "Card",
    "CategorySeparation",
    "Comparison",
    "Correlations",
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
    "Run",
    "WorstPairs",
    "agreement",
    "as_model",
    "as_pairs",
    "build_terminology",
    "category_separation",
    "compare",
    "correlate",
    "evaluate",
    "gold",
    "load_dataset",
    "load_model",
    "load_result",
    "similarity",
    "worst_pairs",
]

find_place(Path(__file__).parent)

# Names are loaded when first used, so that `medgauge --help` and a single import stay quick.
_HOMES = {
    "Agreement": "ratings.findings",
    "Card": "pairs",
    "CategorySeparation": "categories.separated",
    "Comparison": "comparison.comparison",
    "Correlations": "comparison.correlate",
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
    "Run": "evaluation.run",
    "WorstPairs": "inspection.inspected",
    "agreement": "ratings.agreement",
    "as_model": "models.in_memory",
    "as_pairs": "catalog.as_pairs",
    "build_terminology": "build.terminology.build",
    "category_separation": "categories.separation",
    "compare": "comparison.compare",
    "correlate": "comparison.correlate",
    "evaluate": "evaluation.evaluate",
    "gold": "ratings.gold",
    "load_dataset": "catalog.datasets",
    "load_model": "models.load",
    "load_result": "report.stored_results",
    "similarity": "evaluation.scoring",
    "worst_pairs": "inspection.worst_pairs",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'medgauge' has no attribute '{name}'")
    return getattr(import_module(f"medgauge.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
