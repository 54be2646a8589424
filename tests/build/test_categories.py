from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge.build.categories import lists_below, lists_tagged, write_lists
from medgauge.catalog.termlist import read_terms
from medgauge.errors import FileError, InputError, UnknownNameError
from medgauge.terminology.model import Terminology

CONCEPTS = [
    # id, label, tag, active, is_metadata
    ("0", "Everything", None, True, False),
    ("1", "Diagnostic procedure", "procedure", True, False),
    ("2", "Therapeutic procedure", "procedure", True, False),
    ("3", "Organism", "organism", True, False),
    ("4", "Biopsy", "procedure", True, False),
    ("5", "Renal  biopsy", "procedure", True, False),
    ("6", "Dialysis", "procedure", True, False),
    ("7", "Endoscopy with excision", "procedure", True, False),
    ("8", "X-RAY", "procedure", True, False),
    ("9", "x-ray", "procedure", True, False),
    ("10", "BIOPSY", "procedure", True, False),
    ("11", "Old splint", "procedure", False, False),
    ("12", None, "procedure", True, False),
    ("13", "Linkage", "procedure", True, True),
    ("14", "Candida", "organism", True, False),
    ("15", "endoscopy with excision", "procedure", True, False),
]
IS_A = [(1, 0), (2, 0), (3, 0), (4, 1), (5, 4), (6, 2), (7, 1), (7, 2), (8, 1), (9, 2), (10, 1)]
IS_A += [(11, 2), (12, 2), (13, 2), (14, 3), (15, 2)]


def terminology(concepts=CONCEPTS, parents=IS_A) -> Terminology:
    schema = {"id": pl.String, "label": pl.String, "tag": pl.String, "active": pl.Boolean}
    frame = pl.DataFrame(concepts, schema | {"is_metadata": pl.Boolean}, orient="row")
    return Terminology(
        form="rf2",
        title="small (20190131)",
        version="20190131",
        files={},
        concepts=frame.with_columns(name="label"),
        synonyms=pl.DataFrame(),
        associations=pl.DataFrame(),
        parents=pl.DataFrame(parents, {"child": pl.UInt32, "parent": pl.UInt32}, orient="row"),
        terms={},
        nameless=(),
    )


def counts(one) -> tuple[int, ...]:
    return (one.concepts, one.in_other_lists, one.term_in_other_lists, one.repeated_terms, len(one))


def test_a_list_has_what_stands_below_its_root_and_in_no_other_list():
    diagnostic, therapeutic, organism = lists_below(terminology(), ["1", "2", "3"])
    assert diagnostic.frame.rows() == [("4", "Biopsy"), ("5", "Renal biopsy")]
    assert therapeutic.frame.rows() == [("6", "Dialysis")]
    assert organism.frame.rows() == [("14", "Candida")]
    assert [one.name for one in (diagnostic, therapeutic, organism)] == [
        "diagnostic-procedure",
        "therapeutic-procedure",
        "organism",
    ]
    # Of 5: concept 7 is in two lists, 8 shares its term with 9, 10 repeats 4.
    assert counts(diagnostic) == (5, 1, 1, 1, 2)
    # Of 4: concept 7 is in two lists, 9 shares its term with 8, 15 with 7; 11, 12 and 13 never count.
    assert counts(therapeutic) == (4, 1, 2, 0, 1)
    assert counts(organism) == (1, 0, 0, 0, 1)


def test_a_long_name_in_another_script_is_cut_to_what_a_file_system_takes(tmp_path):
    concepts = [("1", "心" * 200, None, True, False), ("2", "Below", None, True, False)]
    (path,) = write_lists(lists_below(terminology(concepts, [(1, 0)]), ["1"]), tmp_path)
    assert path.name == "心" * 33 + ".tsv"


def test_one_list_shares_nothing():
    (diagnostic,) = lists_below(terminology(), ["1"])
    assert diagnostic.frame["id"].to_list() == ["4", "5", "7", "8"]
    assert counts(diagnostic) == (5, 0, 0, 1, 4)


def test_a_list_has_what_has_its_tag():
    procedure, organism = lists_tagged(terminology(), ["procedure", "organism"])
    assert [one.name for one in (procedure, organism)] == ["procedure", "organism"]
    assert organism.frame.rows() == [("3", "Organism"), ("14", "Candida")]
    assert procedure.frame["id"].to_list() == ["1", "2", "4", "5", "6", "7", "8"]
    assert counts(procedure) == (10, 0, 0, 3, 7)


@pytest.mark.parametrize(
    ("roots", "said"),
    [
        (["99"], r"small \(20190131\) has no concept with the id '99'"),
        (["11"], "the concept 11 is inactive"),
        (["14"], "there is no active concept with a name below 14"),
        (["1", "3", "1"], "'1' was given twice"),
        (["0", "3"], "nothing is left of the list for '3'"),
    ],
)
def test_a_root_without_a_list_of_its_own_is_an_error_that_repeats_no_term(roots, said):
    with pytest.raises(InputError, match=said) as raised:
        lists_below(terminology(), roots)
    assert not any(label and label in str(raised.value) for _, label, *_ in CONCEPTS)


def test_an_unknown_tag_names_a_near_one_or_those_there_are():
    with pytest.raises(
        UnknownNameError, match="there is no semantic tag 'organisms'; did you mean 'organism'"
    ):
        lists_tagged(terminology(), ["organisms"])
    with pytest.raises(UnknownNameError, match="choose from: organism, procedure"):
        lists_tagged(terminology(), ["Befund"])
    with pytest.raises(InputError, match="'organism' was given twice"):
        lists_tagged(terminology(), ["organism", "organism"])


