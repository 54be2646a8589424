"""What a build made: as a summary, as grids like table 2 of Schulz and Juric (2020), and as rows."""

from medgauge.build.difference import BuildDifference
from medgauge.build.manifest import Manifest, SetFacts
from medgauge.build.terminology.families import DIFFICULTIES
from medgauge.build.terminology.sets import Part
from medgauge.build.verification import Verification
from medgauge.report.grids.grid import Cell, ColumnTypes, Grid, columns_of, counted, listed, short_name

_SHORT = {"random": "Neg-R", "levenshtein": "Neg-L"}


def summary(manifest: Manifest) -> list[str]:
    """Describe in a few lines what the sets were built from, and how many pairs they have."""
    facts = manifest.sets.values()
    positives, negatives = (sum(getattr(one, of) for one in facts) for of in ("positives", "negatives"))
    version = f", version {short_name(manifest.source.version)}" if manifest.source.version else ""
    short = sum(one.shortfall for one in facts)
    return [
        f"{counted(len(facts), 'set')} from {short_name(manifest.source.title)}{version}",
        f"families: {listed(manifest.parameters.families, most=6)}",
        f"{counted(positives, 'positive pair')}, {counted(negatives, 'negative pair')}",
        *([f"{counted(short, 'negative')} could not be found"] if short else ()),
    ]


def grids(manifest: Manifest) -> list[Grid]:
    """Return the one grid."""
    return [statistics_grid(manifest)]


def rows(manifest: Manifest) -> tuple[ColumnTypes, list[list[object]]]:
    """Return every set as a row."""
    columns = columns_of(SetFacts)
    facts = [[name, *(getattr(one, of) for of in columns)] for name, one in manifest.sets.items()]
    return {"set": str} | columns, facts


def statistics_grid(manifest: Manifest) -> Grid:
    """Return sizes and mean Levenshtein distances of each family, and of its easy and hard halves."""
    strategies = manifest.parameters.negatives
    rows = []
    for family in manifest.parameters.families:
        halves = {
            half: [manifest.sets[Part(family, half).set_name(strategy)] for strategy in strategies]
            for half in DIFFICULTIES
        }
        whole = [list(sets) for sets in zip(*halves.values(), strict=True)]
        rows.append([Cell(family), *_figures(whole, manifest.multi_word[family])])
        for half, sets in halves.items():
            rows.append([Cell(f"– {half}"), *_figures([[one] for one in sets], sets[0].multi_word)])
    header = ["family", "size", "Pos", *(_SHORT[strategy] for strategy in strategies), "multi-word"]
    return Grid(f"Sets from {manifest.source.title}", header, rows, _notes(manifest))


def _figures(by_strategy: list[list[SetFacts]], multi_word: float | None) -> list[Cell]:
    """Describe joined sets, a list for each kind of negatives: size, mean distances, words."""
    sizes = dict.fromkeys(sum(one.positives + one.negatives for one in sets) for sets in by_strategy)
    return [
        Cell(" / ".join(f"{size:,}" for size in sizes)),
        Cell(_mean(by_strategy[0], "positives")),
        *(Cell(_mean(sets, "negatives")) for sets in by_strategy),
        Cell("–" if multi_word is None else f"{multi_word:.0%}"),
    ]


def _mean(sets: list[SetFacts], of: str) -> str:
    counts = [getattr(one, of) for one in sets]
    if not sum(counts):
        return "–"
    total = sum(
        count * getattr(one, f"distance_{of}") for one, count in zip(sets, counts, strict=True) if count
    )
    return f"{total / sum(counts):.2f}"


def _notes(manifest: Manifest) -> list[str]:
    short = {name: facts.shortfall for name, facts in manifest.sets.items() if facts.shortfall}
    overall = manifest.multi_word["all"]
    notes = [
        "size: positive and negative pairs; Pos, Neg-R, Neg-L: mean Levenshtein distance of the lower-cased "
        "terms of positive pairs and of random and nearest negative pairs.",
        "multi-word: share of distinct terms with several words"
        + ("." if overall is None else f"; {overall:.1%} of all."),
    ]
    if short:
        missing = ", ".join(f"{name} {count:,}" for name, count in short.items())
        notes.append(f"Negatives that could not be found, for lack of unlinked terms: {missing}.")
    return notes


def verification_grid(found: Verification) -> Grid:
    """Return the verdict on each set, with notes on how the two builds differ."""
    rows = [[Cell(name), Cell(verdict, bold=verdict != "same")] for name, verdict in found.sets.items()]
    same = sum(verdict == "same" for verdict in found.sets.values())
    notes = [f"{same} of {len(found.sets)} sets are the same."]
    notes += [f"{name}: {theirs} there, {ours} here" for name, (theirs, ours) in found.differences.items()]
    return Grid("Verification", ["set", "is"], rows, notes)


def difference_grid(found: BuildDifference) -> Grid:
    """Return what was added and removed in each set, separately for positives and negatives."""
    rows = [
        [
            Cell(change.set),
            Cell("positive" if change.label else "negative"),
            *(Cell(f"{count:,}") for count in (change.old, change.new, change.added, change.removed)),
        ]
        for change in found.changes
    ]
    header = ["set", "pairs", "old", "new", "added", "removed"]
    return Grid("Changes", header, rows, ["A pair is the same in either order of its terms."], labels=2)
