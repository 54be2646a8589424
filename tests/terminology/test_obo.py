import gzip
import io
import re
import warnings
from datetime import date

import polars as pl
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from medgauge.errors import FileError, InputError, MedgaugeWarning
from medgauge.files.digests import sha256_of
from medgauge.terminology.obo import read_ontology

SMALL = r"""format-version: 1.2
data-version: small/releases/2025-01-16
default-namespace: phenotype
synonymtypedef: layperson "layperson term"
synonymtypedef: brand "trade name" NARROW
ontology: small.obo

[Term]
id: HP:0000083
name: Renal insufficiency
namespace: disorder
alt_id: HP:0000084
def: "A reduction in the performance of the kidneys." [HPO:probinson]
synonym: "Renal failure" EXACT layperson [ORCID:0000-0001-5208-3432]
synonym: "Weak kidneys" RELATED []
synonym: "Kidney  failure" EXACT [] {source="x", note="a \"b\""} ! a comment
synonym: "Chronic kidney disease" NARROW []
synonym: "Kidney disorder" BROAD [X:1 "of [X], as it is", Y:2]
synonym: "  " EXACT []
is_a: HP:0000002 {source="MONDO"} ! Kept
is_a: HP:0000001 ! obsolete Old term
is_a: UBERON:1 ! not here
xref: UMLS:C1565489

[Term]
id: HP:0000001
name: obsolete Old term
synonym: "Very old term" EXACT []
is_obsolete: true
replaced_by: HP:0000083 ! Renal insufficiency
replaced_by: HP:0000083
consider: HP:0000083
consider: HP:0000002

[Term]
id: HP:0000002 ! an id
name: Kept \"term\", with signs \{1\} – fièvre\! ! and a comment
synonym: "say \"ah\"\\ {1} ! \:x\nnext" EXACT []
is_obsolete: false
replaced_by: HP:0000083

[Term]
id: HP:0000003

[Term]
id: CHEBI:1

[Typedef]
id: part_of
name: part of
synonym: "is part of" EXACT []

[Instance]
id: some_thing
name: Some thing
"""
LINE_OF_ACCENT = SMALL[: SMALL.index("è")].count("\n") + 1


@pytest.fixture
def read(tmp_path):
    """Read a text as an ontology."""

    def read(text: str | bytes, name: str = "small.obo", **options):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_ontology(path, **options)

    return read


def frame(clauses: str) -> str:
    """An ontology of one class, whose clauses begin in line 6."""
    return f"format-version: 1.4\nontology: x\n\n[Term]\nid: X:1\n{clauses}\n"


def terms(terminology) -> list[tuple[str, str]]:
    ids = terminology.concepts["id"]
    return [(ids[concept], term) for concept, term in terminology.synonyms.iter_rows()]


def links(terminology) -> list[tuple[str, str, str]]:
    ids = terminology.concepts["id"]
    return [
        (kind, ids[source], ids[target]) for kind, source, target, _ in terminology.associations.iter_rows()
    ]


def edges(terminology) -> list[tuple[str, str]]:
    ids = terminology.concepts["id"]
    return [(ids[child], ids[parent]) for child, parent in terminology.parents.iter_rows()]


def elsewhere_of(terminology) -> list[tuple[str, str]]:
    ids = terminology.concepts["id"]
    return [(ids[concept], xref) for concept, xref in terminology.xrefs.iter_rows()]


def same(one, two) -> bool:
    """Whether two terminologies say the same, wherever they were read."""
    tables = ("concepts", "synonyms", "associations", "parents", "xrefs")
    return all(getattr(one, table).equals(getattr(two, table)) for table in tables) and (
        (one.version, one.terms, one.nameless) == (two.version, two.terms, two.nameless)
    )


def test_classes_are_the_concepts_in_the_order_of_the_file(read):
    kept = 'Kept "term", with signs {1} – fièvre!'
    assert read(SMALL).concepts.rows() == [
        ("HP:0000083", "Renal insufficiency", "Renal insufficiency", "disorder", True, False),
        ("HP:0000001", "obsolete Old term", "Old term", "phenotype", False, False),
        ("HP:0000002", kept, kept, "phenotype", True, False),
        ("HP:0000003", None, None, "phenotype", True, False),
        ("CHEBI:1", None, None, "phenotype", True, False),
    ]


