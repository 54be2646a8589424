"""From raw text to figures, as a user does it, with experts and annotators who answer at once."""

import random
import shlex

import polars as pl
import pytest

from medgauge.pairs import PairSet
from tests.support.expert_answers import answer_all
from tests.support.word_tables import BIOMEDICAL, GENERAL, GENERAL_LIST, NORMS, ONTOLOGY, TAGS

TOKENS = 50_000
_FILL = (("the", "DET"), ("of", "ADP"), ("in", "ADP"), ("be", "AUX"), ("a", "DET"), ("and", "CCONJ"))
TOPICS = (
    *(("scoliosis", "kyphosis", "lordosis"), ("edema", "dropsy"), ("apoptosis", "necrosis", "endothelium")),
    ("phosphorylation", "methylation", "acetylation", "kinase", "phosphatase", "centrosome"),
    ("phosphorylate", "methylate", "acetylate", "depolymerize", "transfect", "sequester"),
    *(("river", "lake"), ("king", "queen", "people"), ("teacher", "school", "idea"), ("window", "door")),
    *(("wash", "rinse"), ("argue", "dispute", "whisper"), ("borrow", "lend", "automate")),
)
"""Words that stand in the same sentences."""
_TAG = {word: TAGS[part] for words in (BIOMEDICAL, GENERAL) for part, own in words.items() for word in own}


def write_conllu(path):
    """Write 50,000 tokens: in each sentence six words of a topic, and four that belong to none."""
    chance = random.Random(1)
    with path.open("w", encoding="utf-8") as stream:
        for _ in range(TOKENS // 10):
            topic = chance.choice(TOPICS)
            words = [(word, _TAG[word]) for word in chance.choices(topic, k=6)] + chance.choices(_FILL, k=4)
            chance.shuffle(words)
            for place, (word, tag) in enumerate(words, 1):
                stream.write(f"{place}\t{word}\t{word}\t{tag}\t_\t_\t{place - 1}\tdep\t_\t_\n")
            stream.write("\n")


def similar(one, other):
    """Return a rating of the slider: high for words of one topic."""
    return 5.0 if any({one, other} <= set(topic) for topic in TOPICS) else 1.0


@pytest.mark.slow
def test_text_becomes_words_pairs_vectors_and_figures(medgauge, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_conllu(tmp_path / "text.conllu")
    (tmp_path / "mini.obo").write_text(ONTOLOGY)
    (tmp_path / "norms.tsv").write_text(NORMS)
    listed = "".join(f"{word}\t{count}\n" for word, count in GENERAL_LIST.items())
    (tmp_path / "general.tsv").write_text(f"word\tfrequency\n{listed}")

    def run(command):
        done = medgauge(*shlex.split(command))
        assert done.code == 0, done.err
        return done

    run("corpus text.conllu --out corpus.parquet")
    run("corpus words corpus.parquet --out words.parquet")
    build = (
        "build words words.parquet --reference general.tsv --frequent-in-both 1e6 --biomedical 2 "
        "--ontology mini.obo --norms norms.tsv --pairs 3 --out pairs"
    )
    run(build)
    run(
        "annotate init experts --pairs pairs/experts/candidate-pairs.parquet --protocol associated "
        "--annotators 2 --per-pair 2"
    )
    answer_all(tmp_path / "experts", lambda *_: 1.0)
    run("annotate export experts --out accepted.csv")
    run(f"{build} --accepted accepted.csv --replace")
    run("annotate init study --pairs pairs --protocol slider --annotators 3 --per-pair 3")
    answer_all(
        tmp_path / "study",
        lambda who, one, other: similar(one, other) + (who[-1] == "1") * (len(one) % 2),
    )
    run("annotate export study --out ratings.csv")
    run("gold ratings.csv --out gold.parquet")
    run("train corpus.parquet --dim 20 --epochs 3 --sample 0.01 --threads 1 --out vectors.bin")
    run("evaluate --model vectors.bin --dataset gold.parquet --by quarter --out run")
    figures = pl.read_csv(run("show run --format csv").out.encode())
    whole = figures.filter(pl.col("measure") == "avg_cos", pl.col("subset").is_null())
    gold = PairSet.load(tmp_path / "gold.parquet")
    assert len(gold) == 24
    assert gold.frame["quarter"].n_unique() == 4
    assert whole["value"].item() > 0.5, figures
