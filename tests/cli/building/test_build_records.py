"""medgauge build records as users call it, on good and on bad input."""

import csv
import json
import shutil
import zipfile

import polars as pl
import pytest

from medgauge.pairs import Pairs, PairSet
from tests.support.recorded_patients import (
    FORMS,
    some_events,
    write_bundles,
    write_ndjson,
    write_omop,
    write_synthea,
    write_table,
)

EVENTS = some_events()


def one_table(folder, events):
    folder.mkdir()
    return write_table(folder / "events.csv", events).parent


@pytest.fixture
def build(medgauge, tmp_path):
    """Run the command with a source, and say what happened in one line."""

    def run(source, *options):
        done = medgauge("build", "records", source, "--out", tmp_path / "pairs", *options)
        return done.code, " ".join(done.err.split())

    return run


@pytest.fixture
def table(tmp_path):
    return write_table(tmp_path / "events.csv", EVENTS)


@pytest.fixture
def omop(tmp_path):
    return write_omop(tmp_path / "omop", EVENTS)


def test_records_become_pairs_that_are_shown_and_described(medgauge, omop, tmp_path):
    done = medgauge("build", "records", omop, "--out", tmp_path / "pairs")
    assert done.code == 0, done.err
    assert "the records are an OMOP CDM" in done.err
    assert f"26 pairs and their data-sheet.json are in {tmp_path / 'pairs'}" in "".join(done.err.split("\n"))
    shown = medgauge("show", tmp_path / "pairs")
    assert shown.out == done.out
    assert "pairs of enough patients" in done.out
    assert sorted(path.name for path in (tmp_path / "pairs").iterdir()) == [
        *("README.md", "data-sheet.json", "pairs.parquet", "unmapped.tsv"),
    ]
    about = medgauge("datasets", "info", tmp_path / "pairs" / "pairs.parquet")
    assert "none yet" in about.out
    assert "that of SNOMED CT" in " ".join(about.out.split())


def test_pairs_go_straight_into_a_study(medgauge, omop, tmp_path):
    medgauge("build", "records", omop, "--out", tmp_path / "pairs", "--sample", "random", "--pairs", "20")
    protocol = ("--protocol", "graded", "--annotators", "Ann,Bea,Cy", "--per-pair", "2")
    for place in ("pairs", "pairs/pairs.parquet"):
        study = tmp_path / f"study of {place.partition('/')[2]}"
        done = medgauge("annotate", "init", study, "--pairs", tmp_path / place, *protocol)
        assert done.code == 0, done.err
        assert "20: " in done.out


def test_vectors_of_the_same_records_are_marked_as_such(medgauge, omop, tmp_path):
    vectors = tmp_path / "vectors.parquet"
    options = ("--sample", "random", "--pairs", "30", "--vectors", vectors)
    done = medgauge("build", "records", omop, "--out", tmp_path / "pairs", *options)
    assert done.code == 0, done.err
    assert f"are in {vectors}" in "".join(done.err.split("\n"))
    pairs = Pairs.load(tmp_path / "pairs" / "pairs.parquet")
    golden = pairs.frame.with_columns(gold=pl.int_range(pl.len()) % 7 * 1.0)
    PairSet(golden, pairs.card).save(tmp_path / "rated.parquet")
    run = ("evaluate", "--model", f"concepts:{vectors}", "--dataset", tmp_path / "rated.parquet")
    done = medgauge(*run, "--out", tmp_path / "run")
    assert done.code == 0, done.err
    said = " ".join(done.out.split())
    assert "Trained on the health records" in said
    assert "which the set was made from: vectors (records-random)" in said


def test_a_dry_run_writes_nothing(medgauge, omop, tmp_path):
    before = sorted(tmp_path.rglob("*"))
    done = medgauge("build", "records", omop, "--dry-run")
    assert done.code == 0, done.err
    assert "of enough patients" in done.out
    assert "Read from condition_occurrence: person_id" in " ".join(done.out.split())
    assert sorted(tmp_path.rglob("*")) == before
    sheet = json.loads(medgauge("build", "records", omop, "--dry-run", "--json").out)
    assert sheet["found"]["form"] == "omop"
    assert sheet["written"] is None