def test_exact_synonyms_of_active_classes_are_the_synonyms(read):
    assert terms(read(SMALL)) == [
        ("HP:0000083", "Renal failure"),
        ("HP:0000083", "Kidney failure"),
        ("HP:0000002", 'say "ah"\\ {1} ! :x next'),
    ]


def test_other_scopes_are_read_when_asked_for_in_any_case(read):
    assert [term for _, term in terms(read(SMALL, scopes=("Related", "BROAD", "narrow")))] == [
        "Weak kidneys",
        "Chronic kidney disease",
        "Kidney disorder",
    ]
    assert read(SMALL, scopes=()).synonyms.is_empty()


def test_an_unknown_scope_is_an_error_that_names_the_four(read):
    with pytest.raises(InputError, match="'CLOSE' is not a scope of synonyms; choose from: EXACT, BROAD, N"):
        read(SMALL, scopes=("EXACT", "close"))


def test_obsolete_classes_are_linked_to_what_replaces_them_each_once(read):
    terminology = read(SMALL)
    assert links(terminology) == [
        ("replaced-by", "HP:0000001", "HP:0000083"),
        ("possibly-equivalent-to", "HP:0000001", "HP:0000083"),
        ("possibly-equivalent-to", "HP:0000001", "HP:0000002"),
    ]
    assert terminology.associations["active"].all()


def test_replacements_without_a_label_are_left_out_and_counted(read):
    obsolete = "\n[Term]\nid: HP:9\nname: obsolete X\nis_obsolete: true\n"
    targets = "replaced_by: HP:0000084\nconsider: HP:0000003\nconsider: HP:77\nconsider: HP:0000083\n"
    with pytest.warns(MedgaugeWarning) as told:
        terminology = read(SMALL + obsolete + targets)
    assert [str(one.message) for one in told] == [
        "small.obo: 3 replacements of obsolete classes were left out because one of the two has no label in "
        "the file"
    ]
    assert links(terminology)[3:] == [("possibly-equivalent-to", "HP:9", "HP:0000083")]


def test_the_hierarchy_is_is_a_between_active_classes_of_the_file(read):
    assert edges(read(SMALL)) == [("HP:0000083", "HP:0000002")]
    assert read(SMALL, hierarchy=False).parents is None


def test_facts_about_the_whole_ontology(read, tmp_path):
    terminology = read(SMALL)
    assert terminology.form == "obo"
    assert (terminology.title, terminology.version) == ("small (releases/2025-01-16)", "releases/2025-01-16")
    assert terminology.files == {"small.obo": sha256_of(tmp_path / "small.obo")}
    assert terminology.terms == {
        "name": 2,
        "exact synonym": 3,
        "broad synonym": 1,
        "narrow synonym": 1,
        "related synonym": 1,
    }


def test_a_class_without_a_name_is_nameless_unless_it_is_a_stub_of_another_ontology(read):
    assert read(SMALL).nameless == ("HP:0000003",)
    assert read("[Term]\nid: X:1\n\n[Term]\nid: Y:1\n").nameless == ("X:1", "Y:1")


@pytest.mark.parametrize(
    ("head", "title", "version"),
    [
        ("ontology: go\ndata-version: 2024-01-17\n", "go (2024-01-17)", "2024-01-17"),
        ("ontology: go\ndate: 17:01:2024 10:30\n", "go (17:01:2024 10:30)", "17:01:2024 10:30"),
        ("date: 17:01:2024 10:30\ndata-version: 7 ! new\n", "mine (7)", "7"),
        ("", "mine", ""),
    ],
)
def test_the_version_is_data_version_or_the_date(read, head, title, version):
    terminology = read(f"{head}\n[Term]\nid: X:1\nname: x\n", "mine.obo.gz")
    assert (terminology.title, terminology.version) == (title, version)


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("obsolete Foo bar", "Foo bar"),
        ("OBSOLETE: Foo", "Foo"),
        ("Obsolete. Foo", "Foo"),
        ("obsolete_foo", "foo"),
        ("(obsolete) foo", "foo"),
        ("[Obsolete]foo", "foo"),
        ("obsolete - foo", "foo"),
        ("obsolete OBSOLETE foo", "foo"),
        ("obsolete (3R)-foo", "(3R)-foo"),
        ("obsolete -1 frameshift", "-1 frameshift"),
        ("obsolete  \u00a0foo   bar ", "foo bar"),
        ("Foo", "Foo"),
        ("obsoleted foo", "obsoleted foo"),
        ("obsolete", "obsolete"),
        ("OBSOLETE:", "OBSOLETE:"),
    ],
)
def test_labels_of_obsolete_classes_have_no_leading_obsolete(read, name, label):
    assert read(frame(f"name: {name}\nis_obsolete: true")).concepts["label"].to_list() == [label]
    assert read(frame(f"name: {name}")).concepts["label"].to_list() == [" ".join(name.split())]


