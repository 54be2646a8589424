"""The tokenizer against one that goes from character to character, and against the words of terms."""

import unicodedata

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge.corpus.biomedical_tokens import _MAY_COMPOSE, cut, tokenize_text, tokens_of
from medgauge.models.tokens import tokenize

PLAIN = {"’": "'", "ʼ": "'", "′": "'", "‐": "-", "‑": "-", "\u00ad": ""}


def kind(sign):
    """Return letter, digit, mark, sign or nothing for a character."""
    category = unicodedata.category(sign)
    if category == "Nd":
        return "digit"
    return {"L": "letter", "N": "letter", "M": "mark", "P": "sign", "S": "sign"}.get(category[0], "")


def length_of_unit(text, at):
    """Return the length of the number or letter, with its marks, that begins at a place; 0 if none does."""
    end = at
    while end < len(text) and kind(text[end]) == "digit":
        end += 1
        if text[end : end + 1] == "'":
            end += 1
            if not (text[end : end + 1] in (".", ",") and text[end + 1 : end + 2].isdecimal()):
                break
        if text[end : end + 1] in (".", ",") and text[end + 1 : end + 2].isdecimal():
            end += 1
    if end == at and end < len(text) and kind(text[end]) == "letter":
        end += 1
    while end > at and end < len(text) and kind(text[end]) == "mark":
        end += 1
    return end - at


def length_of_run(text, at):
    end = at
    while unit := length_of_unit(text, end):
        end += unit
    return end - at


def slow_tokens(text):
    """Split a text as the module says, character by character."""
    text = unicodedata.normalize("NFC", text)
    text = "".join(PLAIN.get(sign, sign) for sign in text)
    tokens, at = [], 0
    while at < len(text):
        end = at + length_of_run(text, at)
        if end > at:
            for joint in ("'-", "'", "-") * len(text):
                if text.startswith(joint, end) and length_of_run(text, end + len(joint)):
                    end += len(joint) + length_of_run(text, end + len(joint))
        elif kind(text[at]) == "sign":
            end = at + 1
            while end < len(text) and kind(text[end]) == "mark":
                end += 1
        if end > at:
            tokens.append(text[at:end])
        at = max(end, at + 1)
    return tokens


TEXTS = st.text(
    st.sampled_from("aBβ1٣²0.,'-’′‐ \t<%_\u0301\u00ad—")
    | st.characters(exclude_categories=("Cs", "Cn"), max_codepoint=0x2FFF),
    max_size=30,
)


@given(TEXTS)
def test_tokens_are_those_of_the_slow_reference(text):
    assert tokenize_text(text) == slow_tokens(text)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("IL-2, 5-HT and TNF-α", "IL-2|,|5-HT|and|TNF-α"),
        ("anti-inflammatory p<0.05", "anti-inflammatory|p|<|0.05"),
        ("the patients' and Crohn’s disease", "the|patients|'|and|Crohn's|disease"),
        ("5′-AMP at the 5' end, 3',5'-cyclic", "5'-AMP|at|the|5'|end|,|3',5'-cyclic"),
        ("1,25-dihydroxyvitamin, 2.5mg/kg, 50%", "1,25-dihydroxyvitamin|,|2.5mg|/|kg|,|50|%"),
        ("pre- and post-natal--or not", "pre|-|and|post-natal|-|-|or|not"),
        ("CD4+ (Ca2+), e.g. here.", "CD4|+|(|Ca2|+|)|,|e|.|g|.|here|."),
        ("cardio\u00advascular nai\u0308ve \u200b\x00\ue000", "cardiovascular|naïve"),
    ],
)
def test_documented_tokens(text, tokens):
    assert tokenize_text(text) == tokens.split("|")


@given(st.text(st.sampled_from("abC19βé'-‐ /(),:"), max_size=30))
def test_words_of_terms_are_tokens_but_for_the_documented_exceptions(text):
    tokens = set(tokenize_text(text))
    for word in tokenize(text):
        plain = word[-1] not in "'-" and "--" not in word and "''" not in word and "-'" not in word
        if plain and not any(sign.isdigit() for sign in word):
            assert word in tokens


@given(st.lists(TEXTS, max_size=5))
def test_texts_are_split_alone_as_together(texts):
    together = tokens_of(pl.Series(texts, dtype=pl.String)).to_list()
    assert together == [tokenize_text(text) for text in texts]


@given(st.text("ab \t", max_size=40), st.integers(1, 9))
def test_a_cut_text_keeps_its_words_and_fits(text, longest):
    pieces = cut(text, longest)
    assert all(len(piece) <= longest for piece in pieces)
    assert "".join("".join(pieces).split()) == "".join(text.split())
    if all(len(word) <= longest for word in text.split()):
        assert " ".join(pieces).split() == text.split()


def test_every_character_that_composing_changes_is_looked_for():
    signs = [chr(code) for code in range(0x30000) if not 0xD800 <= code < 0xE000]
    changed = [sign for sign in signs if unicodedata.normalize("NFC", sign) != sign]
    parts = [unicodedata.decomposition(sign).split() for sign in signs]
    second = {chr(int(codes[1], 16)) for codes in parts if len(codes) == 2 and codes[0][0] != "<"}
    assert len(changed) > 1000
    assert len(second) > 50
    assert pl.Series([*changed, *second]).str.contains(_MAY_COMPOSE).all()
