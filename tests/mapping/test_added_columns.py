import polars as pl
import pytest

import medgauge
from medgauge.errors import InputError, UndefinedWarning, UnknownNameError
from medgauge.mapping.added_columns import add_concepts
from medgauge.mapping.umls_service import UmlsService
from medgauge.pairs import Card, Pairs, PairSet
from tests.support.umls_api import KEY

CARD = Card(name="mine", title="Mine", scale=(0, 3), licence="that of SNOMED CT: …", build={"seed": 7})


@pytest.fixture
def pairs() -> PairSet:
    frame = pl.DataFrame(
        {
            "pair_id": ["p1", "p2", "p3"],
            "term_1": ["zorvic fever", "quintal ache", "flim"],
            "term_2": ["plimmer disease", "zorvic fever", "narvic oedema"],
            "id_1": ["1001004", "1003001", ""],
            "id_2": ["1002006", "1001004", "1006009"],
            "rater_A": [1.0, None, 3.0],
            "gold": [1.0, 2.0, 3.0],
        }
    )
    return PairSet(frame, CARD)


def test_cuis_and_semantic_types_are_added_and_all_else_is_kept(pairs, umls, tmp_path):
    made = add_concepts(pairs, ["cui", "semantic-types"], umls=umls)
    assert made.frame.select(pairs.frame.columns).equals(pairs.frame)
    assert made.frame["cui_1"].to_list() == ["C0000001", None, None]
    assert made.frame["cui_2"].to_list() == ["C0000002", "C0000001", "C0000007"]
    assert made.frame["semantic_type_1"].to_list() == ["Sign or Symptom", None, None]
    assert made.frame["semantic_type_2"].to_list() == [
        "Disease or Syndrome",
        "Sign or Symptom",
        "Pathologic Function",
    ]
    assert made.digest == pairs.digest
    assert made.ratings.tolist()[0] == [1.0]
    made.save(tmp_path / "made.parquet")
    again = medgauge.load_dataset(tmp_path / "made.parquet")
    assert again.frame.equals(made.frame)
    assert again.card == made.card
    said = again.card.build
    assert said["seed"] == 7
    assert said["added cui"]["by"] == "UMLS 2024AA"
    assert (said["added cui"]["concepts"], said["added cui"]["mapped"]) == (4, 3)
    assert said["added cui"]["steps"]["several CUIs by preferred term"] == 1
    assert len(said["added semantic-types"]["files"]["MRSTY.RRF"]) == 64
    assert again.card.model_copy(update={"build": CARD.build}) == CARD
    assert "added cui mapped" in (tmp_path / "README.md").read_text()


def test_pairs_without_gold_get_columns_too(pairs, umls):
    made = add_concepts(Pairs(pairs.frame.drop("gold"), CARD), umls=umls)
    assert isinstance(made, Pairs)
    assert not isinstance(made, PairSet)
    assert made.frame["cui_1"][0] == "C0000001"


def test_semantic_types_of_own_cuis_need_no_ids(pairs, umls):
    own = pairs.frame.drop("id_1", "id_2").with_columns(
        cui_1=pl.Series(["C0000001", "", "C0000004"]), cui_2=pl.Series(["C0000011"] * 3)
    )
    made = add_concepts(PairSet(own, CARD), ["semantic-types"], umls=umls)
    assert made.frame["semantic_type_1"].to_list() == ["Sign or Symptom", None, None]
    assert made.frame["semantic_type_2"].to_list() == ["Chemical"] * 3
    assert made.card.build["added semantic-types"]["steps"]["no common ancestor"] == 1


def test_cuis_by_xrefs_and_semantic_types_by_a_release_go_together(pairs, umls, tmp_path):
    (tmp_path / "x.obo").write_text("[Term]\nid: X:1\nname: a\nxref: UMLS:C0000002\nxref: SCTID:1001004\n")
    made = add_concepts(pairs, ["cui", "semantic-types"], xrefs=tmp_path / "x.obo", umls=umls)
    assert made.frame["cui_1"].to_list() == ["C0000002", None, None]
    assert made.frame["semantic_type_1"].to_list() == ["Disease or Syndrome", None, None]


def test_a_model_is_evaluated_by_semantic_types(pairs, umls):
    again = (pairs.frame.with_columns(pair_id=pl.lit(f"{n} ") + pl.col("pair_id")) for n in range(9))
    rows = pl.concat(list(again)).drop("rater_A")
    made = add_concepts(PairSet(rows, CARD), ["cui", "semantic-types"], umls=umls)
    with pytest.warns(UndefinedWarning):  # the gold is the same for all pairs of a combination
        found = medgauge.evaluate("levenshtein", made, by="semantic-types")
    [used] = found.datasets
    assert [(one.name, one.n) for one in used.subsets] == [("Disease or Syndrome – Sign or Symptom", 9)]


@pytest.mark.parametrize(
    ("add", "dropped", "problem"),
    [
        (["cui"], ["id_1"], "the set 'mine' has no ids to map: it needs the columns id_1 and id_2"),
        (
            ["semantic-types"],
            [],
            "the set 'mine' has no CUIs, whose semantic types could be",
        ),
        ([], [], "nothing is to be added"),
    ],
)
def test_what_cannot_be_added_is_one_sentence(pairs, umls, add, dropped, problem):
    with pytest.raises(InputError, match=problem):
        add_concepts(PairSet(pairs.frame.drop(dropped), CARD), add, umls=umls)


def test_columns_that_are_there_are_not_overwritten(pairs, umls):
    made = add_concepts(pairs, umls=umls)
    with pytest.raises(InputError, match="already has the column cui_1; leave out cui, or add replace"):
        add_concepts(made, umls=umls)
    spoilt = PairSet(made.frame.with_columns(cui_1=pl.lit("C9999999")), CARD)
    assert add_concepts(spoilt, umls=umls, replace_columns=True).frame.equals(made.frame)
    with pytest.raises(UnknownNameError, match="no column to add 'cuis'; did you mean 'cui'"):
        add_concepts(pairs, ["cuis"], umls=umls)
    with pytest.raises(InputError, match="CUIs are what is added"):
        add_concepts(pairs, source="umls", umls=umls)


def test_codes_of_a_set_whose_licence_forbids_it_are_not_sent(pairs, monkeypatch):
    monkeypatch.setenv("UMLS_API_KEY", KEY)
    url = "https://umls.example.org/rest"
    service = UmlsService.of(url, allow_remote=[url])
    with pytest.raises(InputError, match="the licence of 'mine' does not let its codes leave this machine"):
        add_concepts(pairs, service=service)