@pytest.mark.parametrize(
    "changed",
    [
        SMALL.replace("\n", "\r\n"),
        SMALL.replace("\n", "\r"),
        "\ufeff" + SMALL,
        SMALL.replace("\n", " \t\n"),
        SMALL.replace("\nname", "\n\n  ! a remark\n\n  name"),
        SMALL.replace("name: ", "name:"),
        SMALL.replace("format-version: 1.2", "format-version: 1.4"),
        SMALL.replace("id: HP:0000083\n", "").replace("alt_id: HP:0000084", "id: HP:0000083"),
        SMALL.replace("HP:0000083", "http://purl.obolibrary.org/obo/HP_0000083"),
        gzip.compress(SMALL.encode(), mtime=0),
    ],
)
def test_the_same_in_another_dress(read, changed):
    assert same(read(changed), read(SMALL))


@pytest.mark.parametrize(
    ("clause", "flaw", "found"),
    [
        ('synonym: "a b" EXACT brand []', "synonym of an undeclared type", [("EXACT", "a b")]),
        ('synonym: "a" exact []', "synonym that is not well formed", [("EXACT", "a")]),
        ('synonym: "a" EXACT', "synonym that is not well formed", [("EXACT", "a")]),
        ('synonym: "a" EXACT x', "synonym that is not well formed", [("EXACT", "a")]),
        ('synonym: "a" EXACT [TAO:Bird and Mabee]', "synonym that is not well formed", [("EXACT", "a")]),
        ('synonym: "5" end" NARROW []', "synonym that is not well formed", [("NARROW", '5" end')]),
        ('synonym: "a\\" BROAD []', "synonym that is not well formed", [("BROAD", "a\\")]),
        ('synonym: "a" [X:1]', "synonym without a scope", [("RELATED", "a")]),
        ('synonym: "a"', "synonym without a scope", [("RELATED", "a")]),
        ('synonym: "a" EXACTLY []', "synonym without a scope", [("RELATED", "a")]),
        ("synonym: a EXACT []", "synonym that cannot be read", []),
        ("exact_synonym: a", "synonym that cannot be read", []),
        ("colour: red", "clause unknown to OBO", []),
        ("just words", "line that is not a clause", []),
        ("[Term", "line that is not a clause", []),
        ("creation_date: 202z-09-29T15:45:36Z", "bad date", []),
        ("is_a: X:2 a name", "value that is not one word", []),
        ("is_a:", "value that is not one word", []),
        ("is_obsolete: no", "is_obsolete that is neither true nor false", []),
        ("id: X:2", "second id of a class", []),
        ("name: y", "second name of a class", []),
        ("\n[Term]\nid: X:1\nname: x", "second frame with the same id", []),
        ("\n[Term]\nname: of nothing", "class without an id", []),
    ],
)
def test_a_flaw_is_reported_and_the_rest_is_read(read, clause, flaw, found):
    for scope, _ in found or [("EXACT", "")]:
        with pytest.warns(MedgaugeWarning) as told:
            terminology = read(frame(f"name: x\n{clause}\n\n[Term]\nid: X:9\nname: z"), scopes=(scope,))
        line = 7 + clause.startswith("\n")
        assert [str(one.message) for one in told] == [
            f"small.obo: 1 flaw found, and the rest was read: {flaw} (1, first in line {line})"
        ]
        assert terms(terminology) == [("X:1", text) for _, text in found]
        assert terminology.concepts["label"].to_list() == ["x", "z"]
        assert terminology.terms["name"] == 2


def test_all_flaws_are_reported_in_one_warning_that_repeats_no_term(read):
    flawed = SMALL.replace(" EXACT layperson", " EXACT secret_type").replace("RELATED []", "[]")
    with pytest.warns(MedgaugeWarning) as told:
        read(flawed.replace("alt_id", "alternative") + "name: Secret\ncreation_date: today\n")
    assert [str(one.message) for one in told] == [
        "small.obo: 3 flaws found, and the rest was read: "
        "clause unknown to OBO (1, first in line 12); "
        "synonym of an undeclared type (1, first in line 14); synonym without a scope (1, first in line 15)"
    ]


