"""SNOMED CT releases in Release Format 2 (RF2)."""

import re
import warnings
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import polars as pl

from medgauge.errors import FileError, InputError, MedgaugeWarning, quoted
from medgauge.files.digests import remembered_sha256
from medgauge.files.file_names import clean_name
from medgauge.progress import track
from medgauge.terminology.model import Terminology
from medgauge.terminology.release import Kind, ReleaseFile, find_files, missing_file
from medgauge.terminology.rows import latest, read_rows

_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})?")  # anything else in that column may be a term
_MODEL_COMPONENT = 900000000000012004
_FSN, _SYNONYM = 900000000000003001, 900000000000013009
_IS_A = 116680003
_PREFERRED = 900000000000548007
# The columns that identify a component.
_KEYS: dict[Kind, tuple[str, ...]] = {
    "relationship": ("id",),
    "language": ("refsetId", "referencedComponentId"),
    "description": ("id",),
    "concept": ("id",),
    "association": ("referencedComponentId", "targetComponentId", "refsetId"),
}
_ASSOCIATIONS = {
    900000000000523009: "possibly-equivalent-to",
    900000000000526001: "replaced-by",
    900000000000527005: "same-as",
}
_CONSEQUENCES: dict[Kind, str] = {
    "relationship": "there is no hierarchy",
    "language": "it is not known which of several names of a concept is preferred",
}
"""What is not known without a file. A release without associations says so where they are needed."""


def read_rf2(
    sources: Sequence[Path], *, language: str = "en", check_ids: bool = False, hierarchy: bool = True
) -> Terminology:
    """Read one or more SNOMED CT releases, each a folder or the .zip as downloaded.

    A release is read on top of those before it, as an extension on top of the edition it extends. If a file
    exists as Full and as Snapshot, the Full one is used. The state of a component is its row with the latest
    effectiveTime; of several with that time the last, in the order of the sources and of the paths in each.

    `language` is compared with the language code of each description, ignoring case. A concept is named by
    its active FSN; if there are several, by the one preferred in a language reference set, else the latest,
    else the last. With `check_ids`, the check digits of concepts, descriptions and relationships are
    verified; without `hierarchy`, relationships are not read.
    """
    sources = [Path(source) for source in sources]
    if not sources:
        raise InputError("no release was given; give one or more SNOMED CT releases")
    found = find_files(sources)
    needed: tuple[Kind, ...] = ("concept", "description")
    for kind in needed:
        if not _has(found, kind):
            raise missing_file(sources[0], kind)
    files = [
        file
        for file in found
        if (hierarchy or file.kind != "relationship")
        and (file.kind not in ("description", "language") or file.may_hold(language))
    ]
    # Two at a time: reading, checking and hashing leave a second core mostly idle.
    with track("reading SNOMED CT", len(files)) as advance, ThreadPoolExecutor(2) as pool:

        def read(kind: Kind) -> pl.DataFrame:
            rows = read_rows(files, kind, check_ids=check_ids, advance=advance)
            if kind == "association":
                rows = rows.filter(pl.col("moduleId") != _MODEL_COMPONENT)
            current = latest(rows, *_KEYS[kind])
            if kind == "concept":
                return current.join(_first_times(rows), on="id", maintain_order="left")
            return current

        states = dict(zip(_KEYS, pool.map(read, _KEYS), strict=True))
        digests = _digests(files, pool)
    concepts = _concepts(states["concept"])
    if concepts.is_empty():
        raise FileError(sources[0], "the release has no concepts")
    preferred = _preferred(states["language"]) if _has(files, "language") else None
    descriptions = _descriptions(
        states["description"], concepts, preferred, language=language, found=found, source=sources[0]
    )
    associations = _associations(states["association"], concepts)
    parents = _parents(states["relationship"], concepts) if hierarchy else None
    _warn_of_missing(sources[0], files, hierarchy=hierarchy)
    named = _named(concepts, descriptions)
    of_active = descriptions.filter("of_active")
    return Terminology(
        form="rf2",
        title=f"SNOMED CT {_packages(files)}",
        version=max(file.date for file in files),
        files=digests,
        concepts=named,
        synonyms=_synonyms(of_active),
        associations=associations,
        parents=parents,
        terms=_counts(of_active, has_preferred=preferred is not None),
        nameless=tuple(named.filter("active", ~pl.col("is_metadata"), pl.col("name").is_null())["id"]),
        appeared=_appeared(states["concept"], files),
        preferred=_preferred_synonyms(of_active) if preferred is not None else None,
        lacks_associations=not _has(files, "association"),
    )


