"""What experts said, read back from the exports of their studies and from tables of other programs."""

import pytest

from medgauge.build.words.expert_verdicts import read_associated, read_domains
from medgauge.errors import FileError
from medgauge.pairs import Card, Pairs
from tests.support.expert_answers import judged


def study_of(tmp_path, rows, protocol, answer, **options):
    Pairs.of(rows, card=Card(name="x", title="X")).save(tmp_path / "x.parquet")
    return judged(tmp_path / "x.parquet", protocol, answer, tmp_path / "ratings.tsv", **options)


def test_a_pair_is_accepted_if_all_experts_say_so(tmp_path):
    said = {
        frozenset(("edema", "dropsy")): {"Ann": 1.0, "Bea": 1.0},
        frozenset(("to stain", "to dye")): {"Ann": 1.0, "Bea": 0.0},
        frozenset(("apnea", "pallor")): {"Ann": 0.0, "Bea": 0.0},
        frozenset(("rash", "itch")): {"Ann": 1.0, "Bea": None},
    }
    rows = [tuple(pair) for pair in said]
    path = study_of(tmp_path, rows, "associated", lambda who, one, other: said[frozenset((one, other))][who])
    found = read_associated(path)
    assert found.of == {
        ("dropsy", "edema"): True,
        ("to dye", "to stain"): None,
        ("apnea", "pallor"): False,
        ("itch", "rash"): None,
    }
    assert (found.experts, found.judged, found.agreed) == (2, 4, 2)


def test_words_of_a_study_have_no_second_term_and_their_domains_are_read_back(tmp_path):
    said = {"centrosome": (2.0, 2.0), "river": (0.0, 0.0), "culture": (1.0, 1.0), "to play": (0.0, 2.0)}
    asked = []

    def answer(who, one, other):
        asked.append(other)
        return said[one][["Ann", "Bea"].index(who)]

    path = study_of(tmp_path, [(word, "") for word in said], "domain", answer)
    assert set(asked) == {""}
    assert read_domains(path).of == {
        ("centrosome",): "biomedical",
        ("river",): "general",
        ("culture",): "borderline",
        ("to play",): None,
    }


def test_a_table_of_another_program_will_do(tmp_path):
    (tmp_path / "ratings.csv").write_text("term_1,term_2,rater_A,rater_B\nedema,dropsy,1,1\napnea,pallor,,\n")
    assert read_associated(tmp_path / "ratings.csv").of == {("dropsy", "edema"): True}


@pytest.mark.parametrize(("read", "said"), [(read_associated, "0, 1"), (read_domains, "0, 1, 2")])
def test_ratings_of_another_protocol_are_refused(tmp_path, read, said):
    (tmp_path / "ratings.csv").write_text("term_1,term_2,rater_A,rater_B\nedema,dropsy,6,5\n")
    with pytest.raises(FileError, match=rf"ratings\.csv: has ratings other than {said}, which the protocol"):
        read(tmp_path / "ratings.csv")
