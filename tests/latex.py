"""LaTeX as its reader sees it: whether tables compile."""

import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path


def check_compiles(tables: Iterable[str], folder: Path) -> None:
    """Compile tables with booktabs, where pdflatex is there."""
    if not shutil.which("pdflatex"):
        return
    body = "\n\\clearpage\n".join(tables)
    (folder / "t.tex").write_text(
        "\\documentclass{article}\\usepackage[utf8]{inputenc}\\usepackage{booktabs}"
        f"\\begin{{document}}\n{body}\n\\end{{document}}"
    )
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-2000:]
