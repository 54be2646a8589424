"""A tiny study of made-up text: 50,000 words, three windows, 200 labelled sentences."""

from pathlib import Path

import numpy as np

GENES = [f"gen{letter}{number}" for letter in "abcdef" for number in range(10)]
DRUGS = [
    f"{stem}{ending}"
    for stem in ["pra", "met", "nol", "vas", "ribo", "car"]
    for ending in ("in", "ol", "ine")
]
_FRAMES = {
    "text": (
        "the gene GENE regulates growth in mice",
        "a mutation of GENE causes early death",
        "patients took DRUG for pain",
        "a dose of DRUG had no effect in mice",
        "we measured ANY and ANY in children",
    ),
    "labelled": (
        "we measured ANY and ANY in children",
        "little is known of ANY",
        "ANY causes growth",
    ),
}
"""Where a gene may be and where a drug; labelled sentences do not tell which is which."""
STUDY = """\
title = "Tiny"
corpus = "text.txt"
windows = [1, 4, 8]
sets = ["alike.tsv"]
ner_corpora = ["GENES"]
journals = "journals.tsv"
subsets = { alike = "any" }

[training]
dim = 16
min_count = 2
sample = 1e-2
epochs = 2

[ner]
epochs = 2
trials = 2
rate = 0.02
"""


def sentence(rng: np.random.Generator, kind: str) -> list[tuple[str, str]]:
    """Make a sentence, with a label for each word that says whether it is a gene."""
    kinds = {"GENE": GENES, "DRUG": DRUGS, "ANY": [*GENES, *DRUGS]}
    words = [
        str(rng.choice(kinds[word])) if word in kinds else word
        for word in str(rng.choice(_FRAMES[kind])).split()
    ]
    return [(word, "B-gene" if word in GENES else "O") for word in words]


def write_study(folder: Path) -> Path:
    """Write the study and its inputs; return its file."""
    rng = np.random.default_rng(3)
    lines, tokens = [], 0
    while tokens < 50_000:
        words = [word for word, _ in sentence(rng, "text")]
        lines.append(" ".join(words))
        tokens += len(words)
    (folder / "text.txt").write_text("\n".join(lines) + "\n", "utf-8")
    (folder / "GENES").mkdir()
    for part, count in (("train", 140), ("devel", 30), ("test", 30)):
        made = [sentence(rng, "labelled") for _ in range(count)]
        text = ["".join(f"{word}\t{label}\n" for word, label in one) for one in made]
        (folder / "GENES" / f"{part}.tsv").write_text("\n".join(text), "utf-8")
    pairs = rng.choice([*GENES, *DRUGS], (200, 2))
    gold = [4 * ((one in GENES) == (other in GENES)) + 2 * rng.random() for one, other in pairs]
    rows = [f"{one}\t{other}\t{score:.2f}\n" for (one, other), score in zip(pairs, gold, strict=True)]
    (folder / "alike.tsv").write_text("term_1\tterm_2\tgold\n" + "".join(rows), "utf-8")
    (folder / "journals.tsv").write_text("nlm_id\tsubject\n1\tGenetics\n", "utf-8")
    (folder / "study.toml").write_text(STUDY, "utf-8")
    return folder / "study.toml"
