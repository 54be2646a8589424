"""What a study found: figures of all models on sets and NER corpora, and how they correlate."""

import math
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from medgauge.comparison.correlate import Correlations
from medgauge.estimate import CONFIDENCE
from medgauge.evaluation.run import Run
from medgauge.ner.networks.network_settings import NetworkSettings
from medgauge.result import Result, StoredResult
from medgauge.stats.systems.correlation import critical_r, power_of_r
from medgauge.stored import Count, Number, StoredConfidence, StoredName
from medgauge.study.study_file import CountedPart, TrainingOptions
from medgauge.train.architectures import Arch

STUDY_RESULT = "study.json"

VectorDomain = Literal["biomedical", "general"]
"""What vectors were trained on, as the study file has it: the tables of the two are apart."""

FEWEST_MODELS = 3
"""The fewest models over which figures correlate; any two are on a line."""
_STRONG, _POWER = 0.7, 0.8

SplitBy = Literal["frequency", "subjects"]
"""What subsets are split by: how often words occur, and in journals of how many Broad Subject Terms."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")


class StudiedModel(_Frozen):
    """A model of a study; one that it trained has an architecture, and a window unless it needs none."""

    name: StoredName
    domain: VectorDomain = "biomedical"
    architecture: Arch | None = None
    window: Count | None = None


class StudySettings(_Frozen):
    """How vectors and networks were trained, if they were; `corpus` is the digest of the text of vectors."""

    seed: Count
    corpus: str | None = None
    tokens: Count | None = None
    training: TrainingOptions | None = None
    ner: NetworkSettings | None = None


class NerScore(_Frozen):
    """F, in percent, of a model's networks on the test part of an NER corpus: mean and deviation of trials.

    The interval is over the sentences of the test part, the deviation that of a sample of trials; undefined,
    NaN, for a single one.
    """

    model: StoredName
    corpus: StoredName
    f: Number
    low: Number
    high: Number
    deviation: Number
    precision: Number
    recall: Number
    trials: list[Number]


class DomainCorrelations(_Frozen):
    """How figures on sets and in NER correlate over the models of a domain; None if these are too few."""

    domain: VectorDomain
    models: Count
    found: Correlations | None

    @property
    def caution(self) -> str | None:
        """A sentence that says that the models are too few to conclude anything; None if they are enough.

        They are enough if a true correlation of 0.7 has p < 0.05 in four studies of five.
        """
        which = counted_models(self.models, self.domain)
        if self.found is None:
            return f"{which} cannot be correlated: at least {FEWEST_MODELS} are needed"
        power = power_of_r(_STRONG, self.models)
        if power >= _POWER:
            return None
        found = (
            ""
            if math.isnan(power)
            else f", as a true correlation of {_STRONG:g} would in {power:.0%} of studies"
        )
        return (
            f"{which} are too few to conclude much from: only |r| above {critical_r(self.models):.3f} has "
            f"p < 0.05{found}"
        )


def counted_models(count: int, domain: VectorDomain) -> str:
    """Count models of a domain.

    >>> counted_models(1, "general"), counted_models(9, "biomedical")
    ('1 model of general English', '9 biomedical models')
    """
    models = f"model{'' if count == 1 else 's'}"
    return (
        f"{count} biomedical {models}" if domain == "biomedical" else f"{count} {models} of general English"
    )


class StudySubsets(_Frozen):
    """Figures on the subsets of a set by an attribute of its words, counted as this part of speech."""

    dataset: StoredName
    by: SplitBy
    part: CountedPart
    run: Run


class StudyResult(StoredResult, _Frozen):
    """The result of a study.

    `evaluation` has the figures on all sets. `settings` are those of the study file and of its corpus;
    `steps` has the key of each step, by which two studies can be compared. `notes` say what was left out.
    """

    _kind: ClassVar[str] = "study.study"

    title: StoredName
    settings: StudySettings
    models: Annotated[list[StudiedModel], Field(min_length=1)]
    evaluation: Run
    ner: list[NerScore]
    correlations: list[DomainCorrelations]
    subsets: list[StudySubsets]
    steps: dict[StoredName, str]
    notes: list[StoredName] = []
    confidence: StoredConfidence = CONFIDENCE

    @classmethod
    def load(cls, path: str | Path) -> "StudyResult":
        """Read the result of a study from its folder, or from its JSON."""
        path = Path(path)
        return cls._read(path / STUDY_RESULT if path.is_dir() else path, "does not hold a study")

    @property
    def corpora(self) -> list[str]:
        """The names of the NER corpora."""
        return list(dict.fromkeys(one.corpus for one in self.ner))

    @property
    def domains(self) -> list[VectorDomain]:
        """The domains of the models, in their order."""
        return list(dict.fromkeys(one.domain for one in self.models))

    def models_of(self, domain: VectorDomain) -> list[StudiedModel]:
        """Return the models of a domain."""
        return [one for one in self.models if one.domain == domain]

    def drawn(self) -> Mapping[str, Result]:
        """Return the results that the report draws, by the names of the plots."""
        drawn: dict[str, Result] = {}
        for one in self.correlations:
            if one.found is not None:
                name = "correlations" if len(self.domains) == 1 else f"correlations-{one.domain}"
                drawn[name] = one.found
        return drawn | {f"{one.dataset}-by-{one.by}": one.run for one in self.subsets}

    def report(self, *, plots: bool = True) -> dict[str, str]:
        """Return the report as Markdown, HTML, LaTeX and CSV, by the names of the files."""
        return dict(self._tables.report(self, plots=plots))

    def _flaw(self) -> str | None:
        names = [one.name for one in self.models]
        runs = [self.evaluation, *(one.run for one in self.subsets)]
        if any([card.name for card in run.models] != names for run in runs):
            return "the models of its runs are not its own; run the study again"
        wanted = set(product(names, self.corpora))
        if {(one.model, one.corpus) for one in self.ner} != wanted or len(wanted) != len(self.ner):
            return "the NER scores of some model are missing; run the study again"
        if [one.domain for one in self.correlations] not in ([], self.domains):
            return "the correlations of some models are missing; run the study again"
        return next(filter(None, (found._flaw() for found in self._parts())), None)

    def _parts(self) -> list[StoredResult]:
        correlations = [one.found for one in self.correlations if one.found is not None]
        return [self.evaluation, *correlations, *(one.run for one in self.subsets)]
