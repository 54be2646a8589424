import datetime as dt
import hashlib
import tempfile
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgauge.errors import FileError, InputError, MedgaugeWarning
from medgauge.progress import showing
from medgauge.terminology.model import Terminology
from medgauge.terminology.rf2 import clean_fsn, read_rf2
from tests.rf2 import (
    ACCEPTABLE,
    CORE,
    FSN,
    MODEL_COMPONENT,
    POSSIBLY_EQUIVALENT_TO,
    PREFERRED,
    REPLACED_BY,
    ROOT,
    SAME_AS,
    SYNONYM,
    US_ENGLISH,
    WAS_A,
    Release,
    sctid,
    write_files,
    zip_files,
)

FIRST, SECOND, THIRD = "20020131", "20100731", "20180131"
GB_ENGLISH = 900000000000508004
TABLES = ("concepts", "synonyms", "associations", "parents")


@pytest.fixture
def read(tmp_path: Path) -> Callable[[Release], Terminology]:
    """Write a release and read it."""
    return lambda release, **options: read_rf2([release.write(tmp_path / "release")], **options)


def names(terminology: Terminology) -> list[str | None]:
    return terminology.concepts["name"].to_list()


def synonyms(terminology: Terminology) -> list[tuple[int, str]]:
    return terminology.synonyms.rows()


def associations(terminology: Terminology) -> list[tuple[str, int, int, bool]]:
    return terminology.associations.rows()


def small() -> Release:
    """Write down a release with a bit of everything."""
    release = Release()
    root = release.concept(id=ROOT).fsn("SNOMED CT Concept (SNOMED RT+CTV3)").synonym("SNOMED CT Concept")
    flu = release.concept(1).fsn("Influenza (disorder)", acceptability=PREFERRED)
    flu.synonym("Flu", acceptability=ACCEPTABLE).synonym("Grippe – la “fièvre”", acceptability=PREFERRED)
    old = release.concept(2).fsn("Influenza, NOS (disorder)").state(active=False, date=SECOND)
    release.concept(3, module=MODEL_COMPONENT).fsn("Module (core metadata concept)").synonym("Module")
    release.associate(old, flu, SAME_AS)
    release.is_a(flu, root)
    release.is_a(old, root, number=7)
    release.is_a(old, root, number=7, active=False, date=SECOND)
    return release


def test_a_small_release_is_read_whole(read):
    found = read(small())
    assert (found.form, found.title, found.version) == ("rf2", "SNOMED CT INT 20190131", "20190131")
    assert found.concepts.rows() == [
        (str(ROOT), "SNOMED CT Concept (SNOMED RT+CTV3)", "SNOMED CT Concept", "SNOMED RT+CTV3", True, False),
        (str(sctid(1, "00")), "Influenza (disorder)", "Influenza", "disorder", True, False),
        (str(sctid(2, "00")), "Influenza, NOS (disorder)", "Influenza, NOS", "disorder", False, False),
        (
            str(sctid(3, "00")),
            "Module (core metadata concept)",
            "Module",
            "core metadata concept",
            True,
            True,
        ),
    ]
    assert synonyms(found) == [(0, "SNOMED CT Concept"), (1, "Flu"), (1, "Grippe – la “fièvre”")]
    assert associations(found) == [("same-as", 2, 1, True)]
    assert found.parents.rows() == [(1, 0)]
    assert found.terms == {"fully specified name": 3, "preferred synonym": 1, "other synonym": 3}
    assert found.nameless == ()


def test_the_tables_have_the_types_of_the_model(read):
    found = read(small())
    text, number, flag = pl.String, pl.UInt32, pl.Boolean
    assert found.concepts.schema == {
        "id": text,
        "name": text,
        "label": text,
        "tag": text,
        "active": flag,
        "is_metadata": flag,
    }
    assert found.synonyms.schema == {"concept": number, "term": text}
    assert found.associations.schema == {"kind": text, "source": number, "target": number, "active": flag}
    assert found.parents.schema == {"child": number, "parent": number}


