"""How many patients have each concept, counted where the records are, and what is left after each step."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from medgauge.build.records.code_mapping import SNOMED, Targets, look_like_snomed
from medgauge.build.records.concept_filter import ConceptFilter
from medgauge.records.engine import Engine
from medgauge.records.recorded import Recorded
from medgauge.terminology.rf2 import clean_fsn

if TYPE_CHECKING:
    import ibis.expr.types as ir

LEVELS = ("recorded", "coded", "wanted", "mapped", "kept", "frequent")
"""How far an event gets: it has a patient; a code; a wanted category; a concept; one that is not excluded;
one that enough patients have."""


@dataclass(frozen=True)
class CountingRules:
    """What counts: events of these categories and their window in days, and concepts of enough patients."""

    categories: Collection[str]
    min_patients: int
    max_concepts: int
    window: int | None


@dataclass(frozen=True)
class Reached:
    """How many events and patients, and how many different codes or concepts, reach a level."""

    level: str
    events: int
    patients: int
    concepts: int


@dataclass(frozen=True)
class StepCounts:
    """What reaches each level, and how many patients have something that goes no further.

    `patterns` has the numbers of patients by the levels at which events of theirs end: bit 0 is the first.
    """

    reached: tuple[Reached, ...]
    patterns: tuple[tuple[int, int], ...]

    def losing(self, before: int, level: int) -> int:
        """Return how many patients have an event that reaches one level but not another after it.

        >>> StepCounts((), ((0b001, 3), (0b101, 4), (0b100, 90))).losing(0, 2)
        7
        """
        between = (1 << level) - (1 << before)
        return sum(patients for ends, patients in self.patterns if ends & between)


@dataclass(frozen=True)
class ConceptCounts:
    """What was counted before pairing.

    `concepts` has `id`, `term` and `patients`, sorted by id; `unmapped` has `system`, `code`, `term`,
    `events` and `patients` of the codes without a concept. Both have only what enough patients have. `held`
    stays in the engine: the concepts of each patient, by their numbers in `concepts`; `several` says that a
    code can stand for several of them. `system` is the code system of the concepts, "" if it is not known.
    """

    concepts: pl.DataFrame
    system: str
    unmapped: pl.DataFrame
    unmapped_codes: int
    systems: list[tuple[str, int, int]]
    """Each code system with its number of events and of patients."""
    without_patient: int
    undated: int
    """The number of events that are left out for lack of a date; 0 if dates do not matter."""
    steps: StepCounts
    held: "ir.Table"
    several: bool


def count_concepts(
    engine: Engine, recorded: Recorded, targets: Targets, kept: ConceptFilter, rules: CountingRules
) -> ConceptCounts:
    """Count the patients of each concept, and return those that enough patients have."""
    import ibis

    kinds = recorded.kinds.mutate(
        coded=recorded.kinds.code != "",
        wanted=recorded.kinds.category.isin([*rules.categories]) | (not recorded.has_categories),
    )
    visits = engine.kept(_visits(recorded.events, rules), "counting events")
    wanted = kinds.filter(kinds.coded, kinds.wanted).select("kind")
    mapped = targets.table.filter(targets.table.concept != "").semi_join(wanted, "kind")
    mapped = engine.kept(mapped.mutate(number=ibis.dense_rank().over(order_by="concept")), "mapping codes")
    allowed = engine.kept(_allowed(engine, mapped, kept), "leaving concepts out")
    several = _is_several(engine, allowed)
    of_patients = visits.filter(visits.patient.notnull())
    held = engine.kept(
        _held(of_patients, allowed, rules, several=several), "finding the concepts of patients"
    )
    frequent = _frequent(engine, held, allowed, rules)
    numbers = engine.given(frequent.select("number", "place", "rank"))
    levels = _levels(kinds, mapped, allowed, allowed.semi_join(numbers, "number"))
    levels = engine.kept(levels, "counting steps")
    system = targets.system or (SNOMED if look_like_snomed(frequent["id"]) else "")
    snomed = {SNOMED, targets.system} if system == SNOMED else {SNOMED}
    terms = _terms(engine, of_patients, kinds, rules, snomed)
    named = engine.fetch(
        allowed.semi_join(numbers, "number").select("kind", "concept", "term").distinct(), "finding terms"
    )
    return ConceptCounts(
        _with_terms(frequent.select("id", "patients"), named, terms),
        system,
        _unmapped(engine, of_patients, levels, terms, rules),
        _one(engine, levels.filter(levels.level == LEVELS.index("wanted")).written.nunique()),
        _systems(engine, of_patients, levels),
        _one(engine, visits.filter(visits.patient.isnull()).events.sum()),
        0
        if rules.window is None
        else _one(engine, recorded.events.filter(recorded.events.day.isnull()).count()),
        _step_counts(engine, of_patients, levels, mapped, allowed, frequent.height),
        held.join(numbers, "number").drop("number"),
        several,
    )


def _visits(events: "ir.Table", rules: CountingRules) -> "ir.Table":
    """Return what each patient has recorded, once for each kind, and for each day if days count."""
    keys = ["patient", "kind"]
    if rules.window is not None:
        events = events.filter(events.day.notnull())
        keys.append("day")
    return events.group_by(keys).agg(events=events.count())


def _allowed(engine: Engine, mapped: "ir.Table", kept: ConceptFilter) -> "ir.Table":
    """Return the targets whose concepts are kept."""
    schema = {"concept": pl.String}
    if kept.excluded:
        mapped = mapped.anti_join(
            engine.given(pl.DataFrame({"concept": sorted(kept.excluded)}, schema)), "concept"
        )
    if kept.within is not None:
        mapped = mapped.semi_join(
            engine.given(pl.DataFrame({"concept": sorted(kept.within)}, schema)), "concept"
        )
    return mapped


def _is_several(engine: Engine, allowed: "ir.Table") -> bool:
    """Return whether a code stands for several concepts."""
    counts = allowed.group_by("written").agg(concepts=allowed.number.nunique())
    return _one(engine, counts.concepts.max()) > 1


def _held(visits: "ir.Table", allowed: "ir.Table", rules: CountingRules, *, several: bool) -> "ir.Table":
    """Return the concepts of each patient: `patient`, `number`, and what a pair may depend on besides.

    With a window, that is the day and the code. If a code can have several concepts, it is how many codes a
    concept was recorded by, and one of them: two concepts are not paired if one code alone stands for both.
    """
    import ibis

    joined = visits.join(allowed.select("kind", "written", "number").distinct(), "kind")
    if rules.window is not None:
        day = joined.day.delta(ibis.date(1970, 1, 1), unit="day").cast("int32")
        return joined.select("patient", "number", "written", day=day).distinct()
    if several:
        return joined.group_by("patient", "number").agg(
            codes=joined.written.nunique(), written=joined.written.min()
        )
    return joined.select("patient", "number").distinct()


def _frequent(engine: Engine, held: "ir.Table", allowed: "ir.Table", rules: CountingRules) -> pl.DataFrame:
    """Return the concepts of enough patients by id: `id`, `patients`, `number`, `place` and `rank`.

    `place` is their place by id, from 0; `rank` that by patients, descending, ties by id.
    """
    counted = held.group_by("number").agg(
        patients=held.patient.nunique() if rules.window is not None else held.count()
    )
    counted = counted.filter(counted.patients >= rules.min_patients)
    names = allowed.select("number", id=allowed.concept).distinct()
    found = engine.fetch(
        counted.join(names, "number").select("number", "id", "patients"), "counting concepts"
    )
    # The engine and Polars both compare texts by code points.
    found = found.cast({"number": pl.Int64, "patients": pl.Int64}).sort("id").with_row_index("place")
    return (
        found.sort("patients", "id", descending=[True, False])
        .with_row_index("rank")
        .sort("id")
        .cast({"place": pl.Int32, "rank": pl.Int32})
    )


def _levels(kinds: "ir.Table", mapped: "ir.Table", allowed: "ir.Table", frequent: "ir.Table") -> "ir.Table":
    """Return how far each kind of event gets: `kind`, `written`, `code`, `system`, `level`."""
    import ibis

    has = [kinds.kind.isin(targets.kind) for targets in (mapped, allowed, frequent)]
    passed = [kinds.coded, kinds.coded & kinds.wanted, *has]
    # PostgreSQL casts no truth value to a number of this size.
    level = sum((ibis.ifelse(one, 1, 0) for one in passed), start=ibis.literal(0))
    return kinds.select("kind", "written", "code", "system", level=level)


def _step_counts(
    engine: Engine,
    visits: "ir.Table",
    levels: "ir.Table",
    mapped: "ir.Table",
    allowed: "ir.Table",
    frequent: int,
) -> StepCounts:
    """Return what is left at each level: an event reaches a level and all before it."""
    import ibis

    joined = visits.join(levels.select("kind", "level"), "kind")
    # Not every engine has a union of bits.
    bits = [ibis.ifelse(joined.level == number, 1 << number, 0).max() for number in range(len(LEVELS))]
    ends = joined.group_by("patient").agg(ends=sum(bits[1:], start=bits[0]))
    found = engine.fetch(ends.group_by("ends").agg(patients=ends.count()), "counting patients").sort("ends")
    patterns = tuple((int(one), int(patients)) for one, patients in found.iter_rows())
    events = engine.fetch(joined.group_by("level").agg(events=joined.events.sum()), "counting events")
    codes = [
        _one(engine, levels.filter(levels.level >= level, levels.code != "").written.nunique())
        for level in range(3)
    ]
    concepts = [*codes, *(_one(engine, table.number.nunique()) for table in (mapped, allowed)), frequent]
    reached = tuple(
        Reached(
            name,
            int(events.filter(pl.col("level") >= level)["events"].sum()),
            sum(patients for ends, patients in patterns if ends >> level),
            concepts[level],
        )
        for level, name in enumerate(LEVELS)
    )
    return StepCounts(reached, patterns)


def _systems(engine: Engine, visits: "ir.Table", levels: "ir.Table") -> list[tuple[str, int, int]]:
    """Return each code system of coded events with its number of events and of patients, by name."""
    coded = levels.filter(levels.code != "").select("kind", "system")
    joined = visits.join(coded, "kind")
    counted = joined.group_by("system").agg(events=joined.events.sum(), patients=joined.patient.nunique())
    found = engine.fetch(counted, "counting code systems").sort("system")
    return [(system, int(events), int(patients)) for system, events, patients in found.iter_rows()]


def _terms(
    engine: Engine, visits: "ir.Table", kinds: "ir.Table", rules: CountingRules, snomed: Collection[str]
) -> pl.DataFrame:
    """Return the terms that enough patients have: `kind`, `written`, `system`, `term`, `patients`.

    Terms of SNOMED CT, under whichever of the names `snomed`, lose their semantic tag: EHR-Rel's have none.
    """
    patients = visits.patient.nunique() if rules.window is not None else visits.count()
    counted = visits.group_by("kind").agg(patients=patients)
    counted = counted.filter(counted.patients >= rules.min_patients)
    termed = kinds.filter(kinds.term != "").select("kind", "written", "system", "term")
    found = engine.fetch(counted.join(termed, "kind"), "finding terms")
    plain = [
        clean_fsn(term)[0] if system in snomed else term
        for system, term in found.select("system", "term").iter_rows()
    ]
    return found.with_columns(pl.Series("term", plain, pl.String))


def _with_terms(frequent: pl.DataFrame, named: pl.DataFrame, terms: pl.DataFrame) -> pl.DataFrame:
    """Return the concepts with a term: the mapping's, else the commonest in the records, else the id."""
    mapped = named.filter(pl.col("term") != "").group_by("concept").agg(pl.col("term").min().alias("mapped"))
    recorded = named.select("kind", "concept").join(terms.select("kind", "term", "patients"), on="kind")
    recorded = recorded.group_by("concept", "term").agg(pl.col("patients").sum())
    recorded = recorded.sort("patients", "term", descending=[True, False]).unique(
        "concept", keep="first", maintain_order=True
    )
    recorded = recorded.select("concept", recorded="term")
    with_both = frequent.join(mapped, left_on="id", right_on="concept", how="left").join(
        recorded, left_on="id", right_on="concept", how="left"
    )
    term = pl.coalesce("mapped", "recorded", "id").alias("term")
    return with_both.select("id", term, "patients").sort("id")


def _unmapped(
    engine: Engine, visits: "ir.Table", levels: "ir.Table", terms: pl.DataFrame, rules: CountingRules
) -> pl.DataFrame:
    """Return the codes without a concept that enough patients have, those with the most events first."""
    lacking = levels.filter(levels.level == LEVELS.index("wanted")).drop("level")
    joined = visits.join(lacking, "kind")
    counted = joined.group_by("written", "system", "code").agg(
        events=joined.events.sum(), patients=joined.patient.nunique()
    )
    found = engine.fetch(counted.filter(counted.patients >= rules.min_patients), "listing unmapped codes")
    commonest = terms.sort("patients", "term", descending=[True, False]).unique("written", keep="first")
    found = found.join(commonest.select("written", "term"), on="written", how="left")
    return found.select(
        "system", "code", pl.col("term").fill_null(""), pl.col("events").cast(pl.Int64), "patients"
    ).sort("events", "system", "code", descending=[True, False, False])


def _one(engine: Engine, value: "ir.Scalar") -> int:
    """Return a number that the engine computes, 0 if it is null."""
    return int(engine.fetch(value.name("value").as_table(), "counting").item() or 0)
