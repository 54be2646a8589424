import hashlib
import re
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from medgauge.catalog.aliases import ALIASES
from medgauge.catalog.cards import (
    NAMES,
    PublishedSet,
    SourceFile,
    check_digest,
    data_folder,
    find_file,
    published_set,
    published_sets,
    read_published,
)
from medgauge.errors import DigestError, FileError, InputError, UnknownNameError

OURS = {*ALIASES, "mesh_1", "mesh_2", "stdev", "pos", "relation"}


@pytest.fixture(params=NAMES)
def entry(request) -> PublishedSet:
    return published_set(request.param)


@pytest.fixture
def data(tmp_path, monkeypatch) -> Path:
    """A data folder of the test's own."""
    monkeypatch.setenv("MEDGAUGE_DATA", str(tmp_path / "data"))
    (tmp_path / "data" / "published").mkdir(parents=True)
    return tmp_path / "data"


def test_there_are_15_published_sets_in_the_order_of_their_names():
    assert len(NAMES) == 15
    assert tuple(published_sets()) == NAMES


def test_every_card_on_disk_is_listed_and_every_listed_card_is_on_disk():
    cards = (resources.files("medgauge.catalog") / "published").iterdir()
    assert sorted(card.name for card in cards) == sorted(f"{name}.toml" for name in NAMES)


def test_every_card_says_whence_it_is_and_under_which_terms(entry):
    assert all(text.strip() for text in (entry.title, entry.description, entry.licence))
    assert re.search(r"\((19|20)\d\d\)", entry.citation)
    assert entry.source.startswith(("https://", "http://"))


def test_every_url_is_https_and_pinned_to_a_commit(entry):
    assert re.fullmatch(r"https://raw\.githubusercontent\.com/[^/]+/[^/]+/[0-9a-f]{40}/.+", entry.file.url)


def test_every_file_has_a_digest_of_64_hexadecimal_digits(entry):
    assert re.fullmatch(r"[0-9a-f]{64}", entry.file.sha256)


def test_every_file_is_what_its_url_ends_with_or_a_member_of_it(entry):
    assert entry.file.name == (entry.file.member or Path(entry.file.url).name)


def test_every_card_names_the_columns_of_both_terms_and_of_the_gold(entry):
    assert {"term_1", "term_2", "gold"} <= set(entry.columns)
    assert {name for name in entry.columns if not name.startswith("rater_")} <= OURS


def test_every_scale_rises_and_every_share_is_a_share(entry):
    low, high = entry.scale
    assert low < high
    assert all(0 <= share <= 1 for share in entry.multi_word)


def test_sets_in_one_file_agree_on_it():
    files: dict[str, SourceFile] = {}
    for entry in published_sets().values():
        assert files.setdefault(entry.file.name, entry.file) == entry.file


def test_a_pair_set_carries_only_the_general_part_of_a_card():
    card = published_set("mayosrs").card
    assert (card.name, card.scale) == ("mayosrs", (1, 10))
    assert not isinstance(card, PublishedSet)


def test_an_unknown_set_suggests_the_closest():
    with pytest.raises(UnknownNameError, match="there is no dataset 'mayosr'; did you mean 'mayosrs'"):
        published_set("mayosr")


def test_a_set_that_is_not_here_says_what_to_do(data):
    with pytest.raises(InputError) as caught:
        read_published("mayosrs")
    assert str(caught.value) == (
        "the set 'mayosrs' is not on this machine: run 'medgauge datasets fetch mayosrs', "
        "or put MayoSRS_mesh.csv into the folder named by MEDGAUGE_DATA"
    )


@pytest.mark.parametrize("folder", ["published", "."])
def test_a_changed_file_is_refused_with_the_expected_digest(data, folder):
    path = data / folder / "MayoSRS_mesh.csv"
    path.write_text('"Mean","TERM1","TERM2"\n"6.69","difficulty walking","antalgic gait"\n')
    with pytest.raises(DigestError) as caught:
        read_published("mayosrs")
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    assert str(caught.value).startswith(
        f"{data / folder / 'MayoSRS_mesh.csv'}: the file was changed or truncated"
    )
    assert f"expected SHA-256 {published_set('mayosrs').file.sha256}, found {found}" in str(caught.value)


