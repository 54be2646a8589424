"""Made-up medical terms: meanings, and ways to put them into words.

A meaning fills the slots of its kind's patterns. The first pattern gives its name, the others express it in
another order. Meanings come in families that differ in only one slot, so that names share most words.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from medical_words import Filling, Words

Slots = Mapping[str, Filling]


@dataclass(frozen=True)
class Kind:
    """A kind of concept.

    A pattern is a sequence of words and slots: a slot in lower case is expressed in the words of names, one
    in capitals in other words. Text before a colon appears only if the slot after it is filled. `slots`
    says how often each is.
    """

    tag: str
    share: float
    slots: Mapping[str, float]
    patterns: tuple[str, ...]


KINDS = (
    Kind(
        "disorder",
        0.36,
        {"quality": 0.65, "change": 1, "side": 0.5, "site": 1, "cause": 0.32},
        (
            "quality change of side site cause",
            "side SITE change ,:quality CAUSE",
            "change of site side ,:quality cause",
            "quality site CHANGE ,:side CAUSE",
            "change affecting SITE -:QUALITY side cause",
        ),
    ),
    Kind(
        "procedure",
        0.25,
        {"act": 1, "side": 0.5, "site": 1, "means": 0.4},
        (
            "act of side site means",
            "side SITE act MEANS",
            "ACT of site ,:side means",
            "SITE act ,:SIDE ,:means",
        ),
    ),
    Kind(
        "finding",
        0.15,
        {"quality": 0.12, "change": 1},
        ("quality change", "CHANGE ,:quality", "disorder with quality change", "change -:QUALITY"),
    ),
    Kind(
        "body structure",
        0.08,
        {"side": 0.7, "site": 1},
        ("side site", "SITE ,:side", "structure of SIDE site", "entire side SITE"),
    ),
    Kind(
        "organism",
        0.08,
        {"organism": 1, "strain": 0.5},
        ("organism strain", "ORGANISM strain", "STRAIN of organism", "genus ORGANISM ,:strain"),
    ),
    Kind(
        "substance",
        0.13,
        {"drug": 1, "dose": 0.4, "form": 0.4},
        ("drug dose form", "FORM with:drug DOSE", "DRUG dose form", "product with drug ,:DOSE FORM"),
    ),
)
_SLOTS = {slot for kind in KINDS for slot in kind.slots}


@dataclass(frozen=True)
class Style:
    """A way to put a meaning into words: a pattern, and the slots whose words are swapped for the others."""

    pattern: str
    swapped: frozenset[str] = frozenset()

    def say(self, slots: Slots) -> str:
        """Express a meaning in words."""
        said = []
        for piece in self.pattern.split():
            before, _, slot = piece.rpartition(":")
            if slot.lower() not in _SLOTS:
                said.append(slot)
            elif filling := slots.get(slot.lower()):
                said += [before, filling[slot.isupper() != (slot.lower() in self.swapped)]]
        text = " ".join(word for word in said if word).replace(" ,", ",").lstrip(", -")
        return text[0].upper() + text[1:]


@dataclass(frozen=True)
class Meaning:
    """A concept: its kind, what fills its slots, and how its family expresses such concepts."""

    kind: Kind
    slots: Slots
    styles: tuple[Style, ...]

    @property
    def name(self) -> str:
        """The name, without its tag."""
        return Style(self.kind.patterns[0]).say(self.slots)


def meanings(words: Words) -> Iterator[Meaning]:
    """Make up one meaning after another, family by family."""
    ends = np.cumsum([kind.share for kind in KINDS]).tolist()
    while True:
        drawn = words.draw() * ends[-1]
        kind = next(kind for kind, end in zip(KINDS, ends, strict=True) if drawn < end)
        slots = {slot: getattr(words, slot)() for slot, often in kind.slots.items() if words.draw() < often}
        styles = tuple(_styles(words, kind, slots))
        varied = words.one(list(slots))
        size = int(1 + 2 * words.draw() / (1.02 - words.draw()))
        yield Meaning(kind, slots, styles)
        for _ in range(size):
            slots = {**slots, varied: getattr(words, varied)()}
            yield Meaning(kind, slots, styles)


def _styles(words: Words, kind: Kind, slots: Slots) -> Iterator[Style]:
    """Choose how a family forms its synonyms: each in another order or other words than those before it."""
    styles = [Style(kind.patterns[0])]
    for _ in range(12):
        before = styles[int(words.draw() * len(styles))]
        if words.draw() < 0.3:
            style = Style(words.one(kind.patterns[1:]), before.swapped)
        else:
            style = Style(before.pattern, before.swapped ^ {words.one(list(slots)) for _ in range(2)})
        styles.append(style)
        yield style


def respell(words: Words, term: str) -> str:
    """Change a term by a few letters, as spellings and small words do."""
    drawn = words.draw()
    if drawn < 0.4:
        return f"{term}s"
    if drawn < 0.6 and "e" in term:
        return term.replace("e", "ae", 1)
    if drawn < 0.8 and " " in term:
        return term.replace(" ", "-", 1)
    if drawn < 0.9 and " of " in term:
        return term.replace(" of ", " of the ", 1)
    return term.replace("al ", "ic ", 1) if "al " in term else f"{term}, NOS"
