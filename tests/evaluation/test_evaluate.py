import json
import math
import warnings
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy.stats import spearmanr
from sklearn.metrics import roc_auc_score

from medgauge.errors import (
    CoverageWarning,
    FileError,
    InputError,
    MedgaugeWarning,
    UndefinedWarning,
    UnknownNameError,
)
from medgauge.evaluation import evaluate as module
from medgauge.evaluation import plan
from medgauge.evaluation.coverage import SetCoverage, coverage_of
from medgauge.evaluation.evaluate import evaluate
from medgauge.evaluation.run import PROTOCOL, Run
from medgauge.models.base import ModelCard, card_of
from medgauge.models.lexical import baselines
from medgauge.models.load import load_model
from medgauge.pairs import Card, Pairs, PairSet
from medgauge.progress import hearing
from tests.models.small import OpenWords
from tests.runs import Laid, pair_set
from tests.vectors import some_vectors, write_binary

WORDS = [f"w{number}" for number in range(40)]


def graded(name="graded", *, count=60, words=WORDS, seed=0):
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(count):
        one, two = rng.choice(len(words), (2, 2))
        rows.append((" ".join(words[k] for k in one), " ".join(words[k] for k in two), float(rng.random())))
    return PairSet.of(rows, card=Card(name=name, title=name.title()))


def labelled(name="labelled", *, count=60):
    rng = np.random.default_rng(1)
    rows = [(WORDS[i], WORDS[j], float(k % 2)) for k, (i, j) in enumerate(rng.integers(40, size=(count, 2)))]
    return PairSet.of(rows, card=Card(name=name, title=name, kind="synonymy"), labelled=True)


@pytest.fixture
def vectors(tmp_path):
    return write_binary(tmp_path / "mine.bin", some_vectors(*WORDS, dim=12))


@pytest.fixture
def fewer(tmp_path):
    return write_binary(tmp_path / "fewer.bin", some_vectors(*WORDS[:36], dim=8, seed=1))


def test_all_models_are_held_against_the_gold_on_the_pairs_that_all_cover(vectors, fewer):
    pairs = graded()
    run = evaluate([vectors, fewer, "levenshtein"], [pairs], measures=["avg_cos"])
    masks = [run.scores(name, "graded")["covered"].to_numpy() for name in ("mine", "fewer", "levenshtein")]
    common = np.logical_and.reduce(masks)
    assert 0 < common.sum() < len(pairs)
    assert {figure.covered for figure in run.figures} == {int(common.sum())}
    assert {figure.n for figure in run.figures} == {60}
    scores = run.scores("mine", "graded")["avg_cos"].to_numpy()
    expected = spearmanr(pairs.gold[common], scores[common]).statistic
    assert run.figures[0].value == pytest.approx(expected)
    own = {entry.model: entry.covered for entry in run.coverage}
    assert own == {"mine": 60, "fewer": int(masks[1].sum()), "levenshtein": 60}
    assert run.datasets[0].compared == int(common.sum())


def test_labelled_sets_have_auc_and_two_accuracies(vectors):
    run = evaluate([vectors], [labelled()], measures=["avg_cos", "fj"])
    assert [(figure.measure, figure.metric) for figure in run.figures] == [
        (measure, metric)
        for measure in ("avg_cos", "fj")
        for metric in ("auc", "accuracy_best", "accuracy_cv")
    ]
    for figure in run.figures:
        assert figure.low <= figure.value <= figure.high
    scores = run.scores("mine", "labelled")
    for figure in run.figures:
        if figure.metric == "auc":
            expected = roc_auc_score(scores["gold"].to_numpy(), scores[figure.measure].to_numpy())
            assert figure.value == pytest.approx(expected)


def test_two_models_of_equal_scores_have_equal_figures(vectors, tmp_path):
    twin = tmp_path / "twin.bin"
    twin.write_bytes(vectors.read_bytes())
    run = evaluate([vectors, twin], [labelled()], measures=["fj"])
    by_model = {
        name: [figure.value for figure in run.figures if figure.model == name] for name in ("mine", "twin")
    }
    assert by_model["mine"] == by_model["twin"]


def test_the_majority_is_of_the_commoner_label_whichever_it_is(vectors):
    rows = [("w1", "w2", 0.0), ("w3", "w4", 0.0), ("w5", "w6", 0.0), ("w7", "w8", 1.0)]
    for flip in (0.0, 1.0):
        flipped = [(one, two, abs(label - flip)) for one, two, label in rows]
        pairs = PairSet.of(flipped, card=Card(name="x", title="x"), labelled=True)
        with pytest.warns(UndefinedWarning):
            assert evaluate([vectors], [pairs], measures=["fj"]).datasets[0].majority == 0.75


