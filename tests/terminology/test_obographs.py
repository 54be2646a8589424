import gzip
import json
from datetime import date

import pytest

from medgauge.errors import FileError, MedgaugeWarning
from medgauge.terminology.obo import read_ontology
from tests.terminology.test_obo import links, same, terms

OBO = "http://purl.obolibrary.org/obo/"
OIO = "http://www.geneontology.org/formats/oboInOwl#"

AS_OBO = r"""format-version: 1.4
data-version: releases/2025-01-16
default-namespace: phenotype
synonymtypedef: http://purl.obolibrary.org/obo/small#layperson "layperson term"
ontology: small

[Term]
id: HP:0000083
name: Renal  insufficiency
namespace: disorder
alt_id: HP:0000084
synonym: "Kidney \"failure\"" EXACT http://purl.obolibrary.org/obo/small#layperson []
synonym: "Weak kidneys" RELATED []
synonym: "Chronic kidney disease" NARROW []
synonym: "Kidney disorder" BROAD []
is_a: HP:0000118
is_a: UBERON:0002113

[Term]
id: HP:0000118
name: Phénotype
xref: UMLS:C0031437
xref: X:1 "x"

[Term]
id: HP:0000001
name: obsolete Old term
synonym: "Very old term" EXACT []
is_obsolete: true
replaced_by: HP:0000083
consider: HP:0000118

[Term]
id: HP:0000002
name: OBSOLETE: Older term
is_obsolete: true
consider: HP:0000083

[Term]
id: HP:0000003

[Term]
id: Orphanet:1
name: Rare
is_a: HP:0000118

[Typedef]
id: BFO:0000050
name: part of
"""


def value(pred: str, val: str) -> dict[str, str]:
    return {"pred": pred, "val": val}


def node(key: str, label: str | None = None, *, kind: str = "CLASS", **meta: object) -> dict[str, object]:
    made: dict[str, object] = {"id": key, "type": kind, "meta": meta}
    return made if label is None else made | {"lbl": label}


@pytest.fixture
def graph():
    """The same ontology as an OBO Graphs document, in the dialects of several writers."""
    synonyms = [
        {"pred": "hasExactSynonym", "val": 'Kidney "failure"', "synonymType": f"{OBO}small#layperson"},
        {"pred": f"{OIO}hasRelatedSynonym", "val": "Weak\nkidneys", "xrefs": []},
        {"pred": "hasNarrowSynonym", "val": "Chronic kidney disease"},
        {"pred": "hasBroadSynonym", "val": "Kidney disorder"},
        {"pred": "hasExactSynonym", "val": " "},
    ]
    disorder = [value(f"{OIO}hasOBONamespace", "disorder"), value(f"{OIO}hasAlternativeId", "HP:0000084")]
    old = [value(f"{OBO}IAO_0100001", f"{OBO}HP_0000083"), value(f"{OIO}consider", "HP:0000118")]
    older = [
        value("http://www.w3.org/2002/07/owl#deprecated", "true"),
        value(f"{OIO}consider", f"{OBO}HP_0000083"),
    ]
    return {
        "id": f"{OBO}small.json",
        "meta": {
            "version": f"{OBO}small/releases/2025-01-16/small.json",
            "basicPropertyValues": [value(f"{OIO}default-namespace", "phenotype")],
        },
        "nodes": [
            node(f"{OBO}BFO_0000050", "part of", kind="PROPERTY"),
            node(f"{OBO}HP_0000083", "Renal  insufficiency", synonyms=synonyms, basicPropertyValues=disorder),
            node(f"{OBO}HP_0000118", "Phénotype", xrefs=[{"val": "UMLS:C0031437"}, {"val": "X:1 x"}, {}]),
            node(
                f"{OBO}HP_0000084",
                deprecated=True,
                basicPropertyValues=[value(f"{OBO}IAO_0100001", f"{OBO}HP_0000083")],
            ),
            node(
                f"{OBO}HP_0000001",
                "obsolete Old term",
                deprecated=True,
                basicPropertyValues=old,
                synonyms=[{"pred": "hasExactSynonym", "val": "Very old term"}],
            ),
            node(f"{OBO}HP_0000002", "OBSOLETE: Older term", basicPropertyValues=older),
            {"id": f"{OBO}HP_0000003", "type": "CLASS"},
            node("http://www.orpha.net/ORDO/Orphanet_1", "Rare"),
            {"id": f"{OBO}small#layperson", "lbl": "layperson term"},
        ],
        "edges": [
            {"sub": f"{OBO}HP_0000083", "pred": "is_a", "obj": f"{OBO}HP_0000118"},
            {"sub": f"{OBO}HP_0000083", "pred": f"{OBO}BFO_0000050", "obj": f"{OBO}HP_0000003"},
            {"sub": f"{OBO}HP_0000083", "pred": "is_a", "obj": f"{OBO}UBERON_0002113"},
            {"sub": "http://www.orpha.net/ORDO/Orphanet_1", "pred": "is_a", "obj": f"{OBO}HP_0000118"},
        ],
    }


@pytest.fixture
def read(tmp_path):
    def read(document: object, **options):
        path = tmp_path / "small.json"
        path.write_bytes(document if isinstance(document, bytes) else json.dumps(document).encode())
        return read_ontology(path, **options)

    return read


@pytest.mark.parametrize("scopes", [("EXACT",), ("RELATED", "NARROW", "BROAD")])
def test_both_forms_of_an_ontology_make_the_same_terminology(read, graph, scopes, tmp_path):
    path = tmp_path / "small.obo"
    path.write_text(AS_OBO, "utf-8")
    as_obo = read_ontology(path, scopes=scopes)
    as_json = read({"graphs": [graph]}, scopes=scopes)
    assert same(as_obo, as_json)
    assert as_obo.title == as_json.title == "small (releases/2025-01-16)"
    assert list(as_json.files) == ["small.json"]
    assert len(links(as_json)) == 3


