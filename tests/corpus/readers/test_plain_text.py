import gzip

from medgauge.corpus.passages import UnreadParts
from medgauge.corpus.readers.plain_text import read_plain_text


def read(path):
    unread = UnreadParts(path)
    return [
        row
        for batch in read_plain_text(path, unread)
        for row in zip(batch.documents, batch.texts, strict=True)
    ], unread


def test_each_line_that_is_not_blank_is_a_document(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes("\ufeffgout\r\n\n \t\ncaries\nlast".encode())
    assert read(path)[0] == [(0, "gout\r"), (1, "caries"), (2, "last")]


def test_a_line_that_is_not_utf8_is_left_out_and_located(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"gout\n\ncari\xe9s\nlast\n")
    found, unread = read(path)
    assert found == [(0, "gout"), (1, "last")]
    assert [(part.place, part.reason) for part in unread.parts] == [
        ("line 3", "byte 0xe9 is not valid UTF-8")
    ]


def test_what_comes_before_a_cut_is_kept(tmp_path):
    path = tmp_path / "a.txt.gz"
    packed = gzip.compress("".join(f"passage {n}\n" for n in range(10_000)).encode(), compresslevel=0)
    path.write_bytes(packed[: len(packed) // 2])
    found, unread = read(path)
    assert found[:2] == [(0, "passage 0"), (1, "passage 1")]
    assert unread.parts[0].place == f"after line {len(found)}"
    assert "cut off" in unread.parts[0].reason


def test_a_text_without_lines_is_read_in_pieces(tmp_path, monkeypatch):
    monkeypatch.setattr("medgauge.corpus.readers.plain_text._LONGEST_LINE", 10)
    monkeypatch.setattr("medgauge.corpus.readers.plain_text._BLOCK", 8)
    path = tmp_path / "a.txt"
    path.write_text("gout and caries and fever and é")
    found, unread = read(path)
    assert " ".join(text.strip() for _, text in found) == "gout and caries and fever and é"
    assert len(found) > 1
    assert unread.count == 0


def test_a_file_that_is_damaged_from_its_beginning_is_noted(tmp_path):
    path = tmp_path / "a.txt.gz"
    path.write_bytes(gzip.compress(b"gout")[:12])
    found, unread = read(path)
    assert (found, unread.parts[0].place) == ([], "after line 0")
