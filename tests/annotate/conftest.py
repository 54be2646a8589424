"""A study to rate in."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from medgauge.annotate.store import Store
from tests.annotate.studies import make


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Give the store of a small study."""
    with make(tmp_path) as made:
        yield made
