"""Benchmarks of word similarity from a small word table, quarter by quarter."""

import json
import shutil

import polars as pl
import pytest

import medgauge
from medgauge.build.words.pairing.word_vocabulary import MIXED
from medgauge.build.words.word_sheet import QUARTERS, WordSheet
from medgauge.errors import FileError, InputError, MedgaugeWarning
from medgauge.pairs import Pairs
from tests.support.expert_answers import judged
from tests.support.lexicon_files import write_tables
from tests.support.word_tables import BIOMEDICAL, GENERAL, occurrences, options_of, word_table, write_small


@pytest.fixture
def build(tmp_path):
    """Build from the small word table; the options are those of `build_words`."""
    words = write_small(tmp_path)

    def run(out="pairs", **options):
        return medgauge.build_words(words, tmp_path / out if out else None, **options_of(tmp_path) | options)

    return run


def quarters(folder, name="nouns"):
    frame = Pairs.load(folder / f"{name}.parquet").frame
    return {
        quarter: {tuple(row) for row in frame.filter(quarter=quarter).select("term_1", "term_2").iter_rows()}
        for quarter in QUARTERS
    }


def test_words_are_biomedical_general_or_between(build):
    sheet = build(out=None)
    assert sheet.domains == {
        part: {"biomedical": len(BIOMEDICAL[part]), "general": len(GENERAL[part]), "borderline": between}
        for part, between in (("noun", 2), ("verb", 1))
    }
    assert (sheet.quarters, sheet.sets, sheet.pairing) == ([], {}, None)


def test_candidates_go_to_experts_before_there_are_pairs(build, tmp_path):
    sheet = build()
    assert sorted(path.name for path in (tmp_path / "pairs").rglob("*.*")) == [
        *("README.md", "borderline-words.parquet", "candidate-pairs.parquet", "word-sheet.json", "words.tsv")
    ]
    assert sheet.sets == {}
    assert {one.pairs for one in sheet.quarters} == {None}
    candidates = Pairs.load(tmp_path / "pairs/experts/candidate-pairs.parquet").frame
    assert {frozenset(row) for row in candidates.select("term_1", "term_2").iter_rows()} == {
        *map(frozenset, (("dropsy", "edema"), ("kyphosis", "scoliosis"), ("kyphosis", "lordosis"))),
        *map(frozenset, (("lordosis", "scoliosis"), ("methylation", "phosphorylation"))),
        *map(frozenset, (("acetylation", "methylation"), ("acetylation", "phosphorylation"))),
        *map(frozenset, (("to methylate", "to phosphorylate"), ("to acetylate", "to methylate"))),
        frozenset(("to acetylate", "to phosphorylate")),
    }
    borderline = Pairs.load(tmp_path / "pairs/experts/borderline-words.parquet").frame
    assert sorted(borderline["term_1"]) == ["fire", "study", "to play"]


@pytest.mark.filterwarnings("ignore:quarters with fewer")
def test_pairs_that_all_experts_accept_are_the_associated_biomedical_quarter(build, tmp_path):
    build()

    def answer(who, one, other):
        return float("kyphosis" not in (one, other) or who == "Ann")

    path = tmp_path / "pairs/experts/candidate-pairs.parquet"
    ratings = judged(path, "associated", answer, tmp_path / "ratings.tsv")
    sheet = build(accepted=ratings, replace=True, pairs=9)
    assert quarters(tmp_path / "pairs")["biomedical associated"] == {
        ("dropsy", "edema"),
        ("lordosis", "scoliosis"),
        ("methylation", "phosphorylation"),
        ("acetylation", "methylation"),
        ("acetylation", "phosphorylation"),
    }
    [nouns] = [one for one in sheet.quarters if (one.part, one.quarter) == ("noun", QUARTERS[0])]
    assert (nouns.linked, nouns.candidates, nouns.accepted, nouns.pairs) == (7, 7, 5, 5)
    assert (sheet.pair_experts.experts, sheet.pair_experts.judged, sheet.pair_experts.agreed) == (2, 10, 8)


def test_general_pairs_are_associated_by_the_norms(build, tmp_path):
    build(unjudged=True)
    assert quarters(tmp_path / "pairs")["general associated"] == {
        ("lake", "river"),
        ("king", "queen"),
        ("door", "window"),
    }
    assert quarters(tmp_path / "pairs", "verbs")["general associated"] == {
        ("rinse", "wash"),
        ("argue", "dispute"),
        ("borrow", "lend"),
    }


@pytest.mark.filterwarnings("ignore:quarters with fewer")
def test_unassociated_pairs_are_all_pairs_of_a_domain_that_nothing_links(build, tmp_path):
    build(unjudged=True, pairs=500, per_word=99)
    found = quarters(tmp_path / "pairs")
    nouns = len(BIOMEDICAL["noun"]), len(GENERAL["noun"])
    assert len(found["biomedical unassociated"]) == nouns[0] * (nouns[0] - 1) // 2 - 7
    assert len(found["general unassociated"]) == nouns[1] * (nouns[1] - 1) // 2 - 5
    assert not found["biomedical unassociated"] & found["biomedical associated"]
    assert ("school", "teacher") not in found["general unassociated"]  # said, but never in return
    words = {word for quarter in found for pair in found[quarter] for word in pair if "biomedical" in quarter}
    assert words == set(BIOMEDICAL["noun"])


