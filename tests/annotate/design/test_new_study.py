"""Studies as they are made: whole or not at all, with links that sign in."""

import csv
import io
import signal
import stat
from pathlib import Path

import pytest

from medgauge.annotate.design import new_study as making
from medgauge.annotate.design.link_file import LINKS
from medgauge.annotate.design.new_study import make_study
from medgauge.annotate.store.store import Store
from medgauge.errors import FileError, InputError
from medgauge.pairs import Card, PairSet
from tests.annotate.studies import PYTHON, environment
from tests.support.processes import run

NAMES = ("Ann", "rater_Bea", "Zoë-María", 'D"an')


@pytest.fixture
def sets() -> list[PairSet]:
    rows = [(f"fever {n}", f"pyrexie-{n}", float(n % 2)) for n in range(40)]
    more = [(f"gout {n}", f"<img src=x onerror=alert({n})>", float(n % 2)) for n in range(40)]
    return [
        PairSet.of(rows, card=Card(name="one", title="One"), labelled=True),
        PairSet.of(more, card=Card(name="two", title="Two"), labelled=True),
    ]


def made(folder, sets, **options):
    given = {"protocol": "same", "annotators": NAMES, "per_pair": 3, "each_label": 5, "page": 10}
    return make_study(folder, sets, **(given | options))


def test_everybody_signs_in_with_their_link(tmp_path, sets):
    tokens = made(tmp_path / "study", sets)
    assert list(tokens) == ["Ann", "Bea", "Zoë-María", 'D"an', "coordinator"]
    with Store.open(tmp_path / "study") as store:
        for name, token in tokens.items():
            found = store.annotator_by_link(token)
            assert found is not None
            assert (found.name, found.coordinator) == (name, name == "coordinator")
        assert store.annotator_by_link("x" * 22) is None
        assert store.study().name == "study"
        assert store.study().design["per_pair"] == 3
        assert len(store.pairs()) == 20
        assert sum(pair.label == 1 for pair in store.pairs()) == 10
        # Twenty pairs by three of four annotators each: fifteen for everybody.
        assert [one.of for one in store.progress()] == [15] * 4


def test_links_are_for_the_owner_alone_and_stored_nowhere_else(tmp_path, sets):
    tokens = made(tmp_path / "study", sets)
    links = tmp_path / "study" / LINKS
    rows = list(csv.DictReader(io.StringIO(links.read_text("utf-8"))))
    assert {row["name"]: row["link"] for row in rows} == {
        name: f"http://127.0.0.1:8000/s/{token}" for name, token in tokens.items()
    }
    assert stat.S_IMODE(links.stat().st_mode) == 0o600
    assert stat.S_IMODE(links.parent.stat().st_mode) == 0o700
    links.unlink()
    stored = b"".join(path.read_bytes() for path in (tmp_path / "study").iterdir())
    assert not any(token.encode() in stored for token in tokens.values())


def test_the_same_seed_gives_the_same_tasks_and_other_links(tmp_path, sets):
    one, two = (made(tmp_path / name, sets, seed=4) for name in ("one", "two"))
    assert not set(one.values()) & set(two.values())
    with Store.open(tmp_path / "one") as first, Store.open(tmp_path / "two") as second:
        assert first.pairs() == second.pairs()
        for number in range(1, 5):
            assert first.page_of(number, 1) == second.page_of(number, 1)


def test_groups_have_a_consistency_set_and_duplicates(tmp_path, sets):
    made(tmp_path / "study", sets, per_pair=None, groups=2, consistency=4, duplicates=3)
    with Store.open(tmp_path / "study") as store:
        # Four shared, eight of the group's sixteen, and three of these again.
        assert [one.of for one in store.progress()] == [4 + 8 + 3] * 4
        assert store.study().design["consistency"] == 4


ADDRESSES = [
    "https://rating.example.org",
    "HTTP://127.0.0.1:8000/",
    "http://[::1]:65535",
    "https://bücher-42.example",
]


@pytest.mark.parametrize("url", ADDRESSES)
def test_links_lead_to_the_address_of_the_pages(tmp_path, sets, url):
    tokens = made(tmp_path / "study", sets, url=url)
    rows = csv.DictReader(io.StringIO((tmp_path / "study" / LINKS).read_text("utf-8")))
    base = url.removesuffix("/").replace("HTTP:", "http:")
    expected = {name: f"{base}/s/{token}" for name, token in tokens.items()}
    assert {row["name"]: row["link"] for row in rows} == expected


