import gzip

import pytest

from medgauge.errors import FileError, InputError
from medgauge.terminology.read import read_terminology
from tests.rf2 import Release

SMALL = '[Term]\nid: X:1\nname: x\nsynonym: "y" EXACT []\nsynonym: "z" BROAD []\n'


@pytest.fixture
def release():
    release = Release()
    release.is_a(
        release.concept(1).fsn("Influenza (disorder)").synonym("Grippe", language="fr"),
        release.concept(2).fsn("Disease (disorder)"),
    )
    return release


def test_a_folder_and_a_zip_are_releases(release, tmp_path):
    for source in (release.write(tmp_path / "release"), release.zip(tmp_path / "release.zip")):
        terminology = read_terminology([source])
        assert terminology.form == "rf2"
        assert terminology.concepts["label"].to_list() == ["Influenza", "Disease"]
        assert terminology.parents.rows() == [(0, 1)]
    assert read_terminology([source], hierarchy=False).parents is None


def test_a_zip_by_another_name_is_a_release_and_a_cut_off_one_is_reported_as_a_zip(release, tmp_path):
    whole = release.zip(tmp_path / "release.zip")
    other = tmp_path / "release"
    other.write_bytes(whole.read_bytes())
    assert read_terminology([other]).form == "rf2"
    whole.write_bytes(whole.read_bytes()[:-40])
    with pytest.raises(FileError, match=r"release\.zip.*zip"):
        read_terminology([whole])


def test_options_of_releases_reach_them(release, tmp_path):
    source = release.write(tmp_path / "release")
    with pytest.raises(InputError, match="tlh"):
        read_terminology([source], language="tlh")
    release.concept(id=12345)
    source = release.write(tmp_path / "bad")
    assert read_terminology([source]).concepts.height == 3
    with pytest.raises(FileError, match="12345"):
        read_terminology([source], check_ids=True)


def test_several_releases_are_read_over_one_another(release, tmp_path):
    extension = Release(where="XX1000")
    extension.concept(3).fsn("Cough (finding)", number=300_000)
    sources = [release.write(tmp_path / "release"), extension.zip(tmp_path / "extension.zip")]
    assert read_terminology(sources).concepts["label"].to_list() == ["Influenza", "Disease", "Cough"]


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_file_is_an_ontology_whatever_its_name(tmp_path, pack):
    path = tmp_path / "some.file"
    path.write_bytes(pack(SMALL.encode()))
    terminology = read_terminology([path])
    assert terminology.form == "obo"
    assert terminology.synonyms["term"].to_list() == ["y"]
    assert read_terminology([path], scopes=["broad"]).synonyms["term"].to_list() == ["z"]
    assert read_terminology([path], hierarchy=False).parents is None


def test_what_cannot_be_read_together_is_an_error(release, tmp_path):
    ontology, other = tmp_path / "x.obo", tmp_path / "y.obo"
    for path in (ontology, other):
        path.write_text(SMALL)
    source = release.write(tmp_path / "release")
    with pytest.raises(InputError, match="2 ontologies were given"):
        read_terminology([ontology, other])
    with pytest.raises(InputError, match="releases and ontologies cannot be combined"):
        read_terminology([source, ontology])
    with pytest.raises(InputError, match="no terminology was given"):
        read_terminology([])
    with pytest.raises(FileError, match=r"nowhere\.zip: there is no such file or folder"):
        read_terminology([source, tmp_path / "nowhere.zip"])
