import sys
import zipfile
from pathlib import Path

import pytest

from medgauge.errors import FileError, UnknownNameError
from medgauge.files.workbooks import is_workbook, read_sheet
from medgauge.progress import hearing
from medgauge.tables import read_table
from tests.support.workbooks import write_ods, write_xlsx

ROWS = [["Begriff 1", "Begriff 2", "Mittelwert"], ["Übelkeit", "Erbrechen", 3.5], ["Fieber", "Gicht", 1 / 3]]
VALUES = [("Übelkeit", "Erbrechen", "3.5"), ("Fieber", "Gicht", repr(1 / 3))]


@pytest.mark.parametrize("write", [write_xlsx, write_ods], ids=["xlsx", "ods"])
def test_a_workbook_is_known_by_its_content_and_its_numbers_are_exact(tmp_path, write):
    path = write(tmp_path / "pairs.csv", {"Blatt1": ROWS})
    assert is_workbook(path)
    table = read_table(path)
    assert table.header == tuple(ROWS[0])
    assert [row.values for row in table.rows] == VALUES


def test_places_are_rows_of_the_sheet(tmp_path):
    rows = [*ROWS[:2], [], ["Fieber", "Gicht", "hoch"]]
    table = read_table(write_xlsx(tmp_path / "pairs.xlsx", {"Blatt 1": rows}, above=2))
    assert [row.place for row in table.rows] == ["sheet 'Blatt 1', row 4", "sheet 'Blatt 1', row 6"]
    with pytest.raises(
        FileError, match=r"pairs\.xlsx, sheet 'Blatt 1', row 6: the value of column 'Mittelwert'"
    ):
        table.number(table.rows[1], 2)


def test_the_first_of_several_sheets_is_read_and_remarked_on_and_another_can_be_named(tmp_path):
    path, heard = write_xlsx(tmp_path / "pairs.xlsx", {"Eins": ROWS, "Zwei": [["a"], ["b"]]}), []
    with hearing(heard.append):
        assert read_table(path).header == tuple(ROWS[0])
    assert heard == [f"{path}: read the first of 2 sheets, 'Eins'; sheet= names another"]
    assert read_table(path, sheet="Zwei").rows[0].values == ("b",)
    with pytest.raises(
        UnknownNameError, match=r"no sheet in .*pairs\.xlsx called 'Drei'; choose from: Eins, Zwei"
    ):
        read_table(path, sheet="Drei")


def test_codes_keep_their_zeros_and_small_numbers_their_digits(tmp_path):
    path = write_xlsx(tmp_path / "t.xlsx", {"S": [["007", 7, 1e-20, 12345678901, True, None, "3,5"]]})
    assert read_sheet(path).rows == [(1, ("007", "7", "1e-20", "12345678901", "true", None, "3,5"))]


def test_a_sheet_of_a_file_that_is_not_a_workbook_is_refused(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(FileError, match=r"pairs\.csv: is not a workbook and has no sheets; leave out sheet="):
        read_table(path, sheet="Eins")


def test_without_the_extra_the_file_is_named_as_excel(tmp_path, monkeypatch):
    path = write_xlsx(tmp_path / "pairs.xlsx", {"Blatt1": ROWS})
    monkeypatch.setitem(sys.modules, "fastexcel", None)
    with pytest.raises(
        FileError, match=r"pairs\.xlsx: is an Excel or Open.*run .* install .*\[excel\]'?, or"
    ):
        read_table(path)


OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (OLE, "is an old Excel file (.xls); save it as .xlsx"),
        (OLE + "EncryptedPackage".encode("utf-16-le"), "is an Excel file with a password"),
        (b"PK\x03\x04 and no more", "is a damaged zip file"),
    ],
)
def test_what_only_looks_like_a_workbook_is_one_sentence(tmp_path, content, said):
    path = tmp_path / "pairs.xlsx"
    path.write_bytes(content)
    with pytest.raises(FileError) as raised:
        read_table(path)
    assert str(raised.value).startswith(f"{path}: {said}")


def _zipped(path: Path, **members: str) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "/"), content)
    return path


def test_another_zip_file_is_not_a_workbook(tmp_path):
    path = _zipped(tmp_path / "pairs.zip", readme="hello")
    with pytest.raises(
        FileError, match=r"pairs\.zip: is a zip file, but neither Excel \(\.xlsx\) nor OpenDoc"
    ):
        read_table(path)


def test_one_flipped_bit_in_a_workbook_is_one_sentence(tmp_path):
    path = write_xlsx(tmp_path / "pairs.xlsx", {"Blatt1": ROWS})
    content = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as archive:
        member = archive.getinfo("xl/worksheets/sheet1.xml")
    content[member.header_offset + 30 + len(member.filename) + 20] ^= 4
    path.write_bytes(content)
    with pytest.raises(FileError, match=r"pairs\.xlsx: is a damaged zip file"):
        read_table(path)


def test_a_workbook_that_unpacks_to_gigabytes_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("MEDGAUGE_MAX_UNPACKED_GB", "0.001")
    path = _zipped(tmp_path / "pairs.xlsx", xl__workbook="x" * 2_000_000)
    with pytest.raises(
        FileError, match=r"pairs\.xlsx: unpacks to more than 0\.001 GB; .* MEDGAUGE_MAX_UNPACKED_GB"
    ):
        read_table(path)


def test_a_damaged_member_of_any_packing_is_one_sentence(tmp_path):
    for form in (zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        path = tmp_path / f"{form}.xlsx"
        with zipfile.ZipFile(path, "w", form) as archive:
            archive.writestr("xl/workbook.xml", bytes(range(256)) * 40)
        content = bytearray(path.read_bytes())
        content[60:90] = bytes(30)
        path.write_bytes(content)
        with pytest.raises(FileError, match=rf"{form}\.xlsx: is a damaged zip file"):
            is_workbook(path)


def test_a_word_file_is_named_as_one(tmp_path):
    with zipfile.ZipFile(tmp_path / "pairs.docx", "w") as archive:
        archive.writestr("word/document.xml", "<x/>")
    with pytest.raises(FileError, match=r"pairs\.docx: is a Word file; save its table as CSV or Excel"):
        is_workbook(tmp_path / "pairs.docx")
