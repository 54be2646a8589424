import csv
import io

from medgauge.report.grid import Cell, Grid, escape_latex, to_csv, to_latex, to_markdown

GRID = Grid(
    "Agreement",
    ["set", "pairs", "my_model"],
    [
        [Cell("bio-simlex ρ"), Cell("894/988"), Cell("0.615 [0.57, 0.66]", bold=True)],
        [Cell("a|b 50%"), Cell("1/2"), Cell("undefined")],
    ],
    ["ρ: Spearman's ρ."],
)


def test_markdown_has_a_row_for_each_row_and_escapes_bars():
    lines = to_markdown(GRID).splitlines()
    assert lines[0] == "**Agreement**"
    assert lines[3] == "|---|---:|---:|"
    assert lines[4] == "| bio-simlex ρ | 894/988 | **0.615 [0.57, 0.66]** |"
    assert lines[5].startswith("| a\\|b 50% |")
    assert lines[-1] == "ρ: Spearman's ρ.  "


def test_latex_is_a_booktabs_table_with_everything_escaped():
    text = to_latex(GRID)
    for rule in (r"\toprule", r"\midrule", r"\bottomrule", r"\begin{tabular}{lrr}"):
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


def test_a_newline_in_a_name_does_not_break_a_row():
    grid = Grid("T", ["set"], [[Cell("a\nb")]])
    assert "| a b |" in to_markdown(grid)
    assert "a b \\\\" in to_latex(grid)


def test_csv_can_be_read_back():
    rows = [["a,b", 0.5], ['say "hi"', float("nan")]]
    read = list(csv.reader(io.StringIO(to_csv(["x", "y"], rows))))
    assert read == [["x", "y"], ["a,b", "0.5"], ['say "hi"', "nan"]]


def test_transposing_twice_gives_the_same_grid():
    assert GRID.transposed().transposed() == GRID


def test_columns_keeps_the_labels():
    assert GRID.columns(2, 3).header == ["set", "my_model"]


def test_a_wide_table_is_set_small():
    wide = Grid("T", [f"c{number}" for number in range(12)], [[Cell("0.1")] * 12])
    assert r"\footnotesize" in to_latex(wide)
    assert r"\footnotesize" not in to_latex(GRID)


def test_a_range_of_ranks_keeps_its_dash():
    assert escape_latex("1 [1–2], -0.3") == "1 [1--2], $-$0.3"


def test_superscripts_stand_beside_bold_text():
    grid = Grid("T", ["m", "x"], [[Cell("a"), Cell("0.5", bold=True, raised="+1/−2")]])
    assert r"\textbf{0.5}\textsuperscript{+1/$-$2}" in to_latex(grid)
    assert "**0.5** <sup>+1/−2</sup>" in to_markdown(grid)
    assert grid.rows[0][1].plain == "0.5 +1/−2"


def test_a_star_and_two_hyphens_stay_what_they_are():
    assert escape_latex("*star") == "{}*star"
    assert escape_latex("--resamples") == "-{}-resamples"
    assert escape_latex('"β"') == r"''$\beta$''"
