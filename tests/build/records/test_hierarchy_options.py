"""What the hierarchy is for: leaving concepts out, keeping an area, dropping pairs of parent and child."""

import zipfile

import polars as pl
import pytest

from medgauge.build.records.concept_filter import read_concepts
from medgauge.build.records.from_records import build_records
from medgauge.errors import FileError, InputError, MedgaugeWarning
from tests.build.records.built_pairs import TABLE, built, every_pair
from tests.rf2 import PREFERRED, ROOT, Release
from tests.support.recorded_patients import CONCEPTS, FORMS, some_events, without_tag, write_omop, write_table

EVENTS = some_events()
ADMINISTRATIVE, EMPLOYED = "224363007", "160903007"
SINUSITIS, VIRAL, BACTERIAL = "36971009", "444814009", "75498004"
DISEASE = "64572001"
DISEASES = {concept.code for concept in CONCEPTS if "64572001" in concept.parents} | {VIRAL, BACTERIAL}


def write_obo(path, *, cycle=False):
    """Write the concepts as an ontology; its names are not those of the records."""
    stanzas = ["format-version: 1.2", "ontology: findings", ""]
    for concept in CONCEPTS:
        parents = [*concept.parents, *([VIRAL] if cycle and concept.code == SINUSITIS else [])]
        stanzas += ["[Term]", f"id: {concept.code}", f"name: {without_tag(concept.term)}, as it is called"]
        stanzas += [*(f"is_a: {parent}" for parent in parents), ""]
    path.write_text("\n".join(stanzas), "utf-8")
    return path


@pytest.fixture
def obo(tmp_path):
    return write_obo(tmp_path / "findings.obo")


@pytest.fixture
def table(tmp_path):
    return write_table(tmp_path / "events.csv", EVENTS)


@pytest.fixture
def listed(tmp_path):
    def write(*lines):
        path = tmp_path / "ids.txt"
        path.write_text("\n".join(lines), "utf-8")
        return path

    return write


def with_table(source, name, old, new):
    """Replace some text of a table in a folder or zip of CSV."""
    if source.is_dir():
        path = source / f"{name}.csv"
        path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
        return
    with zipfile.ZipFile(source) as archive:
        texts = {one: archive.read(one) for one in archive.namelist()}
    with zipfile.ZipFile(source, "w") as archive:
        for one, text in texts.items():
            changed = text.decode("utf-8").replace(old, new) if one == f"{name}.csv" else text
            archive.writestr(one, changed)


def ids(pairs):
    return {one for pair in pairs for one in pair}


@pytest.mark.parametrize("form", ["OMOP CSV", "OMOP zip", "OMOP DuckDB", "Synthea CSV"])
def test_what_is_excluded_goes_with_all_below_it(form, obo, listed, tmp_path):
    source = FORMS[form](tmp_path, EVENTS)
    everything = every_pair(source, tmp_path / "all")
    by = {} if form.startswith("OMOP") else {"terminology": obo}
    found = every_pair(source, tmp_path / "some", exclude=listed(f"{ADMINISTRATIVE} employment"), **by)
    assert EMPLOYED in ids(everything)
    assert found == {pair: number for pair, number in everything.items() if EMPLOYED not in pair}


def test_without_descendants_only_the_ids_are_left_out(table, listed, tmp_path):
    everything = every_pair(table, tmp_path / "all", **TABLE)
    flagged = listed(ADMINISTRATIVE, SINUSITIS)
    found = every_pair(table, tmp_path / "some", exclude=flagged, descendants=False, **TABLE)
    assert found == {pair: number for pair, number in everything.items() if SINUSITIS not in pair}


@pytest.mark.parametrize("form", ["OMOP CSV", "OMOP zip"])
def test_equal_codes_of_two_vocabularies_are_two_concepts(form, listed, tmp_path):
    """Sinusitis is recorded by a concept of LOINC's that has the code of fever."""
    source = FORMS[form](tmp_path, EVENTS)
    fever = "386661006"
    before = every_pair(source, tmp_path / "before")
    kind = "Clinical Finding,S"
    with_table(source, "CONCEPT", f"SNOMED,{kind},{SINUSITIS}", f"LOINC,{kind},{fever}")
    after = every_pair(source, tmp_path / "after")
    named = {SINUSITIS: f"LOINC:{fever}"}
    assert after == {
        tuple(sorted(named.get(one, one) for one in pair)): number for pair, number in before.items()
    }
    some = every_pair(source, tmp_path / "some", exclude=listed(f"LOINC:{fever}"))
    assert ids(some) == ids(after) - {f"LOINC:{fever}", VIRAL, BACTERIAL}


