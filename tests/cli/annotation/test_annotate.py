"""medgauge annotate, as users call it."""

import csv
import json
import re
import stat
from collections import Counter
from itertools import count

import polars as pl
import pytest

from medgauge.annotate.design.link_file import LINKS
from medgauge.annotate.store.store import DATABASE, Store
from medgauge.pairs import Card, PairSet
from medgauge.protocol import parse_protocol
from tests.annotate.exchange.test_labelstudio import annotation, result, task
from tests.support.workbooks import write_xlsx

QUICK = ("--resamples", 99)


@pytest.fixture(autouse=True)
def in_tmp(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def labelled(tmp_path):
    path = tmp_path / "labelled.csv"
    rows = [f"Fièvre {n},hay-fever {n},{n % 2}" for n in range(80)]
    path.write_text("\n".join(["term_1,term_2,label", *rows]) + "\n", "utf-8")
    return path


@pytest.fixture
def unrated(tmp_path):
    path = tmp_path / "unrated.tsv"
    path.write_text("term_1\tterm_2\n" + "".join(f"GOUT {n}\tasthma-{n}\n" for n in range(40)), "utf-8")
    return path


def flat(text):
    return " ".join(text.split())


def rate_all(study, *, until=10**9):
    """Let everybody rate their pairs, page by page; whoever is asked too much does not know."""
    keys = count()
    with Store.open(study) as store:
        protocol = parse_protocol(store.study().protocol, study)
        values = [one.value for one in protocol.answers]
        for one in store.progress():
            who = one.annotator.number
            for page in range(1, one.pages + 1):
                for item in store.page_of(who, page):
                    number = int(re.findall(r"\d+", item.pair.term_1)[0])
                    key = next(keys)
                    if key >= until:
                        return
                    unsure = protocol.unsure is not None and (number + who) % 13 == 0
                    value = None if unsure else values[(number + who * (number % 5 == 0)) % len(values)]
                    store.rate(
                        who,
                        item.place,
                        value=value,
                        unsure=unsure,
                        seconds=2.5,
                        key=str(key),
                        accepts=lambda given: given is None or protocol.allows(given),
                    )
                store.submit_page(who, page)


def test_a_study_is_made_and_described(medgauge, labelled, unrated, tmp_path):
    done = medgauge(
        *("annotate", "init", "my study", "--pairs", labelled, "--pairs", f"EHR={unrated}", "--seed", 3),
        *("--protocol", "same", "--annotators", 4, "--per-pair", 3, "--sample", 10, "--page", 12),
        *("--url", "https://rating.example.org/"),
    )
    assert done.code == 0, done.err
    words = flat(done.out)
    for expected in (
        "study my study",
        "pairs 30: labelled 20, EHR 10",
        "annotators 4: annotator1, annotator2, annotator3, annotator4",
        "ratings each 22 to 23",
        "pages each 2",
        "links my study/links.csv",
    ):
        assert expected in words
    assert "medgauge annotate serve 'my study'" in done.err
    links = tmp_path / "my study" / LINKS
    assert stat.S_IMODE(links.stat().st_mode) == 0o600
    rows = list(csv.DictReader(links.read_text("utf-8").splitlines()))
    assert [row["name"] for row in rows][-1] == "coordinator"
    with Store.open(tmp_path / "my study") as store:
        for row in rows:
            base, _, token = row["link"].rpartition("/s/")
            assert base == "https://rating.example.org"
            assert store.annotator_by_link(token).name == row["name"]
            assert token not in done.out + done.err
        assert Counter((pair.set_name, pair.label) for pair in store.pairs()) == {
            ("labelled", 1): 10,
            ("labelled", 0): 10,
            ("EHR", None): 10,
        }


def test_the_columns_of_a_table_of_terms_can_be_named(medgauge, tmp_path):
    (tmp_path / "mine.csv").write_text("left,right\nflu,influenza\ngout,asthma\n")
    done = medgauge(
        *("annotate", "init", "study", "--pairs", "mine.csv", "--protocol", "graded", "--annotators", 2),
        *("--per-pair", 2, "--term-1", "left", "--term-2", "right"),
    )
    assert done.code == 0, done.err
    with Store.open(tmp_path / "study") as store:
        assert [(pair.term_1, pair.term_2) for pair in store.pairs()] == [
            ("flu", "influenza"),
            ("gout", "asthma"),
        ]


def test_groups_share_a_consistency_set_and_see_duplicates(medgauge, labelled, tmp_path):
    names = tmp_path / "names.txt"
    names.write_text("# ward 3\nAnn\nZoë-María\n\nBea\nDan\n", "utf-8")
    done = medgauge(
        *("annotate", "init", "study", "--pairs", labelled, "--protocol", "graded", "--json"),
        *("--annotators", names, "--groups", 2, "--consistency", 10, "--duplicates", 5),
    )
    study = json.loads(done.out)
    assert (study["pairs"], study["sets"], study["study"]) == (80, {"labelled": 80}, "study")
    # Ten shared, half of the other seventy, and five again.
    assert study["annotators"] == [
        {"name": name, "ratings": 50, "pages": 2} for name in ("Ann", "Zoë-María", "Bea", "Dan")
    ]
    assert study["links"] == "study/links.csv"
    assert study["between"] >= 30


def test_how_soon_a_pair_comes_again_is_said_where_a_study_is_too_small(medgauge, tmp_path):
    for size, said in (
        (24, "on a later page, after at least 23 other pairs; for 30, add pairs or ask for fewer duplicates"),
        (31, "on a later page, after at least 30 other pairs links"),
    ):
        path = tmp_path / f"{size}.csv"
        path.write_text("term_1,term_2\n" + "".join(f"a {n},b {n}\n" for n in range(size)))
        done = medgauge(
            *(
                "annotate",
                "init",
                f"study{size}",
                "--pairs",
                path,
                "--protocol",
                "graded",
                "--annotators",
                2,
            ),
            *("--groups", 1, "--consistency", 0, "--duplicates", 6, "--page", 15),
        )
        assert f"second showings {said}" in flat(done.out), done.err


def test_groups_have_50_shared_pairs_and_50_duplicates_by_default(medgauge, tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("term_1,term_2\n" + "".join(f"a {n},b {n}\n" for n in range(1050)))
    done = medgauge(
        *("annotate", "init", "study", "--pairs", path, "--protocol", "slider", "--annotators", 12),
        *("--groups", 2),
    )
    words = flat(done.out)
    # Chiu et al. (2018): 500 of a group, 50 for all and 50 twice, on pages of 120.
    assert "ratings each 600 pages each 5" in words
    with Store.open(tmp_path / "study") as store:
        for page in range(1, 6):
            roles = Counter(item.role for item in store.page_of(1, page))
            assert (roles.total(), roles["consistency"]) == (120, 10)
    assert "second showings on a later page, after at least 3" in words


def test_sets_of_a_folder_are_sampled_alike(medgauge, tmp_path):
    for name in ("easy", "hard"):
        rows = [(f"{name} {n}", f"{name}-{n}", float(n % 3 == 0)) for n in range(30)]
        pairs = PairSet.of(rows, card=Card(name=name, title=name), labelled=True)
        pairs.save(tmp_path / "sets" / f"{name}.parquet")
    done = medgauge(
        *("annotate", "init", "study", "--pairs", "sets", "--protocol", "same", "--annotators", 3),
        *("--per-pair", 3, "--sample", 10, "--json"),
    )
    assert done.code == 0, done.err
    assert json.loads(done.out)["sets"] == {"easy": 20, "hard": 20}
    named = ("annotate", "init", "other", "--pairs", "mine=sets", "--protocol", "same", "--annotators", 3)
    refused = medgauge(*named, "--per-pair", 3)
    assert refused.code == 2
    assert "'mine=' names one set, but sets has 2" in flat(refused.err.replace("│", " "))


def test_the_same_seed_deals_the_same_pairs(medgauge, labelled, tmp_path):
    for name, seed in (("a", 5), ("b", 5), ("c", 6)):
        medgauge(
            *("annotate", "init", name, "--pairs", labelled, "--protocol", "same", "--annotators", 3),
            *("--per-pair", 2, "--sample", 20, "--seed", seed),
        )
    pages = {}
    for name in "abc":
        with Store.open(tmp_path / name) as store:
            pages[name] = [store.page_of(number, 1) for number in (1, 2, 3)]
    assert pages["a"] == pages["b"] != pages["c"]


INIT = {
    "--pairs": "labelled.csv",
    "--protocol": "same",
    "--annotators": "3",
    "--per-pair": "2",
}
REFUSED = {
    "neither design": ({"--per-pair": None}, 2, "use either --per-pair N, which gives each pair"),
    "both designs": ({"--groups": "2"}, 2, "use either --per-pair N, which gives each pair"),
    "duplicates without groups": (
        {"--duplicates": "5"},
        2,
        "--consistency and --duplicates can only be used with --groups",
    ),
    "no pairs": ({"--pairs": None}, 2, "--pairs"),
    "no protocol": ({"--protocol": None}, 2, "--protocol"),
    "nobody": ({"--annotators": "0"}, 1, "a study has 1 to 10,000 annotators, not 0"),
    "a file of nobody": ({"--annotators": "names.txt"}, 1, "names.txt: there is no such file"),
    "two of one name": (
        {"--annotators": "twice.txt"},
        1,
        "twice.txt, line 3: repeats the name on line 1",
    ),
    "too many for a pair": ({"--per-pair": "4"}, 1, "a pair cannot be rated by 4 of only 3 annotators"),
    "too many groups": (
        {"--per-pair": None, "--groups": "4"},
        1,
        "3 annotators cannot be split into 4 groups",
    ),
    "too large a consistency set": (
        {"--per-pair": None, "--groups": "2", "--consistency": "80"},
        1,
        "80 pairs are too few for a consistency set of 80",
    ),
    "another protocol": (
        {"--protocol": "sane"},
        1,
        "there is no protocol (or file) 'sane'; did you mean 'same'?",
    ),
    "a broken protocol": ({"--protocol": "mine.toml"}, 1, "mine.toml, title: is missing"),
    "another set": ({"--pairs": "ehr-rel-x"}, 1, "there is no dataset (or file) 'ehr-rel-x'"),
    "no terms": ({"--pairs": "twice.txt"}, 1, "twice.txt: found no column for term_1"),
    "too large a sample": ({"--sample": "41"}, 1, "has 40 pairs with label 1; 41 cannot be drawn"),
    "a sample beyond all numbers": ({"--sample": "9" * 26}, 1, "has 40 pairs with label 1; 999"),
    "no address": ({"--url": "rating.example.org"}, 1, "'rating.example.org' is not a web address"),
    "an empty page": ({"--page": "0"}, 2, "--page"),
    "two sets of one name": (
        {"--pairs": "labelled.csv other/labelled.csv"},
        1,
        "two sets are called 'labelled'",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_made_is_reported_and_nothing_is_left(medgauge, labelled, tmp_path, case):
    changed, code, problem = REFUSED[case]
    (tmp_path / "twice.txt").write_text("Ann\nBea\nAnn\n")
    (tmp_path / "mine.toml").write_text('name = "mine"\n')
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "labelled.csv").write_bytes(labelled.read_bytes())
    before = sorted(tmp_path.rglob("*"))
    options = [
        part
        for name, value in (INIT | changed).items()
        if value is not None
        for one in (value.split() if name == "--pairs" else [value])
        for part in (name, one)
    ]
    done = medgauge("annotate", "init", "study", *options)
    assert done.code == code, done.err
    assert problem in flat(done.err.replace("│", " "))
    assert "Fièvre" not in done.err
    if code == 1:
        assert len(done.err.strip().splitlines()) == 1
    assert sorted(tmp_path.rglob("*")) == before


def test_a_folder_with_something_in_it_is_refused_before_anything_is_read(medgauge, tmp_path):
    (tmp_path / "study").mkdir()
    (tmp_path / "study" / "notes.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")
    for place in ("study", "file"):
        done = medgauge(
            *("annotate", "init", place, "--pairs", "not there", "--protocol", "same", "--annotators", 3),
            *("--per-pair", 2),
        )
        assert done.code == 1
        assert f"{place} already exists; choose another folder" in done.err
    assert (tmp_path / "study" / "notes.txt").read_text() == "mine"


def test_a_folder_that_cannot_be_written_is_reported(medgauge, labelled):
    done = medgauge(
        *("annotate", "init", "labelled.csv/study", "--pairs", labelled, "--protocol", "same"),
        *("--annotators", 3, "--per-pair", 2),
    )
    assert done.code == 1
    assert len(done.err.strip().splitlines()) == 1


@pytest.fixture
def study(medgauge, labelled, unrated, request):
    """A study of the protocol that is asked for: two groups, shared pairs and duplicates, rated by all."""
    done = medgauge(
        *("annotate", "init", "study", "--pairs", labelled, "--pairs", unrated, "--protocol", request.param),
        *("--annotators", 4, "--groups", 2, "--consistency", 10, "--duplicates", 8, "--sample", 20),
    )
    assert done.code == 0, done.err
    rate_all("study")
    return request.param


@pytest.mark.parametrize("study", ["same", "graded", "slider"], indirect=True)
@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_agreement_and_gold_read_an_export_straight(medgauge, study, form, tmp_path):
    out = tmp_path / f"ratings.{form}"
    done = medgauge("annotate", "export", "study", "--out", out)
    assert done.code == 0, done.err
    words = flat(done.out)
    # Of sixty pairs ten are for all four; the others for two each, and eight of each group's twice.
    assert "ratings 172, and 0 to come" in words
    assert "annotators 4 with ratings" in words
    assert "pairs 60 of 60 with all their ratings" in words
    scale = {"same": (0, 1), "graded": (0, 3), "slider": (0, 6)}[study]
    assert f"scale {scale[0]} to {scale[1]}" in words
    assert (f"pass --scale {scale[0]}-{scale[1]}" in words) == (form == "csv")
    table = pl.read_parquet(out) if form == "parquet" else pl.read_csv(out)
    assert table.height == 172
    assert {"annotator", "time", "order", "side", "repeat"} <= set(table.columns)
    asked = () if form == "parquet" else ("--scale", f"{scale[0]}-{scale[1]}")
    found = json.loads(medgauge("agreement", out, "--json", *asked, *QUICK).out)
    assert found["level"] == ("nominal" if study == "same" else "ordinal")
    assert found["consistency"]["pairs"] == 10
    assert found["alpha"] is not None
    assert len(found["annotators"]) == 4
    assert bool(found["verdicts"]) == (study == "same")
    done = medgauge("gold", out, "--out", tmp_path / "gold" / "gold.parquet", "--json", *asked, *QUICK)
    assert done.code == 0, done.err
    gold = json.loads(done.out)
    assert gold["target"] == ("label" if study == "same" else "gold")
    assert gold["ratings_scale"] == list(scale)
    pairs = PairSet.load(tmp_path / "gold" / "gold.parquet")
    assert pairs.raters == [f"rater_annotator{number}" for number in (1, 2, 3, 4)]
    # Repeats are not read: a pair has no more ratings and answers than annotators who were to rate it.
    unsure = [name for name in pairs.frame.columns if name.startswith("unsure_")]
    assert bool(unsure) == (study != "slider")
    if form == "parquet":
        assert (pairs.card.name, pairs.card.title) == ("gold", "gold")
        assert pairs.card.build["study"]["protocol"] == study


@pytest.mark.parametrize("study", ["graded"], indirect=True)
def test_gold_of_an_export_can_be_rescaled_without_telling_its_scale(medgauge, study, tmp_path):
    medgauge("annotate", "export", "study", "--out", "ratings.parquet")
    ratings = pl.read_parquet("ratings.parquet").filter(
        ~pl.col("repeat") & (pl.col("rating") != "don't know")
    )
    rated = ratings.group_by("pair_id").agg(pl.col("rating").cast(pl.Float64).mean(), pl.len().alias("count"))
    means = rated.filter(pl.col("count") > 1)  # several were planned, so that single ratings do not count
    done = medgauge("gold", "ratings.parquet", "--out", "gold.parquet", "--scale", "0-3:0-9", *QUICK)
    assert "scale 0 to 9, from ratings of 0 to 3" in flat(done.out)
    gold = PairSet.load("gold.parquet").frame.join(means, on="pair_id")
    assert gold.height == means.height
    assert gold["gold"].to_list() == pytest.approx((gold["rating"] * 3).to_list())


def test_an_export_tells_what_is_still_open(medgauge, labelled, tmp_path):
    medgauge(
        *("annotate", "init", "study", "--pairs", labelled, "--protocol", "graded", "--annotators", 2),
        *("--per-pair", 2, "--sample", 5),
    )
    nothing = medgauge("annotate", "export", "study", "--out", "ratings.csv")
    assert nothing.code == 1
    assert nothing.err == "medgauge: study: nobody has rated a pair of the study yet\n"
    assert not (tmp_path / "ratings.csv").exists()
    rate_all("study", until=13)
    done = medgauge("annotate", "export", "study", "--out", "ratings.csv", "--json")
    assert json.loads(done.out) == {
        "file": "ratings.csv",
        "ratings": 13,
        "open": 7,
        "annotators": 2,
        "pairs": 10,
        "complete": 3,
        "scale": [0, 3],
    }
    assert len((tmp_path / "ratings.csv").read_text("utf-8").splitlines()) == 14


@pytest.mark.parametrize("study", ["same"], indirect=True)
def test_an_export_writes_over_nothing_unless_requested_and_never_into_the_study(medgauge, study, tmp_path):
    (tmp_path / "ratings.parquet").write_text("mine")
    refused = medgauge("annotate", "export", "study", "--out", "ratings.parquet")
    assert refused.code == 1
    assert "already exists; choose another file, or add --replace" in flat(refused.err)
    assert (tmp_path / "ratings.parquet").read_text() == "mine"
    assert medgauge("annotate", "export", "study", "--out", "ratings.parquet", "--replace").code == 0
    assert pl.read_parquet("ratings.parquet").height == 172
    links = (tmp_path / "study" / LINKS).read_bytes()
    done = medgauge("annotate", "export", "study", "--out", f"study/{LINKS}", "--replace")
    assert done.code == 1
    assert "choose another place" in done.err
    assert (tmp_path / "study" / LINKS).read_bytes() == links


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("study", "--out", "ratings.xlsx"), "ratings.xlsx: ratings are written as .parquet or .csv"),
        (("nothing", "--out", "ratings.csv"), "nothing: there is no such study; make one"),
        (("labelled.csv", "--out", "ratings.csv"), "labelled.csv"),
        (("broken", "--out", "ratings.csv"), f"broken/{DATABASE}: is not an annotation study of medgauge"),
        (("study", "--out", "labelled.csv/ratings.csv"), "a table of ratings cannot be written there"),
    ],
)
def test_what_cannot_be_exported_is_reported_and_nothing_is_written(
    medgauge, labelled, tmp_path, options, problem
):
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / DATABASE).write_text("no database at all, and longer than a header of one" * 9)
    before = sorted(tmp_path.rglob("*"))
    done = medgauge("annotate", "export", *options)
    assert done.code == 1
    assert problem in flat(done.err)
    assert len(done.err.strip().splitlines()) == 1
    assert sorted(tmp_path.rglob("*")) == before


