"""Run: the result of an evaluation, stored as a folder of readable files."""

import math
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Annotated, ClassVar

import numpy as np
import polars as pl
from pydantic import BaseModel, ConfigDict, Field, PlainSerializer

from medgauge.errors import FileError, InputError, UnknownNameError, option, quoted
from medgauge.estimate import CONFIDENCE, Estimate
from medgauge.evaluation.contamination import Contamination
from medgauge.evaluation.figures import GRADED_METRICS, LABELLED_METRICS, Figure, MainMetric
from medgauge.evaluation.measure_choice import MeasureChoice, measure_choice
from medgauge.evaluation.shown import Shown, shown_figures
from medgauge.evaluation.subset_tests import SubsetTest
from medgauge.files.opening import open_bytes
from medgauge.files.parquet import read_parquet
from medgauge.measures.declared import MEASURES
from medgauge.models.base import ModelCard
from medgauge.models.lookup import Oov, check_choice
from medgauge.pairs import SetKind
from medgauge.result import StoredResult
from medgauge.stats.systems.correlation import mean_correlation
from medgauge.stored import Count, Number, StoredConfidence, StoredName, StoredReason
from medgauge.strata.subsets import Cut, LeftOut

RESULTS = "results.json"
_OTHER_JSON = ("Field required", "Input should be an object")  # what pydantic says of it
PROTOCOL = 2  # raise it when the same inputs give different scores or figures than before


# JSON has no infinity; it is written as text, which can be read back.
Edge = Annotated[
    float, PlainSerializer(lambda edge: edge if math.isfinite(edge) else str(edge), when_used="json")
]


class Subset(BaseModel):
    """A subset: `compared` of its `n` pairs are covered by every model."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: StoredName
    n: Count
    compared: Count


class HumanBound(BaseModel):
    """The best annotator: ρ of the best rater with the mean rating, with and without their own.

    `reliability` is that of the mean rating, G(q,k), and the `ceiling` is its root, about what a model that
    knew the true values would score; NaN where they are undefined (`no_ceiling` says why), or where an
    earlier version wrote the run.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")

    with_own: Number
    with_own_rater: str | None
    without_own: Number
    without_own_rater: str | None
    undefined: StoredReason = None
    reliability: Annotated[Number, Field(exclude_if=math.isnan)] = math.nan
    ceiling: Annotated[Number, Field(exclude_if=math.isnan)] = math.nan
    no_ceiling: StoredReason = None


class TypeBaseline(BaseModel):
    """ρ of the median gold of each combination of types, on pairs whose combination occurs more than once."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")

    rho: Number
    pairs: Count
    combinations: Count
    undefined: StoredReason = None


class SetUsed(BaseModel):
    """A set that was evaluated on: `compared` of its `n` pairs are covered by every model.

    `majority` is the share of the more common label among those, which any accuracy has to beat; `human` and
    `types` are the best annotator with the ceiling, and the baseline of types, on them. `total` counts the
    pairs before `where` and `limit`, `skipped` those of the table that have no gold, `left_out` those in no
    subset, by reason; `cut` says how the subsets were made, and `columns` is a digest of the columns that all
    this depends on. `most_edits` is the Levenshtein distance by which the positives were chosen, if they
    were. `groups` is the file that says which pairs share a concept or stratum. `between_subsets` tests
    whether figures differ between the subsets.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")

    name: StoredName
    title: str
    kind: SetKind
    labelled: bool
    n: Count
    compared: Count
    majority: Annotated[float, Field(ge=0, le=1)] | None
    digest: str
    citation: str
    total: Count | None = None
    skipped: Annotated[Count, Field(exclude_if=lambda count: count == 0)] = 0
    most_edits: Annotated[Count | None, Field(exclude_if=lambda count: count is None)] = None
    human: HumanBound | None = None
    types: TypeBaseline | None = None
    subsets: list[Subset] = []
    cut: Cut | None = None
    left_out: dict[LeftOut, Count] = {}
    columns: str = ""
    groups: str = ""
    between_subsets: Annotated[list[SubsetTest], Field(exclude_if=lambda found: not found)] = []


