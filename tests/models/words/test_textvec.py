import gzip
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgauge.errors import FileError
from medgauge.models.recognise import recognise
from medgauge.models.words import scan
from medgauge.models.words.textvec import TextFile
from tests.models.small import buffer_of, floats, gzipped, words
from tests.prerequisites import NEEDS_GENSIM
from tests.vectors import some_vectors, write_text

KeyedVectors = pytest.importorskip("gensim.models", reason=NEEDS_GENSIM).KeyedVectors

WORDS = ("heart", "attack", "Œdème", "心臓", "12")
HEADER = "3 2\n"
ROWS = "heart 0.5 -1\nattack 1e-3 2.25\nŒdème +.5 3.\n"
VALUES = [[0.5, -1.0], [1e-3, 2.25], [0.5, 3.0]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("textvec")


def written(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def slow_reader(text: str, dim: int, *, header: bool) -> list[tuple[str, list[float]]]:
    """Read the lines one by one: what stands before the last `dim` fields is the word."""
    row = re.compile(rf"(.*?)((?:[ \t]+[^ \t]+){{{dim}}})[ \t]*\r?[ \t]*", re.DOTALL)
    entries = []
    for line in text.split("\n")[int(header) :]:
        if line.strip(" \t\r"):
            word, numbers = row.fullmatch(line).groups()
            entries.append((word, [float(number) for number in numbers.split()]))
    return entries


# gensim opens a file without a header twice and closes it once.
@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")
@pytest.mark.parametrize("header", [True, False])
@pytest.mark.parametrize("packed", [True, False])
def test_values_are_those_gensim_reads(tmp_path: Path, header: bool, packed: bool) -> None:
    path = write_text(tmp_path / "v.txt", some_vectors(*WORDS, dim=7), header=header)
    gensim = KeyedVectors.load_word2vec_format(str(path), binary=False, no_header=not header)
    file = recognise(gzipped(path) if packed else path)
    assert isinstance(file, TextFile)
    assert (file.words, file.dim) == (5 if header else None, 7)
    assert file.format == ("word2vec text" if header else "GloVe text")
    found = file.read(WORDS)
    assert found.known.all()
    assert found.words == 5
    assert found.vectors.dtype == np.float32
    np.testing.assert_array_equal(found.vectors, [gensim[word] for word in WORDS])


@pytest.mark.parametrize("header", [HEADER, ""])
@pytest.mark.parametrize(
    "rows",
    [
        ROWS,
        ROWS.replace("\n", " \n"),
        ROWS.replace("\n", "\r\n"),
        ROWS.replace("\n", " \r\n"),
        ROWS.replace(" ", "\t"),
        ROWS.replace(" ", "  "),
        ROWS.removesuffix("\n"),
        ROWS.removesuffix("\n") + " ",
        ROWS.replace("\n", "\n\n"),
        ROWS + "\n \t\n",
    ],
    ids=[
        "plain",
        "a space at each end",
        "CRLF",
        "a space and CRLF",
        "tabs",
        "two spaces",
        "no last newline",
        "a space for the last newline",
        "blank lines between",
        "blank lines at the end",
    ],
)
def test_rows_are_read_however_they_are_spaced(tmp_path: Path, header: str, rows: str) -> None:
    found = recognise(written(tmp_path / "v", header + rows)).read(["heart", "attack", "Œdème"])
    np.testing.assert_array_equal(found.vectors, np.array(VALUES, np.float32))
    assert found.known.all()
    assert found.words == 3


def test_a_header_may_end_with_a_space_and_crlf(tmp_path: Path) -> None:
    file = recognise(written(tmp_path / "v", "3 2 \r\n" + ROWS))
    assert (file.words, file.dim) == (3, 2)
    assert file.read(["heart"]).vectors.tolist() == [[0.5, -1.0]]


def test_a_blank_line_before_the_header_is_no_format(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="none of the supported formats"):
        recognise(written(tmp_path / "v", "\n" + HEADER + ROWS))


def test_words_of_glove_may_have_spaces(tmp_path: Path) -> None:
    rows = "the 0.5 1\n. . . 2 3\nat name@domain.com 4 5\n. 6 7\n"
    file = recognise(written(tmp_path / "glove.840B.txt", rows))
    assert (file.words, file.dim) == (None, 2)
    found = file.read([". . .", "at name@domain.com", ".", "name@domain.com"])
    assert found.known.tolist() == [True, True, True, False]
    assert found.vectors[:3].tolist() == [[2.0, 3.0], [4.0, 5.0], [6.0, 7.0]]
    assert found.words == 4


def test_a_row_of_glove_without_a_word_is_a_row_of_the_empty_word(tmp_path: Path) -> None:
    found = recognise(written(tmp_path / "v", "a 1 2\n 3 4\nb 5 6\n")).read(["a", "b"])
    assert found.vectors.tolist() == [[1.0, 2.0], [5.0, 6.0]]
    assert found.words == 3


@pytest.mark.parametrize("header", ["4 2\n", ""])
def test_the_first_of_two_rows_of_a_word_counts(tmp_path: Path, header: str) -> None:
    found = recognise(written(tmp_path / "v", header + "a 1 1\nb 2 2\na 3 3\nb 4 4\n")).read(["b", "a"])
    assert found.vectors.tolist() == [[2.0, 2.0], [1.0, 1.0]]
    assert found.words == 4


def test_a_word_that_the_file_lacks_is_not_known(tmp_path: Path) -> None:
    found = recognise(written(tmp_path / "v", HEADER + ROWS)).read(["Heart", "attack", "attac"])
    assert found.known.tolist() == [False, True, False]
    assert not found.vectors[[0, 2]].any()


@pytest.mark.parametrize("header", [True, False])
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_reading_gives_what_a_slow_reader_gives(folder: Path, header: bool, data: st.DataObject) -> None:
    dim = data.draw(st.integers(2, 4), "dim")
    number = floats.map(repr) | floats.map("{:.3e}".format) | st.integers(-99, 99).map(str)
    name = words(largest=4)
    if not header:
        name |= st.lists(words(largest=2), min_size=2, max_size=3).map(" ".join)
    gap, end = st.sampled_from([" ", "\t", "  "]), st.sampled_from(["\n", " \n", "\r\n", "\t\r\n", "\n\n"])
    row = st.builds(
        lambda word, numbers, gap, end: gap.join([word, *numbers]) + end,
        name,
        st.lists(number, min_size=dim, max_size=dim),
        gap,
        end,
    )
    rows = data.draw(st.lists(row, min_size=1, max_size=20), "rows")
    wanted = data.draw(st.lists(name, unique=True, max_size=10), "wanted")
    text = (f"{len(rows)} {dim}\n" if header else "") + "".join(rows)
    if data.draw(st.booleans(), "no last newline"):
        text = text.rstrip("\n")
    path = written(folder / "random.txt", text)
    with buffer_of(data.draw(st.integers(200, 400), "buffer")):
        found = TextFile(path, len(rows) if header else None, dim).read(wanted, keys=True)
    slow = slow_reader(text, dim, header=header)
    first = dict(reversed(slow))
    assert found.words == len(slow) == len(rows)
    assert found.known.tolist() == [word in first for word in wanted]
    expected = np.array([first.get(word, [0.0] * dim) for word in wanted]).reshape(-1, dim)
    np.testing.assert_array_equal(found.vectors, expected.astype(np.float32))
    different = list(dict(slow))
    hashes = dict(zip(different, scan.Wanted.of(different).hashes, strict=True))
    assert found.keys.tolist() == [hashes[word] for word, _ in slow]


@pytest.mark.parametrize("header", [True, False])
@pytest.mark.parametrize("packed", [True, False])
def test_more_words_than_fit_a_buffer(tmp_path: Path, header: bool, packed: bool) -> None:
    vectors = some_vectors(*(f"word{number}" for number in range(300)), dim=2)
    path = write_text(tmp_path / "v", vectors, header=header)
    with buffer_of(64):
        found = recognise(gzipped(path) if packed else path).read(list(vectors), keys=True)
    assert found.known.all()
    assert np.unique(found.keys).size == found.words == 300
    np.testing.assert_array_equal(found.vectors, list(vectors.values()))


def test_a_line_longer_than_a_buffer_is_an_error(tmp_path: Path) -> None:
    path = written(tmp_path / "v", "2 2\na 1 2\n" + "b" * 100 + " 3 4\n")
    with buffer_of(64), pytest.raises(FileError, match=r"v, byte 6: no word ends within 64 bytes"):
        recognise(path).read([])


@pytest.mark.parametrize(("header", "line"), [(HEADER, 3), ("", 2)])
@pytest.mark.parametrize("wanted", [[], ["attack"]])
@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("attack 1", "the row is too short: 2 numbers are expected after the word"),
        ("attack", "the row is too short: 2 numbers are expected after the word"),
        ("attack nan 1", "the row has a value that is not a finite number"),
        ("attack 1 inf", "the row has a value that is not a finite number"),
        ("attack 1 -Infinity", "the row has a value that is not a finite number"),
        ("attack 1 x", "the row has a value that is not a finite number"),
        ("attack 1 2;", "the row has a value that is not a finite number"),
        ("attack 1 ２", "the row has a value that is not a finite number"),
    ],
)
def test_a_bad_row_is_named_by_its_line_wanted_or_not(
    tmp_path: Path, header: str, line: int, wanted: list[str], row: str, problem: str
) -> None:
    path = written(tmp_path / "v", header + ROWS.replace("attack 1e-3 2.25", row))
    with pytest.raises(FileError) as raised:
        recognise(path).read(wanted)
    assert str(raised.value) == f"{path}, line {line}: {problem}"


