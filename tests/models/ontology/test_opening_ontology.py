import gc
from pathlib import Path

import polars as pl
import pytest

from medgauge import Card, load_model
from medgauge.errors import FileError, InputError, UnknownNameError
from medgauge.models.ontology import opening_ontology
from medgauge.models.ontology.ontology_measures import MEASURES_OF_ONTOLOGIES
from medgauge.models.ontology.ontology_scorer import OntologyScorer
from medgauge.pairs import Pairs
from medgauge.terminology.read import read_terminology
from tests.models.ontology.test_concept_frequencies import OBO
from tests.rf2 import Release


@pytest.fixture
def toy(tmp_path) -> Path:
    path = tmp_path / "toy.obo"
    path.write_text(OBO)
    return path


@pytest.fixture
def release(tmp_path) -> Path:
    release = Release()
    root = release.concept(1).fsn("Everything (concept)")
    disease = release.concept(2).fsn("Disease (disorder)")
    release.is_a(disease, root)
    release.is_a(release.concept(3).fsn("Influenza (disorder)").synonym("Flu"), disease)
    release.is_a(release.concept(4).fsn("Gout (disorder)"), disease)
    return release.write(tmp_path / "release")


def score(model, one: str, other: str) -> float:
    return float(model.score(Pairs.of([(one, other)], card=Card(name="x", title="X")))[0])


@pytest.mark.parametrize("measure", MEASURES_OF_ONTOLOGIES)
def test_every_measure_opens_and_its_card_says_what_it_is(toy, measure):
    model = load_model(f"ontology:{measure}@{toy}")
    assert isinstance(model, OntologyScorer)
    card = model.card
    assert (card.name, card.family, card.format) == (f"{measure}@toy.obo", "pairs", "ontology")
    assert (card.sources, card.ids_first, card.keys) == (("toy",), True, "term")
    assert (card.trained_on, card.licence) == ("the hierarchy of toy", "that of the ontology")
    assert card.parameters["measure"] == measure
    assert score(model, "common cold", "Chill") == pytest.approx(
        {"path": 1 / 3, "wup": 0.5, "lch": 0.287682, "jcn": 1 / (1 + 2 * 1.098612)}.get(measure, 0), abs=1e-6
    )


def test_a_release_of_snomed_ct_opens_as_a_folder_and_its_terms_stay(release):
    model = load_model(f"ontology:wup@{release}")
    assert score(model, "flu", "GOUT") == pytest.approx(4 / 6)
    assert model.card.sources == ("snomed-ct",)
    assert model.card.licence.startswith("that of SNOMED CT")
    assert model.card.name == "wup@release"


def test_a_release_in_another_language(tmp_path):
    release = Release(language="es")
    root = release.concept(1).fsn("Todo (concepto)", language="es")
    release.is_a(release.concept(2).fsn("Gripe (trastorno)", language="es"), root)
    path = release.write(tmp_path / "release")
    assert score(load_model(f"ontology:path@{path}?language=es"), "gripe", "todo") == 0.5
    with pytest.raises(FileError, match="no descriptions in the language 'en'; available: es"):
        load_model(f"ontology:path@{path}")


def test_the_digest_depends_on_everything_that_scores_do(toy, tmp_path):
    counts = tmp_path / "counts.csv"
    counts.write_text("id,count\nT:2,1\nT:3,1\n")
    specs = [
        *("ontology:lin@", "ontology:resnik@", "ontology:lin@{}?ic=sanchez", "ontology:lin@{}?ic=seco"),
        *(f"ontology:lin@{{}}?ic={kind}:{counts}" for kind in ("corpus",)),
        f"ontology:lin@{{}}?ic=corpus:{counts}&smooth=yes",
    ]
    filled = [spec.format(toy) if "{" in spec else f"{spec}{toy}" for spec in specs]
    digests = [load_model(spec).card.digest for spec in filled]
    counts.write_text("id,count\nT:2,1\nT:3,2\n")
    digests.append(load_model(filled[4]).card.digest)
    toy.write_text(OBO + "\n[Term]\nid: T:4\nname: Warmth\nis_a: T:1\n")
    digests.append(load_model(filled[0]).card.digest)
    assert len(set(digests)) == len(digests)
    assert load_model(filled[0]).card.digest == digests[-1]


def test_counts_of_a_corpus_and_of_records(toy, tmp_path):
    corpus, records = tmp_path / "a.tsv", tmp_path / "b.tsv"
    corpus.write_text("term\tcount\ncommon cold\t3\nchill\t1\n")
    records.write_text("id\tterm\tpatients\nT:2\tCold\t20–49\n")
    model = load_model(f"ontology:jcn@{toy}?ic=corpus:{corpus}")
    assert model.card.parameters["ic"] == "corpus: a.tsv"
    # −ln(3/4) − ln(1/4), and nothing in common but the root
    assert score(model, "chill", "common cold") == pytest.approx(1 / (1 + 0.287682 + 1.386294), abs=1e-6)
    found = load_model(f"ontology:resnik@{toy}?ic=records:{records}")
    assert score(found, "chill", "thing") == 0
    smooth = load_model(f"ontology:resnik@{toy}?ic=records:{records}&smooth=yes")
    assert smooth.card.parameters["smooth"] is True
    assert score(smooth, "common cold", "common cold") > 0


