"""Builds of the small release that several tests look at."""

from pathlib import Path

import pytest

from medgauge.build.terminology.build import build_terminology
from tests.build.small import small_release


@pytest.fixture(scope="session")
def built(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("built")
    source = small_release().zip(folder / "release.zip")
    build_terminology(source, folder / "sets")
    build_terminology(source, folder / "tsv", form="tsv")
    build_terminology(source, folder / "seed", seed=7)
    build_terminology(source, folder / "some", families=["same-as"])
    later = small_release()
    later.concept(300).fsn("Measles (disorder)").synonym("Rubeola")
    later.concept(301).fsn("Coughing (finding)").synonym("Cough")
    build_terminology(later.zip(folder / "later.zip"), folder / "later")
    return folder


def copied(folder: Path, to: Path) -> Path:
    to.mkdir()
    for path in folder.iterdir():
        (to / path.name).write_bytes(path.read_bytes())
    return to
