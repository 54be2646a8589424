import json
import re
import shutil
from pathlib import Path

import pytest

from medgauge.catalog.termlist import read_terms
from medgauge.files.digests import sha256_of
from tests.rf2 import SAME_AS, Release

SMALL = """\
ontology: small
data-version: 7

[Term]
id: X:1
name: Procedure
namespace: procedure
synonym: "Intervention" BROAD []

[Term]
id: X:2
name: Secret biopsy
namespace: procedure
is_a: X:1
synonym: "Excision" EXACT []

[Term]
id: X:3
name: Organism
namespace: organism

[Term]
id: X:4
name: Secret fungus
namespace: organism
is_a: X:3

[Term]
id: X:5
name: obsolete Secret mould
is_obsolete: true
replaced_by: X:4
"""


@pytest.fixture
def small(tmp_path):
    path = tmp_path / "small.obo"
    path.write_text(SMALL)
    return path


def words(text: str) -> str:
    return " ".join(text.split())


def test_info_counts_what_an_ontology_has(medgauge, small):
    done = medgauge("build", "info", small)
    assert (done.code, done.err) == (0, "")
    assert words(done.out) == (
        "terminology small (7) version 7 concepts 4 active, 1 inactive active terms 6 name 4 exact synonym 1 "
        "broad synonym 1 narrow synonym 0 related synonym 0 synonyms for pairs 1 associations 1 "
        f"replaced-by 1 depth 1 without a name 0 SHA-256 of small.obo {sha256_of(small)}"
    )


def test_info_as_json_with_scopes(medgauge, small):
    found = json.loads(medgauge("build", "info", small, "--scopes", "exact, BROAD", "--json").out)
    assert found["synonyms"] == 2
    assert found["associations"] == {"replaced-by": 1}
    assert (found["depth"], found["active_concepts"], found["files"]) == (
        1,
        4,
        {"small.obo": sha256_of(small)},
    )
    wrong = medgauge("build", "info", small, "--scopes", "exact,")
    assert (wrong.code, wrong.out) == (1, "")
    assert "is not a scope of synonyms" in wrong.err


def test_info_of_releases(medgauge, tmp_path):
    release = Release()
    flu = release.concept(1).fsn("Influenza (disorder)").synonym("Flu")
    release.associate(release.concept(2, active=False).fsn("Grippe (disorder)"), flu, SAME_AS)
    path = release.zip(tmp_path / "release.zip")
    found = json.loads(medgauge("build", "info", path, "--check-ids", "--json").out)
    assert (found["form"], found["active_concepts"], found["inactive_concepts"]) == ("rf2", 1, 1)
    assert found["associations"] == {"same-as": 1}
    done = medgauge("build", "info", path, "--language", "tlh")
    assert (done.code, done.out) == (1, "")


def test_a_flawed_ontology_is_read_with_a_warning(medgauge, small):
    small.write_text(SMALL.replace('"Excision" EXACT', '"Excision" EXACT secret'))
    done = medgauge("build", "info", small)
    assert done.code == 0
    assert done.err.strip() == (
        "warning: small.obo: 1 flaw found, and the rest was read: "
        "synonym of an undeclared type (1, first in line 15)"
    )


def test_what_is_no_terminology_is_one_sentence(medgauge, small, tmp_path):
    small.write_text("<!doctype html>\n")
    for source, said in (
        ("nowhere.obo", "there is no such file or folder"),
        (small, "is a web page"),
        (tmp_path, "expected a release in RF2"),
    ):
        done = medgauge("build", "info", source)
        assert (done.code, done.out) == (1, "")
        assert said in words(done.err)
        assert len(done.err.strip().splitlines()) == 1
    assert medgauge("build", "info").code == 2


def test_lists_below_roots_are_written_and_counted(medgauge, small, tmp_path):
    out = tmp_path / "lists"
    arguments = ("build", "categories", small, "--out", out, "--root", "X:1", "--root", "X:3")
    done = medgauge(*arguments)
    assert done.code == 0, done.err
    assert [line.split() for line in done.out.splitlines() if "X:" in line] == [
        ["procedure", "X:1", "1", "0", "0", "0", "1"],
        ["organism", "X:3", "1", "0", "0", "0", "1"],
    ]
    assert done.err.strip() == f"written to {out}"
    assert read_terms(out / "procedure.tsv") == ["Secret biopsy"]
    assert json.loads(medgauge(*arguments, "--json").out)[1] == {
        "list": "organism",
        "file": str(out / "organism.tsv"),
        "chosen": "X:3",
        "concepts": 1,
        "in_other_lists": 0,
        "term_in_other_lists": 0,
        "repeated_terms": 0,
        "terms": 1,
    }


def test_lists_by_tag_are_read_by_the_command_categories(medgauge, small, tmp_path):
    small.write_text(f"{SMALL}\n[Term]\nid: X:6\nname: Heart\nnamespace: anatomy\n")
    tags = ("--semantic-tag", "procedure", "--semantic-tag", "organism", "--semantic-tag", "anatomy")
    assert medgauge("build", "categories", small, "--out", tmp_path, *tags).code == 0
    lists = (
        "--close",
        tmp_path / "procedure.tsv",
        tmp_path / "organism.tsv",
        "--distant",
        tmp_path / "anatomy.tsv",
    )
    found = json.loads(medgauge("categories", *lists, "--model", "levenshtein", "--json").out)
    assert found["separations"][0]["triples"] == 2 * 2 * 1


def test_other_content_is_not_written_over_unless_asked(medgauge, small, tmp_path):
    (tmp_path / "procedure.tsv").write_text("mine")
    arguments = ("build", "categories", small, "--out", tmp_path, "--root", "X:1")
    done = medgauge(*arguments)
    assert (done.code, done.out) == (1, "")
    assert "procedure.tsv: already exists with other content; add --replace" in words(done.err)
    assert medgauge(*arguments, "--replace").code == 0
    assert read_terms(tmp_path / "procedure.tsv") == ["Secret biopsy"]


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (["--root", "X:9"], 1, "small (7) has no concept with the id 'X:9'"),
        (["--root", "X:5"], 1, "the concept X:5 is inactive"),
        (
            ["--semantic-tag", "organisms"],
            1,
            "there is no semantic tag 'organisms'; did you mean 'organism'?",
        ),
        (["--root", "X:1", "--root", "X:1"], 2, "X:1 was given twice"),
        ([], 2, "either --root or --semantic-tag"),
        (["--root", "X:1", "--semantic-tag", "organism"], 2, "either --root or --semantic-tag"),
    ],
)
def test_what_cannot_be_listed_is_said_and_leaves_nothing(medgauge, small, tmp_path, options, code, said):
    done = medgauge("build", "categories", small, "--out", tmp_path / "lists", *options)
    assert (done.code, done.out) == (code, "")
    assert said in words(done.err)
    assert "Secret" not in done.err
    assert not (tmp_path / "lists").exists()


@pytest.mark.slow
def test_the_page_on_categories_shows_the_real_lists(medgauge, monkeypatch, tmp_path, hpo_file):
    page = (Path(__file__).parents[3] / "docs" / "categories.md").read_text("utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "110")
    shutil.copy(hpo_file, "hp.obo")
    shown = re.findall(r"^    medgauge (build .*?)\n\n```text\n(.*?)```", page, re.DOTALL | re.MULTILINE)
    assert len(shown) == 2
    for command, output in shown:
        assert medgauge(*command.replace("\\", " ").split()).out.split() == output.split()
