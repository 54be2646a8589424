"""run_study: vectors trained, evaluated, put to work in NER and correlated, as one file says."""

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from medgauge.errors import InputError, MedgaugeWarning, option
from medgauge.estimate import CONFIDENCE, check_confidence
from medgauge.models.loading import Device
from medgauge.progress import remark
from medgauge.result import check_plots
from medgauge.study.rooms.ner_room import NerNetworks
from medgauge.study.rooms.room_protocols import Rooms
from medgauge.study.rooms.text_room import CorpusText
from medgauge.study.rooms.training_room import VectorTraining
from medgauge.study.step_making import StepMaking
from medgauge.study.study_file import Several, changed_study
from medgauge.study.study_findings import found_in
from medgauge.study.study_folder import PLOTS, StepRecord, StudyFolder
from medgauge.study.study_inputs import read_inputs
from medgauge.study.study_plan import StudyPlan
from medgauge.study.study_result import StudyResult
from medgauge.study.study_schedule import StudySchedule, schedule
from medgauge.study.study_step import step_keys

ROOMS = Rooms(CorpusText(), VectorTraining(), NerNetworks())
"""What runs a study unless a test says otherwise."""


def run_study(
    study: str | Path,
    out: str | Path,
    *,
    corpus: str | Path | None = None,
    words: str | Path | None = None,
    journals: str | Path | None = None,
    vectors: Several = (),
    general_vectors: Several = (),
    ner_corpora: Several = (),
    sets: Several = (),
    architectures: str | Sequence[str] = (),
    windows: int | Sequence[int] = (),
    seed: int | None = None,
    confidence: float = CONFIDENCE,
    threads: int | None = None,
    device: Device = "auto",
    plots: bool = True,
    replace: bool = False,
) -> StudyResult:
    """Run a study of which benchmark predicts, after Chiu et al. (2018), and write it to a folder.

    `study` is a shipped study (windows, architectures, general) or a TOML file. Vectors are trained on its
    corpus, or given; all are evaluated on its sets and are the input of networks for its NER corpora, and the
    figures of the two are correlated. The folder has the result, a report with tables and plots, and what
    every step wrote: a study that was killed goes on, and of a changed one only what depends on the change is
    computed again, with `replace`.

    The other arguments are used in place of what the file says, or say what a shipped study cannot know:
    `corpus` is a corpus or a text to make one of, `words` its word table, or `journals` a table of journals
    and their subjects to make one with; `vectors` and `general_vectors` are files of vectors (or NAME=FILE)
    and `ner_corpora` folders of labelled sentences (or NAME=FOLDER).

    Without `plots`, the report has none. `confidence` is that of all intervals. `threads` and `device` are
    for training and for NER.

    >>> run_study("windows", "results")
    Traceback (most recent call last):
    medgauge.errors.InputError: the study trains vectors; name a corpus with corpus='FILE', or vectors ...
    """
    asked = changed_study(
        study,
        corpus=corpus,
        words=words,
        journals=journals,
        vectors=vectors,
        general_vectors=general_vectors,
        ner_corpora=ner_corpora,
        sets=sets,
        architectures=architectures,
        windows=windows,
        seed=seed,
    )
    check_confidence(confidence)
    plan = StudyPlan(read_inputs(asked, ROOMS), ROOMS, threads, device, confidence)
    return perform(plan, out, plots=plots, replace=replace)


def schedule_study(
    study: str | Path,
    out: str | Path | None = None,
    *,
    confidence: float = CONFIDENCE,
    threads: int | None = None,
    device: Device = "auto",
    **changes: Any,
) -> StudySchedule:
    r"""Return the steps of a study, which of them a folder has, and how long the others may take.

    The further arguments are those of `run_study` that change what the file says. Nothing is written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     vectors, pairs = Path(folder) / "mine.txt", Path(folder) / "pairs.csv"
    ...     _ = vectors.write_text("2 2\ngout 1 0\nfever 0 1\n")
    ...     _ = pairs.write_text("term_1,term_2,gold\ngout,fever,1\nfever,gout,2\ngout,gout,3\n")
    ...     schedule_study("windows", vectors=[vectors], sets=[pairs])
    StudySchedule: Window sizes
      0 of 1 step are kept
      time of what is left: unknown
    """
    asked = changed_study(study, **changes)
    check_confidence(confidence)
    return scheduled(StudyPlan(read_inputs(asked, ROOMS), ROOMS, threads, device, confidence), out)


def scheduled(plan: StudyPlan, out: str | Path | None) -> StudySchedule:
    """Return the schedule of a plan."""
    folder = None if out is None else StudyFolder.at(out)
    kept: dict[str, StepRecord] = {}
    earlier: list[StepRecord] = []
    if folder is not None and (folder.exists() or folder.partial.is_dir()):
        plan = _after_reading(plan, folder)
        making = StepMaking(folder, plan.steps())
        making.find(adopt=False)
        kept, earlier = making.records, folder.records()
    found = schedule(plan.steps(), kept, earlier)
    return StudySchedule(
        title=plan.inputs.study.title, scheduled=found, notes=[*plan.notes, *plan.unknown_times]
    )


def perform(plan: StudyPlan, out: str | Path, *, plots: bool = True, replace: bool = False) -> StudyResult:
    """Make the steps of a plan that are not kept, and write the result and the report."""
    folder = StudyFolder.at(out)
    if plots:
        check_plots(folder.partial / PLOTS, ["figure"])
    with folder.locked():
        plan = _after_reading(plan, folder)
        making = StepMaking(folder, plan.steps())
        result = _stored(making, plan, plots=plots, replace=replace)
        if result is not None:
            remark(f"{out} already holds this study: nothing had to be computed")
        else:
            making.begin()
            if plan.reads_text:
                making.make(1)
                plan = plan.after_reading(folder.partial)
                making.plan_again(plan.steps())
            for note in plan.notes:
                warnings.warn(note.removesuffix("."), MedgaugeWarning, stacklevel=3)
            making.make()
            result = found_in(folder.partial, plan, making.keys)
            folder.finish(result, making.records.values(), plots=plots)
    for one in result.correlations:
        if one.caution is not None:
            warnings.warn(one.caution, MedgaugeWarning, stacklevel=3)
    return result


def _after_reading(plan: StudyPlan, folder: StudyFolder) -> StudyPlan:
    """Return the plan with what is known of a corpus that is kept, if one has to be made of text."""
    if not plan.reads_text:
        return plan
    [first, *_] = plan.steps()
    found = folder.kept(first.name, step_keys([first])[first.name], {})
    return plan if found is None else plan.after_reading(found[1])


def _stored(making: StepMaking, plan: StudyPlan, *, plots: bool, replace: bool) -> StudyResult | None:
    """Return the study in the folder if it is this one and intact; raise an error for another one."""
    stored = making.folder.stored(damaged=replace)
    if stored is None:
        return None
    differences = [name for name, key in making.keys.items() if stored.steps.get(name) != key]
    differences += [name for name in stored.steps if name not in making.keys]
    same = not differences and stored.title == plan.inputs.study.title
    if not same and not replace:
        count = f"{len(differences)} of its steps differ" if differences else "its title differs"
        raise InputError(
            f"{making.folder.folder} holds another study ({count}); choose another folder, or add "
            f"{option('replace', True)} (what is the same is not computed again)"
        )
    if not same:
        return None
    making.find(adopt=False)
    is_whole = len(making.records) == len(making.steps) and making.folder.has_report(stored, plots=plots)
    making.records.clear()
    return stored if is_whole else None
