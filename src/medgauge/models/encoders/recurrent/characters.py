"""Words as ELMo sees them: the bytes of their UTF-8, between marks."""

from collections.abc import Sequence

import numpy as np

from medgauge.arrays import Integers

CHARACTERS = 261
"""The different characters: the 256 bytes, and the marks."""

_BEGIN_SENTENCE, _END_SENTENCE, _BEGIN_WORD, _END_WORD, _PADDING = range(256, 261)
_MARKS = {"<S>": (_BEGIN_SENTENCE,), "</S>": (_END_SENTENCE,)}
SENTENCE = tuple(_MARKS)
"""The words that stand before and after a sentence."""


def character_ids(words: Sequence[str], *, longest: int, room: int) -> Integers:
    """Return the characters of words, one row each.

    A word has at most `longest` characters with its marks, and is cut off otherwise. Rows are as wide as the
    longest word needs and `room` more, but no wider than `longest`.

    >>> character_ids(["ab", "é"], longest=50, room=1).tolist()
    [[258, 97, 98, 259, 260], [258, 195, 169, 259, 260]]
    """
    spelled = [
        (_BEGIN_WORD, *_MARKS.get(word, word.encode("utf-8", "ignore"))[: longest - 2], _END_WORD)
        for word in words
    ]
    width = min(longest, room + max(map(len, spelled), default=0))
    rows = np.full((len(words), width), _PADDING, np.int64)
    for row, characters in zip(rows, spelled, strict=True):
        row[: len(characters)] = characters
    return rows
