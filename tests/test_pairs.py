import json
import math
import os
import sys
from itertools import count
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal
from pydantic import ValidationError

from medgauge.errors import FileError, InputError, MedgaugeWarning, UnknownNameError
from medgauge.pairs import CARD_KEY, Card, Pairs, PairSet
from tests.support.crashes import crashes
from tests.support.processes import run

CARD = Card(
    name="small",
    title='Small: "a" set – fièvre',
    kind="relatedness",
    scale=(0, 3),
    description="Two pairs.",
    source="https://example.org",
    licence="CC0-1.0",
    citation="Nobody (2020).",
    build={"seed": 7, "strategies": ["random", "hard"]},
)
ROWS = [("renal failure", "kidney failure", 3.0), ("fever", "hay fever", 0.5), ("fever", "fracture", 0.0)]


def _small(**changes: object) -> PairSet:
    return PairSet.of(ROWS, card=CARD.model_copy(update=changes))


def _rich() -> PairSet:
    frame = _small().frame.with_columns(
        rater_A=pl.Series([3.0, None, 0.0]),
        cui_1=pl.Series(["C0035078", "", "C0015967"]),
        fold=pl.Series(["a", "b", "a"]),
    )
    return PairSet(frame, CARD)


def test_rows_are_numbered_from_one():
    assert _small().frame.rows() == [(str(place), *row) for place, row in enumerate(ROWS, 1)]


def test_terms_are_those_that_differ_in_the_order_of_their_first_occurrence():
    assert _small().terms == ["renal failure", "kidney failure", "fever", "hay fever", "fracture"]


def test_gold_is_an_array_of_floats():
    pairs = _small()
    assert (pairs.labelled, pairs.target) == (False, "gold")
    np.testing.assert_array_equal(pairs.gold, [3.0, 0.5, 0.0])


def test_a_labelled_set_has_labels_in_the_place_of_gold():
    pairs = PairSet.of([("a", "b", 1), ("c", "d", 0)], card=CARD, labelled=True)
    assert (pairs.labelled, pairs.target) == (True, "label")
    assert pairs.frame.schema["label"] == pl.Int8
    assert pairs.gold.dtype == np.float64
    np.testing.assert_array_equal(pairs.gold, [1.0, 0.0])


def test_head_gives_the_first_pairs_with_the_same_card():
    pairs = _small()
    assert pairs.head(2).frame.rows() == pairs.frame.rows()[:2]
    assert pairs.head(2).card == pairs.card
    assert len(pairs.head(0)) == 0
    assert pairs.head(99).digest == pairs.digest


@pytest.mark.parametrize("column", ["pair_id", "term_1", "term_2"])
def test_a_set_without_a_needed_column_is_refused(column):
    with pytest.raises(InputError, match=f"the set 'small' has no column {column}"):
        PairSet(_small().frame.drop(column), CARD)


@pytest.mark.parametrize(
    "change",
    [lambda frame: frame.drop("gold"), lambda frame: frame.with_columns(label=pl.lit(1))],
    ids=["neither", "both"],
)
def test_a_set_needs_either_gold_or_labels(change):
    with pytest.raises(InputError, match="needs exactly one of the columns gold and label"):
        PairSet(change(_small().frame), CARD)


def test_a_repeated_pair_id_is_refused():
    with pytest.raises(InputError, match="has the same pair_id twice"):
        PairSet(_small().frame.with_columns(pair_id=pl.lit("1")), CARD)


@pytest.mark.parametrize("value", [math.nan, math.inf, None])
def test_gold_that_is_not_a_number_is_refused(value):
    frame = _small().frame.with_columns(gold=pl.Series([1.0, value, 2.0]))
    with pytest.raises(InputError, match="has a gold that is not a number"):
        PairSet(frame, CARD)


def test_gold_in_a_column_of_text_is_refused():
    with pytest.raises(InputError, match="gold"):
        PairSet(_small().frame.with_columns(gold=pl.lit("high")), CARD)


@pytest.mark.parametrize("value", [2, -1, None])
def test_a_label_other_than_0_and_1_is_refused(value):
    frame = _small().frame.drop("gold").with_columns(label=pl.Series([1, 0, value], dtype=pl.Int8))
    with pytest.raises(InputError, match="has a label"):
        PairSet(frame, CARD)


