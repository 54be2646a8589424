"""Entities in labelled tokens: found as the CoNLL script finds them, and written as IOBES for a network."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from medgauge.arrays import Bytes, Flags, Integers, Places

PREFIXES = "OBIES"
OUTSIDE, BEGIN, INSIDE, END, SINGLE = range(5)
FORMS = 4
"""Labels of a type in IOBES: B, I, E and S, in this order."""

Scheme = Literal["BIO", "IOB", "IOBES"]
"""BIO (or IOB2): every entity begins with B. IOB (or IOB1): only one next to another of its type does."""


@dataclass(frozen=True)
class Tags:
    """The labels of tokens: the place of each prefix in `PREFIXES`, and the number of its type.

    `starts` has the number of the first token of each sentence, with the number of all tokens at the end. The
    type of a token outside of entities does not matter.
    """

    prefixes: Bytes
    types: Places
    starts: Integers

    @property
    def begins(self) -> Flags:
        """Which tokens are the first of a sentence."""
        found = np.zeros(self.prefixes.size, np.bool_)
        found[self.starts[:-1]] = True
        return found


class Entities(NamedTuple):
    """The first and the last token of each entity, and its type, in the order of the text."""

    first: Integers
    last: Integers
    types: Integers

    def chosen(self, which: Flags) -> "Entities":
        """Return some of the entities."""
        return Entities(self.first[which], self.last[which], self.types[which])


def entities_of(tags: Tags) -> Entities:
    """Find the entities as conlleval does, which takes any sequence of labels.

    An entity begins with B or S, and with I or E where nothing, an ended entity (E, S), another sentence or
    another type comes before. It ends before the next one begins, at O, after E or S, and with the sentence.
    So "O I I" is an entity without a B, and in "B-x I-y" the I begins a second one.

    Reference: Tjong Kim Sang and Buchholz (2000). Introduction to the CoNLL-2000 shared task: chunking, for
    the script; its rules for E and S are those of seqeval (Nakayama 2018).

    >>> labels = [OUTSIDE, INSIDE, INSIDE, BEGIN, INSIDE]
    >>> tags = Tags(np.array(labels, np.uint8), np.array([0, 0, 0, 0, 1], np.int32), np.array([0, 5]))
    >>> [found.tolist() for found in entities_of(tags)]
    [[1, 3, 4], [2, 3, 4], [0, 0, 1]]
    """
    begins = tags.begins
    is_in = tags.prefixes != OUTSIDE
    before = np.concatenate([[OUTSIDE], tags.prefixes[:-1]])
    before[begins] = OUTSIDE
    other_type = np.concatenate([[True], tags.types[1:] != tags.types[:-1]])
    opens = is_in & (
        np.isin(tags.prefixes, (BEGIN, SINGLE)) | np.isin(before, (OUTSIDE, END, SINGLE)) | other_type
    )
    goes_on = np.concatenate([(is_in & ~opens)[1:], [False]])
    return Entities(
        np.flatnonzero(opens), np.flatnonzero(is_in & ~goes_on), tags.types[opens].astype(np.int64)
    )


def scheme_of(tags: Tags, entities: Entities) -> Scheme:
    """Return the scheme that labels are in, for people: what is read does not depend on it."""
    if np.isin(tags.prefixes, (END, SINGLE)).any():
        return "IOBES"
    return "BIO" if (tags.prefixes[entities.first] == BEGIN).all() else "IOB"


def iobes_labels(entities: Entities, tokens: int) -> Places:
    """Return the label of each token in IOBES: 0 for O, then B, I, E and S of each type in turn.

    >>> two = Entities(np.array([1, 4]), np.array([3, 4]), np.array([0, 1]))
    >>> iobes_labels(two, 6).tolist()
    [0, 1, 2, 3, 8, 0]
    """
    inside = np.zeros(tokens + 1, np.int32)
    inside[entities.first] += entities.types * FORMS + INSIDE
    inside[entities.last + 1] -= entities.types * FORMS + INSIDE
    labels = np.cumsum(inside[:-1], dtype=np.int32)
    labels[entities.last] += END - INSIDE
    labels[entities.first] += np.where(entities.first == entities.last, SINGLE - END, BEGIN - INSIDE)
    return labels


def iobes_tags(labels: Integers, starts: Integers) -> Tags:
    """Return the labels of `iobes_labels` as prefixes and types."""
    prefixes = np.where(labels == 0, OUTSIDE, (labels - 1) % FORMS + BEGIN).astype(np.uint8)
    return Tags(prefixes, (np.maximum(labels - 1, 0) // FORMS).astype(np.int32), starts)


def may_follow(types: int) -> Flags:
    """Return which IOBES label may follow which, with a sentence's beginning and end as a last label.

    B and I are followed by I or E of their type; O, E and S by O, or by B or S of any type.

    >>> may_follow(1).astype(int)
    array([[1, 1, 0, 0, 1, 1],
           [0, 0, 1, 1, 0, 0],
           [0, 0, 1, 1, 0, 0],
           [1, 1, 0, 0, 1, 1],
           [1, 1, 0, 0, 1, 1],
           [1, 1, 0, 0, 1, 0]])
    """
    found = iobes_tags(np.arange(1 + FORMS * types), np.zeros(1, np.int64))
    # The edge of a sentence is like O, on both sides.
    prefixes = np.append(found.prefixes, OUTSIDE)
    of_type = np.append(found.types, 0)
    is_open = np.isin(prefixes, (BEGIN, INSIDE))
    continues = np.isin(prefixes, (INSIDE, END))
    same = is_open[:, None] & continues[None, :] & (of_type[:, None] == of_type[None, :])
    allowed = same | (~is_open[:, None] & ~continues[None, :])
    allowed[-1, -1] = False  # no sentence is empty
    return np.asarray(allowed, np.bool_)
