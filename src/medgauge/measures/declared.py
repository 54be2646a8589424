"""The measures as declared values: name, kind of model, range and citation.

`measures.score` computes them.
"""

from dataclasses import dataclass
from typing import Literal

from medgauge.errors import InputError, UnknownNameError

ModelFamily = Literal["words", "vectors", "pairs"]
"""What a model provides: a vector for each word, one for each term, or a score for each pair."""

_CORRELATIONS = (
    "Zhelezniak, Savkov, Shen and Hammerla (2019). Correlation coefficients and semantic textual "
    "similarity. NAACL, 951-962."
)
_FUZZY = (
    "Zhelezniak, Savkov, Shen, Moramarco, Flann and Hammerla (2019). Don't settle for average, go for the "
    "max: fuzzy sets and max-pooled word vectors. ICLR."
)


@dataclass(frozen=True)
class Measure:
    """A measure of similarity between two terms; docs/measures.md says what each is."""

    name: str
    family: ModelFamily
    lowest: float
    highest: float
    citation: str = ""


_BASIC = ("cos", "pearson", "spearman", "kendall")

MEASURES: dict[str, Measure] = {
    measure.name: measure
    for measure in (
        *(Measure(f"avg_{name}", "words", -1.0, 1.0, _CORRELATIONS) for name in _BASIC),
        *(Measure(f"pair_{name}", "words", -1.0, 1.0, _CORRELATIONS) for name in _BASIC),
        Measure("fj", "words", 0.0, 1.0, _FUZZY),
        Measure("mj", "words", 0.0, 1.0, _FUZZY),
        *(Measure(name, "vectors", -1.0, 1.0, _CORRELATIONS) for name in _BASIC),
        Measure("score", "pairs", float("-inf"), float("inf")),
    )
}


def measures_for(family: ModelFamily, chosen: list[str] | None = None) -> list[str]:
    """Return the measures for a model of this family, among the chosen ones (None: all).

    >>> measures_for("vectors")
    ['cos', 'pearson', 'spearman', 'kendall']
    >>> measures_for("words", ["fj", "cos"])
    ['fj']
    """
    for name in chosen or []:
        if name not in MEASURES:
            raise UnknownNameError("measure", name, MEASURES)
    has = [name for name, measure in MEASURES.items() if measure.family == family]
    # A model that scores pairs itself has one score, whichever measures were chosen for embeddings.
    if chosen is None or family == "pairs":
        return has
    if not chosen:
        raise InputError("no measure was given")
    found = [name for name in dict.fromkeys(chosen) if name in has]
    if not found:
        raise InputError(
            f"none of the measures {', '.join(chosen)} is for a model that provides {family}: "
            f"choose among {', '.join(has)}"
        )
    return found