def test_json_is_known_by_its_content_gzipped_or_not_with_a_mark_or_blanks(read, graph):
    plain = read({"graphs": [graph]})
    for content in (b"\xef\xbb\xbf", b"\n  "):
        assert same(read(content + json.dumps({"graphs": [graph]}).encode()), plain)
    assert same(read(gzip.compress(json.dumps({"graphs": [graph]}, indent=1).encode())), plain)


def test_graphs_are_read_together(read, graph):
    other = {
        "id": "other",
        "nodes": [node("X:1", "x"), node(f"{OBO}HP_0000003", "named elsewhere")],
        "edges": [{"sub": f"{OBO}HP_0000003", "pred": "is_a", "obj": "X:1"}],
    }
    terminology = read({"graphs": [graph, other]})
    assert terminology.concepts["id"].to_list()[-1] == "X:1"
    assert terminology.concepts["label"].to_list()[4] == "named elsewhere"
    assert (4, 6) in terminology.parents.rows()
    assert terminology.title.startswith("small ")


def test_the_version_can_be_the_version_info(read, graph):
    graph["meta"] = {"basicPropertyValues": [value("http://www.w3.org/2002/07/owl#versionInfo", "7")]}
    assert read({"graphs": [graph]}).version == "7"


@pytest.mark.parametrize(
    ("iri", "key"),
    [
        (f"{OBO}HP_0000118", "HP:0000118"),
        (f"{OBO}NCBITaxon_Union_0000004", "NCBITaxon_Union:0000004"),
        (f"{OBO}FBcv_a1", "FBcv:a1"),
        (f"{OBO}a_b_c", f"{OBO}a_b_c"),
        (f"{OBO}mondo#excluded", f"{OBO}mondo#excluded"),
        ("HP:0000118", "HP:0000118"),
        ("http://www.orpha.net/ORDO/Orphanet_1", "Orphanet:1"),
        ("https://example.org/a_b/EFO_0000408", "EFO:0000408"),
        ("http://example.org/a_1#b", "http://example.org/a_1#b"),
        ("http://example.org/thing", "http://example.org/thing"),
    ],
)
def test_iris_become_the_curies_that_obo_has(read, iri, key):
    assert read({"graphs": [{"nodes": [node(iri, "x")]}]}).concepts["id"].to_list() == [key]


def test_flaws_are_reported_in_one_warning(read, graph):
    graph["nodes"] += [
        node("", "of nothing"),
        node("X:1", "x", synonyms=[{"pred": "hasOddSynonym", "val": "odd"}, "no object", {"val": 3}]),
        "no object",
    ]
    with pytest.warns(MedgaugeWarning) as told:
        terminology = read({"graphs": [graph]}, scopes=["RELATED"])
    assert [str(one.message) for one in told] == [
        "small.json: 3 flaws found, and the rest was read: class without an id (1, first in node 10); "
        "synonym without a scope (2, first in node 11)"
    ]
    assert terms(terminology)[-1] == ("X:1", "odd")


def test_half_a_surrogate_pair_is_no_end_of_the_reading(read):
    assert read(b'{"graphs": [{"nodes": [{"id": "X:1", "type": "CLASS", "lbl": "a\\ud800"}]}]}').concepts[
        "label"
    ].to_list() == ["a?"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"graphs": [\n{"nodes": [', "line 2: the JSON is truncated"),
        (b'{"graphs": [\n{"id": "http', "line 2: the JSON is truncated"),
        (b'{"graphs":\n [}]', "line 2: is not valid JSON"),
        (b'{"resourceType": "CodeSystem"}', "is JSON, but not an OBO Graphs document"),
        (b'{"graphs": {"nodes": []}}', "is JSON, but not an OBO Graphs document"),
        (b'{"graphs": [1, "x"]}', "is JSON, but not an OBO Graphs document"),
        (b'{"graphs": [{"nodes": [{"id": "X:1", "type": "PROPERTY"}]}]}', "no node of its graphs"),
        (b'{"graphs": [{"nodes": 3, "edges": null, "meta": []}]}', "no node of its graphs"),
        (b'{"graphs": ' + b"[" * 200_000, "its JSON cannot be read"),
        (b'{"graphs": ' + b"1" * 5000 + b"}", "its JSON cannot be read"),
        (b'[{"id": "X:1"}]', "has no class"),
        (gzip.compress(b'{"graphs": []}', mtime=0)[:-9], "the gzip stream is cut off"),
    ],
)
def test_what_is_no_obo_graphs_is_one_sentence(read, content, said):
    with pytest.raises(FileError, match=r"small\.json") as raised:
        read(content)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def test_creation_dates_are_those_of_either_property(tmp_path):
    created = [
        (f"{OIO}creation_date", "2008-02-27T02:20:00Z"),
        ("http://purl.org/dc/terms/created", "2012-03-04"),
        (f"{OIO}creation_date", "soon"),
    ]
    nodes = [
        {"id": f"{OBO}X_{number}", "type": "CLASS", "lbl": "x", "meta": {"basicPropertyValues": [said]}}
        for number, said in enumerate({"pred": name, "val": value} for name, value in created)
    ]
    path = tmp_path / "dated.json"
    path.write_text(json.dumps({"graphs": [{"nodes": nodes}]}), "utf-8")
    with pytest.warns(MedgaugeWarning, match="bad date"):
        found = read_ontology(path)
    assert found.appeared.to_list() == [date(2008, 2, 27), date(2012, 3, 4), None]
