import pytest

from medgauge.catalog.aliases import ALIASES, heading, is_header, more_aliases


@pytest.mark.parametrize(
    ("name", "ours"),
    [
        ("Term A", "term_1"),
        ("Term B", "term_2"),
        ("First term", "term_1"),
        ("Begriff 1", "term_1"),
        ("Begriff B", "term_2"),
        ("Wort 1", "term_1"),
        ("Zweiter Begriff", "term_2"),
        ("Terme 1", "term_1"),
        ("Término 2", "term_2"),
        ("Parola 1", "term_1"),
        ("Woord 2", "term_2"),
        ("Mittelwert", "gold"),
        ("Durchschnitt", "gold"),
        ("Bewertung (0–10)", "gold"),
        ("Ähnlichkeit", "gold"),
        ("Moyenne", "gold"),
        ("Puntuación media", "gold"),
        ("Valutazione", "gold"),
        ("Gemiddelde", "gold"),
        ("Ärztin", "annotator"),
        ("Évaluateur", "annotator"),
        ("Calificación", "rating"),
    ],
)
def test_names_in_several_languages_are_known(name, ours):
    assert heading(name) in more_aliases()[ours]


def test_no_name_means_both_terms():
    assert not more_aliases()["term_1"] & more_aliases()["term_2"]


def test_further_names_are_written_as_they_are_compared():
    assert [name for names in more_aliases().values() for name in names if heading(name) != name] == []


def test_further_names_do_not_mean_another_column_than_the_usual_ones():
    for ours in ALIASES:
        others = {alias for other, aliases in ALIASES.items() if other != ours for alias in aliases}
        assert not more_aliases().get(ours, frozenset()) & others, ours


@pytest.mark.parametrize(
    "line",
    [
        ["label", "torn labrum"],
        ["mean", "arterial pressure", "3.5"],
        ["label", "mean", "3,5"],
        ["class", "NYHA class"],
        ["ID1", "ID2"],
        ["score", "Apgar score", ""],
    ],
)
def test_a_line_that_may_be_a_pair_is_not_a_header(line):
    assert not is_header(line)


@pytest.mark.parametrize(
    "line",
    [
        ["term_1", "x"],
        ["Begriff A", "Begriff B", "Häufigkeit", "Notiz"],
        ["label", "mean", "score", "x"],
        ["word1", "word2", *"abcde", "2019"],
    ],
)
def test_a_line_of_names_is_a_header(line):
    assert is_header(line)
