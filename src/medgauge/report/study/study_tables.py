"""A study: as a summary, as the tables of Chiu et al. (2018), as rows, and as the files of its report."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from medgauge.comparison.correlate import Correlations
from medgauge.errors import option
from medgauge.estimate import Estimate
from medgauge.evaluation.figures import Figure
from medgauge.report.captions.contamination_notes import contamination_notes, marked_figures
from medgauge.report.captions.metric_text import (
    SHORT,
    brackets_note,
    figure_cell,
    main_metric,
    measure_notes,
    percent,
    undefined_notes,
)
from medgauge.report.correlation_tables import correlations_grid, p_text
from medgauge.report.grids.grid import (
    Cell,
    ColumnTypes,
    Grid,
    counted,
    first_lines,
    interval_text,
    listed,
    number_text,
    short_name,
)
from medgauge.report.study import study_pages
from medgauge.report.subsets.subset_tables import subset_tests_grid, subsets_grid
from medgauge.study.study_result import (
    DomainCorrelations,
    NerScore,
    StudiedModel,
    StudyResult,
    StudySubsets,
    VectorDomain,
    counted_models,
)

_OF: dict[VectorDomain, str] = {"biomedical": "biomedical models", "general": "models of general English"}
_COLUMNS: ColumnTypes = {
    "kind": str,
    "domain": str,
    "model": str,
    "dataset": str,
    "corpus": str,
    "by": str,
    "subset": str,
    "figure": str,
    "value": float,
    "low": float,
    "high": float,
    "deviation": float,
    "p": float,
    "n": int,
}


def summary(found: StudyResult) -> list[str]:
    """Describe in a few lines what was studied, and which sets predict NER."""
    lines = [
        f"{short_name(found.title)}: {counted(len(found.models), 'model')}, "
        f"{counted(len(found.evaluation.datasets), 'set')}, {_corpora(len(found.corpora))}",
        f"models: {listed([one.name for one in found.models])}",
    ]
    for one in found.correlations:
        if one.found is not None:
            lines.append(_strongest(one.found, one))
        if one.caution is not None:
            lines.append(one.caution)
    return lines + first_lines(found.notes, "note", most=3)


def grids(found: StudyResult) -> list[Grid]:
    """Return the figures of each domain, their correlations, and the subsets of sets."""
    made = [_figures_grid(found, domain) for domain in found.domains]
    for one in found.correlations:
        if one.found is not None:
            made += [_r_grid(found, one, one.found), _intervals_grid(found, one, one.found)]
    for split in found.subsets:
        made.append(_subsets_grid(split))
        if any(used.between_subsets for used in split.run.datasets):
            title = f"Differences between subsets of {split.dataset} by {split.by}"
            made.append(replace(subset_tests_grid(split.run), title=title))
    return made


def rows(found: StudyResult) -> tuple[ColumnTypes, list[list[object]]]:
    """Return every figure of whole sets, NER corpora, correlations and subsets as a row."""
    domain_of = {one.name: one.domain for one in found.models}
    made: list[dict[str, object]] = [
        _figure_row("set", one, domain_of) for one in found.evaluation.figures if one.subset is None
    ]
    made += [
        {
            "kind": "ner",
            "domain": domain_of[one.model],
            "model": one.model,
            "corpus": one.corpus,
            "figure": "F",
            "value": one.f,
            "low": one.low,
            "high": one.high,
            "deviation": one.deviation,
            "n": len(one.trials),
        }
        for one in found.ner
    ]
    for domain in found.correlations:
        for r in domain.found.correlations if domain.found is not None else ():
            names = {"dataset": r.intrinsic, "corpus": r.extrinsic, "figure": "Pearson's r"}
            figures = {"value": r.r, "low": r.low, "high": r.high, "p": r.p, "n": r.n}
            made.append({"kind": "correlation", "domain": domain.domain, **names, **figures})
    for split in found.subsets:
        made += [
            _figure_row("subset", one, domain_of) | {"by": split.by}
            for one in split.run.figures
            if one.subset is not None
        ]
    return _COLUMNS, [[one.get(name) for name in _COLUMNS] for one in made]


def report(found: StudyResult, *, plots: bool) -> dict[str, str]:
    """Return the files of the report, by name."""
    return study_pages.report(found, plots=plots)


def _corpora(count: int) -> str:
    return f"{count} NER corp{'us' if count == 1 else 'ora'}"


def _figure_row(kind: str, one: Figure, domain_of: dict[str, VectorDomain]) -> dict[str, object]:
    return {
        "kind": kind,
        "domain": domain_of[one.model],
        "model": one.model,
        "dataset": one.dataset,
        "subset": one.subset,
        "figure": SHORT[one.metric],
        "value": one.value,
        "low": one.low,
        "high": one.high,
        "n": one.covered,
    }


def _strongest(found: Correlations, of: DomainCorrelations) -> str:
    """Say which set correlates most with NER, by the mean of its r over the corpora."""
    means = {
        name: [one.r for one in found.correlations if one.intrinsic == name and not math.isnan(one.r)]
        for name in found.intrinsic.columns
    }
    defined = {name: sum(some) / len(some) for name, some in means.items() if some}
    if not defined:
        return f"over {counted_models(of.models, of.domain)}, no correlation is defined"
    top, bottom = (pick(defined, key=lambda name: defined[name]) for pick in (max, min))
    return (
        f"over {counted_models(of.models, of.domain)}, mean r with NER from {defined[bottom]:z.2f} "
        f"({short_name(bottom)}) to {defined[top]:z.2f} ({short_name(top)})"
    )


def _figures_grid(found: StudyResult, domain: VectorDomain) -> Grid:
    """Return models against sets and NER corpora: tables 5 and 7 of Chiu et al. (2018)."""
    models, run = found.models_of(domain), found.evaluation
    shown, marked = run.shown_figures(), marked_figures(run.contamination)
    scores = {(one.model, one.corpus): one for one in found.ner}
    columns: list[tuple[str, list[Cell]]] = []
    named: dict[str, Estimate] = {}
    for used in run.datasets:
        metric = main_metric(used)
        figures = [shown[one.name, used.name, metric] for one in models]
        top = max((one.value for one in figures if not math.isnan(one.value)), default=math.nan)
        named |= {f"{used.name} of {one.model}": one.estimate for one in figures}
        cells = [
            figure_cell(one, chosen=False, bold=len(figures) > 1 and one.value == top, marked=marked)
            for one in figures
        ]
        columns.append((f"{used.name} {SHORT[metric]}", cells))
    for corpus in found.corpora:
        trained = [scores[one.name, corpus] for one in models]
        best = max((one.f for one in trained if not math.isnan(one.f)), default=math.nan)
        columns.append(
            (f"{corpus} F", [_f_cell(one, bold=len(trained) > 1 and one.f == best) for one in trained])
        )
    label, names = _labels(models)
    body = [[Cell(name), *(cells[row] for _, cells in columns)] for row, name in enumerate(names)]
    title = "Figures on sets and in NER" if found.corpora else "Figures on sets"
    notes = [*_figure_notes(found), *undefined_notes(named)]
    grid = Grid(
        _of_domain(title, found, domain), [label, *(name for name, _ in columns)], body, notes, turned=1
    )
    return replace(grid, interval_note=brackets_note(run.settings.confidence))


def _labels(models: Sequence[StudiedModel]) -> tuple[str, list[str]]:
    """Return what rows are called: windows or architectures if nothing else differs, else models."""
    architectures = {one.architecture for one in models}
    windows = {one.window for one in models}
    if len(models) > 1 and architectures != {None} and len(architectures) == 1:
        return "window", [str(one.window) for one in models]
    if len(models) > 1 and None not in architectures and len(windows - {None}) <= 1:
        return "architecture", [str(one.architecture) for one in models]
    return "model", [one.name for one in models]


def _f_cell(score: NerScore, *, bold: bool) -> Cell:
    if math.isnan(score.f):
        return Cell("undefined", bold)
    after = "" if math.isnan(score.deviation) else f"± {score.deviation:.2f}"
    return Cell(number_text(score.f, 2), bold, after=after)


def _figure_notes(found: StudyResult) -> list[str]:
    run = found.evaluation
    pairs = [f"{used.name} {used.compared:,} of {used.n:,}" for used in run.datasets]
    notes = [
        f"ρ: Spearman's ρ, on the pairs that all models cover: {', '.join(pairs)}.",
        *measure_notes(run),
        *contamination_notes(run.contamination),
    ]
    if found.ner:
        trials = max(len(one.trials) for one in found.ner)
        of = "of one trial" if trials == 1 else f"the mean of {trials} trials, ± its standard deviation"
        notes.append(f"F: of whole entities in the test part, in percent, {of}.")
    return [*notes, *_settings_notes(found), *found.notes]


def _settings_notes(found: StudyResult) -> list[str]:
    """Say how vectors and networks were trained."""
    settings, notes = found.settings, []
    if settings.training is not None:
        size = f" of {settings.tokens:,} tokens" if settings.tokens is not None else ""
        how = _listed_settings(settings.training.model_dump())
        notes.append(f"Trained on a corpus{size} with {how}, seed {settings.seed}.")
    if settings.ner is not None:
        notes.append(f"NER networks: {_listed_settings(settings.ner.model_dump())}.")
    return notes


def _listed_settings(settings: Mapping[str, object]) -> str:
    given = {name.replace("_", " "): value for name, value in settings.items()}
    chosen = {name: value for name, value in given.items() if value is not None and value is not False}
    return ", ".join(name if value is True else f"{name} {value}" for name, value in chosen.items())


def _r_grid(found: StudyResult, of: DomainCorrelations, correlations: Correlations) -> Grid:
    """Return Pearson's r of sets and NER corpora: tables 6, 8 and 9 of Chiu et al. (2018)."""
    grid = correlations_grid(correlations)
    title = _of_domain("Pearson's r between figures on sets and in NER", found, of.domain)
    lead = [] if of.caution is None else [f"{of.caution[0].upper()}{of.caution[1:]}."]
    return replace(grid, title=title, header=["set", *grid.header[1:]], lead=lead)