@pytest.mark.parametrize("wanted", [[], ["attack"]])
@pytest.mark.parametrize("number", ["1.2.3", "--1", "--", "1e", "e", "+", "1e400", "1e999", "1e39"])
@pytest.mark.parametrize(("header", "line"), [(HEADER, 3), ("", 2)])
def test_what_only_looks_like_a_number_was_accepted_in_rows_that_nobody_wanted(
    tmp_path: Path, wanted: list[str], number: str, header: str, line: int
) -> None:
    path = written(tmp_path / "v", header + ROWS.replace("1e-3", number))
    with pytest.raises(FileError, match=rf"v, line {line}: the (row|vector) has a value that is "):
        recognise(path).read(wanted)


def test_a_long_row_below_a_header_is_named_by_its_line(tmp_path: Path) -> None:
    path = written(tmp_path / "v", HEADER + ROWS.replace("attack 1e-3", "attack 1 1e-3"))
    with pytest.raises(FileError, match="v, line 3: the row is too long: 2 numbers are expected"):
        recognise(path).read([])


def test_blank_lines_count_as_lines(tmp_path: Path) -> None:
    path = written(tmp_path / "v", HEADER + "\n\n" + ROWS.replace("attack 1e-3", "attack"))
    with pytest.raises(FileError, match="v, line 5: the row is too short"):
        TextFile(path, 3, 2).read([])


