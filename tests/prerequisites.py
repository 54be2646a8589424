"""What some tests need and is not always installed: whether it is available, and how to get it."""

import shutil
from importlib.util import find_spec
from pathlib import Path

CHROMIUM = shutil.which("chromium")
CHROMEDRIVER = shutil.which("chromedriver")
AXE = Path(__file__).parents[1] / "node_modules" / "axe-core" / "axe.min.js"

NEEDS_BROWSER = "needs Debian's chromium and chromium-driver: apt-get install chromium chromium-driver"
NEEDS_AXE = "needs axe-core: npm ci"
NEEDS_GENSIM = "needs gensim, which has no wheels for Python 3.14 yet: pip install gensim"
NEEDS_LATEX = "needs pdflatex and booktabs: apt-get install texlive-latex-recommended"


_THERE = {
    NEEDS_BROWSER: bool(CHROMIUM and CHROMEDRIVER),
    NEEDS_AXE: AXE.is_file(),
    NEEDS_GENSIM: find_spec("gensim") is not None,
    NEEDS_LATEX: bool(shutil.which("pdflatex")),
}


def is_there(reason: str) -> bool:
    """Return whether what this reason for a skip says is missing is available; True for unknown reasons."""
    return _THERE.get(reason, True)
