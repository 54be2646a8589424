"""The UMLS REST API: the same steps as with a release, one question after another.

https://documentation.uts.nlm.nih.gov/rest/home.html. Each question is asked with the user's key in the query,
which errors never show. NLM allows 20 requests a second from an address and recommends keeping what current
releases answer for a day at most. Answers are kept in the user's private cache as soon as they have arrived,
so that an interrupted mapping goes on where it stopped.
"""

import hashlib
import json
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from threading import Event, Lock
from typing import Any

from medgauge.errors import InputError, ServiceError, quoted
from medgauge.files.kept_lines import KeptLines
from medgauge.models.services.permission import Permission
from medgauge.models.services.requests import Patience, Requester
from medgauge.network import Get, Query, Reply, get, phrase
from medgauge.pairs import Card
from medgauge.terminology.umls.source_codes import preferred_types

ADDRESS = "https://uts-ws.nlm.nih.gov/rest"
KEY = "UMLS_API_KEY"
"""The environment variable with the user's key."""
CURRENT = "current"

_PAGE = 100  # results
_PAGES = 50
_CONCURRENT = 4
_DAY = 86_400.0  # seconds
_RELEASE = re.compile(r"current|20\d\d[A-Z]{2}")
_CUI = re.compile(r"C\d{7}")
_NOTHING = "NONE"  # the only result of a search without results, in earlier versions


@dataclass
class Pace:
    """Lets `per_second` requests pass, evenly; `clock` and `sleep` are replaced in tests."""

    per_second: float
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], object] = time.sleep
    _next: float = 0.0
    _lock: Lock = field(default_factory=Lock, repr=False)

    def wait(self) -> None:
        """Wait until the next request may be sent."""
        with self._lock:
            now = self.clock()
            start = max(now, self._next)
            self._next = start + 1 / self.per_second
        if start > now:
            self.sleep(start - now)


