"""Lists of terms by category from a terminology: the concepts below a root, or with a semantic tag."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from medgauge.arrays import Integers
from medgauge.errors import FileError, InputError, UnknownNameError, option, quoted
from medgauge.files.writing import writing
from medgauge.terminology.hierarchy import descendants
from medgauge.terminology.model import Terminology

_LONGEST = 100  # bytes of a file name; file systems allow 255


@dataclass(frozen=True)
class CategoryList:
    """The terms of a category, and how many of its concepts were left out.

    `frame` has the columns `id` and `term`. A concept is left out for the first reason that applies: it
    also belongs to another list; its term does, with another concept; its term is already in this list.
    """

    name: str
    """The name of the file, without its suffix."""
    chosen: str
    """The id of the root, or the semantic tag."""
    concepts: int
    in_other_lists: int
    term_in_other_lists: int
    repeated_terms: int
    frame: pl.DataFrame

    def __len__(self) -> int:
        return self.frame.height

    def to_tsv(self) -> str:
        """Return the list as a TSV table that `medgauge categories` reads."""
        return self.frame.write_csv(separator="\t")


def lists_below(terminology: Terminology, roots: Sequence[str]) -> list[CategoryList]:
    """Make a list for each root, of the active concepts below it by is-a, without the root.

    The term of a concept is its label. A concept below two roots is left out of both lists, and so is a term
    that concepts of two lists share, ignoring case; what is left out is counted.
    """
    assert terminology.parents is not None
    ids, active, labels = (terminology.concepts[name] for name in ("id", "active", "label"))
    found: list[tuple[str, str, Integers]] = []
    for root in roots:
        row = ids.index_of(root)
        if row is None:
            raise InputError(f"{terminology.title} has no concept with the id {quoted(root)}")
        if not active[row]:
            raise InputError(
                f"the concept {root} is inactive and has no concepts below it; give an active one"
            )
        found.append((root, labels[row] or root, descendants(terminology.parents, row)))
    return _disjoint(terminology, found)


def lists_tagged(terminology: Terminology, tags: Sequence[str]) -> list[CategoryList]:
    """Make a list for each semantic tag (in an ontology: namespace), of the active concepts that have it.

    Concepts are left out as in `lists_below`.
    """
    known = terminology.concepts.filter(_usable())["tag"].drop_nulls().unique().sort()
    found: list[tuple[str, str, Integers]] = []
    for tag in tags:
        if tag not in known:
            raise UnknownNameError("semantic tag", tag, known)
        found.append((tag, tag, (terminology.concepts["tag"] == tag).fill_null(False).arg_true().to_numpy()))
    return _disjoint(terminology, found)


def write_lists(lists: Iterable[CategoryList], folder: Path, *, replace: bool = False) -> list[Path]:
    """Write each list as NAME.tsv into a folder: all of them, or none if there is an error.

    An existing file with other content is an error unless `replace`.
    """
    texts = {folder / f"{one.name}.tsv": one.to_tsv() for one in lists}
    if folder.exists() and not folder.is_dir():
        raise FileError(folder, "is a file, not a folder")
    for path, text in texts.items():
        if path.is_dir() or (path.exists() and not replace and path.read_bytes() != text.encode()):
            problem = f"already exists with other content; add {option('replace', True)} to overwrite it"
            raise FileError(path, problem)
    with ExitStack() as all_or_none:
        for path, text in texts.items():
            all_or_none.enter_context(writing(path)).write_text(text, "utf-8", newline="\n")
    return list(texts)


def _usable() -> pl.Expr:
    return pl.col("active") & ~pl.col("is_metadata") & pl.col("label").is_not_null()


def _disjoint(terminology: Terminology, found: Sequence[tuple[str, str, Integers]]) -> list[CategoryList]:
    """Make lists that share no concept and no term from (root or tag, label, rows) of each."""
    chosen = [one for one, _, _ in found]
    if twice := [one for one, times in Counter(chosen).items() if times > 1]:
        raise InputError(f"{quoted(twice[0])} was given twice; each list needs a root or tag of its own")
    names = _file_names(found)
    members = [
        _members(terminology, rows).with_columns(list=number) for number, (_, _, rows) in enumerate(found)
    ]
    # A concept is in a list at most once; a term can be there with several concepts.
    met = pl.concat(members).with_columns(
        lists_of_concept=pl.len().over("id"), lists_of_term=pl.col("list").n_unique().over("same")
    )
    return [_list_of(met.filter(list=number), one, names[number]) for number, one in enumerate(chosen)]


def _list_of(members: pl.DataFrame, chosen: str, name: str) -> CategoryList:
    if members.is_empty():
        raise InputError(
            f"there is no active concept with a name below {chosen}; give a concept that has some"
        )
    own = members.filter(lists_of_concept=1)
    unshared = own.filter(lists_of_term=1)
    kept = unshared.unique("same", keep="first", maintain_order=True)
    if kept.is_empty():
        raise InputError(
            f"nothing is left of the list for {quoted(chosen)}: all its concepts or terms are in other "
            "lists too"
        )
    return CategoryList(
        name=name,
        chosen=chosen,
        concepts=members.height,
        in_other_lists=members.height - own.height,
        term_in_other_lists=own.height - unshared.height,
        repeated_terms=unshared.height - kept.height,
        frame=kept.select("id", "term"),
    )


def _members(terminology: Terminology, rows: Integers) -> pl.DataFrame:
    """Return id and term of the usable concepts, and a key that is equal for spellings of a term."""
    frame = terminology.concepts[rows].filter(_usable())
    terms = [" ".join(label.split()) for label in frame["label"]]
    columns = {"id": frame["id"], "term": terms, "same": [term.casefold() for term in terms]}
    return pl.DataFrame(columns, {"id": pl.String, "term": pl.String, "same": pl.String})


def _file_names(found: Iterable[tuple[str, str, Integers]]) -> list[str]:
    """Return a file name for each list: its label, followed by its id if two labels give one name."""
    slugs = [(_slug(label) or _slug(one), _slug(one)) for one, label, _ in found]
    times = Counter(slug for slug, _ in slugs)
    names = [slug if times[slug] == 1 else f"{slug}-{key}" for slug, key in slugs]
    if len(set(names)) < len(names):
        raise InputError("two lists would have the same file name; write them to two folders")
    return names


def _slug(text: str) -> str:
    """Return a text as a file name.

    >>> _slug("Diagnostic procedure"), _slug("Ménière's disease/syndrome"), _slug("HP:0000118")
    ('diagnostic-procedure', 'ménière-s-disease-syndrome', 'hp-0000118')
    """
    slug = re.sub(r"[\W_]+", "-", text.casefold()).encode()[:_LONGEST]
    return slug.decode(errors="ignore").strip("-")
