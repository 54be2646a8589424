"""Connections to other machines: the only module of medgauge that opens one.

`connect` requests a published file; `post` sends JSON to a service, and `get` asks one with a query. What is
sent to a service may be licensed terms and a key, so both refuse plain http beyond this machine, follow no
redirect, use no proxy for an address of this machine, read no more of an answer than they must, and repeat in
their errors only the address, without the query.
"""

import http.client
import ipaddress
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Protocol
from urllib.parse import SplitResult, unquote, urlencode, urlsplit

from medgauge.errors import InputError, LostAnswerError, ServiceError, quoted

CONNECTION_ERRORS = (OSError, http.client.HTTPException)
"""What a connection that fails raises, besides `urllib.error.HTTPError`, which is one of them."""

_TIMEOUT = 60
_BLOCK = 1 << 16
_LONGEST_ANSWER = 1 << 28  # bytes: 2,048 vectors of 4,096 dimensions, written out


class Response(Protocol):
    """The response of a server: a status, headers, and a body to read."""

    status: int

    def getheader(self, name: str) -> str | None:
        """Return the value of a header."""

    def read(self, size: int) -> bytes:
        """Read the next bytes of the body."""

    def close(self) -> None:
        """Close the connection."""


def connect(url: str, start: int) -> Response:
    """Request a URL, from byte `start` on if the server supports it."""
    request = urllib.request.Request(url, headers={"User-Agent": "medgauge"})
    if start:
        request.add_header("Range", f"bytes={start}-")
    response: Response = urllib.request.urlopen(request, timeout=_TIMEOUT)
    return response


