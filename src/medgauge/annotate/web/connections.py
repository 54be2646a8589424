"""The connections that the server holds: never too many, even if clients open them and stay silent."""

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST = 500
"""Maximum number of open connections; a browser opens at most six, and reopens one that was closed."""


def holding(most: int) -> type[H11Protocol]:
    """Make a protocol that holds at most `most` connections: a new one closes the one silent for longest.

    Without it, a client that opens connections and sends nothing, or never finishes a request, would keep
    everyone else out. A request that is cut off is sent again by its page, and stored once.
    """
    by_silence: dict[H11Protocol, None] = {}  # in the order in which they last sent something

    class Connection(H11Protocol):
        """An HTTP/1.1 connection that may be closed to make room."""

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
