"""What is counted in records, against plain Python loops over the same files."""

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgauge.build.records.from_records import build_records
from medgauge.errors import InputError, MedgaugeWarning
from tests.build.records.built_pairs import built, columns_for, every_pair, patients_of
from tests.support.plain_records import PlainEvent, counted, day_number, omop_events, synthea_events
from tests.support.recorded_patients import FORMS, Event, some_events, write_omop, write_table

EVENTS = some_events()
Pairs = dict[tuple[str, str], int]


def plain(events: list[Event]) -> list[PlainEvent]:
    return [(event.patient, event.code, day_number(event.date)) for event in events]


def own(events: list[Event]) -> dict[str, set[str]]:
    return {event.code: {event.code} for event in events}


def enough(pairs: Pairs, least: int = 10) -> Pairs:
    return {pair: patients for pair, patients in pairs.items() if patients >= least}


def frequent(pairs: Pairs, per_concept: int) -> Pairs:
    """Keep pairs by their number of patients while both concepts have fewer than the limit; ties by id."""
    kept, times = {}, dict.fromkeys({one for pair in pairs for one in pair}, 0)
    for pair in sorted(pairs, key=lambda pair: (-pairs[pair], pair)):
        if all(times[one] < per_concept for one in pair):
            kept[pair] = pairs[pair]
            for one in pair:
                times[one] += 1
    return kept


@pytest.fixture(scope="module")
def plain_table(tmp_path_factory):
    folder = tmp_path_factory.mktemp("one-table")
    source = write_table(folder / "events.csv", EVENTS)
    return built(source, folder / "pairs", **columns_for("table"))


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_the_same_records_gives_the_same_pairs(form, plain_table, tmp_path):
    expected_sheet, expected = plain_table
    sheet, pairs = built(FORMS[form](tmp_path, EVENTS), tmp_path / "pairs", **columns_for(form))
    assert pairs.write_csv() == expected.write_csv()
    assert sheet.written == expected_sheet.written
    assert sheet.found.steps == expected_sheet.found.steps
    assert sheet.found.target_system == "snomed"


def test_both_kinds_of_set_have_the_counts_of_a_plain_loop(tmp_path):
    source = write_omop(tmp_path / "omop", EVENTS)
    expected = counted(plain(EVENTS), own(EVENTS))
    assert every_pair(source, tmp_path / "all") == enough(expected.pairs)
    _, pairs = built(source, tmp_path / "frequent", pairs=20, per_concept=4)
    assert patients_of(pairs) == dict(list(frequent(enough(expected.pairs), 4).items())[:20])
    for side in "12":
        concepts = dict(pairs.select(f"id_{side}", f"patients_{side}").iter_rows())
        assert concepts == {one: expected.concepts[one] for one in concepts}


@pytest.mark.parametrize(
    "limits",
    [
        {"window": 0},
        {"window": 20},
        {"max_concepts": 3},
        {"window": 20, "max_concepts": 4},
        {"min_patients": 5},
    ],
    ids=str,
)
def test_options_count_as_a_plain_loop_does(limits, tmp_path):
    source = write_table(tmp_path / "events.parquet", EVENTS)
    expected = counted(plain(EVENTS), own(EVENTS), **limits)
    sheet, pairs = built(source, tmp_path / "pairs", sample="random", pairs=9999, **limits)
    assert patients_of(pairs) == enough(expected.pairs, limits.get("min_patients", 10))
    assert sheet.found.cut == (expected.cut if expected.cut >= 10 else "few" if expected.cut else 0)
    assert ("max_concepts" in limits) == (expected.cut > 0)


@pytest.mark.parametrize("stored", [pl.Float64(), pl.Float32(), pl.Decimal(20, 2)], ids=str)
def test_ids_that_are_stored_as_fractions_are_whole_numbers(stored, tmp_path):
    """R and pandas make floats of whole numbers, and often of one table alone."""
    source = write_omop(tmp_path / "omop", EVENTS, form="parquet")
    expected = every_pair(source, tmp_path / "whole", window=20, categories=["diagnosis"])
    path = source / "CONDITION_OCCURRENCE.parquet"
    table = pl.read_parquet(path)
    if stored == pl.Float32():  # which does not hold the ids of all concepts
        changed = table.with_columns(pl.col("person_id").cast(stored))
    else:
        changed = table.with_columns(pl.col(pl.Int64).cast(stored))
    day = pl.col("condition_start_date").dt.strftime("%Y%m%d").cast(pl.Int64)
    changed.with_columns(day.cast(stored) if stored != pl.Float32() else day).write_parquet(path)
    assert every_pair(source, tmp_path / "stored", window=20, categories=["diagnosis"]) == expected


