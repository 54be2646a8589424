"""Small SNOMED CT releases in RF2, for tests: declared in Python, written to a folder or a zip.

    release = Release()
    flu = release.concept(1).fsn("Influenza (disorder)").synonym("Flu").synonym("Grippe", active=False)
    old = release.concept(2, active=False).fsn("Influenza, NOS (disorder)")
    release.associate(old, flu, SAME_AS)
    release.is_a(flu, release.concept(id=ROOT).fsn("SNOMED CT Concept (SNOMED RT+CTV3)"))
    release.write(tmp_path / "release")            # or .zip(tmp_path / "release.zip", full=False, crlf=True)

Rows are written in the order of the calls. A second row of the same component is its history:
`flu.state(active=False, date="20150731")`, or a description given its `number` again.
"""

import zipfile
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Self
from uuid import NAMESPACE_OID, uuid5
from zlib import crc32

ROOT = 138875005
CORE = 900000000000207008
MODEL_COMPONENT = 900000000000012004

FSN = 900000000000003001
SYNONYM = 900000000000013009
IS_A = 116680003
PREFERRED = 900000000000548007
ACCEPTABLE = 900000000000549004
US_ENGLISH = 900000000000509007

POSSIBLY_EQUIVALENT_TO = 900000000000523009
REPLACED_BY = 900000000000526001
SAME_AS = 900000000000527005
WAS_A = 900000000000528000

FIRST_DATE = "20020131"

_REFSET = ("id", "effectiveTime", "active", "moduleId", "refsetId", "referencedComponentId")
_COLUMNS = {
    "Concept": ("id", "effectiveTime", "active", "moduleId", "definitionStatusId"),
    "Description": (
        *("id", "effectiveTime", "active", "moduleId", "conceptId"),
        *("languageCode", "typeId", "term", "caseSignificanceId"),
    ),
    "Association": (*_REFSET, "targetComponentId"),
    "Relationship": (
        *("id", "effectiveTime", "active", "moduleId", "sourceId", "destinationId"),
        *("relationshipGroup", "typeId", "characteristicTypeId", "modifierId"),
    ),
    "Language": (*_REFSET, "acceptabilityId"),
}
_NAMES = {
    "Concept": "Terminology/sct2_Concept_{type}_{where}_{date}.txt",
    "Description": "Terminology/sct2_Description_{type}-{language}_{where}_{date}.txt",
    "Association": "Refset/Content/der2_cRefset_Association{type}_{where}_{date}.txt",
    "Relationship": "Terminology/sct2_Relationship_{type}_{where}_{date}.txt",
    "Language": "Refset/Language/der2_cRefset_Language{type}-{language}_{where}_{date}.txt",
}

_PERMUTATION = (1, 5, 7, 6, 2, 8, 3, 0, 9, 4)


def check_digit(digits: str) -> str:
    """Return Verhoeff's check digit, with the pentagon's group of rotations and reflections written out."""
    check = 0
    for place, digit in enumerate(reversed(digits), start=1):
        value = int(digit)
        for _ in range(place):
            value = _PERMUTATION[value]
        check = _compose(check, value)
    return str(next(last for last in range(10) if _compose(check, last) == 0))


def _compose(first: int, second: int) -> int:
    """Compose two symmetries of a pentagon: 0 to 4 are rotations, 5 to 9 reflections."""
    turn = first % 5 + (second % 5 if first < 5 else -(second % 5))
    return turn % 5 + 5 * ((first >= 5) != (second >= 5))


def sctid(number: int, partition: str) -> int:
    """Make an identifier with a right check digit: 00 for a concept, 01 a description, 02 a relationship."""
    digits = f"{100_000 + number}{partition}"
    return int(digits + check_digit(digits))


class Concept:
    """A concept of a release that is being written."""

    def __init__(self, release: "Release", identifier: int) -> None:
        self.release, self.id = release, identifier

    def state(self, *, active: bool = True, date: str = FIRST_DATE, module: int = CORE) -> Self:
        """Add a row with the state of the concept from a date on."""
        self.release.row("Concept", self.id, date, int(active), module, 900000000000074008)
        return self

    def fsn(self, term: str, **options: object) -> Self:
        """Add a fully specified name (see `description`)."""
        return self.description(FSN, term, **options)

    def synonym(self, term: str, **options: object) -> Self:
        """Add a synonym (see `description`)."""
        return self.description(SYNONYM, term, **options)

    def description(
        self,
        kind: int,
        term: str,
        *,
        number: int | None = None,
        active: bool = True,
        date: str = FIRST_DATE,
        language: str = "en",
        acceptability: int | None = None,
        refset: int = US_ENGLISH,
    ) -> Self:
        """Add a row of a description, a new one unless its number is given, and its place in a refset."""
        release = self.release
        release.described += number is None
        identifier = sctid(release.first + release.described if number is None else number, "01")
        release.row(
            *("Description", identifier, date, int(active), CORE),
            *(self.id, language, kind, term, 900000000000448009),
        )
        if acceptability is not None:
            release.member("Language", refset, identifier, acceptability, date=date)
        return self


