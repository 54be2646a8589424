"""Chiu et al. (2018), tables 5 to 8: whether similarity benchmarks predict named-entity recognition.

The paper is "Bio-SimVerb and Bio-SimLex: wide-coverage evaluation sets of word similarity in biomedicine",
BMC Bioinformatics 19:33. Tables 5 and 7 have Spearman's ρ on five benchmarks and F-scores of four NER tasks,
for seven models and for nine window sizes; tables 6 and 8 have Pearson's r between them. A mark "a" in table
8 stands for "statistically significant"; table 6 has none. The test is a two-tailed t-test at 5%.

All of table 6 and 18 of the 20 values of table 8 come out to the printed digit. The other two differ by one
in the last digit, which the rounding of table 7 itself can explain. Eight marks of table 8 do not follow from
table 7, so the true p-values are held here.
"""

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import pearsonr

INTRINSIC = ["UMN-rel", "UMN-sim", "MayoSRS", "Bio-SimVerb", "Bio-SimLex"]
EXTRINSIC = ["BC4CHEMD", "BC2GM", "AnatEM", "JNLPBA"]

TABLE_5 = """
Attention   0.5248 0.5551 0.6113 0.4710 0.7155  79.11 65.91 80.49 62.30
SSG         0.5189 0.5520 0.6003 0.4744 0.7181  79.62 67.30 81.30 63.78
SG          0.5767 0.6271 0.5744 0.4638 0.7151  81.37 70.20 81.32 65.16
CBOW        0.5000 0.5348 0.5146 0.4367 0.7020  78.41 64.05 80.30 61.90
Dependency  0.3934 0.4622 0.3445 0.3978 0.7436  83.69 71.43 82.40 65.01
PubMed-w2v  0.5060 0.5490 0.5133 0.4376 0.6984  80.71 67.40 81.10 64.86
BioASQ      0.5092 0.5893 0.4729 0.4228 0.6982  56.95 48.86 53.34 50.51
"""
TABLE_6 = """
UMN-rel      -0.15 -0.14 -0.08 -0.07
UMN-sim      -0.38 -0.34 -0.34 -0.30
MayoSRS       0.08  0.04  0.18  0.12
Bio-SimVerb   0.20  0.18  0.29  0.24
Bio-SimLex    0.53  0.60  0.46  0.48
"""
TABLE_7 = """
1   0.5317 0.5759 0.5551 0.4594 0.7294  81.51 70.06 82.16 65.34
2   0.5630 0.6144 0.6238 0.4696 0.7207  81.44 70.00 82.21 65.51
4   0.5768 0.6247 0.5810 0.4640 0.7188  81.50 70.04 82.00 65.75
5   0.5767 0.6271 0.5744 0.4638 0.7151  81.37 70.20 81.32 65.16
8   0.5820 0.6377 0.5975 0.4611 0.7086  81.24 69.56 80.99 65.53
16  0.5888 0.6431 0.6123 0.4667 0.7034  81.02 69.39 80.72 64.78
20  0.5896 0.6418 0.6319 0.4584 0.7031  81.12 69.62 80.49 65.19
25  0.6018 0.6489 0.6188 0.4519 0.7004  81.07 69.93 80.92 65.14
30  0.6007 0.6457 0.6486 0.4502 0.7043  80.71 69.20 81.03 64.79
"""
TABLE_8 = """
UMN-rel      -0.78a -0.56  -0.78a -0.46
UMN-sim      -0.73  -0.57a -0.81  -0.42a
MayoSRS      -0.78  -0.69  -0.54a -0.47a
Bio-SimVerb   0.63   0.36   0.42   0.40
Bio-SimLex    0.83a  0.66   0.92a  0.59
"""

# What table 8 prints, where table 7 gives another last digit.
ROUNDED_OTHERWISE = {("UMN-rel", "AnatEM"): ("-0.77", "-0.78"), ("Bio-SimVerb", "AnatEM"): ("0.41", "0.42")}

# The two-tailed p-values that follow from table 7 (7 degrees of freedom), by scipy's pearsonr.
P_VALUES_8 = """
UMN-rel      0.0137 0.1130 0.0142 0.2086
UMN-sim      0.0252 0.1068 0.0089 0.2552
MayoSRS      0.0127 0.0392 0.1366 0.1964
Bio-SimVerb  0.0663 0.3361 0.2675 0.2826
Bio-SimLex   0.0058 0.0539 0.0004 0.0951
"""
MARKED_WITHOUT_REASON = {
    ("UMN-sim", "BC2GM"),
    ("UMN-sim", "JNLPBA"),
    ("MayoSRS", "AnatEM"),
    ("MayoSRS", "JNLPBA"),
}
UNMARKED = {("UMN-sim", "BC4CHEMD"), ("UMN-sim", "AnatEM"), ("MayoSRS", "BC4CHEMD"), ("MayoSRS", "BC2GM")}

PAGE = Path(__file__).parents[2] / "docs" / "correlate.md"


def cells(table):
    """Give the cells of a table of correlations by their two columns."""
    rows = [line.split() for line in table.strip().splitlines()]
    assert [row[0] for row in rows] == INTRINSIC
    return {(row[0], task): cell for row in rows for task, cell in zip(EXTRINSIC, row[1:], strict=True)}


