"""Running a network over batches: one ahead of what is copied back, and in halves where memory is short."""

import gc
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from medgauge.arrays import Floats, Integers
from medgauge.errors import InputError

if TYPE_CHECKING:
    import torch

Given = TypeVar("Given")
Made = TypeVar("Made")

_TURN = 1e-5  # seconds
_AHEAD = 3  # batches that the device works on while an earlier one is copied back
_TOO_LONG = "the longest term does not fit in the memory of the device; choose another device"
_SHORT_OF_MEMORY = ("out of memory", "not enough memory", "can't allocate memory")


@contextmanager
def threads_in_turn() -> Iterator[None]:
    """Let threads take turns often inside the block.

    Otherwise each step of a network, which gives up Python's lock, waits up to 5 ms for a thread that splits
    texts.
    """
    usual = sys.getswitchinterval()
    sys.setswitchinterval(_TURN)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)


def prefetched(work: Callable[[Given], Made], given: Iterable[Given]) -> Iterator[Made]:
    """Call `work` for each item in a thread, one item ahead of what is used.

    >>> list(prefetched(abs, [-1, -2, -3]))
    [1, 2, 3]
    """
    with ThreadPoolExecutor(1) as pool:
        waiting: deque[Future[Made]] = deque()
        for item in given:
            waiting.append(pool.submit(work, item))
            if len(waiting) > 1:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def computed(
    batches: Iterable[tuple[Given, Integers]], forward: "Callable[[Given, Integers], torch.Tensor]"
) -> Iterator[tuple[Given, Integers, Floats | None]]:
    """Compute the rows of each batch of texts, None if they have values that are infinite or not numbers.

    A batch comes with what it is taken from; `forward` computes its rows on the network's device, and is some
    batches ahead. A batch that does not fit in memory is halved and tried again, and later ones are halved at
    once.
    """
    halvings = 0
    on_the_way: deque[tuple[Given, Integers, Callable[[], Floats | None]]] = deque()
    for given, batch in batches:
        parts = [part for part in np.array_split(batch, 1 << halvings) if part.size]
        while parts:
            rows = _attempt(partial(forward, given, parts[0]))
            if rows is None:
                if parts[0].size == 1:
                    raise InputError(_TOO_LONG)
                parts[:1] = np.array_split(parts[0], 2)
                halvings = max(halvings, (batch.size // parts[0].size).bit_length() - 1)
                continue
            on_the_way.append((given, parts.pop(0), _sent_back(rows)))
            if len(on_the_way) > _AHEAD:
                source, done, received = on_the_way.popleft()
                yield source, done, received()
    for source, done, received in on_the_way:
        yield source, done, received()


def _attempt(forward: "Callable[[], torch.Tensor]") -> "torch.Tensor | None":
    """Return the rows of a batch, None if the memory is too short; what it held is freed by then."""
    import torch

    try:
        with torch.inference_mode():
            return forward()
    except (RuntimeError, MemoryError) as error:  # torch.OutOfMemoryError is a RuntimeError
        if not isinstance(error, MemoryError) and not any(
            part in str(error).lower() for part in _SHORT_OF_MEMORY
        ):
            raise
    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
    return None


def _sent_back(rows: "torch.Tensor") -> Callable[[], Floats | None]:
    """Begin to copy rows to the host; return a function that waits for them, None if they are not numbers."""
    import torch

    finite = torch.isfinite(rows).all()
    if rows.device.type != "cuda":
        return lambda: rows.cpu().numpy() if finite else None
    held = [torch.empty(one.shape, dtype=one.dtype, pin_memory=True) for one in (rows, finite)]
    for here, there in zip(held, (rows, finite), strict=True):
        here.copy_(there, non_blocking=True)
    done = torch.cuda.Event()
    done.record()

    def received() -> Floats | None:
        done.synchronize()
        return held[0].numpy() if held[1] else None

    return received
