"""How fast the program starts: `medgauge --help` compared with an empty Python."""

import subprocess
import sys
from pathlib import Path

from common import best_time, print_table


def main() -> None:
    """Time whole processes."""
    program = str(Path(sys.executable).with_name("medgauge"))
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "medgauge --help": [program, "--help"],
        "medgauge evaluate --help": [program, "evaluate", "--help"],
    }
    rows = []
    for name, command in commands.items():
        seconds = best_time(
            lambda command=command: subprocess.run(command, check=True, stdout=subprocess.DEVNULL),  # type: ignore[misc]
            repeats=5,
        )
        rows.append([name, f"{seconds:.2f}"])
    print_table("Start of the program", ["command", "seconds"], rows, ["Best of 5 processes."])


if __name__ == "__main__":
    main()
