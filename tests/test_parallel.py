"""map_chunks, locally and on a cluster of a scheduler and two workers, each in a separate process."""

import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest

from medgauge import parallel
from medgauge.build.manifest import Manifest
from medgauge.build.terminology.build import build_terminology
from medgauge.errors import ClusterError, MissingExtraError
from medgauge.models.encoders import on_cluster
from medgauge.models.load import load_model
from medgauge.parallel import connected, map_chunks
from medgauge.train.train_several import train_several
from medgauge.train.training_parameters import TrainingParameters
from tests.build.small import small_release
from tests.prerequisites import NEEDS_ENCODERS, is_there
from tests.support.processes import running
from tests.support.tiny_models import save_bert
from tests.train.corpora import topic_text

DASK = Path(sys.executable).with_name("dask")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("cluster")
    where = ["--scheduler-file", str(folder / "scheduler.json")]
    commands = [
        [DASK, "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", *where],
        *([DASK, "worker", "--nthreads", "1", "--no-dashboard", *where] for _ in range(2)),
    ]
    root = Path(__file__).parents[1]
    # Workers need the work of these tests, and the medgauge beside them rather than one installed elsewhere.
    environment = os.environ | {"PYTHONPATH": f"{root}{os.pathsep}{root / 'src'}"}
    with ExitStack() as stack:
        log = stack.enter_context((folder / "log").open("wb"))
        for command in commands:
            process = stack.enter_context(
                running(command, cwd=folder, env=environment, stdout=log, stderr=log)
            )
            stack.callback(process.terminate)
        deadline = time.monotonic() + 60
        while not (folder / "scheduler.json").exists():
            assert time.monotonic() < deadline, (folder / "log").read_text()
            time.sleep(0.1)
        address = json.loads((folder / "scheduler.json").read_text())["address"]
        with connected(address) as client:
            client.wait_for_workers(2, timeout=60)
        yield address


def test_results_come_in_the_order_of_the_chunks_and_on_both_workers(cluster):
    with connected(cluster) as client:
        found = list(map_chunks(_slow_first, 10, range(40), cluster=client))
    assert [value for value, _ in found] == [10 * number for number in range(40)]
    assert len({process for _, process in found}) == 2


def _slow_first(factor: int, number: int) -> tuple[int, int]:
    time.sleep(0.05 if number % 7 == 0 else 0.005)
    return factor * number, os.getpid()


def test_a_build_on_the_cluster_has_the_bytes_of_one_here(cluster, tmp_path, monkeypatch):
    source = small_release().zip(tmp_path / "release.zip")
    monkeypatch.setattr("medgauge.build.terminology.neighbours._CHUNK", 3)  # several chunks for each set
    there = build_terminology(source, tmp_path / "there", cluster=cluster)
    here = build_terminology(source, tmp_path / "here")
    assert there == here == Manifest.load(tmp_path / "here")
    for path in (tmp_path / "here").iterdir():
        assert (tmp_path / "there" / path.name).read_bytes() == path.read_bytes()


def test_models_trained_on_the_cluster_have_the_bytes_of_those_trained_here(cluster, tmp_path):
    (tmp_path / "text.txt").write_text(topic_text(60), "utf-8")
    several = [TrainingParameters("attention", window, dim=4, min_count=1, epochs=1) for window in (1, 2)]
    for place, address in (("here", None), ("there", cluster)):
        out = tmp_path / place / "w{window}.bin"
        train_several(tmp_path / "text.txt", out, several, threads=1, cluster=address)
    for name in ("w1.bin", "w2.bin"):
        assert (tmp_path / "there" / name).read_bytes() == (tmp_path / "here" / name).read_bytes()


@pytest.mark.skipif(not is_there(NEEDS_ENCODERS), reason=NEEDS_ENCODERS)
def test_terms_encoded_on_the_cluster_have_the_vectors_of_this_machine(cluster, tmp_path, monkeypatch):
    monkeypatch.setattr(on_cluster, "_TEXTS_AT_ONCE", 3)
    folder = save_bert(tmp_path / "bert")
    terms = ["kidney failure", "kidney", "acute renal failure", "heart attack", "nephritis"]
    there = load_model(f"hf:{folder}", cluster=cluster, cached=False)
    here = load_model(f"hf:{folder}", cached=False)
    np.testing.assert_allclose(there.encode(terms), here.encode(terms), atol=1e-5)


def test_a_failure_on_the_cluster_is_one_sentence_without_its_data(cluster):
    with connected(cluster) as client, pytest.raises(ClusterError) as caught:
        list(map_chunks(_failing, 0, ["Malaria"], cluster=client))
    assert str(caught.value).startswith("the Dask cluster failed (ValueError): see the logs of its workers")
    assert "Malaria" not in str(caught.value)


def _failing(_shared: int, chunk: str) -> None:
    raise ValueError(chunk)


def test_an_address_where_nobody_answers_is_one_sentence(monkeypatch):
    monkeypatch.setattr(parallel, "_PATIENCE", 1)
    with pytest.raises(ClusterError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        connected("tcp://127.0.0.1:9").__enter__()


@pytest.mark.parametrize(
    "address", ["", "nonsense", "tcp://127.0.0.1:port", "http://127.0.0.1:80", "inproc://a/b"]
)
def test_an_invalid_address_is_refused_at_once(address):
    with pytest.raises(ClusterError, match="is not the address of a Dask scheduler"):
        connected(address).__enter__()


def test_without_the_package_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtraError, match=r"pip install .*\[cluster\]"):
        connected("tcp://127.0.0.1:9").__enter__()
