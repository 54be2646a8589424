"""The content of a made-up release: concepts with their terms, retired concepts, and the hierarchy."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from medical_terms import KINDS, Meaning, Style, meanings, respell
from medical_words import Words

FSN, SYNONYM = 900000000000003001, 900000000000013009
POSSIBLY_EQUIVALENT_TO, REPLACED_BY, SAME_AS = 900000000000523009, 900000000000526001, 900000000000527005
WAS_A, MOVED_TO = 900000000000528000, 900000000000524003

FULL_SIZE = 350_000
SYNONYMS = 225_628 / FULL_SIZE
"""How many synonyms other than its name a concept has on average."""
SPREAD, BREVITY = 1.18, 0.3
RESPELLED = 0.15
"""The share of synonyms that are another spelling of a term before them."""


@dataclass(frozen=True)
class Retirement:
    """A reason to retire concepts: how many pairs it gives, and how the concepts are named.

    Their names are those of concepts of some `lengths`: a share `easy` of them with another spelling, the
    rest in other words (`reordered` and `swapped` say how often) and with one of the `tails`. At most
    `several` relatives stand for each.
    """

    refset: int
    count: int
    easy: float
    reordered: float
    swapped: float
    lengths: tuple[int, int]
    tails: tuple[str, ...] = ("",)
    several: int = 1

    def style(self, words: Words, meaning: Meaning) -> Style:
        """Choose the words of the name of a retired concept."""
        patterns = meaning.kind.patterns
        pattern = words.one(patterns[1:]) if words.draw() < self.reordered else patterns[0]
        return Style(pattern, frozenset(slot for slot in meaning.slots if words.draw() < self.swapped))


_UNSURE = (
    ", unspecified as to side",
    " and/or complication thereof",
    " with or without obstruction",
    ", not otherwise specified",
    ", not elsewhere classified",
    ", unspecified",
    " or related condition",
)
WITHDRAWN = 0.05
"""The share of associations that are inactive."""
DEPRECATED = 0.02
"""The share of names of retired concepts that are marked as such."""
RELATIVES = 3
"""How many concepts of a family are retired together, at most."""
RETIREMENTS = (
    Retirement(POSSIBLY_EQUIVALENT_TO, 28_764, 0.05, 0.3, 0.2, (20, 60), _UNSURE, several=4),
    Retirement(REPLACED_BY, 3_541, 0.05, 0.6, 0.55, (0, 51)),
    Retirement(SAME_AS, 10_162, 0.11, 0.9, 0.95, (0, 50)),
)


@dataclass
class Content:
    """The content of a release: a row for each concept, description, association and relation."""

    ids: list[int] = field(default_factory=list)
    active: list[bool] = field(default_factory=list)
    metadata: list[bool] = field(default_factory=list)
    described: list[int] = field(default_factory=list)
    kinds: list[int] = field(default_factory=list)
    terms: list[str] = field(default_factory=list)
    current: list[bool] = field(default_factory=list)
    preferred: list[bool] = field(default_factory=list)
    associations: list[tuple[int, int, int]] = field(default_factory=list)
    parents: list[tuple[int, int]] = field(default_factory=list)

    def concept(
        self, name: str, tag: str, *, active: bool = True, metadata: bool = False, known: int = 0
    ) -> int:
        """Add a concept with its name, which is its preferred term too; its id is made unless it is known."""
        self.ids.append(known)
        self.active.append(active)
        self.metadata.append(metadata)
        number = len(self.ids) - 1
        self.describe(number, FSN, f"{name} ({tag})", preferred=True)
        self.describe(number, SYNONYM, name, preferred=True)
        return number

    def describe(
        self, concept: int, kind: int, term: str, *, current: bool = True, preferred: bool = False
    ) -> None:
        """Add a description of a concept."""
        self.described.append(concept)
        self.kinds.append(kind)
        self.terms.append(term)
        self.current.append(current)
        self.preferred.append(preferred)


def make_content(concepts: int, rng: np.random.Generator) -> Content:
    """Make up the content of a release with this number of active concepts."""
    content, words = Content(), Words(rng)
    tops = _tops(content)
    scale = concepts / FULL_SIZE
    for number in range(max(1, round(1000 * scale))):
        content.concept(f"Setting number {number}", "core metadata concept", metadata=True)
    taken: set[str] = set()
    made = []
    for meaning in meanings(words):
        if (name := meaning.name.lower()) not in taken:
            taken.add(name)
            made.append(meaning)
            if len(made) == concepts:
                break
    counts = _synonym_counts(np.array([len(meaning.name) for meaning in made]), rng)
    members: dict[int, list[int]] = {top: [] for branch in tops.values() for top in branch}
    known = []
    for meaning, count in zip(made, counts, strict=True):
        number = content.concept(meaning.name, meaning.kind.tag)
        _place(content, words, number, tops[meaning.kind.tag], members)
        taken.update(_describe(content, words, number, meaning, count))
        known.append((number, meaning))
    _retire(content, words, known, taken, scale, rng)
    return content


def _tops(content: Content) -> dict[str, list[int]]:
    """Add the root, and below it the tops of each kind, under the ids that the paper's categories have."""
    root = content.concept("Everything", "concept", known=138875005)
    named = {
        "procedure": [("Procedure to find out", 103693007), ("Procedure to treat", 277132007)],
        "organism": [("Living thing", 410607006)],
    }
    tops = {}
    for kind in KINDS:
        tops[kind.tag] = [
            content.concept(name, kind.tag, known=known)
            for name, known in named.get(kind.tag, [(f"Any {kind.tag}", 0)])
        ]
        content.parents += [(top, root) for top in tops[kind.tag]]
    return tops


