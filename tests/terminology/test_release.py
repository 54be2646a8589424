import struct
import tempfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgauge.errors import FileError
from medgauge.terminology.release import find_files
from tests.rf2 import Release, write_files, zip_files

CONCEPT = "sct2_Concept_Full_INT_20190131.txt"
LANGUAGE = "der2_cRefset_LanguageFull-en_INT_20190131.txt"


def found(tmp_path: Path, *names: str) -> list[tuple[str, str]]:
    """Give the kind and path of what is found among some files, each written and zipped."""
    files = dict.fromkeys(names, "text")
    in_folder = find_files([write_files(tmp_path / "folder", files)])
    in_zip = find_files([zip_files(tmp_path / "release.zip", files)])
    assert [(file.kind, file.member) for file in in_folder] == [(file.kind, file.member) for file in in_zip]
    return [(file.kind, file.member) for file in in_folder]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        # International edition, its beta, and extensions of several countries.
        ("sct2_Concept_Full_INT_20190131.txt", ("concept", None, "INT", "20190131")),
        ("xsct2_Concept_Snapshot_INT_20190131.txt", ("concept", None, "INT", "20190131")),
        ("sct2_Description_Full-en_INT_20190131.txt", ("description", "en", "INT", "20190131")),
        (
            "sct2_Description_Snapshot-en-GB_GB1000000_20181001.txt",
            ("description", "en-GB", "GB1000000", "20181001"),
        ),
        (
            "sct2_Description_Snapshot-sv_SE1000052_20191130.txt",
            ("description", "sv", "SE1000052", "20191130"),
        ),
        ("sct2_Description_Full_en_VTS_20190401.txt", ("description", "en", "VTS", "20190401")),
        ("sct2_Concept_UKCLSnapshot_GB1000000_20220413.txt", ("concept", None, "GB1000000", "20220413")),
        ("sct2_Concept_UKEDSnapshot_GB_20220413.txt", ("concept", None, "GB", "20220413")),
        ("sct2_Description_MONOSnapshot-en_GB_20251022.txt", ("description", "en", "GB", "20251022")),
        ("sct2_Relationship_Full_US1000124_20190301.txt", ("relationship", None, "US1000124", "20190301")),
        ("der2_cRefset_AssociationReferenceFull_INT_20190131.txt", ("association", None, "INT", "20190131")),
        ("der2_cRefset_AssociationSnapshot_INT_20200731.txt", ("association", None, "INT", "20200731")),
        (
            "der2_cRefset_SameAsAssociationSnapshot_AU1000036_20160531.txt",
            ("association", None, "AU1000036", "20160531"),
        ),
        (
            "der2_cRefset_LanguageSnapshot-fr-be-gp_BE1000172_20220315.txt",
            ("language", "fr-be-gp", "BE1000172", "20220315"),
        ),
        ("der2_cRefset_LanguageFull-en_INT_20190131.txt", ("language", "en", "INT", "20190131")),
        (
            "der2_cRefset_LanguageUKCLSnapshot-en_GB1000000_20220413.txt",
            ("language", "en", "GB1000000", "20220413"),
        ),
    ],
)
def test_files_are_known_by_their_names(tmp_path, name, expected):
    (file,) = find_files([write_files(tmp_path, {f"a/{name}": "text"})])
    assert (file.kind, file.language, file.package, file.date) == expected


def test_other_files_are_left_alone(tmp_path):
    others = [
        "sct2_StatedRelationship_Full_INT_20190131.txt",
        "sct2_RelationshipConcreteValues_Full_INT_20210731.txt",
        "sct2_TextDefinition_Full-en_INT_20190131.txt",
        "der2_cRefset_AttributeValueFull_INT_20190131.txt",
        "der2_ccRefset_ExtendedAssociationFull_AU1000036_20160531.txt",
        "der2_Refset_SimpleFull_INT_20190131.txt",
        "sct2_Concept_Full_INT_20190131.txt.md5",
        f"__MACOSX/a/{CONCEPT}",
        f"a/._{CONCEPT}",
        f".trash/{CONCEPT}",
        "Readme_en_20190131.txt",
        "sct2_Concept_Delta_INT_20190131.txt",
    ]
    assert found(tmp_path, *others, f"a/{CONCEPT}") == [("concept", f"a/{CONCEPT}")]