class Release:
    """A release that is being written: rows for each kind of file."""

    def __init__(self, *, date: str = "20190131", where: str = "INT", language: str = "en") -> None:
        self.date, self.where, self.language = date, where, language
        self.rows: dict[str, list[tuple[object, ...]]] = {kind: [] for kind in _COLUMNS}
        self.described = 0
        # Packages assign numbers from separate ranges, as namespaces do.
        self.first = 100_000 + 1_000 * (crc32(where.encode()) % 800)

    def row(self, kind: str, *values: object) -> None:
        """Add a row unchanged."""
        assert len(values) == len(_COLUMNS[kind])
        self.rows[kind].append(values)

    def concept(
        self,
        number: int = 0,
        *,
        id: int | None = None,  # noqa: A002
        active: bool = True,
        date: str = FIRST_DATE,
        module: int = CORE,
    ) -> Concept:
        """Add a concept, under an id given or made from a number."""
        concept = Concept(self, sctid(number, "00") if id is None else id)
        return concept.state(active=active, date=date, module=module)

    def associate(
        self,
        source: Concept | int,
        target: Concept | int,
        refset: int,
        *,
        active: bool = True,
        date: str = FIRST_DATE,
        module: int = CORE,
    ) -> None:
        """Add a row that associates a concept with another, such as its replacement."""
        source, target = (one.id if isinstance(one, Concept) else one for one in (source, target))
        self.member("Association", refset, source, target, active=active, date=date, module=module)

    def member(
        self,
        kind: str,
        refset: int,
        component: int,
        value: int,
        *,
        active: bool = True,
        date: str = FIRST_DATE,
        module: int = CORE,
    ) -> None:
        """Add a row of a reference set; its UUID is derived from what cannot change in its history."""
        about = (refset, component, value if kind == "Association" else None)
        uuid = uuid5(NAMESPACE_OID, str(about))
        self.row(kind, uuid, date, int(active), module, refset, component, value)

    def is_a(
        self,
        child: Concept,
        parent: Concept,
        *,
        number: int | None = None,
        active: bool = True,
        date: str = FIRST_DATE,
        kind: int = IS_A,
    ) -> None:
        """Add a relationship, a new one unless its number is given."""
        number = self.first + len(self.rows["Relationship"]) if number is None else number
        identifier = sctid(number, "02")
        self.row(
            *("Relationship", identifier, date, int(active), CORE),
            *(child.id, parent.id, 0, kind, 900000000000011006, 900000000000451002),
        )

    def files(
        self, *, full: bool = True, crlf: bool = False, without: Collection[str] = ()
    ) -> dict[str, str]:
        """Return the text of each file by its path; a snapshot has only the latest row of each component."""
        kind_of_release = "Full" if full else "Snapshot"
        end = "\r\n" if crlf else "\n"
        files = {}
        for kind, rows in self.rows.items():
            if kind in without:
                continue
            name = _NAMES[kind].format(
                type=kind_of_release, where=self.where, date=self.date, language=self.language
            )
            lines = [_COLUMNS[kind], *(rows if full else _latest(rows))]
            files[f"SnomedCT_RF2_{self.where}_{self.date}/{kind_of_release}/{name}"] = "".join(
                "\t".join(map(str, line)) + end for line in lines
            )
        return files

    def write(
        self, folder: Path, *, full: bool = True, crlf: bool = False, without: Collection[str] = ()
    ) -> Path:
        """Write the release to a folder, without the kinds of file that are to be missing."""
        return write_files(folder, self.files(full=full, crlf=crlf, without=without))

    def zip(
        self, path: Path, *, full: bool = True, crlf: bool = False, without: Collection[str] = ()
    ) -> Path:
        """Write the release as a zip, as it is downloaded."""
        return zip_files(path, self.files(full=full, crlf=crlf, without=without))


def _latest(rows: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
    latest: dict[object, tuple[object, ...]] = {}
    for row in rows:
        if row[0] not in latest or str(row[1]) >= str(latest[row[0]][1]):
            latest[row[0]] = row
    return list(latest.values())


def write_files(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files below a folder, by their paths."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def zip_files(path: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files into a zip, by their paths."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path