def test_concepts_that_a_person_flags_are_left_out(medgauge, omop, build, tmp_path):
    listed = tmp_path / "concepts.tsv"
    assert medgauge("build", "records", omop, "--list-concepts", listed).code == 0
    lines = listed.read_text("utf-8").splitlines()
    assert lines[0] == "id\tterm\tpatients\texclude"
    assert any(line.startswith("160903007\tFull-time employment\t") for line in lines)
    again = build(omop, "--list-concepts", listed)
    assert again[0] == 1
    assert again[1].endswith("concepts.tsv already exists; add --replace, or choose another name")
    listed.write_text("\n".join(f"{line}x" if "employment" in line else line for line in lines), "utf-8")
    code, said = build(omop, "--exclude", listed)
    assert code == 0, said
    pairs = pl.read_parquet(tmp_path / "pairs" / "pairs.parquet")
    ids = {*pairs["id_1"], *pairs["id_2"]}
    assert "160903007" not in ids
    assert "44054006" in ids


def test_files_that_cannot_be_written_are_refused_before_anything_is_read(medgauge, omop, tmp_path):
    (tmp_path / "file").write_text("", "utf-8")
    flagged = tmp_path / "flagged.tsv"
    flagged.write_text("id\texclude\n160903007\tx\n", "utf-8")
    both = ("--list-concepts", tmp_path / "one.x", "--vectors", tmp_path / "." / "one.x")
    for options, sentence in [
        (("--list-concepts", tmp_path / "file" / "list.tsv"), "cannot be written; choose another place"),
        (("--vectors", tmp_path, "--replace"), "cannot be written; choose another place"),
        (both, "one.x is named twice; choose a place for each file, and for the folder"),
        (("--vectors", tmp_path / "pairs"), "pairs is named twice; choose a place for each file"),
        (("--exclude", flagged, "--list-concepts", flagged, "--replace"), "is read here, and would be"),
        (("--list-concepts", omop / "CONCEPT.csv", "--replace"), "is read here, and would be overwritten"),
    ]:
        done = medgauge("build", "records", omop, "--out", tmp_path / "pairs", *options)
        assert done.code == 1
        said = " ".join(done.err.split())
        assert sentence in said
        assert "the records are" not in said
        assert not (tmp_path / "pairs").exists()
    assert flagged.read_text("utf-8").startswith("id\texclude")


@pytest.mark.parametrize("write", [write_bundles, one_table])
def test_nothing_is_written_among_records_of_which_every_file_is_read(medgauge, tmp_path, write):
    """What was written there, or left by a kill, was read as records by the next build."""
    source = write(tmp_path / "records", EVENTS)
    before = sorted(source.rglob("*"))
    for option in ("--out", "--list-concepts"):
        done = medgauge("build", "records", source, option, source / "pairs")
        assert done.code == 1
        assert "pairs is in the folder of the records; choose a place outside" in " ".join(done.err.split())
    assert sorted(source.rglob("*")) == before


def test_an_event_without_a_patient_is_left_out_or_refused(build, table):
    lines = table.read_text("utf-8").splitlines()
    lines[1] = "," + lines[1].partition(",")[2]
    table.write_text("\n".join(lines), "utf-8")
    code, said = build(table, "--strict")
    assert code == 1
    assert said.endswith("medgauge: 1 event names no patient; omit --strict to leave it out")
    code, said = build(table)
    assert code == 0
    assert "warning: 1 event names no patient and is left out" in said


@pytest.mark.parametrize(("write", "place"), [(write_bundles, "file 3"), (write_ndjson, "file 1, line 5")])
def test_fhir_that_is_not_json_is_skipped_or_refused_by_its_number(build, tmp_path, write, place):
    folder = write(tmp_path / "fhir", EVENTS)
    if write is write_bundles:
        sorted(folder.iterdir())[2].write_text('{"resourceType":', "utf-8")
    else:
        path = folder / "Condition.ndjson"
        lines = path.read_text("utf-8").splitlines()
        lines[4] = "{"
        path.write_text("\n".join(lines), "utf-8")
    code, said = build(folder, "--strict")
    assert code == 1
    assert f"medgauge: {place} of the FHIR resources is not JSON; repair or remove it" in said
    code, said = build(folder)
    assert code == 0
    assert f"warning: 1 file or line is not JSON and is skipped: {place}" in said