def test_models_of_one_source_share_what_was_read(toy, monkeypatch):
    read, reads = read_terminology, []
    monkeypatch.setattr(
        opening_ontology, "read_terminology", lambda *args, **kwargs: reads.append(1) or read(*args, **kwargs)
    )
    gc.collect()
    models = [load_model(f"ontology:{measure}@{toy}") for measure in MEASURES_OF_ONTOLOGIES]
    assert len(reads) == 1
    assert len({id(model.source) for model in models}) == 1
    del models
    gc.collect()
    load_model(f"ontology:lin@{toy}")
    assert len(reads) == 2


@pytest.mark.parametrize(
    ("spec", "problem"),
    [
        ("ontology:hp.obo", "'ontology:hp.obo' needs a measure and a source: ontology:MEASURE@SOURCE"),
        ("ontology:@hp.obo", "needs a measure and a source"),
        ("ontology:lin@", "needs a measure and a source"),
        ("ontology:linn@TOY", "there is no measure of ontology: 'linn'; did you mean 'lin'?"),
        ("ontology:cosine@TOY", "choose from: path, wup, lch, resnik, lin, jcn, sanchez"),
        ("ontology:lin@TOY?ic=sanches", "there is no ic of ontology: 'sanches'; did you mean 'sanchez'?"),
        ("ontology:lin@TOY?ic=corpus", "ic=corpus of .* needs a table of counts: ic=corpus:FILE"),
        ("ontology:lin@TOY?ic=corpus:nothing.tsv", "nothing.tsv: there is no such file"),
        ("ontology:path@TOY?ic=sanchez", "the measure path has no option ic, as it uses no information"),
        ("ontology:sanchez@TOY?ic=seco", "the measure sanchez has no option ic, as its information content"),
        ("ontology:lin@TOY?smooth=yes", "smooth=yes of .* is for counts"),
        ("ontology:lin@TOY?smooth=maybe", "there is no smooth of ontology: 'maybe'"),
        ("ontology:lin@TOY?depth=3", "there is no option of ontology: 'depth'"),
        ("ontology:lin@missing.obo", "missing.obo: there is no such file or folder"),
        ("onthology:lin@TOY", "did you mean 'ontology'?"),
    ],
)
def test_a_bad_spec_is_one_sentence(toy, spec, problem):
    with pytest.raises((InputError, UnknownNameError), match=problem):
        load_model(spec.replace("TOY", str(toy)))


def test_sanchez_may_be_named_twice(toy):
    assert load_model(f"ontology:sanchez@{toy}?ic=sanchez").card == load_model(f"ontology:sanchez@{toy}").card


def test_a_flat_file_a_cycle_and_a_file_that_is_no_ontology_are_refused(tmp_path):
    path = tmp_path / "x.obo"
    path.write_text("[Term]\nid: X:1\nname: one\n\n[Term]\nid: X:2\nname: two\n")
    with pytest.raises(FileError, match=r"x\.obo: has no is-a relations between active concepts"):
        load_model(f"ontology:lin@{path}")
    path.write_text("[Term]\nid: X:1\nname: one\nis_a: X:2\n\n[Term]\nid: X:2\nname: two\nis_a: X:1\n")
    with pytest.raises(
        FileError, match=r"x\.obo: the is-a hierarchy has a cycle: 'X:1' is a 'X:2' is a 'X:1'"
    ):
        load_model(f"ontology:lin@{path}")
    path.write_text("not an ontology\n")
    with pytest.raises(FileError, match=r"x\.obo: has no classes"):
        load_model(f"ontology:lin@{path}")


def test_a_release_without_relations_is_refused(tmp_path):
    release = Release()
    release.concept(1).fsn("Gout (disorder)")
    path = release.write(tmp_path / "release")
    for file in path.rglob("*Relationship*"):
        file.unlink()
    with (
        pytest.warns(UserWarning, match="has no relationship file"),
        pytest.raises(FileError, match="has no is-a relations"),
    ):
        load_model(f"ontology:lin@{path}")


def test_ids_of_a_frame_may_be_numbers(release):
    model = load_model(f"ontology:path@{release}")
    ids = model.source.terminology.concepts["id"].cast(pl.Int64)
    frame = pl.DataFrame(
        {"pair_id": ["1"], "term_1": ["x"], "term_2": ["y"], "id_1": ids[2:3], "id_2": ids[3:4]}
    )
    assert model.score(Pairs(frame, Card(name="x", title="X")))[0] == pytest.approx(1 / 3)
