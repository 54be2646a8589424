"""Kinds of options whose text medgauge parses."""

from collections.abc import Callable
from pathlib import Path

import medgauge
from medgauge.cli.options.rating_options import named_columns, parse_rescaling
from medgauge.cli.options.subset_options import parse_bins
from medgauge.comparison.systems import parse_choice
from medgauge.ratings.source import read_ratings
from tests.fuzz.examples_tables import file, frame, ratings_frame
from tests.fuzz.kind import Kind
from tests.fuzz.mutations import NESTED

_NAME = "option.txt"
_LONGEST = (1 << 17) - 1


def _option(name: str, valid: str, use: Callable[[str], object]) -> Kind:
    def read(folder: Path) -> object:
        given = (folder / _NAME).read_bytes()
        # As the system passes it: up to a NUL, and up to a limit.
        return use(given.split(b"\0")[0][:_LONGEST].decode("utf-8", "surrogateescape"))

    return Kind(name, file(_NAME, valid.encode), (_NAME,), read, NESTED, is_file=False)


def _evaluated(**options: object) -> object:
    pairs = medgauge.as_pairs(frame(), name="example")
    return medgauge.evaluate("token-jaccard", [pairs], **options).to_json()


KINDS = (
    _option(
        "option-where",
        "words > 1 and levenshtein <= 30 or stratum = 'a'",
        lambda text: _evaluated(where=text),
    ),
    _option("option-bins", "0, 1.5,4", lambda text: _evaluated(by="words", bins=parse_bins(text))),
    _option("option-scale", "0-4:0-10", parse_rescaling),
    _option(
        "option-annotators",
        "rater_ann:rater_bea, rater_cy",
        lambda text: read_ratings(ratings_frame(), annotators=named_columns([text])).annotators,
    ),
    _option("option-measure", "words=fj, my,model=mj", lambda text: parse_choice(text, ["my,model"])),
)