def clean_fsn(fsn: str) -> tuple[str, str | None]:
    """Split a fully specified name into the label that pairs use and its semantic tag.

    A name that ends in ")" is split at its last " (", unless the first part would end in " or" or "&", or the
    second begins with "&": then the parentheses are part of the name.

    >>> clean_fsn("Malaria (disorder)")
    ('Malaria', 'disorder')
    >>> clean_fsn("Iodine (3H(2))")
    ('Iodine', '3H(2)')
    >>> clean_fsn("Foo(bar)"), clean_fsn("Fever or (chill)"), clean_fsn("Cuts (& bruises)")
    (('Foo(bar)', None), ('Fever or (chill)', None), ('Cuts (& bruises)', None))
    """
    fsn = fsn.rstrip()
    before, cut, after = fsn.rpartition(" (")
    if not cut or not fsn.endswith(")") or before.endswith((" or", "&")) or after.startswith("&"):
        return fsn.strip(), None
    return before.strip(), after[:-1]


def _has(files: Iterable[ReleaseFile], kind: Kind) -> bool:
    return any(file.kind == kind for file in files)


def _warn_of_missing(source: Path, files: Iterable[ReleaseFile], *, hierarchy: bool) -> None:
    """Say which files that a whole release has are not there, and what follows."""
    for kind, consequence in _CONSEQUENCES.items():
        if not _has(files, kind) and (hierarchy or kind != "relationship"):
            warnings.warn(f"{source} has no {kind} file, so {consequence}", MedgaugeWarning, stacklevel=3)