def test_a_run_is_stored_whole_and_read_back(vectors, tmp_path):
    run = evaluate([vectors, *baselines().values()], [graded(), labelled()], out=tmp_path / "runs" / "x")
    again = Run.load(tmp_path / "runs" / "x")
    assert again.to_json() == run.to_json()
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == ["x"]
    frame = pl.read_parquet(tmp_path / "runs" / "x" / "scores" / "graded--mine.parquet")
    assert frame.columns[:2] == ["pair_id", "gold"]
    assert frame.columns[-3:] == ["covered", "missing_1", "missing_2"]
    assert frame.width == 15
    results = json.loads((tmp_path / "runs" / "x" / "results.json").read_text())
    assert {"model", "dataset", "measure", "metric", "value", "n", "covered"} <= set(results["figures"][0])


def test_the_same_inputs_are_not_computed_again(vectors, tmp_path, monkeypatch):
    first = evaluate([vectors], [graded()], out=tmp_path / "x")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "x").rglob("*")}
    monkeypatch.setattr(module, "scorer_for", None)
    second = evaluate([vectors], [graded()], out=tmp_path / "x")
    assert second.to_json() == first.to_json()
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "x").rglob("*")} == before


def test_the_same_inputs_give_the_same_bytes(vectors, tmp_path):
    for name in ("x", "y"):
        evaluate([vectors, "random"], [graded(), labelled()], out=tmp_path / name, seed=3)
    files = {
        name: {path.name: path.read_bytes() for path in (tmp_path / name).rglob("*.*")} for name in ("x", "y")
    }
    assert files["x"] == files["y"]


def counting(monkeypatch, *, stop_at=None):
    """List the (model, set) that are scored, and break off at one of them."""
    real, scored = module.scorer_for, []  # type: ignore[attr-defined]

    def scorer_for(model, sets, measures, **options):
        scorer = real(model, sets, measures, **options)

        def score(pairs):
            scored.append((card_of(model).name, pairs.card.name))
            if len(scored) == stop_at:
                raise KeyboardInterrupt
            return scorer(pairs)

        return score

    monkeypatch.setattr(module, "scorer_for", scorer_for)
    return scored


def test_a_run_that_is_broken_off_goes_on_where_it_was(vectors, fewer, tmp_path, monkeypatch):
    out, sets = tmp_path / "x", [graded(), labelled()]
    scored = counting(monkeypatch, stop_at=2)
    with pytest.raises(KeyboardInterrupt):
        evaluate([vectors, fewer], sets, out=out)
    assert not out.exists()
    run = evaluate([vectors, fewer], sets, out=out)
    first = [("mine", "graded"), ("mine", "labelled")]
    assert scored == [*first, ("mine", "labelled"), ("fewer", "graded"), ("fewer", "labelled")]
    assert run.to_json() == evaluate([vectors, fewer], sets).to_json()
    assert not (tmp_path / "x.partial").exists()


@pytest.mark.parametrize(("model", "dataset"), [("levenshtien", "graded"), ("levenshtein", "ehr-rel-x")])
def test_all_names_are_checked_before_any_file_is_hashed(vectors, monkeypatch, model, dataset):
    monkeypatch.setattr("medgauge.models.load.remembered_sha256", lambda _: pytest.fail("a file was hashed"))
    with pytest.raises(UnknownNameError, match="did you mean"):
        evaluate([vectors, model], [graded() if dataset == "graded" else dataset])


def test_a_bad_second_model_leaves_nothing_of_the_first(vectors, tmp_path):
    bad = tmp_path / "bad.bin"
    bad.write_bytes(vectors.read_bytes()[:-5])
    with pytest.raises(FileError, match="truncated"):
        evaluate([vectors, bad], [graded()], out=tmp_path / "x")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.bin", "mine.bin"]
    evaluate([vectors], [graded()], out=tmp_path / "x")
    with pytest.raises(FileError, match="truncated"):
        evaluate([vectors, bad], [graded()], out=tmp_path / "x", replace=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.bin", "mine.bin", "x"]


def test_a_run_of_an_older_protocol_is_not_taken_for_the_same(vectors, tmp_path, monkeypatch):
    evaluate([vectors], [graded()], out=tmp_path / "x")
    monkeypatch.setattr(plan, "PROTOCOL", PROTOCOL + 1)
    with pytest.raises(InputError, match="holds a run with different protocol"):
        evaluate([vectors], [graded()], out=tmp_path / "x")
    scored = counting(monkeypatch)
    evaluate([vectors], [graded()], out=tmp_path / "x", replace=True)
    assert scored == [("mine", "graded")]


def test_another_run_in_the_folder_is_left_alone_unless_replaced(vectors, fewer, tmp_path):
    evaluate([vectors], [graded()], out=tmp_path / "x")
    with pytest.raises(InputError, match="different models; choose another folder, or add replace=True"):
        evaluate([fewer], [graded()], out=tmp_path / "x")
    assert Run.load(tmp_path / "x").models[0].name == "mine"
    evaluate([fewer], [graded()], out=tmp_path / "x", replace=True)
    assert [path.name for path in (tmp_path / "x" / "scores").iterdir()] == ["graded--fewer.parquet"]


def test_replacing_a_run_keeps_what_is_the_same(vectors, fewer, tmp_path, monkeypatch):
    evaluate([vectors], [graded()], out=tmp_path / "x")
    scored = counting(monkeypatch)
    evaluate([vectors, fewer], [graded()], out=tmp_path / "x", replace=True)
    assert scored == [("fewer", "graded")]


def test_a_folder_with_files_of_the_users_is_never_written_to(vectors, tmp_path):
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "thesis.tex").write_text("…")
    with pytest.raises(InputError, match=r"contains thesis\.tex, which is not part of a run"):
        evaluate([vectors], [graded()], out=tmp_path / "precious", replace=True)
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == ["precious"]
    run = evaluate([vectors], [graded()], out=tmp_path / "x")
    (tmp_path / "x" / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match=r"contains notes\.txt, which is not part of a run"):
        evaluate([vectors], [graded(seed=1)], out=tmp_path / "x", replace=True)
    assert Run.load(tmp_path / "x").to_json() == run.to_json()