@pytest.mark.parametrize("full", [True, False])
@pytest.mark.parametrize("crlf", [True, False])
@pytest.mark.parametrize("zipped", [True, False])
def test_every_form_of_a_release_says_the_same(tmp_path, full, crlf, zipped):
    expected = read_rf2([small().write(tmp_path / "expected")])
    release = small()
    path = (
        release.zip(tmp_path / "release.zip", full=full, crlf=crlf)
        if zipped
        else release.write(tmp_path / "other", full=full, crlf=crlf)
    )
    found = read_rf2([path], check_ids=True)
    for table in TABLES:
        assert getattr(found, table).equals(getattr(expected, table)), table
    assert found.terms == expected.terms


# State


def test_a_concept_is_what_its_latest_row_says_wherever_it_stands(read):
    release = Release()
    release.concept(1).state(active=False, date=SECOND).state(active=True, date=THIRD)
    release.concept(2, date=THIRD, active=False).state(active=True, date=FIRST)
    release.concept(3, module=MODEL_COMPONENT).state(date=SECOND, module=CORE).fsn("Moved (finding)")
    release.concept(4).state(date=SECOND, module=MODEL_COMPONENT)
    assert read(release).concepts.select("active", "is_metadata").rows() == [
        (True, False),
        (False, False),
        (True, False),
        (True, True),
    ]


def test_a_retired_synonym_is_gone_and_a_revived_one_is_back_in_its_place(read):
    release = Release()
    concept = release.concept(1).fsn("Fever (finding)")
    concept.synonym("Pyrexia", number=1).synonym("Febris", number=2).synonym("Heat", number=3)
    concept.synonym("Pyrexia", number=1, active=False, date=SECOND)
    concept.synonym("Heat", number=3, active=False, date=SECOND)
    concept.synonym("Pyrexia again", number=1, date=THIRD)
    assert synonyms(read(release)) == [(0, "Pyrexia again"), (0, "Febris")]


def test_synonyms_of_retired_and_metadata_concepts_are_left_out(read):
    release = Release()
    release.concept(1, active=False).fsn("A (finding)").synonym("of a retired one")
    release.concept(2, module=MODEL_COMPONENT).fsn("B (metadata)").synonym("of metadata")
    release.concept(3).fsn("C (finding)").synonym("kept").synonym("").synonym("  ").synonym(" ends ")
    assert synonyms(read(release)) == [(2, "kept"), (2, "ends")]


def test_a_retired_concept_keeps_its_name(read):
    release = Release()
    release.concept(1, active=False).fsn("Old (finding)")
    found = read(release)
    assert found.concepts.select("name", "label", "tag").rows() == [("Old (finding)", "Old", "finding")]
    assert found.nameless == ()


def test_descriptions_of_other_types_and_unknown_concepts_are_left_out(read):
    release = Release()
    concept = release.concept(1).fsn("Fever (finding)").description(900000000000550004, "a definition")
    release.row("Description", sctid(9, "01"), FIRST, 1, CORE, 999, "en", SYNONYM, "of none", 17)
    assert synonyms(read(release)) == []
    assert concept.id == int(read(release).concepts["id"][0])


# Names


def test_a_reworded_name_takes_the_place_of_the_old_one(read):
    release = Release()
    concept = release.concept(1).fsn("Feber (finding)", number=1)
    concept.fsn("Feber (finding)", number=1, active=False, date=SECOND).fsn("Fever (finding)", date=SECOND)
    assert names(read(release)) == ["Fever (finding)"]


def test_of_several_names_the_preferred_one_is_taken(read):
    release = Release()
    concept = release.concept(1).fsn("Preferred (finding)", number=1, date=FIRST)
    concept.fsn("Latest (finding)", number=2, date=THIRD, acceptability=ACCEPTABLE)
    release.member("Language", GB_ENGLISH, sctid(1, "01"), ACCEPTABLE, date=FIRST)
    release.member("Language", GB_ENGLISH, sctid(1, "01"), PREFERRED, date=SECOND)
    release.member("Language", US_ENGLISH, sctid(1, "01"), ACCEPTABLE)
    assert names(read(release)) == ["Preferred (finding)"]


@pytest.mark.parametrize(("value", "active"), [(ACCEPTABLE, True), (PREFERRED, False)])
def test_a_preference_that_was_withdrawn_does_not_count(read, value, active):
    release = Release()
    release.concept(1).fsn("Once preferred (finding)", number=1).fsn("Latest (finding)", date=SECOND)
    release.member("Language", US_ENGLISH, sctid(1, "01"), value, active=active, date=SECOND)
    release.member("Language", US_ENGLISH, sctid(1, "01"), PREFERRED)
    assert names(read(release)) == ["Latest (finding)"]