class Coverage(BaseModel):
    """How many of a set's pairs a model covers by itself, and for how many of those a score is undefined.

    `subwords` counts the covered pairs with a word outside the vocabulary, whose vector is made of subwords;
    None, and not written, for a model that makes none. `without_key` counts the pairs in which a term has no
    id (or CUI) to look up; the other pairs that are not covered have one that the model lacks. It is None,
    and not written, for a model that looks up terms.
    `failures` counts the pairs without a score by the reason, of a model that gives reasons: a language model
    may refuse to rate a pair, and an ontology may not have a concept.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: StoredName
    dataset: StoredName
    n: Count
    covered: Count
    undefined: Count
    scores: str
    subwords: Annotated[Count | None, Field(exclude_if=lambda count: count is None)] = None
    without_key: Annotated[Count | None, Field(exclude_if=lambda count: count is None)] = None
    failures: Annotated[dict[str, Count], Field(exclude_if=lambda counts: not counts)] = {}


class UncoveredBounds(BaseModel):
    """What the main figure of a model on a set could be if the pairs that it does not cover had scores.

    `value` is the figure on the `covered` pairs alone, of `n`; `lowest` if the others all had the lowest
    score, `best` and `worst` if they were placed among the covered ones in the order of the gold, or
    reversed, so that no placement without further ties leads to a higher or lower figure.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")

    model: StoredName
    dataset: StoredName
    measure: str
    metric: MainMetric
    n: Count
    covered: Count
    value: Number
    lowest: Number
    worst: Number
    best: Number


class ServiceCost(BaseModel):
    """What the figures of a model behind a service cost, if none of its answers had been paid for before.

    `tokens` is an estimate, `price` that of a million tokens, and `cost` their product.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: StoredName
    tokens: Count
    price: Annotated[float, Field(ge=0)]
    cost: Annotated[float, Field(ge=0)]


class Settings(BaseModel):
    """What was asked for; `attributes` is the digest of a file, `shown` which measures tables show.

    Not written if it is the best measure: runs of protocol 1, which do not say it, showed that.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    measures: list[str] | None
    shown: Annotated[Shown, Field(exclude_if=lambda shown: shown == "best")] = "best"
    oov: Oov
    seed: int = Field(ge=0)
    limit: int | None
    where: str | None = None
    by: str | None = None
    bins: int | list[Edge] | None = None
    attributes: str | None = None
    types: tuple[str, str] | None = None
    confidence: StoredConfidence = CONFIDENCE


