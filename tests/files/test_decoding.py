import codecs
import warnings
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge.errors import FileError, MedgaugeWarning
from medgauge.files.decoding import read_any_text
from medgauge.progress import hearing

TEXT = "Begriff 1;Begriff 2;Mittelwert\nÜbelkeit;Erbrechen – häufig;3,5\n"


def _written(folder: Path, content: bytes) -> Path:
    path = folder / "pairs.csv"
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    "content",
    [
        codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"),
        codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
        TEXT.encode("utf-16-le"),
        TEXT.encode("utf-16-be"),
    ],
    ids=["LE with mark", "BE with mark", "LE", "BE"],
)
def test_utf16_is_read_and_remarked_on(tmp_path, content):
    path, heard = _written(tmp_path, content), []
    with hearing(heard.append):
        assert read_any_text(path) == TEXT
    assert heard == [f"{path}: read as UTF-16"]


def test_windows_1252_is_read_with_a_warning_that_says_what_was_assumed(tmp_path):
    path = _written(tmp_path, TEXT.encode("cp1252"))
    with pytest.warns(
        MedgaugeWarning, match=r"pairs\.csv: not UTF-8; read as Windows-1252 \(save it as UTF-8"
    ):
        assert read_any_text(path) == TEXT


@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8])
def test_utf8_is_read_without_a_word(tmp_path, mark):
    heard = []
    with hearing(heard.append), warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read_any_text(_written(tmp_path, mark + TEXT.encode())) == TEXT
    assert heard == []


def test_damaged_utf8_is_not_taken_for_windows_1252(tmp_path):
    damaged = "Übelkeit\nfièvre\nMénière\n".encode().replace("è".encode(), b"\xe8", 1)
    with pytest.raises(FileError, match=r"pairs\.csv, line 2: byte 0xe8 is not valid UTF-8"):
        read_any_text(_written(tmp_path, damaged))


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"a,b\n1,\x00\n", 2),
        (b"\x7fELF\x02\x01\x01\x00\x00\xff\xfe\xc3", 1),
        (b"a,b\nfi\xe8vre,\x01\n", 2),
        (codecs.BOM_UTF16_LE + "a\nb\x01".encode("utf-16-le"), 2),
        (bytes(range(256)), 1),
    ],
)
def test_binary_garbage_is_never_read_as_text(tmp_path, content, line):
    with pytest.raises(FileError, match=rf"pairs\.csv, line {line}: is not a text file: it has control"):
        read_any_text(_written(tmp_path, content))


def test_a_cut_off_utf16_file_is_one_sentence(tmp_path):
    content = codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le")[:-1]
    with pytest.raises(FileError, match=r"pairs\.csv: begins like UTF-16 but is damaged; save it as UTF-8"):
        read_any_text(_written(tmp_path, content))


def test_a_byte_of_no_encoding_is_named_with_its_line(tmp_path):
    with pytest.raises(FileError, match=r"line 2: byte 0x81 is neither UTF-8 nor Windows-1252"):
        read_any_text(_written(tmp_path, b"a,b\n\x81,1\n"))


@given(st.binary(min_size=1, max_size=40))
def test_any_bytes_are_text_or_one_sentence(tmp_path_factory, content):
    path = _written(tmp_path_factory.mktemp("any"), content)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MedgaugeWarning)
        with suppress(FileError):
            assert isinstance(read_any_text(path), str)
