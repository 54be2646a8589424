"""Lists of terms by category, out of a terminology: what stands below a concept, or has a semantic tag."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from medgauge.arrays import Integers
from medgauge.errors import FileError, InputError, UnknownNameError, option
from medgauge.files import writing
from medgauge.terminology.hierarchy import descendants
from medgauge.terminology.model import Terminology

_LONGEST = 100  # bytes of a name, of which file systems take 255


@dataclass(frozen=True)
class CategoryList:
    """The terms of a category, and how many of its concepts are not among them.

    `frame` has the columns `id` and `term`. Concepts are left out for the first of these reasons that holds:
    they belong to another list too; so does their term, with another concept; their term is in this list
    already.
    """

    name: str
    """What the file is called, without its suffix."""
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
        """Write the list as a table that `medgauge categories` reads."""
        return self.frame.write_csv(separator="\t")


def lists_below(terminology: Terminology, roots: Sequence[str]) -> list[CategoryList]:
    """Make a list for each root, of the active concepts below it through is-a, without itself.

    Concepts count by their label. A concept that stands below two roots is left out of both lists, and so is
    a term, case aside, that concepts of two lists have; what is left out is counted.
    """
    assert terminology.parents is not None
    ids, active, labels = (terminology.concepts[name] for name in ("id", "active", "label"))
    found: list[tuple[str, str, Integers]] = []
    for root in roots:
        row = ids.index_of(root)
        if row is None:
            raise InputError(f"{terminology.title} has no concept with the id '{root}'")
        if not active[row]:
            raise InputError(
                f"the concept {root} is inactive, and nothing stands below it; give an active one"
            )
        found.append((root, labels[row] or root, descendants(terminology.parents, row)))
    return _disjoint(terminology, found)


def lists_tagged(terminology: Terminology, tags: Sequence[str]) -> list[CategoryList]:
    """Make a list for each semantic tag (in an ontology: namespace), of the active concepts that have it.

    What is left out is as in `lists_below`.
    """
    known = terminology.concepts.filter(_usable())["tag"].drop_nulls().unique().sort()
    found: list[tuple[str, str, Integers]] = []
    for tag in tags:
        if tag not in known:
            raise UnknownNameError("semantic tag", tag, known)
        found.append((tag, tag, (terminology.concepts["tag"] == tag).fill_null(False).arg_true().to_numpy()))
    return _disjoint(terminology, found)


def write_lists(lists: Iterable[CategoryList], folder: Path, *, replace: bool = False) -> list[Path]:
    """Write each list as NAME.tsv into a folder: all of them, or none if something stands in the way.

    A file of that name with other content is an error unless it is to be replaced.
    """
    texts = {folder / f"{one.name}.tsv": one.to_tsv() for one in lists}
    if folder.exists() and not folder.is_dir():
        raise FileError(folder, "is a file, and a folder is needed")
    for path, text in texts.items():
        if path.is_dir() or (path.exists() and not replace and path.read_bytes() != text.encode()):
            problem = f"is there already with other content; add {option('replace', True)} to write over it"
            raise FileError(path, problem)
    with ExitStack() as all_or_none:
        for path, text in texts.items():
            all_or_none.enter_context(writing(path)).write_text(text, "utf-8", newline="\n")
    return list(texts)


def _usable() -> pl.Expr:
    return pl.col("active") & ~pl.col("is_metadata") & pl.col("label").is_not_null()


def _disjoint(terminology: Terminology, found: Sequence[tuple[str, str, Integers]]) -> list[CategoryList]:
    """Make lists that share no concept and no term, out of what was chosen, what it is called, and rows."""
    chosen = [one for one, _, _ in found]
    if twice := [one for one, times in Counter(chosen).items() if times > 1]:
        raise InputError(f"'{twice[0]}' was given twice; each list needs a root or tag of its own")
    names = _file_names(found)
    members = [
        _members(terminology, rows).with_columns(list=number) for number, (_, _, rows) in enumerate(found)
    ]
    # A concept is in a list once at most; a term can be there with several concepts.
    met = pl.concat(members).with_columns(
        lists_of_concept=pl.len().over("id"), lists_of_term=pl.col("list").n_unique().over("same")
    )
    return [_list_of(met.filter(list=number), one, names[number]) for number, one in enumerate(chosen)]


def _list_of(members: pl.DataFrame, chosen: str, name: str) -> CategoryList:
    if members.is_empty():
        raise InputError(
            f"no active concept with a name stands below {chosen}; give one with concepts below it"
        )
    own = members.filter(lists_of_concept=1)
    unshared = own.filter(lists_of_term=1)
    kept = unshared.unique("same", keep="first", maintain_order=True)
    if kept.is_empty():
        raise InputError(f"nothing is left of the list for '{chosen}': all of it stands in other lists too")
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
    """Return id and term of the concepts that count, and what is the same for spellings of a term."""
    frame = terminology.concepts[rows].filter(_usable())
    terms = [" ".join(label.split()) for label in frame["label"]]
    columns = {"id": frame["id"], "term": terms, "same": [term.casefold() for term in terms]}
    return pl.DataFrame(columns, {"id": pl.String, "term": pl.String, "same": pl.String})


def _file_names(found: Iterable[tuple[str, str, Integers]]) -> list[str]:
    """Name each list after its label, and after its id as well where two labels make one name."""
    slugs = [(_slug(label) or _slug(one), _slug(one)) for one, label, _ in found]
    times = Counter(slug for slug, _ in slugs)
    names = [slug if times[slug] == 1 else f"{slug}-{key}" for slug, key in slugs]
    if len(set(names)) < len(names):
        raise InputError("two lists would be files of the same name; write them to two folders")
    return names


def _slug(text: str) -> str:
    """Make a file's name of a text.

    >>> _slug("Diagnostic procedure"), _slug("Ménière's disease/syndrome"), _slug("HP:0000118")
    ('diagnostic-procedure', 'ménière-s-disease-syndrome', 'hp-0000118')
    """
    slug = re.sub(r"[\W_]+", "-", text.casefold()).encode()[:_LONGEST]
    return slug.decode(errors="ignore").strip("-")
