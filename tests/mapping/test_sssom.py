import pytest
import yaml

from medgauge.errors import FileError, InputError
from medgauge.mapping.concept_systems import concept_system
from medgauge.mapping.sssom import _prefixes, read_sssom

# The example of the standard's own page (https://github.com/mapping-commons/sssom), with a metadata block.
METADATA = """#curie_map:
#  HP: http://purl.obolibrary.org/obo/HP_
#  MP: "http://purl.obolibrary.org/obo/MP_"
#license: https://creativecommons.org/publicdomain/zero/1.0/
#mapping_set_id: https://example.org/mine
#comment: "curie_map: not here"
"""
HEADER = "subject_id\tpredicate_id\tobject_id\tmapping_justification\tsubject_label\tobject_label\n"
ROWS = (
    "HP:0009124\tskos:exactMatch\tMP:0000003\tsemapv:LexicalMatching\tAbnormal adipose tissue morphology\ta\n"
    "HP:0008551\tskos:exactMatch\tMP:0000018\tsemapv:LexicalMatching\tMicrotia\tsmall ears\n"
    "HP:0000411\tskos:broadMatch\tMP:0000021\tsemapv:LexicalMatching\tProtruding ear\tprominent ears\n"
)
HP, MP = concept_system("hp"), concept_system("mp")


@pytest.fixture
def read(tmp_path):
    def read(text: str, source=HP, target=MP, **options):
        path = tmp_path / "mine.sssom.tsv"
        path.write_text(text, "utf-8")
        return sorted(read_sssom(path, source, target, **options).pairs)

    return read


def test_exact_matches_count_in_both_directions(read):
    expected = [("HP:0008551", "MP:0000018"), ("HP:0009124", "MP:0000003")]
    assert read(METADATA + HEADER + ROWS) == expected
    assert read(HEADER + ROWS) == expected
    assert {*read(METADATA + HEADER + ROWS, MP, HP)} == {(mp, hp) for hp, mp in expected}


def test_other_predicates_count_if_they_are_named_and_are_turned_round(read):
    assert read(HEADER + ROWS, predicates=["skos:broadMatch"]) == [("HP:0000411", "MP:0000021")]
    assert read(HEADER + ROWS, MP, HP, predicates=["skos:narrowMatch"]) == [("MP:0000021", "HP:0000411")]
    with pytest.raises(FileError, match="has no mapping between mp and Human Phenotype Ontology with skos:b"):
        read(HEADER + ROWS, MP, HP, predicates=["skos:broadMatch"])
    assert len(read(HEADER + ROWS, predicates=["skos:broadMatch", "skos:exactMatch"])) == 3


def test_negated_mappings_and_those_to_nothing_are_left_out(read):
    header = HEADER.replace("\tsubject_label", "\tpredicate_modifier")
    rows = (
        "HP:1\tskos:exactMatch\tMP:1\tx\tNot\ta\nHP:2\tskos:exactMatch\tsssom:NoTermFound\tx\t\ta\n"
        "HP:3\tskos:exactMatch\tMP:3\tx\t\ta\n\tskos:exactMatch\tMP:4\tx\t\ta\n"
    )
    assert read(header + rows) == [("HP:3", "MP:3")]


def test_iris_of_older_files_are_shortened_by_the_curie_map(read):
    obo = "http://purl.obolibrary.org/obo"
    row = f"{obo}/HP_0009124\thttp://www.w3.org/2004/02/skos/core#exactMatch\t<{obo}/MP_0000003>\tx\ta\tb\n"
    assert read(METADATA + HEADER + row) == [("HP:0009124", "MP:0000003")]


def test_quoted_values_may_have_tabs_and_line_breaks(read):
    row = 'HP:1\tskos:exactMatch\tMP:1\tx\t"a\tlabel\nwith ""quotes"""\tb\n'
    assert read(HEADER + row) == [("HP:1", "MP:1")]


def test_the_curie_map_is_what_a_yaml_reader_finds():
    lines = METADATA.splitlines()
    expected = yaml.safe_load("\n".join(line[1:] for line in lines))["curie_map"]
    found = _prefixes(lines)
    assert {name: found[name] for name in expected} == expected
    assert "license" not in found
    spaced = [line.replace("#", "# ", 1) for line in lines]
    assert _prefixes(spaced) == found


def test_a_comment_behind_an_iri_of_the_curie_map_was_part_of_it():
    lines = ["#curie_map:", '#  HP: "http://x.org/HP_"  # phenotypes', "#  MP: http://x.org/mp#MP_ # mice"]
    expected = yaml.safe_load("\n".join(line[1:] for line in lines))["curie_map"]
    found = _prefixes(lines)
    assert {name: found[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a,b\n1,2\n", "line 1: needs the columns subject_id, predicate_id, object_id"),
        (METADATA + "subject_id\tobject_id\nHP:1\tMP:1\n", "line 7: needs the columns predicate_id"),
        (METADATA, "has no table"),
        (METADATA + HEADER + "HP:1\tskos:exactMatch\n", "line 8: the row has 2 fields, but 6 are expected"),
        (HEADER + "HP:1\t\tMP:1\tx\ta\tb\n", "line 2: the predicate_id is missing"),
        (HEADER + 'HP:1\tskos:exactMatch\tMP:1\tx\t"a\tb\n', "a quote is opened but not closed"),
        (HEADER + ROWS.replace("MP:", "ZP:"), "has no mapping between Human Phenotype Ontology and mp"),
    ],
)
def test_what_is_not_such_a_file_is_one_sentence(read, text, problem):
    with pytest.raises(FileError, match=problem) as caught:
        read(text)
    assert "Microtia" not in str(caught.value)


def test_a_predicate_without_a_prefix_is_refused(read):
    with pytest.raises(InputError, match="'exactMatch' is not a predicate such as skos:exactMatch"):
        read(HEADER + ROWS, predicates=["exactMatch"])
