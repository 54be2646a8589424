"""Simulated annotators: a study's server in a separate process, and clients that rate over HTTP.

Benchmarks measure the answers; tests also kill the server.
"""

import json
import random
import re
import sqlite3
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from threading import Event
from typing import Any, Self

from medgauge.annotate.design.assignment import Task
from medgauge.annotate.store.store import DATABASE, Store
from medgauge.annotate.store.study import Pair
from medgauge.protocol import protocol_text
from tests.support.processes import PATIENCE, Process, free_port

VALUES = (0, 1, 2, 3, None)
"""The answers of the protocol, None being unsure."""
_PATIENCE = 30.0  # seconds within which a change must be answered, whatever happens to the server
_WAIT = 0.02  # seconds until a page sends again; the real one waits longer
_LONGEST_RUN = 1.0  # seconds at most until a kill; at first the server still loads what it needs later
SERVE = """
import sys
from pathlib import Path
from medgauge.annotate.web.serving import Address, serve_study
address = Address(port=int(sys.argv[2]), url=sys.argv[3])
serve_study(Path(sys.argv[1]), address, ready=lambda url: print(url, flush=True))
"""


def make_study(folder: Path, *, annotators: int, places: int) -> list[str]:
    """Make a study in which each annotator has one page, and return the links, the coordinator's last."""
    tasks = {
        f"annotator {number}": [Task(place, 1, place, "own", flipped=False) for place in range(places)]
        for number in range(annotators)
    }
    store = Store.create(
        folder,
        name="made up",
        protocol=protocol_text("graded"),
        seed=0,
        design={},
        pairs=[Pair(str(n), f"term {n}", f"other term {n}", "made up") for n in range(places)],
        tasks=tasks,
    )
    with store:
        return [store.new_link(annotator.number) for annotator in store.annotators()]


