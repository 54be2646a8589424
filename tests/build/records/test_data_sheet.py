"""The data sheet: what its numbers tell by their differences, and how they are shown."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge.build.records.concept_counts import LEVELS, Reached, StepCounts
from medgauge.build.records.from_records import build_records
from medgauge.build.records.record_counts import _shown_systems, _steps
from medgauge.errors import MedgaugeWarning
from tests.build.records.built_pairs import TABLE
from tests.support.recorded_patients import DIAGNOSIS, Event, write_table

LEAST = 10


def events_of(patients, code, term="Headache (finding)"):
    return [Event(f"patient {one}", code, term, DIAGNOSIS, "2020-01-01") for one in patients]


def shown(events, tmp_path, **options):
    source = write_table(tmp_path / "events.csv", events)
    return build_records(source, **TABLE, **options).found


def test_steps_do_not_tell_by_their_difference_how_many_patients_a_rare_concept_has(tmp_path):
    """The two patients of a rare concept have no other: 40 patients and then 38 told of them."""
    found = shown(events_of(range(38), "25064002") + events_of((50, 51), "84114007"), tmp_path)
    before, after = found.steps[-2:]
    assert (before.patients, before.events) == (40, 40)
    assert (after.patients, after.events) == ("20–49", "20–49")


def test_steps_are_exact_where_enough_patients_have_what_is_left_out(tmp_path):
    """Ten patients lose an event, of whom none has no other; six codes have few patients each."""
    rare = [one for number in range(10) for one in events_of([number], f"8411400{number % 6}")]
    found = shown(events_of(range(38), "25064002") + rare, tmp_path)
    assert [(step.patients, step.events) for step in found.steps[-2:]] == [(38, 48), (38, 38)]


def test_an_excluded_concept_of_few_patients_is_not_told_by_the_events_left(tmp_path):
    (tmp_path / "ids.txt").write_text("84114007")
    events = events_of(range(38), "25064002") + events_of((3, 4), "84114007")
    found = shown(events, tmp_path, exclude=tmp_path / "ids.txt", descendants=False)
    assert [step.events for step in found.steps[-3:]] == [40, "20–49", "20–49"]
    assert [step.patients for step in found.steps[-3:]] == [38, 38, 38]


def test_code_systems_do_not_tell_by_their_sum_of_one_that_few_patients_have(tmp_path):
    systems = [("icd10", 40, 38), ("snomed", 1200, 90), ("zebediah", 3, 2)]
    found = _shown_systems(systems, LEAST, total_is_exact=True)
    assert found == {"ICD-10": "20–49", "SNOMED CT": "1,000–1,999", "others": "few"}
    every = _shown_systems(systems[:2], LEAST, total_is_exact=True)
    assert every == {"ICD-10": 40, "SNOMED CT": 1200}
    assert _shown_systems(systems[:1], LEAST, total_is_exact=False) == {"ICD-10": "20–49"}


def test_code_systems_do_not_tell_by_a_step_of_one_event_in_another_category(tmp_path):
    """All codes of ICD-10 are lost, so that 40 and then 39 events were those of SNOMED CT."""
    rows = [f"p{number},25064002,snomed,diagnosis" for number in range(39)]
    rows += ["p1,25064002,snomed,allergy", *(f"p{number},R51,icd10,diagnosis" for number in range(12))]
    (tmp_path / "events.csv").write_text("\n".join(["patient,code,system,category", *rows]), "utf-8")
    with pytest.warns(MedgaugeWarning, match="1 code has no concept"):
        found = build_records(tmp_path / "events.csv").found
    assert [step.events for step in found.steps[:4]] == [52, 52, "50–99", 39]
    assert found.systems == {"ICD-10": "10–19", "SNOMED CT": "20–49"}


@given(st.dictionaries(st.integers(1, 63), st.integers(1, 30), max_size=8))
def test_any_two_exact_numbers_differ_by_what_enough_patients_have(patterns):
    """Every patient has one event for each level at which some end."""

    def reaching(level):
        return [(ends >> level, patients) for ends, patients in patterns.items() if ends >> level]

    reached = tuple(
        Reached(
            name,
            sum(ends.bit_count() * patients for ends, patients in reaching(level)),
            sum(patients for _, patients in reaching(level)),
            1,
        )
        for level, name in enumerate(LEVELS)
    )
    steps = _steps(StepCounts(reached, tuple(patterns.items())), LEAST)
    for name in ("patients", "events"):
        exact = [level for level, step in enumerate(steps) if isinstance(getattr(step, name), int)]
        for one, other in pairwise(exact):
            lost = reached[one].patients - reached[other].patients
            if name == "events":
                between = (1 << other) - (1 << one)
                lost = sum(patients for ends, patients in patterns.items() if ends & between)
            assert lost == 0 or lost >= LEAST
        for step, true in zip(steps, reached, strict=True):
            if isinstance(getattr(step, name), int):
                assert getattr(step, name) == getattr(true, name)


def test_a_data_sheet_with_ranges_is_read_and_shown_as_it_was_written(tmp_path, medgauge):
    events = [one for code in ("25064002", "49727002") for one in events_of(range(38), code)]
    events += events_of((50, 51), "84114007")
    sheet = build_records(write_table(tmp_path / "events.csv", events), tmp_path / "pairs", pairs=1, **TABLE)
    assert any(isinstance(step.events, str) for step in sheet.found.steps)
    done = medgauge("show", tmp_path / "pairs")
    assert done.code == 0, done.err
    assert "A range hides a number whose difference" in " ".join(done.out.split())
    assert medgauge("show", tmp_path / "pairs", "--format", "csv").code == 0
