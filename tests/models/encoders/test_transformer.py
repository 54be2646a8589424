import json
import shutil

import numpy as np
import pytest

from medgauge.errors import FileError, InputError, UnknownNameError
from medgauge.evaluation.scoring import similarity
from medgauge.models.load import load_model
from medgauge.models.terms import vectors_of
from medgauge.models.vector_export import export_vectors
from medgauge.progress import hearing
from tests.models.encoders import references
from tests.support.tiny_models import as_sentence_model

TERMS = [
    "Acute renal failure",
    "kidney",
    "heart attack",
    "nephritis (acute), in the left kidney",
    "xyz",
    "Crohn's disease 42",
    "IL-2",
    "failure",
]


def encoded(spec: str, terms=TERMS, **options) -> np.ndarray:
    return load_model(spec, cached=False, **options).encode(list(terms))


def test_the_default_is_the_mean_of_the_last_layer_without_special_tokens(bert):
    expected = [references.encode(bert, term) for term in TERMS]
    np.testing.assert_allclose(encoded(f"hf:{bert}"), expected, atol=1e-5)


@pytest.mark.parametrize("special", ["yes", "no"])
@pytest.mark.parametrize("pooling", ["mean", "cls", "last", "max"])
def test_every_pooling_is_the_slow_one(bert, pooling, special):
    expected = [
        references.encode(bert, term, pooling=pooling, special_tokens=special == "yes") for term in TERMS
    ]
    found = encoded(f"hf:{bert}?pooling={pooling}&special_tokens={special}")
    np.testing.assert_allclose(found, expected, atol=1e-5)


@pytest.mark.parametrize(
    ("layers", "meant"),
    [("-1", [3]), ("0", [0]), ("2", [2]), ("-4..-1", [0, 1, 2, 3]), ("1..2", [1, 2]), ("-2..-1", [2, 3])],
)
def test_layers_are_counted_from_the_embeddings_or_from_the_end(bert, layers, meant):
    expected = [references.encode(bert, term, layers=meant) for term in TERMS[:3]]
    np.testing.assert_allclose(encoded(f"hf:{bert}?layers={layers}", TERMS[:3]), expected, atol=1e-5)


@pytest.mark.parametrize("pooling", ["mean", "last", "max"])
def test_a_decoder_without_a_padding_token_is_padded_under_the_mask(gpt, pooling):
    expected = [references.encode(gpt, term, pooling=pooling) for term in TERMS]
    np.testing.assert_allclose(encoded(f"hf:{gpt}?pooling={pooling}"), expected, atol=1e-5)


@pytest.mark.parametrize("kind", ["hf", "st"])
def test_a_padding_token_that_only_the_tokenizer_has_is_never_looked_up(gpt, tmp_path, kind):
    folder = tmp_path / "gpt"
    shutil.copytree(gpt, folder)
    as_sentence_model(folder, normalised=False)
    settings = json.loads((folder / "tokenizer_config.json").read_text())
    (folder / "tokenizer_config.json").write_text(json.dumps({**settings, "pad_token": "[PAD]"}))
    expected = [references.encode(gpt, term) for term in TERMS]
    np.testing.assert_allclose(encoded(f"{kind}:{folder}"), expected, atol=1e-5)


@pytest.mark.parametrize("options", ["", "?words=mean"])
def test_pieces_that_the_weights_do_not_have_are_an_error(bert, gpt, tmp_path, options):
    shutil.copytree(bert, tmp_path / "mixed")
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(gpt / name, tmp_path / "mixed" / name)
    with pytest.raises(FileError, match=r"pieces beyond the \d+ that the weights have") as raised:
        vectors_of(load_model(f"hf:{tmp_path / 'mixed'}{options}", cached=False), TERMS)
    assert raised.value.path == tmp_path / "mixed"


@pytest.mark.parametrize("words", ["first", "mean"])
@pytest.mark.parametrize("which", ["bert", "gpt"])
def test_words_get_the_first_or_the_mean_of_their_pieces_in_the_context_of_the_term(which, words, request):
    folder = request.getfixturevalue(which)
    rows, offsets = load_model(f"hf:{folder}?words={words}", cached=False).encode_words(TERMS)
    for number, term in enumerate(TERMS):
        expected = references.encode_words(folder, term, words=words)
        np.testing.assert_allclose(rows[offsets[number] : offsets[number + 1]], expected, atol=1e-5)