@pytest.fixture
def project(tmp_path):
    """Twelve pairs of the labelled set, rated by 7, 8 and 9; 7 did not know one and skipped one."""
    tasks = []
    for number in range(12):
        words = [("same", "not same")[(number + who * (number % 4 == 0)) % 2] for who in range(3)]
        given = [annotation(number * 3 + who, who + 7, result(word)) for who, word in enumerate(words)]
        tasks.append(task(number, *given, term_1=f"hay-fever {number}", term_2=f"Fièvre {number}"))
    tasks[0]["annotations"][0]["result"] = [result("unsure")]
    tasks[1]["annotations"][0]["was_cancelled"] = True
    path = tmp_path / "project.json"
    path.write_text(json.dumps(tasks), "utf-8")
    return path


@pytest.mark.parametrize("out", ["ratings.parquet", "ratings.csv"])
def test_ratings_of_label_studio_are_imported_for_agreement_and_gold(medgauge, project, labelled, out):
    done = medgauge("annotate", "import", project, "--pairs", labelled, "--out", out)
    assert done.code == 0, done.err
    words = flat(done.out)
    for expected in ("ratings 35", "annotators 3", "pairs 12", "scale not known", f"written to {out}"):
        assert expected in words
    found = json.loads(medgauge("agreement", out, "--json", *QUICK).out)
    assert [one["name"] for one in found["annotators"]] == ["7", "8", "9"]
    # The labels of the set come along, and the verdicts are held against them.
    assert [one["set"] for one in found["verdicts"]] == ["labelled"]
    made = medgauge("gold", out, "--out", "gold/gold.parquet", *QUICK)
    assert made.code == 0, made.err
    frame = PairSet.load("gold/gold.parquet").frame
    assert frame["term_1"].str.starts_with("Fièvre").all()
    assert {"rater_7", "rater_8", "rater_9", "unsure_7"} <= set(frame.columns)


