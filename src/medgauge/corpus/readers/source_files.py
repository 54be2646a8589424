"""The files of a source, and which form each has: recognised by its content."""

import codecs
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from medgauge.corpus.passages import RowBatch, UnreadParts
from medgauge.corpus.readers.conllu import conllu_layout, read_conllu
from medgauge.corpus.readers.jats import read_jats
from medgauge.corpus.readers.medline import read_medline
from medgauge.corpus.readers.plain_text import read_plain_text
from medgauge.corpus.stored_corpus import Layout
from medgauge.errors import FileError
from medgauge.files.opening import open_bytes, require_file
from medgauge.progress import remark

TextForm = Literal["medline", "jats", "conllu", "text"]

_ENDINGS = (".xml", ".nxml", ".txt", ".conllu", ".conll")
_PACKED = (".gz", ".zst")
_SAMPLE = 1 << 16
_XML = re.compile(r"\s*<(\?xml|!DOCTYPE|!--|[A-Za-z])")
_NO_ELEMENT = re.compile(r"<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*(\[[^\]]*\]\s*)?>", re.DOTALL)
_ROOT = re.compile(r"\s*<([\w:.-]+)")
_MEDLINE = ("PubmedArticleSet", "MedlineCitationSet", "PubmedArticle", "MedlineCitation", "PubmedBookArticle")
_JATS = ("article", "pmc-articleset", "articles")
_MARKS = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16", codecs.BOM_UTF8: "utf-8-sig"}
_BINARY = (b"PAR1", b"%PDF", b"PK\x03\x04", b"\x00")
_FORMS = "MEDLINE or PubMed XML, JATS, CoNLL-U, or plain text with a passage in each line"


@dataclass(frozen=True)
class PassageFile:
    """A file with text, its form, and what it has besides tokens."""

    path: Path
    form: TextForm
    layout: Layout = "forms"

    def read(self, unread: UnreadParts) -> Iterator[RowBatch]:
        """Yield what is in the file, and note what cannot be read."""
        if self.form == "conllu":
            return read_conllu(self.path, unread, self.layout)
        reader = {"medline": read_medline, "jats": read_jats, "text": read_plain_text}[self.form]
        return reader(self.path, unread)


def files_of(source: Path) -> list[Path]:
    """Return a file, or the files with text in a folder and those below it, in the order of their names."""
    if not source.is_dir():
        return [require_file(source)]
    files = [path for path in sorted(source.rglob("*")) if path.is_file()]
    found = [path for path in files if _has_text(path.name) and path.stat().st_size]
    if not found:
        raise FileError(
            source, f"the folder has no file that ends in {', '.join(_ENDINGS)}, or these with .gz"
        )
    if others := len(files) - len(found):
        what = "1 file is" if others == 1 else f"{others:,} files are"
        remark(f"{source}: {what} empty or of another kind, and left out")
    return found


def _has_text(name: str) -> bool:
    """Return whether a file in a folder is read.

    >>> [_has_text(name) for name in ("a.xml.gz", "a.XML", "a.txt", ".a.txt", "a.xml.gz.md5")]
    [True, True, True, False, False]
    """
    lower = name.lower()
    for ending in _PACKED:
        lower = lower.removesuffix(ending)
    return lower.endswith(_ENDINGS) and not name.startswith(".")


def recognise_text(path: Path) -> PassageFile:
    """Recognise the form of a file by how it begins."""
    begin = _beginning(path)
    if begin.startswith(_BINARY) or (b"\0" in begin and not begin.startswith(tuple(_MARKS))):
        raise FileError(path, f"is not text; a corpus is made of {_FORMS}")
    encoding = next((name for mark, name in _MARKS.items() if begin.startswith(mark)), "utf-8")
    text = begin.decode(encoding, "replace")
    if _XML.match(text):
        return PassageFile(path, _xml_form(path, text))
    if encoding == "utf-16":
        raise FileError(path, "the file is UTF-16; save it as UTF-8")
    if _is_conllu(path, text):
        return PassageFile(path, "conllu", conllu_layout(path))
    return PassageFile(path, "text")


def _beginning(path: Path) -> bytes:
    begin = b""
    with suppress(FileError), open_bytes(path) as stream:  # a damaged one is read as far as it goes
        while len(begin) < _SAMPLE and (block := stream.read1(_SAMPLE)):  # type: ignore[attr-defined]
            begin += block
    return begin


def _xml_form(path: Path, text: str) -> TextForm:
    root = _ROOT.match(_NO_ELEMENT.sub("", text))
    name = root[1] if root else ""
    if name in _MEDLINE:
        return "medline"
    if name.rpartition(":")[2] in _JATS:
        return "jats"
    raise FileError(
        path, f"is XML, but its first element is none of {', '.join(_MEDLINE)} (MEDLINE) and article (JATS)"
    )


def _is_conllu(path: Path, text: str) -> bool:
    """Return whether a text is CoNLL-U by its name, or by its first row."""
    if any(suffix.lower() in (".conllu", ".conll") for suffix in path.suffixes[-2:]):
        return True
    for line in text.splitlines():
        if line and not line.startswith("#"):
            row = line.split("\t")
            return len(row) == 10 and row[0].replace("-", "").replace(".", "").isdecimal()
    return False
