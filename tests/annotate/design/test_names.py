"""The names of annotators, from a number or a file."""

import gzip

import pytest

from medgauge.annotate.design.names import name_annotators
from medgauge.errors import FileError, InputError


def test_so_many_annotators_are_called_by_numbers_that_sort():
    assert name_annotators("1") == ["annotator1"]
    assert name_annotators("007") == [f"annotator{number}" for number in range(1, 8)]
    names = name_annotators("120")
    assert names[:2] == ["annotator001", "annotator002"]
    assert names == sorted(names)
    assert len(set(names)) == 120


@pytest.mark.parametrize("number", ["0", "000", "10001", "9" * 5_000])
def test_nobody_and_too_many_are_refused(number):
    with pytest.raises(InputError, match="a study has 1 to 10,000 annotators"):
        name_annotators(number)


def test_a_file_has_a_name_on_each_line(tmp_path):
    path = tmp_path / "names.txt"
    path.write_bytes("\ufeff# Ward 3\r\nAnn\r\n\r\n  Zoë-María \r\nrater_Bea\r\n \t\r\n#Dan\r\n陳".encode())
    assert name_annotators(str(path)) == ["Ann", "Zoë-María", "Bea", "陳"]
    (tmp_path / "names.gz").write_bytes(gzip.compress(b"Ann\nann\n"))
    assert name_annotators(str(tmp_path / "names.gz")) == ["Ann", "ann"]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"Ann\n\nBea\n Ann ", "line 4: repeats the name on line 1"),
        (b"Ann\nrater_Ann\n", "line 2: repeats the name on line 1"),
        (b"Ann\ncoordinator\n", "line 2: the name 'coordinator' is reserved"),
        (b"Coordinator\n", "line 1: the name 'coordinator' is reserved"),
        ("Zoë\nZoe\u0308\n".encode(), "line 2: repeats the name on line 1"),
        ("Zoë B\nZoë\N{NO-BREAK SPACE}B\n".encode(), "line 2: repeats the name on line 1"),
        (b"# nobody\n\n", "has 0 names; a study has 1 to 10,000 annotators"),
        (b"Ann\n\x81\n", "line 2: byte 0x81 is neither UTF-8 nor Windows-1252"),
        (b"Ann\0", "is not a text file"),
        (b"", "the file is empty"),
        (b"\n".join(b"%d" % number for number in range(10_001)), "has 10,001 names"),
    ],
)
def test_a_file_that_cannot_be_used_is_reported_with_the_line(tmp_path, content, problem):
    path = tmp_path / "names.txt"
    path.write_bytes(content)
    with pytest.raises(FileError, match=problem):
        name_annotators(str(path))


def test_a_file_that_is_not_there_is_reported():
    with pytest.raises(FileError, match="five: there is no such file"):
        name_annotators("five")


def test_names_may_be_listed_with_commas():
    assert name_annotators("Anna, Björn,Cem,") == ["Anna", "Björn", "Cem"]
    for given, said in (("Anna,anna ,Anna", "the same name twice"), ("Ann,Coordinator", "is reserved")):
        with pytest.raises(InputError, match=said):
            name_annotators(given)