@pytest.mark.parametrize("value", [0.9, 2, 300, math.nan])
def test_rows_with_a_label_other_than_0_and_1_are_refused(value):
    with pytest.raises(InputError, match="has a label"):
        PairSet.of([("a", "b", value)], card=CARD, labelled=True)


@pytest.mark.parametrize("column", ["term_1", "term_2"])
def test_a_missing_term_is_refused(column):
    frame = _small().frame.with_columns(pl.Series(column, ["fever", None, "fracture"]))
    with pytest.raises(InputError, match=column):
        PairSet(frame, CARD)


def test_a_card_with_an_unknown_field_is_refused():
    with pytest.raises(ValidationError, match="license"):
        Card(name="x", title="X", license="CC0-1.0")  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("rows", "shares"),
    [
        ([("heart", "heart", 1.0)], (0.0, 0.0)),
        ([("heart attack", "heart attack", 1.0), ("angina", "stroke", 1.0)], (1 / 2, 1 / 3)),
        ([("heart  attack", "heart\u00a0attack", 1.0)], (1.0, 1.0)),
        ([("heart-attack", "heart/attack", 1.0)], (0.0, 0.0)),
    ],
)
def test_multi_word_shares_count_by_occurrence_and_by_different_term(rows, shares):
    assert PairSet.of(rows, card=CARD).multi_word_shares() == shares


def test_multi_word_shares_of_no_pairs_are_undefined():
    assert all(map(math.isnan, PairSet.of([], card=CARD).multi_word_shares()))


def test_equal_sets_have_one_digest_whatever_their_cards_and_strata_say():
    assert _small().digest == _small(name="other").digest == _rich().digest


@pytest.mark.parametrize(
    "change",
    [
        {"pair_id": ["1", "2", "4"]},
        {"term_1": ["renal failure", "Fever", "fever"]},
        {"term_2": ["kidney failure", "hay fever", "fractures"]},
        {"gold": [3.0, 0.5, 1e-12]},
    ],
    ids=lambda change: next(iter(change)),
)
def test_the_digest_changes_with_an_id_a_term_or_a_gold(change):
    frame = _small().frame.with_columns(**{name: pl.Series(values) for name, values in change.items()})
    assert PairSet(frame, CARD).digest != _small().digest


def test_the_digest_changes_with_the_order_of_the_pairs():
    assert PairSet(_small().frame.reverse(), CARD).digest != _small().digest


def test_words_moved_from_one_term_to_the_other_change_the_digest():
    first = PairSet.of([("a b", "c", 1.0)], card=CARD)
    second = PairSet.of([("a", "b c", 1.0)], card=CARD)
    assert first.digest != second.digest


@pytest.mark.parametrize(
    "pairs",
    [_small(), _rich(), PairSet.of([("a", "b", 1), ("c", "d", 0)], card=CARD, labelled=True)],
    ids=["plain", "with raters and strata", "labelled"],
)
def test_a_set_is_read_as_it_was_saved(tmp_path, pairs):
    path = tmp_path / "new" / "small.parquet"
    pairs.save(path)
    again = PairSet.load(path)
    assert_frame_equal(again.frame, pairs.frame)
    assert again.card == pairs.card
    assert again.digest == pairs.digest
    assert sorted(file.name for file in path.parent.iterdir()) == ["README.md", "small.parquet"]


TERMS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)


@given(st.lists(st.tuples(TERMS, TERMS, st.floats(allow_nan=False, allow_infinity=False)), max_size=5))
@settings(max_examples=50, deadline=None)
def test_any_terms_and_scores_survive_saving(tmp_path_factory, rows):
    pairs = PairSet.of(rows, card=CARD)
    path = tmp_path_factory.mktemp("any") / "any.parquet"
    pairs.save(path)
    again = PairSet.load(path)
    assert again.frame.rows() == pairs.frame.rows()
    assert again.digest == pairs.digest


def test_the_readme_has_front_matter_that_names_the_title_and_the_file(tmp_path):
    _small().save(tmp_path / "small.parquet")
    _, front, body = (tmp_path / "README.md").read_text("utf-8").split("---\n", 2)
    matter = yaml.safe_load(front)
    assert matter["pretty_name"] == CARD.title
    assert matter["configs"] == [{"config_name": "default", "data_files": "small.parquet"}]
    assert f"# {CARD.title}\n" in body


