"""A kill at any moment loses no rating that was acknowledged, and stores none twice."""

import random
import subprocess
import time
from collections import Counter

from medgauge.annotate.store import Store
from tests.annotate.studies import PYTHON, Task, environment, log, make

KILLS = 20
ANNOTATORS, PLACES = 4, 50

# Each thread is an annotator's page: it says what it sends, and what was acknowledged; it changes its ratings
# for ever. What the run before sent without an answer comes first, as a page would send it again.
RATE = """
import os, sys, threading
from itertools import count
from medgauge.annotate.store import Store
from tests.annotate.studies import rate

store, run, places = Store.open(sys.argv[1]), sys.argv[2], int(sys.argv[3])
again = [tuple(map(int, line.split("-"))) for line in sys.argv[4:]]

def say(word, key):
    os.write(1, f"{word} {key}\\n".encode())  # whole lines, also from several threads

def send(annotator, number, key):
    rate(store, annotator, number % places, number % 4, key=key)
    say("saved", key)

for annotator, old_run, number in again:
    send(annotator, number, f"{annotator}-{old_run}-{number}")

def work(annotator):
    for number in count():
        key = f"{annotator}-{run}-{number}"
        say("send", key)
        send(annotator, number, key)

for annotator in range(1, 5):
    threading.Thread(target=work, args=(annotator,)).start()
"""


def run_and_kill(folder, run: int, again: list[str], seconds: float) -> tuple[list[str], list[str]]:
    """Kill a process that rates, so long after its first rating; give what it sent and what was saved."""
    command = [*PYTHON, RATE, folder, str(run), str(PLACES), *again]
    with subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        lines = [process.stdout.readline()]
        time.sleep(seconds)
        process.kill()
        lines += process.stdout.read().splitlines(keepends=True)
    words = [line.split() for line in lines if line.endswith("\n")]  # the last may be cut off
    return [key for word, key in words if word == "send"], [key for word, key in words if word == "saved"]


def test_no_kill_loses_an_acknowledged_rating_or_stores_one_twice(tmp_path):
    tasks = {f"a{n}": [Task(place, 1, place % 5) for place in range(PLACES)] for n in range(ANNOTATORS)}
    make(tmp_path, tasks=tasks).close()
    chance = random.Random(6)
    acknowledged: list[str] = []
    unanswered: list[str] = []
    for run in range(KILLS):
        sent, saved = run_and_kill(tmp_path, run, unanswered, chance.uniform(0, 0.15))
        acknowledged += saved
        unanswered = sorted({*unanswered, *sent} - {*saved})
        with Store.open(tmp_path) as store:
            entries = log(store)
            keys = Counter(key for *_, key in entries)
            assert set(keys.values()) <= {1}
            assert set(acknowledged) <= set(keys)
            assert set(keys) - set(acknowledged) <= set(unanswered)
            last = {(annotator, place): value for annotator, place, _, value, _, _ in entries}
            names = {name: number for number, name in enumerate(tasks, 1)}
            assert {(names[row.annotator], row.place): row.value for row in store.ratings()} == last
    assert len(acknowledged) > KILLS