def test_an_empty_folder_can_be_written_to(vectors, tmp_path):
    (tmp_path / "x").mkdir()
    evaluate([vectors], [graded()], out=tmp_path / "x")
    assert (tmp_path / "x" / "results.json").exists()


def test_damaged_results_can_be_replaced(vectors, tmp_path):
    evaluate([vectors], [graded()], out=tmp_path / "x")
    (tmp_path / "x" / "results.json").write_text("{")
    with pytest.raises(InputError, match="add replace=True to make the run again"):
        evaluate([vectors], [graded()], out=tmp_path / "x")
    evaluate([vectors], [graded()], out=tmp_path / "x", replace=True)
    assert Run.load(tmp_path / "x").models[0].name == "mine"


def flip_the_middle(path):
    content = bytearray(path.read_bytes())
    content[8:80] = bytes(byte ^ 0xFF for byte in content[8:80])
    path.write_bytes(content)


@pytest.mark.parametrize("damage", [Path.unlink, lambda path: path.write_bytes(b"junk"), flip_the_middle])
def test_lost_or_damaged_scores_of_the_same_run_are_computed_again(damage, vectors, tmp_path, monkeypatch):
    evaluate([vectors], [graded(), labelled()], out=tmp_path / "x")
    damage(tmp_path / "x" / "scores" / "graded--mine.parquet")
    scored = counting(monkeypatch)
    run = evaluate([vectors], [graded(), labelled()], out=tmp_path / "x")
    assert scored == [("mine", "graded")]
    assert run.scores("mine", "graded").height == 60


@pytest.mark.parametrize("out", [".", "..", "/", "x.partial", "x\x1b"])
def test_a_folder_that_cannot_be_made_by_a_rename_is_refused(out, vectors, tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    with pytest.raises(InputError, match=r"current folder|unfinished|cannot be written"):
        evaluate([vectors], [graded()], out=out)
    assert list((tmp_path / "here").iterdir()) == []


def test_a_link_to_a_folder_is_followed(vectors, tmp_path):
    (tmp_path / "target").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "target")
    evaluate([vectors], [graded()], out=tmp_path / "link")
    evaluate([vectors], [graded(seed=1)], out=tmp_path / "link", replace=True)
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target" / "results.json").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "mine.bin", "target"]


@pytest.mark.parametrize("folder", ["x/scores", "x.partial", "x.partial/scores"])
def test_files_of_the_users_are_safe_wherever_a_run_would_go(folder, vectors, tmp_path):
    (tmp_path / folder).mkdir(parents=True)
    (tmp_path / folder / "mine.txt").write_text("keep")
    with pytest.raises(InputError, match=r"contains mine\.txt, which is not part of a run"):
        evaluate([vectors], [graded()], out=tmp_path / "x", replace=True)
    assert (tmp_path / folder / "mine.txt").read_text() == "keep"


def test_graded_and_labelled_pairs_of_the_same_values_are_different_sets():
    rows = [("a", "b", 0.0), ("c", "d", 1.0)]
    card = Card(name="x", title="x")
    assert PairSet.of(rows, card=card).digest != PairSet.of(rows, card=card, labelled=True).digest


def test_one_model_and_one_set_need_no_list(vectors):
    several = evaluate([vectors], [graded()], measures=["fj"]).to_json()
    assert evaluate(vectors, graded(), measures="fj").to_json() == several
    assert evaluate({"mine": vectors}, [graded()], measures=["fj", "fj"]).to_json() == several
    assert evaluate(vectors, graded(), measures=["all"]).settings.measures is None


def test_nonsense_is_refused_in_a_sentence(vectors):
    with pytest.raises(InputError, match="a NoneType is not a model"):
        evaluate(None, graded())
    with pytest.raises(UnknownNameError, match="there is no choice for unknown words 'bogus'"):
        evaluate(vectors, graded(), oov="bogus")
    with pytest.raises(InputError, match="no measure was given"):
        evaluate(vectors, graded(), measures=[])
    with pytest.raises(InputError, match="the set 'graded' has no pairs"):
        evaluate(vectors, graded(count=0))
    assert len(evaluate(vectors, graded(), measures="fj", limit=10**30).figures) == 1


