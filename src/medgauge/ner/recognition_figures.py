"""The figures of trained networks, from what each found: the results of entity recognition."""

import math
import warnings
from collections.abc import Mapping, Sequence
from importlib.metadata import version

import numpy as np

from medgauge.arrays import Integers
from medgauge.errors import UndefinedWarning
from medgauge.models.base import ModelCard
from medgauge.ner.labels.entity_scoring import COUNTS
from medgauge.ner.labels.tagged_corpus import TaggedCorpus, TaggedPart
from medgauge.ner.networks.network_settings import NetworkSettings
from medgauge.ner.networks.training_group import Trained
from medgauge.ner.recognition_contests import contest, resampled_figures
from medgauge.ner.recognition_result import (
    PROTOCOL,
    ContestSettings,
    CorpusUsed,
    EntityRecognition,
    PartUsed,
    RecognitionFigure,
    TokenCoverage,
    TrialFigures,
)
from medgauge.stats.resampling.bootstrap import Resampled
from medgauge.stats.systems.f_measure import f_measure

Networks = Mapping[tuple[str, str, int], Trained]
"""What the network of each model, corpus and trial found."""
_FOUND = COUNTS.index("found")


def results(
    networks: Networks,
    models: Sequence[ModelCard],
    corpora: Sequence[TaggedCorpus],
    covered: Sequence[TokenCoverage],
    *,
    settings: NetworkSettings,
    tests: ContestSettings,
    device: str,
) -> EntityRecognition:
    """Compute the figures of all networks, and compare the models on each corpus."""
    names = [card.name for card in models]
    figures, trials, contests = [], [], []
    for corpus in corpora:
        counts = np.stack(
            [
                np.stack([networks[name, corpus.name, trial].test for trial in range(settings.trials)])
                for name in names
            ]
        )
        found = resampled_figures(
            counts.sum(axis=3), corpus.name, resamples=tests.resamples, seed=settings.seed
        )
        _warn_of_diverged(networks, names, corpus.name, settings)
        for number, name in enumerate(names):
            figures += _figures(name, corpus, counts[number], found, number, tests)
            trials += [
                _trial_figures(name, corpus, trial, networks[name, corpus.name, trial])
                for trial in range(settings.trials)
            ]
        if len(names) > 1:
            contests.append(contest(corpus.name, names, found, tests, sentences=corpus.test.sentences))
    return EntityRecognition(
        protocol=PROTOCOL,
        versions={"medgauge": version("medgauge"), "torch": version("torch")},
        device=device,
        settings=settings,
        tests=tests,
        models=list(models),
        corpora=[_used(one) for one in corpora],
        covered=list(covered),
        trials=trials,
        figures=figures,
        contests=contests,
    )


def _warn_of_diverged(
    networks: Networks, models: Sequence[str], corpus: str, settings: NetworkSettings
) -> None:
    """Warn of models whose networks find nothing since their weights are no longer numbers."""
    for model in models:
        trials = [networks[model, corpus, trial] for trial in range(settings.trials)]
        # With patience, the state that is scored may be one from before.
        diverged = sum(not math.isfinite(one.loss) and not one.test[..., _FOUND].any() for one in trials)
        if diverged:
            message = (
                f"{model} on {corpus}: training diverged in {diverged} of {settings.trials} trials, so "
                "that F says nothing of the vectors; choose a lower learning rate"
            )
            warnings.warn(message, UndefinedWarning, stacklevel=2)


def _figures(
    name: str, corpus: TaggedCorpus, counts: Integers, found: Resampled, number: int, tests: ContestSettings
) -> list[RecognitionFigure]:
    """Return the figures of a model on all types and, where there are several, on each."""
    whole = _figure(name, corpus.name, None, counts.sum(axis=2), tests)
    tail = (1 - tests.confidence) / 2
    values = found.resamples[:, number]
    values = values[np.isfinite(values)]
    if values.size and np.ptp(values) > 0:
        low, high = np.quantile(values, [tail, 1 - tail])
        whole = whole.model_copy(update={"low": float(low), "high": float(high)})
    if len(corpus.types) < 2:
        return [whole]
    return [whole] + [
        _figure(name, corpus.name, kind, counts[:, :, place], tests)
        for place, kind in enumerate(corpus.types)
    ]


def _figure(
    name: str, corpus: str, kind: str | None, counts: Integers, tests: ContestSettings
) -> RecognitionFigure:
    """Return the mean figures over the trials (`counts`: trials × sentences × right, found, gold)."""
    sums = counts.sum(axis=1).astype(np.float64)
    precision, recall, f = f_measure(sums[:, 0], sums[:, 1], sums[:, 2])
    # A trial that finds nothing has no precision; those that find something have.
    known = precision[np.isfinite(precision)]
    return RecognitionFigure(
        model=name,
        corpus=corpus,
        type=kind,
        precision=float(known.mean()) if known.size else float("nan"),
        recall=float(recall.mean()),
        f=float(f.mean()),
        deviation=float(f.std(ddof=1)) if f.size > 1 else float("nan"),
        low=float("nan"),
        high=float("nan"),
        gold=int(sums[0, 2]),
        trials=len(sums),
        confidence=tests.confidence,
        undefined=None if np.isfinite(f).all() else "nothing is to be found, and nothing was",
    )


def _trial_figures(name: str, corpus: TaggedCorpus, trial: int, found: Trained) -> TrialFigures:
    right, all_found, gold = found.test.sum(axis=(0, 1)).tolist()
    precision, recall, f = f_measure(*np.array([right, all_found, gold], np.float64))
    devel = f_measure(*found.devel.sum(axis=0).astype(np.float64))
    return TrialFigures(
        model=name,
        corpus=corpus.name,
        trial=trial + 1,
        right=right,
        found=all_found,
        gold=gold,
        precision=float(precision),
        recall=float(recall),
        f=float(f),
        devel_f=float(devel.f),
        epochs=found.epochs,
        scored=found.scored,
        loss=found.loss if math.isfinite(found.loss) else math.nan,
    )


def _used(corpus: TaggedCorpus) -> CorpusUsed:
    parts: Mapping[str, TaggedPart] = corpus.parts
    counted = {
        name: PartUsed(
            sentences=part.sentences,
            tokens=len(part.words),
            entities=part.entities.first.size,
            scheme=part.scheme,
        )
        for name, part in parts.items()
    }
    return CorpusUsed(
        name=corpus.name,
        digest=corpus.digest,
        types=corpus.types,
        devel_taken=corpus.devel_taken,
        **counted,
    )
