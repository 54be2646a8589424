"""Work that is done in a thread while the results before it are used."""

import threading
from collections.abc import Generator, Iterator
from queue import Full, Queue
from typing import TypeVar

Item = TypeVar("Item")

_AHEAD = 2
_PATIENCE = 0.1  # seconds after which the thread looks whether its items are still wanted


def read_ahead(items: Iterator[Item]) -> Generator[Item, None, None]:
    """Yield items that a thread makes, at most two ahead; what it raises is raised here.

    Parsing holds Python's lock, and splitting into tokens does not, so that both are done at once.

    >>> list(read_ahead(iter([1, 2, 3])))
    [1, 2, 3]
    """
    made: Queue[tuple[Item, ...]] = Queue(_AHEAD)  # an empty tuple at the end
    raised: list[BaseException] = []
    stopped = threading.Event()

    def put(item: tuple[Item, ...]) -> None:
        while not stopped.is_set():
            try:
                made.put(item, timeout=_PATIENCE)
            except Full:
                continue
            return

    def make() -> None:
        try:
            for item in items:
                put((item,))
                if stopped.is_set():
                    return
        except BaseException as error:
            raised.append(error)
        put(())

    thread = threading.Thread(target=make, daemon=True)
    thread.start()
    try:
        while item := made.get():
            yield item[0]
        if raised:
            raise raised[0]
    finally:
        stopped.set()
        thread.join()
