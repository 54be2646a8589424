import json
import os
import signal
import sys

import numpy as np
import polars as pl
import pytest

from medgauge.files.parquet import parquet_metadata
from medgauge.files.private import private_folder
from medgauge.models import kinds
from medgauge.models.kinds import ModelKind
from medgauge.models.load import load_model
from medgauge.pairs import Card, Pairs
from tests.support.embedding_service import stand_in
from tests.support.processes import running
from tests.support.sources import CountingSource, vector_of

TERMS = ["heart attack", "flu", "Ménière's disease", "gout"]


@pytest.fixture
def sources(monkeypatch):
    """The sources that were opened: vectors of terms for counted:, of words for counted:words."""
    opened = []

    def open_source(spec, name, _loading):
        opened.append(CountingSource("words" if spec.name == "words" else "vectors", name=name))
        return opened[-1]

    kind = ModelKind("counted", "", "counted:x", open_source)
    service = ModelKind("service", "", "", open_source)
    monkeypatch.setattr(kinds, "BUILT_IN", (*kinds.BUILT_IN, kind, service))
    return opened


@pytest.fixture
def encode(medgauge, tmp_path, sources):
    """Encode a list; the table is vectors.parquet."""
    (tmp_path / "terms.txt").write_text("\n".join(TERMS) + "\n", "utf-8")

    def run(*options, model="counted:x", terms=tmp_path / "terms.txt"):
        given = [] if terms is None else ["--terms", terms]
        return medgauge("models", "encode", model, *given, "--out", tmp_path / "vectors.parquet", *options)

    return run


def table(tmp_path) -> pl.DataFrame:
    return pl.read_parquet(tmp_path / "vectors.parquet")


def test_a_list_becomes_a_table_that_evaluate_reads(encode, tmp_path, medgauge):
    done = encode()
    assert (done.code, done.out) == (0, "")
    assert done.err == f"4 vectors of 3 dimensions written to {tmp_path / 'vectors.parquet'}\n"
    assert table(tmp_path).columns == ["term", "vector"]
    assert table(tmp_path)["term"].to_list() == TERMS
    model = load_model(tmp_path / "vectors.parquet")
    rows, known = model.lookup(["gout", "heart attack"])
    assert rows.tobytes() == vector_of("gout", 3).tobytes() + vector_of("heart attack", 3).tobytes()
    assert known.all()
    (tmp_path / "pairs.csv").write_text(
        "term_1,term_2,score\nflu,gout,1\nflu,heart attack,2\ngout,heart attack,3\nflu,flu,4\n"
    )
    run = medgauge(
        "evaluate", "--model", tmp_path / "vectors.parquet", "--dataset", tmp_path / "pairs.csv", "--json"
    )
    assert json.loads(run.out)["figures"][0]["covered"] == 4


def test_the_table_says_which_model_made_it(encode, tmp_path):
    encode(model="mine=counted:x")
    card = json.loads(parquet_metadata(tmp_path / "vectors.parquet")["medgauge.model"])
    assert (card["name"], card["digest"]) == ("mine", "d1g35t")


def test_nothing_is_left_and_the_file_is_sealed(encode, tmp_path):
    encode("--no-cache")
    assert list(private_folder("encoding").iterdir()) == []
    damaged = bytearray((tmp_path / "vectors.parquet").read_bytes())
    damaged[20] ^= 1
    (tmp_path / "vectors.parquet").write_bytes(damaged)
    with pytest.raises(Exception, match="its content is not what was written"):
        _ = load_model(tmp_path / "vectors.parquet").card


@pytest.mark.parametrize(
    ("name", "content", "options"),
    [
        ("terms.csv", "id,term\n1,flu\n2,gout\n3,flu\n", []),
        ("terms.tsv", "name\tid\nflu\t1\ngout\t2\n", ["--term", "name"]),
        ("terms.csv", "term\r\nflu\r\n gout \r\n", []),
    ],
)
def test_a_column_of_a_table_and_each_term_once(encode, tmp_path, name, content, options):
    (tmp_path / name).write_text(content)
    assert encode(*options, terms=tmp_path / name).code == 0
    assert table(tmp_path)["term"].to_list() == ["flu", "gout"]