@pytest.mark.parametrize("header", [True, False])
def test_a_bad_row_is_numbered_over_all_buffers(tmp_path: Path, header: bool) -> None:
    vectors = some_vectors(*(f"word{number}" for number in range(50)), dim=2)
    path = write_text(tmp_path / "v", vectors, header=header)
    lines = path.read_text().splitlines()
    lines[40] = lines[40].rsplit(" ", 1)[0]
    written(path, "\n".join(lines))
    with buffer_of(64), pytest.raises(FileError, match=r"v, line 41: the row is too short"):
        recognise(path).read(["word1"])


@pytest.mark.parametrize("number", ["x", "1.2.3"])
def test_a_bad_number_of_a_wanted_word_in_a_later_buffer_names_its_line(tmp_path: Path, number: str) -> None:
    rows = [f"word{row} {row} 0.5" for row in range(40)]
    rows[31] = f"word31 {number} 0.5"
    path = written(tmp_path / "v", "\n".join(rows))
    with buffer_of(64), pytest.raises(FileError, match="v, line 32: "):
        recognise(path).read(["word31"])


def test_a_header_that_promises_too_many_names_the_vector_that_lacks(tmp_path: Path) -> None:
    path = written(tmp_path / "v", "4 2\n" + ROWS)
    with pytest.raises(FileError, match="v, vector 4: the header declares 4 vectors, but the file has 3"):
        recognise(path).read([])


def test_a_header_that_promises_too_few_names_the_vector_too_many(tmp_path: Path) -> None:
    path = written(tmp_path / "v", "2 2\n" + ROWS)
    with pytest.raises(FileError, match="v, vector 3: the header declares 2 vectors, but the file has 3"):
        recognise(path).read([])


def test_a_header_of_another_dimension_names_the_first_row(tmp_path: Path) -> None:
    path = written(tmp_path / "v", "3 4\n" + ROWS)
    with pytest.raises(FileError, match="v, line 2: the row is too short: 4 numbers are expected"):
        recognise(path).read([])


@pytest.mark.parametrize("first", ["heart 0.5 x", "heart 1.2.3 x", "heart", "heart attack 0.5 -1"], ids=str)
def test_a_bad_first_row_below_a_header_is_named_by_its_line(tmp_path: Path, first: str) -> None:
    path = written(tmp_path / "v", HEADER + ROWS.replace("heart 0.5 -1", first))
    with pytest.raises(FileError, match="v, line 2: "):
        recognise(path).read([])


@pytest.mark.parametrize(("header", "line"), [(HEADER, 4), ("", 3)])
def test_a_word_that_is_not_utf8_is_named_by_its_line(tmp_path: Path, header: str, line: int) -> None:
    content = (header + ROWS).encode().replace("Œdème".encode(), b"\xefd\xe8me")
    path = written(tmp_path / "latin-1.txt", content)
    with pytest.raises(FileError, match=rf"latin-1\.txt, line {line}: the word is not valid UTF-8"):
        recognise(path).read(["heart"])
    found = recognise(path).read(["heart", "attack", "Œdème"], strict=False)
    assert found.known.tolist() == [True, True, False]
    np.testing.assert_array_equal(found.vectors[:2], np.array(VALUES[:2], np.float32))


def test_an_empty_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"v\.txt: the file is empty"):
        recognise(written(tmp_path / "v.txt", ""))


def test_a_gzip_stream_that_is_cut_off_is_an_error(tmp_path: Path) -> None:
    path = written(tmp_path / "v.gz", gzip.compress((HEADER + ROWS).encode())[:-4])
    with pytest.raises(FileError, match=r"v\.gz: the gzip stream is cut off"):
        recognise(path).read([])


def test_a_header_that_promises_a_million_dimensions_exhausted_the_memory(tmp_path: Path) -> None:
    path = written(tmp_path / "v", HEADER.replace("2", "999999") + ROWS)
    with pytest.raises(
        FileError, match=r"v, line [12]: .*999999"
    ):  # where memory is lent, the row is too short
        recognise(path).read([f"w{number}" for number in range(100_000)])
