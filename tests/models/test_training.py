import json
import re

import polars as pl
import pytest

from medgauge.files.parquet import write_parquet
from medgauge.models.base import ModelCard
from medgauge.models.load import load_model
from medgauge.models.training import EMBEDDED_CARD, NOT_KNOWN, Training, known_models, training_of
from tests.vectors import some_vectors, write_binary


@pytest.fixture
def told(tmp_path):
    """Write a card, and return what it says about a model of no known name."""

    def read(text, name="mine"):
        folder = tmp_path / "model"
        folder.mkdir(exist_ok=True)
        (folder / "README.md").write_text(text, "utf-8")
        return training_of(folder, name)

    return read


def test_a_model_that_says_nothing_is_not_known(tmp_path, told):
    assert training_of(tmp_path / "none", "mine") == Training()
    assert told("# Model\n\nA model.\n") == Training(NOT_KNOWN, (), NOT_KNOWN)


def test_datasets_base_model_and_licence_are_those_of_the_front_matter(told):
    found = told("---\nlicense: mit\ndatasets:\n- bigbio/umnsrs\n- wikipedia\nbase_model: a/SapBERT-x\n---\n")
    assert found.sources == ("umls", "umnsrs", "wikipedia")
    assert found.licence == "mit"
    assert found.trained_on == (
        "synonyms of UMLS (SapBERT); datasets: bigbio/umnsrs, wikipedia; starting from a/SapBERT-x"
    )


def test_datasets_listed_in_the_text_count(told):
    assert told("---\nlicense: mit\n---\n\ndatasets:\n- UMLS\n").sources == ("umls",)


def test_a_licence_of_an_own_name_is_named(told):
    assert told("---\nlicense: other\nlicense_name: llama3\n---\n").licence == "llama3"
    assert told("---\nlicense: other\n---\n").licence == "other"


@pytest.mark.parametrize(
    ("text", "sources"),
    [
        ("Trained with [UMLS](https://nlm.nih.gov/umls) 2020AA, using a base model.", ("umls",)),
        ("The model was pre-trained on PubMed abstracts and MIMIC-III notes.", ("pubmed", "mimic")),
        ("We fine-tuned it on the pairs of EHR-RelB.", ("ehr-rel",)),
        ("Trained on\nsynonyms of SNOMED CT.", ("snomed-ct",)),
        # What the model was evaluated on, what it is not, and what one could do with it does not count.
        ("Trained for a week. Evaluated on MayoSRS.", ()),
        ("The model was trained on text and evaluated on MayoSRS.", ()),
        ("Unlike SapBERT, it was not trained on UMLS.", ()),
        ("It can be fine-tuned on UMLS.", ()),
        ("UMLS concepts are linked with a trained model.", ()),
        ("See https://example.org/trained/UMLS for a trained model.", ()),
        ("```\ntrained on UMLS\n```", ()),
        ("A model for UMLS.", ()),
    ],
)
def test_only_sentences_that_say_what_it_was_trained_on_count(told, text, sources):
    assert told(f"---\nlicense: mit\n---\n# Card\n\n{text}\n").sources == sources


def test_a_tag_is_a_topic_unless_it_names_a_dataset(told):
    assert told("---\ntags:\n- umls\n- snomed\n---\n").sources == ()
    assert told("---\ntags:\n- dataset:umls\n---\n").sources == ("umls",)


@pytest.mark.parametrize(
    ("name", "sources"),
    [
        ("cambridgeltl/SapBERT-from-PubMedBERT-fulltext", ("umls", "pubmed", "pmc")),
        ("GanjinZero/coder_eng", ("umls",)),
        ("coder_eng_pp", ("umls",)),
        ("GanjinZero/UMLSBert_ENG", ("umls",)),
        ("qwen2.5-coder", ()),
        ("starcoder", ()),
        ("FremyCompany/BioLORD-2023", ("umls", "snomed-ct")),
        ("microsoft/BiomedNLP-KRISSBERT-PubMed-UMLS-EL", ("umls", "pubmed")),
        ("emilyalsentzer/Bio_ClinicalBERT", ("mimic",)),
        ("medicalai/ClinicalBERT", ()),
        ("ncbi/MedCPT-Query-Encoder", ("pubmed",)),
        ("BioWordVec_PubMed_MIMICIII_d200", ("pubmed", "mimic")),
        ("bio_embedding_intrinsic", ("mesh", "pubmed")),
        ("paragram_300_sl999", ("ppdb", "simlex-999")),
        ("all-MiniLM-L6-v2", ()),
        ("bert-base-uncased", ()),
    ],
)
def test_well_known_models_are_recognised_by_name(tmp_path, name, sources):
    assert training_of(tmp_path, name).sources == sources


