import csv
import gzip
import io
import json
import os
import signal
import subprocess
import sys

import numpy as np
import polars as pl
import pytest

from tests.runs import word_pairs
from tests.support.processes import run, running
from tests.support.workbooks import write_xlsx
from tests.vectors import WORDS, some_vectors, write_binary, write_text


@pytest.fixture
def pairs(tmp_path):
    rng = np.random.default_rng(0)
    lines = ["term_1,term_2,score"]
    lines += [f"{WORDS[i]},{WORDS[j]},{rng.random():.3f}" for i, j in rng.integers(30, size=(40, 2))]
    path = tmp_path / "pairs.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_table_shows_models_sets_coverage_and_the_measure(medgauge, vectors, pairs):
    done = medgauge("evaluate", "--model", vectors, "--dataset", pairs, "--measure", "fj", "--baselines")
    assert done.code == 0, done.err
    for text in ("mine", "levenshtein", "char-tfidf", "40/40", "Measure: fj", "40 (100%)"):
        assert text in done.out


def test_json_has_the_figures_and_nothing_else_on_stdout(medgauge, vectors, pairs, tmp_path):
    done = medgauge("evaluate", "--model", vectors, "--dataset", pairs, "--json", "--out", tmp_path / "run")
    figures = json.loads(done.out)["figures"]
    assert len(figures) == 10
    assert json.loads((tmp_path / "run" / "results.json").read_text())["figures"] == figures
    assert "run stored in" in done.err


def test_csv_markdown_and_latex(medgauge, vectors, pairs):
    arguments = ("evaluate", "--model", vectors, "--dataset", pairs, "--measure", "fj", "--format")
    rows = list(csv.DictReader(io.StringIO(medgauge(*arguments, "csv").out)))
    assert (rows[0]["model"], rows[0]["metric"], rows[0]["covered"]) == ("mine", "spearman", "40")
    assert "| set | pairs | mine |" in medgauge(*arguments, "md").out
    assert r"\toprule" in medgauge(*arguments, "latex").out
    both = medgauge(*arguments, "md", "--baselines").out
    assert "\n\n**Pairs that each model covers by itself**\n\n| set |" in both


