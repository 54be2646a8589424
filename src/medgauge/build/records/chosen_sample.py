"""How pairs are sampled: what was asked for, checked and completed, and the sample by it."""

import polars as pl

from medgauge.build.records.data_sheet import Sample, SamplingParameters
from medgauge.build.records.pair_samples import (
    ConceptCap,
    StratifiedBy,
    frequent_pairs,
    random_pairs,
    stratified_pairs,
)
from medgauge.errors import InputError, UnknownNameError, option

_SIZES: dict[Sample, int] = {"random": 120, "frequent": 4000, "stratified": 120}
_PER_CONCEPT = 6


def sampling(
    sample: Sample,
    pairs: int | None,
    *,
    per_concept: int | None,
    cap: ConceptCap | None,
    by: StratifiedBy | None,
    seed: int,
    exact_counts: bool,
) -> SamplingParameters:
    """Check what was asked for, and fill in what was not.

    >>> sampling("frequent", None, per_concept=None, cap=None, by=None, seed=42, exact_counts=False).pairs
    4000
    """
    if sample not in _SIZES:
        raise UnknownNameError("sample", sample, _SIZES)
    belongs = {"per_concept": (per_concept, "frequent"), "cap": (cap, "frequent"), "by": (by, "stratified")}
    for name, (value, kind) in belongs.items():
        if value is not None and sample != kind:
            raise InputError(f"{option(name, value)} belongs to {option('sample', kind)}; leave it out")
    if cap not in (None, "greedy", "both"):
        raise UnknownNameError("cap", str(cap), ["greedy", "both"])
    if by not in (None, "band", "pmi"):
        raise UnknownNameError("kind of strata", str(by), ["band", "pmi"])
    size = _SIZES[sample] if pairs is None else pairs
    for what, number in (("pairs", size), ("pairs of a concept", per_concept)):
        if number is not None and number < 1:
            raise InputError(f"the number of {what} must be at least 1, not {number}")
    if not 0 <= seed < 2**64:
        raise InputError(f"the seed must be at least 0 and less than 2^64, not {seed}")
    frequent, stratified = sample == "frequent", sample == "stratified"
    return SamplingParameters(
        sample=sample,
        pairs=size,
        per_concept=(per_concept or _PER_CONCEPT) if frequent else None,
        cap=(cap or "greedy") if frequent else None,
        by=(by or "band") if stratified else None,
        seed=None if frequent else seed,
        exact_counts=exact_counts,
    )


def sampled(counted: pl.DataFrame, asked: SamplingParameters, *, least: int, patients: int) -> pl.DataFrame:
    """Return the sample of counted pairs; `patients` is the number of all."""
    seed = asked.seed or 0
    if asked.sample == "random":
        return random_pairs(counted, asked.pairs, seed=seed)
    if asked.sample == "stratified":
        return stratified_pairs(
            counted, asked.pairs, seed=seed, by=asked.by or "band", least=least, total_patients=patients
        )
    return frequent_pairs(
        counted, asked.pairs, per_concept=asked.per_concept or _PER_CONCEPT, cap=asked.cap or "greedy"
    )
