"""Shared code of the benchmarks: a description of the machine, timing, and a table of ratios."""

import json
import os
import platform
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table


def machine() -> str:
    """Describe the machine."""
    processor = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        processor = names[0].partition(":")[2].strip() if names else processor
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"{processor}, {os.cpu_count()} cores{load}, Python {platform.python_version()}"


def best_time(work: Callable[[], object], *, repeats: int = 3) -> float:
    """Return the best of several times, in seconds."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def best_process(script: str, *arguments: str | Path, repeats: int = 3) -> dict[str, Any]:
    """Run a script in separate processes that print JSON, and return the fastest output by `seconds`."""
    command = [sys.executable, script, *map(str, arguments)]
    runs: list[dict[str, Any]] = [
        json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        for _ in range(repeats)
    ]
    return min(runs, key=lambda run: run["seconds"])


def report_work(work: Callable[[], int], clock: Callable[[], float] = time.perf_counter) -> None:
    """Do some work in this process and print what it took, for `best_process`."""
    start = clock()
    count = work()
    seconds = clock() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "peak": peak, "count": count}))


def print_table(title: str, header: list[str], rows: list[list[str]], notes: list[str]) -> None:
    """Print a benchmark's results."""
    console = Console(highlight=False, width=110)
    table = Table(title=title, title_justify="left")
    for number, name in enumerate(header):
        table.add_column(name, justify="left" if number == 0 else "right")
    for row in rows:
        table.add_row(*row)
    console.print(table)
    for note in [machine(), *notes]:
        console.print(note)
