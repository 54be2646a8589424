"""Reads parts of a corpus for another process: the program that `side_by_side` starts.

It gets a line of JSON for each part, and answers with a line for each file of rows that it wrote, and one for
what could not be read, or for an error.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from medgauge.corpus.parts import PartRows, SourcePart, read_part
from medgauge.corpus.readers.source_files import PassageFile
from medgauge.corpus.taggers import Tagger, open_tagger
from medgauge.errors import FileError, MedgaugeError


def answers_to(order: dict[str, Any], tagger: Tagger | None) -> Iterator[dict[str, Any]]:
    """Read a part; yield what to answer."""
    files = tuple(PassageFile(Path(path), form, layout) for path, form, layout in order["files"])
    try:
        for place, found in enumerate(
            read_part(SourcePart(order["source"], files), tagger, strict=order["strict"])
        ):
            if isinstance(found, PartRows):
                path = Path(order["folder"], f"{order['number']}-{place}.arrow")
                found.rows.write_ipc(path, compression="lz4")
                yield {"rows": str(path), "position": found.position}
            else:
                yield {"unread": found.count, "parts": [one.model_dump() for one in found.parts]}
    except FileError as error:
        yield {"path": str(error.path), "problem": error.problem, "place": error.place}
    except MedgaugeError as error:
        yield {"message": str(error)}


def serve() -> None:
    """Answer the orders of the process that started this one, until it ends."""
    tagger: Tagger | None = None
    for line in sys.stdin:
        order = json.loads(line)
        if order["tagger"] is not None and tagger is None:
            tagger = open_tagger(order["tagger"])
        for answer in answers_to(order, tagger):
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    serve()
