"""medgauge build terminology, verify and diff as users call them."""

import json
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from tests.build.small import small_release
from tests.rf2 import Release
from tests.support.processes import run, running


@pytest.fixture
def release(tmp_path) -> Path:
    return small_release().zip(tmp_path / "release.zip")


def test_a_release_becomes_twenty_sets_and_a_table(medgauge, release, tmp_path):
    done = medgauge("build", "terminology", release, "--out", tmp_path / "sets")
    assert done.code == 0, done.err
    assert "Sets from SNOMED CT INT 20190131" in done.out
    assert f"20 sets and their manifest.json are in {tmp_path / 'sets'}" in "".join(done.err.split("\n"))
    assert len(list((tmp_path / "sets").glob("*.parquet"))) == 20


def test_options_reach_the_build(medgauge, release, tmp_path):
    done = medgauge(
        *("build", "terminology", release, "--out", tmp_path / "sets", "--json", "--seed", "7"),
        *("--families", "same-as, fsn-syn", "--negatives", "levenshtein", "--split-distance", "3"),
        *("--format", "tsv", "--workers", "1", "--check-ids", "--strict", "--language", "EN"),
    )
    assert done.code == 0, done.err
    manifest = json.loads(done.out)
    assert manifest["parameters"] == {
        "families": ["fsn-syn", "same-as"],
        "negatives": ["levenshtein"],
        "split_distance": 3,
        "seed": 7,
        "language": "en",
        "scopes": None,
    }
    assert sorted(path.name for path in (tmp_path / "sets").glob("*.tsv")) == [
        *("fsn-syn-easy-levenshtein.tsv", "fsn-syn-hard-levenshtein.tsv"),
        *("same-as-easy-levenshtein.tsv", "same-as-hard-levenshtein.tsv"),
    ]


@pytest.mark.parametrize("form", ["parquet", "tsv"])
def test_a_built_folder_is_evaluated_whole(medgauge, release, tmp_path, form):
    medgauge("build", "terminology", release, "--out", tmp_path / "sets", "--format", form)
    done = medgauge("evaluate", "--baselines", "--dataset", tmp_path / "sets", "--json")
    assert done.code == 0, done.err
    names = [one["name"] for one in json.loads(done.out)["datasets"]]
    assert "fsn-syn-hard-levenshtein" in names
    assert "left out: possibly-equivalent-to-easy-levenshtein" in done.err
    assert len(names) == 10


def test_verify_says_which_sets_are_the_same_and_fails_otherwise(medgauge, release, tmp_path):
    medgauge("build", "terminology", release, "--out", tmp_path / "a")
    medgauge("build", "terminology", release, "--out", tmp_path / "b", "--format", "tsv")
    same = medgauge("build", "verify", tmp_path / "a" / "manifest.json", tmp_path / "b")
    assert same.code == 0, same.err
    assert "20 of 20 sets are the same." in same.out
    (tmp_path / "b" / "fsn-syn-hard-random.tsv").unlink()
    other = medgauge("build", "verify", tmp_path / "a" / "manifest.json", tmp_path / "b", "--json")
    assert other.code == 1
    assert json.loads(other.out)["sets"]["fsn-syn-hard-random"] == "missing"
    assert "1 of 20 sets" in other.err


def test_diff_lists_what_changed(medgauge, release, tmp_path):
    later = small_release()
    later.concept(300).fsn("Measles (disorder)").synonym("Rubeola")
    medgauge("build", "terminology", release, "--out", tmp_path / "a", "--families", "fsn-syn")
    medgauge(
        *("build", "terminology", later.zip(tmp_path / "later.zip"), "--out", tmp_path / "b"),
        *("--families", "fsn-syn"),
    )
    done = medgauge("build", "diff", tmp_path / "a", tmp_path / "b", "--out", tmp_path / "changes.tsv")
    assert done.code == 0, done.err
    lines = (tmp_path / "changes.tsv").read_text("utf-8").splitlines()
    assert lines[0] == "set\tchange\tterm_1\tterm_2\tlabel"
    assert "fsn-syn-hard-random\tadded\tMeasles\tRubeola\t1" in lines
    listed = medgauge("build", "diff", tmp_path / "a", tmp_path / "b", "--json")
    assert json.loads(listed.out)[4] == {
        "set": "fsn-syn-hard-random",
        "label": 1,
        "old": 11,
        "new": 12,
        "added": 1,
        "removed": 0,
    }


