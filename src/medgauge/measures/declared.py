"""The measures as declared values: what each is called, means and lies between, and who proposed it.

`measures.score` computes them.
"""

from dataclasses import dataclass
from typing import Literal

from medgauge.errors import InputError, UnknownNameError

Family = Literal["words", "vectors", "pairs"]
"""What a model gives: a vector for each word, one for a term, or a score for a pair."""

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
    """A measure of similarity between two terms."""

    name: str
    family: Family
    symbol: str
    meaning: str
    lowest: float
    citation: str = ""
    highest: float = 1.0


def _of_words(how: str, what: str) -> list[Measure]:
    named = [
        ("cos", "cos", "cosine"),
        ("pearson", "r", "Pearson's r"),
        ("spearman", "ρ", "Spearman's ρ"),
        ("kendall", "τ", "Kendall's τ-b"),
    ]
    return [
        Measure(f"{how}_{name}", "words", f"{how}_{symbol}", f"{title} {what}", -1.0, _CORRELATIONS)
        for name, symbol, title in named
    ]


MEASURES: dict[str, Measure] = {
    measure.name: measure
    for measure in (
        *_of_words("avg", "of the means of the two terms' word vectors"),
        *_of_words("pair", "averaged over all pairs of a word of each term"),
        Measure("fj", "words", "fJ", "fuzzy (DynaMax) Jaccard over the words of both", 0.0, _FUZZY),
        Measure("mj", "words", "mJ", "Jaccard of the max-pooled word vectors", 0.0, _FUZZY),
        Measure("cos", "vectors", "cos", "cosine of the two term vectors", -1.0),
        Measure("pearson", "vectors", "r", "Pearson's r of the two term vectors", -1.0, _CORRELATIONS),
        Measure("spearman", "vectors", "ρ", "Spearman's ρ of the two term vectors", -1.0, _CORRELATIONS),
        Measure("kendall", "vectors", "τ", "Kendall's τ-b of the two term vectors", -1.0, _CORRELATIONS),
        Measure("score", "pairs", "score", "the model's own score of a pair", float("-inf")),
    )
}


def measures_for(family: Family, chosen: list[str] | None = None) -> list[str]:
    """Name the measures that a model of this family has, among the chosen ones (None: all).

    >>> measures_for("vectors")
    ['cos', 'pearson', 'spearman', 'kendall']
    >>> measures_for("words", ["fj", "cos"])
    ['fj']
    """
    for name in chosen or []:
        if name not in MEASURES:
            raise UnknownNameError("measure", name, MEASURES)
    has = [name for name, measure in MEASURES.items() if measure.family == family]
    # A model that scores pairs itself has one score, whatever was asked of the embeddings.
    if chosen is None or family == "pairs":
        return has
    found = [name for name in chosen if name in has]
    if not found:
        raise InputError(
            f"none of the measures {', '.join(chosen)} is for a model that gives {family}: "
            f"choose among {', '.join(has)}"
        )
    return found
