"""Small UMLS releases, for tests: declared in Python, written as a folder or a zip. All names are made up.

release = UmlsRelease()
release.atom("C0000001", "SNOMEDCT_US", "1001", "Zorvic fever", type="PT")
release.types("C0000001", "T184", "T047")
release.write(tmp_path / "2024AA")           # or .zip(tmp_path / "umls.zip")
"""

import zipfile
from dataclasses import dataclass, field
from pathlib import Path

# The tree numbers and names of some semantic types, as the Semantic Network of the UMLS has them
# (https://www.nlm.nih.gov/research/umls/knowledge_sources/semantic_network/).
NETWORK = {
    "T071": ("A", "Entity"),
    "T051": ("B", "Event"),
    "T072": ("A1", "Physical Object"),
    "T017": ("A1.2", "Anatomical Structure"),
    "T023": ("A1.2.3.1", "Body Part, Organ, or Organ Component"),
    "T103": ("A1.4.1", "Chemical"),
    "T109": ("A1.4.1.2.1", "Organic Chemical"),
    "T121": ("A1.4.1.1.1", "Pharmacologic Substance"),
    "T033": ("A2.2", "Finding"),
    "T034": ("A2.2.1", "Laboratory or Test Result"),
    "T184": ("A2.2.2", "Sign or Symptom"),
    "T038": ("B2.2.1", "Biologic Function"),
    "T046": ("B2.2.1.2", "Pathologic Function"),
    "T047": ("B2.2.1.2.1", "Disease or Syndrome"),
    "T048": ("B2.2.1.2.1.1", "Mental or Behavioral Dysfunction"),
    "T191": ("B2.2.1.2.1.2", "Neoplastic Process"),
    "T061": ("B1.3.1.3", "Therapeutic or Preventive Procedure"),
}


@dataclass
class UmlsRelease:
    """The rows of MRCONSO.RRF and MRSTY.RRF, and whether there is an SRDEF."""

    has_network: bool = True
    atoms: list[tuple[str, ...]] = field(default_factory=list)
    assigned: list[tuple[str, ...]] = field(default_factory=list)

    def atom(
        self,
        cui: str,
        sab: str,
        code: str,
        name: str,
        *,
        type: str = "SY",  # noqa: A002 - as the column is called
        suppress: str = "N",
        preferred: bool = False,
    ) -> "UmlsRelease":
        """Add a row of MRCONSO.RRF; `preferred` makes it the concept's preferred English name."""
        number = f"{len(self.atoms) + 1:07}"
        ranks = ("P", "PF", "Y") if preferred else ("S", "VO", "N")
        scui = code if sab == "SNOMEDCT_US" else ""
        self.atoms.append(
            (
                *(cui, "ENG", ranks[0], f"L{number}", ranks[1], f"S{number}", ranks[2], f"A{number}"),
                *("", scui, "", sab, type, code, name, "0", suppress, ""),
            )
        )
        return self

    def types(self, cui: str, *tuis: str) -> "UmlsRelease":
        """Add rows of MRSTY.RRF."""
        self.assigned += [(cui, tui, *NETWORK[tui], f"AT{len(self.assigned)}", "") for tui in tuis]
        return self

    def files(self, version: str = "2024AA") -> dict[str, str]:
        """Return the files by their paths."""
        made = {
            f"{version}/META/MRCONSO.RRF": _rrf(self.atoms),
            f"{version}/META/MRSTY.RRF": _rrf(self.assigned),
        }
        if self.has_network:
            relation = ("RL", "T186", "isa", "H", "", "", "", "", "", "")
            rows = [("STY", tui, name, tree, "", "", "", "", "", "") for tui, (tree, name) in NETWORK.items()]
            made[f"{version}/NET/SRDEF"] = _rrf([*rows, relation])
        return made

    def write(self, folder: Path) -> Path:
        """Write the files below a folder."""
        for name, content in self.files().items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(content, "utf-8", newline="")
        return folder

    def zip(self, path: Path) -> Path:
        """Write the files into a zip, always the same bytes."""
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in self.files().items():
                archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
        return path