def test_of_several_names_without_a_preference_the_latest_then_the_last_is_taken(read):
    release = Release()
    release.concept(1).fsn("Late (finding)", date=SECOND).fsn("Early (finding)")
    release.concept(2).fsn("First (finding)").fsn("Last (finding)")
    assert names(read(release)) == ["Late (finding)", "Last (finding)"]


def test_concepts_without_a_name_are_reported(read):
    release = Release()
    release.concept(1).fsn("Retired (finding)", active=False)
    release.concept(2).fsn(" (finding)")
    release.concept(3).fsn("  ")
    release.concept(4, active=False)
    release.concept(5, module=MODEL_COMPONENT)
    release.concept(6).fsn("Fever (finding)")
    release.concept(7).fsn("Fièvre (constatation)", language="fr")
    found = read(release)
    assert found.nameless == tuple(str(sctid(number, "00")) for number in (1, 2, 3, 7))
    assert found.concepts["label"].to_list() == [None, None, None, None, None, "Fever", None]
    assert found.concepts["name"].null_count() == found.concepts["tag"].null_count() == 6


@pytest.mark.parametrize(
    ("fsn", "label", "tag"),
    [
        ("Malaria (disorder)", "Malaria", "disorder"),
        ("Foo (bar) (disorder)", "Foo (bar)", "disorder"),
        ("Foo(bar)", "Foo(bar)", None),
        ("Iodine (3H(2))", "Iodine", "3H(2)"),
        ("Fever or (chill)", "Fever or (chill)", None),
        ("Razor (blade)", "Razor", "blade"),
        ("or (blade)", "or", "blade"),
        ("Cuts & (bruises)", "Cuts & (bruises)", None),
        ("Cuts (& bruises)", "Cuts (& bruises)", None),
        ("Cuts ( & bruises)", "Cuts", " & bruises"),
        ("Fever OR (chill)", "Fever OR", "chill"),
        ("Malaria (disorder) ", "Malaria", "disorder"),
        ("Malaria  (disorder)", "Malaria", "disorder"),
        ("Malaria (disorder).", "Malaria (disorder).", None),
        ("Malaria", "Malaria", None),
        (" (disorder)", "", "disorder"),
        ("(disorder)", "(disorder)", None),
        ("Ménière’s ()", "Ménière’s", ""),
        ("", "", None),
    ],
)
def test_a_name_is_cut_at_its_last_parenthesis(read, fsn, label, tag):
    assert clean_fsn(fsn) == (label, tag)
    release = Release()
    release.concept(1).fsn(fsn)
    expected = (fsn, label, tag or None) if label else (None, None, None)
    assert read(release).concepts.select("name", "label", "tag").row(0) == expected


@given(st.text("aé &()or"))
def test_what_is_cut_off_is_one_parenthesis_at_the_end(fsn):
    label, tag = clean_fsn(fsn)
    if tag is None:
        assert label == fsn.strip()
    else:
        assert fsn.rstrip().endswith(f" ({tag})")
        assert label == fsn.rstrip().removesuffix(f" ({tag})").strip()
        assert " (" not in tag


# Languages


def test_languages_are_compared_without_case(tmp_path):
    release = Release()
    release.concept(1).fsn("Fever (finding)", language="EN").synonym("Hot", language="En")
    release.concept(2).fsn("Feber (fynd)", language="sv").synonym("Het", language="sv")
    files = {name.replace("Full-en", "Full"): text for name, text in release.files().items()}
    folder = write_files(tmp_path, files)
    assert names(read_rf2([folder], language="en")) == ["Fever (finding)", None]
    assert names(read_rf2([folder], language="SV")) == [None, "Feber (fynd)"]
    assert synonyms(read_rf2([folder], language="sv")) == [(1, "Het")]


def test_files_of_another_language_are_not_opened(tmp_path):
    files = small().files()
    swedish = "a/sct2_Description_Full-sv_SE1000052_20190131.txt"
    found = read_rf2([write_files(tmp_path, {**files, swedish: "no table at all"})])
    assert not any("SE1000052" in name for name in found.files)
    assert found.title == "SNOMED CT INT 20190131"


