"""What some tests need that pip does not install: whether it is there, and how to get it."""

import shutil
from pathlib import Path

CHROMIUM = shutil.which("chromium")
CHROMEDRIVER = shutil.which("chromedriver")
AXE = Path(__file__).parents[1] / "node_modules" / "axe-core" / "axe.min.js"

NEEDS_BROWSER = "needs Debian's chromium and chromium-driver: apt-get install chromium chromium-driver"
NEEDS_AXE = "needs axe-core: npm ci"
NEEDS_LATEX = "needs pdflatex and booktabs: apt-get install texlive-latex-recommended"


_THERE = {
    NEEDS_BROWSER: bool(CHROMIUM and CHROMEDRIVER),
    NEEDS_AXE: AXE.is_file(),
    NEEDS_LATEX: bool(shutil.which("pdflatex")),
}


def is_there(reason: str) -> bool:
    """Say whether what a test would be skipped for is there; any other reason is none."""
    return _THERE.get(reason, True)
