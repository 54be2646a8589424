"""What the steps of a study found, put together: its result."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from medgauge.comparison.correlate import ComparedTable, correlate
from medgauge.comparison.modeltable import ModelTable, model_table
from medgauge.evaluation.run import RESULTS, Run
from medgauge.study.study_file import CountedPart
from medgauge.study.study_plan import SETS, SPLITS, StudyPlan, ner_path, subsets_path
from medgauge.study.study_result import (
    FEWEST_MODELS,
    DomainCorrelations,
    NerScore,
    StudiedModel,
    StudyResult,
    StudySettings,
    StudySubsets,
    VectorDomain,
)
from medgauge.study.word_attributes import has_parts

_MODELS = ""  # the column of the models' names, as a set or a corpus may be called anything else


def found_in(folder: Path, plan: StudyPlan, keys: dict[str, str]) -> StudyResult:
    """Return the result of a study whose steps are all made in a folder."""
    inputs, study = plan.inputs, plan.inputs.study
    evaluation = Run.load(folder / SETS)
    ner = [
        one for corpus in inputs.ner_corpora for one in plan.rooms.ner.scores(folder / ner_path(corpus.name))
    ]
    subsets, missing = _subsets(folder, plan)
    domains = list(dict.fromkeys(model.domain for model in inputs.models))
    correlations = [
        _correlated(
            domain, [one for one in inputs.models if one.domain == domain], evaluation, ner, plan.confidence
        )
        for domain in (domains if ner else ())
    ]
    return StudyResult(
        title=study.title,
        settings=_settings(plan),
        models=inputs.models,
        evaluation=evaluation,
        ner=ner,
        correlations=correlations,
        subsets=subsets,
        steps=keys,
        notes=[*plan.notes, *missing],
        confidence=plan.confidence,
    )


def _settings(plan: StudyPlan) -> StudySettings:
    """Return how vectors and networks were trained; the seed is that of both."""
    study, text = plan.inputs.study, plan.inputs.text
    trains = bool(plan.inputs.trained) and text is not None
    return StudySettings(
        seed=study.seed,
        corpus=text.digest if trains and text is not None else None,
        tokens=text.tokens if trains and text is not None else None,
        training=study.training if trains else None,
        ner=study.ner.model_copy(update={"seed": study.seed}) if plan.inputs.ner_corpora else None,
    )


def _subsets(folder: Path, plan: StudyPlan) -> tuple[list[StudySubsets], list[str]]:
    """Return the runs with subsets, and notes on those that the word table does not allow."""
    study = plan.inputs.study
    found, notes = [], []
    counted: dict[str, CountedPart] = {}
    if plan.words_are_known and study.subsets:
        has_pos = has_parts(plan.rooms.text.words(plan.words(folder)))
        counted = {name: part if has_pos else "any" for name, part in study.subsets.items()}
    for name, part in counted.items():
        for by in SPLITS:
            place = folder / subsets_path(name, by)
            if (place / RESULTS).is_file():
                found.append(StudySubsets(dataset=name, by=by, part=part, run=Run.load(place)))
            else:
                notes.append(f"{name} has no subsets by {by}: the word table has no {by} of its words.")
    return found, notes


def _correlated(
    domain: VectorDomain,
    models: Sequence[StudiedModel],
    evaluation: Run,
    ner: Sequence[NerScore],
    confidence: float,
) -> DomainCorrelations:
    """Correlate figures on sets with those on NER corpora, over the models of a domain."""
    names = [one.name for one in models]
    count = len(names)
    if count < FEWEST_MODELS:
        return DomainCorrelations(domain=domain, models=count, found=None)
    sets = model_table(evaluation, "intrinsic")
    rows = [sets.models.index(name) for name in names]
    intrinsic = pl.DataFrame({_MODELS: names} | dict(zip(sets.columns, sets.values[rows].T, strict=True)))
    scores = {(one.model, one.corpus): one.f for one in ner}
    corpora = dict.fromkeys(one.corpus for one in ner)
    extrinsic = pl.DataFrame(
        {_MODELS: names} | {corpus: [scores[name, corpus] for name in names] for corpus in corpora}
    )
    found = correlate(intrinsic, extrinsic, confidence=confidence)
    named = {
        "intrinsic": _named(found.intrinsic, "Sets", sets),
        "extrinsic": found.extrinsic.model_copy(update={"source": "NER corpora"}),
    }
    return DomainCorrelations(domain=domain, models=count, found=found.model_copy(update=named))


def _named(table: ComparedTable, source: str, run: ModelTable) -> ComparedTable:
    return table.model_copy(update={"source": source, "measures": list(run.measures)})
