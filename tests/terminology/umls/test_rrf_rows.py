import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgauge.errors import FileError
from medgauge.terminology.umls.rrf_rows import SEMANTIC_TYPES, RrfRows
from medgauge.terminology.umls.umls_release import RrfFile

GOOD = "C1|T047|B2.2.1.2.1|Disease or Syndrome|AT1||\n"


def read(folder, content: bytes, block: int = 1 << 20) -> list[tuple[str, ...]]:
    (folder / "MRSTY.RRF").write_bytes(content)
    rows = RrfRows(RrfFile(folder, "MRSTY.RRF"), SEMANTIC_TYPES, block)
    found = [row for frame in rows.frames(["STY", "CUI", "CVF"]) for row in frame.iter_rows()]
    assert rows.digest == hashlib.sha256(content.rstrip(b"\r\n") + b"\n").hexdigest() or len(content) > block
    return found


cells = st.text(st.characters(codec="utf-8", exclude_characters="|\r\n\0"), max_size=6)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(*[cells] * 6), min_size=1, max_size=8),
    st.integers(1, 80),
    st.sampled_from(["\n", "\r\n"]),
    st.integers(0, 2),
)
def test_blocks_of_any_size_give_the_rows_that_splitting_gives(tmp_path_factory, rows, block, end, blank):
    folder = tmp_path_factory.mktemp("rrf")
    text = "".join("|".join((*row, "")) + end for row in rows) + end * blank
    (folder / "MRSTY.RRF").write_bytes(text.encode())
    made = RrfRows(RrfFile(folder, "MRSTY.RRF"), SEMANTIC_TYPES, block)
    found = [row for frame in made.frames(["STY", "CUI"]) for row in frame.iter_rows()]
    assert found == [(row[3] or None, row[0] or None) for row in rows]


def test_quotes_and_numbers_are_text(tmp_path):
    content = b'C1|T1|A|"a "quoted" name|AT|007|\n'
    assert read(tmp_path, content) == [('"a "quoted" name', "C1", "007")]


def test_the_digest_is_that_of_the_file(tmp_path):
    assert len(read(tmp_path, (GOOD * 3).encode())) == 3


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        ("C1|T047|B2.2.1.2.1|Disease or Syndrome|AT1|\n", "the row has 5 fields, but 6 are expected"),
        ("C1|T047|B2|Disease|AT1|||\n", "the row has 7 fields, but 6 are expected"),
        ("C1|T047|B2|Disease|AT1|1\n", r"the row does not end with \|"),
        ("\n", "the row has 1 fields, but 6 are expected"),
    ],
)
@pytest.mark.parametrize("block", [1 << 20, 60])
def test_a_bad_row_is_named_by_file_and_line_and_not_quoted(tmp_path, bad, problem, block):
    with pytest.raises(FileError, match=rf"MRSTY\.RRF, line 4: {problem}") as caught:
        read(tmp_path, (GOOD * 3 + bad + GOOD).encode(), block)
    assert "Disease" not in str(caught.value)


@pytest.mark.parametrize("block", [1 << 20, 60, 7])
def test_blank_lines_at_the_end_were_rows_with_too_few_fields(tmp_path, block):
    assert len(read(tmp_path, (GOOD * 3 + "\n" * 3).encode(), block)) == 3


def test_what_is_not_utf_8_is_named_by_its_line(tmp_path):
    bad = GOOD.encode().replace(b"Disease", b"Dis\xe9ase")
    with pytest.raises(FileError, match=r"line 2: is not UTF-8"):
        read(tmp_path, GOOD.encode() + bad)


def test_an_empty_file_is_refused(tmp_path):
    with pytest.raises(FileError, match="the file is empty"):
        read(tmp_path, b"")
