"""The one seam to clusters: process chunks one after another here, or on a Dask cluster.

Work uses threads within a chunk, so a single machine needs no extra processes.
"""

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, TypeVar

from medgauge.errors import ClusterError, MissingExtraError

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from distributed import Client

Chunk = TypeVar("Chunk")
Shared = TypeVar("Shared")
Result = TypeVar("Result")

_ADDRESS = re.compile(r"(tcp|tls|ws|wss|ucx)://[^\s/]+:\d{1,5}")
_PATIENCE = 10  # seconds within which a scheduler and its first worker must answer
_AHEAD = 3  # chunks queued for each thread of the cluster, so that none is idle


def connected(address: str | None) -> "AbstractContextManager[Client | None]":
    """Connect to the scheduler of a Dask cluster; None means this machine."""
    return nullcontext() if address is None else _client(address)


@contextmanager
def _client(address: str) -> "Iterator[Client]":
    try:
        from distributed import Client
    except ImportError as error:
        raise MissingExtraError("distributed", extra="cluster") from error
    if not _ADDRESS.fullmatch(address):
        raise ClusterError(
            f"'{address}' is not the address of a Dask scheduler, such as tcp://127.0.0.1:8786"
        )
    try:
        client = Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, TypeError, ValueError) as error:
        raise ClusterError(f"no Dask scheduler answers at {address}") from error
    with client:
        try:
            client.wait_for_workers(1, timeout=_PATIENCE)
        except TimeoutError as error:
            raise ClusterError(f"the Dask cluster at {address} has no workers; start some") from error
        yield client


def map_chunks(
    work: Callable[[Shared, Chunk], Result],
    shared: Shared,
    chunks: Iterable[Chunk],
    *,
    cluster: "Client | None" = None,
) -> Iterator[Result]:
    """Call `work(shared, chunk)` for each chunk, and yield the results in the order of the chunks.

    On a cluster, `shared` is sent to each worker once, and only a few chunks per thread are in flight at a
    time, so that neither side holds all of them.

    >>> list(map_chunks(lambda factor, chunk: factor * sum(chunk), 10, [[1, 2], [3]]))
    [30, 30]
    """
    if cluster is None:
        for chunk in chunks:
            yield work(shared, chunk)
        return
    try:
        yield from _on_cluster(work, shared, chunks, cluster)
    except ClusterError:
        raise
    except Exception as error:  # whatever a worker or the network raises; its text may quote terms
        raise ClusterError(
            f"the Dask cluster failed ({type(error).__name__}): see the logs of its workers, "
            "each of which needs this version of medgauge"
        ) from error


def _on_cluster(work: Any, shared: Any, chunks: Iterable[Any], cluster: "Client") -> Iterator[Any]:
    held = cluster.scatter(shared, broadcast=True, hash=False)
    room = _AHEAD * max(1, sum(cluster.nthreads().values()))
    waiting: deque[Any] = deque()
    for chunk in chunks:
        waiting.append(cluster.submit(work, held, chunk, pure=False))
        if len(waiting) >= room:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()