def test_a_language_that_nobody_wrote_in_is_answered_with_those_that_are_there(tmp_path):
    release = small()
    release.concept(9).fsn("Fiebre (hallazgo)", language="es")
    files = {**release.files(), "sct2_Description_Full-sv_SE1000052_20190131.txt": "unread"}
    folder = write_files(tmp_path, files)
    with pytest.raises(FileError, match=r"no descriptions in the language 'de'; available: en, sv$") as said:
        read_rf2([folder], language="de")
    assert str(said.value).startswith(f"{folder}: ")
    files = {name.replace("Full-en", "Full"): text for name, text in files.items()}
    with pytest.raises(InputError, match=r"no descriptions in the language 'de'; available: en, es, sv$"):
        read_rf2([write_files(tmp_path / "bare", files)], language="de")


def test_a_file_named_after_another_language_does_not_offer_the_one_that_was_asked_for(tmp_path):
    files = {name: text.replace("\ten\t", "\tsv\t") for name, text in small().files().items()}
    with pytest.raises(FileError, match=r"no descriptions in the language 'en'; available: sv$"):
        read_rf2([write_files(tmp_path, files)])


# Associations


def test_associations_are_named_by_their_sets(read):
    release = Release()
    a, b = release.concept(1).fsn("A (x)"), release.concept(2).fsn("B (x)")
    for refset in (POSSIBLY_EQUIVALENT_TO, REPLACED_BY, SAME_AS, WAS_A):
        release.associate(a, b, refset)
    assert associations(read(release)) == [
        ("possibly-equivalent-to", 0, 1, True),
        ("replaced-by", 0, 1, True),
        ("same-as", 0, 1, True),
        ("900000000000528000", 0, 1, True),
    ]


def test_an_association_stands_in_the_place_of_its_first_row_and_the_state_of_its_latest(read):
    release = Release()
    a, b = release.concept(1).fsn("A (x)"), release.concept(2).fsn("B (x)")
    release.associate(a, b, SAME_AS)
    release.associate(b, a, SAME_AS, active=False, date=SECOND)
    release.associate(a, b, REPLACED_BY)
    release.associate(a, b, SAME_AS, active=False, date=SECOND)
    release.associate(b, a, SAME_AS, date=THIRD)
    assert associations(read(release)) == [
        ("same-as", 0, 1, False),
        ("same-as", 1, 0, True),
        ("replaced-by", 0, 1, True),
    ]


def test_of_two_members_that_say_the_same_association_the_later_row_decides(read):
    release = Release()
    a, b = release.concept(1).fsn("A (x)"), release.concept(2).fsn("B (x)")
    release.row("Association", "uuid-2", SECOND, 1, CORE, SAME_AS, a.id, b.id)
    release.row("Association", "uuid-1", SECOND, 0, CORE, SAME_AS, a.id, b.id)
    assert associations(read(release)) == [("same-as", 0, 1, False)]


def test_rows_of_the_model_component_module_are_no_associations(read):
    release = Release()
    a, b = release.concept(1).fsn("A (x)"), release.concept(2).fsn("B (x)")
    release.associate(a, b, SAME_AS)
    release.associate(a, b, SAME_AS, active=False, date=SECOND, module=MODEL_COMPONENT)
    release.associate(b, a, SAME_AS, module=MODEL_COMPONENT)
    assert associations(read(release)) == [("same-as", 0, 1, True)]


def test_associations_of_unknown_concepts_are_counted_and_left_out(read):
    release = Release()
    a = release.concept(1).fsn("A (x)")
    release.associate(a, sctid(8, "00"), SAME_AS)
    release.associate(sctid(9, "00"), a, SAME_AS)
    release.associate(sctid(9, "00"), a, SAME_AS, active=False, date=SECOND)
    with pytest.warns(MedgaugeWarning, match="^associations with a concept that is in none .* left out: 2$"):
        assert associations(read(release)) == []


def test_associations_of_descriptions_are_left_out_without_a_word(read):
    release = Release()
    a = release.concept(1).fsn("A (x)")
    release.associate(sctid(1, "01"), a, 900000000000531004)  # refers to
    assert associations(read(release)) == []


def test_a_release_may_have_no_associations_at_all(tmp_path):
    found = read_rf2([small().write(tmp_path, without=["Association"])])
    assert associations(found) == []
    assert found.associations.columns == ["kind", "source", "target", "active"]