def test_an_empty_file_is_refused(data):
    (data / "published" / "MayoSRS_mesh.csv").touch()
    with pytest.raises(FileError, match=r"MayoSRS_mesh\.csv: the file is empty"):
        read_published("mayosrs")


def test_a_directory_under_the_name_of_a_file_is_refused(data):
    (data / "published" / "MayoSRS_mesh.csv").mkdir()
    with pytest.raises(FileError, match=r"MayoSRS_mesh\.csv: is a directory"):
        read_published("mayosrs")


def test_check_digest_accepts_the_file_of_the_card(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(b"abc")
    digest = hashlib.sha256(b"abc").hexdigest()
    check_digest(path, SourceFile(name="a.csv", url="https://example.org/a.csv", sha256=digest))
    with pytest.raises(DigestError):
        check_digest(path, SourceFile(name="a.csv", url="https://example.org/a.csv", sha256="0" * 64))


def test_files_are_looked_for_in_medgauge_data_first_and_then_in_the_users_folder(
    data, monkeypatch, tmp_path
):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    file = published_set("mayosrs").file
    assert find_file(file) is None
    places = [
        tmp_path / "home" / "medgauge" / file.name,
        tmp_path / "home" / "medgauge" / "published" / file.name,
        data / file.name,
        data / "published" / file.name,
    ]
    for place in places:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch()
        assert find_file(file) == place


def test_without_medgauge_data_the_users_folder_is_taken(monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", "/somewhere")
    assert data_folder() == Path("/somewhere/medgauge")


def test_the_published_pairs_are_those_that_the_card_describes(entry, real_data):
    real_data(f"published/{entry.file.name}")
    pairs = read_published(entry.name)
    assert len(pairs) == entry.pairs
    assert pairs.card == entry.card
    assert not pairs.labelled
    assert entry.scale[0] <= pairs.gold.min() < pairs.gold.max() <= entry.scale[1]
    assert tuple(round(share, 4) for share in pairs.multi_word_shares()) == entry.multi_word


@pytest.mark.parametrize(("name", "at_least"), [("ehr-rel-a", 5), ("ehr-rel-b", 3)])
def test_every_pair_of_ehr_rel_has_its_raters_within_the_scale(real_data, name, at_least):
    entry = published_set(name)
    real_data(f"published/{entry.file.name}")
    ratings = read_published(name).frame.select("^rater_.$").to_numpy()
    assert ratings.shape == (entry.pairs, 5)
    assert np.isfinite(ratings).sum(axis=1).min() == at_least
    assert entry.scale == (np.nanmin(ratings), np.nanmax(ratings))


def test_a_truncated_real_file_is_refused(real_data, data, monkeypatch):
    whole = real_data("published/EHR-RelB.tsv").read_bytes()
    (data / "published" / "EHR-RelB.tsv").write_bytes(whole[:-100])
    monkeypatch.setenv("MEDGAUGE_DATA", str(data))
    with pytest.raises(DigestError, match=published_set("ehr-rel-b").file.sha256):
        read_published("ehr-rel-b")


def test_a_real_file_of_another_length_than_its_card_says_is_refused(real_data, monkeypatch):
    real_data("published/EHR-RelA.tsv")
    entry = published_set("ehr-rel-a").model_copy(update={"pairs": 112})
    monkeypatch.setitem(published_sets(), "ehr-rel-a", entry)
    with pytest.raises(FileError, match="has 111 pairs, but its card says 112"):
        read_published("ehr-rel-a")


def test_ratings_of_ehr_rel_b_average_to_its_gold(real_data):
    real_data("published/EHR-RelB.tsv")
    pairs = read_published("ehr-rel-b")
    means = pairs.frame.select("^rater_.*$").mean_horizontal().to_numpy()
    assert means == pytest.approx(pairs.gold)


def test_a_user_without_a_home_has_no_published_sets_but_no_traceback(monkeypatch):
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setattr(Path, "home", homeless)
    assert find_file(published_set("mayosrs").file) is None
    with pytest.raises(InputError, match="this user has no home folder; set MEDGAUGE_DATA to a folder for"):
        data_folder()


def test_a_user_without_a_home_may_say_where_the_published_sets_are(data, monkeypatch):
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setattr(Path, "home", homeless)
    file = published_set("mayosrs").file
    (data / file.name).write_text("x")
    assert (data_folder(), find_file(file)) == (data, data / file.name)
