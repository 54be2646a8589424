"""The measures as declared values: name, kind of model, range and citation.

`measures.score` computes them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from medgauge.errors import InputError, UnknownNameError
from medgauge.progress import remark

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


STANDARD: dict[ModelFamily, str] = {"words": "avg_cos", "vectors": "cos", "pairs": "score"}
"""The measure that is shown and compared unless another is asked for."""


def measure_name(given: str) -> str:
    """Return the name of a measure that is given in any case, or with cosine spelled out.

    >>> measure_name("FJ"), measure_name("cosine"), measure_name("avg_cosine")
    ('fj', 'cos', 'avg_cos')
    """
    name = given.lower().replace("cosine", "cos")
    if name not in MEASURES:
        raise UnknownNameError("measure", given, MEASURES)
    return name


def meant_by(name: str, family: ModelFamily) -> str:
    """Return what a measure means for a family: for word vectors, cos and correlations are those of means.

    >>> meant_by("cos", "words"), meant_by("cos", "vectors"), meant_by("fj", "words")
    ('avg_cos', 'cos', 'fj')
    """
    return f"avg_{name}" if family == "words" and name in _BASIC else name


def remark_meaning(name: str, meaning: str) -> None:
    """Report that a measure was taken to mean another one."""
    remark(f"{name} means {meaning} for models of word vectors")


def measures_for(family: ModelFamily, chosen: list[str] | None = None) -> list[str]:
    """Return the measures for a model of this family, among the chosen ones (None: all).

    >>> measures_for("vectors")
    ['cos', 'pearson', 'spearman', 'kendall']
    >>> measures_for("words", ["fj", "cosine"])
    ['fj', 'avg_cos']
    """
    return measures_of({"": family}, chosen)[""]


def measures_of(families: Mapping[str, ModelFamily], chosen: list[str] | None = None) -> dict[str, list[str]]:
    """Return the measures for each of several models, among the chosen ones (None: all).

    cos, pearson, spearman and kendall are for models with one vector per term. Chosen beside measures of word
    vectors, they are for the models of term vectors, if there are any; else they mean avg_cos and so on. A
    measure that no model has is left out with a remark, or refused if a model is left without one.

    >>> measures_of({"glove": "words", "encoder": "vectors"}, ["fj", "cos"])
    {'glove': ['fj'], 'encoder': ['cos']}
    """
    if chosen is not None:
        if not chosen:
            raise InputError("no measure was given")
        chosen = list(dict.fromkeys(map(measure_name, chosen)))
    meanings = {family: _meanings(family, chosen, families.values()) for family in families.values()}
    for name in chosen or ():
        found = {of[name]: None for of in meanings.values() if name in of}
        if not found:
            remark(f"no model has the measure {name}: it is left out")
        for meaning in found:
            if meaning != name:
                remark_meaning(name, meaning)
    return {name: list(dict.fromkeys(meanings[family].values())) for name, family in families.items()}


def _meanings(family: ModelFamily, chosen: list[str] | None, of_run: Iterable[ModelFamily]) -> dict[str, str]:
    """Return what each chosen measure means for a family, of those that it has."""
    has = [name for name, measure in MEASURES.items() if measure.family == family]
    # A model that scores pairs itself has one score, whichever measures were chosen for embeddings.
    if chosen is None or family == "pairs":
        return {name: name for name in has}
    others = set(of_run) if any(name in has for name in chosen) else set()
    found = {
        name: meaning
        for name in chosen
        if (meaning := meant_by(name, family)) in has
        and (meaning == name or MEASURES[name].family not in others)
    }
    if not found:
        raise InputError(
            f"none of the measures {', '.join(chosen)} is for a model that provides {family}: "
            f"choose among {', '.join(has)}"
        )
    return found
