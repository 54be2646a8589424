import os
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from medgauge.errors import FileError, InputError, UnknownNameError
from medgauge.files import digests
from medgauge.models.lexical import baselines
from medgauge.models.load import check_names, default_name, load_model
from tests.vectors import some_vectors, write_binary, write_text


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Note the files whose digest is computed."""
    computed = []
    compute = digests.sha256_of

    def noting(path: Path) -> str:
        computed.append(path)
        return compute(path)

    monkeypatch.setattr(digests, "sha256_of", noting)
    return computed


@pytest.mark.parametrize("name", ["levenshtein", "token-jaccard", "char-tfidf", "random"])
def test_a_baseline_is_loaded_by_its_name(name: str) -> None:
    assert load_model(name).card.name == name


def test_the_seed_is_the_random_baselines() -> None:
    assert load_model("random", seed=5) == baselines(5)["random"]


def test_a_model_is_named_after_its_file(tmp_path: Path) -> None:
    path = write_binary(tmp_path / "BioWordVec.vec.bin", some_vectors("heart"))
    assert load_model(path).card.name == "BioWordVec"
    assert load_model(str(path), name="mine").card.name == "mine"


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("glove.6B.50d.txt", "glove.6B.50d"),
        ("PMC-w2v.bin.gz", "PMC-w2v"),
        ("model", "model"),
        ("terms.parquet", "terms"),
        ("terms.npz", "terms"),
        (".bin", ".bin"),
    ],
)
def test_known_endings_are_no_part_of_a_name(file: str, name: str) -> None:
    assert default_name(Path("folder") / file) == name


def test_a_card_says_what_the_file_is_and_how_it_is_read(tmp_path: Path) -> None:
    path = write_text(tmp_path / "v.txt", some_vectors("heart", dim=6), header=False)
    card = load_model(path, tokenizer="whitespace", case="keep").card
    assert (card.family, card.format, card.dim) == ("words", "GloVe text", 6)
    assert (card.tokenizer, card.case) == ("whitespace", "keep")
    assert card.digest == sha256(path.read_bytes()).hexdigest()


def test_a_card_of_a_fasttext_model(fasttext_file: Path) -> None:
    card = load_model(fasttext_file).card
    assert (card.name, card.family, card.format, card.dim) == ("tiny", "words", "fastText model", 8)
    assert (card.tokenizer, card.case) == ("words", "fallback")


def test_a_card_of_a_term_table(tmp_path: Path) -> None:
    path = tmp_path / "terms.npz"
    np.savez(path, terms=np.array(["a", "b"]), vectors=np.ones((2, 3)))
    card = load_model(path, case="lower").card
    assert (card.name, card.family, card.format, card.dim) == ("terms", "vectors", "term vectors (npz)", 3)
    assert (card.tokenizer, card.case) == (None, "lower")


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(
        UnknownNameError, match=r"no model \(or file\) 'levenstein'; did you mean 'levenshtein'"
    ):
        load_model("levenstein")


def test_a_name_like_no_other_is_answered_with_all_names() -> None:
    with pytest.raises(UnknownNameError, match="choose from: levenshtein, token-jaccard, char-tfidf, random"):
        load_model("zzz")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"v\.bin: there is no such file"):
        load_model(tmp_path / "v.bin")


def test_a_file_may_be_called_like_a_baseline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_text(tmp_path / "random", some_vectors("heart"))
    monkeypatch.chdir(tmp_path)
    assert load_model(path).card.family == "words"
    assert load_model("./random").card.family == "words"
    assert load_model("random").card.family == "pairs"


def test_a_digest_is_computed_once(tmp_path: Path, hashed: list[Path]) -> None:
    path = write_text(tmp_path / "v.txt", some_vectors("heart"))
    first = load_model(path).card.digest
    assert load_model(path).card.digest == first
    assert hashed == [path]


def test_a_changed_file_gets_a_new_digest(tmp_path: Path, hashed: list[Path]) -> None:
    path = write_text(tmp_path / "v.txt", some_vectors("heart"))
    first = load_model(path).card.digest
    write_text(path, some_vectors("heart", "attack"))
    second = load_model(path).card.digest
    assert second == sha256(path.read_bytes()).hexdigest() != first
    assert hashed == [path, path]


def test_a_file_changed_within_its_size_gets_a_new_digest(tmp_path: Path) -> None:
    path = write_binary(tmp_path / "v.bin", some_vectors("heart", seed=1))
    first = load_model(path).card.digest
    state = path.stat()
    write_binary(path, some_vectors("heart", seed=2))
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns + 1))
    assert load_model(path).card.digest != first


def test_a_cache_that_cannot_be_written_only_costs_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hashed: list[Path]
) -> None:
    in_the_way = tmp_path / "cache"
    in_the_way.write_text("a file")
    monkeypatch.setenv("XDG_CACHE_HOME", str(in_the_way))
    path = write_text(tmp_path / "v.txt", some_vectors("heart"))
    assert load_model(path).card.digest == load_model(path).card.digest
    assert hashed == [path, path]


def test_two_models_of_one_name_are_refused() -> None:
    check_names(["a", "b"])
    with pytest.raises(InputError, match=r"two models are called .a.; rename one of them"):
        check_names(["a", "b", "a"])


@pytest.mark.parametrize("option", ["tokenizer", "case", "undecodable"])
def test_a_choice_that_there_is_not_is_refused(option: str) -> None:
    with pytest.raises(UnknownNameError, match=r"there is no .* 'bogus'"):
        load_model("levenshtein", **{option: "bogus"})


@pytest.mark.parametrize("price", [-1.0, float("nan"), float("inf")])
def test_a_price_that_cannot_be_one_is_refused(price: float) -> None:
    with pytest.raises(InputError, match="must be a number from 0 up"):
        load_model("levenshtein", price=price)


def test_a_budget_for_nothing_is_refused() -> None:
    with pytest.raises(InputError, match=r"at least 1 \(max_tokens=\)"):
        load_model("levenshtein", max_tokens=0)


def test_a_baseline_can_have_another_name() -> None:
    model = load_model("levenshtein", name="edit")
    assert model.card.name == "edit"
    assert model.card.digest == load_model("levenshtein").card.digest


def test_passing_over_undecodable_words_is_on_the_card(tmp_path: Path) -> None:
    path = write_binary(tmp_path / "v.bin", some_vectors("a"))
    assert load_model(path).card.parameters == {}
    assert load_model(path, undecodable="skip").card.parameters == {"undecodable": "skip"}


def test_a_file_name_that_is_no_text_gives_a_name_that_is() -> None:
    assert default_name(Path(os.fsdecode(b"\xff.bin"))) == "?"


def test_a_baseline_is_found_in_any_case_unless_a_file_has_the_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert load_model("Levenshtein").card.name == "levenshtein"
    write_binary(tmp_path / "Levenshtein", some_vectors("a", "b"))
    assert load_model("Levenshtein").card.family == "words"
    assert load_model("levenshtein").card.family == "pairs"
