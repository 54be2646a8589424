"""Kinds of mappings: a UMLS release, SSSOM, lists of ids."""

from pathlib import Path

import medgauge
from tests.fuzz.examples_tables import TERMS
from tests.fuzz.kind import Kind
from tests.fuzz.mutations import RAW, TABLE, TEXT
from tests.fuzz.structures import ZIP
from tests.support.umls_releases import UmlsRelease

_CODES = [f"{number}00{number}" for number in range(1, len(TERMS) + 1)]


def _release() -> UmlsRelease:
    release = UmlsRelease()
    for number, (code, term) in enumerate(zip(_CODES, TERMS, strict=True), 1):
        cui = f"C{number:07}"
        release.atom(cui, "SNOMEDCT_US", code, term, type="PT", preferred=True)
        release.atom(f"C{number // 2 + 1:07}", "SNOMEDCT_US", code, f"{term} too")
        release.types(cui, *(["T047", "T191", "T184"][number % 3 :]))
    return release


def _folder(folder: Path) -> None:
    _release().write(folder / "umls")


def _zip(folder: Path) -> None:
    _release().zip(folder / "umls.zip")


def _map(source: Path) -> object:
    found = medgauge.map_concepts(_CODES, umls=source)
    cuis = [f"C{number:07}" for number in range(1, 9)]
    back = medgauge.map_concepts(cuis, source="umls", target="snomed", umls=source)
    types = medgauge.map_concepts(cuis, source="umls", target="semantic-types", umls=source)
    return found.concepts, back.concepts, types.concepts


def _sssom(folder: Path) -> None:
    lines = ["#curie_map:", "#  EX: http://example.org/EX_"]
    lines.append("subject_id\tpredicate_id\tobject_id\tsubject_label")
    for code, term in zip(_CODES, TERMS, strict=True):
        lines.append(f"EX:{code}\tskos:exactMatch\tUMLS:C{code}\t{term}")
    (folder / "ex.sssom.tsv").write_text("\n".join(lines) + "\n", "utf-8")


def _by_sssom(folder: Path) -> object:
    ids = [f"EX:{code}" for code in _CODES]
    return medgauge.map_concepts(ids, source="ex", sssom=folder / "ex.sssom.tsv").concepts


def _ids(folder: Path) -> None:
    _sssom(folder)
    rows = [f"{term}\tEX:{code}" for code, term in zip(_CODES, TERMS, strict=True)]
    (folder / "ids.tsv").write_text("\n".join(["term\tid", *rows]) + "\n", "utf-8")


def _from_ids(folder: Path) -> object:
    return medgauge.map_concepts(folder / "ids.tsv", source="ex", sssom=folder / "ex.sssom.tsv").concepts


KINDS = (
    Kind(
        "umls-folder",
        _folder,
        tuple(f"umls/{name}" for name in _release().files()),
        lambda folder: _map(folder / "umls"),
        TEXT,
    ),
    Kind(
        "umls-zip",
        _zip,
        ("umls.zip",),
        lambda folder: _map(folder / "umls.zip"),
        (*RAW, *ZIP),
        sealed=True,
    ),
    Kind("sssom", _sssom, ("ex.sssom.tsv",), _by_sssom, TABLE),
    Kind("ids", _ids, ("ids.tsv",), _from_ids, TABLE),
)
