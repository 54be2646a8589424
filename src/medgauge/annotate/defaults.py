"""Defaults and choices of a study, importable without loading anything else."""

from typing import Literal

HOST, PORT = "127.0.0.1", 8000
"""Where the pages of a study are served by default."""
URL = f"http://{HOST}:{PORT}"
"""The start of every link by default."""
PAGE = 120
"""The maximum number of pairs on a page, as in Chiu et al. (2018)."""
CONSISTENCY = 50
"""The number of pairs that all annotators rate."""
DUPLICATES = 50
"""The number of pairs that each annotator rates twice."""
BETWEEN = 30
"""The number of other pairs between the two showings of a pair, where a study is large enough."""

Origin = Literal["csv", "label-studio"]
"""Where imported ratings come from: any table, or an export of Label Studio."""
