import gzip
import zipfile

import pytest

from medgauge.errors import FileError
from medgauge.terminology.umls.rrf_rows import CONCEPT_NAMES, RrfRows
from medgauge.terminology.umls.umls_release import open_umls
from tests.support.umls_releases import every_case


def rows_of(source) -> list[tuple[str, ...]]:
    rows = RrfRows(open_umls(source).file("MRCONSO.RRF"), CONCEPT_NAMES)
    return [row for frame in rows.frames(["CUI", "CODE"]) for row in frame.iter_rows()]


def test_a_release_is_found_in_a_folder_and_in_a_zip(tmp_path):
    folder, packed = every_case().write(tmp_path / "folder"), every_case().zip(tmp_path / "umls.zip")
    expected = [(row[0], row[13]) for row in every_case().atoms]
    sources = [folder, folder / "2024AA", folder / "2024AA" / "META", packed]
    for source in sources:
        release = open_umls(source)
        assert release.version == "2024AA"
        assert release.title == "UMLS 2024AA"
        assert rows_of(source) == expected
        assert (release.network is None) == (source.name == "META")


def test_files_may_be_packed_one_by_one(tmp_path):
    folder = every_case().write(tmp_path / "folder")
    path = folder / "2024AA" / "META" / "MRCONSO.RRF"
    path.with_name("MRCONSO.RRF.gz").write_bytes(gzip.compress(path.read_bytes()))
    path.unlink()
    assert rows_of(folder) == [(row[0], row[13]) for row in every_case().atoms]


def test_a_version_that_no_path_names_is_not_known(tmp_path):
    source = every_case().write(tmp_path / "folder") / "2024AA"
    source.rename(tmp_path / "mine")
    assert open_umls(tmp_path / "mine").title == "UMLS"


def test_srdef_may_be_elsewhere(tmp_path):
    folder = every_case().write(tmp_path / "folder") / "2024AA"
    release = open_umls(folder / "META", srdef=folder / "NET" / "SRDEF")
    assert release.network is not None
    assert release.network.path == folder / "NET" / "SRDEF"


def test_what_is_not_a_release_says_what_was_expected(tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").write_text("UMLS")
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as archive:
        archive.writestr("MRCONSO.RRF", "")
    with zipfile.ZipFile(tmp_path / "packed.zip", "w") as archive:
        archive.writestr("2024AA-full/2024aa-1-meta.nlm", "x")
    problems = {
        "empty": "has no folder META",
        "notes.txt": "is not a zip; expected a UMLS release",
        "other.zip": "has no folder META",
        "packed.zip": "MetamorphoSys",
        "nowhere": "there is no such file or folder",
    }
    for name, problem in problems.items():
        with pytest.raises(FileError, match=problem):
            open_umls(tmp_path / name)


def test_two_releases_in_one_folder_are_not_mixed(tmp_path):
    every_case().write(tmp_path)
    (tmp_path / "2024AA").rename(tmp_path / "2023AB")
    every_case().write(tmp_path)
    with pytest.raises(FileError, match=r"has MRCONSO\.RRF twice"):
        open_umls(tmp_path)


def test_a_file_that_is_not_there_is_named(tmp_path):
    folder = every_case().write(tmp_path)
    (folder / "2024AA" / "META" / "MRSTY.RRF").unlink()
    with pytest.raises(FileError, match=r"has no MRSTY\.RRF"):
        open_umls(folder).file("MRSTY.RRF")
