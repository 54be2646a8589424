import math
from contextlib import contextmanager
from functools import partial
from itertools import combinations, product

import numba
import numpy as np
import pandas as pd
import polars as pl
import pytest

from medgauge import category_separation, similarity
from medgauge.categories import separation
from medgauge.categories.separated import CategorySeparation
from medgauge.categories.similarities import OfVectors
from medgauge.errors import InputError, UndefinedWarning, UnknownNameError
from medgauge.estimate import Estimate
from medgauge.measures.declared import measures_for
from medgauge.models.base import ModelCard
from medgauge.progress import showing
from tests.support.concept_tables import as_csv
from tests.vectors import some_vectors, write_binary

WORDS = [f"w{number}" for number in range(40)]
CLOSE = ["w1 w2", "w3", "w4 w5 w1", "w6"], ["w2", "w7 w8", "w9 w10", "w11 w1"]
DISTANT = ["w20", "w21 w22", "w23 w24 w25", "w26", "w3 w20"]


class Words:
    """Random vectors for the words, in memory."""

    def __init__(self, **other):
        self.card = ModelCard(name="words", family="words")
        self.rows = some_vectors(*WORDS, dim=12) | other

    def vectors(self, tokens):
        known = np.array([token in self.rows for token in tokens])
        return np.array([self.rows.get(token, np.zeros(12)) for token in tokens], np.float32), known


class Encoder:
    """Counts of letters and digits, coarse enough to give ties."""

    def encode(self, texts):
        return [[text.count(letter) for letter in "0123456789w "] for text in texts]


def by_hand(model, a, b, c, measure):
    """The figures by asking for each pair and enumerating all triples."""
    pairs = list(product([*a, *b, *c], repeat=2))
    firsts, seconds = zip(*pairs, strict=True)
    known = dict(zip(pairs, similarity(firsts, seconds, model=model, measure=measure), strict=True))

    def sim(one, two):
        return known[one, two]

    errors = sum(sim(x, y) <= sim(x, z) for x, y, z in product(a, b, c))
    within = [np.mean([sim(*pair) for pair in combinations(terms, 2)]) for terms in (a, b, c)]
    across = [np.mean([sim(*pair) for pair in product(a, terms)]) for terms in (b, c)]
    return errors, [*across, *within]


@pytest.mark.parametrize(
    ("model", "measures"),
    [
        (Words(), measures_for("words")),
        (Encoder(), measures_for("vectors")),
        ("levenshtein", ["score"]),
        ("token-jaccard", ["score"]),
        ("random", ["score"]),
    ],
    ids=["words", "encoder", "levenshtein", "token-jaccard", "random"],
)
def test_figures_are_those_of_asking_for_each_pair_and_enumerating_triples(model, measures):
    found = category_separation(model, close=CLOSE, distant=DISTANT)
    assert [one.measure for one in found.separations] == measures
    for one in found.separations:
        errors, means = by_hand(model, *CLOSE, DISTANT, None if one.measure == "score" else one.measure)
        assert (one.errors, one.triples) == (errors, 4 * 4 * 5)
        assert one.overlap == errors / 80
        found_means = [one.sim_ab, one.sim_ac, one.sim_aa, one.sim_bb, one.sim_cc]
        assert found_means == pytest.approx(means, abs=1e-12), one.measure
        assert (one.used_a, one.used_b, one.used_c, one.undefined) == (4, 4, 5, 0)
        assert one.low <= one.overlap <= one.high


def test_a_hand_worked_case_with_ties():
    """Of words in common: a₁ shares one of three with b₁ and one of three with c₂, a tie; a₂ none at all."""
    found = category_separation(
        "token-jaccard",
        close=(["renal biopsy", "scan"], ["renal dialysis", "splint"]),
        distant=["fungus", "renal fluke"],
    ).separations[0]
    # a₁: b₁ errs with c₂ (1/3 ≤ 1/3), b₂ with both (0 ≤ 0, 0 ≤ 1/3). a₂: all four are 0 ≤ 0.
    assert (found.errors, found.triples, found.overlap) == (3 + 4, 8, 7 / 8)
    assert found.sim_ab == pytest.approx((1 / 3) / 4)
    assert found.sim_ac == pytest.approx((1 / 3) / 4)
    assert (found.sim_aa, found.sim_bb, found.sim_cc) == (0, 0, 0)


