"""The files of a UMLS release: its META folder, unpacked or in the zip as downloaded."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from medgauge.errors import FileError
from medgauge.files.opening import require_file
from medgauge.files.zip_folders import is_hidden, member_files, path_parts

EXPECTED = (
    "expected a UMLS release, with MRCONSO.RRF and MRSTY.RRF in its folder META, unpacked or in the .zip as "
    "downloaded"
)
_META = "META"
_NETWORK = "SRDEF"
_VERSION = re.compile(r"(?<!\d)(20\d\d[A-Z]{2})(?![A-Za-z\d])")


@dataclass(frozen=True)
class RrfFile:
    """A file in Rich Release Format, below a folder or in a zip."""

    source: Path
    member: str

    @property
    def path(self) -> Path:
        """The path of the file, continued into the zip, for messages."""
        return self.source / self.member


@dataclass(frozen=True)
class UmlsRelease:
    """The files of a release by their names, such as MRSTY.RRF, and its version, "" if no path names it."""

    source: Path
    files: Mapping[str, RrfFile]
    version: str

    def file(self, name: str) -> RrfFile:
        """Return a file of the release; raise an error if it is not there."""
        if name not in self.files:
            raise FileError(self.source, f"has no {name}; {EXPECTED}")
        return self.files[name]

    @property
    def network(self) -> RrfFile | None:
        """The definitions of semantic types (SRDEF), None if they are not there."""
        return self.files.get(_NETWORK)

    @property
    def title(self) -> str:
        """The name of the release for people."""
        return f"UMLS {self.version}".rstrip()


def open_umls(source: str | Path, *, srdef: str | Path | None = None) -> UmlsRelease:
    """Find the files of a UMLS release; nothing of them is read yet.

    `source` is a folder or a zip with a folder META in it, anywhere, or a folder with the .RRF files. SRDEF,
    which NLM also offers apart from the Metathesaurus, is looked for there too, unless `srdef` names it.
    """
    source = Path(source)
    members = [member for member in member_files(source, EXPECTED) if not is_hidden(member)]
    found: dict[str, str] = {}
    for member in sorted(members):
        *folders, name = path_parts(member)
        name = name.upper().removesuffix(".GZ" if source.is_dir() else "")
        is_rrf = name.endswith(".RRF") and (_META in map(str.upper, folders) or _is_direct(source, folders))
        if not is_rrf and name != _NETWORK:
            continue
        if name in found:
            raise FileError(
                source, f"has {name} twice, {found[name]} and {member}; give the folder of one release"
            )
        found[name] = member
    if not any(name.endswith(".RRF") for name in found):
        raise FileError(source, _what_is_missing(members))
    files = {name: RrfFile(source, member) for name, member in found.items()}
    if srdef is not None:
        path = require_file(srdef)
        files[_NETWORK] = RrfFile(path.parent, path.name)
    named = _VERSION.search("/".join([source.resolve().as_posix(), *found.values()]))
    return UmlsRelease(source, files, named[1] if named else "")


def _is_direct(source: Path, folders: list[str]) -> bool:
    return source.is_dir() and not folders


def _what_is_missing(members: list[str]) -> str:
    if any(member.lower().endswith(".nlm") for member in members):
        return (
            "has the archives (.nlm) of a release, which MetamorphoSys unpacks; run it, or download the "
            "Metathesaurus Full Subset, and give the folder META"
        )
    return f"has no folder META with .RRF files; {EXPECTED}"
