import json
import shutil
import sys

import numpy as np
import pytest

from medgauge.errors import FileError, InputError, UnknownNameError
from medgauge.models.encoders.sentence import SentenceNetwork, WholeModel
from medgauge.models.load import load_model
from tests.support.tiny_models import as_sentence_model, save_bert, save_gpt

TERMS = [
    "Acute renal failure",
    "kidney",
    "heart attack",
    "nephritis, in the left kidney",
    "Ménière",
    "IL-2 " * 40,
]


def theirs(folder, terms=TERMS, **options) -> np.ndarray:
    """Return what the library itself makes of terms, one at a time."""
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(folder), device="cpu")
    return np.array([model.encode(term, show_progress_bar=False, **options) for term in terms])


def ours(spec: str, terms=TERMS) -> np.ndarray:
    return load_model(spec, cached=False).encode(list(terms))


def test_vectors_are_those_of_the_library(sentence_model):
    found = ours(f"st:{sentence_model}")
    np.testing.assert_allclose(found, theirs(sentence_model), atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)


def test_texts_are_split_and_batched_here(sentence_model):
    model = load_model(f"st:{sentence_model}", cached=False)
    assert isinstance(model.source.network, SentenceNetwork)
    model.source.budget = 5
    np.testing.assert_allclose(model.encode(TERMS), theirs(sentence_model), atol=1e-5)


@pytest.mark.parametrize(
    ("given", "meant"), [("query", "find: "), ("search%20for%3A%20", "search for: "), ("find: ", "find: ")]
)
def test_a_prompt_is_a_name_or_a_text(sentence_model, given, meant):
    found = ours(f"st:{sentence_model}?prompt={given}")
    np.testing.assert_allclose(found, theirs(sentence_model, prompt=meant), atol=1e-5)
    assert load_model(f"st:{sentence_model}?prompt={given}").card.parameters["prompt"] == meant


def test_an_unknown_prompt_names_those_that_exist(sentence_model):
    with pytest.raises(UnknownNameError, match="'quest'; did you mean 'query'"):
        load_model(f"st:{sentence_model}?prompt=quest")


def test_a_name_is_not_a_prompt_of_a_model_without_prompts(tmp_path):
    folder = as_sentence_model(save_bert(tmp_path / "plain"))
    with pytest.raises(InputError, match=r"prompt=query of st: is a name, and the model has no prompts"):
        load_model(f"st:{folder}?prompt=query")


def test_the_models_own_default_prompt_is_used(tmp_path):
    folder = as_sentence_model(
        save_bert(tmp_path / "prompted"), prompts={"query": "find: "}, default_prompt_name="query"
    )
    np.testing.assert_allclose(ours(f"st:{folder}"), theirs(folder), atol=1e-5)
    assert load_model(f"st:{folder}").card.parameters["prompt"] == "find: "


def test_a_prompt_is_left_out_of_pooling_where_the_model_says_so(tmp_path):
    folder = as_sentence_model(save_bert(tmp_path / "instructor"), prompts={"query": "find: "})
    settings = folder / "1_Pooling" / "config.json"
    settings.write_text(json.dumps(json.loads(settings.read_text()) | {"include_prompt": False}))
    found = ours(f"st:{folder}?prompt=query")
    np.testing.assert_allclose(found, theirs(folder, prompt_name="query"), atol=1e-5)


@pytest.mark.parametrize("pooling", ["cls", "max"])
def test_pooling_is_the_models_own(tmp_path, pooling):
    folder = as_sentence_model(save_bert(tmp_path / pooling), pooling=pooling, normalised=False)
    np.testing.assert_allclose(ours(f"st:{folder}"), theirs(folder), atol=1e-5)
    assert load_model(f"st:{folder}").source.facts()["pooled"] == pooling


def test_only_the_first_dimensions_are_used_if_asked_for(sentence_model):
    found = ours(f"st:{sentence_model}?truncate_dim=7")
    np.testing.assert_allclose(found, theirs(sentence_model, truncate_dim=7), atol=1e-5)
    assert load_model(f"st:{sentence_model}?truncate_dim=7").card.dim == 7


def test_more_dimensions_than_the_model_has_are_refused(sentence_model):
    dim = load_model(f"st:{sentence_model}").card.dim
    assert load_model(f"st:{sentence_model}?truncate_dim={dim}").card.dim == dim
    with pytest.raises(InputError, match=f"truncate_dim={dim + 1} of st: is more than the {dim} dimensions"):
        load_model(f"st:{sentence_model}?truncate_dim={dim + 1}")


def test_a_model_that_is_no_transformer_is_called_as_a_whole(tmp_path):
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(save_bert(tmp_path / "bert"))
    folder = tmp_path / "static"
    SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_dim=8)], device="cpu").save(str(folder))
    model = load_model(f"st:{folder}", cached=False)
    np.testing.assert_allclose(model.encode(TERMS), theirs(folder), atol=1e-5)
    assert isinstance(model.source.network, WholeModel)


def test_facts_name_modules_and_pooling_without_loading_weights(sentence_model):
    source = load_model(f"st:{sentence_model}", cached=False).source
    facts = source.facts()
    assert "network" not in vars(source)
    assert facts["modules"] == "Transformer → Pooling → Normalize"
    assert facts["pooled"] == "mean, then normalised"
    assert (facts["dim"], facts["context"], facts["prompt"]) == (24, 40, "none")


def test_a_folder_that_does_not_say_how_to_pool_is_refused(bert):
    with pytest.raises(
        FileError, match=r"has no modules.json, so that nothing says how to pool; open it as hf:FOLDER"
    ):
        load_model(f"st:{bert}")


