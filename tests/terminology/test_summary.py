from medgauge.terminology.read import read_terminology
from medgauge.terminology.summary import summarise
from tests.rf2 import REPLACED_BY, SAME_AS, Release


def test_a_release_is_counted(tmp_path):
    release = Release()
    disease = release.concept(1).fsn("Disease (disorder)")
    flu = release.concept(2).fsn("Influenza (disorder)").synonym("Flu").synonym("Grippe", active=False)
    old = release.concept(3, active=False).fsn("Influenza, NOS (disorder)")
    release.concept(4)
    release.is_a(flu, disease)
    release.associate(old, flu, SAME_AS)
    release.associate(old, disease, REPLACED_BY, active=False)
    found = summarise(read_terminology([release.write(tmp_path / "release")]))
    assert (found.active_concepts, found.inactive_concepts, found.nameless) == (3, 1, 1)
    assert (found.active_terms, found.synonyms) == (2 + 1, 1)
    assert found.associations == {"same-as": 1}
    assert found.depth == 1
    assert found.active_terms == sum(found.terms.values())


def test_without_a_hierarchy_there_is_no_depth(tmp_path):
    path = tmp_path / "x.obo"
    path.write_text('[Term]\nid: X:1\nname: x\nsynonym: "y" EXACT []\nsynonym: "z" BROAD []\n')
    found = summarise(read_terminology([path], hierarchy=False))
    assert found.depth is None
    assert (found.active_terms, found.synonyms) == (3, 1)
    assert found.associations == {}