def test_full_files_are_taken_where_both_are_there(tmp_path):
    names = [
        "p/Full/sct2_Concept_Full_INT_20190131.txt",
        "p/Snapshot/sct2_Concept_Snapshot_INT_20190131.txt",
        "p/Snapshot/sct2_Description_Snapshot-en_INT_20190131.txt",
        "p/Snapshot/sct2_Concept_Snapshot_US1000124_20190301.txt",
    ]
    assert [member for _, member in found(tmp_path, *names)] == [names[0], names[3], names[2]]


def test_sources_keep_their_order_and_paths_are_sorted_in_each(tmp_path):
    one = write_files(tmp_path / "z", {f"b/{CONCEPT}": "", f"a/{CONCEPT}": ""})
    two = zip_files(tmp_path / "a.zip", {CONCEPT: ""})
    assert [str(file.path.relative_to(tmp_path)) for file in find_files([one, two])] == [
        f"z/a/{CONCEPT}",
        f"z/b/{CONCEPT}",
        f"a.zip/{CONCEPT}",
    ]


@pytest.mark.parametrize(
    ("language", "wanted", "is_read"),
    [
        ("en", "en", True),
        ("en-GB", "EN", True),
        ("sv", "en", False),
        ("fr-be-gp", "fr", True),
        ("en", "en-us", True),
    ],
)
def test_files_of_other_languages_are_recognised_by_their_names(tmp_path, language, wanted, is_read):
    write_files(tmp_path, {f"sct2_Description_Full-{language}_INT_20190131.txt": ""})
    assert find_files([tmp_path])[0].may_hold(wanted) is is_read


def test_a_file_without_a_language_may_hold_any(tmp_path):
    write_files(tmp_path, {"sct2_Description_Full_INT_20190131.txt": ""})
    assert find_files([tmp_path])[0].may_hold("sv")