@dataclass(frozen=True)
class Reply:
    """What a service answered: a status, its headers with names in lower case, and the body."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


Post = Callable[[str, bytes, Mapping[str, str], float], Reply]
"""Sends a body to a URL with headers, and waits for the answer for some seconds; tests replace it."""
Query = Sequence[tuple[str, str]]
Get = Callable[[str, Query, float], Reply]
"""Asks a URL with a query, and waits for the answer for some seconds; tests replace it."""


def post(url: str, body: bytes, headers: Mapping[str, str], timeout: float) -> Reply:
    """Send JSON to a service and return its answer, whatever its status.

    A `LostAnswerError` is worth another try: the answer took longer than `timeout` seconds in all, or the
    connection broke before it was complete.
    """
    if not all(text.isascii() and text.isprintable() for text in headers.values()):
        raise InputError("a header for a service has characters that cannot be sent; check the key")
    sent = {"User-Agent": "medgauge", "Content-Type": "application/json", **headers}
    address = service_address(url)
    request = urllib.request.Request(url, data=body, headers=sent, method="POST")
    return _exchanged(request, url, timeout, address)


def get(url: str, query: Query, timeout: float) -> Reply:
    """Ask a service with a query, which may hold a key, and return its answer, whatever its status.

    Errors are as those of `post`.
    """
    headers = {"User-Agent": "medgauge", "Accept": "application/json"}
    address = service_address(url)
    request = urllib.request.Request(f"{url}?{urlencode(query)}", headers=headers)
    return _exchanged(request, url, timeout, address)


def _exchanged(request: urllib.request.Request, url: str, timeout: float, address: SplitResult) -> Reply:
    """Send a request and return its answer; `url` is what errors name, and has no query."""
    proxies = urllib.request.ProxyHandler({} if is_loopback(address) else None)
    end = time.monotonic() + timeout
    try:
        with _opened(urllib.request.build_opener(proxies, _NoRedirects), request, timeout) as response:
            received = _whole_body(response, url, end)
            reply = Reply(response.status, received, {k.lower(): v for k, v in response.headers.items()})
    except TimeoutError:
        raise _late(url, timeout) from None
    except urllib.error.URLError as error:
        if isinstance(error.reason, TimeoutError):
            raise _late(url, timeout) from None
        if isinstance(error.reason, ConnectionResetError | BrokenPipeError):
            raise _broken(url) from None
        raise ServiceError(
            f"{url}: the service cannot be reached ({_cause(error.reason)}); check that it runs and that the "
            "address is right"
        ) from None
    except CONNECTION_ERRORS:
        raise _broken(url) from None
    if 300 <= reply.status < 400:
        raise ServiceError(
            f"{url}: the service redirects to another address ({reply.status}), which is not followed; "
            "name the final address"
        )
    return reply


def service_address(url: str) -> SplitResult:
    """Return the parts of a service's address; refuse one that terms may not be sent to.

    >>> service_address("http://localhost:8000/v1").port
    8000
    """
    try:
        address = urlsplit(url)
        usable = address.scheme in ("http", "https") and bool(address.hostname)
        _ = address.port  # a number up to 65535, or an error
        _ = (address.hostname or "").encode("idna")  # parts of at most 63 characters, or an error
    except ValueError:
        usable = False
    if not usable or any(sign.isspace() or not sign.isprintable() or sign == "\\" for sign in url):
        raise InputError(
            "the address of a service has the form https://HOST/PATH or http://localhost:PORT/PATH"
        )
    if address.username is not None or address.query or address.fragment:
        raise InputError(
            "the address of a service has a user name, a password, a question mark or a #, which messages "
            "would show; leave that out, and name the variable that holds the key with ?key="
        )
    if not url.isascii():
        raise InputError(
            f"the address {quoted(url)} has characters that no address has; write them percent-encoded, such "
            "as %C3%A9, and those of a host in its form xn--…"
        )
    if {".", ".."} & set(unquote(address.path).split("/")):
        raise InputError(f"the address {quoted(url)} has . or .. in its path; write it without")
    if address.scheme == "http" and not is_loopback(address):
        raise InputError(
            f"{quoted(url)} is not encrypted; write https://, as http:// is only for this machine "
            "(localhost, 127.0.0.1)"
        )
    return address


def is_loopback(address: SplitResult) -> bool:
    """Return whether an address is one of this machine itself.

    >>> [is_loopback(urlsplit(url)) for url in ("http://127.0.0.1:80", "http://[::1]", "http://10.0.0.1")]
    [True, True, False]
    """
    host = address.hostname or ""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:  # a name
        return False


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Leaves a redirect as the answer that it is."""

    def redirect_request(self, *_arguments: object, **_more: object) -> None:
        return None


def _opened(opener: urllib.request.OpenerDirector, request: urllib.request.Request, timeout: float) -> Any:
    """Return the response to a request, also where its status says that something is wrong."""
    try:
        return opener.open(request, timeout=timeout)
    except urllib.error.HTTPError as response:
        return response


def _whole_body(response: Any, url: str, end: float) -> bytes:
    """Read an answer to its end, unless that takes too long or it is longer than any answer."""
    length = response.headers.get("Content-Length", "")
    blocks, received = [], 0
    while block := response.read1(_BLOCK):
        blocks.append(block)
        received += len(block)
        if received > _LONGEST_ANSWER:
            raise ServiceError(f"{url}: the answer of the service is longer than {_LONGEST_ANSWER >> 20} MB")
        if time.monotonic() > end:
            raise TimeoutError
    if length.isdecimal() and received < int(length):
        raise _broken(url)
    return b"".join(blocks)


def _late(url: str, timeout: float) -> LostAnswerError:
    return LostAnswerError(f"{url}: the service did not answer within {timeout:g} seconds")


def _broken(url: str) -> LostAnswerError:
    return LostAnswerError(f"{url}: the connection broke before the answer was complete")


def _cause(reason: object) -> str:
    """Return why a connection failed, in the words of the system."""
    return (isinstance(reason, OSError) and reason.strerror) or type(reason).__name__


def phrase(status: int) -> str:
    """Return a status with its standard phrase, whatever phrase the server used.

    >>> phrase(429), phrase(599)
    ('429 Too Many Requests', '599')
    """
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)
