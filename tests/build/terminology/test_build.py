"""Builds from end to end: the sets, their bytes, what is kept of an interrupted one, what is refused."""

import hashlib
import json
import os
from pathlib import Path

import polars as pl
import pytest

from medgauge.build.manifest import MANIFEST, Manifest
from medgauge.build.terminology import build as module
from medgauge.build.terminology.build import build_terminology
from medgauge.build.terminology.families import STRATEGIES
from medgauge.build.terminology.sets import PARTS
from medgauge.errors import FileError, InputError, MedgaugeWarning, UnknownNameError
from medgauge.pairs import PairSet
from medgauge.progress import hearing
from tests.build.small import FSN_SYN, SAME, SYN_SYN, small_release
from tests.rf2 import SAME_AS, Release, sctid

ALL = {part.set_name(strategy) for part in PARTS for strategy in STRATEGIES}


@pytest.fixture(scope="module")
def source(tmp_path_factory) -> Path:
    return small_release().zip(tmp_path_factory.mktemp("release") / "release.zip")


def bytes_of(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


def rows(folder: Path, name: str, label: int) -> list[tuple[str, str]]:
    frame = PairSet.load(folder / f"{name}.parquet").frame.filter(pl.col("label") == label)
    return list(frame.select("term_1", "term_2").iter_rows())


def test_twenty_sets_with_ids_tags_and_distances_are_built(source, tmp_path):
    manifest = build_terminology(source, tmp_path / "sets")
    assert set(manifest.sets) == ALL
    assert {path.stem for path in (tmp_path / "sets").glob("*.parquet")} == ALL
    for family, expected in {"fsn-syn": FSN_SYN, "syn-syn": SYN_SYN, "same-as": SAME}.items():
        for strategy in STRATEGIES:
            found = [
                pair
                for half in ("easy", "hard")
                for pair in rows(tmp_path / "sets", f"{family}-{half}-{strategy}", 1)
            ]
            assert sorted(found) == sorted(expected)
    made = PairSet.load(tmp_path / "sets" / "same-as-hard-random.parquet")
    assert made.card.language == "en"
    assert made.card.made_of == ("snomed-ct",)
    assert made.frame.drop("pair_id").row(0, named=True) == {
        "term_1": "Swamp sickness",
        "term_2": "Malaria",
        "label": 1,
        "id_1": str(sctid(104, "00")),
        "id_2": str(sctid(2, "00")),
        "tag_1": "disorder",
        "tag_2": "disorder",
        "distance": 12,
    }


def test_no_negative_breaks_a_rule_across_sets(source, tmp_path):
    build_terminology(source, tmp_path / "sets")
    positives = {frozenset(pair) for name in ALL for pair in rows(tmp_path / "sets", name, 1)}
    for strategy in STRATEGIES:
        for part in PARTS:
            made = rows(tmp_path / "sets", part.set_name(strategy), 0)
            pairs = {frozenset(pair) for pair in made}
            assert len(pairs) == len(made)
            assert not pairs & positives
            assert all(one.lower() != other.lower() for one, other in made)
            for earlier in part.avoids():
                assert not pairs & {
                    frozenset(pair) for pair in rows(tmp_path / "sets", earlier.set_name(strategy), 0)
                }


def test_what_each_part_avoids_is_what_the_rules_say():
    names = [part.name for part in PARTS]
    replacements = names[:6]
    avoided = {part.name: [one.name for one in part.avoids()] for part in PARTS}
    assert names == [
        *(
            "possibly-equivalent-to-easy",
            "possibly-equivalent-to-hard",
            "replaced-by-easy",
            "replaced-by-hard",
        ),
        *("same-as-easy", "same-as-hard", "fsn-syn-easy", "fsn-syn-hard", "syn-syn-easy", "syn-syn-hard"),
    ]
    for place, name in enumerate(replacements):
        assert avoided[name] == replacements[:place]
    assert avoided["fsn-syn-easy"] == replacements
    assert avoided["fsn-syn-hard"] == [*replacements, "fsn-syn-easy"]
    assert avoided["syn-syn-easy"] == [*replacements, "fsn-syn-easy", "fsn-syn-hard"]
    assert avoided["syn-syn-hard"] == [*replacements, "syn-syn-easy"]


def test_the_same_seed_gives_the_same_bytes_whatever_the_workers(source, tmp_path):
    for name, workers in (("one", 1), ("two", 2), ("three", None)):
        build_terminology(source, tmp_path / name, workers=workers)
    assert bytes_of(tmp_path / "one") == bytes_of(tmp_path / "two") == bytes_of(tmp_path / "three")
    other = build_terminology(source, tmp_path / "other", seed=1)
    assert other.sets != Manifest.load(tmp_path / "one").sets


def test_a_set_is_the_same_whichever_others_are_built_with_it(source, tmp_path):
    whole = build_terminology(source, tmp_path / "all")
    alone = build_terminology(source, tmp_path / "some", families=["syn-syn"], negatives=["levenshtein"])
    assert set(alone.sets) == {"syn-syn-easy-levenshtein", "syn-syn-hard-levenshtein"}
    for name, facts in alone.sets.items():
        assert facts == whole.sets[name]
        file = f"{name}.parquet"
        assert (tmp_path / "some" / file).read_bytes() == (tmp_path / "all" / file).read_bytes()
    assert {path.name for path in (tmp_path / "some").iterdir()} == {
        *(f"{name}.parquet" for name in alone.sets),
        "README.md",
        MANIFEST,
    }


def test_tsv_has_the_same_pairs_and_a_header(source, tmp_path):
    tsv = build_terminology(source, tmp_path / "tsv", form="tsv")
    parquet = build_terminology(source, tmp_path / "parquet")
    assert tsv.sets == parquet.sets
    lines = (tmp_path / "tsv" / "fsn-syn-hard-random.tsv").read_text("utf-8").splitlines()
    assert lines[0].split("\t")[:4] == ["pair_id", "term_1", "term_2", "label"]
    assert len(lines) == 1 + len(PairSet.load(tmp_path / "parquet" / "fsn-syn-hard-random.parquet"))


def test_a_larger_split_distance_makes_more_pairs_easy(source, tmp_path):
    small = build_terminology(source, tmp_path / "0", split_distance=0)
    large = build_terminology(source, tmp_path / "100", split_distance=100)
    assert small.sets["fsn-syn-easy-random"].positives == 0
    assert large.sets["fsn-syn-hard-random"].positives == 0
    assert large.sets["fsn-syn-easy-random"].positives == len(FSN_SYN)


def test_figures_of_a_set_are_those_of_its_pairs(source, tmp_path):
    manifest = build_terminology(source, tmp_path / "sets")
    frame = PairSet.load(tmp_path / "sets" / "syn-syn-hard-levenshtein.parquet").frame
    facts = manifest.sets["syn-syn-hard-levenshtein"]
    assert facts.distance_positives == frame.filter(pl.col("label") == 1)["distance"].mean()
    assert facts.distance_negatives == frame.filter(pl.col("label") == 0)["distance"].mean()
    terms = {*frame["term_1"], *frame["term_2"]}
    assert facts.terms == len(terms)
    assert facts.multi_word == sum(" " in term for term in terms) / len(terms)
    lines = sorted(f"{row['label']}\t{row['term_1']}\t{row['term_2']}\n" for row in frame.to_dicts())
    assert facts.digest == hashlib.sha256("".join(lines).encode()).hexdigest()


def test_the_folder_is_read_by_datasets(source, tmp_path):
    from datasets import load_dataset

    build_terminology(source, tmp_path / "sets")
    loaded = load_dataset(
        str(tmp_path / "sets"), "syn-syn-hard-levenshtein", cache_dir=str(tmp_path / "cache")
    )
    expected = PairSet.load(tmp_path / "sets" / "syn-syn-hard-levenshtein.parquet").frame
    assert loaded["train"]["term_1"][:] == expected["term_1"].to_list()


def test_an_interrupted_build_goes_on_from_the_sets_it_had(source, tmp_path, monkeypatch):
    whole = build_terminology(source, tmp_path / "whole")
    usual, made = module.nearest_negatives, []  # type: ignore[attr-defined]

    def interrupted(*arguments, **options):
        if len(made) == 4:
            raise KeyboardInterrupt
        made.append(1)
        return usual(*arguments, **options)

    monkeypatch.setattr(module, "nearest_negatives", interrupted)
    with pytest.raises(KeyboardInterrupt):
        build_terminology(source, tmp_path / "sets")
    assert not (tmp_path / "sets").exists()
    assert (tmp_path / "sets.partial").is_dir()
    again = []
    monkeypatch.setattr(
        module, "nearest_negatives", lambda *given, **options: again.append(1) or usual(*given, **options)
    )
    kept = len(list((tmp_path / "sets.partial").glob("*-levenshtein.parquet")))
    said: list[str] = []
    with hearing(said.append):
        assert build_terminology(source, tmp_path / "sets") == whole
    assert said == [
        "resuming: 10 of 10 sets with random negatives are kept",
        f"resuming: {kept} of 10 sets with levenshtein negatives are kept",
    ]
    assert bytes_of(tmp_path / "sets") == bytes_of(tmp_path / "whole")
    assert not (tmp_path / "sets.partial").exists()
    asked = sum(whole.sets[part.set_name("levenshtein")].positives > 0 for part in PARTS)
    assert len(again) == asked - 4


def test_what_is_left_of_another_build_is_not_taken(source, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "needed_parts", lambda _families: [*PARTS[:-1], None])
    with pytest.raises(AttributeError):
        build_terminology(source, tmp_path / "sets", seed=1)
    monkeypatch.undo()
    assert any((tmp_path / "sets.partial").iterdir())
    assert build_terminology(source, tmp_path / "sets").sets == build_terminology(source, tmp_path / "b").sets


def test_the_same_build_is_not_made_again_and_another_is_refused(source, tmp_path, monkeypatch):
    first = build_terminology(source, tmp_path / "sets")
    with monkeypatch.context() as patch:
        patch.delattr(module, "find_positives")
        assert build_terminology(source, tmp_path / "sets") == first
    with pytest.raises(InputError, match=r"has another build \(with other parameters\); add replace=True"):
        build_terminology(source, tmp_path / "sets", seed=7)
    assert Manifest.load(tmp_path / "sets") == first
    replaced = build_terminology(source, tmp_path / "sets", seed=7, replace=True)
    assert Manifest.load(tmp_path / "sets") == replaced != first


def test_a_build_that_lost_a_file_is_mended_with_replace_alone(source, tmp_path):
    build_terminology(source, tmp_path / "sets")
    before = bytes_of(tmp_path / "sets")
    (tmp_path / "sets" / "same-as-hard-random.parquet").unlink()
    with pytest.raises(InputError, match="has a build that lacks files; add replace=True"):
        build_terminology(source, tmp_path / "sets")
    build_terminology(source, tmp_path / "sets", replace=True)
    assert bytes_of(tmp_path / "sets") == before


@pytest.mark.parametrize("damage", ["cut", "terms", "ids"])
def test_a_damaged_set_of_an_interrupted_build_is_made_again(damage, source, tmp_path):
    build_terminology(source, tmp_path / "sets")
    good = bytes_of(tmp_path / "sets")
    (tmp_path / "sets").rename(tmp_path / "sets.partial")
    path = tmp_path / "sets.partial" / "syn-syn-hard-levenshtein.parquet"
    if damage == "cut":
        path.write_bytes(path.read_bytes()[:-20])
    else:
        metadata = {key: text for key, text in pl.read_parquet_metadata(path).items() if "medgauge" in key}
        column = "term_2" if damage == "terms" else "id_2"
        frame = pl.read_parquet(path).with_columns(pl.col(column).reverse())
        frame.write_parquet(path, metadata=metadata)
    build_terminology(source, tmp_path / "sets")
    assert bytes_of(tmp_path / "sets") == good


@pytest.mark.parametrize("form", ["parquet", "tsv"])
def test_a_damaged_set_of_a_whole_build_is_mended_with_replace(form, source, tmp_path):
    build_terminology(source, tmp_path / "sets", form=form)
    good = bytes_of(tmp_path / "sets")
    (tmp_path / "sets" / f"same-as-hard-random.{form}").write_text("junk")
    build_terminology(source, tmp_path / "sets", form=form, replace=True)
    assert bytes_of(tmp_path / "sets") == good


def test_a_failed_build_leaves_no_parent_folders(source, tmp_path):
    with pytest.raises(InputError, match=r"language 'zz'; available: en$"):
        build_terminology(source, tmp_path / "a" / "b" / "sets", language="zz")
    assert not (tmp_path / "a").exists()


def test_a_link_to_itself_is_refused(source, tmp_path):
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(InputError, match="is a broken link"):
        build_terminology(source, tmp_path / "loop")


def test_a_source_whose_name_is_no_text_is_built(source, tmp_path):
    odd = tmp_path / os.fsdecode(b"r\xff.zip")
    odd.write_bytes(source.read_bytes())
    assert list(build_terminology(odd, tmp_path / "sets").source.files) == ["r?.zip"]


def test_a_folder_of_something_else_is_left_alone(source, tmp_path):
    (tmp_path / "sets").mkdir()
    (tmp_path / "sets" / "thesis.docx").write_text("mine")
    with pytest.raises(InputError, match=r"contains thesis\.docx, which is not part of a build"):
        build_terminology(source, tmp_path / "sets")
    assert (tmp_path / "sets" / "thesis.docx").read_text() == "mine"


def test_a_concept_without_a_name_is_left_out_and_reported_or_an_error(tmp_path):
    release = small_release()
    nameless = release.concept(77).synonym("No name").synonym("Nameless")
    source = release.zip(tmp_path / "release.zip")
    with pytest.warns(MedgaugeWarning, match=f"1 active concept has no current name .*{nameless.id}"):
        manifest = build_terminology(source, tmp_path / "sets")
    assert manifest.counts["concepts_without_name"] == 1
    assert ("No name", "Nameless") not in rows(tmp_path / "sets", "syn-syn-hard-random", 1)
    with pytest.raises(InputError, match=f"1 active concept has no current name .*{nameless.id}"):
        build_terminology(source, tmp_path / "strict", strict=True)
    assert not (tmp_path / "strict").exists()
    assert not (tmp_path / "strict.partial").exists()


def test_a_shortfall_is_reported(tmp_path):
    release = Release()
    flu = release.concept(1).fsn("Influenza (disorder)").synonym("Flu")
    old = release.concept(2, active=False).fsn("Grippe (disorder)")
    release.associate(old, flu, SAME_AS)
    manifest = build_terminology(release.write(tmp_path / "release"), tmp_path / "sets")
    for strategy in STRATEGIES:
        facts = manifest.sets[f"fsn-syn-hard-{strategy}"]
        assert (facts.positives, facts.negatives, facts.shortfall) == (1, 0, 1)


def test_a_release_without_associations_makes_no_replacement_sets(tmp_path):
    source = small_release().write(tmp_path / "release", without=["Association"])
    with pytest.raises(
        FileError, match=r"has no association reference set .*families=\['fsn-syn', 'syn-syn'\]"
    ):
        build_terminology(source, tmp_path / "sets")
    manifest = build_terminology(source, tmp_path / "sets", families=["fsn-syn", "syn-syn"])
    assert len(manifest.sets) == 8


def test_an_association_file_without_associations_is_no_missing_file(tmp_path):
    release = Release()
    release.concept(1).fsn("Influenza (disorder)").synonym("Flu")
    manifest = build_terminology(release.write(tmp_path / "release"), tmp_path / "sets")
    assert manifest.sets["same-as-hard-random"].positives == 0
    assert manifest.sets["fsn-syn-hard-random"].positives == 1


@pytest.mark.parametrize(
    ("options", "error", "problem"),
    [
        ({"families": ["fsn-sin"]}, UnknownNameError, "there is no family 'fsn-sin'; did you mean 'fsn-syn'"),
        ({"families": []}, InputError, "no family was given"),
        ({"negatives": ["hard"]}, UnknownNameError, "there is no kind of negatives 'hard'"),
        ({"split_distance": -1}, InputError, "must be at least 0, not -1"),
        ({"seed": -1}, InputError, "must be at least 0 and less than"),
        ({"workers": 0}, InputError, "must be at least 1, not 0"),
    ],
)
def test_what_cannot_be_asked_is_refused_before_anything_is_read(options, error, problem, tmp_path):
    with pytest.raises(error, match=problem):
        build_terminology(tmp_path / "nothing.zip", tmp_path / "sets", **options)
    assert not list(tmp_path.iterdir())


def test_the_manifest_says_no_term(source, tmp_path):
    build_terminology(source, tmp_path / "sets")
    text = (tmp_path / "sets" / MANIFEST).read_text("utf-8")
    json.loads(text)
    for one, other in SYN_SYN:
        assert one not in text
        assert other not in text
