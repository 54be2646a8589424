"""Splits texts into pieces for another process: a script that `SplittingProcesses` start.

It gets a line of JSON with the tokenizer, and then one with a list of texts for each answer: two numbers of
8 bytes, of texts and of pieces, then how many pieces each text has and the pieces, in 4 bytes each. It is run
by its path, without the package around it.
"""

import json
import sys
from collections.abc import Iterator
from itertools import chain
from typing import Any

import numpy as np

_SLICE = 1 << 11  # texts whose pieces are Python's objects at a time


def answers(lines: Iterator[str]) -> Iterator[bytes]:
    """Yield the answer to each line after the first."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_str(json.loads(next(lines)))
    for line in lines:
        texts = json.loads(line)
        counts: list[np.ndarray[Any, Any]] = []
        pieces: list[np.ndarray[Any, Any]] = []
        for first in range(0, len(texts), _SLICE):
            found = tokenizer.encode_batch_fast(texts[first : first + _SLICE], add_special_tokens=True)
            counts.append(np.fromiter(map(len, found), np.int32, len(found)))
            total = int(counts[-1].sum())
            pieces.append(np.fromiter(chain.from_iterable(one.ids for one in found), np.int32, total))
        sizes = np.array([len(texts), sum(part.size for part in pieces)], np.int64)
        yield b"".join(part.tobytes() for part in [sizes, *counts, *pieces])


if __name__ == "__main__":
    for answer in answers(iter(sys.stdin)):
        sys.stdout.buffer.write(answer)
        sys.stdout.buffer.flush()
