"""Sign-in links: 128 random bits each, of which only a digest is stored."""

import hashlib
import hmac
import ipaddress
import re
import secrets

from medgauge.annotate.defaults import URL
from medgauge.errors import InputError

_BYTES = 16
# A name or an IPv4 address, or an IPv6 address in brackets, and a port.
_ADDRESS = re.compile(r"(https?)(://(?:[\w.-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?)/?", re.IGNORECASE)
_LAST_PORT = 65_535


def base_of(url: str) -> str:
    """Return the start of links to the pages at an address; refuse anything but a web address.

    >>> base_of("HTTPS://study.example.org/")
    'https://study.example.org'
    """
    found = _ADDRESS.fullmatch(url)
    if found is None or int(found[3] or 0) > _LAST_PORT:
        raise InputError(f"'{url}' is not a web address such as {URL} or https://study.example.org")
    return f"{found[1].lower()}{found[2]}"


def host_of(base: str) -> str:
    """Return the host in the start of a link.

    >>> host_of("http://127.0.0.1:8000"), host_of("http://[::1]:80"), host_of("https://study.example.org")
    ('127.0.0.1', '::1', 'study.example.org')
    """
    return re.sub(r":\d+$", "", base.partition("://")[2]).strip("[]")


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine itself.

    >>> is_loopback("localhost"), is_loopback("::1"), is_loopback("study.example.org")
    (True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def new_token() -> str:
    """Draw the secret part of a link.

    >>> len(new_token())
    22
    """
    return secrets.token_urlsafe(_BYTES)


def digest_of(token: str) -> bytes:
    """Return the digest of a token, which is stored; 128 random bits need no salt.

    >>> len(digest_of("Ünknown")), digest_of("a") == digest_of("A")
    (32, False)
    """
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def is_token(token: str, digest: bytes) -> bool:
    """Return whether a digest is that of a token, in a time that does not reveal how far they match.

    >>> is_token("a", digest_of("a")), is_token("", digest_of("a"))
    (True, False)
    """
    return hmac.compare_digest(digest_of(token), digest)
