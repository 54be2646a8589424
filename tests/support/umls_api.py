"""A service on this machine that stands in for the UMLS REST API, and fails in the ways that services do.

Paths, queries and answers are as https://documentation.uts.nlm.nih.gov/rest/home.html describes them; what it
knows are the rows of a made-up release.
"""

import json
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.support.stand_ins import AnsweringHandler, served
from tests.support.umls_releases import UmlsRelease, every_case

KEY = "0a1b2c3d-secret-key"
PAGE = 25  # results where no number is asked for


@dataclass
class UmlsApi:
    """What the stand-in knows, how it fails, and what it was asked.

    Each request takes the next of `faults`, if there is one: a status ("500", "429 after 7"), or the name of
    what goes wrong. `old` answers a search without results as earlier versions of the service did.
    """

    release: UmlsRelease
    url: str = ""
    old: bool = False
    faults: deque[str] = field(default_factory=deque)
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)
    lock: Any = field(default_factory=threading.Lock)

    def answer(self, path: str, query: dict[str, str]) -> tuple[int, dict[str, Any]]:
        """Return the status and the answer to a question."""
        parts = path.strip("/").split("/")
        current = [row for row in self.release.atoms if row[16] == "N"]
        if parts[0] == "search":
            return 200, {"result": {"classType": "searchResults", "results": self._search(current, query)}}
        cui = parts[3]
        mine = [row for row in current if row[0] == cui]
        if len(parts) == 4:
            names = [row[14] for row in mine if row[6] == "Y"]
            known = any(row[0] == cui for row in self.release.atoms)
            return (200, {"result": {"ui": cui, "name": (names or ["?"])[0]}}) if known else _not_found()
        chosen = [
            row for row in mine if row[11] in query["sabs"].split(",") and row[12] in query["ttys"].split(",")
        ]
        atoms = [
            {
                "classType": "Atom",
                "ui": row[7],
                "suppressible": "false",
                "obsolete": "false",
                "rootSource": row[11],
                "termType": row[12],
                "code": f"{self.url}/content/current/source/{row[11]}/{row[13]}",
                "name": row[14],
            }
            for row in chosen
        ]
        shown = _page(atoms, query)
        return (200, {"pageCount": 1, "result": shown}) if shown else _not_found()

    def _search(self, rows: list[tuple[str, ...]], query: dict[str, str]) -> list[dict[str, str]]:
        assert query["searchType"] == "exact"
        rows = [row for row in rows if row[11] == query["sabs"]]
        if query.get("inputType") == "sourceUi":
            found = sorted({row[0] for row in rows if row[13] == query["string"]})
        else:
            assert query["returnIdType"] == "code"
            found = sorted({row[13] for row in rows if row[14].lower() == query["string"].lower()})
        shown = [{"ui": one, "name": "…", "rootSource": "MTH"} for one in _page(found, query)]
        return shown or ([{"ui": "NONE", "name": "NO RESULTS"}] if self.old else [])


def _page(found: list[Any], query: dict[str, str]) -> list[Any]:
    size, number = int(query.get("pageSize", PAGE)), int(query.get("pageNumber", 1))
    return found[(number - 1) * size : number * size]


def _not_found() -> tuple[int, dict[str, Any]]:
    return 404, {"name": "NotFoundException", "message": "No results", "status": 404}


@contextmanager
def umls_api(release: UmlsRelease | None = None) -> Iterator[UmlsApi]:
    """Run the stand-in on a free port of this machine."""
    state = UmlsApi(release or every_case())

    class Handler(AnsweringHandler):
        def do_GET(self) -> None:  # noqa: N802 - as the server calls it
            self.close_connection = True
            address = urlsplit(self.path)
            query = {name: values[0] for name, values in parse_qs(address.query).items()}
            with state.lock:
                state.asked.append((address.path, query))
                fault = state.faults.popleft() if state.faults else ""
            status, _, after = fault.partition(" after ")
            if query.get("apiKey") != KEY:
                # Services repeat keys in their errors.
                self._answer(401, {"message": f"invalid key {query.get('apiKey')} in {self.path}"})
            elif fault == "hang":
                state.closing.wait(10)
            elif fault == "html":
                self._answer(200, "<html>It works!</html>")
            elif fault == "a list":
                self._answer(200, [])
            elif fault == "no result":
                self._answer(200, {"message": "busy"})
            elif fault == "not found page":
                self._answer(404, "<html>Not Found</html>")
            elif status.isdecimal():
                more = {"Retry-After": after} if after else {}
                self._answer(int(status), {"message": f"{self.path} failed"}, **more)
            else:
                path = address.path.removeprefix("/rest/")
                self._answer(*state.answer(path, query), half=fault == "half")

        def _answer(self, status: int, answer: Any, *, half: bool = False, **headers: str) -> None:
            body = (answer if isinstance(answer, str) else json.dumps(answer)).encode()
            self.send(status, body, half=half, **headers)

    with served(Handler, state.closing) as address:
        state.url = f"{address}/rest"
        yield state