def column(table, name):
    place = 1 + (INTRINSIC + EXTRINSIC).index(name)
    return np.array([float(line.split()[place]) for line in table.strip().splitlines()])


def written(table, folder):
    """Write a table of figures as two CSV files, the benchmarks and the tasks."""
    rows = [line.split() for line in table.strip().splitlines()]
    paths = folder / "similarity.csv", folder / "ner.csv"
    for path, names, part in zip(paths, (INTRINSIC, EXTRINSIC), (slice(1, 6), slice(6, 10)), strict=True):
        lines = [["model", *names], *([row[0], *row[part]] for row in rows)]
        path.write_text("".join(",".join(line) + "\n" for line in lines))
    return paths


@pytest.fixture
def correlated(medgauge, tmp_path):
    def run(table):
        done = medgauge("correlate", *written(table, tmp_path), "--json")
        assert (done.code, done.err) == (0, "")
        return {(one["intrinsic"], one["extrinsic"]): one for one in json.loads(done.out)["correlations"]}

    return run


def test_table_6_comes_out_to_the_printed_digit_and_nothing_in_it_is_significant(correlated):
    found = correlated(TABLE_5)
    assert {pair: f"{one['r']:.2f}" for pair, one in found.items()} == cells(TABLE_6)
    assert {one["n"] for one in found.values()} == {7}
    assert min(one["p"] for one in found.values()) == pytest.approx(0.151, abs=0.0005)  # Bio-SimLex, BC2GM


def test_table_8_comes_out_to_the_printed_digit_but_for_two_that_were_rounded_otherwise(correlated):
    found = {pair: f"{one['r']:.2f}" for pair, one in correlated(TABLE_7).items()}
    printed = {pair: cell.rstrip("a") for pair, cell in cells(TABLE_8).items()}
    differing = {pair: (found[pair], printed[pair]) for pair in printed if found[pair] != printed[pair]}
    assert differing == ROUNDED_OTHERWISE


@pytest.mark.parametrize("pair", ROUNDED_OTHERWISE, ids=" ".join)
def test_the_rounding_of_table_7_can_explain_the_other_last_digit(pair):
    """Each figure is moved by at most half of its last printed digit, towards the printed r."""
    printed = float(ROUNDED_OTHERWISE[pair][1])
    x, y = (column(TABLE_7, name) for name in pair)
    a, b = ((one - one.mean()) / np.linalg.norm(one - one.mean()) for one in (x, y))
    towards = math.copysign(1, printed - pearsonr(x, y).statistic)
    # The derivative of r by xᵢ has the sign of bᵢ − r aᵢ.
    moved_x = x + towards * np.sign(b - (a @ b) * a) * 0.00005
    moved_y = y + towards * np.sign(a - (a @ b) * b) * 0.005
    assert towards * (pearsonr(moved_x, moved_y).statistic - printed) > -0.005
    assert towards * (pearsonr(x, y).statistic - printed) < -0.005


def test_the_p_values_of_table_8_are_the_true_ones(correlated):
    found = {pair: f"{one['p']:.4f}" for pair, one in correlated(TABLE_7).items()}
    assert found == cells(P_VALUES_8)
    for (similarity, task), p in found.items():
        assert pearsonr(column(TABLE_7, similarity), column(TABLE_7, task)).pvalue == pytest.approx(
            float(p), abs=0.00005
        )


def test_eight_marks_of_table_8_do_not_follow_from_table_7(correlated):
    significant = {pair for pair, one in correlated(TABLE_7).items() if one["p"] < 0.05}
    marked = {pair for pair, cell in cells(TABLE_8).items() if cell.endswith("a")}
    assert marked - significant == MARKED_WITHOUT_REASON
    assert significant - marked == UNMARKED
    assert len(marked) == len(significant) == 8


def test_one_correlation_of_table_8_is_left_by_bonferroni(correlated):
    assert [pair for pair, one in correlated(TABLE_7).items() if one["p"] < 0.05 / 20] == [
        ("Bio-SimLex", "AnatEM")
    ]


def test_one_model_of_table_5_undoes_a_correlation_as_the_docs_say(correlated):
    without = "\n".join(line for line in TABLE_5.splitlines() if not line.startswith("BioASQ"))
    gaps = [np.sort(column(TABLE_5, task))[1] - column(TABLE_5, task)[-1] for task in EXTRINSIC]
    assert [f"{gap:.0f}" for gap in (min(gaps), max(gaps))] == ["11", "27"]
    values = [correlated(table)["MayoSRS", "BC4CHEMD"]["r"] for table in (TABLE_5, without)]
    assert [f"{r:.2f}" for r in values] == ["0.08", "-0.75"]


def test_the_docs_show_the_real_files_and_output(medgauge, tmp_path, monkeypatch):
    page = PAGE.read_text("utf-8")
    shown = re.search(r"```text\n(.*?)```", page, re.DOTALL)[1]
    written(TABLE_7, tmp_path)
    monkeypatch.chdir(tmp_path)
    done = medgauge("correlate", "similarity.csv", "ner.csv")
    assert [line.rstrip() for line in shown.splitlines()] == [
        line.rstrip() for line in done.out.rstrip().splitlines()
    ]
    for name in ("similarity.csv", "ner.csv"):
        assert all(f"    {line}\n" in page for line in (tmp_path / name).read_text().splitlines())
