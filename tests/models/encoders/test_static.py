import logging
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgauge.errors import CoverageWarning
from medgauge.evaluation.evaluate import evaluate
from medgauge.models.encoders import static
from medgauge.models.encoders.static import unknown_token
from medgauge.models.load import load_model
from medgauge.models.terms import vectors_of
from medgauge.pairs import Card, PairSet
from medgauge.progress import hearing
from tests.models.encoders.static_reference import static_vector
from tests.support.static_folders import WORDS, made_rows, word_pieces, write_static

TERMS = [
    "Heart attack",
    "heart",
    "acute heart attacks",
    "lung",
    "heart kidney",
    "lungs - unknown lung",
    "heart heart",
]
MAPPING = np.array([0, 1, 2, 2, 3, 1, 0, 3, 2, 1])
WEIGHTS = (made_rows()[:, 0] + 2).copy()
QUANTISED = {"embeddings": made_rows(4), "mapping": MAPPING, "weights": WEIGHTS}

logging.getLogger("model2vec").setLevel(logging.ERROR)


def from_model2vec(folder: Path, texts: list[str]) -> Any:
    from model2vec import StaticModel

    return StaticModel.from_pretrained(folder).encode(texts)


def encode(folder: Path, texts: list[str]) -> np.ndarray:
    return load_model(f"static:{folder}").encode(texts)


@pytest.mark.parametrize(
    ("arrays", "within"),
    [
        ({"embeddings": made_rows()}, 1e-6),
        ({"embeddings": made_rows().astype(np.float64)}, 1e-6),
        ({"embeddings": made_rows().astype(np.float16)}, 2e-3),  # model2vec rounds its means to 16 bits
        ({"embeddings": (100 * made_rows()).astype(np.int8)}, 1e-5),
        ({"embeddings": made_rows(), "weights": WEIGHTS}, 1e-6),
        (QUANTISED, 1e-6),
    ],
)
@pytest.mark.parametrize("normalize", [True, False])
def test_the_vectors_are_those_of_model2vec(
    tmp_path: Path, arrays: dict[str, np.ndarray], within: float, normalize: bool
) -> None:
    folder = write_static(tmp_path / "tiny", arrays, {"normalize": normalize})
    expected = from_model2vec(folder, TERMS)
    assert encode(folder, TERMS) == pytest.approx(np.asarray(expected, np.float32), abs=within)


@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize("normalize", [True, False])
def test_the_vectors_are_those_of_sentence_transformers(
    tmp_path: Path, normalize: bool, nested: bool
) -> None:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Normalize, StaticEmbedding

    embedding = StaticEmbedding(word_pieces(), embedding_weights=made_rows())
    model = SentenceTransformer(modules=[embedding, *([Normalize()] if normalize else [])], device="cpu")
    model.save_pretrained(str(tmp_path))
    if nested:  # as earlier releases wrote it
        (tmp_path / "0_StaticEmbedding").mkdir(exist_ok=True)
        for name in ("model.safetensors", "tokenizer.json"):
            (tmp_path / name).replace(tmp_path / "0_StaticEmbedding" / name)
    assert encode(tmp_path, TERMS) == pytest.approx(model.encode(TERMS), abs=1e-6)


texts = st.lists(
    st.lists(
        st.sampled_from(["heart", "attacks", "Lung", "unknown", "xyz", "-"]), min_size=1, max_size=6
    ).map(" ".join),
    min_size=1,
    max_size=8,
)


@settings(max_examples=40)
@given(some=texts, size=st.integers(1, 9), normalize=st.booleans(), quantised=st.booleans())
def test_batch_size_and_order_change_nothing(
    tmp_path_factory: pytest.TempPathFactory, some: list[str], size: int, normalize: bool, quantised: bool
) -> None:
    arrays = QUANTISED if quantised else {"embeddings": made_rows()}
    folder = write_static(tmp_path_factory.mktemp("static"), arrays, {"normalize": normalize})
    tokenizer = word_pieces()
    tokenizer.no_padding()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(static, "_TEXTS_AT_ONCE", size)
        found = encode(folder, some)
    for text, row in zip(some, found, strict=True):
        tokens = [token for token in tokenizer.encode(text, add_special_tokens=False).ids if token != 1]
        if not tokens:
            assert np.isnan(row).all()
            continue
        parts = (arrays["embeddings"], arrays.get("mapping"), arrays.get("weights"))
        expected = static_vector(tokens, parts[0], mapping=parts[1], weights=parts[2], normalize=normalize)
        assert row.tolist() == pytest.approx(expected, abs=1e-5)


