import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge.models.encoders.recurrent.characters import CHARACTERS, SENTENCE, character_ids

PADDING = 260


@pytest.mark.parametrize(
    ("word", "ids"),
    [
        # AllenNLP 2.10.1, ELMoCharacterMapper().convert_word_to_char_ids, less 1, which it adds.
        ("<S>", [258, 256, 259]),
        ("</S>", [258, 257, 259]),
        ("Āt", [258, 196, 128, 116, 259]),
        ("Crohn's", [258, 67, 114, 111, 104, 110, 39, 115, 259]),
    ],
)
def test_words_are_spelled_as_by_allennlp(word: str, ids: list[int]) -> None:
    assert character_ids([word], longest=50, room=50).tolist() == [ids + [PADDING] * (50 - len(ids))]


def test_the_words_of_a_sentences_ends_are_marks() -> None:
    assert character_ids(SENTENCE, longest=50, room=0)[:, 1].tolist() == [256, 257]


def test_a_long_word_is_cut_off_between_its_marks() -> None:
    [row] = character_ids(["x" * 70], longest=50, room=7).tolist()
    assert row == [258, *[ord("x")] * 48, 259]


@given(st.lists(st.text(max_size=9), min_size=1, max_size=5), st.integers(3, 20), st.integers(0, 9))
def test_less_room_leaves_out_nothing_but_padding(words: list[str], longest: int, room: int) -> None:
    whole, narrow = (character_ids(words, longest=longest, room=width) for width in (longest, room))
    assert (whole[:, : narrow.shape[1]] == narrow).all()
    assert (whole[:, narrow.shape[1] :] == PADDING).all()
    assert whole.shape == (len(words), longest)
    assert 0 <= whole.min() <= whole.max() < CHARACTERS
