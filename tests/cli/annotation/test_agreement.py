"""medgauge agreement, as users call it."""

import csv
import io
import json
import math

import numpy as np
import polars as pl
import pytest

from medgauge.estimate import CONFIDENCE
from medgauge.pairs import Card, PairSet
from medgauge.ratings.findings import HEADLINES

QUICK = ("--resamples", 60)
HEAD = "term_1,term_2,kind,rater_Ada,rater_José-María,rater_Eve"


def rows(count: int = 14) -> list[str]:
    return [
        f"Fever {n},hay-fièvre {n},{'ab'[n % 2]},{n % 7},{max(0, n % 7 - 1)},{n * 5 % 7}"
        for n in range(count)
    ]


@pytest.fixture
def ratings(tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text("\n".join([HEAD, *rows()]) + "\n", "utf-8")
    return path


@pytest.fixture
def verdicts(tmp_path):
    lines = ["pair,annotator,rating,set,label"]
    for pair in range(12):
        for annotator, answer in zip(
            "ABC", ("same", "Not Same", "don't know" if pair % 3 else "SAME"), strict=True
        ):
            lines.append(f"{pair},{annotator},{answer},{'xy'[pair % 2]},{pair % 2}")
    path = tmp_path / "verdicts.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def flat(text: str) -> str:
    return " ".join(text.split())


def test_it_prints_figures_with_intervals(medgauge, ratings):
    done = medgauge("agreement", ratings, *QUICK)
    assert done.code == 0, done.err
    words = flat(done.out)
    assert "Agreement of 3 annotators on ratings" in words
    for name in HEADLINES.values():
        assert name in words
    assert "Pairwise agreement of annotators" in words
    assert "José-María" in words
    assert "Fever" not in done.out + done.err


def test_json_has_the_overall_figures_at_the_top_and_their_intervals(medgauge, ratings):
    done = medgauge("agreement", ratings, "--json", *QUICK)
    found = json.loads(done.out)
    for name in HEADLINES:
        assert isinstance(found[name], float)
        if not name.startswith("human"):  # of fourteen pairs the best may be so by chance
            low, high = found["intervals"][name]
            assert low <= found[name] <= high
    assert done.out == medgauge("agreement", ratings, "--format", "json", *QUICK).out


def test_the_weights_of_kappa_are_an_option_and_named(medgauge, ratings):
    option = ("--kappa-distance", "index")
    assert "by category index" in " ".join(medgauge("agreement", ratings, *option, *QUICK).out.split())
    assert (
        json.loads(medgauge("agreement", ratings, *option, "--json", *QUICK).out)["kappa_distance"] == "index"
    )
    csv_text = medgauge("agreement", ratings, *option, "--format", "csv", *QUICK).out
    assert "kappa_quadratic_by_index" in csv_text


def test_csv_has_every_figure(medgauge, ratings):
    done = medgauge("agreement", ratings, "--format", "csv", *QUICK)
    table = list(csv.DictReader(io.StringIO(done.out)))
    names = {row["figure"] for row in table}
    assert set(HEADLINES) <= names
    found = json.loads(medgauge("agreement", ratings, "--json", *QUICK).out)
    for row in table:
        if row["figure"] in HEADLINES:
            assert float(row["value"]) == found[row["figure"]]
    assert sum(row["figure"] == "pairwise_rho" for row in table) == 3


@pytest.mark.parametrize(("kind", "mark"), [("md", "| figure | value |"), ("latex", "\\begin{tabular}")])
def test_tables_for_papers(medgauge, ratings, kind, mark):
    done = medgauge("agreement", ratings, "--format", kind, *QUICK)
    assert done.code == 0, done.err
    assert mark in done.out


def test_leaving_out_and_levels(medgauge, ratings):
    found = json.loads(
        medgauge("agreement", ratings, "--without", "Eve", "--level", "interval", "--json", *QUICK).out
    )
    assert [one["name"] for one in found["annotators"]] == ["Ada", "José-María"]
    assert (found["left_out"], found["level"]) == (["Eve"], "interval")
    # They differ by 1 or, where Ada says 0, not at all.
    values = np.array([[n % 7, max(0, n % 7 - 1)] for n in range(14)], float)
    pooled = values.ravel()
    expected = 1 - ((values[:, 0] - values[:, 1]) ** 2).mean() / 2 / pooled.var(ddof=1)
    assert found["alpha"] == pytest.approx(expected)


def test_the_same_ratings_in_every_form_give_the_same_figures(medgauge, ratings, tmp_path):
    """Wide with named columns and no header, long, as Parquet, and as a set with a card."""
    given = [line.split(",") for line in rows()]
    names = ["Ada", "José-María", "Eve"]
    bare = tmp_path / "bare.tsv"
    bare.write_text("\n".join("\t".join([*line[:2], *line[3:]]) for line in given), "utf-8")
    long = tmp_path / "long.csv"
    lines = [
        f"{number},{name},{line[3 + place]}"
        for number, line in enumerate(given)
        for place, name in enumerate(names)
    ]
    long.write_text("\n".join(["Item,Coder,Score", *lines]), "utf-8")
    frame = pl.DataFrame(
        {
            "pair_id": [str(n) for n in range(14)],
            "term_1": ["a"] * 14,
            "term_2": ["b"] * 14,
            "gold": [1.0] * 14,
        }
        | {f"rater_{name}": [float(line[3 + place]) for line in given] for place, name in enumerate(names)}
    )
    PairSet(frame, Card(name="set", title="Set")).save(tmp_path / "set.parquet")
    frame.write_parquet(tmp_path / "plain.parquet")
    expected = json.loads(medgauge("agreement", ratings, "--json", *QUICK).out)
    for arguments in (
        [bare, "--no-header", "--annotators", "3:5"],
        [bare, "--no-header", "--annotators", "3,4", "--annotators", "5"],
        [long],
        [tmp_path / "set.parquet"],
        [tmp_path / "plain.parquet"],
    ):
        done = medgauge("agreement", *arguments, "--json", *QUICK)
        assert done.code == 0, done.err
        found = json.loads(done.out)
        assert {name: found[name] for name in HEADLINES} == {name: expected[name] for name in HEADLINES}
        assert found["intervals"] == expected["intervals"]


def test_minus_one_is_not_rated_if_told_and_asked_about_if_not(medgauge, tmp_path):
    blank, marked = tmp_path / "blank.csv", tmp_path / "marked.csv"
    for path, mark in ((blank, ""), (marked, "-1")):
        lines = [f"{n % 4},{(n + n % 2) % 4},{mark if n % 3 else n % 4}" for n in range(15)]
        path.write_text("\n".join(["rater_A,rater_B,rater_C", *lines]))
    expected = json.loads(medgauge("agreement", blank, "--json", *QUICK).out)
    done = medgauge("agreement", marked, "--not-rated", "-1", "--json", *QUICK)
    assert done.err == ""
    assert json.loads(done.out)["alpha"] == expected["alpha"]
    unsaid = medgauge("agreement", marked, "--json", *QUICK)
    assert json.loads(unsaid.out)["alpha"] != expected["alpha"]
    assert "there are ratings of -1 (10) and all others are 0 or more" in unsaid.err
    assert "--not-rated -1" in unsaid.err


def test_verdicts_have_their_table(medgauge, verdicts):
    done = medgauge("agreement", verdicts, *QUICK)
    assert done.code == 0, done.err
    assert "Verdicts" in done.out
    found = json.loads(medgauge("agreement", verdicts, "--json", *QUICK).out)
    assert found["level"] == "nominal"
    # A says same, B not same, and C same on four pairs, of which 0 and 6 are in x and 3 and 9 in y.
    assert [(one["set"], one["pairs"], one["without_truth"]) for one in found["verdicts"]] == [
        ("x", 6, 4),
        ("y", 6, 4),
        ("all sets", 12, 8),
    ]
    assert [one["accuracy"] for one in found["verdicts"]] == [0, 1, 0.5]


def test_disagreement_by_subset(medgauge, ratings):
    done = medgauge("agreement", ratings, "--by", "kind", *QUICK)
    assert done.code == 0, done.err
    assert "Disagreement by kind" in done.out
    done = medgauge("agreement", ratings, "--by", "rating_spread", "--bins", "2", "--json", *QUICK)
    narrow, wide = json.loads(done.out)["subsets"]
    assert narrow["mean_sd"] < wide["mean_sd"]
    assert narrow["pairs"] + wide["pairs"] == 14
    assert medgauge("agreement", ratings, "--bins", "2").code == 2


def test_each_pair_is_written(medgauge, ratings, tmp_path):
    path = tmp_path / "new" / "each.csv"
    done = medgauge("agreement", ratings, "--each-pair", path, *QUICK)
    assert done.code == 0, done.err
    table = list(csv.DictReader(io.StringIO(path.read_text("utf-8"))))
    assert list(table[0]) == ["pair_id", "term_1", "term_2", "ratings", "mean", "sd"]
    # The second pair has 1, 0 and 5.
    assert (table[1]["term_1"], table[1]["ratings"], float(table[1]["mean"])) == ("Fever 1", "3", 2)
    assert float(table[1]["sd"]) == pytest.approx(math.sqrt((1 + 4 + 9) / 2))


def test_each_pair_never_replaces_the_ratings_or_another_file(medgauge, ratings, tmp_path):
    before = ratings.read_bytes()
    link = tmp_path / "link.csv"
    link.symlink_to(ratings)
    (tmp_path / "there.csv").write_text("mine")
    for place in (ratings, link, tmp_path / "there.csv", tmp_path, tmp_path / "there.csv" / "new.csv"):
        done = medgauge("agreement", ratings, "--each-pair", place, *QUICK)
        assert (done.code, done.out) == (1, "")
        assert done.err.count("\n") == 1
    assert ratings.read_bytes() == before
    assert (tmp_path / "there.csv").read_text() == "mine"


def test_plots_are_drawn_in_both_forms(medgauge, ratings, tmp_path):
    done = medgauge("agreement", ratings, "--plots", tmp_path / "plots", *QUICK)
    assert done.code == 0, done.err
    names = sorted(path.name for path in (tmp_path / "plots").iterdir())
    assert names == sorted(
        f"{name}.{kind}" for name in ("disagreement", "pairwise", "scores") for kind in ("png", "svg")
    )


def test_undefined_figures_are_null_and_told(medgauge, tmp_path):
    path = tmp_path / "one.csv"
    path.write_text("rater_A\n1\n2\n3\n")
    done = medgauge("agreement", path, "--json", *QUICK)
    assert done.code == 0
    assert json.loads(done.out)["alpha"] is None
    assert flat(done.err).startswith(
        "warning: Krippendorff's α, Kendall's W, ICC(C,1), ICC(C,k), G(q,k), reliability of the mean"
    )
    assert flat(done.err).endswith("are undefined: no pair has two ratings")
    assert "undefined" in medgauge("agreement", path, *QUICK).out


def test_each_undefined_figure_is_told_with_its_reason_on_one_line(medgauge, tmp_path):
    path = tmp_path / "nine.csv"
    path.write_text("rater_A,rater_B\n" + "".join(f"{n},{n % 4}\n" for n in range(9)))
    done = medgauge("agreement", path, *QUICK)
    assert flat(done.err) == (
        "warning: best annotator and best annotator, own rating excluded are undefined: "
        "no annotator has 10 pairs that another rated"
    )
    assert "no annotator has 10 pairs that another rated." in flat(done.out)


def test_the_confidence_is_asked_for_and_told(medgauge, ratings):
    done = medgauge("agreement", ratings, "--confidence", "0.995", "--by", "kind", *QUICK)
    assert done.code == 0, done.err
    assert done.out.count("99.5% interval") >= 2
    assert "95% interval" not in done.out
    found = json.loads(medgauge("agreement", ratings, "--confidence", "0.9", "--json", *QUICK).out)
    usual = json.loads(medgauge("agreement", ratings, "--json", *QUICK).out)
    assert (found["confidence"], usual["confidence"]) == (0.9, CONFIDENCE)
    assert found["intervals"]["alpha"][0] > usual["intervals"]["alpha"][0]
    wrong = medgauge("agreement", ratings, "--confidence", "95", *QUICK)
    assert (wrong.code, wrong.out) == (1, "")
    assert wrong.err == "medgauge: the confidence must be between 0 and 1, such as 0.95, not 95\n"


WRONG = {
    "out of scale": ("rater_A,rater_B\n1,2\n3,9\n", ("--scale", "0-3"), "line 3", "outside the scale 0 to 3"),
    "text": ("rater_A,rater_B\n1,2\n3,high\n", (), "line 3", "column 'rater_B' is not a number"),
    "huge": ("rater_A,rater_B\n1,2\n1e308,2\n", (), "line 3", "column 'rater_A' is not a rating"),
    "infinite": ("rater_A,rater_B\n1,2\ninf,2\n", (), "line 3", "column 'rater_A' is not a number"),
    "verdict among numbers": ("rater_A,rater_B\n1,2\nsame,2\n", (), "line 3", "is not a number"),
    "misspelt verdict": ("rater_A,rater_B\nsame,same\nsmae,same\n", (), "line 3", "is not a verdict"),
    "twice": (
        "pair,annotator,rating\n1,A,3\n1,B,2\n1,A,4\n",
        (),
        "line 4",
        "the annotator already rated this pair",
    ),
    "no name": ("pair,annotator,rating\n1,,3\n", (), "line 2", "name is blank"),
    "empty": ("", (), "", "the file is empty"),
    "header alone": ("rater_A,rater_B\n", (), "", "has a header but no pairs"),
    "no ratings": ("term_1,term_2,gold\na,b,1\n", (), "", "no ratings were found"),
    "no such column": ("term_1,term_2,A\nx,y,1\n", ("--annotators", "A,B"), "", "there is no column"),
    "no such annotator": ("rater_A,rater_B\n1,2\n", ("--without", "Z"), "", "there is no annotator 'Z'"),
    "nobody left": ("rater_A\n1\n", ("--without", "A"), "", "no annotator is left"),
    "short row": ("rater_A,rater_B\n1,2\n1\n", (), "line 3", "1 fields, but 2 are expected"),
    "no such set": (None, (), "", "there is no"),
}


@pytest.mark.parametrize("name", list(WRONG))
def test_bad_input_is_one_sentence(medgauge, tmp_path, name):
    content, options, place, problem = WRONG[name]
    path = tmp_path / "bad.csv"
    if content is not None:
        path.write_text(content)
    made = tmp_path / "each.csv"
    done = medgauge("agreement", path, *options, "--each-pair", made, "--plots", tmp_path / "plots", *QUICK)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("medgauge: ")
    assert done.err.count("\n") == 1
    assert problem in done.err
    assert place in done.err
    assert not made.exists()
    assert not (tmp_path / "plots").exists()


@pytest.mark.parametrize(
    "options",
    [
        ("--scale", "6"),
        ("--scale", "6-0"),
        ("--level", "odd"),
        ("--resamples", "9" * 12),
        ("--resamples", "0"),
        ("--bins", "3"),
    ],
)
def test_wrong_options_are_usage_errors(medgauge, ratings, options):
    done = medgauge("agreement", ratings, *options)
    assert (done.code, done.out) == (2, "")


def test_plots_that_cannot_be_drawn_are_refused_before_the_work(medgauge, ratings):
    done = medgauge("agreement", ratings, "--plots", ratings)
    assert (done.code, done.out) == (1, "")
    assert done.err.count("\n") == 1


def test_each_pair_is_safe_in_spreadsheets(medgauge, tmp_path):
    path, out = tmp_path / "r.csv", tmp_path / "each.csv"
    path.write_text("x,y,rater_A,rater_B\n=1+1,-OH,-1,-2\nflu,@cold,1,2\ngout,toe,0,1\n")
    columns = ("--term-1", "x", "--term-2", "y")
    done = medgauge("agreement", path, *columns, "--each-pair", out, "--bom", "--resamples", 9)
    assert done.code == 0, done.err
    header, first, second, _ = out.read_text("utf-8").splitlines()
    assert header.startswith("\ufeffpair_id,term_1,term_2,ratings,mean,sd")
    assert first.startswith("1,'=1+1,'-OH,2,-1.5,")
    assert second.startswith("2,flu,'@cold,2,1.5,")