class Server:
    """The server of a study, which can be killed and started again on the same port.

    `url` is that of a proxy, if the server is behind one; `code` is what the process runs.
    """

    def __init__(self, folder: Path, *, url: str = "", code: str = SERVE) -> None:
        self._folder = folder
        self.code = code
        self._url = url
        self.port = free_port()
        self.complaints = ""

    def launch(self) -> None:
        """Start the process, without waiting for it."""
        self._process = self.start([str(self._folder), str(self.port), self._url])

    def start(self, arguments: Sequence[str]) -> Process:
        """Start a process that runs the code."""
        return subprocess.Popen(
            [sys.executable, "-c", self.code, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._process.pid

    def wait(self) -> None:
        """Wait until pages can be opened."""
        assert self._process.stdout
        said = self._process.stdout.readline()
        if not said.startswith("http"):
            self.kill()
            raise RuntimeError(f"the server did not start: {said}{self.complaints}")

    def kill(self) -> None:
        """Kill the process without a chance to finish anything; keep its error output."""
        if self._process.returncode is not None:
            return
        self._process.kill()
        said, _ = self._process.communicate(timeout=PATIENCE)
        self.complaints += "".join(
            line for line in said.splitlines(keepends=True) if not line.startswith("http")
        )

    def __enter__(self) -> Self:
        self.launch()
        self.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()


@dataclass
class Change:
    """A message of a page: a rating of a place, or the undo of the last rating, which was of that place."""

    action: str
    place: int
    value: float | None
    key: str
    seen: str | None
    tries: int = 0
    sent_at: str = ""
    acknowledged: bool = False

    @property
    def entry(self) -> tuple[Any, ...]:
        """The expected entry in the log."""
        return self.action, self.place, self.value, self.key

    @property
    def message(self) -> dict[str, Any]:
        """The posted message."""
        if self.action == "undo":
            return {"place": self.place, "key": self.key, "seen": self.seen}
        answer = {"place": self.place, "value": self.value, "seconds": 1.5}
        return {**answer, "key": self.key, "seen": self.seen}


class Client:
    """Somebody signed in with their link, on a persistent connection."""

    def __init__(self, port: int, token: str) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=15)
        self._headers = {"accept": "application/json", "content-type": "application/json"}
        _, _, cookie = self._ask("GET", f"/s/{token}")
        self._headers["cookie"] = cookie.partition(";")[0]

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def read(self, path: str) -> str:
        """Load a page."""
        status, text, _ = self._ask("GET", path)
        if status != 200:
            raise RuntimeError(f"{path} was answered with {status}")
        return text

    def _ask(self, method: str, path: str, body: str | None = None) -> tuple[int, str, str]:
        """Return the status, text and cookie of an answer."""
        self._connection.request(method, path, body, self._headers)
        response = self._connection.getresponse()
        return response.status, response.read().decode(), response.getheader("set-cookie", "")


class Page(Client):
    """An annotator's page.

    Like the page in the browser, it sends a change again under its key until it is answered, and only then
    the next one. `seconds` has the time from the first sending to each answer, and `repeated` the reasons
    why something was sent again.
    """

    def __init__(self, port: int, token: str, *, number: int) -> None:
        super().__init__(port, token)
        self.number = number
        self.changes: list[Change] = []
        self.seconds: list[float] = []
        self.repeated: Counter[str] = Counter()
        self._chance = random.Random(number)
        # The steps before the first pair.
        self._headers["x-csrf-token"] = _found(r'name="csrf" content="(\w+)"', self.read("/instructions"))
        for step in ("/instructions", "/practice/end"):
            self._ask("POST", step, "")
        state = json.loads(_found(r'id="state">(.*?)</script>', self.read("/rate")))
        self._unrated: list[int] = [item["place"] for item in state["items"]][::-1]
        self._rated: list[int] = []  # in the order in which they were rated
        self._shown: dict[int, str | None] = {}  # the key of the answer that the page shows

    def rate(self) -> None:
        """Rate the next pair."""
        place = self._unrated.pop()
        self._rated.append(place)
        self._send("rate", place, self._chance.choice(VALUES))

    def revise(self) -> None:
        """Rate a pair again."""
        place = self._chance.choice(self._rated)
        self._rated.remove(place)
        self._rated.append(place)
        self._send("rate", place, self._chance.choice(VALUES))

    def undo(self) -> None:
        """Undo the last rating."""
        place = self._rated.pop()
        self._unrated.append(place)
        self._send("undo", place, None)

    def change(self) -> None:
        """Rate, revise or undo, whichever is possible."""
        possible = [self.rate] * bool(self._unrated) + [self.revise, self.undo] * bool(self._rated)
        self._chance.choice(possible)()

    def _send(self, action: str, place: int, value: float | None) -> None:
        key = f"{self._chance.getrandbits(128):032x}"
        change = Change(action, place, value, key, seen=self._shown.get(place))
        self._shown[place] = key if action == "rate" else None
        self.changes.append(change)
        message = json.dumps(change.message)
        begin = time.perf_counter()
        while not change.acknowledged:
            if change.tries:
                time.sleep(_WAIT)
            if time.perf_counter() > begin + _PATIENCE:
                raise TimeoutError(f"no answer after {change.tries} tries")
            change.tries += 1
            change.sent_at = datetime.now(UTC).isoformat(timespec="milliseconds")
            try:
                status, text, _ = self._ask("POST", f"/{action}", message)
                reply = json.loads(text)
            except (OSError, HTTPException) as error:
                self._connection.close()  # the next request opens it again
                self.repeated[type(error).__name__] += 1
                continue
            if status != 200 and reply["retry"]:
                self.repeated[str(status)] += 1
                continue
            if status != 200 or reply["place"] != place:
                raise RuntimeError(f"{action} was answered with {status} {text}")
            change.acknowledged = True
        self.seconds.append(time.perf_counter() - begin)


def _found(pattern: str, text: str) -> str:
    match = re.search(pattern, text, re.DOTALL)
    assert match, f"the page has no {pattern}"
    return match[1]


@dataclass(frozen=True)
class Count:
    """The content of the store, compared with what pages sent and what was acknowledged to them.

    `kept` counts the changes that were stored although the answer was lost, and which were then sent again.
    """

    acknowledged: int
    kept: int
    lost: int
    twice: int
    unsent: int
    changed: int
    unlike_log: int

    @property
    def is_right(self) -> bool:
        """Whether everything acknowledged is stored once, as it was sent, and nothing else is."""
        return not (self.lost or self.twice or self.unsent or self.changed or self.unlike_log)


def count(folder: Path, pages: Sequence[Page]) -> Count:
    """Count in the database itself; its server has ended, and each page has received all its answers."""
    with closing(sqlite3.connect(folder / DATABASE)) as connection:
        log = connection.execute(
            "SELECT annotator, action, place, value, key, at FROM rating_log ORDER BY number"
        ).fetchall()
        standing = connection.execute("SELECT annotator, place, value FROM rating").fetchall()
    logged: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    replayed: dict[tuple[int, int], float | None] = {}
    for annotator, action, place, value, key, _ in log:
        logged[annotator].append((action, place, value, key))
        if action == "rate":
            replayed[annotator, place] = value
        else:
            replayed.pop((annotator, place), None)
    sent = {(page.number, change.key): change for page in pages for change in page.changes}
    stored = Counter((annotator, key) for annotator, _, _, _, key, _ in log)
    acknowledged = {name for name, change in sent.items() if change.acknowledged}
    changed = 0
    for page in pages:
        ours = [change.entry for change in page.changes if (page.number, change.key) in stored]
        theirs = dict.fromkeys(entry for entry in logged[page.number] if (page.number, entry[-1]) in sent)
        changed += sum(one != other for one, other in zip(ours, theirs, strict=False))
    return Count(
        acknowledged=len(acknowledged),
        kept=sum(
            at < sent[annotator, key].sent_at for annotator, *_, key, at in log if (annotator, key) in sent
        ),
        lost=len(acknowledged - set(stored)),
        twice=len(log) - len(stored),
        unsent=len(set(stored) - set(sent)),
        changed=changed,
        unlike_log=len(
            {((annotator, place), value) for annotator, place, value in standing} ^ set(replayed.items())
        ),
    )


def rate_through_kills(folder: Path, *, annotators: int, kills: int, seed: int) -> tuple[Count, str]:
    """Rate, revise and undo without a pause while the server is killed again and again; count at the end.

    Kills come at random moments after pages can be opened; every fourth start is also killed once before.
    Also returned is the error output of the servers, which should be empty.
    """
    chance = random.Random(seed)
    links = make_study(folder, annotators=annotators, places=40)
    enough = Event()

    def work(page: Page) -> None:
        with closing(page):
            while not enough.is_set():
                page.change()

    with Server(folder) as server, ThreadPoolExecutor(annotators) as pool:
        pages = [Page(server.port, link, number=n) for n, link in enumerate(links[:-1], 1)]
        working = [pool.submit(work, page) for page in pages]
        try:
            for number in range(kills):
                time.sleep(chance.uniform(0, _LONGEST_RUN))
                server.kill()
                if number % 4 == 0:
                    server.launch()
                    time.sleep(chance.uniform(0, 0.3))
                    server.kill()
                server.launch()
                server.wait()
        finally:
            enough.set()
        for one in working:
            one.result()
    return count(folder, pages), server.complaints
