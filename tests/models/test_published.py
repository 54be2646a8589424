import re
import tomllib
from importlib import resources

import pytest

from medgauge.models.published import PublishedEmbedding, published_embeddings

ALL = list(published_embeddings().values())


def test_there_are_22_embeddings_each_with_a_name_of_its_own() -> None:
    text = (resources.files("medgauge.models") / "published.toml").read_text("utf-8")
    names = [entry["name"] for entry in tomllib.loads(text)["embedding"]]
    assert len(names) == len(set(names)) == 22
    assert list(published_embeddings()) == names


def test_titles_are_unique() -> None:
    assert len({embedding.title for embedding in ALL}) == len(ALL)


def test_17_are_those_of_schulz_and_juric() -> None:
    # Schulz and Juric (2020), table A.1.
    assert sum("Schulz and Juric (2020)" in embedding.compared_in for embedding in ALL) == 17


@pytest.mark.parametrize("embedding", ALL, ids=lambda embedding: embedding.name)
def test_an_entry_says_what_it_is_and_where_to_get_it(embedding: PublishedEmbedding) -> None:
    for said in (embedding.licence, embedding.citation, embedding.method, embedding.corpus, embedding.format):
        assert said.strip()
    assert re.search(r"\(\d{4}\)", embedding.citation)
    assert embedding.words is None or embedding.words > 1000
    assert embedding.dim is None or 50 <= embedding.dim <= 1000
    assert embedding.name == embedding.name.lower()
    assert " " not in embedding.name
