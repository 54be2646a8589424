"""What is wrong with the inputs of a study is said in one sentence, before anything is trained."""

import pytest

from medgauge.errors import FileError, InputError, UnknownNameError
from medgauge.study.rooms.text_room import CorpusText
from medgauge.study.study_inputs import read_inputs
from tests.study.small import small_study, write_inputs
from tests.support.study_rooms import SmallText, small_rooms


@pytest.fixture
def folder(tmp_path):
    return write_inputs(tmp_path)


def read(folder, **changes):
    return read_inputs(small_study(folder, **changes), small_rooms())


def test_models_are_those_of_the_corpus_then_given_ones_then_general_ones(folder):
    found = read(
        folder, windows=[2], vectors=[str(folder / "old.bin")], general_vectors=[f"g={folder / 'news.bin'}"]
    )
    assert [(one.name, one.domain) for one in found.models] == [
        ("sg-w2", "biomedical"),
        ("old", "biomedical"),
        ("g", "general"),
    ]


def test_an_architecture_that_needs_a_parse_is_left_out_with_a_note(folder):
    found = read(folder, architectures=["sg", "dependency"], windows=[2])
    assert [one.name for one in found.models] == ["sg-w2"]
    assert found.notes == ["dependency is left out, as the corpus has no parse."]


def test_nothing_but_such_an_architecture_is_an_error(folder):
    with pytest.raises(InputError, match=r"corpus\.parquet has no parse, and no architecture of the study"):
        read(folder, architectures=["dependency"], windows=[])


@pytest.mark.parametrize(
    ("changes", "error", "problem"),
    [
        (
            {"corpus": None},
            InputError,
            r"^the study trains vectors; name a corpus with corpus='FILE', or vec",
        ),
        (
            {"corpus": None, "architectures": [], "windows": []},
            InputError,
            r"^the study has no vectors; name them with vectors='FILE' or general_vectors='FILE'$",
        ),
        ({"vectors": ["nothing.bin"]}, FileError, r"^nothing\.bin: "),
        ({"vectors": ["levenshtein"]}, InputError, r"^'levenshtein' has no vectors of words, which a study"),
        ({"sets": ["bio-simleks"], "subsets": {}}, UnknownNameError, r"no dataset .* 'bio-simleks'; did you"),
        ({"subsets": {"other": "any"}}, UnknownNameError, r"^subsets: there is no set of the study called"),
        ({"words": "nothing.parquet"}, FileError, r"^nothing\.parquet: "),
        ({"journals": "nothing.tsv"}, FileError, r"^nothing\.tsv: "),
    ],
)
def test_inputs_that_cannot_be_used_are_named(folder, changes, error, problem):
    with pytest.raises(error, match=problem):
        read(folder, **changes)


def test_a_table_that_is_not_of_words_is_refused_before_anything_is_trained(folder, monkeypatch):
    monkeypatch.setattr(SmallText, "words", CorpusText.words)
    with pytest.raises(FileError, match=r"alike\.parquet.* a word table"):
        read(folder, words=str(folder / "alike.parquet"))


def test_two_models_of_one_name_are_refused(folder):
    with pytest.raises(InputError, match=r"^two models are called 'sg-w2'; rename one"):
        read(folder, windows=[2], vectors=[f"sg-w2={folder / 'old.bin'}"])


def test_two_sets_or_corpora_of_one_name_are_refused(folder):
    alike = str(folder / "alike.parquet")
    with pytest.raises(InputError, match=r"^two sets are called 'alike'; rename one of them \(NAME=FILE\)$"):
        read(folder, sets=[alike, f"alike={folder / 'related.parquet'}"])
    with pytest.raises(InputError, match=r"^two NER corpora are called 'GENES'; rename one"):
        read(folder, ner_corpora=[str(folder / "GENES"), f"GENES={folder / 'DISEASES'}"])
