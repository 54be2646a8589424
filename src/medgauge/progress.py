"""The one seam to what is said while work goes on: progress and remarks, which listeners show.

The library is silent by default. A command installs a listener with `showing`, and every long piece of
work inside it is shown, without a progress argument on each function in between. What work has to say in
words, such as what it resumes or assumes, goes the same way: from `remark` to the listener of `hearing`.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Protocol

Advance = Callable[[int], None]


class Listener(Protocol):
    """Opens a bar for a piece of work and returns the function that advances it.

    `unit` is given where the number of steps per second says how fast the work is.
    """

    def __call__(self, what: str, steps: int, unit: str = "", /) -> AbstractContextManager[Advance]:
        """Open a bar for a description and a number of steps."""


@contextmanager
def _silent(_what: str, _steps: int, _unit: str = "") -> Iterator[Advance]:
    yield lambda _done: None


_listener: ContextVar[Listener] = ContextVar("listener", default=_silent)


def track(what: str, steps: int, unit: str = "") -> AbstractContextManager[Advance]:
    """Report a piece of work with its number of steps (bytes, pairs, …; 0 if unknown).

    Call the result with each advance. With a unit, such as "terms", terms per second are shown too.

    >>> with track("reading", 10) as advance:
    ...     advance(10)
    """
    listener = _listener.get()
    return listener(what, steps, unit) if unit else listener(what, steps)


@contextmanager
def showing(listener: Listener) -> Iterator[None]:
    """Send all progress inside the block to a listener."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


Hearer = Callable[[str], None]
"""Receives a remark: a sentence about what was assumed or resumed, neither a result nor a warning."""

_hearer: ContextVar[Hearer] = ContextVar("hearer", default=lambda _text: None)


def remark(text: str) -> None:
    """Say in a sentence what the user may want to know while the work goes on.

    >>> with hearing(print):
    ...     remark("resuming: 12 of 30 scores are kept")
    resuming: 12 of 30 scores are kept
    """
    _hearer.get()(text)


@contextmanager
def hearing(hearer: Hearer) -> Iterator[None]:
    """Send all remarks inside the block to a listener."""
    token = _hearer.set(hearer)
    try:
        yield
    finally:
        _hearer.reset(token)
