"""medgauge build words as users call it, on good and on bad input."""

import pytest

from medgauge.pairs import Pairs
from tests.support.expert_answers import judged
from tests.support.word_tables import word_table, write_small


@pytest.fixture
def build(medgauge, tmp_path):
    """Run the command on the small word table with everything that it needs."""
    words = write_small(tmp_path)

    def run(*options):
        return medgauge(
            *("build", "words", words, "--reference", tmp_path / "general.tsv", "--frequent-in-both", "1e6"),
            *(
                "--ontology",
                tmp_path / "mini.obo",
                "--norms",
                tmp_path / "norms.tsv",
                "--pairs",
                "3",
                *options,
            ),
        )

    return run


def test_a_dry_run_shows_what_each_filter_leaves_and_writes_nothing(build, tmp_path):
    before = sorted(tmp_path.iterdir())
    done = build("--dry-run")
    assert done.code == 0, done.err
    rows = {tuple(line.split()) for line in done.out.splitlines()}
    assert {("in", "the", "word", "table", "26", "15"), ("borderline", "2", "1")} <= rows
    assert sorted(tmp_path.iterdir()) == before


def test_experts_come_first_and_their_verdicts_complete_the_sets(build, medgauge, tmp_path):
    done = build("--out", tmp_path / "pairs")
    assert done.code == 0, done.err
    assert "--protocol associated --annotators 2 --per-pair 2" in " ".join(done.err.split())
    candidates = tmp_path / "pairs/experts/candidate-pairs.parquet"
    ratings = judged(candidates, "associated", lambda *_: 1.0, tmp_path / "ratings.tsv")
    done = build("--out", tmp_path / "pairs", "--accepted", ratings, "--replace")
    assert done.code == 0, done.err
    assert f"24 pairs and their word-sheet.json are in {tmp_path}/pairs" in "".join(done.err.split("\n"))
    assert medgauge("show", tmp_path / "pairs").out == done.out
    assert Pairs.load(tmp_path / "pairs/verbs.parquet").card.terms_stay is False


def test_the_printed_command_makes_a_study(build, medgauge, tmp_path):
    said = " ".join(build("--out", tmp_path / "pairs").err.split())
    command = said.partition("next: medgauge ")[2].split()
    command[command.index("study")] = str(tmp_path / "study")
    assert medgauge(*command).code == 0


def test_sets_go_into_a_slider_study_as_a_folder(build, medgauge, tmp_path):
    assert build("--out", tmp_path / "pairs", "--unjudged").code == 0
    made = ("--pairs", tmp_path / "pairs", "--protocol", "slider", "--annotators", "2", "--per-pair", "2")
    done = medgauge("annotate", "init", tmp_path / "study", *made)
    assert done.code == 0, done.err
    assert "24: nouns 12, verbs 12" in done.out


def test_the_sheet_is_json_if_asked(build):
    assert '"word_rules": 1' in build("--dry-run", "--json").out


@pytest.mark.parametrize("options", [(), ("--out", "pairs", "--dry-run")])
def test_either_a_folder_or_a_dry_run_is_asked_for(build, options):
    done = build(*options)
    assert done.code == 1
    assert "name a folder for the pairs with --out, or look at the words with --dry-run" in " ".join(
        done.err.split()
    )


def test_a_corpus_without_the_wanted_words_is_refused_in_one_sentence(medgauge, tmp_path):
    word_table([("red", "ADJ", 50), ("the", "DET", 500)]).save(tmp_path / "words.parquet")
    done = medgauge("build", "words", tmp_path / "words.parquet", "--out", tmp_path / "pairs")
    assert done.code == 1
    assert "has no nouns and no verbs" in " ".join(done.err.split())
    assert "Traceback" not in done.err
    assert not (tmp_path / "pairs").exists()
