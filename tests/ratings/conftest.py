from collections.abc import Callable

import pytest

from medgauge.ratings.ratings import Ratings
from medgauge.ratings.source import read_ratings


@pytest.fixture
def read(tmp_path) -> Callable[..., Ratings]:
    """Read the text of a table as ratings."""

    def of(text: str, **options: object) -> Ratings:
        path = tmp_path / "mine.csv"
        path.write_text(text, "utf-8", newline="")
        return read_ratings(path, **options)

    return of
