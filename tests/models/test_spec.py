from pathlib import Path

import pytest

from medgauge.errors import InputError, UnknownNameError
from medgauge.models.spec import ModelSpec, parse_spec, split_label, split_service


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("st:all-MiniLM", ModelSpec("st", "all-MiniLM")),
        ("hf:a/b?pooling=cls", ModelSpec("hf", "a/b", {"pooling": "cls"})),
        (
            "st:m?prompt=query%3A%20&truncate_dim=64",
            ModelSpec("st", "m", {"prompt": "query: ", "truncate_dim": "64"}),
        ),
        ("st:m?prompt=a=b", ModelSpec("st", "m", {"prompt": "a=b"})),
        ("st:m?prompt=what?", ModelSpec("st", "m", {"prompt": "what?"})),
        ("api:m@http://localhost:1/v1", ModelSpec("api", "m@http://localhost:1/v1")),
    ],
)
def test_a_spec_has_a_kind_a_name_and_options(text: str, spec: ModelSpec) -> None:
    assert parse_spec(text) == spec


@pytest.mark.parametrize("text", ["levenshtein", "vectors.bin", "C:/vectors.bin", "a/st:b.bin", "St:folder"])
def test_other_texts_are_not_specs(text: str) -> None:
    assert parse_spec(text) is None


def test_a_file_with_the_name_of_a_spec_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("st:vectors.bin").touch()
    assert parse_spec("st:vectors.bin") is None


@pytest.mark.parametrize("text", ["st:", "st:?prompt=x", "st:m?prompt", "st:m?=x", "st:m?a=1&a=2", "st:m?"])
def test_bad_specs_are_refused(text: str) -> None:
    with pytest.raises(InputError):
        parse_spec(text)


def test_a_spec_can_be_written_again() -> None:
    assert parse_spec(str(parse_spec("hf:a/b?pooling=cls&layers=-4..-1"))) == parse_spec(
        "hf:a/b?pooling=cls&layers=-4..-1"
    )


def test_values_with_special_characters_can_be_written_again() -> None:
    spec = ModelSpec("st", "m", {"prompt": "a&b=50%? c"})
    assert parse_spec(str(spec)) == spec


def test_a_label_has_no_colon_or_question_mark() -> None:
    assert split_label("mine=hf:b?pooling=cls") == ("mine", "hf:b?pooling=cls")
    assert split_label("hf:b?pooling=cls") == (None, "hf:b?pooling=cls")
    with pytest.raises(InputError, match="no file or model follows 'mine='"):
        split_label("mine=")


def test_a_service_is_split_at_its_last_address() -> None:
    assert split_service("a@https://b@http://localhost:1/v1", "api") == (
        "a@https://b",
        "http://localhost:1/v1",
    )
    for bad in ("model", "@http://localhost/v1", "model@localhost"):
        with pytest.raises(InputError, match="write api:MODEL@URL"):
            split_service(bad, "api")


def test_options_are_checked() -> None:
    spec = ModelSpec("hf", "b", {"pooling": "sum", "truncate_dim": "0", "special_tokens": "maybe"})
    with pytest.raises(UnknownNameError, match="there is no pooling of hf: 'sum'"):
        spec.choice("pooling", ("mean", "cls"), "mean")
    with pytest.raises(InputError, match="truncate_dim=0 of hf: is not a positive whole number"):
        spec.number("truncate_dim")
    with pytest.raises(UnknownNameError, match="choose from: yes, no"):
        spec.flag("special_tokens", default=False)
    assert spec.number("missing") is None