def test_what_is_not_a_release_says_what_was_expected(tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").write_text("SNOMED CT")
    (tmp_path / "nothing.zip").touch()
    problems = {
        "empty": "has no files of a SNOMED CT release; expected a release in RF2",
        "notes.txt": "is not a zip; expected a release in RF2",
        "nowhere": "there is no such file or folder",
        "nothing.zip": "the file is empty",
    }
    zip_files(tmp_path / "other.zip", {"readme.txt": "text"})
    problems["other.zip"] = "has no files of a SNOMED CT release"
    for name, problem in problems.items():
        with pytest.raises(FileError, match=problem) as caught:
            find_files([tmp_path / name])
        assert caught.value.path == tmp_path / name


def test_changes_alone_are_no_release(tmp_path):
    with pytest.raises(FileError, match="has only Delta files"):
        found(tmp_path, "sct2_Concept_Delta_INT_20190131.txt")


@pytest.mark.parametrize(
    "name", ["../{}", "a/../../{}", "/etc/{}", "..\\{}", "a\\..\\..\\{}", "C:\\{}", "C:/{}"]
)
def test_a_path_that_leads_out_of_the_zip_is_refused(tmp_path, name):
    path = zip_files(tmp_path / "evil.zip", {CONCEPT: "", name.format(CONCEPT): ""})
    with pytest.raises(FileError, match=r"evil\.zip: is unsafe: a path in it leads out"):
        find_files([path])


def test_a_zip_from_windows_may_have_backslashes(tmp_path):
    path = zip_files(tmp_path / "release.zip", {f"a\\Full\\{CONCEPT}": "text"})
    (file,) = find_files([path])
    assert (file.kind, file.read()) == ("concept", b"text")


def test_two_dots_inside_a_name_lead_nowhere(tmp_path):
    assert found(tmp_path, f"a..b/{CONCEPT}") == [("concept", f"a..b/{CONCEPT}")]


def test_a_zip_that_is_cut_off_is_to_be_got_again(tmp_path):
    path = Release().zip(tmp_path / "release.zip")
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(FileError, match=r"release\.zip: the zip is truncated or damaged; get it again"):
        find_files([path])


@settings(deadline=None)
@given(st.data())
def test_no_damage_to_a_zip_is_answered_with_a_traceback(data):
    with tempfile.TemporaryDirectory() as folder:
        path = Release().zip(Path(folder) / "release.zip")
        content = bytearray(path.read_bytes())
        for _ in range(data.draw(st.integers(1, 4))):
            start = data.draw(st.integers(0, len(content)))
            content[start : start + data.draw(st.integers(0, 4))] = data.draw(st.binary(max_size=4))
        path.write_bytes(content)
        answer = contents_or_error(path)
        assert isinstance(answer, list | FileError), repr(answer)
        assert all(answer) if isinstance(answer, list) else str(path) in str(answer)


def contents_or_error(path: Path) -> list[bytes] | Exception:
    try:
        return [file.read() for file in find_files([path])]
    except Exception as error:
        return error


def test_a_damaged_member_is_found_when_it_is_read(tmp_path):
    path = tmp_path / "release.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(CONCEPT, "id and many other things")
    path.write_bytes(path.read_bytes().replace(b"many", b"Many"))
    (file,) = find_files([path])
    with pytest.raises(FileError, match="truncated or damaged; get it again"):
        file.read()


@pytest.mark.parametrize("place", [0, 2, -1])
def test_a_file_that_the_directory_of_a_zip_calls_otherwise_was_skipped(tmp_path, place):
    path = zip_files(tmp_path / "release.zip", {CONCEPT: "text", LANGUAGE: "text"})
    content = bytearray(path.read_bytes())
    content[content.rindex(LANGUAGE.encode()) + place % len(LANGUAGE)] ^= 1
    path.write_bytes(content)
    with pytest.raises(FileError, match=r"release\.zip: the zip is truncated or damaged; get it again"):
        find_files([path])


def test_a_file_that_became_the_comment_of_another_was_skipped(tmp_path):
    path = zip_files(tmp_path / "release.zip", {CONCEPT: "text", LANGUAGE: "text"})
    content = bytearray(path.read_bytes())
    struct.pack_into("<H", content, content.index(b"PK\x01\x02") + 32, 46 + len(LANGUAGE))
    path.write_bytes(content)
    with zipfile.ZipFile(path) as archive:
        assert archive.namelist() == [CONCEPT]
    with pytest.raises(FileError, match=r"release\.zip: the zip is truncated or damaged; get it again"):
        find_files([path])


def test_a_zip_in_the_form_for_many_members_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(zipfile, "ZIP_FILECOUNT_LIMIT", 0)
    path = zip_files(tmp_path / "release.zip", {CONCEPT: "text"})
    assert b"PK\x06\x06" in path.read_bytes()
    assert [file.member for file in find_files([path])] == [CONCEPT]


def test_names_in_the_directory_and_in_front_of_members_may_be_in_any_alphabet(tmp_path):
    path = zip_files(tmp_path / "release.zip", {f"médecine/{CONCEPT}": "text", "心臓/readme.txt": "text"})
    assert [file.member for file in find_files([path])] == [f"médecine/{CONCEPT}"]


def test_an_encrypted_zip_is_to_be_unpacked_first(tmp_path):
    path = zip_files(tmp_path / "secret.zip", {CONCEPT: "text"})
    content = bytearray(path.read_bytes())
    flags = content.index(b"PK\x01\x02") + 8  # in the directory at the end
    struct.pack_into("<H", content, flags, 1)
    path.write_bytes(content)
    with pytest.raises(FileError, match="is encrypted; unzip it and give the folder"):
        find_files([path])


def test_an_unknown_compression_is_named(tmp_path):
    path = zip_files(tmp_path / "odd.zip", {CONCEPT: "text"})
    content = bytearray(path.read_bytes())
    for mark, place in ((b"PK\x01\x02", 10), (b"PK\x03\x04", 8)):
        struct.pack_into("<H", content, content.index(mark) + place, 99)
    path.write_bytes(content)
    (file,) = find_files([path])
    with pytest.raises(FileError, match="has an unsupported compression"):
        file.read()


def test_an_empty_file_is_named_with_its_place_in_the_zip(tmp_path):
    (file,) = find_files([zip_files(tmp_path / "release.zip", {f"a/{CONCEPT}": ""})])
    with pytest.raises(FileError, match=rf"release\.zip/a/{CONCEPT}: the file is empty"):
        file.read()