def _intervals_grid(found: StudyResult, of: DomainCorrelations, correlations: Correlations) -> Grid:
    """Return each correlation with its interval, its p-value and the number of models."""
    body = [
        [
            Cell(one.intrinsic),
            Cell(one.extrinsic),
            Cell(number_text(one.r, 2), interval=interval_text(one.low, one.high)),
            Cell("–" if math.isnan(one.p) else p_text(one.p).removeprefix("p ").removeprefix("= ")),
            Cell(str(one.n)),
        ]
        for one in correlations.correlations
    ]
    intervals = f"In brackets: {percent(found.confidence)} intervals by Fisher's z; none for three models."
    notes = [
        "Models that differ in one parameter only are alike, so p and intervals claim more than they know.",
    ]
    title = _of_domain("Correlations in full", found, of.domain)
    header = ["set", "corpus", "r", "p", "models"]
    return Grid(title, header, body, notes, labels=2, interval_note=intervals)


def _of_domain(title: str, found: StudyResult, domain: VectorDomain) -> str:
    return title if len(found.domains) == 1 else f"{title}, {_OF[domain]}"


def _subsets_grid(one: StudySubsets) -> Grid:
    """Return figures on subsets: figures 1 to 4 of Chiu et al. (2018)."""
    grid = subsets_grid(one.run)
    counted_as = "" if one.part == "any" else f", words counted as {one.part}s"
    notes = [note.replace(f" ({option('bins')})", "") for note in grid.notes]  # not an option of a study
    return replace(grid, title=f"Subsets of {one.dataset} by {one.by}{counted_as}", notes=notes)