def test_words_that_experts_sorted_are_paired_and_others_between_are_not(build, tmp_path):
    build()

    def answer(_who, word, _none):
        return {"fire": 0.0, "study": 1.0, "to play": 2.0}[word]

    path = tmp_path / "pairs/experts/borderline-words.parquet"
    said = judged(path, "domain", answer, tmp_path / "said.tsv")
    sheet = build("more", domains=said, unjudged=True)
    assert (sheet.domains["noun"]["general"], sheet.domains["verb"]["biomedical"]) == (11, 7)
    assert sheet.domain_experts.agreed == 3
    listed = pl.read_csv(tmp_path / "more/words.tsv", separator="\t")
    assert dict(
        listed.filter(pl.col("word").is_in(["fire", "study", "play"])).select("word", "domain").rows()
    ) == {
        "fire": "general",
        "study": "borderline",
        "play": "biomedical",
    }


def test_pairs_have_what_splits_them_into_groups(build, tmp_path):
    subjects = {word: {"Biology": 3, "Physics": 1} for word in (*BIOMEDICAL["noun"], "river", "king")}
    subjects |= {word: {"Literature": 2} for word in ("lake", "queen")}
    rows = [(word, tag, count) for (word, tag), count in occurrences().items()]
    word_table(rows, subjects=subjects).save(tmp_path / "words.parquet")
    build(unjudged=True)
    frame = Pairs.load(tmp_path / "pairs/nouns.parquet").frame
    row = frame.filter(term_1="lake", term_2="river").row(0, named=True)
    assert (row["quarter"], row["domain"], row["association"]) == (
        "general associated",
        "general",
        "associated",
    )
    assert (row["link"], row["frequency"]) == ("free association", "low")
    assert (row["frequency_1"], row["frequency_2"]) == (7, 6)
    assert (row["subject"], row["subject_1"], row["subject_2"]) == (MIXED, "Literature", "Biology")
    assert (row["subjects_1"], row["subjects_2"]) == (1, 2)
    both = frame.filter(quarter="biomedical unassociated")
    assert set(both["subject"]) == {"Biology"}
    assert set(both["link"]) == {None}


@pytest.mark.filterwarnings("ignore:quarters with fewer")
def test_balanced_pairs_are_of_the_three_bins_in_equal_numbers(build, tmp_path):
    build(unjudged=True, balance_frequency=True, pairs=9)
    frame = Pairs.load(tmp_path / "pairs/nouns.parquet").frame.filter(quarter="biomedical unassociated")
    assert dict(frame["frequency"].value_counts().iter_rows()) == {"low": 3, "medium": 3, "high": 3}


def test_the_same_words_and_seed_give_the_same_bytes_and_another_seed_others(build, tmp_path):
    build("one", unjudged=True)
    build("two", unjudged=True)
    build("three", unjudged=True, seed=43)

    def content(out):
        return {path.name: path.read_bytes() for path in (tmp_path / out).rglob("*.*")}

    assert content("one") == content("two")
    assert content("one")["nouns.parquet"] != content("three")["nouns.parquet"]


def test_a_build_that_is_there_is_read_back_and_another_is_not_overwritten(build, tmp_path):
    first = build(unjudged=True)
    assert build(unjudged=True) == first
    with pytest.raises(InputError, match="another build \\(with other pairing\\); add replace=True"):
        build(unjudged=True, seed=43)
    assert build(unjudged=True, seed=43, replace=True).pairing.seed == 43
    assert WordSheet.load(tmp_path / "pairs").pairing.seed == 43


def test_pairs_go_into_a_slider_study_and_split_an_evaluation_once_there_is_gold(build, tmp_path):
    build(unjudged=True)
    ratings = judged(
        tmp_path / "pairs/nouns.parquet",
        "slider",
        lambda who, one, other: float((len(one) * len(other) + (who == "Ann")) % 7),
        tmp_path / "ratings.tsv",
    )
    medgauge.gold(str(ratings), resamples=9).pairs.save(tmp_path / "gold.parquet")
    gold = Pairs.load(tmp_path / "gold.parquet").frame
    built = Pairs.load(tmp_path / "pairs/nouns.parquet").frame
    for column in ("quarter", "frequency"):
        assert dict(gold.select("pair_id", column).rows()) == dict(built.select("pair_id", column).rows())
    run = medgauge.evaluate(["levenshtein"], {"mine": tmp_path / "gold.parquet"}, by="quarter")
    assert set(run.to_frame()["subset"].drop_nulls()) == set(QUARTERS)


@pytest.mark.filterwarnings("ignore:quarters with fewer")
def test_a_lexicon_without_ontology_is_enough(build, tmp_path):
    sheet = build(lexicon=write_tables(tmp_path / "lexicon"), ontology=(), unjudged=True, pairs=1)
    assert quarters(tmp_path / "pairs")["biomedical associated"] == {("dropsy", "edema")}
    assert [one.name for one in sheet.resources] == ["specialist", "usf"]
    assert Pairs.load(tmp_path / "pairs/nouns.parquet").card.made_of == ("specialist", "usf")