@dataclass
class UmlsService:
    """The service at an address, for one release of the UMLS, which is sent codes and CUIs."""

    url: str
    release: str
    key: str = field(repr=False)
    permission: Permission
    pace: Pace
    requester: Requester
    remembers: bool = True
    get: Get = get
    now: Callable[[], float] = time.time

    @classmethod
    def of(
        cls,
        url: str = ADDRESS,
        *,
        release: str = CURRENT,
        allow_remote: Iterable[str] = (),
        per_second: float = 10.0,
        timeout: float = 30.0,
        remembers: bool = True,
        patience: Patience | None = None,
    ) -> "UmlsService":
        """Return the service; nothing is sent yet, and nothing ever is without a permission for its address.

        The key is that of the environment variable UMLS_API_KEY.
        """
        url = url.rstrip("/")
        permission = Permission.of(url, allow_remote, what="codes")
        if not _RELEASE.fullmatch(release):
            raise InputError(f"{quoted(release)} is not a release of the UMLS, such as 2024AA, or current")
        if not 0 < per_second <= 20:
            raise InputError("the UMLS REST API takes up to 20 requests a second; choose a number up to that")
        key = os.environ.get(KEY, "").strip()
        if not key:
            raise InputError(
                f"the environment variable {KEY} holds no key; set it to that of your UTS profile"
            )
        if not (key.isascii() and key.isprintable() and " " not in key):
            raise InputError(f"the key in {KEY} has characters that no key has; set it again")
        requester = Requester({}, timeout, _CONCURRENT, patience=patience or Patience())
        return cls(url, release, key, permission, Pace(per_second), requester, remembers)

    def admit(self, cards: Iterable[Card]) -> None:
        """Raise an error unless the codes of all these sets may be sent."""
        self.permission.admit(cards)

    def cuis_of(self, sab: str, code: str, stop: Event) -> list[str]:
        """Return the CUIs of a code by its rows that are neither obsolete nor suppressed."""
        query = [
            ("string", code),
            ("inputType", "sourceUi"),
            ("searchType", "exact"),
            ("sabs", sab),
            ("returnIdType", "concept"),
        ]
        found = self._found(f"search/{self.release}", query, _ids_found, stop)
        return sorted(one for one in found if _CUI.fullmatch(one))

    def codes_of(self, sab: str, cui: str, stop: Event) -> list[str]:
        """Return the codes with a preferred term among the rows of a CUI."""
        if not _CUI.fullmatch(cui):
            return []
        query = [("sabs", sab), ("ttys", ",".join(preferred_types(sab)))]
        return sorted(self._found(f"content/{self.release}/CUI/{cui}/atoms", query, _codes_of_atoms, stop))

    def codes_named(self, sab: str, name: str, stop: Event) -> list[str]:
        """Return the codes with a name, ignoring case."""
        query = [("string", name), ("searchType", "exact"), ("sabs", sab), ("returnIdType", "code")]
        return sorted(self._found(f"search/{self.release}", query, _ids_found, stop))

    def name_of(self, cui: str, stop: Event) -> list[str]:
        """Return the preferred name of a CUI, none if it is not in the release."""
        if not _CUI.fullmatch(cui):
            return []
        return sorted(self._found(f"content/{self.release}/CUI/{cui}", [], _name_in, stop))

    def _found(
        self, path: str, query: Query, read: Callable[[Any], tuple[list[str], int]], stop: Event
    ) -> set[str]:
        """Ask for all pages of a question, or return what was kept of it."""
        asked = json.dumps([path, query])
        kept = self._stored(self._kept[asked])
        if kept is not None:
            return {*kept}
        found: set[str] = set()
        for page in range(1, _PAGES + 1):
            answer = self._ask(path, [*query, ("pageNumber", str(page)), ("pageSize", str(_PAGE))], stop)
            texts, count = ([], 0) if answer is None else read(answer)
            found |= {*texts}
            if count < _PAGE:
                break
        self._kept.keep(asked, json.dumps({"at": int(self.now()), "found": sorted(found)}))
        return found

    def _ask(self, path: str, query: Query, stop: Event) -> Any:
        """Return the result of one page, None if there is nothing of that kind."""
        self.permission.check()
        where = f"{self.url}/{path}"

        def send() -> Reply:
            self.pace.wait()
            return self.get(where, [*query, ("apiKey", self.key)], self.requester.timeout)

        reply = self.requester.persist(send, where, stop)
        if reply.status in (401, 403):
            raise ServiceError(
                f"{self.url}: the service refuses the key ({phrase(reply.status)}); check the key in {KEY}"
            )
        try:
            answer = json.loads(reply.body)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise ServiceError(
                f"{self.url}: the answer ({phrase(reply.status)}) is not a JSON object; check the address"
            )
        if reply.status == 404:
            return None
        if not 200 <= reply.status < 300:
            raise ServiceError(
                f"{self.url}: the service does not accept the request ({phrase(reply.status)}); check the "
                "release and the code systems"
            )
        if "result" not in answer:
            raise ServiceError(f"{self.url}: the answer has no result; check the address")
        return answer["result"]

    @cached_property
    def _kept(self) -> KeptLines:
        name = hashlib.sha256(self.url.encode()).hexdigest()[:32]
        return KeptLines("umls", name, self.remembers)

    def _stored(self, line: str | None) -> list[str] | None:
        """Return what was kept, None if it is damaged, or too old for a release that may have changed."""
        try:
            kept = json.loads(line or "")
            found, at = kept["found"], float(kept["at"])
        except (ValueError, TypeError, KeyError, RecursionError):
            return None
        is_sound = isinstance(found, list) and all(isinstance(one, str) for one in found)
        is_fresh = self.release != CURRENT or 0 <= self.now() - at < _DAY
        return found if is_sound and is_fresh else None


def _ids_found(result: Any) -> tuple[list[str], int]:
    """Return the ids in the result of a search, and how many results it has."""
    listed = list(_objects(result.get("results") if isinstance(result, dict) else None))
    ids = [one["ui"] for one in listed if isinstance(one.get("ui"), str) and one["ui"] != _NOTHING]
    return ids, len(ids)


def _codes_of_atoms(result: Any) -> tuple[list[str], int]:
    """Return the codes of atoms that are neither obsolete nor suppressed; each is the end of an address."""
    atoms = list(_objects(result))
    gone = ("obsolete", "suppressible")
    current = [one for one in atoms if not any(_is_true(one.get(name)) for name in gone)]
    codes = [one["code"].rpartition("/")[2] for one in current if isinstance(one.get("code"), str)]
    return [code for code in codes if code and code != _NOTHING], len(atoms)


def _name_in(result: Any) -> tuple[list[str], int]:
    name = result.get("name") if isinstance(result, dict) else None
    return ([name] if isinstance(name, str) and name else []), 0


def _is_true(value: object) -> bool:
    return str(value).lower() == "true"  # some versions write it as text


def _objects(listed: object) -> Iterator[dict[str, Any]]:
    yield from (one for one in listed if isinstance(one, dict)) if isinstance(listed, list) else ()
