"""What a campaign found, as a table for the terminal or for the docs."""

import tempfile
import warnings
from pathlib import Path

from tests.fuzz.campaign import Failure, Findings
from tests.fuzz.kind import content_of
from tests.fuzz.worker import kinds_in, mutant_of

_COLUMNS = ("inputs", "accepted", "refused", "failed")


def table(findings: Findings) -> str:
    """Return the counts of each kind as a Markdown table, which reads well in a terminal too."""
    rows = [["kind", *_COLUMNS]]
    for kind, count in findings.counts.items():
        if kind not in findings.skipped:
            rows.append([kind, *(f"{n:,}" for n in (count.total(), *(count[name] for name in _COLUMNS[1:])))])
    counts = findings.counts.values()
    sums = [sum(count[name] for count in counts) for name in _COLUMNS[1:]]
    rows.append(["all", f"{findings.total:,}", *(f"{n:,}" for n in sums)])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            row[0].ljust(widths[0]),
            *(cell.rjust(wide) for cell, wide in zip(row[1:], widths[1:], strict=True)),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    rule = ["-" * widths[0], *(f"{'-' * (wide - 1)}:" for wide in widths[1:])]
    lines.insert(1, f"| {' | '.join(rule)} |")
    return "\n".join(lines) + "\n"


def describe(failure: Failure, count: int, *, seed: int) -> str:
    """Say what failed, how often, and how to see it again."""
    one = failure.outcome
    where = f" at {one.where}" if one.where else ""
    last = next((line for line in reversed(one.detail.splitlines()) if line.strip()), "")[:200]
    return (
        f"{failure.kind}: {one.problem}{where} ({count} times)\n"
        f"    {last}\n"
        f"    python -m tests.fuzz --kind {failure.kind} --seed {seed} --number {failure.number}\n"
    )


def keep_input(failure: Failure, folder: Path, *, seed: int, module: str) -> Path:
    """Write the input of a failure into a folder, and return its path."""
    kind = kinds_in(module)[failure.kind]
    with tempfile.TemporaryDirectory() as place, warnings.catch_warnings(action="ignore"):
        kind.make(Path(place))
        mutant = mutant_of(kind, content_of(Path(place)), seed, failure.number)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{failure.kind}-{seed}-{failure.number}-{Path(mutant.file).name}"
    path.write_bytes(mutant.content)
    return path
