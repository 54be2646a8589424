"""Make a study: from sets of pairs, a protocol and names to a folder in which annotators can rate."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from medgauge.annotate.defaults import CONSISTENCY, DUPLICATES, PAGE, URL
from medgauge.annotate.design.assignment import Task, assign_balanced, assign_groups, closest_repeat
from medgauge.annotate.design.link_file import LINKS, write_links
from medgauge.annotate.design.names import COORDINATOR
from medgauge.annotate.design.sampling import sample_pairs
from medgauge.annotate.store.links import base_of
from medgauge.annotate.store.store import DATABASE, Store
from medgauge.annotate.store.study import Pair
from medgauge.errors import InputError
from medgauge.files.folders import WholeFolder
from medgauge.pairs import Pairs
from medgauge.protocol import parse_protocol, protocol_text
from medgauge.ratings.ratings import annotator_name

if TYPE_CHECKING:
    import polars as pl

_SHOWN = ("pair_id", "term_1", "term_2", "set", "label")


@dataclass(frozen=True)
class _NewStudy(WholeFolder):
    """The folder of a study while it is being made."""

    WHAT: ClassVar[str] = "study"
    MAIN: ClassVar[str] = DATABASE
    PARTS: ClassVar[tuple[str, ...]] = (LINKS, f"{DATABASE}-*", f".{DATABASE}.*.tmp-*")  # last: from a kill


def make_study(
    folder: str | Path,
    sets: Sequence[Pairs],
    *,
    protocol: str | Path,
    annotators: Sequence[str],
    per_pair: int | None = None,
    groups: int | None = None,
    consistency: int = CONSISTENCY,
    duplicates: int = DUPLICATES,
    page: int = PAGE,
    each_label: int | None = None,
    each_set: int | None = None,
    seed: int = 0,
    url: str = URL,
) -> dict[str, str]:
    """Make the folder of a study, whole or not at all, and return everyone's token by name.

    `protocol` is the name of a shipped protocol, or a TOML file. Either each pair goes to `per_pair` of the
    annotators, or they are split into `groups`, each with its own pairs, a `consistency` set that all see and
    `duplicates` that each sees twice; the stored design says how many other pairs are `between` the two
    showings, at least. `each_label` and `each_set` are passed to `sample_pairs`. The tokens
    are also in the file links.csv, each in a link to the pages at `url`; only its owner may read it, and the
    store keeps only digests.
    """
    folder = Path(folder)
    check_folder(folder)
    base = base_of(url)
    text = protocol_text(protocol)
    parse_protocol(text, protocol)
    names = _different(annotators)
    pairs = sample_pairs(sets, each_label=each_label, each_set=each_set, seed=seed)
    tasks, design = _assigned(
        pairs.height,
        len(names),
        per_pair=per_pair,
        groups=groups,
        consistency=consistency,
        duplicates=duplicates,
        page=page,
        seed=seed,
    )
    design |= {"sets": [one.card.name for one in sets], "each_label": each_label, "each_set": each_set}
    with _NewStudy.at(folder).made() as temporary:
        check_folder(folder)  # another process may have been faster
        temporary.chmod(0o700)
        store = Store.create(
            temporary,
            name=folder.resolve().name,
            protocol=text,
            seed=seed,
            design=design,
            pairs=_pairs(pairs),
            tasks=dict(zip(names, tasks, strict=True)),
            coordinator=COORDINATOR,
        )
        with store:
            tokens = {one.name: store.new_link(one.number) for one in store.annotators()}
        write_links(temporary / LINKS, tokens, base)
    return tokens


def check_folder(folder: Path) -> None:
    """Refuse a folder that is not empty, before the work of making a study."""
    if folder.is_symlink() and not folder.exists():
        raise InputError(f"{folder} is a broken link; choose another folder for the study")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} already exists; choose another folder for the study")
    if folder.exists() and folder.samefile("."):
        # It would be replaced, and the shell would be left in a folder that no longer exists.
        raise InputError(f"{folder} is the current folder; choose a new folder for the study")


def _different(annotators: Sequence[str]) -> list[str]:
    names = [annotator_name(name) for name in annotators]
    if not all(names):
        raise InputError("an annotator's name is blank")
    name, times = Counter(names).most_common(1)[0] if names else ("", 0)
    if times > 1:
        raise InputError(f"two annotators are called '{name}'; give each a unique name")
    if COORDINATOR in map(str.casefold, names):
        raise InputError(f"the name '{COORDINATOR}' is reserved; give the annotator another name")
    return names


def _assigned(
    pairs: int,
    annotators: int,
    *,
    per_pair: int | None,
    groups: int | None,
    consistency: int,
    duplicates: int,
    page: int,
    seed: int,
) -> tuple[list[list[Task]], dict[str, Any]]:
    """Assign pairs by either design; return the tasks and the design."""
    if (per_pair is None) == (groups is None):
        raise InputError("pass either the number of annotators per pair (per_pair) or the number of groups")
    if per_pair is not None:
        tasks = assign_balanced(pairs, annotators, per_pair=per_pair, page=page, seed=seed)
        return tasks, {"per_pair": per_pair, "page": page}
    design = {"groups": groups or 0, "consistency": consistency, "duplicates": duplicates, "page": page}
    tasks = assign_groups(pairs, annotators, **design, seed=seed)
    return tasks, {**design, "between": closest_repeat(tasks)}


def _pairs(frame: "pl.DataFrame") -> list[Pair]:
    """Turn rows into pairs; columns that tables of ratings do not show are kept as they are."""
    found = []
    for row in frame.iter_rows(named=True):
        further = {name: value for name, value in row.items() if name not in _SHOWN and value is not None}
        found.append(Pair(row["pair_id"], row["term_1"], row["term_2"], row["set"], row["label"], further))
    return found
