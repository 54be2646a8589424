import json
from datetime import UTC, datetime

import numpy as np
import pytest

from medgauge.files.digests import remembered_sha256
from medgauge.files.private import private_folder
from medgauge.models.encoding import encoded
from medgauge.models.vector_cache.cached_source import CachedSource
from tests.support.sources import CountingSource


@pytest.fixture
def filled():
    """Vectors of two models, and an answer of a judge."""
    encoded(CachedSource(CountingSource(name="MiniLM", digest="aa" * 32, dim=4)), ["flu", "heart attack"])
    encoded(CachedSource(CountingSource(name="SapBERT", digest="bb" * 32, dim=2)), ["flu"])
    (private_folder("answers") / "one.json").write_bytes(bytes(2000))


def test_an_empty_cache(medgauge, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "nowhere"))
    described = json.loads(medgauge("cache", "info", "--json").out)
    assert (described["vectors"], described["folders"], described["models"]) == (0, [], [])
    assert "none" in medgauge("cache", "info").out
    assert medgauge("cache", "clear").out == "there was nothing to remove\n"
    assert not (tmp_path / "nowhere").exists()


def test_the_cache_says_what_it_has(medgauge, filled):
    described = json.loads(medgauge("cache", "info", "--json").out)
    assert described.keys() == {"folder", "limit", "vectors", "folders", "models"}
    assert described["folder"] == str(private_folder())
    assert described["limit"] == 5e9
    assert described["vectors"] == 3
    models = {model["name"]: model for model in described["models"]}
    assert models["MiniLM"]["terms"] == 2
    assert models["MiniLM"]["bytes"] == 2 * (4 * 4 + 48)
    assert models["SapBERT"]["digest"] == "bb" * 32
    assert abs(datetime.fromisoformat(models["MiniLM"]["used"]) - datetime.now(UTC)).seconds < 600
    folders = {folder["name"]: folder for folder in described["folders"]}
    assert folders["answers"] == {"name": "answers", "files": 1, "bytes": 2000}
    assert folders["vectors"]["files"] == 1 + 2 * 3  # the key, and each model's card, records and rows
    shown = medgauge("cache", "info").out
    for text in ("2.0 kB in 1 file: raw answers of judges", "MiniLM", "aaaaaaaaaaaa", "5.0 GB"):
        assert text in shown
    assert "heart" not in shown


def test_a_damaged_description_of_a_model_was_a_traceback(medgauge, filled):
    for described in private_folder("vectors").glob("*/model.json"):
        described.write_text("[1]")
    models = json.loads(medgauge("cache", "info", "--json").out)["models"]
    assert [one["name"] for one in models] == ["not known", "not known"]


def test_a_limit_in_the_environment_is_shown(medgauge, monkeypatch):
    monkeypatch.setenv("MEDGAUGE_VECTOR_CACHE_GB", "0.5")
    assert json.loads(medgauge("cache", "info", "--json").out)["limit"] == 5e8
    monkeypatch.setenv("MEDGAUGE_VECTOR_CACHE_GB", "half")
    done = medgauge("cache", "info")
    assert (done.code, "must be a number of GB" in done.err) == (1, True)


def test_clearing_says_what_was_removed(medgauge, filled, tmp_path):
    (tmp_path / "file").write_text("x")
    remembered_sha256(tmp_path / "file")
    lines = medgauge("cache", "clear").out.splitlines()
    assert lines[0] == "answers: 2.0 kB in 1 file removed: raw answers of judges"
    assert lines[1].startswith("vectors: ")
    assert lines[1].endswith(" in 7 files removed: vectors of encoders and services")
    assert medgauge("cache", "clear").out == "there was nothing to remove\n"
    assert [path.name for path in private_folder().iterdir()] == ["digests"]
    source = CountingSource(name="MiniLM", digest="aa" * 32, dim=4)
    rows, _ = encoded(CachedSource(source), ["flu"])
    assert source.asked == ["flu"]
    assert np.isfinite(rows).all()


def test_one_folder_is_cleared_by_its_name(medgauge, filled):
    assert "answers" not in medgauge("cache", "clear", "vectors").out
    assert (private_folder("answers") / "one.json").exists()
    assert medgauge("cache", "clear", "encoding").out == "encoding: there was nothing to remove\n"


@pytest.mark.parametrize("name", ["digests", "..", "/", "vectors/..", "answer"])
def test_only_folders_of_the_cache_are_cleared(medgauge, filled, name):
    done = medgauge("cache", "clear", name)
    assert done.code == 1
    assert "there is no folder of the cache" in done.err
    assert (private_folder("answers") / "one.json").exists()


def test_what_cannot_be_removed_is_counted(medgauge, filled, monkeypatch):
    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.unlink", refuse)
    assert medgauge("cache", "clear", "answers").out == "answers: 1 file could not be removed\n"


def test_a_link_in_the_cache_is_removed_and_not_followed(medgauge, filled, tmp_path):
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "file").write_text("x")
    (private_folder("answers") / "link").symlink_to(tmp_path / "precious")
    medgauge("cache", "clear")
    assert (tmp_path / "precious" / "file").exists()
