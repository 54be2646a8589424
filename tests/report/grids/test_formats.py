from medgauge.report.grids.formats import to_html, to_markdown
from medgauge.report.grids.grid import Cell, Grid
from tests.report.grids.test_grid import GRID


def test_markdown_has_a_row_for_each_row_and_escapes_bars():
    lines = to_markdown(GRID).splitlines()
    assert lines[0] == "**Agreement**"
    assert lines[3] == "|---|---|---:|"
    assert lines[4] == "| bio-simlex ρ | 894/988 | **0.615 [0.57, 0.66]** |"
    assert lines[5].startswith("| a\\|b 50% |")
    assert lines[-2:] == ["In brackets: 95% intervals.  ", "ρ: Spearman's ρ.  "]


def test_a_newline_in_a_name_does_not_break_a_row():
    assert "| a b |" in to_markdown(Grid("T", ["set"], [[Cell("a\nb")]]))


def test_superscripts_stand_beside_bold_text():
    grid = Grid("T", ["m", "x"], [[Cell("a"), Cell("0.5", bold=True, raised="+1/−2")]])
    assert "**0.5** <sup>+1/−2</sup>" in to_markdown(grid)


def test_html_has_the_interval_beside_its_figure():
    assert "<strong>0.615 [0.57, 0.66]</strong>" in to_html(GRID)