def test_codes_without_a_concept_are_counted_and_listed(build, table, tmp_path):
    (tmp_path / "map.csv").write_text("code,concept\n444814009,1\n195662009,2\n10509002,3\n", "utf-8")
    code, said = build(table, "--map", tmp_path / "map.csv")
    assert code == 0, said
    assert "warning: 11 codes have no concept, so their events are left out" in said
    unmapped = (tmp_path / "pairs" / "unmapped.tsv").read_text("utf-8").splitlines()
    assert unmapped[:2] == [
        "system\tcode\tterm\tevents",
        "\t160903007\tFull-time employment (finding)\t50–99",
    ]
    assert len(unmapped) < 12  # the rare ones are not listed
    assert not any("267036007" in line for line in unmapped)


def test_codes_with_tabs_and_line_breaks_stay_in_their_cells(medgauge, build, tmp_path):
    rows = [f'p{patient},"{code}"' for patient in range(12) for code in ("a\tb\nc", "d\t", "e")]
    (tmp_path / "events.csv").write_text("\n".join(["patient,code", *rows]), "utf-8")
    (tmp_path / "map.csv").write_text('code,concept\ne,"1\t2"\nd,3\n', "utf-8")
    code, said = build(tmp_path / "events.csv", "--map", tmp_path / "map.csv")
    assert code == 0, said
    unmapped = (tmp_path / "pairs" / "unmapped.tsv").read_text("utf-8")
    assert unmapped == "system\tcode\tterm\tevents\n\ta b c\t\t10–19\n"
    listed = ("--list-concepts", tmp_path / "list.tsv", "--map", tmp_path / "map.csv")
    assert medgauge("build", "records", tmp_path / "events.csv", *listed).code == 0
    lines = (tmp_path / "list.tsv").read_text("utf-8").splitlines()
    assert lines[1:] == ["1 2\t1 2\t10–19\t", "3\t3\t10–19\t"]


def test_a_code_with_two_concepts_has_both_and_is_reported(build, table, tmp_path):
    rows = "code,concept\n444814009,1\n444814009,2\n195662009,3\n10509002,4\n"
    (tmp_path / "map.csv").write_text(rows, "utf-8")
    code, said = build(table, "--map", tmp_path / "map.csv")
    assert code == 0, said
    assert "1 code has several concepts; all are kept, and those of one code are not paired by it" in said
    pairs = pl.read_parquet(tmp_path / "pairs" / "pairs.parquet")
    keys = set(pairs.select("id_1", "id_2").iter_rows())
    assert {("1", "3"), ("2", "3")} <= keys
    assert ("1", "2") not in keys


@pytest.mark.parametrize(
    ("form", "options", "sentence"),
    [
        ("table in CSV", ["--patient", "nhs_number"], "has no column 'nhs_number' among its 5"),
        ("table in CSV", ["--date", "when"], "has no column 'when' among its 5"),
        ("table in CSV", ["--table", "events2"], "has no table 'events2' among its 1"),
        (
            "OMOP CSV",
            ["--min-patients", "4"],
            "--min-patients 4 is too few: nothing of fewer than 5 patients",
        ),
        ("OMOP CSV", ["--max-concepts", "1"], "--max-concepts 1 leaves no pairs; it must be at least 2"),
        (
            "OMOP CSV",
            ["--categories", "symptoms"],
            "there is no category 'symptoms'; did you mean 'symptom'?",
        ),
        (
            "OMOP CSV",
            ["--categories", "symptom"],
            "an OMOP CDM has only events of diagnosis, presenting complaint and observation; choose",
        ),
        ("table in CSV", ["--categories", " ,"], "--categories names no category"),
        ("OMOP CSV", ["--window", "-1"], "--window -1 must be a number of days, at least 0"),
        ("OMOP CSV", ["--by", "pmi"], "--by pmi belongs to --sample stratified; leave it out"),
        ("OMOP CSV", ["--memory", "lots"], "'lots' is not an amount of memory, such as 4GB or 500MB"),
        ("OMOP CSV", ["--pairs", "0"], "the number of pairs must be at least 1, not 0"),
        ("OMOP CSV", ["--connect", "duckdb://"], "give either a folder or file of records, or a database"),
        (
            "OMOP CSV",
            ["--dry-run"],
            "--dry-run writes no pairs and no vectors; leave out --out and --vectors",
        ),
        ("OMOP CSV", ["--map", "{flags}"], "an OMOP CDM maps its codes itself; leave out --map"),
        ("Synthea CSV", ["--exclude-linked"], "--exclude-linked needs a hierarchy; name a SNOMED CT release"),
        (
            "Synthea CSV",
            ["--exclude", "{flags}"],
            "--exclude also applies to all concepts below those in the file, for which the hierarchy",
        ),
        ("Synthea CSV", ["--min-patients", "1000"], "no two concepts have 1000 or more patients in common"),
    ],
    ids=str,
)
def test_bad_options_are_one_sentence_and_write_nothing(build, tmp_path, form, options, sentence):
    source = FORMS[form](tmp_path, EVENTS)
    (tmp_path / "flags.csv").write_text("id,concept\n160903007,1\n", "utf-8")
    code, said = build(source, *(one.format(flags=tmp_path / "flags.csv") for one in options))
    assert code == 1
    assert said.count("medgauge: ") == 1
    assert sentence in said.partition("medgauge: ")[2]
    assert not (tmp_path / "pairs").exists()


