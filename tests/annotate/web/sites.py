"""The application of a small study, and its visitors without a browser."""

import json
import re
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from medgauge.annotate.store.store import Store
from medgauge.annotate.store.study import Pair
from medgauge.annotate.web.app import make_app
from medgauge.protocol import Protocol, load_protocol, protocol_text
from tests.annotate.studies import make

URL = "http://testserver"
JSON = {"accept": "application/json"}


class Visitor:
    """Somebody at a browser of their own."""

    def __init__(
        self, store: Store, number: int, *, protocol: Protocol | None = None, url: str = URL
    ) -> None:
        self.client = TestClient(
            make_app(store, store, protocol or load_protocol("graded"), url=url),
            base_url=url,
            raise_server_exceptions=False,
        )
        self._store, self._number = store, number
        self.token = store.new_link(number)

    def sign_in(self) -> Any:
        return self.client.get(f"/s/{self.token}", follow_redirects=False)

    def get(self, path: str, **options: Any) -> Any:
        return self.client.get(path, **options)

    @property
    def csrf(self) -> str:
        """The token in the page that is asked for first."""
        page = self.get("/instructions").text + self.get("/coordinator").text
        return re.search(r'name="csrf" (?:content|value)="(\w+)"', page)[1]

    def post(self, path: str, **fields: Any) -> Any:
        """Send a form, and stop at what is answered."""
        sent = {"csrf": self.csrf, **fields}
        return self.client.post(path, data=sent, follow_redirects=False)

    def send(self, path: str, value: Any, **headers: str) -> Any:
        """Send what a script sends."""
        text = value if isinstance(value, str | bytes) else json.dumps(value)
        return self.client.post(path, content=text, headers={**JSON, "x-csrf-token": self.csrf, **headers})

    def rate(self, place: int, value: float | None = 2, *, key: str = "", **more: Any) -> Any:
        """Rate on a page that is up to date, unless the test says what it shows."""
        sent = {"place": place, "value": value, "seconds": 1.5, "key": key or f"k{place}-{value}"}
        return self.send("/rate", {**sent, "seen": self.seen(place), **more})

    def seen(self, place: int) -> str | None:
        """Return the key of the answer that a page shows which is loaded now; not asked of the server."""
        page = self._store.current_page(self._number)
        items = [] if page is None else self._store.page_of(self._number, page)
        return next((item.version.key for item in items if item.place == place and item.version), None)

    def begin(self) -> None:
        """Sign in, and skip what comes before the first pair."""
        self.sign_in()
        self.post("/instructions")
        self.post("/practice/end")

    def state(self) -> dict[str, Any]:
        """Read what the page tells its script."""
        page = self.get("/rate").text
        return json.loads(
            re.search(r'<script type="application/json" id="state">(.*?)</script>', page, re.S)[1]
        )


def make_graded(folder: Path, **changed: Any) -> Store:
    """Make the small study with a protocol that is whole."""
    return make(folder, **{"protocol": protocol_text("graded"), **changed})


DANGEROUS = ("<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>", 'a & b\'s "c" {{ 7*7 }}')


def dangerous_pairs() -> list[Pair]:
    """Give the pairs that stand in the small study, with terms that a page must show as they are."""
    terms = [*DANGEROUS, "été", "non-small-cell"]
    return [Pair(f"secret-id-{n}", term, terms[n - 1], "secret-set", n % 2) for n, term in enumerate(terms)]
