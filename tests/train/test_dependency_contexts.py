import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgauge.errors import InputError
from medgauge.train.dependency_contexts import contexts_of
from tests.train import slow_contexts
from tests.train.corpora import SCIENTIST_STANFORD, SCIENTIST_UNIVERSAL, parsed_frame

# Figure 1 of Levy and Goldberg (2014): the contexts of the sentence, after prepositions are collapsed.
FIGURE_1 = {
    "australian": {"scientist/amod-1"},
    "scientist": {"australian/amod", "discovers/nsubj-1"},
    "discovers": {"scientist/nsubj", "star/dobj", "telescope/prep_with"},
    "star": {"discovers/dobj-1"},
    "telescope": {"discovers/prep_with-1"},
}


def contexts(*sentences, **options):
    found = {}
    for _, word, _, context in contexts_of(parsed_frame(list(sentences)), **options).iter_rows():
        found.setdefault(word, set()).add(context)
    return found


def test_the_contexts_are_those_of_figure_1():
    assert contexts(SCIENTIST_STANFORD) == FIGURE_1


def test_universal_dependencies_give_the_same_with_labels_of_their_own():
    other = {
        word: {one.replace("dobj", "obj").replace("prep_with", "obl_with") for one in found}
        for word, found in FIGURE_1.items()
    }
    assert contexts(SCIENTIST_UNIVERSAL) == other


def test_a_preposition_of_several_words_is_one_label():
    # "bleeding in front of the liver", with "front" and "of" fixed to "in" (universaldependencies.org, fixed)
    sentence = [("bleeding", 0, "root"), ("in", 6, "case"), ("front", 2, "fixed"), ("of", 2, "fixed")]
    found = contexts([*sentence, ("the", 6, "det"), ("liver", 1, "nmod")])
    assert found["bleeding"] == {"liver/nmod_in_front_of"}
    assert not {"in", "front", "of"} & set(found)


def test_prepositions_below_each_other_are_one_label():
    sentence = [("came", 0, "root"), ("out", 1, "prep"), ("of", 2, "prep"), ("coma", 3, "pobj")]
    assert contexts(sentence) == {"came": {"coma/prep_out_of"}, "coma": {"came/prep_out_of-1"}}


def test_a_preposition_is_linked_only_to_what_modifies_it():
    sentence = [("left", 0, "root"), ("right", 3, "advmod"), ("before", 1, "prep"), ("dawn", 3, "pobj")]
    assert contexts(sentence) == {
        "left": {"dawn/prep_before"},
        "dawn": {"left/prep_before-1"},
        "right": {"before/advmod-1"},
        "before": {"right/advmod"},
    }


def test_the_mark_of_a_possessive_is_no_preposition():
    sentence = [("patient", 3, "nmod:poss"), ("'s", 1, "case"), ("liver", 0, "root")]
    assert contexts(sentence)["liver"] == {"patient/nmod:poss"}


def test_prepositions_below_each_other_in_a_circle_end():
    sentence = [("in", 2, "prep"), ("of", 1, "prep"), ("coma", 2, "pobj"), ("came", 0, "root")]
    assert isinstance(contexts(sentence), dict)


def test_white_space_in_a_token_becomes_an_underscore():
    assert contexts([("New York", 2, "compound"), ("Hospital", 0, "root")], keep_case=True) == {
        "New_York": {"Hospital/compound-1"},
        "Hospital": {"New_York/compound"},
    }


def test_a_head_outside_the_sentence_is_one_sentence():
    with pytest.raises(InputError, match="a head outside its sentence; make the corpus again"):
        contexts([("gout", 3, "amod"), ("attack", 0, "root")])


RELATIONS = [
    "root",
    "case",
    "fixed",
    "nmod",
    "obl",
    "nmod:poss",
    "obl:agent",
    "prep",
    "pobj",
    "nsubj",
    "punct",
]


@st.composite
def sentences(draw):
    size = draw(st.integers(1, 8))
    words = draw(st.lists(st.sampled_from(["In", "of", "liver", "gout", "'s"]), min_size=size, max_size=size))
    # A head before its token or behind it, but no circle: heads have a higher rank.
    ranks = draw(st.permutations(range(size)))
    rows = []
    for place, word in enumerate(words):
        above = [other + 1 for other in range(size) if ranks[other] > ranks[place]]
        head = draw(st.sampled_from(above)) if above else 0
        rows.append((word, head, draw(st.sampled_from(RELATIONS))))
    return rows


@given(st.lists(sentences(), min_size=1, max_size=4))
@settings(max_examples=200)
def test_contexts_are_those_of_the_slow_version(parsed):
    found = contexts_of(parsed_frame(parsed))
    expected = [(number, *pair) for number, one in enumerate(parsed) for pair in slow_contexts.contexts(one)]
    assert found.select("sentence", "word", "context").rows() == expected