def test_not_a_number_is_no_patient_and_no_code(tmp_path):
    rows = [(float(patient), float(code)) for patient in range(12) for code in (38341003, 44054006)]
    rows += [(float("nan"), 38341003.0), (5.0, float("nan"))]
    frame = pl.DataFrame(rows, schema=["patient", "code"], orient="row")
    frame.write_parquet(tmp_path / "events.parquet")
    sheet, pairs = built(tmp_path / "events.parquet", tmp_path / "pairs")
    assert patients_of(pairs) == {("38341003", "44054006"): 12}
    assert sheet.found.without_patient == 1
    assert [step.events for step in sheet.found.steps[:2]] == [25, "20–49"]


records = st.lists(
    st.tuples(
        st.sampled_from(["p1", "p2", "p3", "p4", "p5", "p6", "p7", ""]),
        st.sampled_from("abcdef"),
        st.dates().map(lambda day: day.replace(year=2000, month=1).isoformat()),
    ),
    max_size=80,
)
mappings = st.dictionaries(st.sampled_from("abcdef"), st.sets(st.sampled_from("uvwxyz"), max_size=3))


@pytest.mark.hypothesis
@settings(max_examples=25)
@given(
    rows=records,
    mapping=st.none() | mappings,
    window=st.none() | st.integers(0, 9),
    most=st.integers(2, 5),
)
def test_any_records_are_counted_as_by_a_plain_loop(rows, mapping, window, most, tmp_path_factory):
    """Five copies of each patient have enough patients in common."""
    folder = tmp_path_factory.mktemp("records")
    copies = [
        (f"{patient} {copy}" if patient else "", code, day)
        for patient, code, day in rows
        for copy in range(5)
    ]
    lines = ["patient,code,date", *(",".join(row) for row in copies)]
    (folder / "events.csv").write_text("\n".join(lines) + "\n", "utf-8")
    options = {"min_patients": 5, "max_concepts": most, "window": window}
    targets = {code: {code} for code in "abcdef"}
    given_mapping = {}
    if mapping is not None:
        targets = mapping
        named = [f"{code}\t{one}" for code, concepts in mapping.items() for one in sorted(concepts)]
        if not named:
            return
        (folder / "map.tsv").write_text("\n".join(["code\tconcept", *named]) + "\n", "utf-8")
        given_mapping = {"mapping": folder / "map.tsv"}
    events = [(patient or None, code, day_number(day)) for patient, code, day in copies]
    expected = enough(counted(events, targets, **options).pairs, 5)
    if expected:
        found = every_pair(folder / "events.csv", folder / "pairs", **options, **given_mapping)
        assert found == expected
    else:
        with pytest.raises(InputError, match="no two concepts have 5 or more patients in common"):
            every_pair(folder / "events.csv", folder / "pairs", **options, **given_mapping)


def test_synthea_of_a_real_size_has_the_counts_of_a_plain_loop(real_data, tmp_path):
    folder = real_data("ehr/synthea/conditions.csv.gz").parent
    source = synthea_events(folder / "conditions.csv.gz")
    expected = counted(source.events, source.targets)
    assert every_pair(folder, tmp_path / "random") == enough(expected.pairs)
    sheet, pairs = built(folder, tmp_path / "frequent")
    assert patients_of(pairs) == frequent(enough(expected.pairs), 6)
    first, last = sheet.found.steps[0], sheet.found.steps[-1]
    assert (first.patients, first.events) == (source.patients, len(source.events))
    assert last.pairs == len(enough(expected.pairs))
    drawn = built(folder, tmp_path / "drawn", sample="random")[1]
    assert drawn.height == 120
    assert patients_of(drawn).items() <= enough(expected.pairs).items()