class Run(StoredResult):
    """The result of an evaluation: `results.json`, with the scores next to it once it is stored.

    All figures on a set are computed on the pairs that every model covers; `uncovered` has bounds for models
    that do not cover all pairs, by the measure that is shown. `contamination` has the models that were
    trained on what a set was made of, as far as their cards say. Figures on whole sets come first,
    then those on subsets.
    """

    model_config = ConfigDict(extra="forbid", ser_json_inf_nan="null")
    _kind: ClassVar[str] = "run"

    protocol: int
    versions: dict[str, str]
    settings: Settings
    models: list[ModelCard]
    datasets: list[SetUsed]
    coverage: list[Coverage]
    figures: list[Figure]
    uncovered: list[UncoveredBounds] = Field(default=[], exclude_if=lambda bounds: not bounds)
    costs: list[ServiceCost] = Field(default=[], exclude_if=lambda costs: not costs)
    contamination: list[Contamination] = Field(default=[], exclude_if=lambda found: not found)
    _folder: Path | None = None
    _scores: dict[tuple[str, str], pl.DataFrame] | None = None
    _groups: dict[str, pl.DataFrame] | None = None

    @classmethod
    def load(cls, folder: str | Path) -> "Run":
        """Read a stored run, by its folder or the results.json in it; without scores, from its JSON alone."""
        path = _results_in(Path(folder))
        try:
            run = cls._read(path, "is not a medgauge run")
        except FileError as error:
            if error.problem.endswith(_OTHER_JSON) and error.place in (None, "protocol"):
                raise FileError(path, f"is not the result of an evaluation; {_what_to_give()}") from None
            raise
        run.settle(path.parent)
        return run

    def _flaw(self) -> str | None:
        unknown = next((one.measure for one in self.figures if one.measure not in MEASURES), None)
        if unknown is not None:
            return f"there is no measure {quoted(unknown)}; evaluate again"
        everything = list(product((card.name for card in self.models), (used.name for used in self.datasets)))
        if not everything or sorted((one.model, one.dataset) for one in self.coverage) != sorted(everything):
            return "the coverage of some model on some set is missing; evaluate again"
        measures: dict[str, set[str]] = {}
        for one in self.figures:
            measures.setdefault(one.model, set()).add(one.measure)
        wanted = [
            (card.name, used.name, measure, metric, subset)
            for card in self.models
            for measure in measures.get(card.name, {""})
            for used in self.datasets
            for metric in (LABELLED_METRICS if used.labelled else GRADED_METRICS)
            for subset in (None, *(subset.name for subset in used.subsets))
        ]
        found = [(one.model, one.dataset, one.measure, one.metric, one.subset) for one in self.figures]
        if len(found) != len(wanted) or set(found) != set(wanted):
            return "the figures of some model on some set are missing; evaluate again"
        names = {card.name for card in self.models}
        for used in self.datasets:
            for test in used.between_subsets:
                if not {test.model, test.other or test.model} <= names:
                    return "a test between subsets is of another model; evaluate again"
        if not {(one.model, one.dataset) for one in self.contamination} <= set(everything):
            return "its contamination is of another model or set; evaluate again"
        return None

    @property
    def place(self) -> str:
        """The folder of a stored run, for messages about its files."""
        return "the run" if self._folder is None else str(self._folder)

    @property
    def several_measures(self) -> bool:
        """Whether some model has several measures, of which tables show the standard one or the best."""
        used = {(figure.model, figure.measure) for figure in self.figures}
        return len(used) > len({model for model, _ in used})

    def mean_correlations(self) -> dict[str, Estimate]:
        """Return each model's mean ρ over the graded sets, by Fisher's z: a summary without an interval.

        Of several measures, the one that the table shows counts. Empty where fewer than two sets
        are graded; undefined where a figure is.
        """
        graded = [used.name for used in self.datasets if not used.labelled]
        if len(graded) < 2:
            return {}
        shown = self.shown_figures()
        return {
            card.name: mean_correlation(
                np.array([shown[card.name, name, GRADED_METRICS[0]].value for name in graded])
            )
            for card in self.models
        }

    def shown_figures(self) -> dict[tuple[str, str, str], Figure]:
        """Return the figure that stands for each model by whole set and metric: of the measure shown."""
        return shown_figures(self.figures, self.models, self.settings.shown)

    def showing(self, shown: Shown) -> "Run":
        """Return the same run with other measures shown: "standard", "best" or "all"; nothing is computed."""
        check_choice("choice of measures to show", shown, Shown)
        settings = self.settings.model_copy(update={"shown": shown})
        return self.model_copy(update={"settings": settings})

    def best_measures(self) -> MeasureChoice:
        """Return the figures of every measure of each model, which is best, and how much the choice matters.

        Nothing is computed again, and nothing is tested: `compare` with by="measure" does that.
        """
        return measure_choice(self.figures, [card.name for card in self.models])

    def scores(self, model: str, dataset: str) -> pl.DataFrame:
        """Return the scores of a model on a set: pair_id, gold, a column for each measure, covered.

        `missing_1` and `missing_2` have the places, from 0, of the words of the two terms that have no
        vector, and `subwords_1` and `subwords_2` of those whose vector is made of subwords. Models that
        score pairs themselves have neither, nor have runs of version 0.1.0. A language model that rates
        pairs has `failure`: why a pair has no score.
        """
        for entry in self.coverage:
            if (entry.model, entry.dataset) == (model, dataset):
                if self._scores is not None:
                    return self._scores[model, dataset]
                assert self._folder is not None
                return read_parquet(self._folder / entry.scores)
        raise InputError(f"the run has no scores of {quoted(model)} on {quoted(dataset)}")

    def groups(self, dataset: str) -> pl.DataFrame:
        """Return, for each pair of a set and each of the set's columns, the number of the pair's value."""
        for used in self.datasets:
            if used.name == dataset:
                if self._groups is not None:
                    return self._groups[dataset]
                assert self._folder is not None
                if not used.groups:
                    raise InputError(f"{self._folder} was stored without groups of pairs; evaluate again")
                return read_parquet(self._folder / used.groups)
        raise UnknownNameError("set of the run called", dataset, [used.name for used in self.datasets])

    def settle(self, folder: Path) -> None:
        """Set the folder that holds the scores of the run."""
        self._folder = folder

    def hold(
        self, scores: Mapping[tuple[str, str], pl.DataFrame], groups: Mapping[str, pl.DataFrame]
    ) -> None:
        """Keep the scores and groups of a run that is not stored."""
        self._scores = dict(scores)
        self._groups = dict(groups)


def _results_in(given: Path) -> Path:
    """Return the results of a run that is given by its folder or by these; refuse what is not a run."""
    if given.is_file() and given.name != RESULTS and not _may_be_json(given):
        raise FileError(given, f"is not a stored run; {_what_to_give()}")
    path = given if given.is_file() or given.name == RESULTS else given / RESULTS
    if path.exists():
        return path
    if given.name.endswith(".partial") or Path(f"{given}.partial").is_dir():
        raise FileError(given, "is an unfinished run; run the same evaluation again to complete it")
    if given.is_dir():
        raise FileError(given, f"is not a stored run, as it has no {RESULTS}; {_what_to_give()}")
    raise FileError(given, f"there is no such file or folder; {_what_to_give()}")


def _may_be_json(path: Path) -> bool:
    """Return whether a file begins as an object or a list in JSON does, which vectors and tables do not."""
    with open_bytes(path) as stream:
        begin = stream.read(64).removeprefix(BOM_UTF8).lstrip()
    return begin.startswith((b"{", b"[", BOM_UTF16_LE, BOM_UTF16_BE))


def _what_to_give() -> str:
    return f"give the folder that evaluate wrote with {option('out', 'FOLDER')}"
