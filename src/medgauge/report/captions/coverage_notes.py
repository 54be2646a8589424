"""What tables of coverage say in words: what was counted, where figures are from, what is missing."""

from collections.abc import Iterable, Mapping

from medgauge.composition.benchmark_coverage import (
    BenchmarkCoverage,
    CoveredSet,
    SetSpecificity,
    SetTypes,
)
from medgauge.composition.rating_figures import FROM_RATINGS
from medgauge.errors import option
from medgauge.estimate import undefined_sentences
from medgauge.report.grids.grid import counted, listed

_NAMED = 3  # combinations of types that a note names
_STEPS = {"no common ancestor": "types that share no ancestor", "no type": "no type there"}
_NOT_FOUND = {
    "not found": "not found",
    "ambiguous name": "with a name of several concepts, none of which is guessed",
}


def combination_text(type_1: str, type_2: str) -> str:
    """Write a combination of two types.

    >>> combination_text("Finding", "Sign")
    'Finding – Sign'
    """
    return f"{type_1} – {type_2}"


def key_notes(found: BenchmarkCoverage) -> list[str]:
    """Say what was counted, and by what concepts were."""
    by_id = [one.name for one in found.sets if one.concept_key == "id"]
    by_cui = [one.name for one in found.sets if one.concept_key == "cui"]
    parts = [f"ids ({listed(by_id)})"] * bool(by_id) + [f"CUIs ({listed(by_cui)})"] * bool(by_cui)
    notes = [
        "Terms and unordered pairs are counted whatever their case and spacing; multi-word: of the terms."
    ]
    if parts:
        notes.append(f"Concepts are counted by their {', else by their '.join(parts)}.")
    return notes


def agreement_notes(found: BenchmarkCoverage) -> list[str]:
    """Say what agreement is computed from, which figures are published ones, and which are undefined."""
    with_ratings = [one for one in found.sets if one.agreement and one.agreement.source == FROM_RATINGS]
    published: dict[str, list[str]] = {}
    for one in found.sets:
        if one.agreement and one.agreement.source != FROM_RATINGS:
            published.setdefault(one.agreement.source, []).append(one.name)
    notes = []
    if with_ratings:
        notes.append(
            f"Agreement of {listed([one.name for one in with_ratings])} is computed from the ratings, as by "
            "medgauge agreement; the best annotator's ρ with the mean rating is the human upper bound."
        )
    if published:
        sources = "; ".join(f"{listed(names)}: {source}" for source, names in published.items())
        notes.append(f"p: as published, not computed. {sources}.")
    reasons = {
        f"{name} of {one.name}": reason
        for one in with_ratings
        if one.agreement
        for name, reason in one.agreement.undefined.items()
    }
    return notes + [f"{sentence}." for sentence in undefined_sentences(reasons, most=_NAMED)]


def source_notes(found: BenchmarkCoverage) -> list[str]:
    """Say where types are from, and of which concepts there is none."""
    sources: dict[str, list[str]] = {}
    for one in found.sets:
        if one.types:
            sources.setdefault(one.types.source, []).append(one.name)
    texts = [
        f"{source} ({listed(names)})" if len(sources) > 1 else source for source, names in sources.items()
    ]
    notes = [f"Types: {'; '.join(texts)}. The order of the two does not matter."]
    for one in found.sets:
        steps = {} if one.types is None else one.types.steps
        parts = [
            f"{counted(steps[step], 'concept')} with {text}" for step, text in _STEPS.items() if step in steps
        ]
        if parts:
            notes.append(f"Without a type in {one.name}: {', '.join(parts)}.")
    return notes


def own_combination_notes(found: BenchmarkCoverage) -> list[str]:
    """Name the combinations that one set has alone, and those that it lacks, the most frequent ones."""
    typed = [one for one in found.sets if one.types and one.types.pairs]
    notes = []
    for one in typed if len(typed) > 1 else []:
        # Of two sets, what one lacks is what the other has alone.
        lacking = found.lacking_combinations(one.name) if len(typed) > 2 else []
        for what, some in (("Only in", found.own_combinations(one.name)), ("Not in", lacking)):
            named = [f"{combination_text(*two.types)} ({counted(two.pairs, 'pair')})" for two in some]
            if named:
                notes.append(f"{what} {one.name}: {_several(named)}.")
    return notes


def baseline_notes(found: BenchmarkCoverage) -> list[str]:
    """Say what is predicted, and what is permuted and why."""
    notes = [
        "Each pair is predicted by the median score of all pairs with its combination of types, if there are "
        "others. The medians are fitted on the pairs that they predict, so that types that say nothing have "
        f"a ρ above 0 too: in {found.permutations:,} permutations (seed {found.seed}), the combinations are "
        "shuffled among these pairs; p is the share of permutations, with the observed order, that reach ρ."
    ]
    reasons = {
        f"ρ of {one.name}": one.types.baseline.undefined
        for one in found.sets
        if one.types and one.types.baseline.undefined
    }
    return notes + [f"{sentence}." for sentence in undefined_sentences(reasons, most=_NAMED)]


def specificity_notes(found: BenchmarkCoverage) -> list[str]:
    """Say what specificity is, where it is from, and how concepts were found there."""
    sources = dict.fromkeys(one.specificity.source for one in found.sets if one.specificity)
    notes = [
        f"Specificity: the fewest is-a edges from a concept to the root ({'; '.join(sources)}), in pairs of "
        "two known concepts."
    ]
    for one in found.sets:
        if one.found_by:
            notes.append(f"Concepts of {one.name} in {found.terminology}: {', '.join(_ways(one))}.")
    return notes


def missing_parts_notes(found: BenchmarkCoverage) -> list[str]:
    """Say which sets lack types or specificity: what to give for them, or where they were looked for."""
    umls, source = option("umls", "DIR"), option("terminology", "SOURCE")
    wanted: list[tuple[str, Mapping[str, SetTypes | SetSpecificity | None], str, str]] = [
        (
            "semantic types",
            {one.name: one.types for one in found.sets},
            f"{umls} (for CUIs and SNOMED CT ids), {source},",
            "semantic_type",
        ),
        ("specificity", {one.name: one.specificity for one in found.sets}, source, "specificity"),
    ]
    notes = []
    for what, parts, give, column in wanted:
        lacking = [name for name, part in parts.items() if part is None]
        if lacking:
            names = "any set" if len(lacking) == len(parts) else listed(lacking)
            notes.append(f"No {what} of {names}: they need {give} or columns {column}_1 and {column}_2.")
        notes += [
            f"No pair of {name} has {what} of both concepts in {part.source}."
            for name, part in parts.items()
            if part is not None and not part.pairs
        ]
    return notes


def _ways(one: CoveredSet) -> Iterable[str]:
    for way, count in sorted(one.found_by.items(), key=lambda item: (item[0] in _NOT_FOUND, -item[1])):
        yield f"{count:,} {_NOT_FOUND[way]}" if way in _NOT_FOUND else f"{count:,} by {way}"


def _several(named: list[str]) -> str:
    more = f" and {len(named) - _NAMED:,} more" if len(named) > _NAMED else ""
    return ", ".join(named[:_NAMED]) + more