def test_names_with_control_characters_are_refused_and_unusual_ones_are_not(tmp_path):
    odd = graded().renamed("two\nlines")
    for models, sets in (({"red\x1b[31m": "random"}, [graded()]), (["random"], [odd])):
        with pytest.raises(InputError, match="has control characters; choose another name"):
            evaluate(models, sets)
    evaluate({"Größe\xa0ρ": "random"}, [graded()], out=tmp_path / "run")
    assert Run.load(tmp_path / "run").models[0].name == "Größe\xa0ρ"


def test_a_set_without_pairs_is_named_by_its_file(tmp_path):
    graded().save(tmp_path / "full.parquet")
    graded().head(0).save(tmp_path / "empty.parquet")
    files = [tmp_path / "full.parquet", tmp_path / "empty.parquet"]
    with pytest.raises(InputError, match=r"empty\.parquet: the set has no pairs"):
        evaluate(["random"], {"one": files[0], "two": files[1]})


@pytest.mark.parametrize(
    "change",
    [{"seed": 5}, {"oov": "skip-word"}, {"limit": 10}, {"measures": ["fj"]}],
    ids=lambda change: next(iter(change)),
)
def test_other_settings_are_another_run(change, vectors, tmp_path):
    evaluate([vectors], [graded()], out=tmp_path / "x")
    with pytest.raises(InputError, match="holds a run with different"):
        evaluate([vectors], [graded()], out=tmp_path / "x", **change)


def test_changed_vectors_or_pairs_are_computed_anew(vectors, tmp_path):
    first = evaluate([vectors], [graded()], out=tmp_path / "x")
    write_binary(vectors, some_vectors(*WORDS, dim=12, seed=9))
    second = evaluate([vectors], [graded()], out=tmp_path / "x", replace=True)
    third = evaluate([vectors], [graded(seed=4)], out=tmp_path / "x", replace=True)
    assert len({run.figures[0].value for run in (first, second, third)}) == 3


class Nosy:
    """A scorer that looks for anything but terms and concepts."""

    card = ModelCard(name="nosy", family="pairs", digest="d" * 64)

    def score(self, pairs):
        assert type(pairs) is Pairs
        assert set(pairs.frame.columns) <= {"pair_id", "term_1", "term_2", "id_1", "id_2", "cui_1", "cui_2"}
        assert not hasattr(pairs, "gold")
        return np.arange(len(pairs), dtype=float)


@pytest.mark.parametrize("labelled", [False, True])
def test_a_model_cannot_see_gold_ratings_or_strata(labelled):
    target = pl.Series("label" if labelled else "gold", [0, 1] * 3, pl.Int8)
    frame = pl.DataFrame(
        {
            "pair_id": list("abcdef"),
            "term_1": list("uvwxyz"),
            "term_2": list("zyxwvu"),
            "id_1": list("123456"),
            "unsure_A": [False, True] * 3,
            "gold_before": [0.0, 1.0] * 3,
        }
    ).with_columns(target)
    run = evaluate([Nosy()], [PairSet(frame, Card(name="x", title="X"))])
    assert run.figures[0].covered == 6


class Concepts:
    """A table of vectors by CUI."""

    def __init__(self, vectors):
        self.card = ModelCard(name="concepts", family="vectors", digest="d" * 64, keys="cui")
        self._vectors = vectors

    def lookup(self, keys):
        rows = np.array([self._vectors.get(key, [np.nan] * 3) for key in keys], np.float32)
        return rows, np.array([key in self._vectors for key in keys])


def concept_pairs(cuis):
    frame = pl.DataFrame(
        {
            "pair_id": ["1", "2", "3", "4"],
            "term_1": ["a", "b", "c", "d"],
            "term_2": ["a", "b", "c", "d"],
            "gold": [4.0, 1.0, 3.0, 2.0],
            "cui_1": [one for one, _ in cuis],
            "cui_2": [two for _, two in cuis],
        },
        schema_overrides={"cui_1": pl.String, "cui_2": pl.String},
    )
    return PairSet(frame, Card(name="cuis", title="CUIs"))


def test_a_table_of_concepts_looks_up_cuis_and_a_null_is_not_covered():
    table = Concepts({"C1": [1.0, 0.0, 0.0], "C2": [1.0, 1.0, 0.0], "C3": [0.0, 1.0, 0.0]})
    pairs = concept_pairs([("C1", "C2"), ("C1", None), ("C1", "C3"), ("", "C9")])
    with pytest.warns(CoverageWarning), pytest.warns(UndefinedWarning):
        scores = evaluate([table], [pairs]).scores("concepts", "cuis")
    assert scores["covered"].to_list() == [True, False, True, False]
    assert scores["cos"][0] == pytest.approx(0.5**0.5)
    assert coverage_of(table, [pairs])[0] == SetCoverage(
        "cuis", 4, 3, 4, 2, without_key=2, missing={"b": 1, "d": 1}
    )


