import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge.models.encoders.computation import short_attention
from medgauge.models.encoders.computation.devices import Place
from medgauge.models.encoders.computation.short_attention import (
    attend,
    attend_in_rows,
    pack_short_texts,
    register,
)
from medgauge.models.load import load_model
from tests.models.encoders import references


def slow_attention(query, key, value, allowed, scaling):
    """One text, one head and one piece at a time."""
    texts, heads, length, width = query.shape
    found = np.zeros((texts, length, heads, width))
    for text, head, piece in np.ndindex(texts, heads, length):
        weights = np.exp(key[text, head] @ query[text, head, piece] * scaling) * allowed[text, piece]
        found[text, piece, head] = (weights / weights.sum()) @ value[text, head]
    return found


def some_states(texts, heads, length, width, seed):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((3, texts, length, heads, width)).transpose(0, 1, 3, 2, 4)


def as_tensors(states):
    import torch

    return [torch.from_numpy(np.ascontiguousarray(one, np.float32)) for one in states]


@given(
    texts=st.integers(1, 40),
    length=st.integers(1, 32),
    kind=st.sampled_from(["none", "causal", "padding", "added"]),
    seed=st.integers(0, 99),
)
def test_texts_in_one_row_attend_to_themselves_alone(texts, length, kind, seed):
    import torch

    states = some_states(texts, 2, length, 4, seed)
    allowed = np.ones((texts, length, length))
    mask = None
    if kind == "causal":
        allowed = np.tril(allowed)
    elif kind != "none":
        kept = np.random.default_rng(seed).integers(1, length + 1, texts)
        allowed = np.repeat((np.arange(length) < kept[:, None])[:, None], length, axis=1).astype(float)
        mask = torch.from_numpy(allowed > 0)[:, None]
        if kind == "added":
            mask = torch.zeros(mask.shape).masked_fill(~mask, torch.finfo(torch.float32).min)
    query, key, value = as_tensors(states)
    found = attend_in_rows(query, key, value, mask, 0.5, causal=kind == "causal")
    expected = slow_attention(states[0], states[1], states[2], allowed, 0.5)
    np.testing.assert_allclose(found.numpy(), expected, atol=1e-5)


def test_the_same_row_under_another_mask_is_not_what_was_kept():
    import torch

    query, key, value = as_tensors(some_states(6, 1, 5, 4, 0))
    masks = [torch.ones(6, 1, 5, 5, dtype=torch.bool), torch.ones(6, 1, 5, 5, dtype=torch.bool).tril()]
    one, other, again = (
        attend_in_rows(query, key, value, mask, None, causal=False) for mask in (*masks, masks[0])
    )
    assert not torch.allclose(one, other)
    assert torch.equal(one, again)


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_neither_other_texts_nor_masked_pieces_are_seen_however_large_their_scores_are(dtype):
    """A large score of a neighbour once won over −30,000."""
    import torch

    kind = getattr(torch, dtype)
    signs = torch.tensor([1.0, -1.0, 1.0]).view(3, 1, 1, 1)
    key, query = 180 * signs.expand(3, 1, 2, 1), torch.full((3, 1, 2, 1), 180.0)
    value = torch.arange(6.0).view(3, 1, 2, 1)
    found = attend_in_rows(query.to(kind), key.to(kind), value.to(kind), None, 1.0, causal=False)
    assert found.flatten().tolist() == [0.5, 0.5, 2.5, 2.5, 4.5, 4.5]
    if dtype != "float16":  # whose least number is not far below the scores
        only_first = torch.tensor([True, False]).expand(3, 1, 2, 2)
        key = key * torch.tensor([-1.0, 1.0]).view(1, 1, 2, 1)
        found = attend_in_rows(query.to(kind), key.to(kind), value.to(kind), only_first, 1.0, causal=False)
        assert found.flatten().tolist() == [0, 0, 2, 2, 4, 4]


def test_texts_of_which_everything_is_masked_stay_numbers():
    import torch

    query, key, value = as_tensors(some_states(3, 1, 4, 4, 0))
    nothing = torch.zeros(3, 1, 4, 4, dtype=torch.bool)
    assert torch.isfinite(attend_in_rows(query, key, value, nothing, None, causal=False)).all()


