import math

import pytest

from medgauge.errors import FileError
from medgauge.models.ontology.concept_frequencies import read_frequencies
from medgauge.progress import hearing
from medgauge.terminology.concept_lookup import ConceptLookup
from medgauge.terminology.read import read_terminology

OBO = """ontology: toy

[Term]
id: T:1
name: Thing

[Term]
id: T:2
name: Cold
synonym: "chill" EXACT []
is_a: T:1

[Term]
id: T:3
name: Common cold
synonym: "cold" EXACT []
is_a: T:1
"""


@pytest.fixture
def lookup(tmp_path) -> ConceptLookup:
    path = tmp_path / "toy.obo"
    path.write_text(OBO)
    return ConceptLookup(read_terminology([path]))


@pytest.fixture
def read(lookup, tmp_path):
    """Read a table; the second result is what was remarked."""

    def reading(text, counted_in="corpus", name="counts.csv"):
        path = tmp_path / name
        path.write_text(text)
        heard: list[str] = []
        with hearing(heard.append):
            found = read_frequencies(path, counted_in, lookup)
        return found.counts.tolist(), heard

    return reading


def test_counts_by_id_or_term_are_added_up(read):
    assert read("id,count\nT:1,5\nT:2,0\nT:2,7\n") == ([5, 7, 0], [])
    assert read("Term\tCount\ncommon COLD\t2\nchill\t1.5\nthing\t0\n") == ([0, 1.5, 2], [])


def test_where_the_id_is_unknown_the_term_counts_and_what_is_left_out_is_told(read):
    counts, [heard] = read("id,term,count\nX:9,chill,3\n,flu,5\nT:3,flu,1\n,cold,9\n")
    assert counts == [0, 3, 1]
    assert "counts.csv: 2 of 4 rows are left out, which are of no concept of toy, of which 1 have a" in heard


def test_bands_of_patients_count_as_the_geometric_mean_of_their_ends(read):
    table = "id\tterm\tpatients\texclude\nT:2\tx\t20–49\t\nT:3\tx\t1,000–1,999\tx\nT:1\tx\t12\t\n"
    assert read(table, "records")[0] == pytest.approx([12, math.sqrt(20 * 49), math.sqrt(1000 * 1999)])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "id,n,frequency\nT:1,1,x\n",
            r"counts\.csv, line 2: the value of column 'frequency' is not a number",
        ),
        ("id,count\nT:1,1\nT:2,-3\n", r"counts\.csv, line 3: the value of column 'count' is below 0"),
        ("id,count\nT:1,\n", r"line 2: the value of column 'count' is missing"),
        ("id,count\nT:1,9-5\n", r"line 2: the value of column 'count' is a band that ends before it begins"),
        ("id,patients\nT:1,4\n", r"needs a column of counts: one of count, frequency, n, documents"),
        ("concepts,count\nT:1,4\n", r"needs a column of concepts: one of id, .*, term, name"),
        ("id,count\nX:1,4\nX:2,4\n", r"none of its 2 rows has a concept of toy; check its ids"),
        ("id,count\nT:1,0\n", r"counts no concept more than 0 times"),
        ("id,count\n", r"none of its 0 rows"),
    ],
)
def test_a_bad_table_is_one_sentence_with_the_place(read, text, problem):
    with pytest.raises(FileError, match=problem):
        read(text)