def test_an_empty_concept_ancestor_is_an_error_and_not_ignored(build, omop, tmp_path):
    (tmp_path / "flags.txt").write_text("224363007 employment\n", "utf-8")
    path = omop / "CONCEPT_ANCESTOR.csv"
    path.write_text(path.read_text("utf-8").partition("\n")[0] + "\n", "utf-8")
    code, said = build(omop, "--exclude", tmp_path / "flags.txt")
    assert code == 1
    assert "CONCEPT_ANCESTOR is missing or empty, so --exclude cannot find the concepts below others" in said
    code, said = build(omop, "--exclude", tmp_path / "flags.txt", "--no-descendants")
    assert code == 0, said


def test_a_source_of_no_known_form_is_refused(build, tmp_path):
    other = tmp_path / "other"
    for make, sentence in [
        (lambda: None, "there is no such file or folder"),
        (other.mkdir, "the folder is empty; records are an OMOP CDM"),
        (lambda: (other / "a.docx").write_text("x"), "has no records in a form that medgauge knows"),
        (lambda: (shutil.rmtree(other), other.write_text("")), "the file is empty"),
        (lambda: other.write_text("all sorts of text"), "has no form of records that medgauge knows"),
    ]:
        make()
        code, said = build(other)
        assert code == 1
        assert said.startswith(f"medgauge: {other}: {sentence}")


@pytest.mark.parametrize("packed", [False, True])
def test_names_that_several_files_share_matter_only_for_a_table_that_is_read(build, tmp_path, packed):
    folder = tmp_path / "other"
    for name in ("docs", "src", "tests"):
        (folder / name).mkdir(parents=True)
        (folder / name / "README.txt").write_text("all sorts of text", "utf-8")

    def source():
        return shutil.make_archive(tmp_path / "packed", "zip", folder) if packed else folder

    code, said = build(source())
    assert code == 1
    assert "has no records in a form that medgauge knows: an OMOP CDM (CONDITION_OCCURRENCE, CONCEPT" in said
    write_table(folder / "events.csv", EVENTS)
    assert build(source())[0] == 0
    shutil.copy(folder / "events.csv", folder / "docs" / "Events.csv")
    code, said = build(source(), "--table", "events", "--replace")
    assert code == 1
    assert said.endswith("has several files for the table EVENTS; leave only one of them")


def test_fhir_of_which_nothing_can_be_read_is_refused_without_the_name_of_a_file(build, tmp_path):
    folder = tmp_path / "bundles"
    folder.mkdir()
    for number in range(12):
        (folder / f"Zebediah_Quux_{number}.json").write_text('{"resourceType": "Bundle', "utf-8")
    code, said = build(folder)
    assert code == 1
    assert "bundles: no FHIR resource can be read in the first 10 of its 12 JSON files; check that" in said
    code, said = build(folder / "Zebediah_Quux_1.json")
    assert code == 1
    assert said == "medgauge: the file holds no FHIR resource that can be read; check that it is whole"


def test_a_folder_of_several_tables_asks_which_one(build, tmp_path):
    folder = tmp_path / "tables"
    folder.mkdir()
    for name in ("visits", "problems"):
        write_table(folder / f"{name}.csv", EVENTS)
    code, said = build(folder)
    assert code == 1
    assert "has 2 tables that are neither an OMOP CDM nor Synthea's; name the table of events" in said
    assert build(folder, "--table", "Problems")[0] == 0


