import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from medgauge.errors import FileError, InputError, MissingExtraError
from medgauge.models.encoders.recurrent import flair as ours
from medgauge.models.load import load_model
from medgauge.models.terms import vectors_of

HIDDEN = 3


class FakeToken:
    def __init__(self, text: str) -> None:
        self.text = text
        self.vectors: dict[str, Any] = {}

    def get_embedding(self, names: list[str]) -> Any:
        return self.vectors[names[0]]


class FakeEmbeddings:
    """Like flair's: a word's vector depends on what stands before it (forward) or after it (backward)."""

    def __init__(self, model: str) -> None:
        path = Path(model)
        if not path.exists():
            path = Path(CACHE[0]) / f"{model}.pt"
            if not path.exists():
                raise ValueError(f'The given model "{model}" is not available or is not a valid path.')
        content = path.read_text()
        if content not in ("forward", "backward"):
            raise EOFError("Ran out of input")
        self.name = str(path)
        self.is_forward_lm = content == "forward"
        self.embedding_length = HIDDEN
        weights = [SimpleNamespace(numel=lambda: 10), SimpleNamespace(numel=lambda: 7)]
        self.lm = SimpleNamespace(nlayers=1, hidden_size=HIDDEN, parameters=lambda: weights)

    def embed(self, sentences: list[list[FakeToken]]) -> None:
        import torch

        for sentence in sentences:
            words = [token.text for token in sentence]
            for place, token in enumerate(sentence):
                read = words[: place + 1] if self.is_forward_lm else words[place:][::-1]
                token.vectors[self.name] = torch.tensor(vector_of(read))


def vector_of(words: list[str]) -> list[float]:
    """Return a vector of the words read so far."""
    return [float(len(words)), float(len(words[-1])), float(ord(words[0][0]))]


def expected(words: list[str]) -> np.ndarray:
    rows = [vector_of(words[: place + 1]) + vector_of(words[place:][::-1]) for place in range(len(words))]
    return np.mean(rows, axis=0)


CACHE: list[Path] = []


@pytest.fixture(autouse=True)
def package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """Install a package flair in memory, with the models test-forward and test-backward in its cache."""
    cache = tmp_path / "cache"
    cache.mkdir()
    CACHE[:] = [cache]
    for direction in ("forward", "backward"):
        (cache / f"test-{direction}.pt").write_text(direction)
    flair, data, embeddings = (ModuleType(name) for name in ("flair", "flair.data", "flair.embeddings"))
    data.__dict__["Sentence"] = lambda words: [FakeToken(word) for word in words]
    embeddings.__dict__["FlairEmbeddings"] = FakeEmbeddings
    for module in (flair, data, embeddings):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    return flair


def opened(spec: str, **options: Any) -> Any:
    return load_model(spec, trust_pickle=True, **options)


def test_a_term_is_the_mean_of_its_words_forward_and_backward() -> None:
    terms = ["heart attack", "acute heart attack", "Lung", "H/O: asthma"]
    found = opened("flair:test").encode(terms)
    words = [["heart", "attack"], ["acute", "heart", "attack"], ["Lung"], ["H", "O", "asthma"]]
    assert found == pytest.approx(np.array([expected(some) for some in words]))
    split = opened("flair:test", tokenizer="whitespace").encode(["H/O: asthma"])
    assert split[0] == pytest.approx(expected(["H/O:", "asthma"]))


@pytest.mark.parametrize("size", [1, 2, 5])
def test_batch_size_and_order_change_nothing(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(ours, "_TERMS_AT_ONCE", size)
    terms = ["a long term of words", "b", "c d", "+", "e f", "g h i"]
    found = opened("flair:test").encode(terms)
    assert found[::-1] == pytest.approx(opened("flair:test").encode(terms[::-1]), nan_ok=True)
    assert np.isnan(found).all(axis=1).tolist() == [False, False, False, True, False, False]


def test_a_term_without_words_is_not_covered() -> None:
    terms = vectors_of(opened("flair:test"), ["heart", "+++"])
    assert terms.covered.tolist() == [True, False]


def test_models_are_named_or_in_a_folder_or_two_files() -> None:
    forward, backward = CACHE[0] / "test-forward.pt", CACHE[0] / "test-backward.pt"
    specs = ["test", CACHE[0], f"{forward}+{backward}", f"{backward}+{forward}"]
    models = [opened(f"flair:{spec}", name="x") for spec in specs]
    assert len({model.card.digest for model in models}) == 1
    assert {model.card.dim for model in models} == {2 * HIDDEN}
    rows = [model.encode(["heart attack"]) for model in models]
    assert all((row == rows[0]).all() for row in rows)


def test_vectors_that_are_not_numbers_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "vector_of", lambda words: [np.nan for _ in words])
    with pytest.raises(InputError, match="test computes values that are infinite or not a number"):
        opened("flair:test").encode(["heart"])


def test_pickles_have_to_be_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "flair", None)
    with pytest.raises(
        InputError,
        match=r"'flair:test': flair's files are pickles, which can run any code.*trust_pickle=True",
    ):
        load_model("flair:test")


def test_the_command_line_names_its_option(medgauge, tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("term_1,term_2,gold\na,b,1\nc,d,2\n")
    done = medgauge("evaluate", "--model", "flair:test", "--dataset", tmp_path / "p.csv")
    assert (done.code, done.out) == (1, "")
    assert "--trust-pickle" in done.err


def test_flair_is_named_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "flair", None)
    with pytest.raises(MissingExtraError, match=r"needs the package flair: run .* install flair"):
        opened("flair:test")


def test_an_unknown_name_is_an_error() -> None:
    with pytest.raises(InputError, match=r"'pubmed-forward': flair cannot open it \(ValueError\)"):
        opened("flair:pubmed")


def test_a_damaged_file_is_an_error(tmp_path: Path) -> None:
    (CACHE[0] / "test-backward.pt").write_text("damaged")
    with pytest.raises(FileError, match=r"test-backward\.pt: flair cannot open it \(EOFError\)"):
        opened(f"flair:{CACHE[0]}")


def test_two_models_of_one_direction_are_an_error() -> None:
    (CACHE[0] / "test-backward.pt").write_text("forward")
    with pytest.raises(InputError, match="both models are forward ones; one of each is needed"):
        opened("flair:test")


def test_one_file_or_a_folder_of_three_are_errors() -> None:
    with pytest.raises(FileError, match="is one of two models"):
        opened(f"flair:{CACHE[0] / 'test-forward.pt'}")
    with pytest.raises(FileError, match="there is no such file"):
        opened("flair:missing.pt")
    (CACHE[0] / "third.pt").write_text("forward")
    with pytest.raises(FileError, match=r"has 3 files \*\.pt; a folder needs two"):
        opened(f"flair:{CACHE[0]}")


def test_flair_computes_where_it_is_told_to(package: ModuleType) -> None:
    opened("flair:test")
    assert not hasattr(package, "device")
    opened("flair:test", device="cpu")
    assert package.__dict__["device"].type == "cpu"


def test_facts_are_those_of_the_models() -> None:
    (CACHE[0] / "README.md").write_text("---\nlicense: mit\n---\n")
    model = opened("flair:test")
    assert model.source.facts() == {
        "model": "test",
        "kind": "Flair",
        "architecture": "forward and backward LSTMs over characters (1 × 3 and 1 × 3 cells)",
        "parameters": 34,
        "dim": 2 * HIDDEN,
        "pooled": "mean of the words",
        "trained_on": "not known",
        "licence": "mit",
        "sha256": model.card.digest,
    }
