import unicodedata

import pytest

from medgauge.models.lookup import Tokenizer
from medgauge.models.tokens import forms, tokenize, word_places


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        ("Heart ATTACK", ["Heart", "ATTACK"]),
        ("non-small-cell", ["non-small-cell"]),
        ("Crohn's disease", ["Crohn's", "disease"]),
        ("1-2u/day", ["1-2u", "day"]),
        ("vitamin_B12", ["vitamin", "B12"]),
        ("5,000 IU (10%)", ["5", "000", "IU", "10"]),
        ("-itis 'quoted", ["itis", "quoted"]),
        ("α-tocopherol β₂", ["α-tocopherol", "β₂"]),
        ("心臓 病", ["心臓", "病"]),
        ("", []),
        ("  \t\n", []),
        ("-- ' (…) _ /", []),
    ],
)
def test_words_are_runs_of_letters_digits_hyphens_and_apostrophes(term: str, expected: list[str]) -> None:
    assert tokenize(term) == expected


@pytest.mark.parametrize("apostrophe", ["'", "’", "ʼ"])
def test_typographic_apostrophes_are_written_plain(apostrophe: str) -> None:
    assert tokenize(f"Crohn{apostrophe}s disease") == ["Crohn's", "disease"]


@pytest.mark.parametrize("hyphen", ["-", "\u2010", "\u2011"])
def test_typographic_hyphens_are_written_plain(hyphen: str) -> None:
    assert tokenize(f"X{hyphen}ray") == ["X-ray"]


def test_a_dash_parts_words() -> None:
    assert tokenize("Guillain–Barré") == ["Guillain", "Barré"]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_an_accent_is_one_letter_however_it_is_spelled(form: str) -> None:
    term = unicodedata.normalize(form, "Ménière's œdème")
    assert tokenize(term) == ["M\u00e9ni\u00e8re's", "œd\u00e8me"]


def test_whitespace_keeps_everything_but_white_space() -> None:
    assert tokenize(" H/O:  asthma_x\t(’non’-acute)\n", tokenizer="whitespace") == [
        "H/O:",
        "asthma_x",
        "(’non’-acute)",
    ]


@pytest.mark.parametrize("term", ["", " \t "])
def test_whitespace_finds_no_word_in_white_space(term: str) -> None:
    assert tokenize(term, tokenizer="whitespace") == []


@pytest.mark.parametrize("tokenizer", ["words", "whitespace"])
@pytest.mark.parametrize(
    "term", [" H/O:  asthma_x\t(’non’-acute)\n", "Me\u0301nie\u0300re's\u00a0disease", ""]
)
def test_places_are_those_of_the_words(term: str, tokenizer: Tokenizer) -> None:
    text, places = word_places(term, tokenizer=tokenizer)
    assert [text[start:stop] for start, stop in places] == tokenize(term, tokenizer=tokenizer)


@pytest.mark.parametrize(
    ("word", "case", "expected"),
    [
        ("Aspirin", "fallback", ("Aspirin", "aspirin")),
        ("Aspirin", "lower", ("aspirin",)),
        ("Aspirin", "keep", ("Aspirin",)),
        ("aspirin", "fallback", ("aspirin",)),
        ("aspirin", "lower", ("aspirin",)),
        ("ÉCG", "fallback", ("ÉCG", "écg")),
        ("B12", "fallback", ("B12", "b12")),
        ("12", "fallback", ("12",)),
    ],
)
def test_the_case_says_in_which_forms_a_word_is_looked_up(
    word: str, case: str, expected: tuple[str, ...]
) -> None:
    assert forms(word, case=case) == expected


def test_the_default_looks_a_word_up_as_it_is_and_then_in_lower_case() -> None:
    assert forms("Aspirin") == ("Aspirin", "aspirin")
