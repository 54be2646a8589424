"""Estimates: the sentences that say why figures are undefined."""

from medgauge.estimate import undefined_sentences


def test_figures_with_the_same_reason_share_a_sentence():
    assert undefined_sentences({}) == []
    assert undefined_sentences({"α": "x", "W": "y", "IAA-1": "x", "IAA-2": "x"}) == [
        "α, IAA-1 and IAA-2 are undefined: x",
        "W is undefined: y",
    ]


def test_a_sentence_names_at_most_some_figures():
    six = dict.fromkeys("abcdef", "x")
    assert undefined_sentences(six, most=6) == ["a, b, c, d, e and f are undefined: x"]
    assert undefined_sentences(six, most=5) == ["a, b, c, d, e and 1 more are undefined: x"]
