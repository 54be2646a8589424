"""Tiny encoders, made once for the session."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import made_once
from tests.prerequisites import NEEDS_ENCODERS, is_there
from tests.support.tiny_models import as_sentence_model, save_bert, save_gpt


@pytest.fixture(scope="session")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_once("bert", save_bert, tmp_path_factory)


@pytest.fixture(scope="session")
def gpt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_once("gpt", save_gpt, tmp_path_factory)


@pytest.fixture(scope="session")
def sentence_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    prompts = {"query": "find: ", "document": ""}
    make: Callable[[Path], object] = lambda folder: as_sentence_model(save_bert(folder), prompts=prompts)  # noqa: E731
    return made_once("sentence-model", make, tmp_path_factory)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the tests of encoders where the core is installed without their packages."""
    if is_there(NEEDS_ENCODERS):
        return
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.skip(reason=NEEDS_ENCODERS))
