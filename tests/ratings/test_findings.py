"""What an agreement holds: estimates, reasons and notes, and files of before."""

import json
import math
from pathlib import Path

import pytest
from pydantic import ValidationError

from medgauge.estimate import Estimate
from medgauge.ratings import findings
from medgauge.ratings.findings import HEADLINES, OVERALL, Agreement, Consistency, Figures
from tests.report.agreements import NAN, agreement, annotator, figures, undefined_agreement

OLD = Path(__file__).parents[1] / "fixtures" / "0.1.0" / "agreement.json"


def test_an_agreement_of_version_0_1_0_is_read():
    written = json.loads(OLD.read_text("utf-8"))
    found = Agreement.model_validate_json(OLD.read_text("utf-8"))
    assert (found.confidence, found.undefined, found.dropped) == (0.95, {}, 0)
    assert set(OVERALL) - set(found.estimates) == {"g_qk", "ceiling"}  # which it did not have
    for name, one in found.estimates.items():
        assert (one.value, [one.low, one.high], one.undefined) == (
            written[name],
            written["intervals"][name],
            None,
        )
    assert (
        json.loads(found.to_json()).items()
        >= {name: value for name, value in written.items() if name not in ("packed", "by_panel")}.items()
    )


def test_what_is_written_is_read_again():
    found = agreement(kendall_w=NAN, undefined={"kendall_w": "all 12 ratings are equal"}, confidence=0.9)
    read = Agreement.model_validate_json(found.to_json())
    assert read.to_json() == found.to_json()
    assert read.estimates["kendall_w"].undefined == "all 12 ratings are equal"


def test_estimates_have_everything_of_a_figure():
    found = agreement(
        confidence=0.9, iaa_1=NAN, undefined={"iaa_1": "they are two"}, intervals={"alpha": (0.1, 0.3)}
    )
    assert list(found.estimates) == [*HEADLINES, "mean_sd"]
    assert found.estimates["alpha"] == Estimate(0.2, 0.1, 0.3, 0.9, 1300)
    of_panel = found.estimates["kendall_w"]
    assert (of_panel.value, math.isnan(of_panel.low), of_panel.n) == (found.kendall_w, True, 40)
    assert (found.estimates["iaa_1"].undefined, found.estimates["iaa_1"].is_defined) == (
        "they are two",
        False,
    )


def test_figures_do_not_rest_on_the_consistency_set():
    found = agreement(consistency=Consistency(pairs=20, iaa_1=0.65, alpha=0.55))
    assert found.estimates["alpha"].n == 1280


def test_the_figures_of_a_file_that_says_no_reason_say_so():
    found = undefined_agreement(["A"])
    assert {one.undefined for one in found.estimates.values()} == {"the file does not say why"}


def test_notes_say_who_is_apart_and_what_was_dropped():
    people = [annotator("A"), annotator("B"), *(annotator(f"n{k}", group=k) for k in range(2, 9))]
    found = agreement(annotators=people, groups=8, dropped=1200)
    dropped, apart = found.notes
    assert dropped.startswith("1,200 pairs were dropped from mine because annotators disagreed")
    assert apart.startswith("annotators n2, n3, n4, n5, n6 and 2 more rated no pair that another annotator")
    assert agreement().notes == []
    assert agreement(["A"], annotators=[annotator("A")]).notes == []


def test_a_declared_statistic_needs_no_field_and_an_unknown_one_is_refused(monkeypatch):
    held = figures(0.2).model_dump()
    with pytest.raises(ValidationError, match="no statistic of agreement called gwet"):
        Figures.model_validate(held | {"gwet": 0.5})
    monkeypatch.setitem(findings.OVERALL, "gwet", "Gwet's AC1")
    found = Figures.model_validate(held | {"gwet": 0.5})
    assert found.figure("gwet") == 0.5
    assert json.loads(found.model_dump_json())["gwet"] == 0.5
    assert math.isnan(figures(0.2).figure("gwet"))
    with pytest.raises(ValidationError):
        Figures.model_validate(held | {"gwet": "high"})
    of_old_file = agreement().estimates["gwet"]
    assert of_old_file.undefined == "the file does not say why"