def test_a_column_of_parquet(encode, tmp_path):
    pl.DataFrame({"term": TERMS[::-1]}).write_parquet(tmp_path / "terms.parquet")
    encode(terms=tmp_path / "terms.parquet")
    assert table(tmp_path)["term"].to_list() == TERMS[::-1]


def test_the_terms_of_a_set_of_pairs(encode, tmp_path):
    (tmp_path / "pairs.csv").write_text("term_1,term_2,score\nflu,gout,1\nangina,gout,2\n")
    assert encode("--dataset", tmp_path / "pairs.csv", terms=None).code == 0
    assert table(tmp_path)["term"].to_list() == ["flu", "gout", "angina"]
    assert encode("--dataset", tmp_path / "pairs.csv", "--replace").code == 0
    assert table(tmp_path)["term"].to_list() == [*TERMS, "angina"]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("flu\n\ngout\n", "line 2: the term is blank"),
        ("\nflu\n", "line 1: the term is blank"),
        ("id,term\n1,flu\n2,\n", "line 3: the term is blank"),
        (" \n\n", "has no terms"),
        ("", "is empty"),
        ("term_1,term_2\nflu,gout\n", "has pairs of terms; name one of its columns of terms with --term"),
        ("flu\n" + "x" * 10_001, "line 2: "),
    ],
)
def test_a_list_that_cannot_be_encoded_is_refused(encode, tmp_path, content, problem):
    (tmp_path / "bad.txt").write_text(content)
    done = encode(terms=tmp_path / "bad.txt")
    assert done.code == 1
    assert problem in done.err
    assert "flu" not in done.err.replace(str(tmp_path), "")
    assert not (tmp_path / "vectors.parquet").exists()


@pytest.mark.parametrize(
    ("model", "problem"),
    [
        ("counted:words", "has a vector for each word of a term"),
        ("levenshtein", "scores pairs and has no vectors"),
        ("counted:x?pooling=cls", "have no options"),
        ("nowhere.bin", "there is no such file"),
    ],
)
def test_a_model_without_vectors_of_terms_is_refused(encode, tmp_path, model, problem):
    done = encode(model=model)
    assert (done.code, problem in done.err) == (1, True)
    assert not (tmp_path / "vectors.parquet").exists()


def test_a_table_of_vectors_is_refused(encode, tmp_path, medgauge):
    encode()
    again = ["--terms", tmp_path / "terms.txt", "--out", tmp_path / "other.parquet"]
    done = medgauge("models", "encode", tmp_path / "vectors.parquet", *again)
    assert "is a table of vectors already" in done.err


def test_an_existing_file_is_replaced_only_on_request(encode, tmp_path):
    (tmp_path / "vectors.parquet").write_text("mine")
    assert "already exists; choose another file, or add --replace" in encode().err
    assert (tmp_path / "vectors.parquet").read_text() == "mine"
    assert encode("--replace").code == 0


def test_a_place_that_cannot_be_written_is_refused_before_anything_is_encoded(
    medgauge, tmp_path, encode, sources
):
    (tmp_path / "file").write_text("")
    place = tmp_path / "file" / "v.parquet"
    done = medgauge("models", "encode", "counted:x", "--terms", tmp_path / "terms.txt", "--out", place)
    assert (done.code, sources[0].asked) == (1, [])


def test_terms_of_a_set_are_not_sent_to_a_service_without_permission(encode, tmp_path):
    (tmp_path / "pairs.csv").write_text("term_1,term_2,score\nflu,gout,1\nangina,gout,2\n")
    done = encode("--dataset", tmp_path / "pairs.csv", model="api:m@https://example.org/v1", terms=None)
    assert done.code == 1
    assert "terms would leave this machine for https://example.org/v1; if they may, allow it" in done.err


ELSEWHERE = "https://127.0.0.1.example.org/v1"  # never reached


def test_a_list_was_sent_by_the_permission_of_another_set(encode, tmp_path):
    (tmp_path / "pairs.csv").write_text("term_1,term_2,score\nflu,gout,1\nangina,gout,2\n")
    for more in ((), ("--dataset", tmp_path / "pairs.csv")):
        done = encode(*more, "--allow-remote", f"pairs@{ELSEWHERE}", model=f"api:m@{ELSEWHERE}")
        assert done.code == 1
        assert "the terms of 'terms' may not be sent" in " ".join(done.err.split())
        assert f"--allow-remote terms@{ELSEWHERE}" in " ".join(done.err.split())


