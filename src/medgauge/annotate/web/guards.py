"""Protection for every page: headers that restrict the browser, and limits on what a client may send."""

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST_BODY = 16 * 1024
"""Maximum number of bytes in a request; the largest rating has a few hundred."""

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",  # the address may hold a sign-in link
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


class GuardedHeaders:
    """Let the browser run and load only what the study itself serves, and keep no copy of a page."""

    def __init__(self, app: ASGIApp, *, secure: bool) -> None:
        self._app = app
        self._headers = {**_HEADERS, **({"strict-transport-security": "max-age=31536000"} if secure else {})}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Add the headers to every response."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(self._headers)
                is_static = scope["path"].startswith("/static/")
                headers["cache-control"] = "no-cache" if is_static else "no-store"
            await send(message)

        await self._app(scope, receive, send_with_headers)


class _TooLargeError(Exception):
    """A client sends more than it is allowed to."""


class BoundedBody:
    """Refuse a request that is larger than any a page sends, and close the connection on the rest of it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 413 as soon as the size is known, from the header or from the bytes received."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refused = PlainTextResponse("The request is too large.\n", 413)
        unclear = PlainTextResponse("The request has both content-length and transfer-encoding.\n", 400)
        received = 0
        ends = [name for name in ("content-length", "transfer-encoding") if name in headers]
        is_whole = not ends

        async def receive_bounded() -> Message:
            nonlocal received, is_whole
            message = await receive()
            received += len(message.get("body", b""))
            if received > LARGEST_BODY:
                raise _TooLargeError
            is_whole = not message.get("more_body", False)
            return message

        async def send_last(message: Message) -> None:
            if message["type"] == "http.response.start" and not is_whole:
                MutableHeaders(scope=message)["connection"] = "close"  # or the rest would be read forever
            await send(message)

        if len(ends) > 1:
            await unclear(scope, receive, send_last)
            return
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdecimal() and len(length) < 10) or int(length) > LARGEST_BODY:
            await refused(scope, receive, send_last)
            return
        try:
            await self._app(scope, receive_bounded, send_last)
        except _TooLargeError:
            await refused(scope, receive, send_last)


class Rate:
    """A limit on each client: `burst` requests at once, and `per_second` in the long run.

    A bucket holds `burst` tokens and is refilled at `per_second`; each request takes one. When there are very
    many clients, those seen longest ago are forgotten.
    """

    def __init__(
        self, *, burst: float, per_second: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._burst = burst
        self._per_second = per_second
        self._clock = clock
        self._buckets: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()
        self._lock = Lock()

    def allows(self, client: Hashable) -> bool:
        """Return whether a client may send a request now, and count it if so.

        >>> rate = Rate(burst=2, per_second=1, clock=lambda: 0.0)
        >>> rate.allows("a"), rate.allows("a"), rate.allows("a"), rate.allows("b")
        (True, True, False, True)
        """
        with self._lock:
            now = self._clock()
            left, then = self._buckets.pop(client, (self._burst, now))
            left = min(self._burst, left + (now - then) * self._per_second)
            self._buckets[client] = (left - 1 if left >= 1 else left, now)
            if len(self._buckets) > _MOST_CLIENTS:
                self._buckets.popitem(last=False)
            return left >= 1


_MOST_CLIENTS = 10_000