@pytest.mark.parametrize("form", ["OMOP CSV", "Synthea CSV"])
def test_within_keeps_one_area_of_medicine(form, obo, listed, tmp_path):
    source = FORMS[form](tmp_path, EVENTS)
    everything = every_pair(source, tmp_path / "all")
    by = {} if form.startswith("OMOP") else {"terminology": obo}
    found = every_pair(source, tmp_path / "some", within=listed(DISEASE), **by)
    assert found == {pair: number for pair, number in everything.items() if DISEASES.issuperset(pair)}
    assert ids(found) < ids(everything)


@pytest.mark.parametrize("form", ["OMOP CSV", "OMOP DuckDB", "table in CSV"])
def test_pairs_of_parent_and_child_are_left_out(form, obo, tmp_path):
    source = FORMS[form](tmp_path, EVENTS)
    everything = every_pair(source, tmp_path / "all")
    by = {} if form.startswith("OMOP") else {"terminology": obo}
    sheet, pairs = built(source, tmp_path / "some", sample="random", pairs=999, exclude_linked=True, **by)
    found = {(row["id_1"], row["id_2"]) for row in pairs.iter_rows(named=True)}
    linked = set(everything) - found
    assert linked
    assert linked <= {tuple(sorted((SINUSITIS, child))) for child in (VIRAL, BACTERIAL)}
    assert sheet.found.steps[-1].step == "not linked in the terminology"
    assert sheet.found.steps[-1].pairs == len(everything) - len(linked)


def test_omop_without_parents_cannot_leave_out_linked_pairs(tmp_path):
    source = write_omop(tmp_path / "omop", EVENTS)
    path = source / "CONCEPT_RELATIONSHIP.csv"
    lines = [line for line in path.read_text("utf-8").splitlines() if ",Is a," not in line]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    with pytest.raises(InputError, match="has no 'Is a', so exclude_linked=True finds no parents; name a"):
        built(source, tmp_path / "pairs", exclude_linked=True)
    assert not (tmp_path / "pairs").exists()


def test_terms_are_those_of_the_terminology(table, obo, tmp_path):
    _, pairs = built(table, tmp_path / "pairs", terminology=obo, **TABLE)
    assert all(term.endswith(", as it is called") for term in pairs["term_1"])


def test_a_cycle_in_the_hierarchy_is_reported_and_what_is_below_is_found(table, listed, tmp_path):
    circular = write_obo(tmp_path / "circular.obo", cycle=True)
    with pytest.warns(MedgaugeWarning, match="cycle"):
        sheet = build_records(
            table,
            terminology=circular,
            exclude=listed(SINUSITIS),
            list_concepts=tmp_path / "left.tsv",
            **TABLE,
        )
    left = set(pl.read_csv(tmp_path / "left.tsv", separator="\t", infer_schema=False)["id"])
    assert not left & {SINUSITIS, VIRAL, BACTERIAL}
    assert sheet.found.steps[-1].concepts == len(left)


def test_ids_that_the_hierarchy_lacks_are_reported(table, obo, listed, tmp_path):
    with pytest.warns(
        MedgaugeWarning, match=r"the hierarchy lacks 1 concept \(12345\), so nothing below it is"
    ):
        build_records(table, terminology=obo, exclude=listed("12345", SINUSITIS), **TABLE)