def test_stored_scores_of_concepts_are_not_taken_for_those_of_other_ids(tmp_path, monkeypatch):
    table = Concepts({f"C{number}": np.sin([number, 2 * number, 3 + number]) for number in range(1, 9)})
    one = concept_pairs([("C1", "C2"), ("C3", "C4"), ("C5", "C6"), ("C7", "C8")])
    two = concept_pairs([("C1", "C3"), ("C2", "C4"), ("C5", "C7"), ("C6", "C8")])
    assert one.digest == two.digest
    before = evaluate([table], [one], out=tmp_path / "x").scores("concepts", "cuis")
    scored = counting(monkeypatch)
    after = evaluate([table], [two], out=tmp_path / "x", replace=True).scores("concepts", "cuis")
    assert scored == [("concepts", "cuis")]
    assert not before.equals(after)


def test_a_set_without_ids_is_refused_by_a_table_of_concepts():
    with pytest.raises(InputError, match="the set 'graded' has no column cui_1 for a model to look up"):
        evaluate([Concepts({"C1": [1.0, 0.0, 0.0]})], [graded()])


class Turning:
    """An encoder without a digest, whose vectors are others each time that it is asked."""

    card = ModelCard(name="turning", family="vectors")
    calls = 0

    def encode(self, texts):
        self.calls += 1
        return np.sin([[self.calls * len(text), *map(ord, text[-3:])] for text in texts])


def test_a_model_without_a_digest_is_computed_again_and_its_scores_replaced(tmp_path):
    model = Turning()
    first = evaluate({"mine": model}, [graded()], out=tmp_path / "x").scores("mine", "graded")
    with pytest.warns(MedgaugeWarning, match="mine"):
        second = evaluate({"mine": model}, [graded()], out=tmp_path / "x")
    assert model.calls == 2
    assert not second.scores("mine", "graded").equals(first)
    assert Run.load(tmp_path / "x").to_json() == second.to_json()


def test_a_model_with_a_digest_beside_one_without_is_not_computed_again(vectors, tmp_path, monkeypatch):
    models = [vectors, Turning()]
    evaluate(models, [graded()], out=tmp_path / "x")
    scored = counting(monkeypatch)
    with pytest.warns(MedgaugeWarning, match="turning"):
        evaluate(models, [graded()], out=tmp_path / "x")
    assert scored == [("turning", "graded")]


def test_a_model_without_a_digest_does_not_replace_a_run_with_other_inputs(tmp_path):
    evaluate({"mine": Turning()}, [graded()], out=tmp_path / "x")
    with pytest.warns(MedgaugeWarning, match="mine"):
        evaluate({"mine": Turning()}, [graded()], out=tmp_path / "x")
    with pytest.raises(InputError, match="holds a run with different sets"):
        evaluate({"mine": Turning()}, [graded(seed=3)], out=tmp_path / "x")


@pytest.mark.parametrize("named", [False, True])
def test_word_vectors_in_memory_are_what_their_file_is(vectors, named):
    held = some_vectors(*WORDS, dim=12)
    found = evaluate({"mine": held} if named else held, [graded()])
    expected = evaluate([vectors], [graded()])
    name = "mine" if named else "vectors"
    assert found.scores(name, "graded").equals(expected.scores("mine", "graded"))
    assert found.models[0].digest


def test_word_vectors_in_memory_are_known_by_their_content(tmp_path, monkeypatch):
    held = some_vectors(*WORDS, dim=12)
    evaluate({"mine": held}, [graded()], out=tmp_path / "x")
    scored = counting(monkeypatch)
    evaluate({"mine": dict(held)}, [graded()], out=tmp_path / "x")
    assert scored == []
    with pytest.raises(InputError, match="holds a run with different models"):
        evaluate({"mine": held | {"w3": held["w4"]}}, [graded()], out=tmp_path / "x")


@pytest.mark.parametrize("wrap", [lambda frame: frame, lambda frame: [frame]])
@pytest.mark.parametrize("make", [pl.DataFrame.to_pandas, pl.DataFrame.lazy, pl.DataFrame.rows])
def test_a_set_may_be_any_table_in_memory(make, wrap):
    pairs = graded()
    frame = make(pairs.frame.select("term_1", "term_2", "gold"))
    run = evaluate(["levenshtein"], wrap(frame))
    assert run.figures[0].value == evaluate(["levenshtein"], [pairs]).figures[0].value


def test_an_encoder_with_a_card_is_known_by_its_digest(tmp_path):
    class Encoder:
        card = ModelCard(name="mine", family="vectors", digest="d" * 64)
        calls = 0

        def encode(self, texts):
            self.calls += 1
            return np.sin([[len(text), *map(ord, text[-3:])] for text in texts])

    model = Encoder()
    for _ in range(2):
        evaluate([model], [graded()], out=tmp_path / "x")
    assert model.calls == 1