@pytest.mark.parametrize(
    "shape", [(6, 2, 5, 5), (1, 2, 5, 5), (5, 5), (6, 1, 5, 1), (6, 1, 1, 5), (1, 1, 5, 5), (6, 1, 5, 5)]
)
def test_masks_of_any_shape_are_those_of_the_library(shape):
    """Masks that differ between heads were taken from the first head."""
    import torch
    from transformers.integrations.sdpa_attention import sdpa_attention_forward

    query, key, value = as_tensors(some_states(6, 2, 5, 4, 0))
    mask = torch.from_numpy(np.random.default_rng(1).standard_normal(shape).astype(np.float32))
    module = torch.nn.Module()
    found, _ = attend(module, query, key, value, mask, 0.0, 0.5, False)
    expected, _ = sdpa_attention_forward(module, query, key, value, mask, 0.0, 0.5, is_causal=False)
    torch.testing.assert_close(found, expected, atol=1e-5, rtol=0)


def test_masks_begin_at_places_that_the_kernel_can_read():
    import torch

    for length in range(1, 33):
        mask = short_attention._apart(64 // length, length, False, torch.bfloat16, torch.device("cpu"))
        assert mask.stride(-1) == 1
        assert mask.stride(-2) % 16 == 0


@pytest.fixture
def packed(monkeypatch):
    """Let a model on a processor compute as on a GPU; count what is computed in rows."""
    calls = []

    def counted(*given, **options):
        calls.append(given[0].shape)
        return attend_in_rows(*given, **options)

    def pack(model, place):
        assert place == Place("cpu", "float32")
        register()
        model.set_attn_implementation(short_attention._NAME)

    monkeypatch.setattr(short_attention, "attend_in_rows", counted)
    monkeypatch.setattr("medgauge.models.encoders.transformer.pack_short_texts", pack)
    monkeypatch.setattr("medgauge.models.encoders.sentence.pack_short_texts", pack)
    return calls


TERMS = ["kidney", "acute renal failure", "heart", "heart attack of disease", "failure", "nephritis"] * 3


@pytest.mark.parametrize("name", ["bert", "gpt"])
def test_models_that_attend_in_rows_give_the_same_vectors(name, packed, request):
    folder = request.getfixturevalue(name)
    expected = [references.encode(folder, term) for term in TERMS]
    found = load_model(f"hf:{folder}", cached=False).encode(TERMS)
    np.testing.assert_allclose(found, expected, atol=1e-5)
    assert packed


def test_sentence_models_that_attend_in_rows_give_the_same_vectors(sentence_model, packed):
    from sentence_transformers import SentenceTransformer

    expected = SentenceTransformer(str(sentence_model), device="cpu").encode(TERMS)
    found = load_model(f"st:{sentence_model}", cached=False).encode(TERMS)
    np.testing.assert_allclose(found, expected, atol=1e-5)
    assert packed


def test_long_texts_have_a_row_each(bert, packed):
    long = "heart attack " * 17
    found = load_model(f"hf:{bert}", cached=False).encode([long, long + "kidney"])
    np.testing.assert_allclose(
        found, [references.encode(bert, text) for text in (long, long + "kidney")], atol=1e-5
    )
    assert not packed


def test_models_on_a_processor_or_with_attention_of_their_own_are_left_as_they_are(bert):
    from transformers import AutoModel

    model = AutoModel.from_pretrained(bert)
    pack_short_texts(model, Place("cpu", "float32"))
    assert model.config._attn_implementation == "sdpa"
    eager = AutoModel.from_pretrained(bert, attn_implementation="eager")
    pack_short_texts(eager, Place("cuda", "bfloat16"))
    assert eager.config._attn_implementation == "eager"
    model.config.index_topk = 8
    pack_short_texts(model, Place("cuda", "bfloat16"))
    assert model.config._attn_implementation == "sdpa"
    del model.config.index_topk
    pack_short_texts(model, Place("cuda", "bfloat16"))
    assert model.config._attn_implementation == "medgauge_short"


@pytest.mark.parametrize("name", ["bert", "gpt"])
def test_no_mask_is_looked_at(name, packed, monkeypatch, request):
    """To look at a value on a GPU is to wait for all it has yet to do."""
    from transformers import masking_utils

    def unless_there_is_a_mask(usual):
        def asked(padding_mask, *given, **options):
            assert padding_mask is None
            return usual(padding_mask, *given, **options)

        return asked

    for asked in ("_ignore_bidirectional_mask_sdpa", "_ignore_causal_mask_sdpa"):
        monkeypatch.setattr(masking_utils, asked, unless_there_is_a_mask(getattr(masking_utils, asked)))
    load_model(f"hf:{request.getfixturevalue(name)}", cached=False).encode(TERMS)
    assert packed
