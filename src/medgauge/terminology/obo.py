"""OBO ontologies, read with fastobo's grammar."""

from pathlib import Path
from typing import Any

from medgauge.errors import FileError
from medgauge.files import require_file
from medgauge.terminology.model import Concept


def read_obo(path: str | Path) -> list[Concept]:
    """Read the classes that are not obsolete, with their exact synonyms in the order of the file."""
    import fastobo

    path = require_file(path)
    try:
        document = fastobo.load(str(path))
    except (SyntaxError, ValueError, OSError) as error:
        line = getattr(error, "lineno", None)
        message = str(error).splitlines()[0].partition(" (<stdin>")[0]
        raise FileError(
            path, f"is no valid OBO ({message})", place=f"line {line}" if line else None
        ) from error
    concepts = (_concept(frame) for frame in document if isinstance(frame, fastobo.term.TermFrame))
    return [concept for concept in concepts if concept is not None]


def _concept(frame: Any) -> Concept | None:
    name, synonyms = None, []
    for clause in frame:
        tag = clause.raw_tag()
        if tag == "name":
            name = clause.name.strip()
        elif tag == "synonym" and clause.synonym.scope == "EXACT":
            synonyms.append(clause.synonym.desc.strip())
        elif tag == "is_obsolete" and clause.obsolete:
            return None
    return None if name is None else Concept(str(frame.id), name, tuple(synonyms))
