"""The table of a set: the pairs of its quarters, with their words' frequencies and subjects."""

from collections.abc import Mapping

import polars as pl

from medgauge.build.words.pairing.quarters import WordPair
from medgauge.build.words.pairing.word_vocabulary import MIXED, WordVocabulary
from medgauge.build.words.word_sheet import Quarter


def quarter_table(
    vocabulary: WordVocabulary,
    quarters: Mapping[Quarter, list[WordPair]],
    links: Mapping[WordPair, str],
    *,
    subjects: bool,
) -> pl.DataFrame:
    """Return the pairs of all quarters, numbered from 1, quarter by quarter as they were drawn.

    `quarter`, `domain`, `association`, `frequency` (the bin of both words, or mixed) and, if the corpus has
    any, `subject` (that of both words, or mixed) split the pairs into groups. `frequency_1` and `frequency_2`
    are the words' frequencies, `subject_1` and `subject_2` their commonest subjects, and `subjects_1` and
    `subjects_2` in how many they occur. `link` says what links an associated pair.
    """
    rows = [(quarter, pair) for quarter, pairs in quarters.items() for pair in pairs]
    words = vocabulary.frame
    sides = [words[[pair[side] for _, pair in rows]] for side in (0, 1)]
    columns: dict[str, pl.Series] = {
        "pair_id": pl.Series([str(number) for number in range(1, len(rows) + 1)], dtype=pl.String),
        "term_1": sides[0]["word"],
        "term_2": sides[1]["word"],
        "quarter": pl.Series([quarter for quarter, _ in rows], dtype=pl.String),
        "domain": pl.Series([quarter.split()[0] for quarter, _ in rows], dtype=pl.String),
        "association": pl.Series([quarter.split()[1] for quarter, _ in rows], dtype=pl.String),
        "link": pl.Series([links.get(pair) for _, pair in rows], dtype=pl.String),
        "frequency": _same(sides, "bin"),
        "frequency_1": sides[0]["frequency"],
        "frequency_2": sides[1]["frequency"],
    }
    if subjects:
        columns |= {
            "subject": _same(sides, "subject"),
            "subject_1": sides[0]["subject"],
            "subject_2": sides[1]["subject"],
            "subjects_1": sides[0]["subjects"],
            "subjects_2": sides[1]["subjects"],
        }
    return pl.DataFrame([series.alias(name) for name, series in columns.items()])


def _same(sides: list[pl.DataFrame], column: str) -> pl.Series:
    """Return what both words have in a column, "mixed" where they differ."""
    both = pl.DataFrame({"first": sides[0][column], "second": sides[1][column]})
    equal = pl.col("first") == pl.col("second")
    return both.select(pl.when(equal).then(pl.col("first")).otherwise(pl.lit(MIXED)))["first"]
