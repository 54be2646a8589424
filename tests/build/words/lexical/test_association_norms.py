"""Norms of free association: which pairs people associate, in both directions."""

import pytest

from medgauge.build.words.lexical.association_norms import read_norms
from medgauge.errors import FileError

HEADER = "cue\ttarget\tgroup_size\tparticipants\tforward_strength\tbackward_strength\n"


def norms(tmp_path, *rows):
    path = tmp_path / "usf.tsv"
    path.write_text(HEADER + "".join("\t".join(map(str, row)) + "\n" for row in rows))
    return {(first, second): said for first, second, said in read_norms(path).pairs.iter_rows()}


def test_a_pair_needs_more_than_ten_participants_and_both_directions(tmp_path):
    found = norms(
        tmp_path,
        ("wash", "rinse", 150, 11, 0.07, 0.2),
        ("river", "lake", 150, 10, 0.06, 0.2),  # ten are not more than ten
        ("alphabet", "a", 150, 90, 0.6, ""),  # never said in return
        ("day", "sun", 150, 40, 0.3, 0),
    )
    assert found == {
        ("rinse", "wash"): True,
        ("lake", "river"): False,
        ("a", "alphabet"): False,
        ("day", "sun"): False,
    }


def test_one_direction_with_enough_participants_is_enough(tmp_path):
    assert norms(tmp_path, ("lake", "river", 150, 5, 0.03, 0.2), ("River", "Lake", 150, 30, 0.2, 0.03)) == {
        ("lake", "river"): True
    }


def test_the_names_of_the_original_columns_are_known(tmp_path):
    path = tmp_path / "usf.csv"
    path.write_text("CUE,TARGET,#G,#P,FSG,BSG\nWASH,RINSE,150,20,.13,.2\n")
    assert read_norms(path).pairs.rows() == [("rinse", "wash", True)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("cue\tresponse\nwash\trinse\n", r"usf\.tsv: has no column participants"),
        (HEADER + "wash\trinse\t150\tmany\t.1\t.1\n", r"usf\.tsv, line 2: .* is not a number"),
        (HEADER + "wash\t\t150\t20\t.1\t.1\n", r"usf\.tsv, line 2: has no cue or no target"),
    ],
)
def test_bad_norms_are_reported_with_their_place(tmp_path, text, said):
    (tmp_path / "usf.tsv").write_text(text)
    with pytest.raises(FileError, match=said):
        read_norms(tmp_path / "usf.tsv")


def test_the_real_norms_have_as_many_pairs_as_awk_counts_in_them(real_data):
    found = read_norms(real_data("lexical/usf-free-association.tsv.gz")).pairs
    assert (found.height, found["associated"].sum()) == (63_772, 4_825)