def test_a_column_of_a_set_was_sent_although_its_licence_forbids_it(encode, tmp_path):
    card = Card(name="mine", title="Mine", terms_stay=True)
    Pairs.of([("flu", "gout")], card=card).save(tmp_path / "mine.parquet")
    done = encode(
        *("--term", "term_1", "--allow-remote", ELSEWHERE),
        model=f"api:m@{ELSEWHERE}",
        terms=tmp_path / "mine.parquet",
    )
    assert done.code == 1
    assert "the licence of 'mine' does not let its terms leave this machine" in " ".join(done.err.split())


def test_a_service_was_asked_before_the_list_was_compared_with_the_budget(encode, tmp_path):
    (tmp_path / "terms.txt").write_text("".join(f"disease {number}\n" for number in range(50)))
    with stand_in() as service:
        done = encode("--max-tokens", "100", model=f"api:m@{service.url}")
    assert (done.code, service.asked) == (1, [])
    assert "about 290 tokens but --max-tokens allows 100" in " ".join(done.err.split())


def test_something_must_be_encoded(encode):
    done = encode(terms=None)
    assert (done.code, "give --terms, --dataset, or both" in " ".join(done.err.split())) == (2, True)


def test_the_cache_is_used_and_filled_unless_it_is_declined(encode, sources):
    encode("--no-cache")
    encode("--replace")
    encode("--replace")
    assert [len(source.asked) for source in sources] == [4, 4, 0]


def test_terms_without_a_vector_are_left_out(encode, tmp_path, monkeypatch):
    row = CountingSource.row
    lacking = {"flu"}

    def row_with_gaps(self, part):
        return np.full(3, np.nan) if part in lacking else row(self, part)

    monkeypatch.setattr(CountingSource, "row", row_with_gaps)
    assert "1 of 4 terms have no vector and are left out" in encode().err
    assert table(tmp_path)["term"].to_list() == [term for term in TERMS if term != "flu"]
    lacking.update(TERMS)
    assert "has a vector for none of these terms" in encode("--replace", "--no-cache").err


_PROGRAM = """
import sys
from medgauge.cli import main
from medgauge.models import kinds
from tests.support.sources import CountingSource

class Slow(CountingSource):
    def batches(self, texts):
        for number, batch in enumerate(super().batches(texts)):
            if number == 3:
                print("waiting", flush=True)
                sys.stdin.read()
            yield batch

kind = kinds.ModelKind("counted", "", "", lambda spec, name, loading: Slow(name=name))
kinds.BUILT_IN = (*kinds.BUILT_IN, kind)
sys.argv = ["medgauge", *sys.argv[1:]]
main.run()
"""


def test_a_killed_run_goes_on_and_two_at_once_are_refused(encode, tmp_path, sources):
    terms = [f"disease {number}" for number in range(40)]
    (tmp_path / "terms.txt").write_text("\n".join(terms))
    command = ["models", "encode", "counted:x", "--terms", tmp_path / "terms.txt", "--no-cache", "--out"]
    program = [sys.executable, "-c", _PROGRAM, *command, tmp_path / "vectors.parquet"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with running(program, env=environment, stdin=-1, stdout=-1) as process:
        assert process.stdout.readline() == "waiting\n"
        assert "another process is encoding the same terms" in encode("--no-cache").err
        process.send_signal(signal.SIGKILL)
    assert not (tmp_path / "vectors.parquet").exists()
    for path in private_folder("encoding").rglob("*.r*"):
        assert b"disease" not in path.read_bytes()
    done = encode("--no-cache")
    assert "resuming: 12 of 40 terms are encoded" in done.err
    assert len(sources[-1].asked) == 28
    assert table(tmp_path)["term"].to_list() == terms
    assert table(tmp_path)["vector"].to_numpy().tobytes() == b"".join(
        vector_of(term, 3).tobytes() for term in terms
    )
    assert list(private_folder("encoding").iterdir()) == []