def test_a_table_that_is_cut_off_is_named_with_its_line_but_not_its_content(build, table):
    lines = table.read_text("utf-8").splitlines()
    lines[40] = "Zebediah Quux,one,two"
    table.write_text("\n".join(lines), "utf-8")
    code, said = build(table)
    assert code == 1
    assert "Quux" not in said
    assert said.endswith(
        "line 41: the row has another number of fields than the header, or a quote that is not closed"
    )


def test_a_zip_that_is_damaged_is_named(build, tmp_path):
    path = FORMS["OMOP zip"](tmp_path, EVENTS)
    content = bytearray(path.read_bytes())
    content[2000:2200] = bytes(200)
    path.write_bytes(bytes(content))
    code, said = build(path)
    assert code == 1
    assert "the zip is damaged or encrypted; download or pack it again" in said


def test_a_zip_that_is_cut_off_is_named(build, tmp_path):
    path = FORMS["OMOP zip"](tmp_path, EVENTS)
    path.write_bytes(path.read_bytes()[:-3000])
    code, said = build(path)
    assert code == 1
    assert said == f"medgauge: {path}: the zip is damaged or encrypted; download or pack it again"


def test_a_parquet_file_with_a_damaged_page_is_named(build, tmp_path):
    path = write_table(tmp_path / "events.parquet", EVENTS)
    content = bytearray(path.read_bytes())
    content[10:40] = b"\xff" * 30
    path.write_bytes(bytes(content))
    code, said = build(path, "--code", "code")
    assert code == 1
    assert f"{path}: cannot be read while reading the events" in said
    omop = FORMS["OMOP Parquet"](tmp_path, EVENTS)
    content = bytearray((omop / "concept.parquet").read_bytes())
    content[4:1000] = b"\xff" * 996
    (omop / "concept.parquet").write_bytes(bytes(content))
    code, said = build(omop)
    assert code == 1
    assert "one of the 2 Parquet files that are read is damaged; copy or export them again" in said


@pytest.mark.parametrize(
    ("header", "sentence"),
    [
        ("patient,code\rp1,10\rp2,11", "does not begin with a line of column names"),
        ("patient," + "x" * 200_000 + ",code", "does not begin with a line of column names"),
        ("patient,Patient,code", "columns 1 and 2 have the same name"),
    ],
    ids=["line breaks of an old Mac", "a long field", "names that differ by case"],
)
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("limit", [1 << 17, 1 << 30])
def test_a_header_that_names_no_columns_is_refused(build, tmp_path, header, sentence, packed, limit):
    """csv's limit of fields is one for the whole process, and reading another table may have raised it."""
    before = csv.field_size_limit(limit)
    path = tmp_path / "events.csv"
    path.write_text(f"{header}\np1,10,10\n", "utf-8", newline="")
    if packed:
        with zipfile.ZipFile(tmp_path / "packed.zip", "w") as archive:
            archive.write(path, "events.csv")
        path = tmp_path / "packed.zip"
    try:
        code, said = build(path)
    finally:
        csv.field_size_limit(before)
    assert code == 1
    assert said.endswith(f": {sentence}")


def test_a_build_that_was_made_is_returned_and_another_refused(build, tmp_path):
    source = write_synthea(tmp_path / "synthea", EVENTS)
    assert build(source)[0] == 0
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "pairs").iterdir()}
    assert build(source)[0] == 0
    code, said = build(source, "--per-concept", "3")
    assert code == 1
    assert "has another build (with other sampling); add --replace, or choose another folder" in said
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "pairs").iterdir()} == before
    assert build(source, "--per-concept", "3", "--replace")[0] == 0
    pairs = pl.read_parquet(tmp_path / "pairs" / "pairs.parquet")
    times = pl.concat([pairs["id_1"], pairs["id_2"].rename("id_1")]).value_counts()
    assert times["count"].max() == 3


def test_a_narrow_terminal_shows_every_number(medgauge, omop, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    done = medgauge("build", "records", omop, "--dry-run")
    assert done.code == 0
    assert max(map(len, done.out.splitlines())) <= 40
    assert "452" in done.out
