"""Kinds of tables that people have: spreadsheets, other encodings and separators, zstd."""

import io
import struct
import zipfile
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

from tests.fuzz.examples_tables import file, frame, reading_set
from tests.fuzz.kind import Kind
from tests.fuzz.mutations import RAW, TABLE
from tests.fuzz.structures import ZIP

_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_ODS = "application/vnd.oasis.opendocument.spreadsheet"
_OPEN = "urn:oasis:names:tc:opendocument:xmlns"


def _rows() -> list[Sequence[object]]:
    return [frame().columns, *frame().rows()]


def _xlsx() -> bytes:
    """Return a workbook of one sheet, as a spreadsheet program saves it."""
    rows = "".join(_row(number, row) for number, row in enumerate(_rows(), 1))
    relation = f'<Relationship Id="rId1" Type="{_OFFICE}/{{}}" Target="{{}}"/>'
    relations = f'<Relationships xmlns="{_PACKAGE}/relationships">{relation}</Relationships>'
    return _zip(
        {
            "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
            '<Default Extension="rels"'
            ' ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>'
            f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_TYPE}.worksheet+xml"/></Types>',
            "_rels/.rels": relations.format("officeDocument", "xl/workbook.xml"),
            "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>'
            '<sheet name="Pairs" sheetId="1" r:id="rId1"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": relations.format("worksheet", "worksheets/sheet1.xml"),
            "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{_MAIN}"><sheetData>{rows}</sheetData>'
            "</worksheet>",
        }
    )


def _row(number: int, values: Sequence[object]) -> str:
    cells = (_cell(value, f"{column}{number}") for column, value in zip("ABCD", values, strict=True))
    return f'<row r="{number}">{"".join(cells)}</row>'


def _cell(value: object, place: str) -> str:
    if isinstance(value, float):
        return f'<c r="{place}"><v>{value}</v></c>'
    return f'<c r="{place}" t="inlineStr"><is><t>{escape(str(value))}</t></is></c>'


def _ods() -> bytes:
    """Return a document of one sheet, as LibreOffice saves it."""
    rows = "".join(f"<table:table-row>{''.join(map(_open_cell, row))}</table:table-row>" for row in _rows())
    names = " ".join(f'xmlns:{name}="{_OPEN}:{name}:1.0"' for name in ("office", "table", "text"))
    content = (
        f'<office:document-content {names} office:version="1.2"><office:body><office:spreadsheet>'
        f'<table:table table:name="Pairs">{rows}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    entry = '<manifest:file-entry manifest:full-path="{}" manifest:media-type="{}"/>'
    manifest = (
        f'<manifest:manifest xmlns:manifest="{_OPEN}:manifest:1.0" manifest:version="1.2">'
        f"{entry.format('/', _ODS)}{entry.format('content.xml', 'text/xml')}</manifest:manifest>"
    )
    return _zip({"mimetype": _ODS, "META-INF/manifest.xml": manifest, "content.xml": content})


def _open_cell(value: object) -> str:
    kind = f'"float" office:value="{value}"' if isinstance(value, float) else '"string"'
    return (
        f"<table:table-cell office:value-type={kind}><text:p>{escape(str(value))}</text:p></table:table-cell>"
    )


def _zip(files: Mapping[str, str]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name), text)
    return made.getvalue()


def _zstd() -> bytes:
    """Return a zstd frame with one block that is not compressed, which needs no library."""
    content = frame().write_csv().encode()
    header = b"\x28\xb5\x2f\xfd\x60" + struct.pack("<H", len(content) - 256)
    return header + struct.pack("<I", len(content) << 3 | 1)[:3] + content


def _german() -> bytes:
    names = ["Begriff 1", "Begriff 2", "Mittelwert", "Prüfung"]
    text = frame().rename(dict(zip(frame().columns, names, strict=True))).write_csv(separator=";")
    return text.replace(".", ",").encode("cp1252")


KINDS = (
    Kind("set-german", file("p.csv", _german), ("p.csv",), reading_set("p.csv"), TABLE, optional=True),
    Kind(
        "set-utf16",
        file("p.txt", lambda: frame().write_csv(separator="\t").encode("utf-16")),
        ("p.txt",),
        reading_set("p.txt"),
        RAW,
        optional=True,
    ),
    Kind("set-xlsx", file("p.xlsx", _xlsx), ("p.xlsx",), reading_set("p.xlsx"), (*RAW, *ZIP), optional=True),
    Kind("set-ods", file("p.ods", _ods), ("p.ods",), reading_set("p.ods"), (*RAW, *ZIP), optional=True),
    Kind("set-zstd", file("p.csv.zst", _zstd), ("p.csv.zst",), reading_set("p.csv.zst"), RAW, optional=True),
)
