"""Entity recognition on the corpora of Chiu et al. (2018) that are at hand, with real vectors."""

import gzip

import pytest

import medgauge
from medgauge.ner.labels.tagged_corpus import read_corpora

CORPORA = ["AnatEM", "BC2GM", "JNLPBA", "NCBI-disease"]


@pytest.mark.parametrize("name", CORPORA)
def test_every_entity_of_a_published_corpus_is_read(name, real_data):
    folder = real_data(f"ner/{name}/train.tsv.gz").parent
    [corpus] = read_corpora(folder)
    for part, found in corpus.parts.items():
        lines = gzip.decompress((folder / f"{part}.tsv.gz").read_bytes()).decode().splitlines()
        assert found.scheme == "BIO"
        assert found.entities.first.size == sum(line.split("\t")[-1].startswith("B-") for line in lines)
        assert len(found.words) == sum(bool(line) and not line.startswith("-DOCSTART-") for line in lines)


def test_vectors_of_biomedical_text_are_worth_five_points_over_random_ones(real_data):
    vectors = real_data("vectors/biomed-sg-w5.bin")
    folder = real_data("ner/NCBI-disease/train.tsv.gz").parent
    # One epoch of one trial; docs/ner.md has 20 epochs of three on BC2GM.
    found = medgauge.entity_recognition(vectors, folder, random=True, epochs=1, trials=1, device="cpu")
    f = {model: one.f for (model, _), one in found.f_by_model().items()}
    assert f["biomed-sg-w5"] > f["random-100"] + 0.05
    [difference] = found.contests[0].differences
    assert difference.low > 0.05
