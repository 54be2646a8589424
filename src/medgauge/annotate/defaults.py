"""What can be chosen for a study, without loading anything."""

from typing import Literal

HOST, PORT = "127.0.0.1", 8000
"""Where the pages of a study are served unless something else is said."""
URL = f"http://{HOST}:{PORT}"
"""What links then begin with."""
PAGE = 120
"""The most pairs on a page, as in Chiu et al. (2018)."""
CONSISTENCY = 50
"""The pairs that all annotators rate."""
DUPLICATES = 50
"""The pairs that each annotator rates twice."""

Origin = Literal["csv", "label-studio"]
"""Where ratings were made elsewhere: any table, or an export of Label Studio."""
