import json

import pytest

import medgauge
from medgauge.catalog.termlist import read_terms
from medgauge.errors import FileError, InputError
from medgauge.pairs import Card, Pairs
from medgauge.term_length import LONGEST_TERM
from medgauge.terminology.obo import read_ontology
from medgauge.terminology.rf2 import read_rf2
from tests.rf2 import Release

LONG = "x" * (LONGEST_TERM + 1)
PROBLEM = "the term has 10,001 characters, more than the 10,000 that a term may have"
OBO = "[Term]\nid: A:1\nname: {}\n\n[Term]\nid: A:2\nname: flu\n"


def graphs(name):
    nodes = [{"id": "A:1", "lbl": name, "type": "CLASS"}]
    return json.dumps({"graphs": [{"nodes": nodes}]})


def test_a_term_of_a_megabyte_took_minutes_in_a_table(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text(f"term_1,term_2,gold\nflu,grippe,1\n{LONG},flu,2\n", "utf-8")
    with pytest.raises(FileError) as raised:
        medgauge.load_dataset(path)
    assert str(raised.value) == f"{path}, line 3: {PROBLEM}"


def test_a_term_of_a_megabyte_took_minutes_in_memory():
    with pytest.raises(InputError, match=f"in the set 'mine', {PROBLEM}"):
        Pairs.of([("flu", LONG)], card=Card(name="mine", title="Mine"))
    with pytest.raises(InputError, match=PROBLEM):
        medgauge.similarity("flu", LONG, model="levenshtein")


def test_a_term_of_a_megabyte_took_minutes_in_a_list(tmp_path):
    path = tmp_path / "terms.txt"
    path.write_text(f"flu\n{LONG}\n", "utf-8")
    with pytest.raises(FileError, match=f"terms.txt: {PROBLEM}"):
        read_terms(path)


@pytest.mark.parametrize("written", [OBO.format, graphs])
def test_a_term_of_a_megabyte_took_minutes_in_an_ontology(tmp_path, written):
    path = tmp_path / "ontology"
    path.write_text(written(LONG), "utf-8")
    with pytest.raises(FileError) as raised:
        read_ontology(path)
    assert str(raised.value) == f"{path}, class 1: {PROBLEM}"
    path.write_text(written(LONG[1:]), "utf-8")
    assert read_ontology(path).concepts["name"][0] == LONG[1:]


def test_a_term_of_a_megabyte_took_minutes_in_a_release(tmp_path):
    release = Release()
    release.concept(1).fsn("Flu (disorder)").synonym(LONG)
    with pytest.raises(FileError, match=f"sct2_Description_Full-en_INT_20190131.txt, line 3: {PROBLEM}"):
        read_rf2([release.write(tmp_path)])


def test_characters_count_and_not_bytes(tmp_path):
    release = Release()
    release.concept(1).fsn("Flu (disorder)").synonym("é" * LONGEST_TERM)
    assert read_rf2([release.write(tmp_path)]).synonyms["term"].str.len_chars().to_list() == [LONGEST_TERM]
