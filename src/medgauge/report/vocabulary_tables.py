"""What a vector file covers, and how much vocabularies overlap, as grids."""

from collections.abc import Sequence

from medgauge.evaluation.coverage import SetCoverage
from medgauge.report.grids.grid import Cell, Grid, listed, short_name
from medgauge.report.run_tables import WITHOUT_KEY

NO_SET = "No published set is on this machine: run 'medgauge datasets fetch --all'"
"""The note on a machine without sets."""

COUNTS_MEAN = "In brackets: the pairs in which the word has no vector."
"""The note on the counts of `most_missing`."""

_TERM_COUNTS_MEAN = "In brackets: the pairs with the term."

_NAMED = 3  # missing words of a set, which fit a line of 80 characters


def coverage_grids(covered: Sequence[SetCoverage], absent: Sequence[str] = ()) -> list[Grid]:
    """Return the coverage of each set and, where words have no vector, which are missing most often.

    `absent` are the sets without what the model looks up.

    The second grid holds words of the sets, and is for the screen only.
    """
    keyed = any(one.without_key is not None for one in covered)
    header = ["set", "concepts" if keyed else "terms", "pairs", "covered"]
    subwords = any(one.subword_words is not None for one in covered)
    rows = [
        [
            Cell(one.dataset),
            Cell(f"{one.covered_terms}/{one.terms}"),
            Cell(f"{one.covered_pairs}/{one.pairs}"),
            Cell(f"{one.covered_pairs / one.pairs:.0%}"),
            *([Cell(f"{one.subword_pairs} ({one.subword_words} words)")] if subwords else []),
            *([Cell(str(one.without_key))] if keyed else []),
        ]
        for one in covered
    ]
    notes = [] if rows or absent else [NO_SET]
    if keyed:
        header.append("without key")
        notes.append(WITHOUT_KEY)
    if absent:
        notes.append(f"Sets without such keys: {listed(absent, most=len(absent))}.")
    if subwords:
        header.append("by subwords")
        notes.append(
            "By subwords: covered pairs with a word outside the vocabulary, whose vector is made of its "
            "n-grams; in brackets, the number of such words."
        )
    found = [Grid("Coverage", header, rows, notes)]
    if any(one.missing for one in covered):
        what = "Terms whose concept has no vector" if keyed else "Words without a vector"
        missing = {one.dataset: one.missing for one in covered if one.missing}
        found.append(missing_grid(missing, what, note=_TERM_COUNTS_MEAN if keyed else COUNTS_MEAN))
    return found


def missing_grid(missing: dict[str, dict[str, int]], title: str, *, note: str = COUNTS_MEAN) -> Grid:
    """Return which words (or terms) of each set have no vector, those of the most pairs first."""
    rows = [[Cell(dataset), Cell(most_missing(words))] for dataset, words in missing.items()]
    return Grid(title, ["set", "missing most often"], rows, [note])


def most_missing(words: dict[str, int], *, most: int = _NAMED) -> str:
    """List the words that are missing from the most pairs, with the number of pairs.

    >>> most_missing({"gout": 3, "flu": 1})
    'gout (3), flu (1)'
    """
    return listed([f"{short_name(word)} ({count})" for word, count in words.items()], most=most)


def overlap_grid(
    names: Sequence[str],
    sizes: Sequence[int],
    shares: Sequence[Sequence[float]],
    composing: Sequence[str] = (),
) -> Grid:
    """Return how much of each vocabulary (column) is in each of the others (rows).

    `composing` are the models that also make vectors for words outside their vocabulary.
    """
    rows = []
    for i, name in enumerate(names):
        others = [share for j, share in enumerate(shares[i]) if j != i]
        cells = [Cell("" if i == j else f"{share:.2%}") for j, share in enumerate(shares[i])]
        average = Cell(f"{sum(others) / len(others):.2%}")
        rows.append([Cell(name), Cell(f"{sizes[i]}"), *cells, average])
    notes = ["Share of the column's words that are in the row's vocabulary, compared as spelled."]
    if composing:
        notes.append(
            f"Only words of the vocabulary count; {listed(composing)} can also make vectors of subwords for "
            "other words."
        )
    return Grid("Vocabulary overlap", ["of the column, in", "words", *names, "average"], rows, notes)
