"""Sign-in links: 128 random bits each, of which only a digest is kept."""

import hashlib
import hmac
import secrets

_BYTES = 16


def new_token() -> str:
    """Draw the secret part of a link.

    >>> len(new_token())
    22
    """
    return secrets.token_urlsafe(_BYTES)


def digest_of(token: str) -> bytes:
    """Give what is stored of a token; 128 random bits need no salt.

    >>> len(digest_of("Ünknown")), digest_of("a") == digest_of("A")
    (32, False)
    """
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def is_token(token: str, digest: bytes) -> bool:
    """Say whether a digest is that of a token, in a time that does not tell how far they agree.

    >>> is_token("a", digest_of("a")), is_token("", digest_of("a"))
    (True, False)
    """
    return hmac.compare_digest(digest_of(token), digest)
