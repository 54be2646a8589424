"""The fastText model that several tests read."""

from pathlib import Path

import pytest

from tests.prerequisites import NEEDS_GENSIM

SENTENCES = [
    ["heart", "attack", "of", "the", "heart"],
    ["kidney", "failure", "œdème", "naïve", "心臓", "病"],
    ["Aspirin", "for", "a", "heart", "attack"],
    ["non-small-cell", "lung", "tumour", "x"],
]


@pytest.fixture(scope="session")
def fasttext_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Train a tiny model and write it as fastText does."""
    fasttext = pytest.importorskip("gensim.models.fasttext", reason=NEEDS_GENSIM)
    model = fasttext.FastText(
        SENTENCES, vector_size=8, min_n=3, max_n=5, bucket=200, min_count=1, epochs=3, seed=1, workers=1
    )
    path = tmp_path_factory.mktemp("fasttext") / "tiny.bin"
    fasttext.save_facebook_model(model, str(path))
    return path
