"""Counts of concepts and pairs in records, with what is known of them: the one part that needs an engine."""

import warnings
from dataclasses import dataclass

import polars as pl

from medgauge.build.records.code_mapping import CodeMapping, targets_of
from medgauge.build.records.concept_counts import ConceptCounts, CountingRules, StepCounts, count_concepts
from medgauge.build.records.concept_filter import (
    ConceptList,
    Hierarchy,
    ReleasedHierarchy,
    concept_filter,
)
from medgauge.build.records.count_bands import band_of
from medgauge.build.records.data_sheet import (
    FEW,
    UNDATED,
    CountedRecords,
    CountingParameters,
    RecordStep,
    Shown,
    shown,
)
from medgauge.build.records.pair_counts import count_pairs
from medgauge.errors import InputError, MedgaugeWarning, option
from medgauge.records.code_systems import is_known, title_of
from medgauge.records.engine import Engine
from medgauge.records.omop_vocabulary import Vocabulary
from medgauge.records.record_forms import RecordSource
from medgauge.records.recorded import Recorded
from medgauge.terminology.model import Terminology

_STEPS = (
    "recorded",
    "with a code",
    "of the categories",
    "with a concept",
    "not left out",
    "of enough patients",
)


@dataclass(frozen=True)
class CountingPlan:
    """What is counted, and what the files that were named for it hold."""

    parameters: CountingParameters
    mapping: CodeMapping | None = None
    exclude: ConceptList | None = None
    within: ConceptList | None = None
    terminology: Terminology | None = None
    strict: bool = False

    @property
    def rules(self) -> CountingRules:
        """The rules by which the engine counts."""
        chosen = self.parameters
        return CountingRules(chosen.categories, chosen.min_patients, chosen.max_concepts, chosen.window)


@dataclass(frozen=True)
class RecordCounts:
    """What left the engine: `concepts`, `pairs` and `unmapped` codes of enough patients, and the facts.

    `concepts` has `id`, `term` and `patients`; `pairs` has `id_1`, `id_2`, `patients`, `patients_1` and
    `patients_2`; both are sorted by ids.
    """

    concepts: pl.DataFrame
    pairs: pl.DataFrame
    unmapped: pl.DataFrame
    found: CountedRecords


def count_records(
    engine: Engine, source: RecordSource, plan: CountingPlan, *, pairs: bool = True
) -> RecordCounts:
    """Count the concepts in records, and the pairs unless only the first steps are asked for."""
    recorded = source.read(engine, plan.parameters.categories)
    targets = targets_of(engine, recorded, plan.mapping)
    hierarchy = _hierarchy(recorded, plan)
    kept = concept_filter(plan.exclude, plan.within, hierarchy, descendants=plan.parameters.descendants)
    counts = count_concepts(engine, recorded, targets, kept, plan.rules)
    _check_patients(counts.without_patient, plan)
    concepts = _labelled(counts.concepts, plan.terminology)
    least = plan.parameters.min_patients
    steps = _steps(counts.steps, least)
    _, coded, *_, last = steps
    none = pl.DataFrame(schema=dict.fromkeys(("id_1", "id_2"), pl.String) | dict.fromkeys(_NUMBERS, pl.Int64))
    paired, cut = none, 0
    if pairs:
        made = count_pairs(engine, counts, plan.rules)
        paired, cut = made.pairs, made.cut
        steps.append(RecordStep(step="paired", concepts=concepts.height, pairs=made.every))
        steps.append(_step("pairs of enough patients", paired))
        if plan.parameters.exclude_linked:
            paired = _unlinked(engine, paired, concepts, recorded, plan)
            steps.append(_step("not linked in the terminology", paired))
    found = CountedRecords(
        form=recorded.form,
        engine=engine.title,
        tables={name: list(columns) for name, columns in recorded.read.items()},
        systems=_shown_systems(
            counts.systems,
            least,
            total_is_exact=isinstance(coded.events, int),
            parts_are_exact=coded.events == last.events,
        ),
        steps=steps,
        cut=shown(cut, least),
        without_patient=counts.without_patient,
        left_out=dict(recorded.left_out) | ({UNDATED: counts.undated} if counts.undated else {}),
        unmapped_codes=counts.unmapped_codes,
        target_system=_shown_system(counts, least),
    )
    return RecordCounts(concepts, paired, counts.unmapped, found)


_NUMBERS = ("patients", "patients_1", "patients_2")


@dataclass(frozen=True)
class _OmopHierarchy:
    """The hierarchy that an OMOP vocabulary has in CONCEPT_ANCESTOR."""

    engine: Engine
    vocabulary: Vocabulary

    def with_below(self, ids: list[str]) -> tuple[set[str], list[str]]:
        """Return the ids with those of all concepts below them, and those that are not known."""
        below, known = self.vocabulary.below(ids), self.vocabulary.known(ids)
        found = self.engine.fetch(below, "finding concepts below others")["concept"].to_list()
        there = set(self.engine.fetch(known, "finding concepts below others")["concept"].to_list())
        return {*ids, *found}, [one for one in ids if one not in there]


def _hierarchy(recorded: Recorded, plan: CountingPlan) -> Hierarchy | None:
    """Return what says which concepts are below others: the terminology, or else OMOP's own vocabulary."""
    if not plan.parameters.descendants or not (plan.exclude or plan.within):
        return None
    if plan.terminology is not None:
        released = ReleasedHierarchy(plan.terminology)
        released.warn_of_cycles()
        return released
    if (vocabulary := recorded.vocabulary) is None:
        return None
    if not vocabulary.has_ancestors():
        given = option("exclude" if plan.exclude else "within")
        raise InputError(
            f"CONCEPT_ANCESTOR is missing or empty, so {given} cannot find the concepts below others; name a "
            f"SNOMED CT release or an ontology with {option('terminology')}, or take only the ids with "
            f"{option('descendants', False)}"
        )
    return _OmopHierarchy(vocabulary.engine, vocabulary)


