"""A small corpus as CoNLL-U, the word table of its words, and what links them."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from medgauge.corpus.word_table import SCHEMA, WordTable, WordTableCard

BIOMEDICAL = {
    "noun": (
        *("kinase", "phosphatase", "apoptosis", "necrosis", "scoliosis", "kyphosis", "lordosis", "edema"),
        *("dropsy", "phosphorylation", "methylation", "acetylation", "centrosome", "endothelium"),
    ),
    "verb": ("phosphorylate", "methylate", "acetylate", "depolymerize", "transfect", "sequester"),
}
GENERAL = {
    "noun": ("river", "lake", "idea", "people", "king", "queen", "teacher", "school", "window", "door"),
    "verb": ("wash", "rinse", "argue", "dispute", "automate", "borrow", "lend", "whisper"),
}
BETWEEN = {"noun": ("fire", "study"), "verb": ("play",)}
TAGS = {"noun": "NOUN", "verb": "VERB"}
TIMES = 6
"""How often each word occurs, and one more time for each place that it has in its list."""

GENERAL_LIST = {
    **{word: 900 for words in GENERAL.values() for word in words},
    **{word: 60 for words in BETWEEN.values() for word in words},
    "centrosome": 1,
}

ONTOLOGY = """format-version: 1.2
ontology: mini

[Term]
id: M:1
name: protein modification

[Term]
id: M:2
name: phosphorylation
is_a: M:1

[Term]
id: M:3
name: Methylation
is_a: M:1

[Term]
id: M:4
name: acetylation
is_a: M:1

[Term]
id: M:5
name: abnormal curvature of the spine

[Term]
id: M:6
name: Scoliosis
is_a: M:5

[Term]
id: M:7
name: Kyphosis
is_a: M:5

[Term]
id: M:8
name: Hyperlordosis
synonym: "Lordosis" EXACT []
is_a: M:5

[Term]
id: M:9
name: Oedema
synonym: "Dropsy" EXACT []
synonym: "Fluid retention" EXACT []
synonym: "Necrosis" BROAD []
"""
NORMS = """cue\ttarget\tgroup_size\tparticipants\tforward_strength\tbackward_strength
river\tlake\t150\t30\t.2\t.1
king\tqueen\t150\t90\t.6\t.6
window\tdoor\t150\t12\t.08\t.05
teacher\tschool\t150\t11\t.07\t
idea\tpeople\t150\t10\t.06\t.1
wash\trinse\t150\t20\t.13\t.2
argue\tdispute\t150\t15\t.1\t.1
borrow\tlend\t150\t40\t.3\t.2
"""


def occurrences() -> dict[tuple[str, str], int]:
    """Return how often each (lemma, tag) of the corpus occurs."""
    return {
        (word, TAGS[part]): TIMES + place
        for words in (BIOMEDICAL, GENERAL, BETWEEN)
        for part, listed in words.items()
        for place, word in enumerate(listed)
    }


def conllu(counts: Mapping[tuple[str, str], int]) -> str:
    """Return a corpus with these words as CoNLL-U, a sentence of each for each time that it occurs."""
    sentences = []
    for time in range(max(counts.values())):
        words = [one for one, count in counts.items() if count > time]
        rows = [
            f"{place}\t{lemma}\t{lemma}\t{tag}\t_\t_\t{place - 1}\t{'root' if place == 1 else 'dep'}\t_\t_"
            for place, (lemma, tag) in enumerate(words, 1)
        ]
        sentences.append("\n".join(rows) + "\n")
    return "\n".join(sentences)


def word_table(
    rows: Iterable[tuple[str, str | None, int]],
    *,
    unit: str = "lemma",
    tokens: int | None = None,
    subjects: Mapping[str, Mapping[str, int]] | None = None,
) -> WordTable:
    """Return a word table of (word, tag, frequency), with the frequencies of words in subjects."""
    named, rows = subjects or {}, list(rows)
    listed = [
        {
            "word": word,
            "pos": pos,
            "frequency": frequency,
            "documents": 1,
            "journals": 1,
            "subject": next(iter(named.get(word, {})), None),
            "subjects": [{"subject": one, "frequency": many} for one, many in named.get(word, {}).items()],
        }
        for word, pos, frequency in rows
    ]
    return WordTable(
        pl.DataFrame(listed, schema=SCHEMA),
        WordTableCard(
            corpus="ab" * 32,
            unit=unit,
            tokens=tokens or sum(frequency for _, _, frequency in rows),
            words=len(listed),
            documents=1,
            journals=1,
            subjects=None if subjects is None else 2,
        ),
    )


def write_small(folder: Path, **options: object) -> Path:
    """Write words.parquet of the small corpus, and beside it general.tsv, mini.obo and norms.tsv."""
    rows = [(word, tag, count) for (word, tag), count in occurrences().items()]
    word_table(rows, **options).save(folder / "words.parquet")
    listed = "".join(f"{word}\t{count}\n" for word, count in GENERAL_LIST.items())
    (folder / "general.tsv").write_text(f"word\tfrequency\n{listed}", "utf-8")
    (folder / "mini.obo").write_text(ONTOLOGY, "utf-8")
    (folder / "norms.tsv").write_text(NORMS, "utf-8")
    return folder / "words.parquet"


def options_of(folder: Path) -> dict[str, Any]:
    """Return the options of `build_words` for what `write_small` wrote; its words are frequent everywhere."""
    return {
        "reference": folder / "general.tsv",
        "frequent_in_both": 1e6,
        "ontology": folder / "mini.obo",
        "norms": folder / "norms.tsv",
        "pairs": 3,
    }