@pytest.mark.parametrize(
    ("name", "read_as"),
    [
        ("a {b} c", "a {b} c"),
        ("{a}", "{a}"),
        ('a {b} {c="d"} ! e', "a {b}"),
        ("a {b", "a {b"),
        ("a\\", "a\\"),
    ],
)
def test_bare_braces_and_backslashes_belong_to_a_name(read, name, read_as):
    with pytest.warns(MedgaugeWarning, match="text with bare braces or a bare backslash"):
        assert read(frame(f"name: {name}")).concepts["label"].to_list() == [read_as]


@pytest.mark.parametrize(
    "clause",
    [
        "name: a" + " " * 50_000 + "{",
        'synonym: "a" EXACT' + " " * 50_000 + "x",
        'synonym: "a" EXACT [' + 'a "b" ,' * 50_000,
        "is_a: http://" + "a_/" * 50_000 + " {",
    ],
)
def test_no_long_bad_line_keeps_the_reader_for_ever(read, clause):
    with pytest.warns(MedgaugeWarning, match="first in line 6"):
        assert read(frame(clause)).concepts["id"].to_list() == ["X:1"]


@pytest.mark.parametrize(
    "clause",
    [
        "name: " + '{a="b" ' * 50_000,
        "name: " + "\\" * 50_001,
        "name: {" + 'a="b",' * 50_000,
        "synonym: " + '" EXACT' * 50_000 + "LY",
    ],
)
def test_no_long_bad_term_keeps_the_reader_for_ever(read, clause):
    with (
        pytest.warns(MedgaugeWarning, match="first in line 6"),
        pytest.raises(FileError, match=r"class 1: the term has \d+,\d+ characters"),
    ):
        read(frame(clause))


def test_a_synonym_without_a_scope_has_that_of_its_type(read):
    with pytest.warns(MedgaugeWarning, match="synonym without a scope"):
        terminology = read(SMALL + '\n[Term]\nid: X:1\nsynonym: "a" brand []\n', scopes=["narrow"])
    assert terms(terminology)[-1] == ("X:1", "a")


def test_tags_of_obo_1_0_are_read(read):
    text = frame(
        'exact_synonym: "a" [X:1]\nbroad_synonym: "b" []\nrelated_synonym: "c"\nnarrow_synonym: "d" []'
    )
    assert terms(read(text)) == [("X:1", "a")]
    assert [term for _, term in terms(read(text, scopes=("RELATED", "NARROW")))] == ["c", "d"]


def test_frames_of_one_id_are_one_class(read):
    text = frame('synonym: "a" EXACT []\n\n[Term]\nid: X:2\nname: two')
    second = '\n[Term]\nid: X:1\nname: one\nsynonym: "b" EXACT []\nis_a: X:2\n'
    with pytest.warns(MedgaugeWarning, match=r"second frame with the same id \(1, first in line 12\)"):
        terminology = read(text + second)
    assert terminology.concepts["label"].to_list() == ["one", "two"]
    assert terms(terminology) == [("X:1", "a"), ("X:1", "b")]
    assert edges(terminology) == [("X:1", "X:2")]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "the file is empty"),
        (b"format-version: 1.2\nontology: x\n", "has no class"),
        (b"some words\n", "has no class"),
        (b"[Typedef]\nid: part_of\n", "has no class"),
        (b"<!DOCTYPE html>\n<html></html>", "is a web page"),
        (b'<?xml version="1.0"?>\n<rdf:RDF></rdf:RDF>', "looks like OWL"),
        (b"Prefix(:=<http://x>)\nOntology(<http://x>)", "looks like OWL"),
        (b"PK\x03\x04\0\0\0\0", "is not text"),
        (SMALL.encode("latin-1", "replace"), f"line {LINE_OF_ACCENT}: byte 0xe8 is not valid UTF-8"),
        (SMALL.encode("utf-16"), "line 1: the file is UTF-16"),
        (gzip.compress(SMALL.encode(), mtime=0)[:-20], "the gzip stream is cut off"),
    ],
)
def test_what_is_no_ontology_is_one_sentence(read, content, said):
    with pytest.raises(FileError) as raised:
        read(content)
    assert said in str(raised.value)
    assert str(raised.value).count("\n") == 0