def test_words_were_never_those_of_white_space(bert):
    model = load_model(f"hf:{bert}?words=mean", cached=False, tokenizer="whitespace")
    rows, offsets = model.encode_words(TERMS)
    assert np.diff(offsets).tolist() == [len(term.split()) for term in TERMS]
    expected = [
        row
        for term in TERMS
        for row in references.encode_words(bert, term, words="mean", tokenizer="whitespace")
    ]
    np.testing.assert_allclose(rows, expected, atol=1e-5)
    assert model.card.tokenizer == "whitespace"


def test_words_of_an_encoder_have_all_ten_measures(bert):
    model = load_model(f"hf:{bert}?words=mean", cached=False)
    assert model.card.family == "words"
    for measure in ("avg_cos", "pair_kendall", "fj", "mj"):
        assert np.isfinite(similarity("acute renal failure", "kidney failure", model=model, measure=measure))


@pytest.mark.parametrize("budget", [1, 7, 30, 10_000])
@pytest.mark.parametrize("options", ["", "?words=mean", "?pooling=max&special_tokens=yes"])
def test_batches_order_and_padding_change_nothing(bert, budget, options):
    model = load_model(f"hf:{bert}{options}", cached=False)
    texts = [" ".join(TERMS[:count]) for count in range(1, 5)] + TERMS
    usual = [rows_of(model, [text]) for text in texts]
    model.source.budget = budget
    backwards = texts[::-1]
    found = rows_of(model, backwards)
    np.testing.assert_allclose(found, np.concatenate(usual[::-1]), atol=1e-5)


def rows_of(model, texts: list[str]) -> np.ndarray:
    return model.encode_words(texts)[0] if model.card.family == "words" else model.encode(texts)


def test_terms_longer_than_the_context_are_cut_and_counted(bert):
    said: list[str] = []
    long = "kidney failure " * 100
    with hearing(said.append):
        found = encoded(f"hf:{bert}", [long, "kidney"])
    np.testing.assert_allclose(found[0], references.encode(bert, long), atol=1e-5)
    assert said == ["bert: 1 of 2 terms are longer than the model's context, and were cut"]


def test_terms_that_were_cut_in_an_earlier_run_went_unmentioned(bert, tmp_path):
    terms = ["kidney failure " * 100, "kidney"]
    said: list[str] = []
    with hearing(said.append):
        load_model(f"hf:{bert}").encode(terms)
        load_model(f"hf:{bert}").encode([*terms, "heart"])
        export_vectors(load_model(f"hf:{bert}"), terms, tmp_path / "vectors.parquet")
    assert said == [
        f"bert: 1 of {count} terms are longer than the model's context, and were cut" for count in (2, 3, 2)
    ]


def test_a_tokenizer_that_declares_more_than_the_positions_crashed_the_network(bert, tmp_path):
    folder = shutil.copytree(bert, tmp_path / "declared")
    settings = json.loads((folder / "tokenizer_config.json").read_text()) | {"model_max_length": 512}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    long = "kidney failure " * 100
    np.testing.assert_allclose(encoded(f"hf:{folder}", [long]), encoded(f"hf:{bert}", [long]), atol=1e-5)


def test_words_beyond_the_context_have_no_vector(bert):
    terms = vectors_of(load_model(f"hf:{bert}?words=mean", cached=False), ["kidney " * 50, "kidney"])
    assert terms.covered.tolist() == [False, True]
    assert terms.missing[0][0] == 38  # 40 pieces, of which two are [CLS] and [SEP]


def test_a_term_of_which_nothing_is_left_has_no_vector(bert):
    terms = vectors_of(load_model(f"hf:{bert}", cached=False), ["\u200b", "kidney"])
    assert terms.covered.tolist() == [False, True]


def test_the_card_has_what_vectors_depend_on(bert):
    card = load_model(f"hf:{bert}?pooling=cls&layers=-2", cached=False).card
    assert (card.family, card.dim, card.format) == ("vectors", 24, "transformer")
    assert card.parameters == {
        "layers": [2],
        "pooling": "cls",
        "special_tokens": False,
        "precision": "float32",
    }
    assert len(card.digest) == 64


