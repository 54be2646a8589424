from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgauge.errors import FileError, MissingExtraError
from medgauge.models.encoders.recurrent import elmo
from medgauge.models.load import load_model
from medgauge.models.terms import vectors_of
from medgauge.models.tokens import tokenize
from tests.models.encoders.recurrent.elmo_reference import elmo_vector
from tests.support.elmo_folders import OPTIONS, made_weights, options_with, write_elmo

TERMS = [
    "Heart attack",
    "heart",
    "H/O: acute heart attack",
    "x" * 70,
    "Ödem der Lunge",
    "heart attack, acute",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_elmo(tmp_path_factory.mktemp("models") / "tiny")


def encode(folder: Path, texts: Sequence[str], **options: object) -> np.ndarray:
    return load_model(f"elmo:{folder}", device="cpu", **options).encode(list(texts))


def test_a_term_is_the_mean_of_layers_and_words(folder: Path) -> None:
    expected = [elmo_vector(tokenize(term), OPTIONS, made_weights(OPTIONS)) for term in TERMS]
    assert encode(folder, TERMS) == pytest.approx(np.array(expected), abs=1e-5)


def test_words_are_split_as_asked(folder: Path) -> None:
    expected = elmo_vector(["H/O:", "asthma"], OPTIONS, made_weights(OPTIONS))
    assert encode(folder, ["H/O: asthma"], tokenizer="whitespace")[0] == pytest.approx(expected, abs=1e-5)


@settings(max_examples=20)
@given(some=st.permutations(TERMS), size=st.integers(1, 4))
def test_batch_size_order_and_company_change_nothing(folder: Path, some: list[str], size: int) -> None:
    model = load_model(f"elmo:{folder}", device="cpu")
    together = dict(zip(TERMS, model.encode(TERMS), strict=True))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(elmo, "_TERMS_AT_ONCE", size)
        for term, row in zip(some, model.encode(some[: size + 2]), strict=False):
            assert row == pytest.approx(together[term], abs=1e-5)


def test_a_term_without_words_is_not_covered(folder: Path) -> None:
    terms = vectors_of(load_model(f"elmo:{folder}", device="cpu"), ["heart", "+++", "attack"])
    assert terms.covered.tolist() == [True, False, True]


def test_the_card_describes_the_model(folder: Path, tmp_path: Path) -> None:
    card = load_model(f"elmo:{folder}").card
    assert (card.name, card.family, card.format, card.dim) == ("tiny", "vectors", "ELMo", 8)
    assert card.licence == "not known"
    write_elmo(tmp_path)
    (tmp_path / "README.md").write_text("---\nlanguage: en\nlicense: apache-2.0\n---\n# A model\n")
    other = load_model(f"elmo:{tmp_path}", name="mine").card
    assert (other.name, other.licence, other.digest) == ("mine", "apache-2.0", card.digest)


def test_the_digest_covers_options_and_weights(folder: Path, tmp_path: Path) -> None:
    digests = {load_model(f"elmo:{folder}").card.digest}
    write_elmo(tmp_path / "clipped", options_with(cell_clip=3), made_weights(OPTIONS))
    write_elmo(tmp_path / "scaled", OPTIONS, made_weights(OPTIONS, scale=0.5))
    digests |= {load_model(f"elmo:{tmp_path / name}").card.digest for name in ("clipped", "scaled")}
    assert len(digests) == 3


def test_facts_are_known_before_the_weights_are_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elmo, "read_weights", None)
    model = load_model(f"elmo:{folder}", device="cpu")
    assert model.source.facts() == {
        "model": str(folder),
        "kind": "ELMo",
        "architecture": "character CNN, 2 × 2 LSTMs of 6 cells",
        "parameters": sum(array.size for array in made_weights(OPTIONS).values()),
        "dim": 8,
        "pooled": "mean of 3 layers, then of the words",
        "device": "cpu",
        "trained_on": "not known",
        "licence": "not known",
        "sha256": model.card.digest,
    }


def test_the_files_may_have_their_published_names(folder: Path, tmp_path: Path) -> None:
    write_elmo(tmp_path)
    published = "elmo_2x4096_512_2048cnn_2xhighway"
    (tmp_path / "options.json").rename(tmp_path / f"{published}_options.json")
    (tmp_path / "weights.hdf5").rename(tmp_path / f"{published}_weights_PubMed_only.hdf5")
    assert (encode(tmp_path, TERMS) == encode(folder, TERMS)).all()


def test_a_folder_without_weights_is_refused(tmp_path: Path) -> None:
    (write_elmo(tmp_path) / "weights.hdf5").unlink()
    with pytest.raises(FileError, match=r"has no file weights\.hdf5; give the folder of the whole model"):
        load_model(f"elmo:{tmp_path}")


def test_a_wrong_shape_is_refused_before_anything_is_encoded(tmp_path: Path) -> None:
    write_elmo(tmp_path, options_with(n_layers=3), made_weights(OPTIONS))
    with pytest.raises(FileError, match=r"weights\.hdf5: has no dataset RNN_0/RNN/MultiRNNCell/Cell2"):
        load_model(f"elmo:{tmp_path}")


def test_weights_that_are_not_finite_are_refused(tmp_path: Path) -> None:
    weights = made_weights(OPTIONS)
    weights["CNN_proj/b_proj"][0] = np.nan
    problem = r"weights\.hdf5: CNN_proj/b_proj has values that are infinite or not a number"
    with pytest.raises(FileError, match=problem):
        encode(write_elmo(tmp_path, weights=weights), ["heart"])


def test_torch_is_an_extra(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elmo, "find_spec", {}.get)
    with pytest.raises(MissingExtraError, match=r"needs the package torch: run .*\[elmo\]"):
        load_model(f"elmo:{folder}")
