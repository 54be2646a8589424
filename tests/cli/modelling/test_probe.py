import json

import pytest

from tests.support.dated_terms import dated_release, name_of, synonym_of, write_ontology
from tests.vectors import some_vectors, write_binary

COUNT = 60


@pytest.fixture
def words(tmp_path):
    found = [
        word
        for number in range(COUNT)
        for text in (name_of(number), synonym_of(number))
        for word in text.split()
    ]
    return write_binary(tmp_path / "words.bin", some_vectors(*found, dim=8))


@pytest.fixture
def ontology(tmp_path):
    return write_ontology(tmp_path / "dated.obo", COUNT)


def test_a_probe_is_printed_as_a_table_and_as_json(medgauge, words, ontology):
    command = ["models", "probe", f"mine={words}", "--terminology", ontology, "--since", "2020-01-31"]
    shown = medgauge(*command, "--candidates", 50)
    assert shown.code == 0
    assert "mine finds" in shown.out
    assert "recall@1" in shown.out
    stored = json.loads(medgauge(*command, "--candidates", 50, "--json").out)
    assert (stored["candidates"], stored["concepts"]) == (50, {"new": 30, "old": 30})
    assert medgauge(*command, "--format", "csv").out.startswith("group,value,low,high")


def test_a_snapshot_is_refused(medgauge, words, tmp_path):
    source = dated_release(COUNT).zip(tmp_path / "release.zip", full=False)
    done = medgauge("models", "probe", words, "--terminology", source)
    assert done.code == 1
    assert "is a Snapshot" in done.err


def test_a_baseline_and_a_wrong_date_are_refused(medgauge, words, ontology):
    assert "has no vectors" in medgauge("models", "probe", "levenshtein", "--terminology", ontology).err
    done = medgauge("models", "probe", words, "--terminology", ontology, "--since", "soon")
    assert (done.code, done.out) == (1, "")
    assert "--since soon: is not a date such as 2020-01-31" in done.err


def test_terms_of_snomed_ct_are_not_sent_to_a_service_elsewhere(medgauge, tmp_path):
    release = dated_release(COUNT).write(tmp_path / "release")
    url = "https://example.org/v1"
    done = medgauge("models", "probe", f"api:m@{url}", "--terminology", release, "--allow-remote", url)
    assert done.code == 1
    assert "the licence of 'release' does not let its terms leave this machine" in done.err
    assert f"say so with --allow-remote release@{url}" in done.err
