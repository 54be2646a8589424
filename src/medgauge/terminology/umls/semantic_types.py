"""The semantic type of a concept: the most specific common ancestor of the types that UMLS assigns to it."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

import polars as pl

from medgauge.errors import FileError
from medgauge.terminology.umls.rrf_rows import NETWORK, SEMANTIC_TYPES, RrfRows
from medgauge.terminology.umls.umls_release import RrfFile, UmlsRelease

TypeStep = Literal["one type", "common ancestor", "no type", "no common ancestor"]
"""How a concept's semantic type was found, or why it has none."""

_TREE = re.compile(r"[A-Z](?:\d+(?:\.\d+)*)?")


@dataclass(frozen=True)
class ConceptType:
    """The semantic type of a concept, and how it was found; `tree` and `name` are None if it has none.

    The name is the tree number where no name is known for it.
    """

    tree: str | None
    name: str | None
    step: TypeStep


@dataclass(frozen=True)
class SemanticTypes:
    """The types of concepts: `trees` has the tree numbers of each CUI, `names` the name of each tree number.

    `files` has the SHA-256 of each file that was read, by its name.

    >>> trees = {"C1": ("A1.1",), "C2": ("A1.1", "A1.10"), "C3": ("A1", "B1")}
    >>> types = SemanticTypes(trees, {"A1": "Physical Object"}, {})
    >>> [types.of(cui).name for cui in ("C1", "C2", "C3")]
    ['A1.1', 'Physical Object', None]
    >>> types.of("C3").step, types.of("C4").step
    ('no common ancestor', 'no type')
    """

    trees: Mapping[str, tuple[str, ...]]
    names: Mapping[str, str]
    files: Mapping[str, str]

    def of(self, cui: str) -> ConceptType:
        """Return the semantic type of a concept."""
        trees = self.trees.get(cui, ())
        if not trees:
            return ConceptType(None, None, "no type")
        shared = common_ancestor(trees)
        if shared is None:
            return ConceptType(None, None, "no common ancestor")
        return ConceptType(
            shared, self.names.get(shared, shared), "one type" if len({*trees}) == 1 else "common ancestor"
        )


def common_ancestor(trees: Iterable[str]) -> str | None:
    """Return the most specific tree number that each of some is, or is below; None if they share none.

    Numbers are compared level by level, so that A1.1 is not above A1.10.

    >>> common_ancestor(["A1.1", "A1.10"]), common_ancestor(["A1.2.1", "A1.2"])
    ('A1', 'A1.2')
    >>> common_ancestor(["A1", "A2.1"]), common_ancestor(["A1", "B1"])
    ('A', None)
    """
    paths = [_levels(tree) for tree in trees]
    shared = []
    for levels in zip(*paths, strict=False):
        if len({*levels}) > 1:
            break
        shared.append(levels[0])
    return shared[0] + ".".join(shared[1:]) if shared else None


def read_semantic_types(release: UmlsRelease, cuis: Collection[str]) -> SemanticTypes:
    """Read the types of some concepts from MRSTY.RRF, and the names of types from SRDEF if it is there.

    Without SRDEF, a tree number has the name of the type that some concept of the release has there.
    """
    rows = RrfRows(release.file("MRSTY.RRF"), SEMANTIC_TYPES)
    wanted = pl.Series(sorted({*cuis}), dtype=pl.String)
    trees: dict[str, list[str]] = {}
    names: dict[str, str] = {}
    line = 1
    for frame in rows.frames(["CUI", "STN", "STY"]):
        wrong = ~frame["STN"].str.contains(f"^(?:{_TREE.pattern})$").fill_null(value=False)
        if wrong.any():
            place = f"line {line + int(wrong.arg_max() or 0)}"
            raise FileError(rows.file.path, "the tree number (STN) is not like A1.2.3", place=place)
        line += frame.height
        names |= dict(frame.select("STN", "STY").drop_nulls().unique("STN", maintain_order=True).iter_rows())
        for cui, tree in frame.filter(pl.col("CUI").is_in(wanted.implode())).select("CUI", "STN").iter_rows():
            trees.setdefault(cui, []).append(tree)
    files = {rows.file.path.name: rows.digest}
    if release.network is not None:
        defined, digest = _read_network(release.network)
        names |= defined
        files[release.network.path.name] = digest
    return SemanticTypes({cui: tuple(found) for cui, found in trees.items()}, names, files)


def _read_network(file: RrfFile) -> tuple[dict[str, str], str]:
    """Return the names of semantic types by tree number, and the SHA-256 of the file."""
    rows = RrfRows(file, NETWORK)
    names: dict[str, str] = {}
    for frame in rows.frames(["RT", "STY_RL", "STN_RTN"]):
        types = frame.filter(pl.col("RT") == "STY").select("STN_RTN", "STY_RL").drop_nulls()
        names |= dict(types.iter_rows())
    if not names:
        raise FileError(file.path, "defines no semantic type; give the file SRDEF of the Semantic Network")
    return names, rows.digest


def _levels(tree: str) -> list[str]:
    """Split a tree number: its letter, and the numbers behind it.

    >>> _levels("A1.10"), _levels("B")
    (['A', '1', '10'], ['B'])
    """
    return [tree[0], *filter(None, tree[1:].split("."))]
