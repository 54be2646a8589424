"""Text in the encodings that spreadsheets and old editors write: UTF-8, UTF-16 and Windows-1252."""

import codecs
import re
import warnings
from pathlib import Path

from medgauge.errors import FileError, MedgaugeWarning
from medgauge.files.opening import read_bytes
from medgauge.progress import remark

_MARKS = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")  # never in a text that a person wrote
_SAMPLE = 1 << 16
_MOST_BYTES_ZERO = 0.75  # of the high bytes of UTF-16 in European languages


def read_any_text(path: str | Path) -> str:
    """Read a text file that a person made, compressed or not, in whichever encoding it is.

    A file is UTF-8 if it can be. Otherwise it is UTF-16 if it has a byte-order mark, or if it can be nothing
    else, and then Windows-1252, of which a warning is issued, since other encodings of single bytes look the
    same. UTF-8 with a few bad bytes is damaged, and not Windows-1252.
    """
    content = read_bytes(path)
    text = _marked(path, content)
    if text is None:
        text = _utf8(content.removeprefix(codecs.BOM_UTF8))
    if text is None:
        text = _unmarked_utf16(path, content)
    if text is None:
        text = _windows_1252(path, content)
    return text


def _marked(path: str | Path, content: bytes) -> str | None:
    """Decode UTF-16 that begins with a byte-order mark."""
    encoding = _MARKS.get(content[:2])
    if encoding is None:
        return None
    try:
        text = content[2:].decode(encoding)
    except UnicodeDecodeError as error:
        raise FileError(path, "begins like UTF-16 but is damaged; save it as UTF-8") from error
    _check_text(path, text)
    remark(f"{path}: read as UTF-16")
    return text


def _utf8(content: bytes) -> str | None:
    """Decode UTF-8; None for anything else, and for text with NUL, which may be UTF-16."""
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


def _unmarked_utf16(path: str | Path, content: bytes) -> str | None:
    """Decode UTF-16 without a mark if it is unmistakable: nearly every other byte is zero."""
    for encoding, high in (("utf-16-le", 1), ("utf-16-be", 0)):
        sample = content[:_SAMPLE]
        zeros = sample[high::2].count(0)
        if len(content) % 2 or zeros < _MOST_BYTES_ZERO * len(sample) / 2 or 0 in sample[1 - high :: 2]:
            continue
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if not _CONTROL.search(text):
            remark(f"{path}: read as UTF-16")
            return text
    return None


def _windows_1252(path: str | Path, content: bytes) -> str:
    loose = content.decode("utf-8", "surrogateescape")
    _check_text(path, loose)
    bad = sum("\udc80" <= character <= "\udcff" for character in loose)
    if bad <= sum(character > "\x7f" for character in loose) - bad:
        first = next(place for place, one in enumerate(loose) if "\udc80" <= one <= "\udcff")
        byte = ord(loose[first]) - 0xDC00
        line = loose.count("\n", 0, first) + 1
        raise FileError(
            path, f"byte 0x{byte:02x} is not valid UTF-8; save the file as UTF-8 again", place=f"line {line}"
        )
    try:
        text = content.decode("cp1252")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise FileError(
            path,
            f"byte 0x{content[error.start]:02x} is neither UTF-8 nor Windows-1252; save the file as UTF-8",
            place=f"line {line}",
        ) from error
    warnings.warn(
        f"{path}: not UTF-8; read as Windows-1252 (save it as UTF-8 if letters look wrong)",
        MedgaugeWarning,
        stacklevel=2,
    )
    return text


def _check_text(path: str | Path, text: str) -> None:
    """Refuse what has characters that no text has."""
    if found := _CONTROL.search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise FileError(path, "is not a text file: it has control characters", place=f"line {line}")
