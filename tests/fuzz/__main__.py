"""The command line of the harness."""

import argparse
import os
import sys
import time
from pathlib import Path

from tests.fuzz.campaign import Findings, batches_of, endless, run_batches
from tests.fuzz.report import describe, keep_input, table
from tests.fuzz.worker import Batch, kinds_in

_MODULE = "tests.fuzz.kinds"


def main() -> int:
    """Run a campaign; return 1 if an input failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--kind", action="append", help="a kind of input; may be repeated (default: all)")
    parser.add_argument("--seconds", type=float, default=60, help="how long to run (default: 60)")
    parser.add_argument("--inputs", type=int, help="how many inputs to run instead")
    parser.add_argument("--number", type=int, help="run only this input of one kind, and print all about it")
    parser.add_argument("--seed", type=int, default=0, help="what the inputs are made from (default: 0)")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: one per core)"
    )
    parser.add_argument(
        "--failures", type=Path, default=Path("fuzz-failures"), help="where failing inputs go"
    )
    given = parser.parse_args()
    known = list(kinds_in(_MODULE))
    kinds = given.kind or known
    if unknown := [kind for kind in kinds if kind not in known]:
        parser.error(f"there is no kind '{unknown[0]}'; choose from: {', '.join(known)}")
    if given.number is not None:
        if len(kinds) > 1:
            parser.error("--number needs one --kind")
        batches = iter([Batch(kinds[0], range(given.number, given.number + 1))])
    elif given.inputs is not None:
        batches = batches_of(kinds, given.inputs)
    else:
        batches = endless(kinds, until=time.monotonic() + given.seconds)
    jobs = 1 if given.number is not None else given.jobs
    findings = run_batches(kinds, batches, seed=given.seed, jobs=jobs, tell=_tell)
    if sys.stderr.isatty():
        sys.stderr.write("\n")
    sys.stdout.write(table(findings))
    for kind, why in findings.skipped.items():
        sys.stdout.write(f"\n{kind}: skipped, as medgauge does not read its example: {why}\n")
    for failure, count in findings.distinct():
        sys.stdout.write("\n" + describe(failure, count, seed=given.seed))
        path = keep_input(failure, given.failures, seed=given.seed, module=_MODULE)
        sys.stdout.write(f"    {path}\n")
        if given.number is not None:
            sys.stdout.write(f"\n{failure.outcome.detail}\n")
    each = findings.total / findings.seconds if findings.seconds else 0
    sys.stdout.write(
        f"\n{findings.total:,} inputs of {len(kinds) - len(findings.skipped)} kinds in "
        f"{findings.seconds:.0f} s ({each:.0f} per second, seed {given.seed}): "
        f"{len(findings.failures)} failed\n"
    )
    return 1 if findings.failures else 0


def _tell(findings: Findings) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{findings.total:,} inputs, {len(findings.failures)} failed")


if __name__ == "__main__":
    sys.exit(main())