def test_undefined_scores_leave_their_pair_out_for_all(vectors, tmp_path):
    zero = some_vectors(*WORDS, dim=5, seed=2) | {"w3": np.zeros(5, np.float32)}
    path = write_binary(tmp_path / "zero.bin", zero)
    pairs = graded()
    terms = pairs.frame.select("term_1", "term_2").iter_rows()
    touched = sum("w3" in f"{one} {two}".split() for one, two in terms)
    with pytest.warns(UndefinedWarning, match="pair_cos for"):
        run = evaluate([vectors, path], [pairs], measures=["pair_cos"])
    assert {figure.covered for figure in run.figures} == {60 - touched}
    assert {entry.model: entry.undefined for entry in run.coverage} == {"mine": 0, "zero": touched}


def test_no_common_pair_is_an_undefined_figure_and_a_warning(vectors):
    pairs = graded(words=["unknown", "absent", "missing"])
    with (
        pytest.warns(UndefinedWarning, match="mine on graded: Spearman's ρ is undefined: no pair is covered"),
        pytest.warns(CoverageWarning, match="on graded all models can score only 0 of 60 pairs"),
    ):
        run = evaluate([vectors], [pairs], measures=["avg_cos"])
    assert math.isnan(run.figures[0].value)
    assert json.loads(run.to_json())["figures"][0]["value"] is None
    assert math.isnan(Run.model_validate_json(run.to_json()).figures[0].value)