def _check_patients(lacking: int, plan: CountingPlan) -> None:
    """Refuse events without a patient, if that is asked for."""
    if lacking and plan.strict:
        one = lacking == 1
        raise InputError(
            f"{lacking:,} {'event names' if one else 'events name'} no patient; omit "
            f"{option('strict', True)} to leave {'it' if one else 'them'} out"
        )


def _shown_systems(
    systems: list[tuple[str, int, int]], least: int, *, total_is_exact: bool, parts_are_exact: bool = True
) -> dict[str, Shown]:
    """Return the events of each code system; names that few patients have may not be those of systems.

    They are bands where the sum of exact numbers would reveal what fewer patients have, and so are those of
    several systems if events are left out (not `parts_are_exact`): where one system has no concepts, the
    next number is that of the other without what few patients of it lose.
    """
    enough = [
        (title_of(name) if name else "not named", events) for name, events, at in systems if at >= least
    ]
    some_are_few = len(enough) < len(systems)
    in_bands = some_are_few or not total_is_exact or (len(systems) > 1 and not parts_are_exact)
    found: dict[str, Shown] = {
        name: band_of(events, least) if in_bands else events for name, events in enough
    }
    return found | ({"others": FEW} if some_are_few else {})


def _shown_system(counts: ConceptCounts, least: int) -> str:
    """Return the code system of the concepts, "" if too few patients have what may not be the name of one."""
    few = {name for name, _, patients in counts.systems if patients < least and not is_known(name)}
    return "" if counts.system in few else counts.system


def _steps(counts: StepCounts, least: int) -> list[RecordStep]:
    """Return what each step left.

    A number is a band where its difference from an earlier one would be due to fewer than `least` patients.
    """
    steps: list[RecordStep] = []
    exact = {"patients": 0, "events": 0}  # the last step whose number is shown as it is
    for level, (step, one) in enumerate(zip(_STEPS, counts.reached, strict=True)):
        without = counts.reached[exact["patients"]].patients - one.patients
        lost = {"patients": without, "events": counts.losing(exact["events"], level)}
        found: list[Shown] = []
        for name, number in (("patients", one.patients), ("events", one.events)):
            if 0 < lost[name] < least <= one.patients:
                found.append(band_of(number, least))
            else:
                found.append(shown(one.patients, least, number))
                exact[name] = level
        patients, events = found
        steps.append(RecordStep(step=step, patients=patients, events=events, concepts=one.concepts))
    return steps


def _step(step: str, pairs: pl.DataFrame) -> RecordStep:
    return RecordStep(step=step, concepts=different_concepts(pairs), pairs=pairs.height)


def different_concepts(pairs: pl.DataFrame) -> int:
    """Return the number of different concepts in pairs.

    >>> different_concepts(pl.DataFrame({"id_1": ["a", "a"], "id_2": ["b", "c"]}))
    3
    """
    return pl.concat([pairs["id_1"], pairs["id_2"].rename("id_1")]).n_unique()


def _labelled(concepts: pl.DataFrame, terminology: Terminology | None) -> pl.DataFrame:
    """Return the concepts with the preferred terms of a terminology, or else its labels, where it has them.

    EHR-Rel's are the preferred terms of SNOMED CT, such as "Hypertensive disorder".
    """
    if terminology is None:
        return concepts
    labels = terminology.concepts.select("id", pl.col("label").replace("", None)).with_row_index("concept")
    if terminology.preferred is not None:
        labels = labels.join(terminology.preferred, on="concept", how="left", maintain_order="left")
        labels = labels.with_columns(label=pl.coalesce("term", "label"))
    labels = labels.select("id", "label").unique("id")
    joined = concepts.join(labels, on="id", how="left", maintain_order="left")
    lacking = int(joined["label"].null_count())
    if lacking:
        warnings.warn(
            f"{terminology.title} lacks {lacking:,} of {concepts.height:,} concepts; their terms are those "
            "of the records",
            MedgaugeWarning,
            stacklevel=4,
        )
    return joined.select("id", pl.coalesce("label", "term").alias("term"), "patients")


def _unlinked(
    engine: Engine, pairs: pl.DataFrame, concepts: pl.DataFrame, recorded: Recorded, plan: CountingPlan
) -> pl.DataFrame:
    """Leave out the pairs of a parent and its child."""
    given = option("exclude_linked", True)
    needed = f"name a SNOMED CT release or an ontology with {option('terminology')}"
    if plan.terminology is not None and plan.terminology.parents is not None:
        ids = plan.terminology.concepts["id"]
        steps = plan.terminology.parents
        links = pl.DataFrame({side: ids.gather(steps[side]) for side in ("child", "parent")})
    elif recorded.vocabulary is not None:
        if not recorded.vocabulary.has_parents():
            raise InputError(f"CONCEPT_RELATIONSHIP has no 'Is a', so {given} finds no parents; {needed}")
        found = recorded.vocabulary.parents(engine.given(concepts.select(concept="id")))
        links = engine.fetch(found, "finding parents")
    else:
        raise InputError(f"{given} needs a hierarchy; {needed}")
    ordered = links.select(
        id_1=pl.min_horizontal("child", "parent"), id_2=pl.max_horizontal("child", "parent")
    )
    return pairs.join(ordered.unique(), on=["id_1", "id_2"], how="anti", maintain_order="left")