def test_facts_need_no_weights_loaded(bert):
    source = load_model(f"hf:{bert}", cached=False).source
    facts = source.facts()
    assert "network" not in vars(source)
    assert (facts["architecture"], facts["layers"], facts["dim"], facts["context"]) == (
        "BertModel",
        3,
        24,
        40,
    )
    from transformers import AutoModel

    assert facts["parameters"] == AutoModel.from_pretrained(bert).num_parameters()


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ("?pooling=middle", "there is no pooling of hf: 'middle'; choose from: mean, cls, last, max"),
        ("?poolling=cls", "there is no option of hf: 'poolling'; did you mean 'pooling'?"),
        ("?layers=4", "layers=4 of hf: the model has 3 layers"),
        ("?layers=-5..-1", "layers=-5..-1 of hf: the model has 3 layers"),
        ("?layers=-1..-3", "a range goes upwards"),
        ("?layers=all", "layers=all of hf: is neither a layer nor a range of layers such as -4..-1"),
        ("?words=mean&pooling=cls", "words=mean gives a vector for each word, so pooling has no meaning"),
    ],
)
def test_a_wrong_option_is_refused_before_weights_are_loaded(bert, options, problem):
    with pytest.raises((InputError, UnknownNameError)) as caught:
        load_model(f"hf:{bert}{options}")
    assert problem in str(caught.value)


def test_cls_of_a_model_without_it_is_refused(gpt):
    with pytest.raises(FileError, match=r"pooling=cls needs a tokenizer that puts \[CLS\] first"):
        encoded(f"hf:{gpt}?pooling=cls")


def test_weights_that_lack_parameters_are_refused_since_they_would_be_random(bert, tmp_path):
    from safetensors.numpy import load_file, save_file

    folder = shutil.copytree(bert, tmp_path / "partial")
    tensors = load_file(folder / "model.safetensors")
    save_file(
        {name: tensor for name, tensor in tensors.items() if "layer.1" not in name},
        folder / "model.safetensors",
        {"format": "pt"},
    )
    with pytest.raises(
        FileError, match=r"partial: the weights lack \d+ of the model's parameters, such as encoder"
    ):
        encoded(f"hf:{folder}", ["kidney"])


def test_architectures_that_are_not_texts_were_a_traceback(bert, tmp_path):
    folder = shutil.copytree(bert, tmp_path / "strange")
    for value, shown in ((5, "bert"), ([5], "5"), ([], "bert")):
        config = json.loads((folder / "config.json").read_text()) | {"architectures": value}
        (folder / "config.json").write_text(json.dumps(config))
        facts = load_model(f"hf:{folder}").source.facts()
        assert facts["architecture"] == shown


def test_damaged_weights_are_one_sentence(bert, tmp_path):
    folder = shutil.copytree(bert, tmp_path / "damaged")
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-100])
    with pytest.raises(FileError, match=r"damaged: the model cannot be loaded \(SafetensorError"):
        encoded(f"hf:{folder}", ["kidney"])


def test_code_of_a_model_is_not_run_unless_it_is_trusted(bert, tmp_path):
    folder = shutil.copytree(bert, tmp_path / "own-code")
    config = json.loads((folder / "config.json").read_text())
    config |= {"model_type": "mine", "auto_map": {"AutoConfig": "mine.Config", "AutoModel": "mine.Model"}}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "mine.py").write_text("raise SystemExit('code was run')")
    with pytest.raises(
        FileError, match="brings Python code of its own, which is not run; if you trust it, add trust_rem"
    ):
        load_model(f"hf:{folder}")


def test_half_precision_is_close_and_in_the_card(bert):
    model = load_model(f"hf:{bert}?precision=bfloat16", cached=False)
    assert model.card.parameters["precision"] == "bfloat16"
    found, exact = model.encode(TERMS), encoded(f"hf:{bert}")
    assert found.dtype == np.float32
    cosines = (found * exact).sum(1) / np.linalg.norm(found, axis=1) / np.linalg.norm(exact, axis=1)
    assert cosines.min() > 0.99
    assert not np.array_equal(found, exact)