def test_without_candidates_there_is_nothing_to_judge_and_the_rest_is_written(build, tmp_path):
    with pytest.warns(
        MedgaugeWarning, match="quarters with fewer than 3 pairs: nouns, biomedical associated 0"
    ):
        sheet = build(ontology=())
    assert set(sheet.sets) == {"nouns", "verbs"}
    assert not quarters(tmp_path / "pairs")["biomedical associated"]


def test_words_without_parts_of_speech_are_one_set(build, tmp_path):
    rows = [(word, None, count) for (word, _), count in occurrences().items()]
    word_table(rows, unit="form").save(tmp_path / "words.parquet")
    sheet = build(unjudged=True, lemmatise=True)
    assert [*sheet.sets] == ["words"]
    assert sheet.parts == ["word"]
    assert ("methylate", "methylation") not in quarters(tmp_path / "pairs", "words")["biomedical associated"]


def test_the_lexicon_says_parts_of_speech_where_the_corpus_has_none(build, tmp_path):
    rows = [("phosphorylates", None, 9), ("kinases", None, 9), ("kinase", None, 9), ("edema", None, 9)]
    word_table([*rows, ("stains", None, 9)], unit="form").save(tmp_path / "words.parquet")
    with pytest.warns(MedgaugeWarning, match="has no general words"):
        sheet = build(out=None, lexicon=write_tables(tmp_path / "lexicon"), lemmatise=True)
    assert sheet.steps[0].words == {"noun": 3, "verb": 1}
    assert sheet.steps[-1].words == {"noun": 2, "verb": 1}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"pairs": 0}, "pairs=0 must be at least 1"),
        ({"per_word": 0}, "per_word=0 must be at least 1"),
        ({"candidates": 0}, "candidates=0 must be at least 1"),
        ({"seed": -1}, "seed=-1 must be at least 0"),
        *(
            ({name: 10**24}, f"{name}={10**24} must be at most 1,000,000,000,000")
            for name in ("pairs", "per_word", "candidates", "min_length", "min_frequency")
        ),
        ({"min_length": 0}, "min_length=0 must be at least 1"),
        ({"lemmatise": True}, "has lemmas already; leave out lemmatise=True"),
        (
            {"unjudged": True, "accepted": "general.tsv"},
            "unjudged=True does without experts; leave out accepted=",
        ),
        ({"filters": ["multiword"]}, "there is no filter 'multiword'; did you mean 'multi-word'"),
        ({"scopes": ["EXACTLY"]}, "'EXACTLY' is not a scope of synonyms"),
        ({"biomedical": 0.5}, "are ratios"),
        ({"min_frequency": 99}, "has no words left after the step 'that occur 99 times or more'"),
    ],
)
def test_options_that_cannot_be_met_are_refused(build, tmp_path, options, said):
    if "accepted" in options:
        options = options | {"accepted": tmp_path / options["accepted"]}
    with pytest.raises(InputError, match=said):
        build(**options)
    assert not (tmp_path / "pairs").exists()


def test_an_ontology_given_twice_is_refused(build, tmp_path):
    shutil.copy(tmp_path / "mini.obo", tmp_path / "again.obo")
    with pytest.raises(InputError, match="the ontology mini was given twice"):
        build(ontology=[tmp_path / "mini.obo", tmp_path / "again.obo"])


def test_verdicts_of_another_build_are_refused_and_some_are_reported(build, tmp_path):
    header = "term_1,term_2,rater_A,rater_B\n"
    (tmp_path / "other.csv").write_text(f"{header}apnea,pallor,1,1\n")
    with pytest.raises(FileError, match=r"other\.csv: none of its pairs are of the chosen words"):
        build(accepted=tmp_path / "other.csv")
    (tmp_path / "some.csv").write_text(f"{header}apnea,pallor,1,1\nedema,dropsy,1,1\n")
    with pytest.warns(MedgaugeWarning) as warned:
        build(accepted=tmp_path / "some.csv", pairs=1)
    assert any("some.csv: 1 of 2 pairs are not of the chosen words" in str(one.message) for one in warned)


def test_what_is_not_a_word_table_is_refused(tmp_path):
    (tmp_path / "words.csv").write_text("word,frequency\ncell,5\n")
    with pytest.raises(
        FileError, match=r"words\.csv: is not a word table; make one with 'medgauge corpus words"
    ):
        medgauge.build_words(tmp_path / "words.csv")


def test_the_sheet_says_all_and_no_word(build, tmp_path):
    build(unjudged=True)
    text = (tmp_path / "pairs/word-sheet.json").read_text("utf-8")
    sheet = json.loads(text)
    assert sheet["versions"].keys() == {"breame", "simplemma"}
    assert sheet["resources"][0]["files"].keys() == {"mini.obo"}
    for word in (*BIOMEDICAL["noun"], *GENERAL["verb"], "mini protein"):
        assert f'"{word}"' not in text