def test_a_text_without_a_known_token_is_not_covered(tmp_path: Path) -> None:
    terms = vectors_of(load_model(f"static:{write_static(tmp_path)}"), ["heart", "kidney", "lung"])
    assert terms.covered.tolist() == [True, False, True]


def test_a_pair_with_such_a_text_is_left_out(tmp_path: Path) -> None:
    rows = [
        ("heart", "lung", 1.0),
        ("heart", "kidney", 2.0),
        ("heart attack", "attack", 3.0),
        ("lung", "acute", 0.0),
    ]
    pairs = PairSet.of(rows, card=Card(name="tiny", title="Tiny"))
    with pytest.warns(CoverageWarning, match="can score only 3 of 4 pairs"):
        run = evaluate([f"static:{write_static(tmp_path)}"], [pairs], measures="cos")
    assert [(one.covered, one.undefined) for one in run.coverage] == [(3, 0)]
    assert np.isfinite(run.figures[0].value)


def test_tokens_past_the_longest_are_cut_off_and_reported(tmp_path: Path) -> None:
    folder = write_static(tmp_path, config={"normalize": False, "max_length": 2})
    texts = ["- - lung", "-", "- -"]  # model2vec also cuts characters, at twice the median length of a token
    expected = from_model2vec(folder, texts)
    said: list[str] = []
    with hearing(said.append):
        found = encode(folder, texts)
    assert said == [f"{folder.name}: 1 of 3 terms are longer than the model's context, and were cut"]
    assert found == pytest.approx(expected, abs=1e-6)
    assert (found[0] == found[2]).all()


def test_a_mean_of_zero_stays_zero(tmp_path: Path) -> None:
    folder = write_static(tmp_path, {"embeddings": np.zeros((10, 6), np.float32)})
    assert (encode(folder, ["heart"]) == 0).all()


@pytest.mark.parametrize(
    ("model", "unknown"),
    [
        ("WordPiece", 1),
        ("BPE", None),
        ("Unigram", 2),
    ],
)
def test_the_unknown_token_of_each_kind_of_tokenizer(model: str, unknown: int | None) -> None:
    from tokenizers import Tokenizer, models

    made = {
        "WordPiece": word_pieces,
        "BPE": lambda: Tokenizer(models.BPE({"a": 0, "b": 1}, [])),
        "Unigram": lambda: Tokenizer(models.Unigram([("a", -1.0), ("b", -2.0), ("?", -9.0)], unk_id=2)),
    }
    assert unknown_token(made[model]()) == unknown


def test_card_and_facts_are_known_before_the_vectors_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(static, "read_table", None)
    (write_static(tmp_path / "tiny") / "README.md").write_text("---\nlicense: mit\n---\n")
    model: Any = load_model(f"static:{tmp_path / 'tiny'}")
    card = model.card
    assert (card.name, card.family, card.dim, card.licence) == ("tiny", "vectors", 6, "mit")
    assert model.source.facts() == {
        "model": str(tmp_path / "tiny"),
        "kind": "static vectors of tokens",
        "architecture": "10 vectors",
        "parameters": 60,
        "dim": 6,
        "pooled": "mean of the tokens, normalised",
        "context": 512,
        "trained_on": "not known",
        "licence": "mit",
        "sha256": card.digest,
    }


def test_the_digest_covers_weights_tokenizer_and_configuration(tmp_path: Path) -> None:
    folders = [
        write_static(tmp_path / "plain"),
        write_static(tmp_path / "scaled", {"embeddings": 2 * made_rows()}),
        write_static(tmp_path / "other", tokenizer=word_pieces([*WORDS[:-1], "+"])),
        write_static(tmp_path / "raw", config={}),
    ]
    assert len({load_model(f"static:{folder}").card.digest for folder in folders}) == 4