def test_roots_with_one_name_are_told_apart_by_their_ids():
    concepts = [("X:1", "Pain", None, True, False), ("X:2", "pain!", None, True, False)]
    concepts += [("X:3", "a", None, True, False), ("X:4", "b", None, True, False)]
    lists = lists_below(terminology(concepts, [(2, 0), (3, 1)]), ["X:1", "X:2"])
    assert [one.name for one in lists] == ["pain-x-1", "pain-x-2"]


def test_tags_that_would_be_one_file_are_refused():
    concepts = [("1", "a", "x y", True, False), ("2", "b", "x-y", True, False)]
    with pytest.raises(InputError, match="the same file name"):
        lists_tagged(terminology(concepts, []), ["x y", "x-y"])


@pytest.mark.parametrize("label", ["???", None])
def test_a_root_without_a_name_for_a_file_gives_its_id(label):
    concepts = [("X:1", label, None, True, False), ("X:2", "a", None, True, False)]
    assert lists_below(terminology(concepts, [(1, 0)]), ["X:1"])[0].name == "x-1"


def test_lists_are_written_for_the_command_categories(tmp_path):
    paths = write_lists(lists_below(terminology(), ["1", "3"]), tmp_path / "new" / "lists")
    assert [path.name for path in paths] == ["diagnostic-procedure.tsv", "organism.tsv"]
    assert paths[1].read_bytes() == b"id\tterm\n14\tCandida\n"
    assert read_terms(paths[0]) == ["Biopsy", "Renal biopsy", "Endoscopy with excision", "X-RAY"]
    assert sorted(path.name for path in paths[0].parent.iterdir()) == [path.name for path in paths]


def test_a_file_with_other_content_stays_and_nothing_is_written(tmp_path):
    lists = lists_below(terminology(), ["1", "3"])
    mine = tmp_path / "organism.tsv"
    mine.write_text("mine")
    with pytest.raises(
        FileError, match=r"organism\.tsv: already exists with other content; add replace=True"
    ):
        write_lists(lists, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["organism.tsv"]
    assert mine.read_text() == "mine"
    write_lists(lists, tmp_path, replace=True)
    assert read_terms(mine) == ["Candida"]
    write_lists(lists, tmp_path)
    with pytest.raises(FileError, match="is a file, not a folder"):
        write_lists(lists, mine)


def test_lists_that_cannot_all_be_written_are_not_there(tmp_path, monkeypatch):
    lists = lists_below(terminology(), ["1", "3"])
    write = Path.write_text

    def full(path, text, *rest, **named):
        if "Candida" in text:
            raise OSError(28, "No space left on device")
        return write(path, text, *rest, **named)

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(FileError, match=r"\.tsv: cannot be written: No space left"):
        write_lists(lists, tmp_path)
    assert list(tmp_path.iterdir()) == []


LABELS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=8).map(lambda text: f"a{text}b")


@given(label=LABELS)
def test_any_label_comes_back_from_its_file(tmp_path_factory, label):
    concepts = [
        ("1", "root", None, True, False),
        ("2", label, None, True, False),
        ("3", '"', None, True, False),
    ]
    (path,) = write_lists(
        lists_below(terminology(concepts, [(1, 0), (2, 0)]), ["1"]), tmp_path_factory.mktemp("lists")
    )
    assert read_terms(path) == [" ".join(label.split()), '"']


@st.composite
def trees(draw):
    """Concepts with few labels under several roots, some in two of them."""
    count = draw(st.integers(3, 14))
    labels = draw(
        st.lists(st.sampled_from(["a", "A", "b", "ß", "SS", "c", None]), min_size=count, max_size=count)
    )
    active = draw(st.lists(st.sampled_from([True, True, False]), min_size=count, max_size=count))
    edges = draw(st.lists(st.tuples(st.integers(3, count), st.integers(0, 2)), max_size=3 * count))
    concepts = [(f"r{root}", f"root {root}", None, True, False) for root in range(3)]
    concepts += [
        (str(row), label, None, on, False) for row, (label, on) in enumerate(zip(labels, active, strict=True))
    ]
    return concepts, sorted({(child, parent) for child, parent in edges if child < len(concepts)})


@given(trees())
def test_lists_share_no_concept_and_no_term_and_count_all(tree):
    concepts, edges = tree
    below = {
        root: [
            child for child, parent in edges if parent == root and concepts[child][3] and concepts[child][1]
        ]
        for root in range(3)
    }
    expected = []
    for root, mine in below.items():
        others = [child for other, theirs in below.items() if other != root for child in theirs]
        terms = {concepts[child][1].casefold() for child in others}
        kept = {}
        for child in sorted(mine):
            if child not in others and concepts[child][1].casefold() not in terms:
                kept.setdefault(concepts[child][1].casefold(), concepts[child][0])
        expected.append(list(kept.values()))
    if not all(expected):
        with pytest.raises(InputError):
            lists_below(terminology(concepts, edges), ["r0", "r1", "r2"])
        return
    lists = lists_below(terminology(concepts, edges), ["r0", "r1", "r2"])
    assert [one.frame["id"].to_list() for one in lists] == expected
    for root, one in enumerate(lists):
        assert one.concepts == len(below[root])
        left_out = one.in_other_lists + one.term_in_other_lists + one.repeated_terms
        assert one.concepts == left_out + len(one)
