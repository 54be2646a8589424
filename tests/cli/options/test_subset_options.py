import csv
import io
import json

import numpy as np
import pytest
import typer

from medgauge.cli.options.subset_options import parse_bins
from tests.vectors import WORDS


@pytest.fixture
def pairs(tmp_path):
    rng = np.random.default_rng(0)
    lines = ["term_1,term_2,gold,pos,stdev,type_1,type_2,rater_A,rater_B"]
    for number, (i, j) in enumerate(rng.integers(30, size=(60, 2))):
        ratings = rng.integers(0, 4, 2)
        types = rng.choice(["drug", "sign"], 2)
        strata = ("N", "V", "")[number % 3], f"{rng.random():.3f}", *types, *ratings
        lines.append(",".join(map(str, (WORDS[i], WORDS[j], ratings.mean(), *strata))))
    path = tmp_path / "pairs.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def evaluated(vectors, pairs):
    return "evaluate", "--model", vectors, "--dataset", pairs, "--measure", "fj"


def words(text):
    return " ".join(text.split())


def test_subsets_have_a_table_of_their_own_and_a_plot(medgauge, vectors, pairs, tmp_path):
    plot = tmp_path / "plots" / "p.svg"
    done = medgauge(
        *("evaluate", "--model", vectors, "--model", "random", "--dataset", pairs, "--measure", "fj"),
        *("--by", "pos", "--plot", plot, "--where", "stdev > 0.1", "--types", "type_1", "type_2"),
    )
    assert done.code == 0, done.err
    for text in (
        "Subsets by pos",
        "Best annotator on pairs: ρ",
        "Median gold of each combination of type_1 and type_2 on pairs: ρ",
        "Only pairs that meet stdev > 0.1 (--where): pairs",
        "without a value.",
    ):
        assert text in words(done.out), text
    assert f"plot written to {plot}" in words(done.err)
    assert plot.read_text("utf-8").startswith("<?xml")


def test_csv_json_markdown_and_latex_have_the_subsets(medgauge, vectors, pairs):
    arguments = (*evaluated(vectors, pairs), "--by", "pos", "--format")
    rows = list(csv.DictReader(io.StringIO(medgauge(*arguments, "csv").out)))
    assert [row["subset"] for row in rows] == ["", "N", "V"]
    results = json.loads(medgauge(*arguments, "json").out)
    assert [figure["subset"] for figure in results["figures"]] == [None, "N", "V"]
    assert [subset["n"] for subset in results["datasets"][0]["subsets"]] == [20, 20]
    assert "| set | pos | pairs | mine |" in medgauge(*arguments, "md").out
    assert r"\caption{Subsets by pos." in medgauge(*arguments, "latex").out


def test_an_attribute_table_parts_by_both_words(medgauge, vectors, pairs, tmp_path):
    table = tmp_path / "table.tsv"
    table.write_text(
        "word\tfrequency\n" + "\n".join(f"{word}\t{k}" for k, word in enumerate(WORDS[:20])) + "\n"
    )
    options = ("--attributes", table, "--by", "frequency", "--bins", "0,10,inf", "--measure", "fj")
    done = medgauge("evaluate", "--model", vectors, "--dataset", pairs, *options)
    assert done.code == 0, done.err
    for text in ("[0, 10)", "[10, inf)", "Both terms of a pair are in the same interval of frequency"):
        assert text in words(done.out)
    stored = json.loads(medgauge("evaluate", "--model", vectors, "--dataset", pairs, *options, "--json").out)
    assert stored["settings"]["bins"] == [0.0, 10.0, "inf"]


def test_a_narrow_terminal_gets_the_subsets_in_parts(medgauge, vectors, pairs, monkeypatch):
    monkeypatch.setenv("COLUMNS", "50")
    done = medgauge("evaluate", "--model", vectors, "--baselines", "--dataset", pairs, "--by", "pos")
    assert max(map(len, done.out.splitlines())) <= 50
    assert "Subsets by pos (continued)" in done.out


def test_other_subsets_in_the_same_folder_are_refused(medgauge, vectors, pairs, tmp_path):
    arguments = (*evaluated(vectors, pairs), "--out", tmp_path / "run")
    assert medgauge(*arguments, "--where", "pos = 'N'").code == 0
    assert medgauge(*arguments, "--where", "pos = 'N'").code == 0
    other = medgauge(*arguments, "--where", "pos = 'V'")
    assert other.code == 1
    assert "holds a run with different settings, sets" in other.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--bins", "3"), "--bins needs --by COLUMN"),
        (("--attributes", "t.csv"), "--attributes needs --by COLUMN"),
        (("--plot", "p.svg"), "--plot needs --by COLUMN"),
        (("--by", "pos", "--bins", "few"), "neither a number of bins nor edges"),
        (("--by", "pos", "--bins", "1,,2"), "neither a number of bins nor edges"),
        (("--types", "type_1"), "requires 2 arguments"),
    ],
)
def test_options_that_mean_nothing_are_a_usage_error(medgauge, vectors, pairs, options, said):
    done = medgauge("evaluate", "--model", vectors, "--dataset", pairs, *options)
    assert done.code == 2
    assert said in words(done.err.replace("│", " "))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--where", "pos ="), "is not a SQL expression"),
        (("--where", "pos = 'X'"), "no pair of pairs meets"),
        (("--where", "group = 'X'"), "in double quotes"),
        (("--by", "posn"), "did you mean 'pos'"),
        (("--by", "pos", "--bins", "3"), "bins are for numbers"),
        (("--by", "stdev", "--bins", "2,1"), "increasing numbers"),
        (("--by", "frequency", "--attributes", "nowhere.csv"), "nowhere.csv: there is no such file"),
        (("--by", "pos", "--plot", "p.jpeg"), "a plot must be a .svg, .pdf or .png file"),
        (("--types", "type_1", "type_3"), "no column of pairs called 'type_3'"),
    ],
)
def test_bad_subsets_are_one_sentence_and_write_nothing(medgauge, vectors, pairs, tmp_path, options, said):
    done = medgauge("evaluate", "--model", vectors, "--dataset", pairs, "--out", tmp_path / "run", *options)
    assert done.code == 1
    assert done.out == ""
    assert said in done.err
    assert len(done.err.strip().splitlines()) == 1, done.err
    assert "w1" not in done.err
    assert not (tmp_path / "run").exists()
    assert not (tmp_path / "run.partial").exists()


@pytest.mark.parametrize("bins", ["\x1b[31m", "x" * 10**6])
def test_what_is_no_bins_is_cut_in_the_message(bins):
    with pytest.raises(typer.BadParameter, match="is neither a number of bins nor edges") as caught:
        parse_bins(bins)
    assert len(str(caught.value)) < 150
    assert str(caught.value).isprintable()
