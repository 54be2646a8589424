"""Check that LaTeX tables compile."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.prerequisites import NEEDS_LATEX, is_there
from tests.support.processes import run


def check_compiles(tables: Iterable[str], folder: Path) -> None:
    """Compile tables with booktabs, or skip the test if pdflatex is not installed."""
    compiled(tables, folder)


def compiled(tables: Iterable[str], folder: Path) -> str:
    """Compile tables as `check_compiles` does, and return what LaTeX says about them."""
    if not is_there(NEEDS_LATEX):
        pytest.skip(NEEDS_LATEX)
    body = "\n\\clearpage\n".join(tables)
    (folder / "t.tex").write_text(
        "\\documentclass{article}\\usepackage[utf8]{inputenc}\\usepackage{booktabs}"
        f"\\begin{{document}}\n{body}\n\\end{{document}}"
    )
    done = run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"], cwd=folder)
    assert done.returncode == 0, done.stdout[-2000:]
    return done.stdout