def every_case() -> UmlsRelease:
    """Return a release with every case of algorithm 1, of the way back, and of semantic types."""
    release = UmlsRelease()
    snomed = "SNOMEDCT_US"
    # One CUI, though not by a preferred term, as algorithm 1 does not ask for one then.
    release.atom("C0000001", snomed, "1001004", "Zorvic fever", preferred=True)
    # Two CUIs, of which one by preferred term.
    release.atom("C0000002", snomed, "1002006", "Plimmer's disease", type="PT", preferred=True)
    release.atom("C0000003", snomed, "1002006", "Plimmer disease of the knee")
    # Two CUIs, both by preferred term, and two, neither by preferred term.
    release.atom("C0000004", snomed, "1003001", "Quintal ache", type="PT", preferred=True)
    release.atom("C0000005", snomed, "1003001", "Quintal pain", type="PT", preferred=True)
    release.atom("C0000004", snomed, "1004007", "Ache, quintal, chronic")
    release.atom("C0000005", snomed, "1004007", "Chronic quintal pain")
    # An obsolete concept, and a second CUI that is only in a suppressed row.
    release.atom("C0000006", snomed, "1005008", "Old zorvosis", type="OAP", suppress="O", preferred=True)
    release.atom("C0000007", snomed, "1006009", "Narvic oedema", type="PT", preferred=True)
    release.atom("C0000001", snomed, "1006009", "Narvic swelling", type="PT", suppress="Y")
    # Equal names of two concepts; a concept with two preferred terms; one that only ICD-10-CM and MeSH have.
    release.atom("C0000008", snomed, "1007000", "Bryl", type="PT", preferred=True)
    release.atom("C0000009", snomed, "1008005", "bryl", type="PT", preferred=True)
    release.atom("C0000002", snomed, "1009002", "Disease of Plimmer", type="PT")
    release.atom("C0000010", "ICD10CM", "Q99.1", "Zorvic Fever", type="PT", preferred=True)
    release.atom("C0000002", "ICD10CM", "Q98.0", "Plimmer's disease", type="PT")
    release.atom("C0000002", "MSH", "D999001", "Plimmer Disease", type="MH")
    release.atom("C0000011", "MSH", "D999002", "Ulmic acid", type="MH", preferred=True)
    release.types("C0000001", "T184").types("C0000002", "T047", "T191").types("C0000003", "T033", "T184")
    release.types("C0000004", "T184", "T047").types("C0000007", "T046").types("C0000008", "T023")
    return release.types("C0000011", "T109", "T121")


def write_page_example(folder: Path) -> None:
    """Write the files of the examples in docs/map.md."""
    every_case().zip(folder / "umls-2024AA.zip")
    for name, ids in _LISTS.items():
        (folder / name).write_text("\n".join(ids.split()) + "\n", "utf-8")
    (folder / "mine.sssom.tsv").write_text(_SSSOM, "utf-8")
    (folder / "pairs.csv").write_text(_PAIRS, "utf-8")


_LISTS = {
    "ids.txt": "1001004 1002006 1003001 1004007 1005008 1006009 9999999",
    "cuis.txt": "C0000010 C0000002 C0000011",
    "typed.txt": "C0000001 C0000002 C0000004",
    "hp.txt": "HP:0009124 HP:0000411",
}
# As on the first page of the standard (https://github.com/mapping-commons/sssom).
_SSSOM = (
    "#curie_map:\n#  HP: http://purl.obolibrary.org/obo/HP_\n#  MP: http://purl.obolibrary.org/obo/MP_\n"
    "subject_id\tpredicate_id\tobject_id\tmapping_justification\n"
    "HP:0009124\tskos:exactMatch\tMP:0000003\tsemapv:LexicalMatching\n"
    "HP:0008551\tskos:exactMatch\tMP:0000018\tsemapv:LexicalMatching\n"
    "HP:0000411\tskos:broadMatch\tMP:0000021\tsemapv:LexicalMatching\n"
)
_PAIRS = """term_1,id_1,term_2,id_2,score
Zorvic fever,1001004,Plimmer's disease,1002006,3.2
Zorvic fever,1001004,Disease of Plimmer,1009002,3.0
fever of Zorvic,1001004,Plimmer's disease,1002006,2.1
Plimmer's disease,1002006,Zorvic pyrexia,1001004,2.4
Zorvic fever,1001004,Narvic oedema,1006009,0.5
zorvic fever,1001004,oedema of Narvic,1006009,1.5
Narvic swelling,1006009,Zorvic fever,1001004,1.0
Narvic oedema,1006009,Zorvic pyrexia,1001004,0.2
Quintal ache,1003001,Zorvic fever,1001004,2.8
"""


def _rrf(rows: list[tuple[str, ...]]) -> str:
    return "".join("|".join((*row, "")) + "\n" for row in rows)
