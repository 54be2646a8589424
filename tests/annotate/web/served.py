"""Studies that a process of its own serves, which can be killed and started again at the same address."""

from pathlib import Path

from medgauge.annotate.store.store import Store
from medgauge.annotate.store.study import Pair
from medgauge.protocol import protocol_text
from tests.annotate.studies import Task, log
from tests.annotate.web.prepared import PreparedServer
from tests.support.annotators import SERVE

# To load what the coordinator's pages compute with takes longer than a test; those that need it wait.
_SERVE = f"""
from medgauge.annotate.web import coordinator
coordinator.load = lambda: None
{SERVE}"""

SECRETS = ("zz-hidden-set", "zz-hidden-id", "zz-hidden-stratum", "consistency", "duplicate", "flipped")
"""What is known of the pairs and stands on no page of an annotator."""
_SET, _ID, _STRATUM, *_ = SECRETS

TERMS = (
    ("Ménière's disease", "MENIERE'S DISEASE"),
    ("<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>"),
    ("non-small-cell carcinoma", "Pneumono" + "ultramicroscopicsilicovolcano" * 3 + "coniosis"),
    ("“flu” & co.", "influenza – näh"),
)
"""Terms that pages could break on; further ones are plain."""

NAME = "Ann <i>O'Ñeill"
ANN, BEA, COORDINATOR = 1, 2, 3
Answer = float | None


class ServedStudy:
    """A study in a folder, its store for the test to look into, and the process that serves it.

    `url` is that of a proxy, if the server is to stand behind one.
    """

    def __init__(self, folder: Path, protocol: str, pages: tuple[int, ...], *, url: str = "") -> None:
        self.store = _make(folder, protocol, pages)
        self.server = PreparedServer(folder, url=url, code=_SERVE)
        self.url = url or f"http://127.0.0.1:{self.server.port}"
        self._expected: list[str] = []

    def start(self) -> None:
        """Serve the study; when this returns, pages can be opened."""
        self.server.launch()
        self.server.wait()

    def expect(self, *complaints: str) -> None:
        """Say what of the server's log belongs to the test."""
        self._expected += complaints

    def faults(self) -> list[str]:
        """List what the server has complained of, when it is killed."""
        lines = self.server.complaints.splitlines()
        return [line for line in lines if not any(one in line for one in self._expected)]

    def link(self, annotator: int = ANN) -> str:
        """Give somebody a new link, by which the old one ends."""
        return f"{self.url}/s/{self.store.new_link(annotator)}"

    def let_in(self, annotator: int = ANN) -> None:
        """Have the instructions read and the practice behind."""
        self.store.mark_instructed(annotator)
        self.store.mark_practised(annotator)

    def given(self, annotator: int = ANN) -> list[tuple[int, Answer]]:
        """List what the server received, in order: the place and the answer; taking back is 'undo'."""
        entries = [entry for entry in log(self.store) if entry[0] == annotator]
        return [(place, value if action == "rate" else action) for _, place, action, value, *_ in entries]

    def standing(self, name: str = NAME) -> list[tuple[int, Answer]]:
        """List the ratings that an export holds, in the order of the pairs."""
        return [(one.place, one.value) for one in self.store.ratings() if one.annotator == name]


def _make(folder: Path, protocol: str, pages: tuple[int, ...]) -> Store:
    """Make a study for two annotators, who have the same pairs on pages of so many each."""
    places = [page for page, count in enumerate(pages, 1) for _ in range(count)]
    plain = [(f"left term {n}", f"right term {n}") for n in range(len(TERMS), len(places))]
    pairs = [
        Pair(f"{_ID}-{n}", *terms, _SET, n % 2, {"stratum": _STRATUM})
        for n, terms in enumerate([*TERMS, *plain])
    ]
    roles = ("own", "consistency", "duplicate")
    tasks = [Task(place, page, place, roles[place % 3], place % 2 == 1) for place, page in enumerate(places)]
    return Store.create(
        folder,
        name="Étude <b>7",
        protocol=protocol_text(protocol),
        seed=7,
        design={"kind": "groups"},
        pairs=pairs,
        tasks={NAME: tasks, "Béa-Łucja": tasks},
    )


def shown(place: int) -> tuple[str, str]:
    """Tell which terms stand left and right at a place."""
    terms = TERMS[place] if place < len(TERMS) else (f"left term {place}", f"right term {place}")
    return terms[::-1] if place % 2 else terms


def elsewhere(link: str) -> str:
    """Turn a link so that a browser opens it as on another device, whose cookies and storage are its own."""
    return link.replace("127.0.0.1", "elsewhere.localhost")