def test_concepts_that_the_terminology_lacks_keep_the_terms_of_the_records(table, tmp_path):
    content = write_obo(tmp_path / "all.obo").read_text("utf-8").replace("id: 49727002", "id: 1")
    (tmp_path / "some.obo").write_text(content, "utf-8")
    with pytest.warns(MedgaugeWarning, match=r"lacks 1 of 12 concepts; their terms are those of the records"):
        build_records(table, terminology=tmp_path / "some.obo", list_concepts=tmp_path / "c.tsv", **TABLE)
    terms = dict(
        pl.read_csv(tmp_path / "c.tsv", separator="\t", infer_schema=False).select("id", "term").rows()
    )
    assert terms["49727002"] == "Cough"


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "the file is empty"),
        ("# none\n", "names no concept; write an id in each line, or mark rows in the column exclude"),
        ("id\tterm\texclude\n1\ta\t\n", "names no concept"),
        ("id\tterm\texclude\n\ta\tx\n", "line 2: the id is missing"),
    ],
)
def test_a_list_of_concepts_that_names_none_is_refused(table, tmp_path, content, sentence):
    path = tmp_path / "ids.tsv"
    path.write_text(content, "utf-8")
    with pytest.raises(FileError, match=sentence):
        build_records(table, exclude=path, descendants=False, **TABLE)


@pytest.mark.parametrize(
    ("separator", "quotes"), [(",", "necessary"), (";", "always"), ("\t", "always"), ("\t", "never")]
)
def test_a_list_that_a_spreadsheet_has_saved_excludes_what_is_flagged_and_nothing_else(
    separator, quotes, table, tmp_path
):
    """With commas all of the concepts were left out, and with quotes none."""
    build_records(table, list_concepts=tmp_path / "list.tsv", **TABLE)
    frame = pl.read_csv(tmp_path / "list.tsv", separator="\t", infer_schema=False)
    flagged = frame.with_columns(exclude=pl.when(pl.col("id") == EMPLOYED).then(pl.lit("x")))
    flagged.write_csv(tmp_path / "saved.csv", separator=separator, quote_style=quotes)
    assert read_concepts(tmp_path / "saved.csv").ids == (EMPLOYED,)


def test_omop_without_its_hierarchy_takes_that_of_a_terminology(obo, listed, tmp_path):
    source = write_omop(tmp_path / "omop", EVENTS)
    (source / "CONCEPT_ANCESTOR.csv").unlink()
    with pytest.raises(InputError, match="CONCEPT_ANCESTOR is missing or empty"):
        build_records(source, exclude=listed(ADMINISTRATIVE))
    found = every_pair(source, tmp_path / "pairs", exclude=listed(ADMINISTRATIVE), terminology=obo)
    assert EMPLOYED not in ids(found)


def test_a_release_of_snomed_ct_gives_the_hierarchy_and_the_terms(table, listed, tmp_path):
    release = Release()
    made = {ROOT: release.concept(id=ROOT).fsn("SNOMED CT Concept (SNOMED RT+CTV3)")}
    for concept in CONCEPTS:
        name = without_tag(concept.term)
        own = release.concept(id=int(concept.code)).fsn(concept.term).synonym(f"{name}, rarely")
        if concept.code != EMPLOYED:
            own.synonym(f"{name}, preferred", acceptability=PREFERRED)
        made[concept.code] = own
    for concept in CONCEPTS:
        for parent in concept.parents or [ROOT]:
            release.is_a(made[concept.code], made[parent])
    options = {"terminology": release.zip(tmp_path / "release.zip"), **TABLE}
    everything = every_pair(table, tmp_path / "all", **TABLE)
    found = every_pair(table, tmp_path / "some", exclude=listed(ADMINISTRATIVE), **options)
    assert found == {pair: number for pair, number in everything.items() if EMPLOYED not in pair}
    area = {pair: number for pair, number in everything.items() if DISEASES.issuperset(pair)}
    assert every_pair(table, tmp_path / "area", within=listed(DISEASE), **options) == area
    (tmp_path / "not-these.txt").write_text(SINUSITIS)
    both = {"within": listed(DISEASE), "exclude": tmp_path / "not-these.txt"}
    left = DISEASES - {SINUSITIS, VIRAL, BACTERIAL}
    found = every_pair(table, tmp_path / "both", **both, **options)
    assert found == {pair: number for pair, number in everything.items() if left.issuperset(pair)}
    sheet, pairs = built(table, tmp_path / "unlinked", exclude_linked=True, sample="random", **options)
    linked = {tuple(sorted((SINUSITIS, child))) for child in (VIRAL, BACTERIAL)}
    assert set(pairs.select("id_1", "id_2").iter_rows()) == set(everything) - linked
    assert sheet.counting.terminology["title"].startswith("SNOMED CT")
    terms = {*pairs["term_1"], *pairs["term_2"]}
    assert {term for term in terms if not term.endswith(", preferred")} == {"Full-time employment"}