def test_a_folder_of_the_hubs_cache_has_the_name_of_the_model(tmp_path):
    folder = tmp_path / "models--cambridgeltl--SapBERT-UMLS" / "snapshots" / "0badc0de"
    assert training_of(folder, "mine").trained_on == "synonyms of UMLS (SapBERT)"


def test_a_vector_file_is_recognised_by_its_name(tmp_path):
    path = write_binary(tmp_path / "bio_embedding_intrinsic.bin", some_vectors("flu"))
    assert load_model(path, name="mine").card.sources == ("mesh", "pubmed")
    other = load_model(write_binary(tmp_path / "other.bin", some_vectors("flu"))).card
    assert "sources" not in other.model_dump_json()


def test_every_known_model_has_a_citation_and_is_recognised_by_its_own_name_or_declares_a_pattern():
    for one in known_models():
        assert re.search(r"\d{4}", one.citation), one.name
        assert one.pattern == one.pattern.lower()
        assert one.trained_on


def test_what_a_card_says_is_shortened_and_printable(told):
    found = told(
        f"---\nlicense: {'x' * 1000}\ndatasets:\n" + "".join(f"- d{n}\x1b[31m\n" for n in range(9)) + "---\n"
    )
    assert len(found.licence) == 100
    assert found.trained_on == "datasets: d0?[31m, d1?[31m, d2?[31m, d3?[31m, d4?[31m, 4 more"


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"---\n" * 5000, b"- " * 50_000, b"---\na: [" * 999])
def test_no_card_is_an_error(tmp_path, content):
    (tmp_path / "README.md").write_bytes(content)
    assert training_of(tmp_path, "mine").sources == ()


def test_a_card_that_is_a_folder_says_nothing(tmp_path):
    (tmp_path / "README.md").mkdir()
    assert training_of(tmp_path, "mine") == Training()


def test_training_is_put_on_a_card():
    card = Training("text", ("pubmed",), "mit").on(ModelCard(name="x", family="words"))
    assert (card.trained_on, card.sources, card.licence) == ("text", ("pubmed",), "mit")


@pytest.fixture
def embedded(tmp_path):
    """Write vectors with a card in them, and return what is read of it."""

    def read(card):
        path = tmp_path / "vectors.parquet"
        write_parquet(path, pl.DataFrame({"id": ["1"], "vector": [[1.0]]}), {EMBEDDED_CARD: card})
        return training_of(path, "vectors")

    return read


def test_vectors_that_medgauge_wrote_say_what_they_were_made_from(embedded):
    card = ModelCard(
        name="x", family="vectors", trained_on="pairs of concepts", sources=("records-0123456789ab",)
    )
    found = embedded(card.model_dump_json())
    assert (found.trained_on, found.sources) == ("pairs of concepts", ("records-0123456789ab",))


@pytest.mark.parametrize("card", ["", "{", "[1]", '{"trained_on": 3}'])
def test_a_card_in_vectors_that_cannot_be_read_says_nothing(embedded, card):
    assert embedded(card) == Training()


def test_a_card_in_vectors_is_shortened_and_cleaned(embedded):
    card = {"trained_on": "x\x1b[31m" + "y" * 5000, "sources": ["s" * 500] * 80, "licence": "l\n" * 400}
    found = embedded(json.dumps(card))
    assert len(found.trained_on) <= 1000
    assert "\x1b" not in found.trained_on + found.licence
    assert len(found.licence) <= 100
    assert {len(one) for one in found.sources} == {100}
