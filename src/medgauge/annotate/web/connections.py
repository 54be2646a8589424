"""The connections that the server holds: never more than it can, whoever opens them and keeps silent."""

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST = 500
"""Connections that are held at once; a browser opens six at most, and another when one was closed."""


def holding(most: int) -> type[H11Protocol]:
    """Make a protocol that holds so many connections: for a new one, that which was silent longest is closed.

    Without it, a client that opens connections and sends nothing, or never ends what it sends, would keep
    everybody else out. A request that is cut off is sent again by its page, and stored once.
    """
    by_silence: dict[H11Protocol, None] = {}  # in the order in which they were last heard of

    class Connection(H11Protocol):
        """A connection of HTTP/1.1 that may have to make room."""

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            by_silence[self] = None
            if len(by_silence) > most:
                longest = next(iter(by_silence))
                del by_silence[longest]
                longest.transport.abort()

        def data_received(self, data: bytes) -> None:
            if self in by_silence:
                del by_silence[self]
                by_silence[self] = None
            super().data_received(data)

        def connection_lost(self, exc: Exception | None) -> None:
            by_silence.pop(self, None)
            super().connection_lost(exc)

    return Connection
