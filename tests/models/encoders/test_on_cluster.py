"""What a worker does; tests/test_parallel.py encodes on a real cluster."""

import shutil

import numpy as np
import pytest

from medgauge.errors import ClusterError
from medgauge.models.encoders.on_cluster import ClusterSource, encode_there
from medgauge.models.load import load_model

TERMS = ["kidney failure", "kidney", "acute renal failure"]


def on_cluster(spec: str) -> ClusterSource:
    source = load_model(spec, cached=False, cluster="tcp://127.0.0.1:1").source
    assert isinstance(source, ClusterSource)
    return source


@pytest.mark.parametrize("options", ["", "?words=mean"])
def test_a_worker_computes_what_this_machine_would(bert, options):
    rows, counts, _ = encode_there(on_cluster(f"hf:{bert}{options}").opening, TERMS)
    here = load_model(f"hf:{bert}{options}", cached=False)
    expected = here.encode_words(TERMS)[0] if options else here.encode(TERMS)
    np.testing.assert_array_equal(rows, expected)
    assert counts.tolist() == ([2, 1, 3] if options else [1, 1, 1])


def test_a_worker_did_not_tell_which_terms_it_cut(bert):
    *_, cut = encode_there(on_cluster(f"hf:{bert}").opening, ["kidney", "kidney failure " * 100])
    assert cut.tolist() == [False, True]


def test_workers_compute_in_the_precision_of_the_card(bert):
    opening = on_cluster(f"hf:{bert}").opening
    assert opening.spec.options == {"precision": "float32"}
    assert (opening.loading.cluster, opening.loading.cached) == (None, False)


def test_a_worker_with_another_model_of_that_name_is_refused(bert, tmp_path):
    folder = shutil.copytree(bert, tmp_path / "model")
    opening = on_cluster(f"hf:{folder}").opening
    settings = folder / "tokenizer_config.json"
    settings.write_text(settings.read_text() + " ")
    with pytest.raises(
        ClusterError, match=r"a worker of the cluster has another model under '.*model'; copy"
    ):
        encode_there(opening, TERMS)


def test_a_cluster_that_does_not_answer_is_one_sentence(bert, monkeypatch):
    monkeypatch.setattr("medgauge.parallel._PATIENCE", 0.5)
    with pytest.raises(ClusterError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:1"):
        load_model(f"hf:{bert}", cached=False, cluster="tcp://127.0.0.1:1").encode(TERMS)
