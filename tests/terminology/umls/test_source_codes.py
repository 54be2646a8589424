import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgauge.errors import FileError, UnknownNameError
from medgauge.terminology.umls.source_codes import codes_of_cuis, cuis_of_codes
from medgauge.terminology.umls.umls_release import open_umls
from tests.support.umls_releases import UmlsRelease, every_case

CODES = ["1001004", "1002006", "1003001", "1004007", "1005008", "1006009", "9999999"]


def algorithm_1(release: UmlsRelease, code: str) -> str | None:
    """Return the CUI of a SNOMED CT id, line by line as algorithm 1 of Schulz et al. (2020) has it."""

    def get_cuis(snomed_id):
        found = []
        for cui, *_, scui, _, sab, _, _, _, _, suppress, _ in release.atoms:
            if sab == "SNOMEDCT_US" and scui == snomed_id and suppress == "N" and cui not in found:
                found.append(cui)
        return found

    def get_preferred_snomed(cui):
        return [
            row[9]
            for row in release.atoms
            if row[0] == cui and row[11] == "SNOMEDCT_US" and row[12] == "PT" and row[16] == "N"
        ]

    cuis = get_cuis(code)
    if len(cuis) > 1:
        cuis = [cui for cui in cuis if code in get_preferred_snomed(cui)]
    return cuis[0] if len(cuis) == 1 else None


def section_5_3(release: UmlsRelease, cui: str) -> list[str]:
    """Return the SNOMED CT ids of a CUI: by preferred term, then by name."""
    current = [row for row in release.atoms if row[16] == "N"]
    snomed = [row for row in current if row[11] == "SNOMEDCT_US"]
    found = {row[9] for row in snomed if row[0] == cui and row[12] == "PT"}
    if not found:
        names = {
            row[14].lower()
            for row in current
            if row[0] == cui and (row[2], row[4], row[6]) == ("P", "PF", "Y")
        }
        found = {row[9] for row in snomed if row[14].lower() in names}
    return sorted(found)


def test_every_case_of_algorithm_1(tmp_path):
    release = every_case()
    found = cuis_of_codes(open_umls(release.zip(tmp_path / "umls.zip")), CODES).chosen
    assert {code: (one.cui, one.step) for code, one in found.items()} == {
        "1001004": ("C0000001", "one CUI"),
        "1002006": ("C0000002", "preferred term"),
        "1003001": (None, "several CUIs by preferred term"),
        "1004007": (None, "several CUIs, none by preferred term"),
        "1005008": (None, "only suppressed rows"),
        "1006009": ("C0000007", "one CUI"),
        "9999999": (None, "not in the source"),
    }
    assert found["1003001"].left == ("C0000004", "C0000005")
    assert {code: one.cui for code, one in found.items()} == {
        code: algorithm_1(release, code) for code in CODES
    }


def test_every_case_of_the_way_back(tmp_path):
    release = every_case()
    cuis = [f"C{number:07}" for number in (2, 8, 9, 10, 11, 99)]
    found = codes_of_cuis(open_umls(release.write(tmp_path)), cuis).found
    assert {cui: (one.codes, one.step) for cui, one in found.items()} == {
        "C0000002": (("1002006", "1009002"), "preferred term"),
        "C0000008": (("1007000",), "preferred term"),
        "C0000009": (("1008005",), "preferred term"),
        "C0000010": (("1001004",), "name"),
        "C0000011": ((), "no preferred term and no name"),
        "C0000099": ((), "not in the release"),
    }


def test_the_name_that_a_set_uses_comes_before_that_of_the_release(tmp_path):
    release = open_umls(every_case().write(tmp_path))
    names = {"C0000010": ["BRYL"], "C0000011": ["narvic oedema", "nothing"], "C0000002": ["Bryl"]}
    found = codes_of_cuis(release, names, names=names).found
    assert {cui: (one.codes, one.step) for cui, one in found.items()} == {
        "C0000010": (("1007000", "1008005"), "name"),
        "C0000011": (("1006009",), "name"),
        "C0000002": (("1002006", "1009002"), "preferred term"),
    }


def test_other_vocabularies_have_their_codes_and_their_preferred_terms(tmp_path):
    release = open_umls(every_case().write(tmp_path))
    assert cuis_of_codes(release, ["Q98.0"], sab="ICD10CM").chosen["Q98.0"].cui == "C0000002"
    assert codes_of_cuis(release, ["C0000002"], sab="MSH").found["C0000002"].codes == ("D999001",)