def test_the_readme_says_what_the_card_says(tmp_path):
    pairs = _small()
    pairs.save(tmp_path / "small.parquet")
    readme = (tmp_path / "README.md").read_text("utf-8")
    for line in (
        "| pairs | 3 |",
        "| kind | relatedness |",
        "| scale | 0 to 3 |",
        "| licence | CC0-1.0 |",
        "| source | https://example.org |",
        "| citation | Nobody (2020). |",
        f"| digest of terms and gold | `{pairs.digest}` |",
        "| built with seed | 7 |",
    ):
        assert line in readme.splitlines()


def test_the_readme_of_a_labelled_set_gives_0_or_1_as_the_scale(tmp_path):
    PairSet.of([("a", "b", 1)], card=CARD, labelled=True).save(tmp_path / "small.parquet")
    assert "| scale | 0 or 1 |" in (tmp_path / "README.md").read_text("utf-8")


READ_WITH_DATASETS = """
import json, sys
from datasets import load_dataset
found = load_dataset(sys.argv[1])
print(json.dumps({split: list(rows) for split, rows in found.items()}))
"""


@pytest.mark.slow
def test_the_datasets_package_of_hugging_face_reads_the_folder(tmp_path):
    _rich().save(tmp_path / "set" / "small.parquet")
    own = {"HF_HOME": str(tmp_path / "hf"), "HF_DATASETS_CACHE": str(tmp_path / "hf" / "datasets")}
    done = run(
        [sys.executable, "-c", READ_WITH_DATASETS, str(tmp_path / "set")],
        env=os.environ | own | {"HF_HUB_OFFLINE": "1"},
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == {"train": _rich().frame.to_dicts()}


def test_a_parquet_file_without_a_card_is_sent_to_load_dataset(tmp_path):
    _small().frame.write_parquet(tmp_path / "bare.parquet")
    with pytest.raises(FileError, match="has no medgauge card; read it with load_dataset instead"):
        PairSet.load(tmp_path / "bare.parquet")


@pytest.mark.parametrize("content", [b"no Parquet at all", b"PAR1 cut off"])
def test_a_file_that_is_no_parquet_is_named(tmp_path, content):
    path = tmp_path / "bad.parquet"
    path.write_bytes(content)
    with pytest.raises(FileError, match=r"bad\.parquet: cannot be read as Parquet"):
        PairSet.load(path)


def test_a_missing_saved_set_is_named(tmp_path):
    with pytest.raises(FileError, match="there is no such file"):
        PairSet.load(tmp_path / "nowhere.parquet")


@pytest.mark.parametrize("card", ["{", "3", '{"name": "x"}', '{"name": "x", "title": "X", "kind": 1}'])
def test_a_damaged_card_is_an_error_that_names_the_file(tmp_path, card):
    path = tmp_path / "damaged.parquet"
    _small().frame.write_parquet(path, metadata={CARD_KEY: card})
    with pytest.raises(FileError, match=r"damaged\.parquet: its card is damaged"):
        PairSet.load(path)


def test_a_saved_frame_that_is_not_a_set_is_an_error_that_names_the_file(tmp_path):
    path = tmp_path / "changed.parquet"
    both = _small().frame.with_columns(label=1)
    both.write_parquet(path, metadata={CARD_KEY: CARD.model_dump_json()})
    with pytest.raises(
        FileError, match=r"changed\.parquet: .*needs exactly one of the columns gold and label"
    ):
        PairSet.load(path)


def test_a_card_of_a_newer_version_opens_with_a_warning(tmp_path):
    path = tmp_path / "newer.parquet"
    newer = {**CARD.model_dump(mode="json"), "epoch": 3, "mood": "good"}
    _small().frame.write_parquet(path, metadata={CARD_KEY: json.dumps(newer)})
    with pytest.warns(MedgaugeWarning, match=r"newer\.parquet: .*newer version .*; ignored: epoch, mood"):
        assert PairSet.load(path).card == CARD


def test_the_language_of_a_set_is_unknown_unless_it_is_given(tmp_path):
    _small().save(tmp_path / "small.parquet")
    assert "language" not in _front_matter(tmp_path)
    _small(language="de").save(tmp_path / "small.parquet")
    assert _front_matter(tmp_path)["language"] == ["de"]
    assert PairSet.load(tmp_path / "small.parquet").card.language == "de"


def _front_matter(folder):
    return yaml.safe_load((folder / "README.md").read_text("utf-8").split("---")[1])


def _bare() -> Pairs:
    return Pairs(_rich().frame.drop("gold"), CARD)


def test_pairs_need_no_gold_and_are_saved_and_loaded(tmp_path):
    pairs = _bare()
    pairs.save(tmp_path / "bare.parquet")
    loaded = Pairs.load(tmp_path / "bare.parquet")
    assert type(loaded) is Pairs
    assert loaded.card == CARD
    assert_frame_equal(loaded.frame, pairs.frame)
    assert "| gold | none yet |" in (tmp_path / "README.md").read_text("utf-8")


def test_loading_pairs_gives_a_set_where_there_is_gold(tmp_path):
    _small().save(tmp_path / "small.parquet")
    assert type(Pairs.load(tmp_path / "small.parquet")) is PairSet
    _bare().save(tmp_path / "bare.parquet")
    with pytest.raises(FileError, match="has neither gold scores nor labels"):
        PairSet.load(tmp_path / "bare.parquet")


@pytest.mark.parametrize("target", ["gold", "label"])
def test_pairs_with_a_target_are_a_set(target):
    with pytest.raises(InputError, match="has gold scores or labels; use PairSet for it"):
        Pairs(_bare().frame.with_columns(pl.lit(1).alias(target)), CARD)


def test_pairs_are_blinded_to_all_but_terms_and_concepts():
    assert _rich().blinded.frame.columns == ["pair_id", "term_1", "term_2", "cui_1"]
    assert _bare().blinded.frame.columns == ["pair_id", "term_1", "term_2", "cui_1"]


def test_keys_are_terms_ids_or_cuis_and_blank_ones_are_null():
    frame = _small().frame.with_columns(
        cui_1=pl.Series(["C1", " ", None]), cui_2=pl.Series(["C2", "C3 ", ""]), id_1=pl.Series([1, 2, 3])
    )
    pairs = PairSet(frame, CARD)
    assert pairs.keys("cui") == (["C1", None, None], ["C2", "C3", None])
    assert pairs.keys("term") == ([row[0] for row in ROWS], [row[1] for row in ROWS])
    with pytest.raises(InputError, match="has no column id_2 for a model to look up"):
        pairs.keys("id")
    with pytest.raises(UnknownNameError, match="there is no kind of key 'mesh'; choose from: term, id, cui"):
        pairs.keys("mesh")


def test_the_digest_of_keys_is_over_what_a_model_looks_up_alone():
    small, rich = _small(), _rich()
    assert small.key_digest("term") == rich.key_digest("term") == _bare().key_digest("term")
    assert PairSet.of([(*row[:2], 0.0) for row in ROWS], card=CARD).key_digest("term") == small.key_digest(
        "term"
    )
    assert PairSet.of([(row[1], row[0], row[2]) for row in ROWS], card=CARD).key_digest(
        "term"
    ) != small.key_digest("term")
    with_cuis = rich.frame.with_columns(cui_2=pl.Series(["C9", None, "C8"]))
    changed = with_cuis.with_columns(cui_2=pl.Series(["C9", "C7", "C8"]))
    assert PairSet(with_cuis, CARD).digest == PairSet(changed, CARD).digest
    assert PairSet(with_cuis, CARD).key_digest("cui") != PairSet(changed, CARD).key_digest("cui")


def test_saving_that_fails_leaves_the_old_set(tmp_path, monkeypatch):
    path = tmp_path / "small.parquet"
    _small().save(path)

    def fail(_frame: pl.DataFrame, target: Path, **_options: object) -> None:
        target.write_bytes(b"half")
        raise OSError("disk full")

    monkeypatch.setattr(pl.DataFrame, "write_parquet", fail)
    with pytest.raises(FileError, match=r"small\.parquet: cannot be written: disk full"):
        _small().head(1).save(path)
    monkeypatch.undo()
    assert len(PairSet.load(path)) == 3


def test_ratings_are_pairs_by_raters_with_nan_for_none():
    frame = pl.DataFrame(
        {
            "pair_id": ["1", "2"],
            "term_1": ["flu", "flu"],
            "term_2": ["cold", "fracture"],
            "gold": [1.5, 2.0],
            "rater_A": [1, None],
            "rater_B": [2.0, 2.0],
            "rater_notes": ["sure", "not sure"],
        }
    )
    pairs = PairSet(frame, Card(name="x", title="X"))
    assert pairs.raters == ["rater_A", "rater_B"]
    assert np.array_equal(pairs.ratings, [[1.0, 2.0], [np.nan, 2.0]], equal_nan=True)
    assert PairSet(frame.drop(pairs.raters), pairs.card).ratings.shape == (2, 0)


_OF_HUGGING_FACE = (
    "---\nconfigs:\n- config_name: default\n  data_files: data/train-*.parquet\n---\n\n# Mine\n"
)


@pytest.mark.parametrize(
    "readme",
    [
        _OF_HUGGING_FACE,
        "---\nconfigs:\n- config_name: default\n  data_files:\n  - split: train\n    path: x\n---\n",
        _OF_HUGGING_FACE + "\n<!-- written by medgauge -->\n",
    ],
    ids=["pattern", "splits", "signed"],
)
def test_saving_beside_the_readme_of_another_program_is_no_traceback(readme, tmp_path):
    (tmp_path / "README.md").write_text(readme)
    _small().save(tmp_path / "small.parquet")
    assert PairSet.load(tmp_path / "small.parquet").digest == _small().digest
    kept = (tmp_path / "README.md").read_text() == readme
    assert kept == ("written by medgauge" not in readme)


def test_saving_beside_a_folder_called_readme_leaves_it_alone(tmp_path):
    (tmp_path / "README.md").mkdir()
    _small().save(tmp_path / "small.parquet")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["README.md", "small.parquet"]


def test_a_readme_that_cannot_be_written_leaves_no_set_behind(tmp_path, monkeypatch):
    def fail(*_arguments: object, **_options: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(PairSet, "_readme", fail)
    with pytest.raises(FileError, match=r"README\.md: cannot be written: No space left on device"):
        _small().save(tmp_path / "new" / "small.parquet")
    assert list(tmp_path.iterdir()) == []


_SAVE = f"""
from medgauge.pairs import Card, PairSet
pairs = PairSet.of({ROWS!r}, card=Card(name="small", title="Small"))
"""


@pytest.mark.slow
def test_a_crash_while_a_set_is_saved_leaves_it_whole_or_absent_and_the_next_save_is_whole(tmp_path):
    for number in count():
        folder = tmp_path / str(number)
        folder.mkdir()
        crashed = crashes(_SAVE, "pairs.save('a.parquet')", folder, number=number)
        if (folder / "a.parquet").exists():
            assert PairSet.load(folder / "a.parquet").digest == _small().digest
        _small().save(folder / "a.parquet")
        assert sorted(path.name for path in folder.iterdir()) == ["README.md", "a.parquet"]
        if not crashed:
            break
    assert number >= 6


@pytest.mark.parametrize(
    ("card", "problem"),
    [
        ("[" * 100_000, "it is not valid JSON"),
        (json.dumps({"name": "red\x1b[31m", "title": "Red"}), "name: has control characters"),
    ],
    ids=["nested", "escape"],
)
def test_a_hostile_card_is_one_sentence(card, problem, tmp_path):
    _small().frame.write_parquet(tmp_path / "a.parquet", metadata={CARD_KEY: card})
    with pytest.raises(FileError, match=rf"a\.parquet: its card is damaged: {problem}"):
        PairSet.load(tmp_path / "a.parquet")


def test_a_card_names_columns_only_if_they_had_other_names():
    """Otherwise every older version would warn of a field that it does not know."""
    card = Card(name="x", title="X")
    assert "read_from" not in card.model_dump_json()
    named = card.model_copy(update={"read_from": {"gold": "Mittelwert"}})
    assert Card.model_validate_json(named.model_dump_json()) == named


def test_a_card_says_what_a_set_was_made_of_only_if_that_is_known():
    card = Card(name="x", title="X")
    assert "made_of" not in card.model_dump_json()
    assert "made of" not in PairSet.of([("a", "b", 1.0)], card=card).described()
    made = card.model_copy(update={"made_of": ("umls", "mine")})
    assert Card.model_validate_json(made.model_dump_json()) == made
    assert PairSet.of([("a", "b", 1.0)], card=made).described()["made of"] == "UMLS, mine"


def test_a_title_that_repeats_the_name_changes_with_it():
    assert Card(name="x", title="x").renamed("y") == Card(name="y", title="y")
    assert Card(name="x", title="The X").renamed("y") == Card(name="y", title="The X")