def test_a_damaged_list_of_modules_is_refused(sentence_model, tmp_path):
    folder = shutil.copytree(sentence_model, tmp_path / "damaged")
    (folder / "modules.json").write_text('[{"type": 7}]')
    with pytest.raises(FileError, match=r"modules.json: does not list modules with type and path"):
        load_model(f"st:{folder}")


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"prompts": ["query"]}, "prompts is wrong"),
        ({"prompts": {"query": 5}}, "prompts.query is wrong"),
        ({"default_prompt_name": ["query"]}, "default_prompt_name is wrong"),
        ({"truncate_dim": "all"}, "truncate_dim is wrong"),
        ({"truncate_dim": -3}, "truncate_dim is wrong"),
    ],
)
def test_settings_of_another_type_were_a_traceback(sentence_model, tmp_path, settings, problem):
    folder = shutil.copytree(sentence_model, tmp_path / "damaged")
    (folder / "config_sentence_transformers.json").write_text(json.dumps(settings))
    with pytest.raises(FileError, match=f"is not the settings of a sentence-transformers model: {problem}"):
        load_model(f"st:{folder}")


def test_a_declared_context_beyond_the_positions_crashed_the_network(sentence_model, tmp_path):
    folder = shutil.copytree(sentence_model, tmp_path / "declared")
    (folder / "sentence_bert_config.json").write_text('{"max_seq_length": 500}')
    np.testing.assert_allclose(ours(f"st:{folder}"), ours(f"st:{sentence_model}"), atol=1e-5)


def with_module(folder, own: str):
    modules = json.loads((folder / "modules.json").read_text())
    modules.append({"idx": 3, "name": "3", "path": own, "type": "sentence_transformers.models.Dense"})
    (folder / "modules.json").write_text(json.dumps(modules))


@pytest.mark.parametrize("own", [".dense", "2_Normalize/../.dense", "../dense", "link"])
def test_weights_where_nobody_looks_were_opened_and_not_digested(sentence_model, tmp_path, own):
    folder = shutil.copytree(sentence_model, tmp_path / "model")
    (tmp_path / "dense").mkdir()
    (folder / "link").symlink_to(tmp_path / "dense")
    with_module(folder, own)
    with pytest.raises(FileError, match=r"modules.json: the module '.*' is hidden, a link, or outside"):
        load_model(f"st:{folder}")


def test_a_folder_that_is_a_link_is_opened(sentence_model, tmp_path):
    (tmp_path / "link").symlink_to(sentence_model)
    assert load_model(f"st:{tmp_path / 'link'}").card.dim == 24


def test_a_pickle_beside_safetensors_that_nobody_opens_was_opened(sentence_model, tmp_path):
    folder = shutil.copytree(sentence_model, tmp_path / "model")
    dense = folder / "3_Dense"
    dense.mkdir()
    (dense / "config.json").write_text("{}")
    (dense / "pytorch_model.bin").write_bytes(b"pickle")
    shutil.copy(folder / "model.safetensors", dense / "other.safetensors")
    with_module(folder, "3_Dense")
    with pytest.raises(FileError, match="3_Dense: has only pickled weights"):
        load_model(f"st:{folder}")


def test_a_module_with_pickled_weights_is_refused(sentence_model, tmp_path):
    folder = shutil.copytree(sentence_model, tmp_path / "dense")
    (folder / "2_Dense").mkdir()
    (folder / "2_Dense" / "config.json").write_text("{}")
    (folder / "2_Dense" / "pytorch_model.bin").write_bytes(b"\x80\x02")
    with pytest.raises(FileError, match=r"2_Dense: has only pickled weights, which are not opened"):
        load_model(f"st:{folder}")


def test_pickled_weights_of_a_module_are_refused_whatever_its_settings_are_called(sentence_model, tmp_path):
    folder = shutil.copytree(sentence_model, tmp_path / "model")
    lstm = folder / "3_LSTM"
    lstm.mkdir()
    (lstm / "lstm_config.json").write_text("{}")
    (lstm / "pytorch_model.bin").write_bytes(b"pickle")
    with pytest.raises(FileError, match="3_LSTM: has only pickled weights"):
        load_model(f"st:{folder}")


def test_code_of_a_module_is_not_run_unless_it_is_trusted(sentence_model, tmp_path, monkeypatch):
    monkeypatch.setattr("transformers.dynamic_module_utils.HF_MODULES_CACHE", str(tmp_path / "copied"))
    monkeypatch.setattr(sys, "path", [*sys.path])  # the library adds that folder
    folder = shutil.copytree(sentence_model, tmp_path / "model")
    modules = json.loads((folder / "modules.json").read_text())
    modules[0]["type"] = "own_code.OwnTransformer"
    (folder / "modules.json").write_text(json.dumps(modules))
    (folder / "own_code.py").write_text(
        f"from pathlib import Path\nPath({str(tmp_path / 'ran')!r}).touch()\n"
        "from sentence_transformers.sentence_transformer.modules import Transformer\n"
        "class OwnTransformer(Transformer): pass\n"
    )
    with pytest.raises(FileError, match=r"brings Python code of its own, which is not run; if you trust it"):
        load_model(f"st:{folder}")
    assert not (tmp_path / "ran").exists()
    trusted = load_model(f"st:{folder}", trust_remote_code=True, cached=False)
    np.testing.assert_allclose(trusted.encode(TERMS), theirs(sentence_model), atol=1e-5)
    assert (tmp_path / "ran").exists()


def test_a_decoder_may_be_a_sentence_model(tmp_path):
    from transformers import AutoTokenizer

    folder = as_sentence_model(save_gpt(tmp_path / "gpt"), pooling="max")
    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokenizer.pad_token = "!"
    tokenizer.save_pretrained(folder)
    np.testing.assert_allclose(ours(f"st:{folder}"), theirs(folder), atol=1e-5)