def warned(models, pairs, **options):
    """Evaluate, and return the run with what was warned of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run = evaluate({name: Laid(scores) for name, scores in models.items()}, [pairs], **options)
    assert {one.filename for one in caught} <= {__file__}
    return run, [str(one.message) for one in caught if one.category is UndefinedWarning]


def test_each_reason_is_warned_of_once_with_the_models_it_holds_for():
    gold = np.arange(30.0)
    _, messages = warned({"flat": gold * 0, "good": gold, "even": gold * 0 + 2}, pair_set(gold))
    assert messages == ["flat, even on mine: Spearman's ρ is undefined: all 30 scores are equal"]
    _, messages = warned({"good": gold}, pair_set(gold * 0))
    assert messages == ["good on mine: Spearman's ρ is undefined: all 30 gold scores are equal"]
    assert warned({"good": gold}, pair_set(gold))[1] == []


def test_figures_that_are_undefined_for_one_reason_share_a_warning():
    _, messages = warned({"good": np.arange(30.0)}, pair_set(np.ones(30), labelled=True))
    assert messages == [
        "good on mine: area under the ROC curve and accuracy, cross-validated are undefined: "
        "no pair has label 0"
    ]
    _, messages = warned({"good": np.arange(30.0)}, pair_set(np.arange(30) == 4, labelled=True))
    assert messages == ["good on mine: accuracy, cross-validated is undefined: only 1 pair has label 1"]


def test_reasons_on_subsets_are_warned_of_once_each():
    parts = ["alone", "equal", "equal", "equal", *["many"] * 26, "single"]
    gold = np.arange(31.0)
    gold[1:4] = 5
    run, messages = warned({"one": gold, "two": -gold}, pair_set(gold, part=parts), by="part")
    assert messages == [
        "some figures on 2 of 4 subsets of mine by part are undefined: only 1 pair; at least 3 are needed",
        "some figures on 1 of 4 subsets of mine by part are undefined: all 3 gold scores are equal",
    ]
    reasons = {(one.subset, one.undefined) for one in run.figures}
    assert reasons == {
        (None, None),
        ("alone", "only 1 pair; at least 3 are needed"),
        ("equal", "all 3 gold scores are equal"),
        ("many", None),
        ("single", "only 1 pair; at least 3 are needed"),
    }


def test_what_raters_and_types_do_not_give_is_warned_of_once_each():
    gold = np.arange(30.0)
    columns = {"rater_a": [1.0] * 30, "rater_b": [2.0] * 30, "t": [f"t{k}" for k in range(30)]}
    run, messages = warned({"one": gold}, pair_set(gold, **columns), types=("t", "t"))
    assert len(messages) == 2
    assert messages[0] == "mine: ρ of the best annotator is undefined: each annotator's ratings are all equal"
    assert messages[1] == (
        "mine: the baseline of types is undefined: no combination of categories occurs twice"
    )
    assert run.datasets[0].types.undefined == "no combination of categories occurs twice"


@pytest.mark.parametrize("labels", [False, True])
def test_the_confidence_reaches_every_interval_and_is_stored(vectors, tmp_path, labels):
    pairs = labelled() if labels else graded()
    narrow, wide = (
        evaluate([vectors], [pairs], by="words", confidence=level, out=tmp_path / f"{level}")
        for level in (0.8, 0.99)
    )
    for one, other in zip(narrow.figures, wide.figures, strict=True):
        assert (one.confidence, other.confidence) == (0.8, 0.99)
        if not math.isnan(one.low):
            assert other.low <= one.low <= one.value <= one.high <= other.high
            assert other.high - other.low > one.high - one.low
    assert Run.load(tmp_path / "0.8").settings.confidence == 0.8
    with pytest.raises(InputError, match="holds a run with different settings"):
        evaluate([vectors], [pairs], by="words", confidence=0.9, out=tmp_path / "0.8")


@pytest.mark.parametrize("confidence", [0, 1, 95, -0.5, math.nan])
def test_a_confidence_that_is_not_a_probability_is_refused(vectors, confidence):
    with pytest.raises(InputError, match="the confidence must be between 0 and 1"):
        evaluate([vectors], [graded()], confidence=confidence)


def test_two_models_of_one_name_and_two_sets_of_one_name_are_refused(vectors, tmp_path):
    (tmp_path / "b").mkdir()
    other = write_binary(tmp_path / "b" / "mine.bin", some_vectors("a", "b"))
    with pytest.raises(InputError, match="two models are called 'mine'"):
        evaluate([vectors, other], [graded()])
    with pytest.raises(InputError, match="two different sets are called 'graded'"):
        evaluate([vectors], [graded(), graded(seed=1)])
    assert evaluate([vectors], [graded(), graded()], measures=["fj"]).datasets[0].name == "graded"


def test_nothing_to_evaluate_is_said(vectors):
    with pytest.raises(InputError, match="no model was given"):
        evaluate([], [graded()])
    with pytest.raises(InputError, match="no dataset was given"):
        evaluate([vectors], [])
    with pytest.raises(InputError, match="limit must be at least 1"):
        evaluate([vectors], [graded()], limit=0)


def test_scores_of_what_was_not_evaluated_are_an_error(vectors):
    run = evaluate([vectors], [graded()], measures=["fj"])
    with pytest.raises(InputError, match="no scores of 'mine' on 'other'"):
        run.scores("mine", "other")


def test_tokenizer_and_case_are_in_the_results(vectors):
    model = load_model(vectors, tokenizer="whitespace", case="lower")
    run = evaluate([model], [graded()], measures=["fj"])
    assert (run.models[0].tokenizer, run.models[0].case) == ("whitespace", "lower")


def parted(pos=None):
    pairs = graded(count=90)
    column = pl.Series("pos", [("N", "V", "")[number % 3] for number in range(90)] if pos is None else pos)
    return PairSet(pairs.frame.with_columns(column), pairs.card)


def test_figures_of_subsets_rest_on_the_common_pairs_in_them(vectors, fewer):
    pairs = parted()
    run = evaluate([vectors, fewer], [pairs], measures=["avg_cos"], by="pos")
    scores = {name: run.scores(name, "graded") for name in ("mine", "fewer")}
    common = np.logical_and.reduce([frame["covered"].to_numpy() for frame in scores.values()])
    of_subsets = [figure for figure in run.figures if figure.subset is not None]
    assert len(of_subsets) == 4
    assert run.figures[2:] == of_subsets
    for figure in of_subsets:
        inside = pairs.frame["pos"].to_numpy() == figure.subset
        both = inside & common
        assert (figure.n, figure.covered) == (30, int(both.sum()))
        values = scores[figure.model]["avg_cos"].to_numpy()[both]
        assert figure.value == pytest.approx(spearmanr(pairs.gold[both], values).statistic)


def test_figures_over_all_pairs_are_the_same_with_subsets(vectors):
    whole = evaluate([vectors, "random"], [parted(), labelled()])
    by = evaluate([vectors, "random"], [parted(), labelled()], by="words", bins=2)
    assert [figure for figure in by.figures if figure.subset is None] == whole.figures


def test_a_condition_is_met_before_the_first_pairs_are_taken(vectors):
    run = evaluate([vectors], [parted()], measures=["fj"], where="pos = 'V'", limit=20)
    assert (run.datasets[0].n, run.datasets[0].total) == (20, 90)
    expected = parted().frame.filter(pl.col("pos") == "V")["pair_id"].to_list()[:20]
    assert run.scores("mine", "graded")["pair_id"].to_list() == expected


@pytest.mark.parametrize(
    "asked", [{"where": "pos = 'V'"}, {"by": "pos"}, {"by": "words", "bins": 2}, {"types": ("pos", "pos")}]
)
def test_another_question_is_another_run(vectors, tmp_path, asked):
    evaluate([vectors], [parted()], measures=["fj"], out=tmp_path / "x")
    with pytest.raises(InputError, match="holds a run with different settings"):
        evaluate([vectors], [parted()], measures=["fj"], out=tmp_path / "x", **asked)


def test_other_subsets_of_the_same_pairs_are_another_run(vectors, tmp_path, monkeypatch):
    """Strata are no part of a set's digest; its figures by them must not be taken for those of others."""
    first = evaluate([vectors], [parted()], measures=["fj"], by="pos", out=tmp_path / "x")
    other = parted(pos=["N", "V"] * 45)
    assert other.digest == parted().digest
    with pytest.raises(InputError, match="holds a run with different columns of the sets"):
        evaluate([vectors], [other], measures=["fj"], by="pos", out=tmp_path / "x")
    monkeypatch.setattr(module, "scorer_for", None)  # scores are found again
    again = evaluate([vectors], [other], measures=["fj"], by="pos", out=tmp_path / "x", replace=True)
    assert [one.n for one in again.datasets[0].subsets] == [45, 45]
    assert again.figures[0] == first.figures[0]


