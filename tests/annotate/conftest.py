"""A study to rate in."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from medgauge.annotate.store.store import Store
from tests.annotate.studies import ANN, COORDINATOR, make
from tests.annotate.web.sites import Visitor, make_graded


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Give the store of a small study."""
    with make(tmp_path) as made:
        yield made


@pytest.fixture
def graded(tmp_path: Path) -> Iterator[Store]:
    """Give the store of the small study, with a whole protocol."""
    with make_graded(tmp_path) as made:
        yield made


@pytest.fixture
def ann(graded: Store) -> Visitor:
    """Give an annotator who is about to rate."""
    visitor = Visitor(graded, ANN)
    visitor.begin()
    return visitor


@pytest.fixture
def chief(graded: Store) -> Visitor:
    """Give the coordinator, signed in."""
    visitor = Visitor(graded, COORDINATOR)
    visitor.sign_in()
    return visitor
