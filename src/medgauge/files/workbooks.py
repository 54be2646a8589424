"""Sheets of Excel and LibreOffice files, as rows of text."""

import lzma
import re
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from medgauge.errors import FileError, UnknownNameError, option
from medgauge.files.opening import check_unpacked, most_unpacked, require_file
from medgauge.installation import install_command
from medgauge.progress import remark

if TYPE_CHECKING:
    import polars as pl

# What zipfile raises for damaged members, depending on how they are packed.
_DAMAGE = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, RuntimeError, ValueError)
_ZIP_MAGIC = b"PK\x03\x04"
_OLE_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_ODS = b"application/vnd.oasis.opendocument.spreadsheet"
_WITH_ZEROS = re.compile(r"-?0\d")
_CLOSE = 1e-8


@dataclass(frozen=True)
class Sheet:
    """The rows of a sheet as text, with their numbers in the sheet; None where a cell is empty."""

    name: str
    rows: list[tuple[int, tuple[str | None, ...]]]


def is_workbook(path: str | Path) -> bool:
    """Return whether a file is a workbook that can be read, going by its content.

    What only looks like one (an old .xls file, one with a password, a document) is an error that says so.
    """
    path = require_file(path)
    with path.open("rb") as stream:
        start = stream.read(len(_OLE_MAGIC))
    if start == _OLE_MAGIC:
        if _ENCRYPTED in path.read_bytes():
            raise FileError(path, "is an Excel file with a password; save it without one")
        raise FileError(path, "is an old Excel file (.xls); save it as .xlsx")
    return start.startswith(_ZIP_MAGIC) and _is_sheets(path)


def read_sheet(path: str | Path, sheet: str | None = None) -> Sheet:
    """Read a sheet of a workbook, by default the first; numbers are read exactly, not as they are shown."""
    path = Path(path)
    fastexcel = _fastexcel(path)
    try:
        book = fastexcel.read_excel(str(path))
        names = list(book.sheet_names)
        name = _chosen(path, names, sheet)
        options: dict[str, Any] = {"header_row": None, "skip_rows": 0}
        texts = book.load_sheet(name, dtypes="string", **options).to_polars()
        numbers = book.load_sheet(name, dtypes="float", **options).to_polars()
    except fastexcel.FastExcelError as error:
        reason = str(error).partition("\n")[0]
        raise FileError(path, f"cannot be read as a workbook ({reason}); save it again") from error
    return Sheet(name, _rows(texts, numbers))


def _is_sheets(path: Path) -> bool:
    """Return whether a zip file is a workbook; refuse one that unpacks to more than the limit."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = {one.filename: one.file_size for one in archive.infolist()}
            check_unpacked(path, sum(members.values()), most_unpacked())
            if bad := archive.testzip():
                raise zipfile.BadZipFile(bad)
            kind = archive.read("mimetype") if "mimetype" in members else b""
    except _DAMAGE as error:
        raise FileError(path, "is a damaged zip file, perhaps of Excel; save or download it again") from error
    if "xl/workbook.xml" not in members and kind.strip() != _ODS:
        if "xl/workbook.bin" in members:
            raise FileError(path, "is a binary Excel file (.xlsb); save it as .xlsx")
        if "word/document.xml" in members:
            raise FileError(path, "is a Word file; save its table as CSV or Excel (.xlsx)")
        raise FileError(
            path, "is a zip file, but neither Excel (.xlsx) nor OpenDocument (.ods); unpack it first"
        )
    return True


def _fastexcel(path: Path) -> Any:
    try:
        import fastexcel
    except ImportError as error:
        advice = f"run {install_command('excel')}, or save it as CSV"
        raise FileError(path, f"is an Excel or OpenDocument file; to read it, {advice}") from error
    return fastexcel


def _chosen(path: Path, names: list[str], sheet: str | None) -> str:
    if sheet is not None:
        if sheet not in names:
            raise UnknownNameError(f"sheet in {path} called", sheet, names)
        return sheet
    if not names:
        raise FileError(path, "has no sheets")
    if len(names) > 1:
        remark(
            f"{path}: read the first of {len(names)} sheets, '{names[0]}'; {option('sheet')} names another"
        )
    return names[0]


def _rows(texts: "pl.DataFrame", numbers: "pl.DataFrame") -> list[tuple[int, tuple[str | None, ...]]]:
    """Return the rows that are not blank; a number that its text rounds is written in full."""
    rows = []
    for number, (shown, exact) in enumerate(zip(texts.iter_rows(), numbers.iter_rows(), strict=True), 1):
        if any(text is not None and text.strip() for text in shown):
            rows.append((number, tuple(map(_written, shown, exact))))
    return rows


def _written(shown: str | None, exact: float | None) -> str | None:
    if shown is None or exact is None or _WITH_ZEROS.match(shown):  # a code such as 007 is text
        return shown
    try:
        rounded = float(shown)
    except ValueError:
        return shown
    is_rounded = rounded != exact and abs(rounded - exact) <= _CLOSE * max(1.0, abs(exact))
    return repr(exact) if is_rounded else shown