def test_the_same_question_is_answered_from_the_folder(vectors, tmp_path, monkeypatch):
    asked = {"measures": ["fj"], "where": "gold > 0.1", "types": ("pos", "pos")}
    asked |= {"by": "levenshtein", "bins": [0, 3, math.inf]}
    first = evaluate([vectors], [parted()], out=tmp_path / "x", **asked)
    monkeypatch.setattr(module, "results", None)
    assert evaluate([vectors], [parted()], out=tmp_path / "x", **asked).to_json() == first.to_json()


def test_attributes_part_the_pairs_and_are_known_by_their_digest(vectors, tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("word,frequency\n" + "\n".join(f"{word},{k}" for k, word in enumerate(WORDS)) + "\n")
    asked = {"measures": ["fj"], "by": "frequency", "attributes": table}
    run = evaluate([vectors], [graded()], out=tmp_path / "x", **asked)
    used = run.datasets[0]
    assert used.cut == "quantiles"
    assert sum(one.n for one in used.subsets) + used.left_out["across"] == 60
    table.write_text(table.read_text().replace("w3,3", "w3,39"))
    with pytest.raises(InputError, match="holds a run with different settings"):
        evaluate([vectors], [graded()], out=tmp_path / "x", **asked)


def test_bins_and_attributes_need_a_column(vectors, tmp_path):
    for asked in ({"bins": 3}, {"attributes": tmp_path / "t.csv"}):
        with pytest.raises(InputError, match="by="):
            evaluate([vectors], [graded()], **asked)


def test_nothing_is_scored_before_every_set_can_be_parted(vectors, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "scorer_for", None)
    with pytest.raises(UnknownNameError, match="no column of labelled called 'pos'"):
        evaluate([vectors], [parted(), labelled()], by="pos", out=tmp_path / "x")
    with pytest.raises(InputError, match="labelled has labels"):
        evaluate([vectors], [parted(), labelled()], types=("words", "words"), out=tmp_path / "x")
    assert not (tmp_path / "x").exists()
    assert not (tmp_path / "x.partial").exists()


OPEN_ROWS = [
    ("heart attack", "hearts", 3.0),
    ("heart", "attack", 2.0),
    ("attack", "zy heart", 1.0),
    ("attacks", "x", 0.0),
    ("heart heart", "heart", 4.0),
]


def test_a_run_stores_where_words_are_missing_and_never_the_words(tmp_path):
    pairs = PairSet.of(OPEN_ROWS, card=Card(name="mine", title="mine"))
    with pytest.warns(CoverageWarning):
        run = evaluate([OpenWords()], [pairs], measures=["avg_cos"], out=tmp_path / "x")
    scores = Run.load(tmp_path / "x").scores("open", "mine")
    assert scores["missing_1"].to_list() == [[], [], [], [], []]
    assert scores["missing_2"].to_list() == [[], [], [0], [0], []]
    assert scores["subwords_1"].to_list() == [[], [], [], [0], []]
    assert scores["subwords_2"].to_list() == [[0], [], [], [], []]
    assert [(one.covered, one.subwords) for one in run.coverage] == [(3, 1)]
    for path in (tmp_path / "x").rglob("*.*"):
        assert b"hearts" not in path.read_bytes()


def test_the_coverage_of_a_model_without_subwords_is_written_as_before(vectors):
    written = json.loads(evaluate([vectors, "levenshtein"], [graded()]).to_json())
    assert [list(entry) for entry in written["coverage"]] == [
        ["model", "dataset", "n", "covered", "undefined", "scores"]
    ] * 2


def test_scores_of_an_older_version_without_missing_words_are_computed_again(tmp_path):
    pairs = PairSet.of(OPEN_ROWS, card=Card(name="mine", title="mine"))
    with pytest.warns(CoverageWarning):
        new = evaluate([OpenWords()], [pairs], measures=["avg_cos"], out=tmp_path / "x")
    path = tmp_path / "x" / "scores" / "mine--open.parquet"
    metadata = pl.read_parquet_metadata(path)
    kept = {key: metadata[key] for key in metadata if key.startswith("medgauge")}
    current = pl.read_parquet(path)
    current.select("pair_id", "gold", "avg_cos", "covered").write_parquet(path, metadata=kept)
    with pytest.warns(CoverageWarning):
        run = evaluate([OpenWords()], [pairs], measures=["avg_cos"], seed=1, out=tmp_path / "x", replace=True)
    assert run.figures == new.figures
    assert run.scores("open", "mine").equals(current)


def test_a_dict_from_a_name_to_a_set_is_not_taken_for_a_table_of_columns():
    assert [used.name for used in evaluate("random", {"renamed": graded()}).datasets] == ["renamed"]


def test_a_run_that_is_complete_says_that_nothing_was_computed(tmp_path):
    heard: list[str] = []
    with hearing(heard.append):
        for _ in range(2):
            evaluate(["levenshtein"], [graded()], out=tmp_path / "run")
    assert heard == [f"{tmp_path / 'run'} already holds this run: nothing had to be computed"]
