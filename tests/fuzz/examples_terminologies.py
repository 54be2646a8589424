"""Kinds of terminologies, and of what is built from them."""

import gzip
import json
import zipfile
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import medgauge
from medgauge.build.difference import diff
from medgauge.build.manifest import Manifest
from medgauge.build.verification import verify
from medgauge.models.in_memory import as_model
from medgauge.models.ontology.ontology_scorer import OntologyScorer
from medgauge.pairs import Card, Pairs
from medgauge.terminology.read import read_terminology
from medgauge.terminology.summary import summarise
from tests.fuzz.examples_tables import TERMS
from tests.fuzz.kind import Kind
from tests.fuzz.mutations import NESTED, RAW, TABLE, TEXT
from tests.fuzz.structures import JSON, PARQUET, ZIP
from tests.rf2 import REPLACED_BY, SAME_AS, Release

_OIO = "http://www.geneontology.org/formats/oboInOwl#"


def _release() -> Release:
    release = Release()
    root = release.concept(1).fsn(f"{TERMS[0]} (disorder)").synonym(TERMS[1])
    for number in range(2, 8):
        one = release.concept(number).fsn(
            f"{TERMS[number]} {number} (disorder)", acceptability=900000000000548007
        )
        one.synonym(f"{TERMS[number]} synonym").synonym(f"{TERMS[number - 1]} as well")
        release.is_a(one, root)
    old = release.concept(20, active=False).fsn(f"{TERMS[4]} retired (finding)")
    release.associate(old, root, SAME_AS)
    release.associate(release.concept(21, active=False).fsn(f"{TERMS[5]} gone (finding)"), root, REPLACED_BY)
    return release


def _zipped(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in _release().files().items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)


def obo() -> str:
    """Return an ontology in OBO."""
    frames = ["format-version: 1.2\ndata-version: releases/2025-01-16\nontology: ex\ndefault-namespace: ex"]
    for number, term in enumerate(TERMS):
        frames.append(
            f'[Term]\nid: EX:{number:07}\nname: {term}\nsynonym: "{term} too" EXACT []\n'
            f'synonym: "another {term} {number}" EXACT layperson [PMID:1]\n'
            + (f"is_a: EX:{number // 2:07} ! parent\n" if number else "")
        )
    frames.append(
        f"[Term]\nid: EX:0000099\nname: obsolete {TERMS[0]} old\nis_obsolete: true\nreplaced_by: EX:0000001"
    )
    return "\n\n".join(frames) + "\n"


def _graphs() -> bytes:
    nodes = [
        {
            "id": f"http://purl.obolibrary.org/obo/EX_{number:07}",
            "lbl": term,
            "type": "CLASS",
            "meta": {
                "synonyms": [{"pred": "hasExactSynonym", "val": f"{term} too"}],
                "basicPropertyValues": [{"pred": f"{_OIO}hasOBONamespace", "val": "ex"}],
            },
        }
        for number, term in enumerate(TERMS)
    ]
    edges = [
        {"sub": one["id"], "pred": "is_a", "obj": nodes[place // 2]["id"]}
        for place, one in enumerate(nodes)
        if place
    ]
    graph = {
        "id": "http://purl.obolibrary.org/obo/ex.json",
        "nodes": nodes,
        "edges": edges,
        "meta": {"version": "1"},
    }
    return json.dumps({"graphs": [graph]}, indent=1).encode()


def _read(*names: str) -> Callable[[Path], object]:
    def read(folder: Path) -> object:
        found = read_terminology([folder / name for name in names])
        summary = summarise(found)
        tables = (found.concepts, found.synonyms, found.associations, found.parents)
        return summary.terms, summary.depth, [one.rows() for one in tables if one is not None]

    return read


def _built(folder: Path) -> object:
    return medgauge.build_terminology(folder / "ex.obo", folder / "sets", workers=1).sets


def _folder(path: Path) -> None:
    _release().write(path / "release")


def _sets(form: str) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        (folder / "ex.obo").write_text(obo(), "utf-8")
        medgauge.build_terminology(
            folder / "ex.obo", folder / "sets", families=["fsn-syn"], form=form, workers=1
        )
        (folder / "ex.obo").unlink()

    return make


def _manifest(folder: Path) -> object:
    found = Manifest.load(folder / "sets" / "manifest.json")
    return found.to_json(), found.to_markdown(), found.to_csv()


def _verified(folder: Path) -> object:
    checked = verify(folder / "sets" / "manifest.json", folder / "sets")
    return checked.sets, [
        (one.set, one.old, one.new) for one in diff(folder / "sets", folder / "sets").changes
    ]


def _counted(folder: Path) -> None:
    _text(folder / "ex.obo", obo())
    rows = [f"EX:{number:07}\t{term}\t{1 + number * 7 % 30}" for number, term in enumerate(TERMS)]
    _text(folder / "counts.tsv", "id\tterm\tcount\n" + "\n".join(rows) + "\n")


def _scores(spec: str) -> Callable[[Path], object]:
    """Return what scores every pair of terms by the hierarchy, in `spec` without the folder."""

    def read(folder: Path) -> object:
        model = as_model(spec.format(folder))
        pairs = Pairs.of(combinations(TERMS, 2), card=Card(name="pairs", title="Pairs"))
        assert isinstance(model, OntologyScorer)
        values, failures = model.explained(pairs)
        return [str(value) for value in values], failures

    return read


_FILES = tuple(f"release/{name}" for name in _release().files())
KINDS = (
    Kind("rf2-folder", _folder, _FILES, _read("release"), TABLE),
    Kind(
        "rf2-zip",
        lambda folder: _zipped(folder / "r.zip"),
        ("r.zip",),
        _read("r.zip"),
        (*RAW, *ZIP),
        sealed=True,
    ),
    Kind("obo", lambda folder: _text(folder / "ex.obo", obo()), ("ex.obo",), _read("ex.obo"), TEXT),
    Kind(
        "obo-gzip",
        lambda folder: _bytes(folder / "ex.obo.gz", gzip.compress(obo().encode(), mtime=0)),
        ("ex.obo.gz",),
        _read("ex.obo.gz"),
        RAW,
        sealed=True,
    ),
    Kind("obo-build", lambda folder: _text(folder / "ex.obo", obo()), ("ex.obo",), _built, TEXT),
    Kind(
        "obo-graphs",
        lambda folder: _bytes(folder / "ex.json", _graphs()),
        ("ex.json",),
        _read("ex.json"),
        (*NESTED, JSON, JSON, JSON),
    ),
    Kind(
        "ontology-obo",
        lambda folder: _text(folder / "ex.obo", obo()),
        ("ex.obo",),
        _scores("ontology:wup@{0}/ex.obo"),
        TEXT,
    ),
    Kind(
        "ontology-counts",
        _counted,
        ("counts.tsv",),
        _scores("ontology:lin@{0}/ex.obo?ic=corpus:{0}/counts.tsv"),
        TABLE,
    ),
    Kind("manifest", _sets("parquet"), ("sets/manifest.json",), _manifest, (*NESTED, JSON, JSON, JSON)),
    Kind(
        "built-parquet", _sets("parquet"), ("sets/fsn-syn-easy-random.parquet",), _verified, (*RAW, PARQUET)
    ),
    Kind("built-tsv", _sets("tsv"), ("sets/fsn-syn-easy-random.tsv",), _verified, TABLE),
)


def _text(path: Path, text: str) -> None:
    path.write_text(text, "utf-8")


def _bytes(path: Path, content: bytes) -> None:
    path.write_bytes(content)
