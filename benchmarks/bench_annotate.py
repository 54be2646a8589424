"""Load of 50 annotators and 200 kills of the server, compared with a bare SQLite commit.

Server and annotators share two cores and talk over loopback, on persistent connections. An annotator
sends a rating, waits for the answer, thinks, and sends the next. In the first case thinking takes 0.4 s on
average (exponentially distributed, from a seed), several times faster than a person; in the second nobody
thinks, which shows the limit of the server. A coordinator loads the overview every 2 s meanwhile, and once
before the clock starts, so that the server has loaded what it needs. Times are those of an annotator's page,
from sending a rating to receiving the confirmation. A rating that is rejected because it comes too soon (429:
more than 100 at once and 20 per second) is sent again; this is counted, and is part of its time. Any other
rejection, and a lost connection, is an error.

The peer is the minimum that any server has to do: one row inserted and committed, flushed to the same disk,
by a single process, with nobody waiting; its median is the unit of the last percentile. Studies are in the
folder for temporary files, which should be on a disk (TMPDIR).
"""

import os
import random
import sqlite3
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from threading import Event

import numpy as np
from tests.support.annotators import Client, Count, Page, Server, count, make_study, rate_through_kills

from common import print_table

ANNOTATORS, RATINGS, KILLS = 50, 100, 200
THINKING, LOOKING = 0.4, 2.0  # seconds, on average and between two looks
CORES = 2


@dataclass(frozen=True)
class Load:
    """Answers to a load; times in seconds."""

    elapsed: float
    ratings: Sequence[float]
    overviews: Sequence[float]
    too_soon: int
    errors: int
    count: Count


def rate_at_once(folder: Path, *, thinking: float) -> Load:
    """Have all annotators rate at once, and count what the store then has."""
    links = make_study(folder, annotators=ANNOTATORS, places=RATINGS)
    end = Event()

    def work(page: Page) -> None:
        chance = random.Random(page.number)
        for _ in range(RATINGS):
            if thinking:
                time.sleep(chance.expovariate(1 / thinking))
            page.rate()

    def look(coordinator: Client) -> list[float]:
        taken = []
        while not end.wait(LOOKING):
            begin = time.perf_counter()
            coordinator.read("/coordinator")
            taken.append(time.perf_counter() - begin)
        return taken

    with Server(folder) as server, ExitStack() as opened, ThreadPoolExecutor(ANNOTATORS + 1) as pool:
        *tokens, last = links
        pages = [
            opened.enter_context(closing(Page(server.port, token, number=number)))
            for number, token in enumerate(tokens, 1)
        ]
        coordinator = opened.enter_context(closing(Client(server.port, last)))
        coordinator.read("/coordinator")  # which waits until the server has loaded everything
        looking = pool.submit(look, coordinator)
        begin = time.perf_counter()
        try:
            list(pool.map(work, pages))
            elapsed = time.perf_counter() - begin
        finally:
            end.set()
        overviews = looking.result()
    if server.complaints:
        raise RuntimeError(server.complaints)
    repeated = sum((page.repeated for page in pages), Counter())
    return Load(
        elapsed,
        [second for page in pages for second in page.seconds],
        overviews,
        repeated["429"],
        repeated.total() - repeated["429"],
        count(folder, pages),
    )


def bare_commits(path: Path, commits: int = 5_000) -> list[float]:
    """Time commits of one row each, flushed to disk as those of a study are."""
    taken = []
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("CREATE TABLE rating (annotator INTEGER, place INTEGER, value REAL)")
        for number in range(commits):
            begin = time.perf_counter()
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("INSERT INTO rating VALUES (?, ?, ?)", (number % 50, number, 2.0))
            connection.execute("COMMIT")
            taken.append(time.perf_counter() - begin)
    return taken


def row(
    what: str, seconds: Sequence[float], per_second: float, floor: float, rest: Sequence[str]
) -> list[str]:
    """Return a row of the table; times in milliseconds."""
    quantiles = [*np.quantile(seconds, [0.5, 0.95, 0.99]), max(seconds)]
    times = [f"{1000 * quantile:.1f}" for quantile in quantiles]
    return [what, f"{per_second:.0f}", *times, f"{quantiles[2] / floor:.1f}", *rest]


def main() -> None:
    """Print the tables; exit with an error if anything was lost, doubled or altered."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])  # for servers, too
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        bare = bare_commits(folder / "bare.sqlite")
        loads = {
            f"{ANNOTATORS} annotators, thinking {THINKING} s": rate_at_once(folder / "1", thinking=THINKING),
            f"{ANNOTATORS} annotators, not thinking": rate_at_once(folder / "2", thinking=0),
        }
        killed, complaints = rate_through_kills(folder / "3", annotators=8, kills=KILLS, seed=1)
    floor = float(np.median(bare))
    rows = [row("a bare commit", bare, len(bare) / sum(bare), floor, ["", "", ""])]
    for what, load in loads.items():
        rest = [str(number) for number in (load.too_soon, load.errors, load.count.lost)]
        rows.append(row(what, load.ratings, len(load.ratings) / load.elapsed, floor, rest))
    looked = [second for load in loads.values() for second in load.overviews]
    print_table(
        f"{ANNOTATORS * RATINGS:,} ratings by {ANNOTATORS} annotators at once, in ms",
        ["what", "per second", "p50", "p95", "p99", "max", "p99, in bare commits", "429", "errors", "lost"],
        rows,
        [
            f"Server and annotators on {CORES} cores. "
            f"Slowest of {len(looked)} loads of the coordinator's page: {1000 * max(looked):.0f} ms.",
            f"{KILLS} kills under load: {killed.acknowledged:,} changes acknowledged, {killed.lost} lost, "
            f"{killed.twice} stored twice, {killed.unsent} never sent, {killed.changed} altered; "
            f"{killed.kept} were stored although the answer was lost, and sent again.",
        ],
    )
    counts = [killed, *(load.count for load in loads.values())]
    if complaints or not all(one.is_right for one in counts):
        raise SystemExit(f"the stored ratings differ from those acknowledged: {counts} {complaints}")
    if any(load.errors for load in loads.values()):
        raise SystemExit("there were errors without a kill")


if __name__ == "__main__":
    main()