@pytest.mark.parametrize(("name", "problem"), [("nowhere.obo", "no such file"), (".", "is a directory")])
def test_a_path_without_a_file_is_named(tmp_path, name, problem):
    with pytest.raises(FileError, match=problem):
        read_ontology(tmp_path / name)


def test_an_ontology_without_synonyms_links_or_parents_has_empty_tables(read):
    terminology = read(frame("name: x"))
    assert terminology.synonyms.schema == {"concept": pl.UInt32, "term": pl.String}
    assert terminology.parents.schema == {"child": pl.UInt32, "parent": pl.UInt32}
    assert list(terminology.associations.schema) == ["kind", "source", "target", "active"]
    assert terminology.synonyms.is_empty()
    assert terminology.associations.is_empty()


def escaped(text: str) -> str:
    """Write a text as OBO has it in quotes."""
    for sign, code in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\r", "\\r")):
        text = text.replace(sign, code)
    return text


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
def test_any_text_that_is_escaped_comes_back(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("obo") / "x.obo"
    path.write_text(frame(f'name: x\nsynonym: "{escaped(text)}" EXACT []'), "utf-8", newline="")
    expected = " ".join(text.split())
    assert read_ontology(path).synonyms["term"].to_list() == ([expected] if expected else [])


SIGNS = st.text(alphabet='ab "\\!{}[],:=é\u2028nWX1', max_size=16)
LINES = st.one_of(
    st.builds("name: {}".format, SIGNS),
    st.builds('name: {} {{x="{}"}} ! {}'.format, SIGNS, st.text("ab!{}", max_size=3), SIGNS),
    st.builds('synonym: "{}" EXACT [{}]'.format, SIGNS, SIGNS),
    st.builds('synonym: "{}" RELATED b [a:1 "{}"] {{a="{}"}} ! {}'.format, SIGNS, SIGNS, SIGNS, SIGNS),
    st.builds("is_a: a:1{}".format, st.text(alphabet='ab "\\!{}[],:=né1', max_size=16)),
)


# The specification has \W as a blank, fastobo as a W; and fastobo reads on after a backslash at the end.
@given(LINES.filter(lambda line: "\\W" not in line and not line.rstrip().endswith("\\")))
def test_whatever_fastobo_reads_is_read_alike(tmp_path_factory, line):
    import fastobo

    text = f'synonymtypedef: b "b"\nontology: x\n\n[Term]\nid: X:1\n{line}\n\n[Term]\nid: a:1\nname: a\n'
    path = tmp_path_factory.mktemp("obo") / "x.obo"
    path.write_text(text, "utf-8", newline="")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MedgaugeWarning)
        ours = read_ontology(path, scopes=("EXACT", "RELATED"))
    try:
        clause = next(iter(fastobo.load(io.BytesIO(text.encode()))[0]))
    except SyntaxError:
        reject()
    if line.startswith("name"):
        assert ours.concepts["label"][0] == (" ".join(clause.name.split()) or None)
    elif line.startswith("synonym"):
        expected = " ".join(clause.synonym.desc.split())
        assert ours.synonyms["term"].to_list() == ([expected] if expected else [])
    elif line.startswith("is_a"):
        assert bool(edges(ours)) == (str(clause.term) == "a:1")


@pytest.mark.slow
def test_the_human_phenotype_ontology_is_read_whole(hpo_file):
    """Counted with regular expressions over its frames, without any escapes, scopes or comments."""
    frames = [one for one in hpo_file.read_text("utf-8").split("\n\n[")[1:] if one.startswith("Term]")]
    active = [one for one in frames if "\nis_obsolete: true" not in one]
    obsolete = [one for one in frames if "\nis_obsolete: true" in one]
    terminology = read_ontology(hpo_file)
    assert terminology.title == "hp (releases/2025-01-16)"
    assert terminology.concepts["id"].to_list() == [re.search(r"id: (\S+)", one)[1] for one in frames]
    assert (len(frames), len(active), terminology.concepts["active"].sum()) == (19_484, 19_034, 19_034)
    scopes = [re.findall(r'^synonym: .*?" ([A-Z]+) ', one, re.MULTILINE) for one in active]
    assert sum(len(re.findall(r"^synonym: ", one, re.MULTILINE)) for one in frames) == 23_519
    assert terminology.terms == {"name": 19_034} | {
        f"{scope.lower()} synonym": sum(one.count(scope) for one in scopes)
        for scope in ("EXACT", "BROAD", "NARROW", "RELATED")
    }
    assert len(terminology.synonyms) == terminology.terms["exact synonym"]
    for kind, tag in (("replaced-by", "replaced_by"), ("possibly-equivalent-to", "consider")):
        expected = sum(len(set(re.findall(rf"^{tag}: (\S+)", one, re.MULTILINE))) for one in obsolete)
        assert terminology.associations.filter(kind=kind).height == expected
    assert len(terminology.parents) == sum(len(re.findall(r"^is_a: ", one, re.MULTILINE)) for one in active)
    assert terminology.nameless == ()
    assert not terminology.concepts.filter(~pl.col("active"))["label"].str.contains("(?i)^obsolete").any()


