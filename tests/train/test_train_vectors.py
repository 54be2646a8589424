import gzip
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import medgauge
from medgauge.corpus.stored_corpus import CorpusSource, CorpusWriter
from medgauge.errors import FileError, InputError, options_as_flags
from medgauge.train.architectures import ARCHITECTURES
from medgauge.train.train_vectors import train_vectors
from tests.train.corpora import SCIENTIST_UNIVERSAL, parsed_corpus, plain_corpus, topic_text

TOY = {"dim": 12, "window": 3, "sample": 0.0, "min_count": 2, "epochs": 8}
WINDOWED = [name for name, one in ARCHITECTURES.items() if one.has_window]


@pytest.fixture
def text(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("text.txt").write_text(topic_text(), "utf-8")
    return Path("text.txt")


def cosine(model, one, other):
    rows, known = model.vectors([one, other])
    assert known.all()
    return float(rows[0] @ rows[1] / np.linalg.norm(rows[0]) / np.linalg.norm(rows[1]))


@pytest.mark.parametrize("arch", WINDOWED)
def test_words_of_one_topic_become_alike(text, arch):
    model = train_vectors(text, "vectors.bin", arch=arch, threads=1, **TOY)
    assert cosine(model, "valve", "aorta") > cosine(model, "valve", "eczema") + 0.2


@pytest.mark.parametrize("arch", WINDOWED)
def test_one_thread_and_the_same_seed_give_the_same_bytes(text, arch):
    for name, seed in (("one.bin", 4), ("two.bin", 4), ("three.bin", 5)):
        train_vectors(text, name, arch=arch, threads=1, seed=seed, **{**TOY, "epochs": 1})
    one, two, three = (Path(f"{name}.bin").read_bytes() for name in ("one", "two", "three"))
    assert one == two != three


@pytest.mark.parametrize("arch", ["ssg", "attention", "sg"])
def test_several_threads_give_much_the_same_vectors(text, arch, monkeypatch):
    monkeypatch.setattr("medgauge.train.encoded_corpus.LONGEST", 100)
    model = train_vectors(text, "vectors.bin", arch=arch, threads=3, **TOY)
    assert cosine(model, "valve", "aorta") > cosine(model, "valve", "eczema") + 0.2


def test_verbs_with_the_same_arguments_become_alike_by_dependencies(tmp_path):
    nouns = {"treats": ["drug", "infection"], "cures": ["drug", "infection"], "bites": ["dog", "hand"]}
    sentences = [
        [(nouns[verb][0], 2, "nsubj"), (verb, 0, "root"), (nouns[verb][1], 2, "obj")] for verb in nouns
    ]
    parsed_corpus(tmp_path / "corpus.parquet", sentences * 150)
    options = {"dim": 12, "sample": 0.0, "epochs": 8, "threads": 1, "arch": "dependency"}
    model = train_vectors(tmp_path / "corpus.parquet", tmp_path / "one.bin", **options)
    assert cosine(model, "treats", "cures") > cosine(model, "treats", "bites") + 0.2
    train_vectors(tmp_path / "corpus.parquet", tmp_path / "two.bin", **options)
    assert (tmp_path / "one.bin").read_bytes() == (tmp_path / "two.bin").read_bytes()


def test_words_without_a_context_have_no_vector(tmp_path):
    parsed_corpus(tmp_path / "corpus.parquet", [SCIENTIST_UNIVERSAL] * 5)
    model = train_vectors(
        tmp_path / "corpus.parquet", tmp_path / "v.bin", arch="dependency", dim=3, threads=1
    )
    assert model.vectors(["scientist", "with"])[1].tolist() == [True, False]


def test_text_packed_or_not_and_a_corpus_of_it_give_the_same_vectors(text):
    Path("text.txt.gz").write_bytes(gzip.compress(text.read_bytes()))
    plain_corpus(Path("corpus.parquet"), [line.split() for line in text.read_text().splitlines()])
    written = set()
    for source in ("text.txt", "text.txt.gz", "corpus.parquet"):
        train_vectors(source, "vectors.bin", arch="attention", threads=1, replace=True, **TOY)
        written.add(Path("vectors.bin").read_bytes())
    assert len(written) == 1


def test_the_card_says_on_what_and_with_what_and_evaluate_reads_it(text):
    model = train_vectors(text, "vectors.txt", arch="attention", threads=1, **TOY)
    assert model.card == medgauge.load_model("vectors.txt").card
    assert model.card.trained_on == "text.txt (3,200 tokens), by CBOW with attention"
    assert (model.card.licence, model.card.sources) == ("not known", ())
    digest = model.card.parameters["corpus"]
    assert len(digest) == 64
    assert model.card.parameters == {
        "arch": "attention",
        "window": 3,
        "dim": 12,
        "negative": 5,
        "sample": 0.0,
        "lr": 0.05,
        "min_count": 2,
        "epochs": 8,
        "seed": 1,
        "tokenizer": "words",
        "keep_case": False,
        "words": 18,
        "corpus": digest,
    }


def test_the_card_names_the_origin_of_a_corpus_of_medline(tmp_path):
    frame = pl.DataFrame({"document": range(9), "tokens": [["gout", "rash"]] * 9})
    with CorpusWriter(tmp_path / "corpus.parquet") as writer:
        writer.sources = [CorpusSource(name=f"{number}.xml.gz", form="medline") for number in range(5)]
        writer.write(frame.with_columns(document_id=None, journal=None))
    model = train_vectors(tmp_path / "corpus.parquet", tmp_path / "v.bin", arch="ssg", dim=2, threads=1)
    assert model.card.sources == ("pubmed",)
    assert model.card.trained_on.startswith("0.xml.gz, 1.xml.gz, 2.xml.gz, 2 more (18 tokens), by structured")


def test_case_is_kept_only_if_asked_for(tmp_path):
    (tmp_path / "text.txt").write_text("Gout and IL-2\n" * 9)
    for keep_case, expected in ((False, [False, True]), (True, [True, False])):
        name = tmp_path / f"{keep_case}.bin"
        model = train_vectors(tmp_path / "text.txt", name, arch="ssg", dim=2, keep_case=keep_case, threads=1)
        assert model.file.read(["IL-2", "il-2"]).known.tolist() == expected


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        (b"gout rash\n", {}, "text.txt: has fewer than two words that occur 5 times"),
        (
            b"gout rash\n" * 9,
            {"arch": "dependency"},
            "text.txt: has no parse, which dependency contexts need",
        ),
        (b"\x00\x01\x02", {}, "text.txt: is not text; a corpus is made of MEDLINE"),
        (b"PAR1 nothing", {}, "text.txt: cannot be read as Parquet"),
        (b"gout rash\n" * 9, {"threads": 0}, "--threads needs a positive number"),
    ],
)
def test_bad_input_is_one_sentence_and_leaves_nothing(tmp_path, monkeypatch, content, options, message):
    monkeypatch.chdir(tmp_path)
    Path("text.txt").write_bytes(content)
    with options_as_flags(), pytest.raises(InputError, match=message):
        train_vectors("text.txt", "out/vectors.bin", **options)
    assert [path.name for path in tmp_path.iterdir()] == ["text.txt"]


