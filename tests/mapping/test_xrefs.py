import re

import pytest

from medgauge.errors import FileError
from medgauge.mapping.concept_systems import UMLS, concept_system
from medgauge.mapping.xrefs import read_xrefs

HP, SNOMED = concept_system("hp"), concept_system("snomed")


def test_an_ontology_without_such_xrefs_is_an_error(tmp_path):
    (tmp_path / "x.obo").write_text("[Term]\nid: HP:1\nname: a\nxref: UMLS:C1\n")
    with pytest.raises(FileError, match="has no class with an id of SNOMED CT and one of UMLS"):
        read_xrefs(tmp_path / "x.obo", SNOMED, UMLS)


@pytest.mark.slow
def test_the_pairs_of_hpo_are_those_of_its_lines(hpo_file):
    """Counted with regular expressions over its frames."""
    frames = [one for one in hpo_file.read_text("utf-8").split("\n\n[") if "\nis_obsolete: true" not in one]
    own, shared = set(), set()
    for one in frames:
        cuis = re.findall(r"^xref: UMLS:(\S+)", one, re.MULTILINE)
        codes = re.findall(r"^xref: SNOMED(?:CT_US|_CT):(\S+)", one, re.MULTILINE)
        if name := re.search(r"^id: (HP:\d+)", one, re.MULTILINE):
            own |= {(name[1], cui) for cui in cuis}
        shared |= {(code, cui) for code in codes for cui in cuis}
    assert read_xrefs(hpo_file, HP, UMLS).pairs == own
    assert read_xrefs(hpo_file, SNOMED, UMLS).pairs == shared
    assert len(own) > 12_000
