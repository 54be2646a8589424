"""Which services terms may be sent to, and of which sets.

An address of this machine needs no permission. Any other needs one for its scheme, host, port and path; the
terms of a set whose licence forbids it need one that names the set too.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import SplitResult

from medgauge.errors import InputError, option, quoted
from medgauge.network import is_loopback, service_address
from medgauge.pairs import Card

_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class Grant:
    """A permission to send terms to an address and what is below it; of one set, or (None) of any."""

    dataset: str | None
    address: SplitResult

    @classmethod
    def parse(cls, text: str) -> "Grant":
        """Read URL or SET@URL.

        >>> Grant.parse("my@set@https://example.org/v1").dataset
        'my@set'
        """
        dataset, at, _ = text.rpartition("@http")
        return cls(dataset if at else None, service_address(text[len(dataset) + 1 :] if at else text))

    def covers(self, address: SplitResult) -> bool:
        """Return whether an address is the one that is permitted, or below it.

        >>> here = Grant.parse("https://example.org/v1")
        >>> [here.covers(service_address(f"https://example.org/{path}")) for path in ("v1/", "v1/x", "v12")]
        [True, True, False]
        """
        mine, its = _place(self.address), _place(address)
        return mine[:3] == its[:3] and its[3][: len(mine[3])] == mine[3]


@dataclass
class Permission:
    """The permission to send terms to one service, and whether sets were admitted by name.

    `what` is what leaves this machine, for messages: terms, or codes of concepts.

    >>> may = Permission.of("https://example.org/v1", ["https://example.org"])
    >>> may.admit([Card(name="mine", title="Mine")])
    >>> may.admit([Card(name="mine", title="Mine", terms_stay=True)])
    Traceback (most recent call last):
    medgauge.errors.InputError: the licence of 'mine' does not let its terms leave this machine; ...
    """

    url: str
    grants: tuple[Grant, ...]
    here: bool
    admitted: bool = False
    what: str = "terms"

    @classmethod
    def of(cls, url: str, allowed: Iterable[str], *, what: str = "terms") -> "Permission":
        """Return what is allowed for a service; raise an error if nothing is."""
        address = service_address(url)
        grants = tuple(one for one in map(Grant.parse, allowed) if one.covers(address))
        permission = cls(url, grants, is_loopback(address), what=what)
        if not grants and not permission.here:
            raise InputError(
                f"{what} would leave this machine for {url}; if they may, allow it with {_option(url)}"
            )
        return permission

    def admit(self, cards: Iterable[Card]) -> None:
        """Raise an error unless the terms of all these sets may be sent; no set admits nothing."""
        given = list(cards)
        for card in given:
            if self.here or card.name in {grant.dataset for grant in self.grants}:
                continue
            named = _option(f"{card.name}@{self.url}")
            if not card.may_leave:
                raise InputError(
                    f"the licence of {quoted(card.name)} does not let its {self.what} leave this machine; if "
                    f"you may send them to {self.url} all the same, say so with {named}"
                )
            if not any(grant.dataset is None for grant in self.grants):
                raise InputError(
                    f"the {self.what} of {quoted(card.name)} may not be sent to {self.url}; if they may, "
                    f"allow it with {named}"
                )
        self.admitted = self.admitted or bool(given)

    def check(self) -> None:
        """Raise an error if terms are about to be sent that no set was admitted for, unless any may be."""
        if not (self.here or self.admitted or any(grant.dataset is None for grant in self.grants)):
            raise InputError(
                f"{self.what} may be sent to {self.url} only as those of the sets that are named; allow any "
                f"with {_option(self.url)}"
            )


def _option(value: str) -> str:
    return option("allow_remote", [value])


def _place(address: SplitResult) -> tuple[str, str, int | None, list[str]]:
    """Return what two addresses are compared by: scheme, host, port, and the parts of the path."""
    host = (address.hostname or "").rstrip(".")
    path = [part for part in address.path.split("/") if part]
    return address.scheme, host, address.port or _PORTS.get(address.scheme), path
