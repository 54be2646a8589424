"""build_records: pairs of concepts that occur together in patients' records, to be annotated."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from medgauge.arrays import Floats
from medgauge.build.manifest import table_digest
from medgauge.build.records.chosen_sample import sampled, sampling
from medgauge.build.records.code_mapping import read_mapping
from medgauge.build.records.concept_filter import read_concepts
from medgauge.build.records.concept_vectors import concept_vectors, save_vectors
from medgauge.build.records.data_sheet import (
    FLOOR,
    FORM_NAMES,
    RECORD_RULES,
    CountedRecords,
    CountingParameters,
    DataSheet,
    PairsFacts,
    Sample,
    SamplingParameters,
)
from medgauge.build.records.pair_samples import ConceptCap, StratifiedBy
from medgauge.build.records.pairs_table import concepts_table, pairs_table, unmapped_table
from medgauge.build.records.record_cards import card_of_pairs, card_of_vectors
from medgauge.build.records.record_counts import CountingPlan, RecordCounts, count_records, different_concepts
from medgauge.build.records.record_warnings import fewer_pairs, warn_of_left_out
from medgauge.build.records.records_folder import RecordsFolder, write_table
from medgauge.engines.ibis_engine import place_of
from medgauge.errors import FileError, InputError, MedgaugeWarning, UnknownNameError, option
from medgauge.files.digests import remembered_sha256
from medgauge.files.file_names import plain_name
from medgauge.files.folders import key_of
from medgauge.files.opening import require_file
from medgauge.files.writing import can_write, check_not_read
from medgauge.pairs import Pairs
from medgauge.progress import remark, track
from medgauge.records.engine import Engine, open_engine
from medgauge.records.fhir import NOT_JSON
from medgauge.records.record_forms import RecordReading, RecordSource, recognise_records
from medgauge.records.recorded import COMPLAINT, DIAGNOSIS, OBSERVATION, WANTED
from medgauge.terminology.model import Terminology
from medgauge.terminology.read import read_terminology

_MEMORY = "4GB"
_CATEGORIES = {
    "omop": (DIAGNOSIS, COMPLAINT, OBSERVATION),
    "synthea": (DIAGNOSIS, COMPLAINT, OBSERVATION),
}
"""The categories that the events of a form have; those of others have any."""


def build_records(
    source: str | Path | None = None,
    out: str | Path | None = None,
    *,
    connect: str | None = None,
    schema: str | None = None,
    table: str | None = None,
    patient: str | None = None,
    code: str | None = None,
    system: str | None = None,
    term: str | None = None,
    category: str | None = None,
    date: str | None = None,
    categories: Sequence[str] = WANTED,
    mapping: str | Path | None = None,
    terminology: str | Path | Sequence[str | Path] = (),
    language: str = "en",
    exclude: str | Path | None = None,
    within: str | Path | None = None,
    descendants: bool = True,
    exclude_linked: bool = False,
    min_patients: int = 10,
    max_concepts: int = 500,
    window: int | None = None,
    sample: Sample = "frequent",
    pairs: int | None = None,
    per_concept: int | None = None,
    cap: ConceptCap | None = None,
    by: StratifiedBy | None = None,
    seed: int = 42,
    exact_counts: bool = False,
    list_concepts: str | Path | None = None,
    vectors: str | Path | None = None,
    memory: str | None = None,
    strict: bool = False,
    replace: bool = False,
) -> DataSheet:
    r"""Build a benchmark of concept relatedness from health records (Schulz et al. 2020, section 3.1).

    For each patient all different concepts are paired; a pair's count is its number of patients. `source` is
    a folder or file with an OMOP CDM, FHIR resources, Synthea's CSV or a table of events; `connect` is the
    address of a database instead. `out` is the folder for the pairs, which appears once they are complete;
    without it only what was read and counted is returned. Nothing of fewer than `min_patients` patients (at
    least 5) leaves the engine, and no id of a patient does.

    `patient`, `code`, `system`, `term`, `category` and `date` name columns of a `table` of events. Events of
    other `categories` are left out. `mapping` is a file that maps codes to concepts. `exclude` and `within`
    are files of concept ids, to leave out or to keep with all below them (the ids alone, without
    `descendants`); the hierarchy and the terms are those of `terminology`, a SNOMED CT release or an
    ontology. `exclude_linked` leaves out pairs of parent and child. `window` pairs only what was recorded
    within this number of days.

    `sample` is random (120 pairs, drawn with `seed`), frequent (4,000, at most `per_concept` for a concept,
    by the rule `cap`) or stratified (120, `by` band or pmi). `list_concepts` is a file for the concepts, in
    the form that `exclude` reads, and `vectors` one for vectors of concepts from the same counts. `memory`
    bounds that of the engine on this machine; what does not fit is kept in a private folder until it ends.

    >>> import tempfile
    >>> rows = [f"{patient},{code}" for patient in range(12) for code in ("cough", "fever", "rash")]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     events = Path(folder) / "events.csv"
    ...     _ = events.write_text("\n".join(["patient,code", *rows]))
    ...     sheet = build_records(events, patient="patient", code="code")
    >>> sheet.found.steps[-1]
    RecordStep(step='of enough patients', patients=12, events=36, concepts=3, pairs=None)
    """
    asked = sampling(
        sample, pairs, per_concept=per_concept, cap=cap, by=by, seed=seed, exact_counts=exact_counts
    )
    _check(source, connect, schema, min_patients, max_concepts, window, memory)
    files = [Path(one) for one in (list_concepts, vectors) if one is not None]
    given = [source, mapping, exclude, within, *_sources(terminology)]
    _check_files(files, [Path(one) for one in given if one is not None], out=out, replace=replace)
    if vectors is not None and out is None:
        raise InputError(
            f"vectors need counted pairs; name a folder for these with {option('out', 'FOLDER')}"
        )
    released = _read_terminology(terminology, language)
    columns = {
        "patient": patient,
        "code": code,
        "system": system,
        "term": term,
        "category": category,
        "date": date,
    }
    plan = CountingPlan(
        parameters=CountingParameters(
            categories=sorted({one.strip().lower() for one in categories} - {""}),
            min_patients=min_patients,
            max_concepts=max_concepts,
            window=window,
            mapping=None if mapping is None else remembered_sha256(require_file(mapping)),
            exclude=None if exclude is None else remembered_sha256(require_file(exclude)),
            within=None if within is None else remembered_sha256(require_file(within)),
            descendants=descendants,
            exclude_linked=exclude_linked,
            terminology=_described(released, language),
            columns={ours: theirs for ours, theirs in columns.items() if theirs is not None},
            table=table,
            database_schema=schema,
        ),
        mapping=None if mapping is None else read_mapping(Path(mapping)),
        exclude=None if exclude is None else read_concepts(Path(exclude)),
        within=None if within is None else read_concepts(Path(within)),
        terminology=released,
        strict=strict,
    )
    reading = RecordReading(
        categories=tuple(plan.parameters.categories),
        columns=plan.parameters.columns,
        table=table,
        schema=schema,
        mapped=plan.mapping.has if plan.mapping is not None else None,
        strict=strict,
    )
    with open_engine(connect, memory=memory or _MEMORY) as engine:
        records = recognise_records(Path(source) if source is not None else None, engine, reading)
        _check_categories(records, plan)
        if records.form in ("fhir", "table") and source is not None:
            _check_outside(Path(source), [*files, *([] if out is None else [Path(out)])])
        remark(f"the records are {FORM_NAMES[records.form]}")
        spoken = language if released is not None else None
        maker = _Maker(engine, records, plan, asked, connect, spoken, with_vectors=vectors is not None)
        if out is None:
            counts = count_records(engine, records, plan, pairs=False)
            warn_of_left_out(counts.found)
            _write_concepts(list_concepts, counts, min_patients)
            return maker.sheet(counts, records.digests())
        folder = RecordsFolder.at(out)
        with folder.locked():
            sheet, made = maker.build(folder, replace=replace, others=bool(files))
    if made is not None:
        _write_concepts(list_concepts, made.counts, min_patients)
        if vectors is not None and made.vectors is not None:
            _write_vectors(Path(vectors), made.vectors, sheet)
    return sheet


@dataclass(frozen=True)
class _Made:
    """What the files outside the folder are written from; `vectors` has ids of concepts with vectors."""

    counts: RecordCounts
    vectors: tuple[list[str], Floats] | None


@dataclass(frozen=True)
class _Maker:
    """Counts, samples and writes."""

    engine: Engine
    records: RecordSource
    plan: CountingPlan
    asked: SamplingParameters
    connect: str | None
    language: str | None
    with_vectors: bool

    def build(self, folder: RecordsFolder, *, replace: bool, others: bool) -> tuple[DataSheet, _Made | None]:
        """Build the folder; return the data sheet, and what was made unless the folder was complete before.

        Everything that can fail comes before the folder takes its name, vectors included.
        """
        files = self.records.digests()
        stored = self._stored(folder, files, replace=replace)
        if stored is not None and not others and self._is_allowed(stored.found):
            return stored, None
        key = key_of(rules=RECORD_RULES, files=files, counting=self.plan.parameters.model_dump(mode="json"))
        counts = folder.find_counts(key) if files else None  # a database may have changed
        if counts is None or not self._is_allowed(counts.found):
            counts = count_records(self.engine, self.records, self.plan)
            if counts.pairs.height:
                folder.keep_counts(counts, key)
        else:
            remark("resuming: what was counted in the records is kept")
        warn_of_left_out(counts.found)
        sheet, asked, least = self.sheet(counts, files), self.asked, self.plan.parameters.min_patients
        if not counts.pairs.height:
            raise InputError(
                f"no two concepts have {least} or more patients in common, so there is nothing to write; "
                "look at the steps of a dry run"
            )
        with track("sampling pairs", 0):
            drawn = sampled(counts.pairs, asked, least=least, patients=sheet.patients)
        if drawn.height < asked.pairs:
            said = fewer_pairs(drawn.height, counts.pairs.height, asked)
            warnings.warn(said, MedgaugeWarning, stacklevel=3)
        card = card_of_pairs(sheet, asked, self.plan.terminology, self.language)
        frame = pairs_table(drawn, counts.concepts, asked, least=least)
        sheet = sheet.model_copy(
            update={
                "sampling": asked,
                "written": PairsFacts(
                    pairs=frame.height, concepts=different_concepts(frame), digest=table_digest(frame)
                ),
            }
        )
        card = card.model_copy(update={"build": sheet.for_card()})
        vectors = None
        if self.with_vectors:
            with track("vectors of concepts", 0):
                vectors = concept_vectors(counts.pairs, sheet.patients)
        folder.finish(sheet, Pairs(frame, card), unmapped_table(counts.unmapped, least=least))
        return sheet, _Made(counts, vectors)

    def _is_allowed(self, found: CountedRecords) -> bool:
        """Return whether what was counted before may be used; if not, counting again says why."""
        return not self.plan.strict or not (found.without_patient or found.left_out.get(NOT_JSON))

    def sheet(self, counts: RecordCounts, files: dict[str, str]) -> DataSheet:
        """Return the data sheet of what was counted."""
        from importlib.metadata import version

        identity = sorted(files.values()) or [
            place_of(self.connect or ""),
            self.plan.parameters.database_schema or "",
        ]
        return DataSheet(
            record_rules=RECORD_RULES,
            medgauge=version("medgauge"),
            origin=f"records-{key_of(records=identity)[:12]}",
            files=files,
            counting=self.plan.parameters,
            found=counts.found,
        )

    def _stored(self, folder: RecordsFolder, files: dict[str, str], *, replace: bool) -> DataSheet | None:
        """Return the build in the folder if it is this one; raise an error rather than overwrite another."""
        stored = folder.stored(damaged=replace)
        if stored is None or replace:
            return None
        asked = {"files": files, "counting": self.plan.parameters, "sampling": self.asked}
        others = [name for name, value in asked.items() if getattr(stored, name) != value]
        if files and not others and folder.is_complete():
            return stored
        held = f"another build (with other {' and '.join(others)})" if others else "a build"
        raise InputError(
            f"{folder.folder} has {held}; add {option('replace', True)}, or choose another folder"
        )


def _check(
    source: str | Path | None,
    connect: str | None,
    schema: str | None,
    min_patients: int,
    max_concepts: int,
    window: int | None,
    memory: str | None,
) -> None:
    if (source is None) == (connect is None):
        raise InputError(
            f"give either a folder or file of records, or a database ({option('connect', 'URL')})"
        )
    if schema is not None and connect is None:
        raise InputError(f"{option('schema', schema)} is for a database; leave it out for files")
    if memory is not None and connect is not None:
        raise InputError(f"{option('memory', memory)} is for files; a database has its own limits")
    if min_patients < FLOOR:
        raise InputError(
            f"{option('min_patients', min_patients)} is too few: nothing of fewer than {FLOOR} patients may "
            "leave the records"
        )
    if max_concepts < 2:
        raise InputError(f"{option('max_concepts', max_concepts)} leaves no pairs; it must be at least 2")
    if window is not None and window < 0:
        raise InputError(f"{option('window', window)} must be a number of days, at least 0")


def _check_files(files: list[Path], given: Sequence[Path], *, out: str | Path | None, replace: bool) -> None:
    """Refuse to write where nothing can be, or over what a person may have worked on, or what is read."""
    for path in files:
        if not can_write(path):
            raise FileError(path, "cannot be written; choose another place")
        if path.exists() and not replace:
            raise InputError(f"{path} already exists; add {option('replace', True)}, or choose another name")
        if path.exists():
            check_not_read(path, given)
            check_not_read(path, (inner for one in given if one.is_dir() for inner in one.rglob("*")))
    made = [*files, *([] if out is None else [Path(out)])]
    if len({path.absolute() for path in made}) < len(made):
        raise InputError(f"{made[0]} is named twice; choose a place for each file, and for the folder")


def _check_outside(source: Path, made: Sequence[Path]) -> None:
    """Refuse to write into a folder of which every file is read: the next build would find other records."""
    for path in made:
        if source.resolve() in path.resolve().parents:
            raise InputError(f"{path} is in the folder of the records; choose a place outside of it")


def _check_categories(records: RecordSource, plan: CountingPlan) -> None:
    """Refuse a category that the form of the records does not have; a table may have any."""
    wanted = plan.parameters.categories
    if not wanted:
        raise InputError(f"{option('categories')} names no category")
    if records.form == "table":
        return
    every = (*WANTED, OBSERVATION)
    for name in wanted:
        if name not in every:
            raise UnknownNameError("category", name, every)
    held = _CATEGORIES.get(records.form, every)
    if not set(held) & set(wanted):
        raise InputError(
            f"{FORM_NAMES[records.form]} has only events of {', '.join(held[:-1])} and {held[-1]}; "
            f"choose these with {option('categories', ','.join(held))}"
        )


def _read_terminology(sources: str | Path | Sequence[str | Path], language: str) -> Terminology | None:
    given = _sources(sources)
    return read_terminology(given, language=language) if given else None


def _sources(sources: str | Path | Sequence[str | Path]) -> list[Path]:
    return [Path(one) for one in ([sources] if isinstance(sources, str | Path) else sources)]


def _described(released: Terminology | None, language: str) -> dict[str, str]:
    """Return what identifies a terminology: its title, the language of its terms and its files."""
    if released is None:
        return {}
    spoken = {"language": language} if released.form == "rf2" else {}
    return {"title": released.title} | spoken | dict(released.files)


def _write_concepts(path: str | Path | None, counts: RecordCounts, least: int) -> None:
    if path is None:
        return
    listed = concepts_table(counts.concepts, least=least)
    write_table(Path(path), listed)
    remark(f"{listed.height:,} concepts are in {path}; write x in the column exclude to leave one out")


def _write_vectors(path: Path, made: tuple[list[str], Floats], sheet: DataSheet) -> None:
    ids, vectors = made
    save_vectors(path, ids, vectors, card_of_vectors(sheet, plain_name(path), vectors.shape[1]))
    remark(f"vectors of {len(ids):,} concepts are in {path}")