def test_a_corpus_without_a_parse_has_no_dependency_contexts(tmp_path):
    plain_corpus(tmp_path / "corpus.parquet", [["gout", "rash"]] * 9)
    with pytest.raises(FileError, match=r"corpus\.parquet: has no parse.*take CoNLL-U"):
        train_vectors(tmp_path / "corpus.parquet", tmp_path / "v.bin", arch="dependency")


def test_a_table_that_is_not_a_corpus_is_one_sentence(tmp_path):
    pl.DataFrame({"tokens": [["gout"]]}).write_parquet(tmp_path / "table.parquet")
    with pytest.raises(FileError, match=r"table\.parquet: is not a corpus; make one with 'medgauge corpus"):
        train_vectors(tmp_path / "table.parquet", tmp_path / "v.bin")


def test_what_exists_is_not_overwritten(text):
    Path("vectors.bin").write_text("mine")
    with options_as_flags(), pytest.raises(InputError, match=r"vectors\.bin already exists.*--replace"):
        train_vectors(text, "vectors.bin")
    assert Path("vectors.bin").read_text() == "mine"


def test_a_corpus_is_not_overwritten_by_its_vectors(text):
    before = text.read_bytes()
    with pytest.raises(FileError, match=r"text\.txt: is read here, and would be overwritten"):
        train_vectors(text, "text.txt", arch="ssg", replace=True, threads=1, **TOY)
    assert text.read_bytes() == before


def test_vectors_that_grow_without_bound_are_one_sentence_and_not_written(text):
    options = {**TOY, "epochs": 60, "min_count": 1, "lr": 1.0}
    with options_as_flags(), pytest.raises(InputError, match=r"no longer finite.*--lr lower than 1$"):
        train_vectors(text, "vectors.bin", arch="attention", threads=1, **options)
    assert [path.name for path in Path().iterdir()] == ["text.txt"]


@pytest.mark.parametrize(("arch", "advice"), [("ssg", "--dim and --window$"), ("attention", "--dim$")])
def test_vectors_that_do_not_fit_into_memory_are_one_sentence(text, monkeypatch, arch, advice):
    def full(*_):
        raise MemoryError

    monkeypatch.setattr("medgauge.train.kernel_trainers.initial_rows", full)
    with (
        options_as_flags(),
        pytest.raises(InputError, match=f"18 words of 12 dim.*; raise --min-count, or lower {advice}"),
    ):
        train_vectors(text, "vectors.bin", arch=arch, threads=1, **TOY)
    assert [path.name for path in Path().iterdir()] == ["text.txt"]