@pytest.mark.parametrize(
    ("sab", "code", "kind", "name"),
    [
        ("RXNORM", "99901", "IN", "zorvicin"),
        ("RXNORM", "99902", "SCD", "zorvicin 5 MG Oral Tablet"),
        ("LNC", "9999-1", "LN", "Zorvicin:MCnc:Pt:Bld:Qn"),
        ("ICD10CM", "Q99", "HT", "Zorvic fevers"),
        ("ICD10", "Q99.9", "PX", "Other zorvic fevers"),
    ],
)
def test_codes_of_vocabularies_without_pt_had_no_preferred_term(tmp_path, sab, code, kind, name):
    release = every_case()
    release.atom("C0000012", "MTH", "U1", "A name of the UMLS's own", type="PN", preferred=True)
    release.atom("C0000012", sab, code, name, type=kind).atom("C0000013", sab, code, f"{name}, other")
    opened = open_umls(release.write(tmp_path))
    found = codes_of_cuis(opened, ["C0000012"], sab=sab).found["C0000012"]
    assert (found.codes, found.step) == ((code,), "preferred term")
    assert cuis_of_codes(opened, [code], sab=sab).chosen[code].cui == "C0000012"


def test_a_row_without_a_cui_was_taken_for_a_concept(tmp_path):
    release = UmlsRelease().atom("C0000001", "SNOMEDCT_US", "1001004", "Zorvic fever")
    release.atom("", "SNOMEDCT_US", "1001004", "Zorvic pyrexia")
    opened = open_umls(release.write(tmp_path))
    with pytest.raises(FileError, match=r"MRCONSO\.RRF, line 2: the row has no CUI") as raised:
        cuis_of_codes(opened, ["1001004"])
    assert "Zorvic" not in str(raised.value)
    with pytest.raises(FileError, match="line 2: the row has no CUI"):
        codes_of_cuis(opened, ["C0000001"])


def test_a_file_of_blank_lines_offered_no_vocabulary_to_choose(tmp_path):
    opened = open_umls(every_case().write(tmp_path))
    opened.file("MRCONSO.RRF").path.write_text("\n\n", "utf-8")
    with pytest.raises(FileError, match=r"MRCONSO\.RRF: has no rows; get the release again"):
        cuis_of_codes(opened, CODES)


def test_a_vocabulary_that_the_release_lacks_is_an_error(tmp_path):
    with pytest.raises(UnknownNameError, match="no vocabulary in UMLS 2024AA called 'LNC'"):
        cuis_of_codes(open_umls(every_case().write(tmp_path)), ["1-8"], sab="LNC")


some_atoms = st.lists(
    st.tuples(
        st.sampled_from(["C0000001", "C0000002", "C0000003"]),
        st.sampled_from(["SNOMEDCT_US", "ICD10CM"]),
        st.sampled_from(["1", "2", "3"]),
        st.sampled_from(["Flim", "flim", "Ōdem", "ŌDEM"]),
        st.sampled_from(["PT", "SY", "FN"]),
        st.sampled_from(["N", "N", "O", "E", "Y"]),
        st.booleans(),
    ),
    min_size=1,
    max_size=14,
)


@settings(max_examples=60, deadline=None)
@given(some_atoms)
def test_mapping_is_what_the_slow_reading_gives(tmp_path_factory, atoms):
    release = UmlsRelease().atom("C0000009", "SNOMEDCT_US", "9", "Other")
    for cui, sab, code, name, kind, suppress, preferred in atoms:
        release.atom(cui, sab, code, name, type=kind, suppress=suppress, preferred=preferred)
    opened = open_umls(release.write(tmp_path_factory.mktemp("umls")))
    codes = ["1", "2", "3", "4"]
    chosen = cuis_of_codes(opened, codes).chosen
    assert {code: one.cui for code, one in chosen.items()} == {
        code: algorithm_1(release, code) for code in codes
    }
    cuis = ["C0000001", "C0000002", "C0000003"]
    found = codes_of_cuis(opened, cuis).found
    assert {cui: list(one.codes) for cui, one in found.items()} == {
        cui: section_5_3(release, cui) for cui in cuis
    }