def test_a_missing_language_file_changed_the_names_of_concepts_without_a_word(tmp_path):
    with pytest.warns(MedgaugeWarning, match="has no language file, so it is not known which of several"):
        found = read_rf2([small().write(tmp_path, without=["Language"])])
    assert found.preferred is None
    assert found.terms == {"fully specified name": 3, "synonym": 4}


# Hierarchy


def test_a_way_to_the_root_led_through_an_inactive_concept(read):
    release = Release()
    root = release.concept(id=ROOT).fsn("Root (root)")
    old = release.concept(1, active=False).fsn("Old (finding)")
    new = release.concept(2).fsn("New (finding)")
    for child, parent in [(old, root), (new, old), (new, root)]:
        release.is_a(child, parent)
    assert read(release).parents.rows() == [(2, 0)]


def test_only_current_is_a_relations_are_parents(read):
    release = Release()
    root, a, b = (release.concept(number).fsn(f"{number} (x)") for number in range(3))
    release.is_a(a, root)
    release.is_a(a, root)
    release.is_a(b, a, kind=363698007)
    release.is_a(b, root, number=1, active=False)
    release.is_a(b, root, number=1, date=SECOND)
    release.is_a(b, a, number=2)
    release.is_a(b, a, number=2, active=False, date=SECOND)
    release.row("Relationship", sctid(5, "02"), FIRST, 1, CORE, b.id, 999, 0, 116680003, 11, 12)
    assert read(release).parents.rows() == [(1, 0), (2, 0)]


def test_the_hierarchy_is_left_unread_when_it_is_not_wanted(tmp_path):
    files = small().files()
    relationships = next(name for name in files if "Relationship" in name)
    found = read_rf2([write_files(tmp_path, {**files, relationships: "no table"})], hierarchy=False)
    assert found.parents is None
    assert not any("Relationship" in name for name in found.files)


def test_a_missing_hierarchy_is_reported_when_it_was_wanted(tmp_path):
    folder = small().write(tmp_path, without=["Relationship"])
    with pytest.warns(MedgaugeWarning, match="has no relationship file, so there is no hierarchy"):
        found = read_rf2([folder])
    assert found.parents.is_empty()
    assert found.parents.columns == ["child", "parent"]
    assert read_rf2([folder], hierarchy=False).parents is None


# Sources


def test_an_extension_is_read_over_its_edition(tmp_path):
    edition, extension = small(), Release(date="20190301", where="US1000124")
    extension.concept(1, date=THIRD, active=False)
    extension.concept(2, date=SECOND).fsn("Influenza, other (disorder)", date=THIRD)
    extension.concept(10).fsn("Local fever (finding)").synonym("Hot here")
    sources = [edition.zip(tmp_path / "edition.zip"), extension.write(tmp_path / "extension")]
    found = read_rf2(sources)
    assert found.title == "SNOMED CT INT 20190131, US1000124 20190301"
    assert found.version == "20190301"
    assert found.concepts["active"].to_list() == [True, False, True, True, True]
    assert names(found)[2:] == [
        "Influenza, other (disorder)",
        "Module (core metadata concept)",
        "Local fever (finding)",
    ]
    assert synonyms(found) == [(0, "SNOMED CT Concept"), (4, "Hot here")]
    # For the same date the later source is right: the edition says that concept 2 is retired.
    assert (
        read_rf2(sources[::-1]).concepts.filter(pl.col("id") == str(sctid(2, "00")))["active"].item() is False
    )


def test_two_packages_in_one_folder_are_read_in_the_order_of_their_paths(tmp_path):
    for package, active in (("b", True), ("a", False)):
        release = Release()
        release.concept(1, active=active).fsn(f"Of {package} (finding)", number=1)
        release.write(tmp_path / package)
    found = read_rf2([tmp_path])
    assert found.concepts.select("label", "active").rows() == [("Of b", True)]
    assert len(found.files) == 10


def test_files_are_known_by_their_digests(tmp_path):
    folder, path = small().write(tmp_path / "folder"), small().zip(tmp_path / "release.zip")
    found = read_rf2([folder, path]).files
    assert found["release.zip"] == hashlib.sha256(path.read_bytes()).hexdigest()
    texts = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in folder.rglob("*.txt")}
    assert found == {**texts, "release.zip": found["release.zip"]}


