"""Services, as users call them: one sentence for what goes wrong, and nothing of keys and terms anywhere."""

import json
import sys
from pathlib import Path

import polars as pl
import pytest

from tests.support.embedding_service import stand_in
from tests.support.processes import running
from tests.support.written_files import everything_written

KEY = "sk-a-very-secret-key"
SECRET = "Zzecret"
ROWS = [(f"{SECRET} fever {n}", f"{'ab'[n % 2]} {SECRET} flu {n}", n % 4) for n in range(24)]


@pytest.fixture
def service():
    with stand_in() as running:
        yield running


@pytest.fixture
def pairs(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("MY_KEY", KEY)
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "mine.csv"
    lines = [f"{first},{second},{score}" for first, second, score in ROWS]
    path.write_text("\n".join(["term_1,term_2,score", *lines]), "utf-8")
    return path


@pytest.fixture
def rated(tmp_path) -> Path:
    """A set that two doctors rated."""
    path = tmp_path / "rated.csv"
    lines = [
        f"{first},{second},{score},{max(0, score - n % 2)}" for n, (first, second, score) in enumerate(ROWS)
    ]
    path.write_text("\n".join(["term_1,term_2,rater_Ada,rater_Eve", *lines]), "utf-8")
    return path


def failures(done) -> list[str]:
    """Return the errors of a command that failed, without what it remarked before."""
    assert (done.code, done.out) == (1, "")
    return [line for line in done.err.splitlines() if line.startswith("medgauge: ")]


def test_one_table_has_a_service_a_judge_and_a_baseline(medgauge, service, pairs):
    service.key = KEY
    service.rates = lambda first, second: json.dumps({"rating": 3 if "a Z" in first + second else 1})
    service.faults.extend(["", "", "refusal", "refusal"])
    done = medgauge(
        *("evaluate", "--dataset", pairs, "--model", f"emb=api:m@{service.url}?key=MY_KEY"),
        *("--model", f"llm=judge:c@{service.url}?key=MY_KEY&protocol=graded&concurrent=1"),
        *("--model", "levenshtein", "--price", "20", "--out", "run"),
    )
    assert done.code == 0, done.err
    assert "emb: about" in done.out
    assert "at 20 for a million." in " ".join(done.out.split())
    assert "Pairs of mine that llm did not score: refused 2." in " ".join(done.out.split())
    run = json.loads(Path("run/results.json").read_text())
    assert [one["model"] for one in run["costs"]] == ["emb", "llm"]
    assert run["costs"][0]["price"] == 20
    assert {one["model"]: one.get("failures") for one in run["coverage"]} == {
        "emb": None,
        "llm": {"refused": 2},
        "levenshtein": None,
    }
    scores = pl.read_parquet("run/scores/mine--llm.parquet")
    assert scores["failure"].drop_nulls().to_list() == ["refused"] * 2
    for text in (done.out, done.err, everything_written(Path("run"))):
        assert KEY not in text
        assert SECRET not in text


def test_the_same_run_again_asks_for_the_probe_words_only(medgauge, service, pairs):
    command = ("evaluate", "--dataset", pairs, "--model", f"api:m@{service.url}", "--out", "run")
    assert medgauge(*command).code == 0
    service.asked.clear()
    assert "already holds this run" in medgauge(*command).err
    assert len(service.asked) == 1
    assert not any(SECRET in term for term in service.terms)
    service.salt = "other weights"
    done = medgauge(*command)
    assert done.code == 1
    assert "run holds a run with different models" in done.err


def test_a_run_without_a_price_says_nothing_of_costs(medgauge, service, pairs):
    done = medgauge("evaluate", "--dataset", pairs, "--model", f"api:m@{service.url}", "--out", "run")
    assert "million" not in done.out
    assert not {"costs", "failures"} & set(json.loads(Path("run/results.json").read_text()))


@pytest.mark.parametrize(
    ("faults", "problem"),
    [
        (["401"], "the service refuses the key (401 Unauthorized); check the key in MY_KEY"),
        (["", "nan"], "the service returned a vector with values that are infinite or not a number (NaN)"),
        (["", "fewer"], "the service returned"),
        (["", "other dimension"], "the service returned vectors of 5 dimensions, not 4 as before"),
        (["redirect"], "redirects to another address (307), which is not followed"),
    ],
)
def test_what_goes_wrong_is_one_sentence_and_nothing_is_written(medgauge, service, pairs, faults, problem):
    service.faults.extend(faults)
    model = f"api:m@{service.url}?key=MY_KEY"
    done = medgauge(
        "evaluate", "--dataset", pairs, "--model", "levenshtein", "--model", model, "--out", "run"
    )
    assert done.code == 1
    assert done.out == ""
    [sentence] = failures(done)
    assert sentence.startswith(f"medgauge: {service.url}/embeddings: ")
    assert problem in sentence
    assert KEY not in done.err
    assert SECRET not in done.err
    assert not list(Path().glob("run*"))


@pytest.mark.parametrize("fault", ["401", "html", "no choices"])
def test_what_goes_wrong_with_a_judge_is_one_sentence_and_nothing_is_written(medgauge, service, pairs, fault):
    service.faults.extend(["", "", fault])
    models = ("--model", "levenshtein", "--model", f"judge:m@{service.url}?concurrent=1")
    done = medgauge("evaluate", "--dataset", pairs, *models, "--out", "run")
    [sentence] = failures(done)
    assert sentence.startswith(f"medgauge: {service.url}/chat/completions: ")
    assert SECRET not in done.err
    assert not list(Path().glob("run*"))


def test_a_service_that_is_down_is_one_sentence_and_nothing_is_written(medgauge, pairs):
    with stand_in() as gone:
        url = gone.url
    done = medgauge("evaluate", "--dataset", pairs, "--model", f"api:m@{url}", "--out", "run")
    assert done.code == 1
    assert failures(done) == [
        f"medgauge: {url}/embeddings: the service cannot be reached (Connection refused); check that it runs "
        "and that the address is right"
    ]
    assert not list(Path().glob("run*"))


def test_terms_do_not_leave_the_machine_without_permission(medgauge, pairs):
    url = "https://api.example.org/v1"
    for kind in ("api", "judge"):
        done = medgauge("evaluate", "--dataset", pairs, "--model", f"{kind}:m@{url}", "--out", "run")
        assert failures(done) == [
            f"medgauge: terms would leave this machine for {url}; if they may, allow it with --allow-remote "
            f"{url}"
        ]
    assert not list(Path().glob("run*"))


@pytest.mark.parametrize("command", ["evaluate", "categories"])
def test_too_small_a_budget_sends_nothing(medgauge, service, pairs, command):
    for name, terms in (("a", ["flu"]), ("b", ["cold"]), ("c", ["fracture of the femur"])):
        Path(f"{name}.txt").write_text("\n".join(terms))
    rest = {
        "evaluate": ("--dataset", pairs),
        "categories": ("--close", "a.txt", "b.txt", "--distant", "c.txt"),
    }[command]
    done = medgauge(command, *rest, "--model", f"api:m@{service.url}", "--max-tokens", 5)
    assert done.code == 1
    assert "but --max-tokens allows 5; raise it" in done.err
    assert service.asked == []


def test_info_shows_a_service_without_asking_it(medgauge, service):
    for kind in ("api", "judge"):
        done = medgauge("models", "info", f"{kind}:m@{service.url}", "--json")
        assert json.loads(done.out)["service"] == service.url
    assert service.asked == []


@pytest.mark.slow
def test_a_judge_that_is_killed_half_way_pays_nothing_twice(medgauge, service, pairs):
    service.faults.extend([*[""] * 9, "hang"])
    command = ("evaluate", "--dataset", "mine.csv", "--model", f"judge:c@{service.url}?concurrent=1")
    with running([sys.executable, "-m", "medgauge", *command, "--out", "run"]) as process:
        assert service.hanging.wait(60)
        process.kill()
    paid = [asked["messages"][1]["content"] for asked in service.asked[:9]]
    service.asked.clear()
    done = medgauge(*command, "--out", "run")
    assert done.code == 0, done.err
    assert len(service.asked) == 2 * len(ROWS) - 9
    assert set(paid).isdisjoint(asked["messages"][1]["content"] for asked in service.asked)


def test_a_chat_model_is_one_more_annotator(medgauge, service, pairs, rated):
    service.rates = lambda first, _: json.dumps({"rating": int(first.split()[-1]) % 4})
    service.faults.append("refusal")
    out = rated.with_name("with-llm.csv")
    command = (
        "models",
        "rate",
        f"llm=judge:c@{service.url}?protocol=graded&concurrent=1",
        rated,
        "--out",
        out,
    )
    done = medgauge(*command)
    assert done.code == 0, done.err
    assert "1 of 24 pairs have no rating: refused" in done.err
    assert out.read_text().splitlines()[0] == "pair_id,term_1,term_2,rater_Ada,rater_Eve,rater_llm"
    agreement = medgauge("agreement", out, "--format", "json")
    assert agreement.code == 0, agreement.err
    found = json.loads(agreement.out)
    assert {one["name"]: one["ratings"] for one in found["annotators"]} == {"Ada": 24, "Eve": 24, "llm": 23}
    [with_ada] = [
        one for one in found["pairwise"] if (one["annotator_1"], one["annotator_2"]) == ("Ada", "llm")
    ]
    assert with_ada["kappa"] == 1.0  # it writes what Ada does
    again = medgauge(*command)
    assert again.code == 1
    assert "exists; choose another file, or add --replace" in again.err
    assert len(service.asked) == 24
    assert medgauge(*command, "--replace").code == 0
    assert len(service.asked) == 24


def test_ratings_that_could_not_be_written_are_not_paid_for(medgauge, service, rated):
    done = medgauge("models", "rate", f"judge:c@{service.url}", rated, "--out", rated / "with-llm.csv")
    assert done.code == 1
    assert "with-llm.csv: cannot be written; choose another place" in done.err
    assert service.asked == []
