"""Typical notebook cells: each one works, and works again when it is run twice."""

import pytest

from tests.prerequisites import NEEDS_GENSIM

CELLS = [
    """
import numpy as np
import pandas as pd
import medgauge
from gensim.models import Word2Vec
""",
    """
terms = ["renal failure", "kidney failure", "renal pain", "chest pain", "kidney", "chest"]
frame = pd.DataFrame([(a, b, len(set(a.split()) & set(b.split())) + i / 9) for i, a in enumerate(terms)
                      for b in terms[i + 1:]], columns=["left", "right", "score"])
pairs = medgauge.as_pairs(frame, term_1="left", term_2="right", name="mine")
""",
    """
words = Word2Vec([term.split() for term in terms] * 9, vector_size=8, min_count=1, workers=1, seed=1)

class Encoder:
    def encode(self, texts):
        return np.array([[text.count(letter) for letter in "aeiou"] for text in texts], float)
""",
    """
run = medgauge.evaluate({"words": words, "keyed": words.wv, "letters": Encoder()}, pairs, out="runs/mine")
assert run.scores("words", "mine").equals(run.scores("keyed", "mine"))
assert [bool(card.digest) for card in run.models] == [True, True, False]
""",
    """
renamed = frame.rename(columns={"left": "term_1", "right": "term_2"})
again = medgauge.evaluate(["levenshtein"], [renamed])
assert again.datasets[0].digest == pairs.digest
""",
    """
close = frame["left"], np.array(["failure", "kidney pain"])
found = medgauge.category_separation(words, close=close, distant=["renal"])
assert found.categories[0].terms == 5
""",
    """
rows = pd.DataFrame({"rater_A": [3, 0, 2], "rater_B": [2, 1, "don't know"]})
agreed = medgauge.agreement(rows, resamples=99)
""",
]


@pytest.mark.filterwarnings("ignore::medgauge.MedgaugeWarning")
def test_every_cell_works_twice(tmp_path, monkeypatch):
    pytest.importorskip("gensim", reason=NEEDS_GENSIM)
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for cell in CELLS:
        for _ in range(2):
            exec(cell, names)
    # The cells assert what they compute; a cell that was left out would leave its name undefined.
    assert {"run", "again", "found", "agreed"} <= names.keys()