@pytest.mark.parametrize("kind", ["Concept", "Description"])
def test_a_missing_file_is_named(tmp_path, kind):
    path = small().zip(tmp_path / "release.zip", without=[kind])
    with pytest.raises(
        FileError, match=rf"release\.zip: has no {kind.lower()} file \(sct2_{kind}_Full\*\.txt or"
    ):
        read_rf2([path])


def test_no_source_is_no_release():
    with pytest.raises(InputError, match="no release was given"):
        read_rf2([])


def test_a_release_without_concepts_is_refused(tmp_path):
    with pytest.raises(FileError, match="the release has no concepts"):
        read_rf2([Release().write(tmp_path)])


def test_wrong_check_digits_are_found_in_every_kind_of_component(tmp_path):
    for kind in ("Concept", "Description", "Relationship"):
        release = small()
        release.rows[kind][-1] = (123456789, *release.rows[kind][-1][1:])
        path = release.zip(tmp_path / f"{kind}.zip")
        assert read_rf2([path]).form == "rf2"
        line = len(release.rows[kind]) + 1
        with pytest.raises(
            FileError, match=rf"sct2_{kind}_.*\.txt, line {line}: 123456789 is not a SNOMED CT"
        ):
            read_rf2([path], check_ids=True)


def test_a_damaged_row_deep_in_a_zip_is_named(tmp_path):
    files = small().files()
    descriptions = next(name for name in files if "Description" in name)
    path = zip_files(tmp_path / "release.zip", {**files, descriptions: files[descriptions] + "123\tcut o"})
    with pytest.raises(FileError) as caught:
        read_rf2([path])
    line = files[descriptions].count("\n") + 1
    assert (
        str(caught.value) == f"{path}/{descriptions}, line {line}: the row has 2 fields, but 9 are expected"
    )


def test_progress_is_reported_in_files(tmp_path):
    told = []

    class Bar:
        def __init__(self, what: str, steps: int) -> None:
            told.append((what, steps))

        def __enter__(self) -> Callable[[int], None]:
            return lambda done: told.append(done)

        def __exit__(self, *_: object) -> None:
            pass

    with showing(Bar):
        read_rf2([small().zip(tmp_path / "release.zip")])
    assert told[:6] == [("reading SNOMED CT", 5), 1, 1, 1, 1, 1]


# Against an obvious reader


class Obvious:
    """Reads the rows of a Release with loops and dictionaries alone."""

    def __init__(self, release: Release) -> None:
        self.rows = release.rows
        concepts = self.current(self.rows["Concept"], lambda row: row[0])
        self.numbers = {identifier: number for number, identifier in enumerate(concepts)}
        self.concepts = [
            (str(row[0]), *self.name(row[0]), row[2] == 1, row[3] == MODEL_COMPONENT)
            for row in concepts.values()
        ]

    def current(self, rows, key):
        kept = {}
        for row in rows:
            if key(row) not in kept or int(row[1]) >= int(kept[key(row)][1]):
                kept[key(row)] = row
        return kept

    def descriptions(self, kind):
        current = self.current(self.rows["Description"], lambda row: row[0]).values()
        return [row for row in current if row[2] == 1 and row[5] == "en" and row[6] == kind]

    def is_preferred(self, identifier):
        members = self.current(self.rows["Language"], lambda row: (row[4], row[5])).values()
        return any(row[5] == identifier and row[2] == 1 and row[6] == PREFERRED for row in members)

    def name(self, identifier):
        candidates = [row for row in self.descriptions(FSN) if row[4] == identifier]
        if not candidates:
            return None, None, None
        every = self.rows["Description"]
        best = max(candidates, key=lambda row: (self.is_preferred(row[0]), int(row[1]), every.index(row)))
        return best[7], *clean_fsn(best[7])

    def synonyms(self):
        return [
            (self.numbers[row[4]], row[7])
            for row in self.descriptions(SYNONYM)
            if self.concepts[self.numbers[row[4]]][-2:] == (True, False)
        ]

    def associations(self):
        rows = [row for row in self.rows["Association"] if row[3] != MODEL_COMPONENT]
        kinds = {SAME_AS: "same-as", REPLACED_BY: "replaced-by"}
        return [
            (kinds.get(row[4], str(row[4])), self.numbers[row[5]], self.numbers[row[6]], row[2] == 1)
            for row in self.current(rows, lambda row: (row[4], row[5], row[6])).values()
        ]


