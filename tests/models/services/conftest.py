"""The stand-in for a service, and models that ask it without waiting."""

from collections.abc import Iterator

import pytest

from tests.support.embedding_service import StandIn, stand_in


@pytest.fixture
def service() -> Iterator[StandIn]:
    with stand_in() as running:
        yield running
