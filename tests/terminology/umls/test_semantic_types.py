import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge.errors import FileError
from medgauge.terminology.umls.semantic_types import common_ancestor, read_semantic_types
from medgauge.terminology.umls.umls_release import open_umls
from tests.support.umls_releases import every_case

trees = st.builds(
    lambda letter, numbers: letter + ".".join(map(str, numbers)),
    st.sampled_from("AB"),
    st.lists(st.integers(1, 11), max_size=4),
)


def above(tree: str) -> list[str]:
    """Return a tree number and all above it, the slow way: by taking off one level after another."""
    found = [tree]
    while "." in tree:
        tree = tree[: tree.rindex(".")]
        found.append(tree)
    return found + ([tree[0]] if len(tree) > 1 else [])


@given(st.lists(trees, min_size=1, max_size=4))
def test_the_common_ancestor_is_the_longest_number_above_all(some):
    shared = set.intersection(*(set(above(tree)) for tree in some))
    expected = max(shared, key=lambda tree: len(above(tree)), default=None)
    assert common_ancestor(some) == expected


def types_of(source, cuis, **options):
    found = read_semantic_types(open_umls(source, **options), cuis)
    return {cui: (one.tree, one.name, one.step) for cui in cuis for one in [found.of(cui)]}


def test_every_case_of_semantic_types(tmp_path):
    cuis = [f"C{number:07}" for number in (1, 2, 3, 4, 5, 11)]
    assert types_of(every_case().zip(tmp_path / "umls.zip"), cuis) == {
        "C0000001": ("A2.2.2", "Sign or Symptom", "one type"),
        # A type and one below it: the upper one.
        "C0000002": ("B2.2.1.2.1", "Disease or Syndrome", "common ancestor"),
        "C0000003": ("A2.2", "Finding", "common ancestor"),
        # An entity that is an event too.
        "C0000004": (None, None, "no common ancestor"),
        "C0000005": (None, None, "no type"),
        "C0000011": ("A1.4.1", "Chemical", "common ancestor"),
    }


def test_without_srdef_an_ancestor_has_the_name_that_another_concept_gives_it_or_its_number(tmp_path):
    release = every_case()
    release.has_network = False
    release.types("C0000020", "T033").types("C0000021", "T034", "T184")
    found = types_of(release.write(tmp_path), ["C0000011", "C0000021"])
    assert found == {
        "C0000011": ("A1.4.1", "A1.4.1", "common ancestor"),
        "C0000021": ("A2.2", "Finding", "common ancestor"),
    }


def test_the_digests_of_what_was_read_are_kept(tmp_path):
    found = read_semantic_types(open_umls(every_case().write(tmp_path)), ["C0000001"])
    assert {name: len(digest) for name, digest in found.files.items()} == {"MRSTY.RRF": 64, "SRDEF": 64}


def test_a_tree_number_that_is_none_is_an_error(tmp_path):
    release = every_case()
    release.assigned.append(("C0000009", "T999", "B2..1", "Nothing", "AT", ""))
    with pytest.raises(FileError, match=rf"MRSTY\.RRF, line {len(release.assigned)}: the tree number"):
        read_semantic_types(open_umls(release.write(tmp_path)), ["C0000001"])


def test_an_srdef_without_types_is_an_error(tmp_path):
    (tmp_path / "SRDEF").write_text("RL|T186|isa|H|||||||\n")
    folder = every_case().write(tmp_path / "umls")
    with pytest.raises(FileError, match="defines no semantic type"):
        read_semantic_types(open_umls(folder, srdef=tmp_path / "SRDEF"), ["C0000001"])
