"""The cards of the published sets, and where on this machine their files are."""

import os
import tomllib
from contextlib import suppress
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from medgauge.catalog.columns import to_pairs
from medgauge.errors import DigestError, FileError, InputError, UnknownNameError, same_name
from medgauge.files.digests import sha256_of, user_folder
from medgauge.files.opening import require_file
from medgauge.pairs import Card, Pairs, PairSet
from medgauge.tables import read_table

NAMES = (
    "hliaoutakis",
    "minimayosrs-physicians",
    "minimayosrs-coders",
    "minimayosrs",
    "mayosrs",
    "umnsrs-sim",
    "umnsrs-rel",
    "umnsrs-sim-mod",
    "umnsrs-rel-mod",
    "bio-simlex",
    "bio-simverb",
    "ehr-rel-a",
    "ehr-rel-b",
    "simlex-999",
    "simverb-3500",
)


class SourceFile(BaseModel):
    """The file that a set is published in; `member` is its name inside a zip at `url`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    url: str
    sha256: str
    member: str | None = None
    header: bool = True


_IfPrinted = Annotated[float | None, Field(exclude_if=lambda figure: figure is None)]


class PublishedAgreement(BaseModel):
    """How well annotators agree according to a paper, for a set that is published without their ratings.

    `mean_rho` is the mean of Spearman's ρ of every two annotators. What the paper does not say is None.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    annotators: str
    mean_rho: _IfPrinted = None
    icc_c1: _IfPrinted = None
    icc_ck: _IfPrinted = None
    kendall_w: _IfPrinted = None
    source: str


class PublishedSet(Card):
    """The card of a published set: a Card plus its file, size, columns and published agreement.

    `multi_word` is the share of terms with several words: by occurrence, and among the distinct terms.
    """

    domain: Literal["biomedical", "general"] = "biomedical"
    note: str = ""
    pairs: int
    multi_word: tuple[float, float]
    agreement: Annotated[PublishedAgreement | None, Field(exclude_if=lambda found: found is None)] = None
    file: SourceFile
    columns: dict[str, str | list[str]]

    @property
    def card(self) -> Card:
        """The card that a PairSet of these pairs carries."""
        return Card(**{name: getattr(self, name) for name in Card.model_fields})


@cache
def published_sets() -> dict[str, PublishedSet]:
    """Read all cards, by name: the oldest set first, sets of general English last."""
    folder = resources.files("medgauge.catalog") / "published"
    texts = ((folder / f"{name}.toml").read_text("utf-8") for name in NAMES)
    sets = (PublishedSet.model_validate(tomllib.loads(text)) for text in texts)
    return {one.name: one for one in sets}


def published_set(name: str) -> PublishedSet:
    """Look up a card by name.

    >>> published_set("ehr-rel-b").pairs
    3630
    """
    try:
        return published_sets()[same_name(name, published_sets())]
    except KeyError:
        raise UnknownNameError("dataset", name, published_sets()) from None


def entry_of(pairs: Pairs) -> PublishedSet | None:
    """Return the card of the published set that these pairs are, None if they are not all pairs of one.

    Columns may have been added to it, which its card says under `build`.
    """
    entry, card = published_sets().get(pairs.card.name), pairs.card.model_copy(update={"build": {}})
    return entry if entry and entry.card == card and entry.pairs == len(pairs) else None


def published_name(source: object) -> str | None:
    """Return the name of the published set that a source names in any case, or None; a file comes first.

    >>> published_name("UMNSRS-Sim"), published_name("mine.csv")
    ('umnsrs-sim', None)
    """
    if not isinstance(source, str) or source in published_sets():
        return source if isinstance(source, str) else None
    name = same_name(source, published_sets())
    return name if name in published_sets() and not Path(source).exists() else None


def data_folder() -> Path:
    """Return the folder for fetched files: MEDGAUGE_DATA, or else the user's data folder."""
    folders = _folders()
    if not folders:
        raise InputError("this user has no home folder; set MEDGAUGE_DATA to a folder for the published sets")
    return folders[0]


def _folders() -> list[Path]:
    """Return the folders that may have published files; a user may have no home."""
    given = os.environ.get("MEDGAUGE_DATA")
    folders = [Path(given)] if given else []
    with suppress(InputError):
        folders.append(user_folder("XDG_DATA_HOME", ".local/share"))
    return list(dict.fromkeys(folders))


def find_file(file: SourceFile) -> Path | None:
    """Return the path of a published file on this machine, or None if it is not here."""
    places = (
        place for folder in _folders() for place in (folder / "published" / file.name, folder / file.name)
    )
    return next((place for place in places if place.exists()), None)


def check_digest(path: Path, file: SourceFile) -> None:
    """Raise an error if a file is not the published one."""
    found = sha256_of(require_file(path))
    if found != file.sha256:
        raise DigestError(
            path,
            f"the file was changed or truncated: expected SHA-256 {file.sha256}, found {found}; "
            "remove it and fetch it again",
        )


def published_file(name: str) -> Path:
    """Return the path of a published set's file on this machine."""
    file = published_set(name).file
    path = find_file(file)
    if path is None:
        raise InputError(
            f"the set '{name}' is not on this machine: run 'medgauge datasets fetch {name}', "
            f"or put {file.name} into the folder named by MEDGAUGE_DATA"
        )
    return path


def read_published(name: str) -> PairSet:
    """Read a published set from this machine after verifying its digest."""
    entry, path = published_set(name), published_file(name)
    check_digest(path, entry.file)
    pairs = to_pairs(read_table(path, has_header=entry.file.header), entry.columns, entry.card)
    assert isinstance(pairs, PairSet), "the cards of published sets name the column of their gold"
    if len(pairs) != entry.pairs:
        raise FileError(path, f"has {len(pairs)} pairs, but its card says {entry.pairs}")
    return pairs