def test_tables_are_imported_with_the_options_of_agreement(medgauge, tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("flu,influenza,3,-1\ngout,asthma,0,1\n")
    done = medgauge(
        *("annotate", "import", path, "--out", "ratings.parquet", "--no-header", "--annotators", "3:4"),
        *("--not-rated", -1, "--scale", "0-3", "--json"),
    )
    assert json.loads(done.out) == {
        "file": "ratings.parquet",
        "ratings": 3,
        "annotators": 2,
        "pairs": 2,
        "scale": [0, 3],
    }
    assert pl.read_parquet("ratings.parquet").rows() == [
        ("1", "flu", "influenza", "3", "3"),
        ("2", "gout", "asthma", "3", "0"),
        ("2", "gout", "asthma", "4", "1"),
    ]


IMPORTS = {
    "no file": (("not there.json",), 1, "not there.json: there is no such file"),
    "a folder": (("other",), 1, "other: is a directory"),
    "no JSON": (("broken.json",), 1, "broken.json, line 1: is not valid JSON"),
    "other pairs": (
        ("project.json", "--pairs", "some.csv"),
        1,
        "project.json, task 1, annotation 4: the pair is not in --pairs",
    ),
    "another control": (("project.json", "--control", "similarity"), 1, "there is no control 'similarity'"),
    "no table": (("project.json", "--from", "csv"), 1, "project.json"),
    "another origin": (("project.json", "--from", "excel"), 2, "--from"),
    "out of scale": (("some.csv", "--scale", "0-1"), 1, "line 2: the rating of column 'rater_A' is outside"),
    "the same again": (
        ("some.csv", "same.csv"),
        1,
        "same.csv, pair 1: annotator 'A' has already rated the pair",
    ),
    "no scale": (("some.csv", "--scale", "6"), 2, "'6' is not a scale"),
}


@pytest.mark.parametrize("case", IMPORTS)
def test_what_cannot_be_imported_is_reported_and_nothing_is_written(medgauge, project, tmp_path, case):
    arguments, code, problem = IMPORTS[case]
    (tmp_path / "broken.json").write_text("[{]")
    for name in ("some.csv", "same.csv"):
        (tmp_path / name).write_text("term_1,term_2,rater_A\nFièvre 0,hay-fever 0,3\n", "utf-8")
    (tmp_path / "other").mkdir()
    before = sorted(tmp_path.rglob("*"))
    done = medgauge("annotate", "import", *arguments, "--out", "ratings.parquet")
    assert done.code == code, done.err
    assert problem in flat(done.err.replace("│", " "))
    assert "Fièvre" not in done.err
    assert "hay-fever" not in done.err
    if code == 1:
        assert len(done.err.strip().splitlines()) == 1
    assert sorted(tmp_path.rglob("*")) == before


def test_an_import_never_writes_over_what_it_reads(medgauge, tmp_path):
    path = tmp_path / "some.csv"
    path.write_text("term_1,term_2,rater_A\nflu,influenza,3\n")
    done = medgauge("annotate", "import", path, "--out", path, "--replace")
    assert done.code == 1
    assert "the ratings are there; choose another place" in flat(done.err)
    assert path.read_text().endswith("influenza,3\n")


def test_an_export_is_imported_as_it_is(medgauge, labelled, tmp_path):
    medgauge(
        *("annotate", "init", "study", "--pairs", labelled, "--protocol", "graded", "--annotators", 3),
        *("--per-pair", 2, "--sample", 6),
    )
    rate_all("study")
    medgauge("annotate", "export", "study", "--out", "a.parquet")
    medgauge("annotate", "import", "a.parquet", "--out", "b.parquet")
    columns = ["pair_id", "term_1", "term_2", "set", "label", "annotator", "rating"]
    first, second = (pl.read_parquet(f"{name}.parquet").select(columns).sort(columns) for name in "ab")
    assert first.equals(second)
    for name in "ab":
        done = medgauge("gold", f"{name}.parquet", "--out", f"gold-{name}.parquet", "--json", *QUICK)
        assert json.loads(done.out)["scale"] == [0, 3]


def test_a_sheet_with_a_column_to_be_filled_in_makes_a_study(medgauge, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [("links", "rechts", "Bewertung"), ("Herz", "Hirn", None), ("Gicht", "Bein", 2)]
    path = write_xlsx(tmp_path / "paare.xlsx", {"Info": [["x"], ["y"]], "Paare": rows})
    done = medgauge(
        *("annotate", "init", "study", "--pairs", path, "--protocol", "graded", "--annotators", 2),
        *("--per-pair", 1, "--sheet", "Paare", "--term-1", "links", "--term-2", "rechts", "--json"),
    )
    assert done.code == 0, done.err
    assert json.loads(done.out)["sets"] == {"paare": 2}


def test_links_are_safe_in_spreadsheets(medgauge, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pairs.csv").write_text("term_1,term_2\nflu,cold\n")
    (tmp_path / "names.txt").write_text("=Ada\nBea\n")
    done = medgauge(
        *("annotate", "init", "study", "--pairs", "pairs.csv", "--protocol", "graded"),
        *("--annotators", "names.txt", "--per-pair", 2),
    )
    assert done.code == 0, done.err
    assert '\n"\'=Ada",http' in (tmp_path / "study" / "links.csv").read_text()


def test_ratings_of_a_sheet_with_other_names_are_imported(medgauge, tmp_path):
    rows = [("k", "who", "how"), ("p1", "A", 2), ("p2", "A", 3)]
    path = write_xlsx(tmp_path / "r.xlsx", {"Info": [["x"], ["y"]], "Daten": rows})
    out = tmp_path / "out.csv"
    columns = ("--sheet", "Daten", "--pair-id", "k", "--annotator", "who", "--rating", "how")
    done = medgauge("annotate", "import", path, *columns, "--out", out, "--bom")
    assert done.code == 0, done.err
    assert out.read_text("utf-8").startswith("\ufeffpair_id,annotator,rating\np1,A,2")
