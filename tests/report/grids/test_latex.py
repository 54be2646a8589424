import re

import numpy as np
import pytest

from medgauge.evaluation.evaluate import evaluate
from medgauge.report.grids.grid import Cell, Grid
from medgauge.report.grids.latex import escape_latex, to_latex
from medgauge.report.run_tables import grids
from tests.latex import compiled
from tests.report.grids.test_grid import GRID
from tests.runs import Laid, noisy, pair_set

SETS = [
    *("hliaoutakis", "minimayosrs-physicians", "minimayosrs-coders", "minimayosrs", "mayosrs", "umnsrs-sim"),
    *(
        "umnsrs-rel",
        "umnsrs-sim-mod",
        "umnsrs-rel-mod",
        "bio-simlex",
        "bio-simverb",
        "ehr-rel-a",
        "ehr-rel-b",
    ),
    *("simlex-999", "simverb-3500"),
]
MODELS = [
    *("glove.6B.300d", "PubMed-w2v-window30", "BioWordVec_PubMed_MIMICIII_d200", "biomed-sg-w5"),
    *("SapBERT-from-PubMedBERT-fulltext", "fasttext-wiki-news-subwords-300", "char-tfidf", "token-jaccard"),
    *("levenshtein", "random", "all-MiniLM-L6-v2", "cui2vec_pretrained"),
]


def run_of(models, sets=SETS):
    gold = np.arange(40.0)
    laid = {name: Laid(noisy(gold, 20 + 8 * number, number)) for number, name in enumerate(MODELS[:models])}
    return evaluate(laid, [pair_set(gold, name=name) for name in sets])


def test_latex_is_a_booktabs_table_with_everything_escaped():
    text = to_latex(GRID)
    for rule in (r"\toprule", r"\midrule", r"\bottomrule", r"\begin{tabular}{llr}"):
        assert rule in text
    assert r"my\_model" in text
    assert r"a\textbar{}b 50\% & 1/2 & undefined \\" in text
    assert r"bio-simlex $\rho$ & 894/988 & \textbf{0.615 [0.57, 0.66]} \\" in text


def test_latex_escapes_every_special_character():
    assert escape_latex(r"\&%$#_{}~^") == (
        r"\textbackslash{}\&\%\$\#\_\{\}\textasciitilde{}\textasciicircum{}"
    )


def test_latex_keeps_a_bracket_at_the_start_of_a_row_from_its_rule_and_sets_minus_signs():
    assert escape_latex("[D] asthma") == "{}[D] asthma"
    assert escape_latex("-0.112 [-0.43, 0.23] avg-cos 1-2") == "$-$0.112 [$-$0.43, 0.23] avg-cos 1-2"


def test_latex_sets_less_and_greater_as_mathematics():
    """In LaTeX's default encoding a bare < prints as an inverted exclamation mark."""
    assert escape_latex("p < 0.001 > 0") == "p $<$ 0.001 $>$ 0"


def test_a_newline_in_a_name_does_not_break_a_row_of_latex():
    assert "a b \\\\" in to_latex(Grid("T", ["set"], [[Cell("a\nb")]]))


def test_a_range_of_ranks_keeps_its_dash():
    assert escape_latex("1 [1–2], -0.3") == "1 [1--2], $-$0.3"


def test_a_star_and_two_hyphens_stay_what_they_are():
    assert escape_latex("*star") == "{}*star"
    assert escape_latex("--resamples") == "-{}-resamples"
    assert escape_latex('"β"') == r"''$\beta$''"


def test_a_superscript_stands_beside_bold_text():
    grid = Grid("T", ["m", "x"], [[Cell("a"), Cell("0.5", bold=True, raised="+1/−2")]])
    assert r"\textbf{0.5}\textsuperscript{+1/$-$2}" in to_latex(grid)


def test_a_table_too_wide_for_normal_type_is_set_small():
    wide = Grid("T", [f"c{number}" for number in range(12)], [[Cell("0.123")] * 12])
    assert r"\footnotesize" in to_latex(wide)
    assert r"\footnotesize" not in to_latex(GRID)


def test_an_interval_below_its_figure_is_small():
    cells = [Cell("0.615", bold=True, interval="[0.570, 0.660]"), Cell("0.500")] * 3
    lines = to_latex(Grid("T", ["set", *"abcdef"], [[Cell("s"), *cells]])).splitlines()
    below = lines[lines.index(r"\midrule") + 2]
    assert below.startswith(r" & {\scriptsize {}[0.570, 0.660]} &  & {\scriptsize")


def test_only_the_first_of_several_tables_has_the_notes():
    wide = Grid(
        "T", ["set", *(f"a-long-name-{k}" for k in range(30))], [[Cell("s"), *[Cell("0.123")] * 30]], ["N."]
    )
    assert re.findall(r"\\caption\{(.*)\}", to_latex(wide))[:2] == ["T. N.", "T (continued)."]


@pytest.mark.parametrize("models", [1, 6, pytest.param(12, marks=pytest.mark.slow)])
def test_a_table_of_fifteen_sets_fits_a_portrait_page(models, tmp_path):
    said = compiled([to_latex(grid) for grid in grids(run_of(models))], tmp_path)
    assert "Overfull" not in said
    assert "too large" not in said


def test_a_table_of_measures_fits_a_portrait_page(tmp_path):
    """Ten columns of figures, with names such as avg_spearman, were wider than the page."""
    names = [f"{how}_{what}" for how in ("avg", "pair") for what in ("cos", "pearson", "spearman", "kendall")]
    cell = Cell("0.512", bold=True, raised="+9/−9")
    rows = [
        [Cell(model), Cell(name), Cell("3076"), *[cell] * 10] for model in MODELS[:3] for name in SETS[:5]
    ]
    grid = Grid("T", ["model", "set", "pairs", *names, "fj", "mj"], rows, labels=3)
    assert "Overfull" not in compiled([to_latex(grid)], tmp_path)
