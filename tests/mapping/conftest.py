"""A made-up UMLS release, and the stand-in for the service that knows the same."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.umls_api import KEY, UmlsApi, umls_api
from tests.support.umls_releases import every_case


@pytest.fixture
def umls(tmp_path: Path) -> Path:
    return every_case().zip(tmp_path / "umls-2024AA.zip")


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[UmlsApi]:
    monkeypatch.setenv("UMLS_API_KEY", KEY)
    with umls_api() as running:
        yield running
