"""medgauge gold, as users call it."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl
import pytest

from medgauge.files.writing import claimed
from medgauge.pairs import Card, PairSet

QUICK = ("--resamples", 99)


@pytest.fixture
def ratings(tmp_path):
    """Twelve pairs, rated from 0 to 6 by Ada and José-María, and Eve, who rates at random; -1: not rated."""
    path = tmp_path / "ratings.csv"
    rows = [f"Fever {n},hay-fièvre {n},{n % 7},{max(0, n % 7 - 1)},{n * 5 % 7}" for n in range(1, 12)]
    head = "term_1,term_2,rater_Ada,rater_José-María,rater_Eve"
    path.write_text("\n".join([head, *rows, "cough,sneeze,-1,,-1"]) + "\n", "utf-8")
    return path


@pytest.fixture
def verdicts(tmp_path):
    path = tmp_path / "verdicts.csv"
    path.write_text(
        "term_1,term_2,set,label,rater_A,rater_B,rater_C\n"
        "flu,influenza,x,1,same,same,don't know\n"
        "flu,cold,x,0,not same,not same,same\n"
        "cough,sneeze,y,1,same,not same,don't know\n"
        "fever,pyrexia,y,1,same,same,same\n"
    )
    return path


def flat(text):
    return " ".join(text.split())


def test_it_says_what_was_made(medgauge, ratings, tmp_path):
    out = tmp_path / "new" / "gold.parquet"
    done = medgauge(
        *("gold", ratings, "--out", out, "--scale", "0-6:0-10", "--not-rated", "-1"),
        *("--without", "Eve", "--max-disagreement", "0.6", *QUICK),
    )
    assert done.code == 0, done.err
    words = flat(done.out)
    # Ada and José-María differ by 1 but where Ada said 0: a deviation of 0.71.
    for told in (
        "pairs 1 ",
        "dropped 1 without a rating, 10 with too much disagreement",
        "annotators 2: Ada, José-María",
        "left out Eve",
        "scale 0 to 10, from ratings of 0 to 6",
        "Krippendorff's α (ordinal) 0.",
        "ICC(C,k) ",
    ):
        assert told in words
    assert str(out) in "".join(done.out.split())
    saved = PairSet.load(out)
    assert saved.raters == ["rater_Ada", "rater_José-María"]
    assert saved.card.build["without"] == ["Eve"]
    assert saved.frame["term_1"].to_list() == ["Fever 7"]


def test_gold_is_the_rescaled_mean(medgauge, ratings, tmp_path):
    done = medgauge(
        *("gold", ratings, "--out", tmp_path / "gold.parquet", "--scale", "0-6:0-10", "--not-rated", "-1"),
        *("--annotators", "rater_Ada,rater_José-María", *QUICK),
    )
    assert done.code == 0, done.err
    expected = [(n % 7 + max(0, n % 7 - 1)) / 2 / 6 * 10 for n in range(1, 12)]
    assert PairSet.load(tmp_path / "gold.parquet").gold.tolist() == pytest.approx(expected)


def test_json_is_all_that_is_printed(medgauge, ratings, tmp_path):
    out = tmp_path / "gold.parquet"
    done = medgauge(
        "gold", ratings, "--out", out, "--not-rated", "-1", "--level", "interval", "--json", *QUICK
    )
    told = json.loads(done.out)
    assert (told["pairs"], told["dropped"], told["target"]) == (11, {"no_rating": 1}, "gold")
    assert told["annotators"] == ["Ada", "José-María", "Eve"]
    assert (told["scale"], told["ratings_scale"]) == (None, None)
    assert told["agreement"]["level"] == "interval"
    assert told["agreement"]["resamples"] == 99
    saved = PairSet.load(out)
    assert told["digest"] == saved.digest
    assert told["agreement"] == saved.card.build["agreement"]


def test_the_confidence_is_asked_for_told_and_kept_in_the_card(medgauge, ratings, tmp_path):
    out = tmp_path / "gold.parquet"
    done = medgauge("gold", ratings, "--out", out, "--not-rated", "-1", "--confidence", "0.9", *QUICK)
    assert done.code == 0, done.err
    assert "intervals 90%" in flat(done.out)
    assert PairSet.load(out).card.build["agreement"]["confidence"] == 0.9
    usual = medgauge("gold", ratings, "--out", tmp_path / "b.parquet", "--not-rated", "-1", *QUICK)
    assert "intervals 95%" in flat(usual.out)


def test_the_same_call_gives_the_same_bytes(medgauge, ratings, tmp_path):
    for name in ("a", "b"):
        medgauge("gold", ratings, "--out", tmp_path / name / "gold.parquet", "--not-rated", "-1", *QUICK)
    first, second = ((tmp_path / name / "gold.parquet").read_bytes() for name in ("a", "b"))
    assert first == second


def test_verdicts_become_labels(medgauge, verdicts, tmp_path):
    out = tmp_path / "gold.parquet"
    done = medgauge("gold", verdicts, "--out", out, *QUICK)
    assert done.code == 0, done.err
    words = flat(done.out)
    for told in ("pairs 3 ", "dropped 1 without a majority", "scale 0 or 1", "Krippendorff's α (nominal)"):
        assert told in words
    frame = PairSet.load(out).frame
    assert frame["label"].to_list() == [1, 0, 1]
    assert frame["label_in_set"].cast(pl.Int8).to_list() == [1, 0, 1]
    assert frame["unsure_C"].to_list() == [True, False, False]


@pytest.mark.parametrize("kind", ["ratings", "verdicts"])
def test_what_was_written_is_read_again(medgauge, request, tmp_path, kind):
    """On the scale of the ratings, which is not that of the gold."""
    first, second = tmp_path / "a" / "gold.parquet", tmp_path / "b" / "gold.parquet"
    options = ("--scale", "0-6:0-1", "--not-rated", "-1") if kind == "ratings" else ()
    assert medgauge("gold", request.getfixturevalue(kind), "--out", first, *options, *QUICK).code == 0
    done = medgauge("gold", first, "--out", second, *QUICK)
    assert done.code == 0, done.err
    old, new = PairSet.load(first), PairSet.load(second)
    assert new.raters == old.raters
    assert new.frame.select(new.raters).equals(old.frame.select(old.raters))
    assert new.card.build.get("ratings_scale") == old.card.build.get("ratings_scale")
    assert new.card.build["agreement"]["level"] == old.card.build["agreement"]["level"]


def test_it_is_evaluated_on(medgauge, ratings, tmp_path):
    out = tmp_path / "gold.parquet"
    medgauge("gold", ratings, "--out", out, "--not-rated", "-1", *QUICK)
    done = medgauge("evaluate", "--model", "levenshtein", "--dataset", out, "--json")
    assert done.code == 0, done.err
    assert json.loads(done.out)["datasets"][0]["n"] == 11


def test_ends_of_a_scale_may_be_negative(medgauge, tmp_path):
    source = tmp_path / "r.csv"
    rows = [f"a{n},b{n},{n % 7 - 3},{(n + n % 2) % 7 - 3}" for n in range(12)]
    source.write_text("\n".join(["term_1,term_2,rater_A,rater_B", *rows]) + "\n")
    out = tmp_path / "gold.parquet"
    for scale in (("--scale", "-3-3:0-6"), ("--scale=-3-3:0-6",)):
        done = medgauge("gold", source, "--out", out, *scale, "--replace", *QUICK)
        assert done.code == 0, done.err
    assert PairSet.load(out).card.scale == (0, 6)
    assert PairSet.load(out).gold[0] == 0.0


def test_an_existing_file_is_replaced_only_if_told(medgauge, ratings, tmp_path):
    out = tmp_path / "gold.parquet"
    PairSet.of([("a", "b", 1.0)], card=Card(name="old", title="Old")).save(out)
    before = out.read_bytes()
    refused = medgauge("gold", ratings, "--out", out, "--not-rated", "-1", *QUICK)
    assert refused.code == 1
    assert "already exists; choose another file, or add --replace" in flat(refused.err)
    assert out.read_bytes() == before
    assert medgauge("gold", ratings, "--out", out, "--not-rated", "-1", "--replace", *QUICK).code == 0
    assert len(PairSet.load(out)) == 11


def test_the_ratings_are_never_written_over(medgauge, ratings, tmp_path):
    out = tmp_path / "a" / "gold.parquet"
    assert medgauge("gold", ratings, "--out", out, "--not-rated", "-1", *QUICK).code == 0
    before = out.read_bytes()
    (tmp_path / "link.parquet").symlink_to(out)
    for source, place in ((out, out), (out.parent, out), (out, tmp_path / "link.parquet")):
        done = medgauge("gold", source, "--out", place, "--replace", *QUICK)
        assert done.code == 1
        assert "the ratings are there; choose another place" in flat(done.err)
    assert out.read_bytes() == before


REFUSED = {
    "no Parquet": (("--out", "gold.csv"), 1, "gold.csv: a gold standard must be a .parquet file"),
    "a folder": (("--out", "folder.parquet"), 1, "folder.parquet: a gold standard cannot be written there"),
    "below a file": (("--out", "ratings.csv/gold.parquet"), 1, "cannot be written there"),
    "a scale of one end": (("--out", "gold.parquet", "--scale", "6"), 2, "'6' is not a scale such as 0-6"),
    "no scale to start from": (
        ("--out", "gold.parquet", "--scale", ":0-10"),
        2,
        "'' is not a scale such as 0-6",
    ),
    "out of scale": (("--out", "gold.parquet", "--scale", "0-3"), 1, "is outside the scale 0 to 3"),
    "nobody of that name": (("--out", "gold.parquet", "--without", "Bob"), 1, "there is no annotator 'Bob'"),
    "nobody left": (
        (
            "--out",
            "gold.parquet",
            *(part for name in ("Ada", "José-María", "Eve") for part in ("--without", name)),
        ),
        1,
        "no annotator is left",
    ),
    "no pair left": (("--out", "gold.parquet", "--min-ratings", 4), 1, "12 with too few ratings"),
    "no ratings at all": (("--out", "gold.parquet", "--min-ratings", 0), 2, "--min-ratings"),
    "a negative deviation": (("--out", "gold.parquet", "--max-disagreement", -1), 2, "--max-disagreement"),
    "no resamples": (("--out", "gold.parquet", "--resamples", 0), 2, "--resamples"),
    "an unknown level": (("--out", "gold.parquet", "--level", "rank"), 2, "--level"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_done_is_told_and_nothing_is_written(medgauge, ratings, tmp_path, monkeypatch, case):
    options, code, problem = REFUSED[case]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.parquet").mkdir()
    ratings.write_text(ratings.read_text("utf-8").replace("-1,,-1", "1,1,1"), "utf-8")
    before = sorted(tmp_path.rglob("*"))
    done = medgauge("gold", ratings, *options)
    assert done.code == code, done.err
    assert problem in flat(done.err.replace("│", " "))
    assert "fièvre" not in done.err
    if code == 1:
        assert len(done.err.strip().splitlines()) == 1
    assert sorted(tmp_path.rglob("*")) == before


def test_verdicts_are_put_on_no_other_scale(medgauge, verdicts, tmp_path):
    done = medgauge("gold", verdicts, "--out", tmp_path / "gold.parquet", "--scale", "0-1:0-10", *QUICK)
    assert done.code == 1
    assert "verdicts become the labels 0 and 1" in done.err
    assert not (tmp_path / "gold.parquet").exists()


def test_what_is_undefined_is_said_to_be(medgauge, tmp_path):
    source = tmp_path / "one.csv"
    source.write_text("term_1,term_2,rater_A\nflu,influenza,3\nflu,cold,1\n")
    done = medgauge("gold", source, "--out", tmp_path / "gold.parquet", *QUICK)
    assert done.code == 0, done.err
    assert "Krippendorff's α (ordinal) undefined" in flat(done.out)
    assert PairSet.load(tmp_path / "gold.parquet").card.build["agreement"]["alpha"] is None


def test_many_annotators_are_counted_and_not_listed(medgauge, tmp_path):
    source = tmp_path / "many.csv"
    names = [f"rater_annotator{number}" for number in range(13)]
    rows = [f"a{n},b{n}," + ",".join(str((n + rater % 2) % 4) for rater in range(13)) for n in range(12)]
    source.write_text("\n".join(["term_1,term_2," + ",".join(names), *rows]) + "\n")
    done = medgauge("gold", source, "--out", tmp_path / "gold.parquet", *QUICK)
    assert done.code == 0, done.err
    assert "annotators 13 scale" in flat(done.out)


def test_two_at_once_do_not_overwrite_each_other(medgauge, ratings, tmp_path):
    """A claim of this process stands for that of another."""
    out = tmp_path / "gold.parquet"
    with claimed(out):
        done = medgauge("gold", ratings, "--out", out, "--not-rated", "-1", "--replace", *QUICK)
        assert (done.code, out.exists()) == (1, False)
    assert flat(done.err).endswith("gold.parquet: is being written by another process; wait until it is done")
    assert medgauge("gold", ratings, "--out", out, "--not-rated", "-1", *QUICK).code == 0


def test_a_gold_standard_that_another_process_finished_first_is_not_overwritten(
    medgauge, ratings, tmp_path, monkeypatch
):
    out = tmp_path / "gold.parquet"

    @contextmanager
    def later(path: Path) -> Iterator[None]:
        path.write_text("of the other")
        yield

    monkeypatch.setattr("medgauge.files.writing.claimed", later)
    done = medgauge("gold", ratings, "--out", out, "--not-rated", "-1", *QUICK)
    assert done.code == 1
    assert "already exists" in flat(done.err)
    assert out.read_text() == "of the other"


def test_a_folder_for_the_gold_is_not_left_behind_by_ratings_that_are_refused(medgauge, tmp_path):
    (tmp_path / "bad.csv").write_text("term_1,term_2,rater_A,rater_B\nflu,cold,much,little\n")
    assert medgauge("gold", tmp_path / "bad.csv", "--out", tmp_path / "new" / "gold.parquet").code == 1
    assert [path.name for path in tmp_path.iterdir()] == ["bad.csv"]


def test_a_table_with_other_names_needs_no_renaming(medgauge, tmp_path):
    path, out = tmp_path / "r.csv", tmp_path / "mygold.parquet"
    path.write_text("k;x;y;who;how\np1;Herz;Hirn;A;2,5\np1;Herz;Hirn;B;3\np2;Gicht;Bein;A;1\n", "utf-8")
    columns = ("--pair-id", "k", "--term-1", "x", "--term-2", "y", "--annotator", "who", "--rating", "how")
    done = medgauge("gold", path, "--out", out, *columns, "--language", "de", "--json", *QUICK)
    assert done.code == 0, done.err
    saved = PairSet.load(out)
    assert saved.frame.select("pair_id", "term_1", "term_2", "gold").row(0) == ("p1", "Herz", "Hirn", 2.75)
    assert (saved.card.name, saved.card.title, saved.card.language) == ("mygold", "mygold", "de")
    assert json.loads(done.out)["name"] == "mygold"
    assert 'language:\n- "de"' in (tmp_path / "README.md").read_text("utf-8")