def truncated(path: Path) -> Path:
    path.write_bytes(path.read_bytes()[:-200])
    return path


def climbing(path: Path) -> Path:
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("../../evil/sct2_Concept_Full_INT_20190131.txt", "id\n")
    return path


def without(kind: str):
    return lambda path: small_release().write(path.with_suffix(""), without=[kind])


def edited(kind: str, change):
    def make(path: Path) -> Path:
        folder = small_release().write(path.with_suffix(""))
        (file,) = folder.rglob(f"*{kind}*.txt")
        lines = file.read_text("utf-8").split("\n")
        change(lines)
        file.write_text("\n".join(lines), "utf-8")
        return folder

    return make


def shortened(lines: list[str]) -> None:
    lines[4] = "\t".join(lines[4].split("\t")[:-2])


def doubled(lines: list[str]) -> None:
    lines.insert(7, lines[2])


BAD = {
    "not there": (lambda path: path.with_name("nothing.zip"), "there is no such file or folder"),
    "not a release": (lambda path: path.parent / "empty", "has no files of a SNOMED CT release"),
    "missing concepts": (without("Concept"), "has no concept file (sct2_Concept_"),
    "missing descriptions": (without("Description"), "has no description file (sct2_Description_"),
    "missing associations": (without("Association"), "has no association reference set"),
    "truncated": (truncated, "the zip is truncated or damaged; get it again"),
    "climbs out": (climbing, "a path in it leads out of the zip"),
    "short row": (edited("Description", shortened), "line 5: the row has 7 fields, but 9 are expected"),
    "duplicate ids": (edited("Concept", doubled), "line 8: has the same id and effectiveTime as line 3"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_sentence_and_leaves_nothing(case, medgauge, release, tmp_path):
    make, problem = BAD[case]
    (tmp_path / "empty").mkdir()
    done = medgauge("build", "terminology", make(release), "--out", tmp_path / "sets")
    assert done.code == 1
    assert problem in done.err
    assert len(done.err.strip().split("\n")) == 1
    assert not (tmp_path / "sets").exists()
    assert not (tmp_path / "sets.partial").exists()
    assert not (tmp_path.parent / "evil").exists()


def test_a_missing_name_is_reported_with_its_id_and_fails_when_strict(medgauge, tmp_path):
    release = small_release()
    nameless = release.concept(77).synonym("Secret thing")
    source = release.zip(tmp_path / "release.zip")
    done = medgauge("build", "terminology", source, "--out", tmp_path / "sets")
    assert done.code == 0
    assert f"1 active concept has no current name and is left out ({nameless.id})" in done.err
    strict = medgauge("build", "terminology", source, "--out", tmp_path / "strict", "--strict")
    assert strict.code == 1
    assert str(nameless.id) in strict.err
    assert "Secret" not in done.err + strict.err


@pytest.mark.slow
def test_a_killed_build_leaves_no_folder_and_goes_on(release, tmp_path):
    """Kill the program as soon as it has kept three sets; then build again."""
    many = Release()
    for number in range(1, 1500):
        concept = many.concept(number).fsn(f"Disorder number {number} (disorder)")
        concept.synonym(f"Illness of kind {number}").synonym(f"Complaint {number * 7919 % 10007}")
    source = many.zip(tmp_path / "many.zip")
    command = [sys.executable, "-m", "medgauge", "build", "terminology", str(source), "--families"]
    command += ["fsn-syn,syn-syn", "--out"]
    run([*command, tmp_path / "whole"], check=True)
    partial = tmp_path / "sets.partial"
    silent = {"stderr": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
    with running([*command, tmp_path / "sets"], **silent) as process:
        deadline = time.monotonic() + 60
        while not (partial.is_dir() and len(list(partial.glob("*.parquet"))) >= 3) and process.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(0.002)
        process.kill()
    if (tmp_path / "sets").exists():
        pytest.fail("the build was over before it could be killed")
    run([*command, tmp_path / "sets"], check=True)
    for path in (tmp_path / "whole").iterdir():
        assert (tmp_path / "sets" / path.name).read_bytes() == path.read_bytes()
    assert not partial.exists()
