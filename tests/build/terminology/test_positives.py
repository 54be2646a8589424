"""The positive pairs of a release that holds every rule, and of made-up ones against loops written out."""

from collections.abc import Iterator

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgauge.build.terminology.families import FAMILIES
from medgauge.build.terminology.positives import Positives, find_positives
from medgauge.terminology.model import Terminology
from medgauge.terminology.rf2 import read_rf2
from tests.build.small import (
    EASY,
    FSN_SYN,
    POSSIBLY_EQUIVALENT,
    REPLACED,
    SAME,
    SYN_SYN,
    small_release,
)

Pair = tuple[str, str]


def pairs_of(positives: Positives, family: str) -> list[Pair]:
    pairs = positives.families[family]
    return [
        (positives.terms[one], positives.terms[other])
        for one, other in zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)
    ]


@pytest.mark.parametrize("form", ["folder", "zip", "crlf", "snapshot"])
def test_a_release_with_every_rule_gives_exactly_these_pairs(form, tmp_path):
    release = small_release()
    source = {
        "folder": lambda: release.write(tmp_path / "release"),
        "zip": lambda: release.zip(tmp_path / "release.zip"),
        "crlf": lambda: release.zip(tmp_path / "release.zip", crlf=True),
        "snapshot": lambda: release.write(tmp_path / "release", full=False),
    }[form]()
    positives = find_positives(read_rf2([source]))
    assert pairs_of(positives, "fsn-syn") == FSN_SYN
    assert pairs_of(positives, "syn-syn") == SYN_SYN
    assert pairs_of(positives, "possibly-equivalent-to") == POSSIBLY_EQUIVALENT
    assert pairs_of(positives, "replaced-by") == REPLACED
    assert pairs_of(positives, "same-as") == SAME
    halves = positives.split("fsn-syn", 5)
    assert len(halves["easy"]) + len(halves["hard"]) == len(FSN_SYN)
    easy = {
        (positives.terms[one], positives.terms[other])
        for one, other in zip(halves["easy"].first, halves["easy"].second, strict=True)
    }
    assert easy == EASY


# Loops over the rules as they are written, to hold the joins against.


def slow_positives(terminology: Terminology) -> dict[str, list[Pair]]:
    concepts = terminology.concepts.to_dicts()
    fsn_syn, syn_syn = [], []
    for number, concept in enumerate(concepts):
        if not concept["active"] or concept["is_metadata"] or concept["label"] is None:
            continue
        rows = terminology.synonyms.filter(pl.col("concept") == number)
        name = concept["label"]
        synonyms = [term for term in rows["term"] if term.lower() != name.lower()]
        fsn_syn += [(name, term) for term in synonyms]
        terms = [name, *synonyms]
        syn_syn += [
            (terms[i], terms[j])
            for i in range(len(terms))
            for j in range(i + 1, len(terms))
            if terms[i].lower() != terms[j].lower()
        ]
    found = {"fsn-syn": list(_once(fsn_syn)), "syn-syn": list(_once(syn_syn))}
    known = {frozenset(pair) for pair in syn_syn}
    met: set[Pair] = set()
    replaced: dict[str, list[Pair]] = {family: [] for family in FAMILIES[2:]}
    for row in terminology.associations.iter_rows(named=True):
        if (row["source"], row["target"]) in met:
            continue
        met.add((row["source"], row["target"]))
        source, target = concepts[row["source"]], concepts[row["target"]]
        if not row["active"] or row["kind"] not in replaced:
            continue
        if "namespace" in (target["name"] or ""):
            continue
        names = [_without_mark(one["label"]) for one in (source, target)]
        if not all(names) or names[0].lower() == names[1].lower() or frozenset(names) in known:
            continue
        replaced[row["kind"]].append((names[0], names[1]))
    return found | {family: list(_once(pairs)) for family, pairs in replaced.items()}


def _without_mark(label: str | None) -> str:
    text = label or ""
    text = text[3:] if text.startswith("[D]") else text
    return (text[:-3] if text.endswith("[D]") else text).strip()


def _once(pairs: list[Pair]) -> Iterator[Pair]:
    seen: set[frozenset[str]] = set()
    for pair in pairs:
        if frozenset(pair) not in seen:
            seen.add(frozenset(pair))
            yield pair


WORDS = st.sampled_from(
    ["a", "A", "b", "B", "ab", "é", "É", "[D]a", "b[D]", "[D]", "ss", "ß", "İ", "i̇", "x-y"]
)
NAMES = st.one_of(st.none(), WORDS, st.just("namespace (namespace concept)"))


@st.composite
def terminologies(draw) -> Terminology:
    names = draw(st.lists(NAMES, min_size=1, max_size=6))
    count = len(names)
    numbers = st.integers(0, count - 1)
    synonyms = draw(st.lists(st.tuples(numbers, WORDS), max_size=14))
    kinds = st.sampled_from([*FAMILIES[2:], "900000000000528000"])
    associations = draw(
        st.lists(
            st.tuples(kinds, numbers, numbers, st.booleans()), max_size=10, unique_by=lambda row: row[:3]
        )
    )
    flags = draw(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=count, max_size=count))
    return Terminology(
        form="rf2",
        title="made up",
        version="1",
        files={},
        concepts=pl.DataFrame(
            {
                "id": [str(number) for number in range(count)],
                "name": names,
                "label": names,
                "tag": [None] * count,
                "active": [flag[0] for flag in flags],
                "is_metadata": [flag[1] for flag in flags],
            },
            {
                **dict.fromkeys(["id", "name", "label", "tag"], pl.String),
                **dict.fromkeys(["active", "is_metadata"], pl.Boolean),
            },
        ),
        synonyms=pl.DataFrame(synonyms, {"concept": pl.UInt32, "term": pl.String}, orient="row"),
        associations=pl.DataFrame(
            associations,
            {"kind": pl.String, "source": pl.UInt32, "target": pl.UInt32, "active": pl.Boolean},
            orient="row",
        ),
        parents=None,
        terms={},
        nameless=(),
    )


@given(terminologies())
@settings(max_examples=300, deadline=None)
def test_the_joins_find_what_the_loops_find(terminology):
    found = find_positives(terminology)
    assert {family: pairs_of(found, family) for family in FAMILIES} == slow_positives(terminology)