def test_terms_that_are_repeated_or_in_two_lists_are_left_out_and_counted():
    a = ["flu", "Flu ", "renal  biopsy", "scan", "shared"]
    b = ["splint", "SHARED", "shared", "Scan"]
    found = category_separation("levenshtein", close=(a, b), distant=["fungus", "", "worm"])
    assert [(one.role, one.given, one.repeated, one.shared, one.terms) for one in found.categories] == [
        ("A", 5, 1, 2, 2),
        ("B", 4, 1, 2, 1),
        ("C", 2, 0, 0, 2),
    ]
    assert (found.separations[0].n_a, found.separations[0].n_b, found.separations[0].n_c) == (2, 1, 2)
    plain = category_separation(
        "levenshtein", close=(["flu", "renal biopsy"], ["splint"]), distant=["fungus", "worm"]
    )
    assert plain.separations[0].model_dump_json() == found.separations[0].model_dump_json()
    assert [one.digest for one in plain.categories] == [one.digest for one in found.categories]


def test_only_covered_terms_count_and_unknown_words_can_be_skipped():
    close = (["w1", "w2 unknown", "nothing"], ["w3", "w4"])
    strict = category_separation(Words(), close=close, distant=["w5", "w6"], measures="fj").separations[0]
    assert (strict.used_a, strict.n_a, strict.triples) == (1, 3, 4)
    lenient = category_separation(Words(), close=close, distant=["w5", "w6"], measures="fj", oov="skip-word")
    assert (lenient.separations[0].used_a, lenient.oov) == (2, "skip-word")


def test_a_term_that_is_undefined_under_a_measure_is_left_out_of_it_alone_and_counted():
    model = Words(zero=np.zeros(12), constant=np.ones(12))
    close = (["w1", "w2", "zero"], ["w3", "constant"])
    found = category_separation(model, close=close, distant=["w5", "w6 zero"])
    used = {one.measure: (one.used_a, one.used_b, one.used_c, one.undefined) for one in found.separations}
    assert used == {
        "avg_cos": (2, 2, 2, 1),
        "avg_pearson": (2, 1, 2, 2),
        "avg_spearman": (2, 1, 2, 2),
        "avg_kendall": (2, 1, 2, 2),
        "pair_cos": (2, 2, 1, 2),
        "pair_pearson": (2, 1, 1, 3),
        "pair_spearman": (2, 1, 1, 3),
        "pair_kendall": (2, 1, 1, 3),
        "fj": (2, 2, 2, 1),
        "mj": (2, 2, 2, 1),
    }


def test_a_category_without_a_covered_term_is_undefined_and_the_rest_is_not():
    with pytest.warns(
        UndefinedWarning, match="^words: the category overlap is undefined: no term of B can be compared$"
    ):
        found = category_separation(
            [Words(), "levenshtein"], close=(["w1", "w2"], ["x", "y"]), distant=["w3"], measures="mj"
        )
    words, spelling = found.separations
    assert math.isnan(words.overlap)
    assert math.isnan(words.sim_ab)
    assert (words.errors, words.triples, words.used_b) == (0, 0, 0)
    assert not math.isnan(words.sim_ac)
    assert not math.isnan(spelling.overlap)
    assert words.estimate.undefined == "no term of B can be compared"
    assert spelling.estimate.undefined is None


def test_a_model_that_covers_nothing_at_all():
    with pytest.warns(UndefinedWarning, match="no term of A or B or C can be compared") as caught:
        found = category_separation(Words(), close=(["x"], ["y"]), distant=["z"])
    assert [one.filename for one in caught] == [__file__]
    assert all(math.isnan(one.overlap) and one.triples == 0 for one in found.separations)
    assert len(found.separations) == 10


def test_one_term_a_category_has_a_share_but_no_interval_and_no_mean_within():
    found = category_separation("levenshtein", close=(["scan"], ["scans"]), distant=["worm"]).separations[0]
    assert (found.errors, found.triples) == (0, 1)
    assert math.isnan(found.low)
    assert math.isnan(found.sim_aa)
    assert found.sim_ab == pytest.approx(-0.2)


def test_the_confidence_reaches_every_interval():
    narrow, wide = (
        category_separation(Words(), close=CLOSE, distant=DISTANT, confidence=confidence).separations
        for confidence in (0.5, 0.8)
    )
    for one, other in zip(narrow, wide, strict=True):
        assert one.estimate == Estimate(one.overlap, one.low, one.high, 0.5, one.triples)
        assert other.confidence == 0.8
        if not math.isnan(one.low):
            assert other.low <= one.low <= one.overlap <= one.high <= other.high
            assert other.high - other.low > one.high - one.low
    with pytest.raises(InputError, match="the confidence must be between 0 and 1"):
        category_separation(Words(), close=CLOSE, distant=DISTANT, confidence=95)