@pytest.mark.slow
def test_the_human_phenotype_ontology_is_read_as_fastobo_reads_it(hpo_file):
    import fastobo

    terminology = read_ontology(hpo_file)
    names, synonyms, parents, xrefs = {}, [], [], []
    for one in fastobo.load(str(hpo_file)):
        if isinstance(one, fastobo.term.TermFrame):
            clauses = {tag: [] for tag in ("name", "synonym", "is_a", "is_obsolete")}
            for clause in one:
                clauses.setdefault(clause.raw_tag(), []).append(clause)
            names[str(one.id)] = clauses["name"][0].name
            if not clauses["is_obsolete"]:
                found = (clause.synonym for clause in clauses["synonym"])
                synonyms += [(str(one.id), " ".join(s.desc.split())) for s in found if s.scope == "EXACT"]
                parents += [(str(one.id), str(clause.term)) for clause in clauses["is_a"]]
                elsewhere = [str(clause.xref.id) for clause in clauses.get("xref", [])]
                xrefs += [(str(one.id), xref) for xref in dict.fromkeys(elsewhere)]
    assert dict(zip(terminology.concepts["id"], terminology.concepts["name"], strict=True)) == names
    assert terms(terminology) == synonyms
    assert edges(terminology) == parents
    assert elsewhere_of(terminology) == xrefs
    assert len(xrefs) > 15_000


def test_xrefs_of_classes_are_ids_without_what_follows_them(read):
    found = read(
        frame(
            'name: x\ndef: "y" [PMID:1]\nxref: UMLS:C1 {source="MONDO:equivalentTo"} ! same\n'
            'xref: MEDDRA:10022016 "Inguinal hernia"\nxref: UMLS:C1\nxref: a\\:b:7\nxref:\n'
            "xref_analog: http://purl.obolibrary.org/obo/MP_0000003"
        )
    )
    assert elsewhere_of(found) == [
        ("X:1", "UMLS:C1"),
        ("X:1", "MEDDRA:10022016"),
        ("X:1", "a:b:7"),
        ("X:1", "MP:0000003"),
    ]


def test_obsolete_classes_have_no_xrefs(read):
    assert elsewhere_of(read(frame("name: x\nis_obsolete: true\nxref: UMLS:C1"))) == []


def test_creation_dates_say_when_classes_appeared(tmp_path):
    path = tmp_path / "dated.obo"
    frames = [
        "id: X:1\nname: a\ncreation_date: 2008-02-27T02:20:00Z",
        "id: X:2\nname: b\ncreation_date: 2012-03-04",
        "id: X:3\nname: c",
        "id: X:2\ncreation_date: 2011-01-01T00:00:00Z",
        "id: X:4\nname: d\ncreation_date: soon",
    ]
    path.write_text("".join(f"[Term]\n{frame}\n\n" for frame in frames), "utf-8")
    with pytest.warns(MedgaugeWarning, match="second frame with the same id .* bad date"):
        found = read_ontology(path)
    assert found.appeared.to_list() == [date(2008, 2, 27), date(2011, 1, 1), None, None]


def test_the_dates_of_the_human_phenotype_ontology_are_those_of_its_lines(hpo_file):
    written = dict(
        re.findall(
            r"^id: (\S+)\n(?:(?!\[).*\n)*?creation_date: (\d{4}-\d\d-\d\d)", hpo_file.read_text(), re.M
        )
    )
    found = read_ontology(hpo_file)
    dated = zip(found.concepts["id"], found.appeared, strict=True)
    assert {name: str(one) for name, one in dated if one is not None} == written
    assert len(written) > 4000
