import numpy as np
import polars as pl
import pytest

from medgauge import Card, evaluate, load_model, similarity
from medgauge.errors import CoverageWarning
from medgauge.models.ontology import ontology_scorer as reasons
from medgauge.pairs import Pairs, PairSet
from medgauge.progress import hearing
from tests.models.ontology.test_concept_frequencies import OBO

# A second root, and a concept that is retired.
MORE = """
[Term]
id: T:4
name: Elsewhere

[Term]
id: T:5
name: obsolete Fever
synonym: "pyrexia" EXACT []
is_obsolete: true
"""


@pytest.fixture
def toy(tmp_path):
    path = tmp_path / "toy.obo"
    path.write_text(OBO + MORE)
    return path


def pairs(*rows, **columns) -> Pairs:
    made = Pairs.of(rows, card=Card(name="mine", title="Mine"))
    return Pairs(
        made.frame.with_columns(**{name: pl.Series(column) for name, column in columns.items()}), made.card
    )


def test_pairs_without_a_score_have_a_reason_that_names_no_term(toy):
    model = load_model(f"ontology:lin@{toy}")
    heard: list[str] = []
    with hearing(heard.append):
        values, failures = model.explained(
            pairs(
                ("Chill", "common cold"),
                ("cold", "chill"),
                ("Cold", "flu"),
                ("flu", "chill"),
                ("fever", "chill"),
                ("chill", "elsewhere"),
                ("chill", "chill"),
            )
        )
    assert np.isnan(values).tolist() == [False, True, True, True, True, True, False]
    assert failures == [
        None,
        *[reasons.SEVERAL] * 2,
        *[reasons.NONE] * 2,
        reasons.APART,
        None,
    ]
    [said] = heard
    assert said.startswith(
        "lin@toy.obo does not score pairs of mine with 2 terms that each name several concepts"
    )


def test_counts_give_two_more_reasons(toy, tmp_path):
    counts = tmp_path / "counts.csv"
    counts.write_text("id,count\nT:3,5\n")
    model = load_model(f"ontology:lin@{toy}?ic=corpus:{counts}")
    _, failures = model.explained(pairs(("chill", "thing"), ("thing", "common cold"), ("thing", "thing")))
    assert failures == [reasons.UNINFORMED, reasons.NO_DIFFERENCE, None]


def test_an_id_goes_before_a_term_and_a_term_helps_where_there_is_no_id(toy):
    model = load_model(f"ontology:path@{toy}")
    rows = [("cold", "chill")] * 5
    found = model.score(
        pairs(*rows, id_1=["T:3", "T:2", None, " ", "T:5"], id_2=["T:2", "X:7", "T:2", "T:2", "T:2"])
    )
    assert found[:2].tolist() == [pytest.approx(1 / 3), 1]
    assert np.isnan(found[2:]).all()


def test_similarity_says_why_there_is_no_score(toy):
    spec = f"ontology:path@{toy}"
    assert similarity("Chill", "thing", model=spec) == 0.5
    with pytest.warns(
        CoverageWarning, match="path@toy.obo has no score for 2 of 3 pairs: a term of no concept 1"
    ):
        found = similarity(["chill", "chill", "flu"], ["chill", "cold", "chill"], model=spec)
    assert np.isnan(found).tolist() == [False, True, True]


@pytest.fixture
def labelled() -> PairSet:
    rows = [("Chill", "cold", 1), ("Chill", "thing", 0), ("thing", "common cold", 0), ("flu", "thing", 1)]
    rows += [("common cold", "Common  Cold", 1), ("chill", "COMMON COLD", 0)]
    return PairSet.of(rows, card=Card(name="mine", title="Mine", made_of=("toy",)), labelled=True)


@pytest.mark.filterwarnings("ignore::medgauge.errors.MedgaugeWarning")
def test_a_run_counts_the_reasons_and_marks_the_set_that_the_ontology_made(toy, labelled):
    run = evaluate([f"ontology:lin@{toy}", "levenshtein"], labelled)
    entry = next(one for one in run.coverage if one.model == "lin@toy.obo")
    assert (entry.n, entry.covered) == (6, 4)
    assert entry.failures == {reasons.SEVERAL: 1, reasons.NONE: 1}
    [mark] = run.contamination
    assert (mark.model, mark.source, mark.reason) == (
        "lin@toy.obo",
        "toy",
        "toy, which the set was made from",
    )
    auc = {one.model: one.value for one in run.figures if one.metric == "auc"}
    assert auc["lin@toy.obo"] == 1


@pytest.mark.filterwarnings("ignore::medgauge.errors.MedgaugeWarning")
def test_stored_scores_are_used_again_only_for_the_same_ids(toy, labelled, tmp_path):
    def run(pairs):
        found = evaluate(f"ontology:lin@{toy}", pairs, out=tmp_path / "run", replace=True)
        return found.coverage[0].covered

    frame = labelled.frame
    with_ids = frame.with_columns(id_1=pl.lit("T:2"), id_2=pl.lit("T:3"))
    other = frame.with_columns(id_1=pl.lit("T:2"), id_2=pl.lit("T:4"))
    assert run(labelled) == 4
    assert run(PairSet(with_ids, labelled.card)) == 6
    assert run(PairSet(other, labelled.card)) == 0