def test_files_and_lists_give_the_same(tmp_path):
    paths = []
    for name, terms in zip(("a", "b", "c"), (*CLOSE, DISTANT), strict=True):
        paths.append(tmp_path / f"{name}.txt")
        paths[-1].write_text("\n".join(terms), "utf-8")
    vectors = write_binary(tmp_path / "v.bin", some_vectors(*WORDS))
    from_files = category_separation(vectors, close=(paths[0], str(paths[1])), distant=paths[2])
    from_lists = category_separation(vectors, close=CLOSE, distant=DISTANT)
    assert from_files.separations == from_lists.separations
    assert [one.name for one in from_files.categories] == ["a", "b", "c"]
    assert [one.name for one in from_lists.categories] == ["A", "B", "C"]


def test_columns_of_terms_are_lists_of_terms():
    expected = category_separation("levenshtein", close=CLOSE, distant=DISTANT)
    columns = pd.Series(CLOSE[0]), np.array(CLOSE[1])
    found = category_separation("levenshtein", close=columns, distant=pl.DataFrame({"term": DISTANT}))
    assert found.to_json() == expected.to_json()


def test_a_result_comes_back_from_json_and_holds_no_terms():
    with pytest.warns(UndefinedWarning):
        found = category_separation(["levenshtein", Words()], close=(["scan"], ["scans"]), distant=["worm"])
    text = found.to_json()
    assert CategorySeparation.model_validate_json(text).to_json() == text
    assert "worm" not in text


def test_the_number_of_threads_changes_no_byte():
    rng = np.random.default_rng(0)
    lists = [[" ".join(rng.choice(WORDS, 3)) for _ in range(60)] for _ in range(3)]
    many = category_separation(Words(), close=(lists[0], lists[1]), distant=lists[2]).to_json()
    try:
        numba.set_num_threads(1)
        one = category_separation(Words(), close=(lists[0], lists[1]), distant=lists[2]).to_json()
    finally:
        numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)  # type: ignore[attr-defined]
    assert one == many


def test_blocks_change_no_count(monkeypatch):
    whole = category_separation(Words(), close=CLOSE, distant=DISTANT)
    monkeypatch.setattr(separation, "OfVectors", partial(OfVectors, most=1))
    rows = category_separation(Words(), close=CLOSE, distant=DISTANT)
    for one, other in zip(whole.separations, rows.separations, strict=True):
        assert (one.errors, one.low, one.high) == (other.errors, other.low, other.high)
        assert one.sim_ab == pytest.approx(other.sim_ab, abs=1e-14)


def test_progress_goes_to_its_end():
    steps = {}

    @contextmanager
    def listen(what, expected):
        steps[what] = [expected, 0]

        def advance(done):
            steps[what][1] += done

        yield advance

    with showing(listen):
        category_separation([Words(), "random"], close=CLOSE, distant=DISTANT, measures=["fj"])
    assert steps == {"words: fj": [4 * 9 + 6 + 6 + 10] * 2, "random: score": [4 * 9 + 6 + 6 + 10] * 2}


@pytest.mark.parametrize(
    ("close", "distant", "said"),
    [
        ((["flu"], []), ["worm"], r"no term of the category B \(B\) is left: it has none"),
        ((["flu"], ["Flu"]), ["worm"], r"category A \(A\) is left: all its terms are in another list too"),
    ],
)
def test_a_category_of_which_nothing_is_left_is_refused(close, distant, said):
    with pytest.raises(InputError, match=said):
        category_separation("levenshtein", close=close, distant=distant)


def test_wrong_measures_and_choices_are_refused():
    with pytest.raises(UnknownNameError, match="did you mean 'avg_cos'"):
        category_separation(Words(), close=CLOSE, distant=DISTANT, measures=["avg_cosinus"])
    with pytest.raises(UnknownNameError, match="choice for unknown words"):
        category_separation(Words(), close=CLOSE, distant=DISTANT, oov="drop")


def test_a_bad_file_is_known_before_anything_is_compared(tmp_path):
    broken = write_binary(tmp_path / "v.bin", some_vectors(*WORDS), count=99)

    class Never:
        def encode(self, _texts):
            raise AssertionError("asked although another model cannot be read")

    with pytest.raises(InputError, match=r"v\.bin"):
        category_separation([Never(), broken], close=CLOSE, distant=DISTANT)


def test_a_table_of_concepts_is_refused(tmp_path):
    path = tmp_path / "c.csv"
    path.write_bytes(as_csv(some_vectors("C0000001", "C0000002")))
    with pytest.raises(InputError, match="c has vectors of concepts, but categories are lists of terms"):
        category_separation(f"concepts:{path}", close=(["a", "b"], ["c", "d"]), distant=["e", "f"])