def test_a_narrow_terminal_gets_the_table_in_parts(medgauge, vectors, pairs, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    done = medgauge("evaluate", "--model", vectors, "--dataset", pairs, "--dataset", pairs, "--baselines")
    assert max(map(len, done.out.splitlines())) <= 60


def test_the_confidence_reaches_the_table_the_intervals_and_the_stored_run(
    medgauge, vectors, pairs, tmp_path
):
    arguments = ("evaluate", "--model", vectors, "--dataset", pairs, "--measure", "fj", "--confidence")
    assert "In brackets: 99.5% intervals." in " ".join(medgauge(*arguments, "0.995").out.split())
    narrow, wide = (
        json.loads(medgauge(*arguments, level, "--json", "--out", tmp_path / level).out)
        for level in ("0.8", "0.99")
    )
    assert (narrow["settings"]["confidence"], wide["figures"][0]["confidence"]) == (0.8, 0.99)
    [one], [other] = narrow["figures"], wide["figures"]
    assert other["low"] < one["low"] < one["value"] < one["high"] < other["high"]
    done = medgauge(*arguments, "95")
    assert (done.code, done.out) == (1, "")
    assert "the confidence must be between 0 and 1, such as 0.95, not 95" in done.err


def test_models_can_be_named(medgauge, vectors, pairs):
    done = medgauge(
        "evaluate", "--model", f"a={vectors}", "--model", f"b={vectors}", "--dataset", pairs, "--json"
    )
    assert {figure["model"] for figure in json.loads(done.out)["figures"]} == {"a", "b"}


def test_sets_and_baselines_can_be_named(medgauge, pairs):
    options = ("--dataset", f"a={pairs}", "--dataset", f"b={pairs}", "--json")
    done = medgauge("evaluate", "--model", "x=levenshtein", "--model", "y=levenshtein", *options)
    figures = json.loads(done.out)["figures"]
    assert {(figure["model"], figure["dataset"]) for figure in figures} == {
        (model, dataset) for model in "xy" for dataset in "ab"
    }


def test_baselines_need_no_model_beside_them(medgauge, pairs):
    assert medgauge("evaluate", "--baselines", "--dataset", pairs).code == 0
    alone = medgauge("evaluate", "--dataset", pairs)
    assert alone.code == 2
    assert "give at least one --model, or --baselines" in " ".join(alone.err.split())


@pytest.mark.parametrize(
    "options", [("--gold", "score", "--label", "score"), ("--measure", "all", "--measure", "fj")]
)
def test_options_that_contradict_each_other_are_a_usage_error(medgauge, vectors, pairs, options):
    assert medgauge("evaluate", "--model", vectors, "--dataset", pairs, *options).code == 2


def test_errors_do_not_repeat_what_is_in_a_cell(medgauge, tmp_path):
    path = tmp_path / "records.csv"
    path.write_text("pair_id,term_1,term_2,gold\nNHS 943 476 5919,flu,asthma,1\n2,flu,cold,John Smith\n")
    done = medgauge("evaluate", "--model", "levenshtein", "--dataset", path)
    assert "line 3: the value of column 'gold' is not a number" in done.err
    assert "Smith" not in done.err
    path.write_text(
        "pair_id,term_1,term_2,gold\nNHS 943 476 5919,flu,asthma,1\nNHS 943 476 5919,flu,cold,2\n"
    )
    done = medgauge("evaluate", "--model", "levenshtein", "--dataset", path)
    assert "line 3: the pair_id is repeated" in done.err
    assert "NHS" not in done.err


def test_a_file_without_a_header_is_not_repeated(medgauge, tmp_path):
    path = tmp_path / "bare.csv"
    for content in ("Smith,Miller,3\n", "Smith,Smith,3\n"):
        path.write_text(content)
        done = medgauge("evaluate", "--model", "levenshtein", "--dataset", path)
        assert done.code == 1
        assert "Smith" not in done.err
    path.write_text("Smith,Miller,3\n")
    assert "--no-header" in medgauge("evaluate", "--model", "levenshtein", "--dataset", path).err


def test_a_name_without_a_file_and_a_name_that_cannot_be_shown(medgauge, pairs):
    assert medgauge("evaluate", "--model", "m=", "--dataset", pairs).code == 2
    odd = medgauge("evaluate", "--model", "m\udcff\x1b=levenshtein", "--dataset", pairs, "--json")
    assert json.loads(odd.out)["models"][0]["name"] == "m??"


@pytest.mark.slow
def test_two_runs_at_once_into_one_folder_do_not_mix(tmp_path, pairs):
    """The second is told to wait while the first still scores, and the first is whole."""
    code = (
        "import sys\n"
        "from medgauge.evaluation import evaluate as module\n"
        "real = module.scorer_for\n"
        "def slow(*rest, **named):\n"
        "    print('scoring', flush=True); sys.stdin.readline()\n"
        "    return real(*rest, **named)\n"
        "module.scorer_for = slow\n"
        f"module.evaluate(['levenshtein'], [{str(pairs)!r}], out={str(tmp_path / 'run')!r})\n"
    )
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with running([sys.executable, "-c", code], **pipes) as first:
        assert first.stdout.readline() == "scoring\n"
        arguments = ["evaluate", "--model", "random", "--dataset", str(pairs), "--out", str(tmp_path / "run")]
        second = run([sys.executable, "-m", "medgauge", *arguments])
        assert second.returncode == 1
        assert "another run is being written to" in second.stderr
        first.stdin.write("go on\n")
        first.stdin.flush()
    assert first.returncode == 0
    results = json.loads((tmp_path / "run" / "results.json").read_text())
    assert [card["name"] for card in results["models"]] == ["levenshtein"]
    assert len(list((tmp_path / "run" / "scores").iterdir())) == 1


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["datasets"], ["evaluate", "--baselines", "--dataset", "PAIRS"]])
def test_output_that_cannot_be_written_is_one_sentence(arguments, pairs):
    command = [
        sys.executable,
        "-m",
        "medgauge",
        *(str(pairs) if one == "PAIRS" else one for one in arguments),
    ]
    with open("/dev/full", "w") as full:  # noqa: PTH123
        done = run(command, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 1
    assert done.stderr.strip().splitlines()[-1] == "medgauge: No space left on device"
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_terminal_without_greek_letters_is_no_reason_to_fail(pairs):
    command = [sys.executable, "-m", "medgauge", "evaluate", "--baselines", "--dataset", str(pairs)]
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = run(command, check=True, env=environment)
    assert "pairs ?" in done.stdout


def test_limit_measure_tokenizer_and_case_are_recorded(medgauge, vectors, pairs):
    done = medgauge(
        *("evaluate", "--model", vectors, "--dataset", pairs, "--json", "--limit", "25", "--case", "lower"),
        *("--tokenizer", "whitespace", "--measure", "fj", "--measure", "mj", "--oov", "skip-word"),
    )
    results = json.loads(done.out)
    not_asked = dict.fromkeys(("where", "by", "bins", "attributes", "types"))
    asked = {"measures": ["fj", "mj"], "shown": "all", "oov": "skip-word", "seed": 0, "limit": 25}
    assert results["settings"] == asked | not_asked
    assert (results["models"][0]["tokenizer"], results["models"][0]["case"]) == ("whitespace", "lower")
    assert {figure["n"] for figure in results["figures"]} == {25}


def test_columns_can_be_given_and_a_header_denied(medgauge, vectors, tmp_path):
    named = tmp_path / "named.tsv"
    named.write_text("left\tright\tdoctors\nw1\tw2\t1\nw3\tw4\t2\nw5\tw6\t3\n")
    options = ("--term-1", "left", "--term-2", "right", "--gold", "doctors")
    arguments = ("evaluate", "--model", vectors, "--json", "--measure", "fj", "--dataset")
    assert json.loads(medgauge(*arguments, named, *options).out)["figures"][0]["n"] == 3
    bare = tmp_path / "bare.tsv"
    bare.write_text("w1\tw2\t1\nw3\tw4\t2\nw5\tw6\t3\n")
    assert json.loads(medgauge(*arguments, bare, "--no-header").out)["figures"][0]["n"] == 3


def test_all_means_the_sets_on_this_machine(medgauge, vectors, real_data):
    real_data("published/EHR-RelB.tsv")
    done = medgauge("evaluate", "--model", "levenshtein", "--dataset", "all", "--json")
    assert len(json.loads(done.out)["datasets"]) == 15


def test_no_set_on_this_machine_says_what_to_do(medgauge, vectors):
    done = medgauge("evaluate", "--model", vectors, "--dataset", "all")
    assert done.code == 1
    assert "medgauge datasets fetch --all" in done.err


def broken_files(folder):
    """One bad input after the other: a name, the option it is given to, its path, and what must be said."""
    good = some_vectors(*WORDS)
    binary = write_binary(folder / "good.bin", good).read_bytes()
    cut = folder / "cut.bin"
    cut.write_bytes(binary[:-30])
    yield "truncated binary", "--model", cut, "vector 29"
    yield "header too large", "--model", write_binary(folder / "large.bin", good, count=31), "vector 31"
    yield "header too small", "--model", write_binary(folder / "small.bin", good, count=29), "vector 30"
    yield "text header", "--model", write_text(folder / "count.txt", good, count=40), "vector 31"
    short = folder / "short.txt"
    short.write_text("a 1 2 3\nb 1 2\nc 1 2 3\n")
    yield "short row", "--model", short, "line 2"
    odd = dict(good, w7=np.array([1, np.nan, 0, 0], np.float32))
    yield "NaN in a binary", "--model", write_binary(folder / "nan.bin", odd), "vector 8"
    yield "NaN in a text", "--model", write_text(folder / "nan.txt", odd), "line 9"
    empty = folder / "empty.bin"
    empty.write_bytes(b"")
    yield "empty model", "--model", empty, "the file is empty"
    hollow = folder / "hollow.gz"
    hollow.write_bytes(gzip.compress(b""))
    yield "empty gzip", "--model", hollow, "the file is empty"
    halved = folder / "halved.gz"
    halved.write_bytes(gzip.compress(binary)[:-20])
    yield "truncated gzip", "--model", halved, "cut off"
    latin = folder / "latin.txt"
    latin.write_bytes(b"2 2\ncaf\xe9 1 2\nb 1 2\n")
    yield "invalid UTF-8 in vectors", "--model", latin, "line 2"
    yield "directory as model", "--model", folder, "is a directory"
    yield "missing model", "--model", folder / "nowhere.bin", "there is no such file"
    pickled = folder / "model.kv"
    pickled.write_bytes(b"\x80\x04\x95 ...")
    yield "pickle", "--model", pickled, "pickle"
    missing = folder / "missing.csv"
    missing.write_text("term_1,term_2\na,b\n")
    yield "missing column", "--dataset", missing, "--gold"
    row = folder / "row.csv"
    row.write_text("term_1,term_2,score\na,b,1\nc,d\n")
    yield "short pair", "--dataset", row, "line 3"
    word = folder / "word.csv"
    word.write_text("term_1,term_2,score\na,b,1\nc,d,high\n")
    yield "gold that is not a number", "--dataset", word, "line 3"
    wrong = folder / "wrong.csv"
    wrong.write_bytes(b"term_1,term_2,score\na,caf\x81,1\n")
    yield "neither UTF-8 nor Windows-1252 in pairs", "--dataset", wrong, "line 2"
    nothing = folder / "nothing.csv"
    nothing.write_text("")
    yield "empty dataset", "--dataset", nothing, "the file is empty"
    yield "folder without sets as dataset", "--dataset", folder, "is a folder without sets"
    fake = folder / "fake.parquet"
    fake.write_bytes(b"PAR1 and nothing")
    yield "damaged Parquet", "--dataset", fake, "Parquet"
    yield "unknown set", "--dataset", "bio-simlx", "did you mean 'bio-simlex'"


def test_bad_input_is_one_sentence_with_file_and_place_and_writes_nothing(medgauge, vectors, pairs, tmp_path):
    folder = tmp_path / "broken"
    folder.mkdir()
    for name, option, path, said in broken_files(folder):
        others = {"--model": vectors, "--dataset": pairs} | {option: path}
        arguments = [part for pair in others.items() for part in pair]
        done = medgauge("evaluate", *arguments, "--out", tmp_path / "run")
        assert done.code == 1, name
        assert done.out == "", name
        assert str(path) in done.err, name
        assert said in done.err, (name, done.err)
        remark = "terms from 'term_1' and 'term_2', gold from 'score'"
        errors = [line for line in done.err.strip().splitlines() if not line.endswith(remark)]
        assert len(errors) == 1, (name, done.err)
        assert not (tmp_path / "run").exists(), name
        assert not (tmp_path / "run.partial").exists(), name


def test_words_that_are_not_utf8_can_be_skipped(medgauge, pairs, tmp_path):
    good = write_text(tmp_path / "good.txt", some_vectors(*WORDS, dim=2), header=False).read_bytes()
    path = tmp_path / "latin.txt"
    path.write_bytes(good + b"caf\xe9 1 2\n")
    arguments = ("evaluate", "--model", path, "--dataset", pairs, "--measure", "fj")
    assert medgauge(*arguments).code == 1
    assert medgauge(*arguments, "--undecodable", "skip").code == 0


def test_a_table_of_term_vectors_has_the_four_measures(medgauge, pairs, tmp_path):
    made = some_vectors(*WORDS, dim=6)
    path = tmp_path / "table.parquet"
    pl.DataFrame({"term": list(made), "vector": [row.tolist() for row in made.values()]}).write_parquet(path)
    done = medgauge("evaluate", "--model", path, "--dataset", pairs, "--json")
    measures = {figure["measure"] for figure in json.loads(done.out)["figures"]}
    assert measures == {"cos", "pearson", "spearman", "kendall"}


@pytest.mark.slow
def test_a_killed_run_goes_on_where_it_was(tmp_path, pairs):
    """SIGKILL while the second model waits; the scores of the first are there and are not computed again."""
    first = write_binary(tmp_path / "first.bin", some_vectors(*WORDS))
    code = (
        "import sys, time\n"
        "from medgauge.evaluation import evaluate as module\n"
        "real = module.scorer_for\n"
        "def slow(model, *rest, **named):\n"
        "    scorer = real(model, *rest, **named)\n"
        "    def score(pairs):\n"
        "        print('scoring', model.card.name, file=sys.stderr, flush=True)\n"
        "        if model.card.name == 'levenshtein' and '--wait' in sys.argv: time.sleep(600)\n"
        "        return scorer(pairs)\n"
        "    return score\n"
        "module.scorer_for = slow\n"
        f"module.evaluate([{str(first)!r}, 'levenshtein'], [{str(pairs)!r}], out={str(tmp_path / 'run')!r})\n"
    )
    with running([sys.executable, "-c", code, "--wait"], stderr=subprocess.PIPE) as waiting:
        while "levenshtein" not in waiting.stderr.readline():
            assert waiting.poll() is None
        waiting.send_signal(signal.SIGKILL)
    assert not (tmp_path / "run").exists()
    kept = next((tmp_path / "run.partial" / "scores").glob("*first*"))
    before = kept.stat().st_mtime_ns
    done = run([sys.executable, "-c", code], check=True)
    assert done.stderr.split() == ["scoring", "levenshtein"]
    assert (tmp_path / "run" / "scores" / kept.name).stat().st_mtime_ns == before


def test_sets_and_models_may_be_separated_by_commas(medgauge, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = "term_1,term_2,gold\n" + "".join(f"a{number},b{number % 3},{number % 5}\n" for number in range(20))
    for name in ("one.csv", "two.csv", "with,comma.csv"):
        (tmp_path / name).write_text(rows)
    done = medgauge(
        *("evaluate", "--model", "Levenshtein,TOKEN-jaccard", "--dataset", "one.csv,mine=two.csv"),
        *("--dataset", "with,comma.csv", "--json"),
    )
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert [card["name"] for card in found["models"]] == ["levenshtein", "token-jaccard"]
    assert [used["name"] for used in found["datasets"]] == ["one", "mine", "with,comma"]
    assert (
        "there is no dataset (or file) 'absent'"
        in medgauge("evaluate", "--baselines", "--dataset", "one.csv,absent").err
    )


def test_cosine_of_word_vectors_is_noted_once(medgauge, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    word_pairs().save(tmp_path / "pairs.parquet")
    for name in ("one", "two"):
        write_binary(tmp_path / f"{name}.bin", some_vectors(*WORDS))
    options = ("--dataset", "pairs.parquet", "--measure", "cosine")
    done = medgauge("evaluate", "--model", "one.bin,two.bin", *options, "--out", "run")
    assert done.code == 0, done.err
    assert done.err.splitlines()[0] == "cos means avg_cos for models of word vectors"
    assert done.err.count("avg_cos") == 1
    found = json.loads((tmp_path / "run" / "results.json").read_text())
    assert {figure["measure"] for figure in found["figures"]} == {"avg_cos"}
    again = medgauge("compare", "run", "--measure", "Cosine")
    assert again.code == 0, again.err
    assert "with the measure avg_cos" in again.out


ROWS = [
    ("Herz", "Herzinfarkt", 3.5),
    ("Gicht", "Fieber", None),
    ("Husten", "Schnupfen", 2),
    ("Haut", "Bein", 1),
]


@pytest.fixture
def german(tmp_path):
    rows = [("Begriff 1", "Begriff 2", "Mittelwert"), *ROWS]
    return write_xlsx(tmp_path / "paare.xlsx", {"Notizen": [["x"], ["y"]], "Paare": rows})


def test_a_spreadsheet_is_evaluated_and_what_was_assumed_is_said(medgauge, german):
    arguments = ("evaluate", "--model", "levenshtein", "--dataset", german, "--sheet", "Paare")
    refused = medgauge(*arguments)
    assert refused.code == 1
    guess = f"{german}: terms from 'Begriff 1' and 'Begriff 2', gold from 'Mittelwert'"
    error = (
        f"medgauge: {german}, sheet 'Paare', row 3: the value of column 'Mittelwert' is missing; "
        "add --missing skip to skip such pairs"
    )
    assert refused.err.splitlines() == [guess, error]
    done = medgauge(*arguments, "--missing", "skip", "--json")
    assert done.code == 0, done.err
    skipped = f"warning: {german}: 1 of 4 pairs have no value in column 'Mittelwert' and are skipped"
    assert done.err.splitlines()[0] == guess
    assert done.err.splitlines()[1].startswith(skipped)
    [used] = json.loads(done.out)["datasets"]
    assert (used["name"], used["n"], used["skipped"]) == ("paare", 3, 1)
    shown = medgauge(*arguments, "--missing", "skip").out
    assert "Pairs without gold, which were skipped (--missing skip): paare 1." in shown


def test_csv_for_excel_begins_with_a_mark(medgauge, pairs):
    arguments = ("evaluate", "--model", "levenshtein", "--dataset", pairs, "--format", "csv")
    plain, marked = medgauge(*arguments), medgauge(*arguments, "--bom")
    assert marked.out == f"\ufeff{plain.out}"