def _synonym_counts(lengths: NDArray[np.int64], rng: np.random.Generator) -> list[int]:
    """Draw how many synonyms other than its name each concept has: more for short names than for long ones.

    Gamma and Poisson make a negative binomial distribution; its spread gives the number of pairs of synonyms.
    """
    weights = lengths**-BREVITY
    means = SYNONYMS * weights / weights.mean()
    counts: list[int] = rng.poisson(rng.gamma(SPREAD, means / SPREAD)).tolist()
    return counts


def _place(
    content: Content, words: Words, number: int, tops: list[int], members: dict[int, list[int]]
) -> None:
    """Put a concept below one or more existing ones, in one branch."""
    top = tops[int(words.draw() * len(tops))]
    branch = members[top]
    for _ in range(1 + (words.draw() < 0.5) + (words.draw() < 0.2)):
        content.parents.append((number, branch[int(words.draw() ** 2 * len(branch))] if branch else top))
    branch.append(number)


def _describe(content: Content, words: Words, number: int, meaning: Meaning, count: int) -> Iterator[str]:
    """Add `count` synonyms other than the name, and sometimes a retired one; yield them all."""
    said = [meaning.name]
    styles = iter(meaning.styles)
    while len(said) <= count:
        if words.draw() < RESPELLED or (style := next(styles, None)) is None:
            term = respell(words, said[int(words.draw() * len(said))])
        else:
            term = style.say(meaning.slots)
        if term.lower() not in {one.lower() for one in said}:
            said.append(term)
            content.describe(number, SYNONYM, term)
            yield term.lower()
    drawn = words.draw()
    if drawn < 0.15:
        content.describe(number, SYNONYM, f"{said[-1]}, old wording", current=False)
    elif drawn < 0.25:
        content.describe(number, FSN, f"{said[0]} unspecified ({meaning.kind.tag})", current=False)


def _retire(
    content: Content,
    words: Words,
    known: list[tuple[int, Meaning]],
    taken: set[str],
    scale: float,
    rng: np.random.Generator,
) -> None:
    """Add the retired concepts, each with the concepts that replace it."""
    lengths = [len(meaning.name) for _, meaning in known]
    for retirement in RETIREMENTS:
        shortest, longest = retirement.lengths
        places = [place for place, length in enumerate(lengths) if shortest <= length <= longest]
        wanted = round(retirement.count * scale / (1 - WITHDRAWN))
        for _ in range(10 * wanted):  # a small release may have no new names left
            if wanted <= 0:
                break
            first = places[int(words.draw() * len(places))]
            family = known[first][1].styles
            style, tail = retirement.style(words, known[first][1]), words.one(retirement.tails)
            for place in range(first, min(first + RELATIVES, len(known))):
                meaning = known[place][1]
                if meaning.styles is not family:
                    break
                is_easy = words.draw() < retirement.easy
                name = respell(words, meaning.name) if is_easy else style.say(meaning.slots) + tail
                name = f"[D]{name}" if words.draw() < DEPRECATED else name
                if name.lower() in taken:
                    continue
                taken.add(name.lower())
                source = content.concept(name, meaning.kind.tag, active=False)
                several = known[place : place + 1 + int(words.draw() * retirement.several)]
                targets = [number for number, other in several if other.styles is family]
                content.associations += [(retirement.refset, source, target) for target in targets]
                wanted -= len(targets)
    namespace = content.concept("Extension namespace", "namespace concept")
    retired = [number for number, active in enumerate(content.active) if not active]
    for number in rng.choice(retired, len(retired) // 8).tolist():
        content.associations.append((WAS_A, number, known[int(words.draw() * len(known))][0]))
        content.associations.append((MOVED_TO, number, namespace))
    rng.shuffle(content.associations)
