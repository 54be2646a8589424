"""The SPECIALIST Lexicon, read from its unit records and from its tables."""

import gzip

import pytest

from medgauge.build.words.lexical.specialist_lexicon import read_lexicon
from medgauge.errors import FileError
from tests.support.lexicon_files import AGREEMENT, NOMINALISATIONS, RECORDS, write_records, write_tables


def refused(path):
    with pytest.raises(FileError) as error:
        read_lexicon(path)
    return str(error.value).removeprefix(f"{path.parent}/")


def test_records_and_tables_say_the_same(tmp_path):
    records, tables = read_lexicon(write_records(tmp_path / "a")), read_lexicon(write_tables(tmp_path / "b"))
    assert records.forms.equals(tables.forms)
    assert records.nominalisations.equals(tables.nominalisations)
    assert records.synonyms.equals(tables.synonyms)


def test_forms_lead_to_their_base_and_their_part_of_speech(tmp_path):
    forms = read_lexicon(write_tables(tmp_path / "a")).forms
    assert {("bound", "verb", "bind"), ("oedema", "noun", "edema"), ("edemata", "noun", "edema")} <= {
        *forms.rows()
    }
    assert not forms["form"].str.contains(" ").any()


def test_synonyms_are_single_words_of_one_part_of_speech_in_one_direction(tmp_path):
    found = read_lexicon(write_tables(tmp_path / "a")).synonyms
    assert found.rows() == [("noun", "dropsy", "edema"), ("verb", "breathe", "respire")]


def test_synonyms_of_releases_before_2017_have_no_source(tmp_path):
    (tmp_path / "SM.DB").write_text("edema|edema|128|dropsy|128\nbreathe|breathe|verb|respire|verb\n")
    assert read_lexicon(tmp_path).synonyms.height == 2


def test_a_single_file_is_read_by_its_name_or_its_content_packed_or_not(tmp_path):
    (tmp_path / "LRNOM.gz").write_bytes(gzip.compress(NOMINALISATIONS.encode()))
    assert read_lexicon(tmp_path / "LRNOM.gz").nominalisations.rows() == [
        ("phosphorylation", "phosphorylate")
    ]
    (tmp_path / "mine.txt").write_text(RECORDS)
    assert read_lexicon(tmp_path / "mine.txt").nominalisations.height == 1
    assert [*read_lexicon(tmp_path).files] == ["LRNOM.gz"]  # in a folder other files are not opened


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("LRAGR", AGREEMENT + "E1|cell|noun|\n", "LRAGR, line 23: the row has 4 fields between |, and 6 are"),
        ("LRSPL", "E1|edema\n", "LRSPL, line 1: the row has 2 fields between |, and 3 are expected"),
        ("SM.DB", "a|b\n", "SM.DB, line 1: the row has 2 fields between |, and 5 or 6 are expected"),
        ("SM.DB", "a|b|?|c|?|x|\n", "SM.DB, line 1: the third and the fifth field must be categories"),
        ("LEXICON", RECORDS[:-3], "LEXICON, line 42: the last record is cut off; get the file again"),
        ("LEXICON", RECORDS.replace("}\n", "", 1), "LEXICON, line 7: the record before it is not closed"),
        ("LEXICON", f"}}\n{RECORDS}", "LEXICON, line 1: a record is closed that was not opened"),
        ("LEXICON", f"cell\n{RECORDS}", "LEXICON, line 1: is outside of the records from {base= to }"),
    ],
)
def test_damage_is_reported_with_its_file_and_line(tmp_path, name, text, said):
    (tmp_path / name).write_text(text)
    assert refused(tmp_path / name).startswith(said)


def test_what_is_not_a_lexicon_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("cells\n")
    for path in (tmp_path, tmp_path / "notes.txt"):
        assert "is not a SPECIALIST Lexicon: name its folder, or its LEXICON, LRAGR" in refused(path)
    assert refused(tmp_path / "none") == "none: there is no such file or folder"