@pytest.mark.parametrize(
    "url",
    [
        "",
        "rating.example.org",
        "ftp://rating.example.org",
        "http://",
        "http://a/b",
        "http://a//",
        "http://a?b",
        "http://a#b",
        "http://ann@a",
        "http://a,b",
        'http://a"b',
        "http://a b",
        "http://a\n",
        "http://a:65536",
        "http://a:",
        "http://::1",
        "javascript:alert(1)",
    ],
)
def test_what_is_not_a_web_address_is_refused(tmp_path, sets, url):
    with pytest.raises(InputError, match="is not a web address such as"):
        made(tmp_path / "study", sets, url=url)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"per_pair": None}, "either the number of annotators per pair"),
        ({"groups": 2}, "either the number of annotators per pair"),
        ({"per_pair": 9}, "9"),
        ({"annotators": ["Ann", " rater_Ann"]}, "two annotators are called 'Ann'"),
        ({"annotators": ["Ann", " "]}, "blank"),
        ({"annotators": ["Coordinator", "Ann"]}, "is reserved"),
        ({"annotators": []}, "annotators"),
        ({"each_label": 99}, "one"),
        ({"protocol": "smae"}, "did you mean 'same'"),
    ],
)
def test_what_cannot_be_made_leaves_nothing(tmp_path, sets, options, problem):
    with pytest.raises(InputError, match=problem):
        made(tmp_path / "study", sets, **options)
    assert list(tmp_path.iterdir()) == []


def test_a_protocol_with_an_error_leaves_nothing(tmp_path, sets):
    path = tmp_path / "mine.toml"
    path.write_text('name = "mine"\n')
    with pytest.raises(FileError, match=r"mine\.toml"):
        made(tmp_path / "study", sets, protocol=path)
    assert [one.name for one in tmp_path.iterdir()] == ["mine.toml"]


def test_a_folder_that_is_in_use_is_left_alone(tmp_path, sets):
    made(tmp_path / "study", sets)
    before = sorted((path.name, path.stat().st_size) for path in (tmp_path / "study").iterdir())
    (tmp_path / "file").write_text("mine")
    for place in ("study", "file"):
        with pytest.raises(InputError, match="already exists"):
            made(tmp_path / place, sets)
    assert sorted((path.name, path.stat().st_size) for path in (tmp_path / "study").iterdir()) == before
    (tmp_path / "empty").mkdir()
    assert made(tmp_path / "empty", sets)


def test_a_link_to_an_empty_folder_stays_one_and_leads_to_the_study(tmp_path, sets):
    (tmp_path / "disk").mkdir()
    (tmp_path / "study").symlink_to("disk")
    made(tmp_path / "study", sets)
    assert (tmp_path / "study").is_symlink()
    assert sorted(path.name for path in (tmp_path / "disk").iterdir()) == ["links.csv", "study.sqlite"]


@pytest.mark.parametrize("target", ["nowhere", "study"])
def test_a_broken_link_is_refused(tmp_path, sets, target):
    (tmp_path / "study").symlink_to(target)
    with pytest.raises(InputError, match="study is a broken link"):
        made(tmp_path / "study", sets)
    assert [path.name for path in tmp_path.iterdir()] == ["study"]


def test_the_folder_that_one_is_in_is_refused(tmp_path, sets, monkeypatch):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    for place in (".", "../here", tmp_path / "here"):
        with pytest.raises(InputError, match="choose a new folder"):
            made(place, sets)
    assert list(Path().iterdir()) == []


def test_of_two_studies_that_are_made_in_one_folder_one_is(tmp_path, sets, monkeypatch):
    sample = making.sample_pairs  # type: ignore[attr-defined]

    def made_meanwhile(*given: object, **options: object) -> object:
        monkeypatch.setattr(making, "sample_pairs", sample)
        made(tmp_path / "study", sets)
        return sample(*given, **options)

    monkeypatch.setattr(making, "sample_pairs", made_meanwhile)
    with pytest.raises(InputError, match="study already exists"):
        made(tmp_path / "study", sets)
    assert [path.name for path in tmp_path.iterdir()] == ["study"]


KILLED = """
import os, signal, sys
from medgauge.annotate.design.new_study import make_study
from medgauge.annotate.store import {module} as module
from medgauge.pairs import Card, PairSet

def kill(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGTERM)

module.{function} = kill
sets = [PairSet.of([("fever", "pyrexia", 1.0)] * 4, card=Card(name="one", title="One"))]
make_study(sys.argv[1], sets, protocol="graded", annotators=["Ann", "Bea"], per_pair=2)
"""


@pytest.mark.parametrize(("module", "function"), [("queries", "set_link"), ("database", "log_ahead")])
def test_a_kill_half_way_leaves_a_provisional_folder_that_the_next_run_removes(
    tmp_path, sets, module, function
):
    code = KILLED.format(module=module, function=function)
    done = run([*PYTHON, code, tmp_path / "study"], env=environment())
    assert done.returncode == -signal.SIGTERM
    assert [path.name for path in tmp_path.iterdir()] == ["study.partial"]
    made(tmp_path / "study", sets)
    assert [path.name for path in tmp_path.iterdir()] == ["study"]
    assert sorted(path.name for path in (tmp_path / "study").iterdir()) == ["links.csv", "study.sqlite"]


def test_a_provisional_folder_with_something_else_in_it_is_left_alone(tmp_path, sets):
    (tmp_path / "study.partial").mkdir()
    (tmp_path / "study.partial" / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match=r"contains notes\.txt, which is not part of a study"):
        made(tmp_path / "study", sets)
    assert (tmp_path / "study.partial" / "notes.txt").read_text() == "mine"