def _first_times(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the first effectiveTime of each component."""
    return rows.group_by("id").agg(pl.col("effectiveTime").min().alias("first_time"))


def _appeared(current: pl.DataFrame, files: Iterable[ReleaseFile]) -> pl.Series | None:
    """Return the date of each concept's first row, None if a file has only the last row of each concept."""
    if any(file.kind == "concept" and file.form != "Full" for file in files):
        return None
    # What has 8 digits need not be a date.
    written = pl.col("first_time").cast(pl.String).str.to_date("%Y%m%d", strict=False)
    return current.select(written.alias("appeared")).to_series()


def _concepts(current: pl.DataFrame) -> pl.DataFrame:
    """Return the number and the state of each concept."""
    is_metadata = (pl.col("moduleId") == _MODEL_COMPONENT).alias("is_metadata")
    return current.select("id", "active", is_metadata).with_row_index("concept")


def _preferred(current: pl.DataFrame) -> pl.DataFrame:
    """Return the ids of the descriptions that a language reference set prefers."""
    chosen = current.filter("active", pl.col("acceptabilityId") == _PREFERRED)
    return chosen.select(id="referencedComponentId").unique()


def _descriptions(
    current: pl.DataFrame,
    concepts: pl.DataFrame,
    preferred: pl.DataFrame | None,
    *,
    language: str,
    found: Iterable[ReleaseFile],
    source: Path,
) -> pl.DataFrame:
    """Return the active descriptions in a language, with the concept of each and whether it is preferred."""
    is_spoken = pl.col("languageCode").str.to_lowercase() == language.lower()
    if not current.select(is_spoken.any()).item():
        codes = set(current["languageCode"].unique())
        there = {file.language for file in found if file.kind == "description"} | codes
        known = {name.lower() for name in there if name and _LANGUAGE.fullmatch(name)} - {language.lower()}
        listed = ", ".join(sorted(known)) or "none"
        raise FileError(
            source, f"there are no descriptions in the language {quoted(language)}; available: {listed}"
        )
    chosen = current.filter("active", is_spoken)
    is_preferred = pl.lit(value=False)
    if preferred is not None:
        chosen = chosen.join(
            preferred.with_columns(preferred=True), on="id", how="left", maintain_order="left"
        )
        is_preferred = pl.col("preferred").fill_null(value=False)
    return chosen.join(
        concepts.select("concept", conceptId="id", of_active="active", of_metadata="is_metadata"),
        on="conceptId",
        maintain_order="left",
    ).with_columns(preferred=is_preferred)


def _named(concepts: pl.DataFrame, descriptions: pl.DataFrame) -> pl.DataFrame:
    """Add to each concept its name, the name without the semantic tag, and the tag."""
    names = (
        descriptions.filter(pl.col("typeId") == _FSN, pl.col("term").is_not_null())
        .sort("preferred", "effectiveTime", "row")
        .unique("concept", keep="last")
        .select("concept", name="term")
    )
    cleaned = [clean_fsn(name) for name in names["name"]]
    names = names.with_columns(
        pl.Series("label", [label for label, _ in cleaned], pl.String),
        pl.Series("tag", [tag or None for _, tag in cleaned], pl.String),
    ).filter(pl.col("label") != "")
    return concepts.join(names, on="concept", how="left", maintain_order="left").select(
        pl.col("id").cast(pl.String), "name", "label", "tag", "active", "is_metadata"
    )


def _counts(descriptions: pl.DataFrame, *, has_preferred: bool) -> dict[str, int]:
    """Count descriptions by type, and synonyms also by whether a language reference set prefers them."""
    is_synonym = pl.col("typeId") == _SYNONYM
    kinds = {"fully specified name": pl.col("typeId") == _FSN} | (
        {
            "preferred synonym": is_synonym & pl.col("preferred"),
            "other synonym": is_synonym & ~pl.col("preferred"),
        }
        if has_preferred
        else {"synonym": is_synonym}
    )
    return {kind: descriptions.filter(chosen).height for kind, chosen in kinds.items()}


def _synonyms(descriptions: pl.DataFrame) -> pl.DataFrame:
    return (
        descriptions.filter(pl.col("typeId") == _SYNONYM, ~pl.col("of_metadata"))
        .select("concept", pl.col("term").str.strip_chars())
        .filter(pl.col("term") != "")
    )


def _preferred_synonyms(descriptions: pl.DataFrame) -> pl.DataFrame:
    """Return one preferred synonym of each concept: the latest, as dialects may prefer several."""
    chosen = descriptions.filter(pl.col("typeId") == _SYNONYM, "preferred", pl.col("term").is_not_null())
    latest = chosen.sort("effectiveTime", "row").unique("concept", keep="last").sort("concept")
    return latest.select("concept", pl.col("term").str.strip_chars()).filter(pl.col("term") != "")


def _associations(current: pl.DataFrame, concepts: pl.DataFrame) -> pl.DataFrame:
    """Return the state of each association between two concepts."""
    numbers = concepts.select("concept", "id")
    known = current.join(
        numbers.rename({"concept": "source"}),
        left_on="referencedComponentId",
        right_on="id",
        how="left",
        maintain_order="left",
    ).join(
        numbers.rename({"concept": "target"}),
        left_on="targetComponentId",
        right_on="id",
        how="left",
        maintain_order="left",
    )
    is_known = pl.col("source").is_not_null() & pl.col("target").is_not_null()
    # The second-to-last digit of an id is 0 for concepts and 1 for descriptions, which some sets associate.
    is_of_concepts = pl.col("referencedComponentId") // 10 % 10 == 0
    unknown = known.filter(~is_known, is_of_concepts).height
    if unknown:
        warnings.warn(
            f"associations with a concept that is in none of the sources are left out: {unknown:,}",
            MedgaugeWarning,
            stacklevel=3,
        )
    kind = pl.col("refsetId").replace_strict(
        _ASSOCIATIONS, default=pl.col("refsetId").cast(pl.String), return_dtype=pl.String
    )
    return known.filter(is_known).select(kind.alias("kind"), "source", "target", "active")


def _parents(current: pl.DataFrame, concepts: pl.DataFrame) -> pl.DataFrame:
    """Return the active is-a relations between active concepts.

    A relation of an extension may still lead to a concept that the edition has since inactivated.
    """
    numbers = concepts.filter("active").select("concept", "id")
    chosen = current.filter("active", pl.col("typeId") == _IS_A)
    return (
        chosen.join(numbers, left_on="sourceId", right_on="id", maintain_order="left")
        .rename({"concept": "child"})
        .join(numbers, left_on="destinationId", right_on="id", maintain_order="left")
        .select("child", parent="concept")
        .unique(maintain_order=True)
    )


def _packages(files: Iterable[ReleaseFile]) -> str:
    """Return the names of the packages, each with its latest date."""
    dates: dict[str, str] = {}
    for file in files:
        dates[file.package] = max(file.date, dates.get(file.package, ""))
    return ", ".join(f"{package} {date}" for package, date in dates.items())


def _digests(files: Iterable[ReleaseFile], pool: ThreadPoolExecutor) -> dict[str, str]:
    """Return the SHA-256 of each zip and of each text file in a folder, by unique names."""
    paths = dict.fromkeys(file.path if file.source.is_dir() else file.source for file in files)
    digests: dict[str, str] = {}
    for path, digest in zip(paths, pool.map(remembered_sha256, paths), strict=True):
        names = (clean_name("/".join(path.parts[-length:])) for length in range(1, len(path.parts) + 1))
        digests[next(name for name in names if name not in digests)] = digest
    return digests