def test_an_omop_cdm_as_ohdsi_publishes_it_has_the_counts_of_a_plain_loop(real_data, tmp_path):
    path = real_data("ehr/omop/Synthea27Nj_5.4.zip")
    source = omop_events(path)
    for least in (10, 5):
        expected = counted(source.events, source.targets, min_patients=least)
        options = {"min_patients": least}
        assert every_pair(path, tmp_path / f"random {least}", **options) == enough(expected.pairs, least)
        sheet, pairs = built(path, tmp_path / f"frequent {least}", **options)
        assert patients_of(pairs) == frequent(enough(expected.pairs, least), 6)
        assert sheet.found.steps[0].patients == source.patients
    with pytest.warns(MedgaugeWarning, match="4,000 pairs were asked for, but the"):
        build_records(path.parent, tmp_path / "from the folder")


def test_two_concepts_of_one_code_are_paired_only_by_another_code(tmp_path):
    """Patients 0 to 9 have only a, which stands for x and y; 10 to 29 also b, which stands for y."""
    rows = [f"{patient},a" for patient in range(30)] + [f"{patient},b" for patient in range(10, 30)]
    (tmp_path / "events.csv").write_text("\n".join(["patient,code", *rows]), "utf-8")
    (tmp_path / "map.csv").write_text("code,concept\na,x\na,y\nb,y\n", "utf-8")
    found = every_pair(tmp_path / "events.csv", tmp_path / "pairs", mapping=tmp_path / "map.csv")
    assert found == {("x", "y"): 20}


def test_the_number_of_all_patients_is_that_of_the_records(tmp_path):
    """Mutual information needs it: patients without a frequent concept count too."""
    lonely = [
        Event(f"lonely {number}", "25064002", "Headache (finding)", "symptom", "2020-01-01")
        for number in range(40)
    ]
    source = write_table(tmp_path / "events.csv", [*EVENTS, *lonely])
    sheet, _ = built(source, tmp_path / "pairs", sample="stratified", by="pmi", pairs=10)
    assert sheet.patients == 100


@pytest.mark.parametrize("form", ["OMOP CSV", "OMOP zip", "Synthea CSV", "FHIR bundles", "table in CSV"])
def test_categories_are_counted_alone_in_every_form_that_has_them(form, tmp_path):
    source = FORMS[form](tmp_path, EVENTS)
    for category in ("diagnosis", "presenting complaint"):
        wanted = [event for event in EVENTS if event.category == category]
        expected = enough(counted(plain(wanted), own(wanted), min_patients=5).pairs, 5)
        options = {"categories": [category], "min_patients": 5, **columns_for(form)}
        assert every_pair(source, tmp_path / category, **options) == expected


def test_omop_without_types_of_conditions_has_diagnoses(tmp_path):
    folder = write_omop(tmp_path / "omop", EVENTS)
    path = folder / "CONDITION_OCCURRENCE.csv"
    needed = ["person_id", "condition_concept_id", "condition_start_date"]
    pl.read_csv(path, infer_schema=False).select(needed).write_csv(path)
    expected = enough(counted(plain(EVENTS), own(EVENTS)).pairs)
    assert every_pair(folder, tmp_path / "all", categories=["diagnosis"]) == expected


@pytest.mark.parametrize("written", ["text", "number"])
def test_dates_without_hyphens_are_not_taken_for_none(written, tmp_path):
    """OMOP's files may have 20200131; with a window, no event had a date."""
    source = write_table(tmp_path / "events.parquet", EVENTS)
    expected = every_pair(source, tmp_path / "with", window=20, **columns_for("table"))
    packed = pl.col("date").cast(pl.String).str.replace_all("-", "")
    dates = packed if written == "text" else packed.cast(pl.Int64)
    pl.read_parquet(source).with_columns(date=dates).write_parquet(source)
    assert every_pair(source, tmp_path / "without", window=20, **columns_for("table")) == expected


def test_events_without_a_date_are_warned_of_if_dates_count(tmp_path):
    rows = [f"{patient},{code},{patient}/2020" for patient in range(12) for code in "ab"]
    (tmp_path / "events.csv").write_text("\n".join(["patient,code,date", *rows, "1,a,2020-01-01"]), "utf-8")
    with pytest.warns(MedgaugeWarning, match=r"24 events have no date and are left out, since only"):
        build_records(tmp_path / "events.csv", window=9)
