"""medgauge annotate serve and link."""

import os
import re
import signal
import subprocess
import sys
from urllib.request import urlopen

import pytest

from medgauge.annotate.design.link_file import LINKS, write_links
from medgauge.annotate.store.store import Store
from tests.annotate import example
from tests.annotate.web.sites import make_graded
from tests.support.processes import free_port, running
from tests.test_docs import shown_after, words


@pytest.fixture
def study(tmp_path):
    make_graded(tmp_path / "study").close()
    return tmp_path / "study"


@pytest.mark.slow
def test_a_study_is_served_until_it_is_stopped(medgauge, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    example.write_files(tmp_path)
    medgauge(*example.command("init"))
    port = free_port()
    command = [sys.executable, "-m", "medgauge", *example.command("serve"), "--port", str(port)]
    environment = {**os.environ, "COLUMNS": "100"}
    with running(command, env=environment, stderr=subprocess.PIPE) as process:
        served, moved, links = (process.stderr.readline() for _ in range(3))
        with urlopen(f"http://127.0.0.1:{port}/static/style.css", timeout=30) as reply:
            assert reply.status == 200
        process.send_signal(signal.SIGINT)
        assert "Traceback" not in process.stderr.read()
    assert words((served + links).replace(str(port), "8000")) == shown_after(
        "annotate.md", "medgauge annotate serve study"
    )
    at = "http://127.0.0.1"
    assert moved == f"The links in study/links.csv began with {at}:8000; now they begin with {at}:{port}.\n"
    assert f"{at}:{port}/s/" in (tmp_path / "study" / "links.csv").read_text("utf-8")


@pytest.mark.slow
def test_links_that_lead_to_another_machine_are_left_and_that_is_said(study):
    links = study / LINKS
    write_links(links, {"Ann": "x" * 22}, "https://study.example.org")
    before, port = links.read_bytes(), free_port()
    command = [sys.executable, "-m", "medgauge", "annotate", "serve", str(study), "--port", str(port)]
    with running(command, stderr=subprocess.PIPE, env={**os.environ, "COLUMNS": "200"}) as process:
        process.stderr.readline()
        said = process.stderr.readline()
        process.send_signal(signal.SIGINT)
    assert "begin with https://study.example.org: they work only if that address leads here." in said
    assert links.read_bytes() == before


@pytest.mark.slow
def test_a_study_is_served_without_a_stdout(study):
    port = free_port()
    command = [sys.executable, "-m", "medgauge", "annotate", "serve", str(study), "--port", str(port)]
    closed = ["sh", "-c", 'exec "$@" >&-', "sh", *command]
    with running(closed, stderr=subprocess.PIPE) as process:
        assert (
            process.stderr.readline()
            == f"The study is served at http://127.0.0.1:{port}; press Ctrl-C to stop.\n"
        )
        with urlopen(f"http://127.0.0.1:{port}/static/style.css", timeout=30) as reply:
            assert reply.status == 200
        process.send_signal(signal.SIGINT)


def test_another_address_without_tls_is_refused_with_what_to_do_instead(medgauge, study):
    done = medgauge("annotate", "serve", str(study), "--host", "0.0.0.0")
    assert done.code == 1
    assert "--tls-cert and --tls-key" in done.err
    assert "--url https://" in done.err


@pytest.mark.parametrize("what", ["none", "study/study.sqlite"])
def test_what_is_not_a_study_is_refused(medgauge, tmp_path, study, what):
    done = medgauge("annotate", "serve", str(tmp_path / what))
    assert done.code == 1
    assert done.err.count("\n") == 1


def test_a_new_link_takes_the_place_of_the_old_one(medgauge, study):
    links = [medgauge("annotate", "link", str(study), "Ann", "--url", "https://x.org/").out for _ in range(2)]
    old, new = (re.fullmatch(r"https://x\.org/s/([\w-]{22})\n", link)[1] for link in links)
    with Store.open(study) as store:
        assert store.annotator_by_link(old) is None
        assert store.annotator_by_link(new).name == "Ann"


def test_the_coordinator_can_have_a_new_link(medgauge, study):
    link = medgauge("annotate", "link", str(study), "coordinator").out.strip()
    with Store.open(study) as store:
        assert store.annotator_by_link(link.rpartition("/")[2]).coordinator


def test_a_link_of_nobody_is_refused(medgauge, study):
    done = medgauge("annotate", "link", str(study), "An")
    assert done.code == 1
    assert "there is no annotator 'An'; did you mean 'Ann'?" in done.err


def test_a_link_to_what_is_not_an_address_is_refused_and_the_old_one_stays(medgauge, study):
    with Store.open(study) as store:
        token = store.new_link(1)
    done = medgauge("annotate", "link", str(study), "Ann", "--url", "study.example.org")
    assert done.code == 1
    assert "is not a web address" in done.err
    with Store.open(study) as store:
        assert store.annotator_by_link(token).name == "Ann"