@st.composite
def releases(draw: st.DrawFn) -> Release:
    """Draw histories of a few components, their rows in any order."""
    dates = st.sampled_from([FIRST, SECOND, THIRD])
    flags = st.booleans()
    modules = st.sampled_from([CORE, CORE, MODEL_COMPONENT])
    release = Release()
    concepts = [release.concept(number, date="20010131") for number in range(4)]
    for number, date in draw(st.lists(st.tuples(st.integers(0, 3), dates), unique=True, max_size=6)):
        concepts[number].state(active=draw(flags), date=date, module=draw(modules))
    owners = draw(st.lists(st.sampled_from(concepts), min_size=6, max_size=6))
    concepts[0].fsn("Always (there)", number=99, date="20010131", active=draw(flags))
    for number, date in draw(st.lists(st.tuples(st.integers(0, 5), dates), unique=True, max_size=12)):
        kind = FSN if number < 4 else SYNONYM
        term = draw(st.sampled_from(["Heart (organ)", "heart", "Cœur (& lung)", "X or (y)", 'A "b"']))
        options = {"number": number, "date": date, "active": draw(flags)}
        owners[number].description(kind, term, language="sv" if number == 3 else "en", **options)
    members = st.tuples(st.sampled_from([US_ENGLISH, GB_ENGLISH]), st.integers(0, 5), dates)
    for refset, number, date in draw(st.lists(members, unique=True, max_size=8)):
        value = draw(st.sampled_from([PREFERRED, ACCEPTABLE]))
        release.member("Language", refset, sctid(number, "01"), value, date=date, active=draw(flags))
    pairs = st.tuples(
        st.sampled_from(concepts),
        st.sampled_from(concepts),
        st.sampled_from([SAME_AS, REPLACED_BY, WAS_A]),
        dates,
    )
    for source, target, refset, date in draw(st.lists(pairs, unique=True, max_size=10)):
        release.associate(source, target, refset, date=date, active=draw(flags), module=draw(modules))
    return release


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(releases())
def test_the_reader_agrees_with_loops_and_dictionaries(release):
    with tempfile.TemporaryDirectory() as folder:
        found = read_rf2([release.write(Path(folder))], hierarchy=False)
    expected = Obvious(release)
    assert found.concepts.rows() == expected.concepts
    assert synonyms(found) == expected.synonyms()
    assert associations(found) == expected.associations()
    assert found.nameless == tuple(
        row[0] for row in expected.concepts if row[1] is None and row[4] and not row[5]
    )


def test_a_full_release_says_when_each_concept_first_appeared(read):
    release = small()
    release.concept(4, date=SECOND)
    found = read(release)
    first, second = (dt.date.fromisoformat(one) for one in (FIRST, SECOND))
    assert found.appeared.to_list() == [first, first, first, first, second]  # the third was retired later


def test_a_snapshot_does_not_say_when_concepts_appeared(tmp_path):
    assert read_rf2([small().write(tmp_path, full=False)]).appeared is None


def test_an_extension_in_full_does_not_date_an_edition_that_is_a_snapshot(tmp_path):
    extension = Release(where="XX")
    extension.concept(9).fsn("Other (disorder)")
    sources = [small().write(tmp_path / "a", full=False), extension.write(tmp_path / "b")]
    assert read_rf2(sources).appeared is None


def test_a_date_that_is_in_no_calendar_is_not_known(read):
    release = small()
    release.concept(5, date="20190231")
    assert read(release).appeared.to_list()[-1] is None


def test_the_synonym_that_a_language_reference_set_prefers_is_known(read):
    """Of those that two dialects prefer, the latest is taken; names and other synonyms do not count."""
    release = Release()
    heart = release.concept(1).fsn("Heart attack (disorder)", acceptability=PREFERRED)
    heart.synonym("MI", acceptability=ACCEPTABLE).synonym(" Infarction of heart ", acceptability=PREFERRED)
    blood = release.concept(2).fsn("Haemophilia (disorder)")
    blood.synonym("Haemophilia", acceptability=PREFERRED, refset=GB_ENGLISH, date=FIRST)
    blood.synonym("Hemophilia", acceptability=PREFERRED, date=SECOND)
    blood.synonym("Bleeder", acceptability=PREFERRED, date=THIRD, active=False)
    release.concept(3).fsn("Cough (finding)")
    found = read(release).preferred
    assert found.rows() == [(0, "Infarction of heart"), (1, "Hemophilia")]
