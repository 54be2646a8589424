from datetime import date

import pytest

from medgauge.errors import FileError
from medgauge.models.base import ModelCard
from medgauge.probing.probed import Probe, ProbeFigure

NAN = float("nan")


def made(
    low: float = 0.1, groups: tuple[str, ...] = ("new", "old", "gap"), *, value: float = 0.2, n: int = 9
) -> Probe:
    return Probe(
        model=ModelCard(name="mine", family="vectors"),
        terminology="hp",
        files={},
        since=date(2020, 1, 1),
        measure="cos",
        oov="uncovered",
        seed=0,
        candidates=10,
        wanted_candidates=10,
        concepts={"new": 5, "old": 9},
        asked={"new": 5, "old": 9},
        unmatched=0,
        uncovered={"new": 0, "old": 0},
        not_drawn=0,
        undated=0,
        ambiguous=0,
        figures=[ProbeFigure(group=group, value=value, low=low, high=0.3, n=n) for group in groups],
    )


@pytest.mark.parametrize(("low", "expected"), [(0.1, True), (0.0, False), (-0.1, False)])
def test_a_gap_is_a_sign_if_its_whole_interval_is_above_0(low, expected):
    assert made(low).shows_training is expected


@pytest.mark.parametrize(
    ("value", "n", "expected"),
    [(1.0, 6, True), (1.0, 5, False), (1.0, 4, None), (0.0, 9, False), (NAN, 0, None)],
)
def test_a_gap_that_is_the_same_everywhere_is_judged_by_its_sign(value, n, expected):
    assert made(NAN, value=value, n=n).shows_training is expected


def test_figures_of_other_groups_are_damage(tmp_path):
    (tmp_path / "x.json").write_text(made(groups=("new", "old")).to_json(), "utf-8")
    with pytest.raises(FileError, match="is damaged: its figures are not those of new concepts"):
        Probe.load(tmp_path / "x.json")
