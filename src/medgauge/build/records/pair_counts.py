"""How many patients have each pair of concepts, counted where the records are."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from medgauge.build.records.concept_counts import ConceptCounts, CountingRules
from medgauge.records.engine import Engine

if TYPE_CHECKING:
    import ibis.expr.types as ir


@dataclass(frozen=True)
class PairCounts:
    """The pairs of enough patients.

    `pairs` has `id_1`, `id_2`, `patients`, `patients_1` and `patients_2`, sorted by ids in code-point order.
    `every` is the number of different pairs before the threshold, and `cut` that of the patients with more
    concepts than are paired.
    """

    pairs: pl.DataFrame
    every: int
    cut: int


def count_pairs(engine: Engine, counts: ConceptCounts, rules: CountingRules) -> PairCounts:
    """Pair the different concepts of each patient, and count the patients of each pair."""
    held, cut = _capped(engine, counts.held, rules)
    held = engine.kept(held.drop("rank"), "numbering concepts")
    size = counts.concepts.height
    counting = f"counting pairs of {size:,} concepts in {counts.steps.reached[-1].events:,} events"
    groups = engine.kept(_grouped(held, rules, size, several=counts.several), counting)
    every = engine.fetch(groups.count().name("value").as_table(), "counting pairs").item()
    found = engine.fetch(groups.filter(groups.patients >= rules.min_patients), "counting pairs")
    return PairCounts(_with_ids(found, counts.concepts), int(every), cut)


def _capped(engine: Engine, held: "ir.Table", rules: CountingRules) -> tuple["ir.Table", int]:
    """Keep the commonest concepts of patients with very many; return how many patients that is."""
    import ibis

    # Without a window each row is another concept, and rows are quicker to count.
    concepts = held.place.nunique() if rules.window is not None else held.count()
    counted = held.group_by("patient").agg(concepts=concepts)
    large = engine.kept(counted.filter(counted.concepts > rules.max_concepts), "looking for long records")
    cut = int(engine.fetch(large.count().name("value").as_table(), "looking for long records").item())
    if not cut:
        return held, 0
    long = held.semi_join(large, "patient")
    order = ibis.dense_rank().over(group_by="patient", order_by="rank")
    shortened = long.mutate(order=order)
    shortened = shortened.filter(shortened.order < rules.max_concepts).drop("order")
    return ibis.union(held.anti_join(large, "patient"), shortened), cut


def _grouped(held: "ir.Table", rules: CountingRules, size: int, *, several: bool) -> "ir.Table":
    """Return the patients of each pair: `pair`, which has both places in one number, and their number."""
    other = held.view()
    conditions: list[Any] = [held.patient == other.patient, held.place < other.place]
    if rules.window is not None:
        apart = held.day - other.day
        conditions += [apart <= rules.window, apart >= -rules.window, held.written != other.written]
    elif several:
        conditions.append((held.codes > 1) | (other.codes > 1) | (held.written != other.written))
    pair = held.place.cast("int64") * size + other.place.cast("int64")
    paired = held.join(other, conditions)
    paired = paired.select(patient=held.patient, pair=pair)
    if rules.window is not None:
        paired = paired.distinct()
    return paired.group_by("pair").agg(patients=paired.count())


def _with_ids(found: pl.DataFrame, concepts: pl.DataFrame) -> pl.DataFrame:
    """Return counted pairs by the ids of their concepts, with the patients of each."""
    size = max(concepts.height, 1)
    places = {"1": found["pair"] // size, "2": found["pair"] % size}
    sides = {
        f"{name}_{side}": concepts[column].gather(numbers)
        for name, column in (("id", "id"), ("patients", "patients"))
        for side, numbers in places.items()
    }
    named = found.select(pl.col("patients").cast(pl.Int64)).with_columns(**sides)
    return named.select("id_1", "id_2", "patients", "patients_1", "patients_2").sort("id_1", "id_2")
