from pathlib import Path

import pytest

from medgauge.cli.options.listed_values import repeated

OPTIONS = {"--model", "--dataset", "-m"}


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ([], []),
        (["--model", "a"], ["--model", "a"]),
        (["--model", "a", "b", "c"], ["--model", "a", "--model", "b", "--model", "c"]),
        (["-m", "a", "b"], ["-m", "a", "-m", "b"]),
        (["--model=a", "b"], ["--model=a", "--model", "b"]),
        (
            ["--model", "a", "b", "--quiet", "--dataset", "x", "y"],
            ["--model", "a", "--model", "b", "--quiet", "--dataset", "x", "--dataset", "y"],
        ),
        (["--model", "a", "--model", "b", "c"], ["--model", "a", "--model", "b", "--model", "c"]),
        # What follows an option with one value, a flag or nothing is left for the parser to refuse.
        (["--out", "a", "b"], ["--out", "a", "b"]),
        (["--model", "a", "--quiet", "b"], ["--model", "a", "--quiet", "b"]),
        (["a", "--model", "b"], ["a", "--model", "b"]),
        (["--model", "a", "--", "b"], ["--model", "a", "--", "b"]),
        (["--model", "-", "b"], ["--model", "-", "--model", "b"]),
    ],
)
def test_an_option_stands_before_each_of_its_values(given, meant):
    assert repeated(given, OPTIONS) == meant


def test_models_and_sets_can_be_listed(medgauge, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in "xy":
        Path(f"{name}.csv").write_text("term_1,term_2,gold\nflu,influenza,3\nflu,fracture,1\ncold,flu,2\n")
    once = medgauge("evaluate", "--model", "levenshtein", "random", "--dataset", "x.csv", "y.csv")
    again = medgauge(
        "evaluate", "--model", "levenshtein", "--model", "random", "--dataset", "x.csv", "--dataset", "y.csv"
    )
    assert once.code == 0, once.err
    assert once.out == again.out


def test_a_value_after_another_option_is_refused(medgauge):
    done = medgauge("evaluate", "--model", "levenshtein", "--dataset", "x.csv", "--out", "runs", "more")
    assert done.code == 2
    assert "unexpected extra argument" in done.err
