import warnings
from datetime import date, datetime

import numpy as np
import pytest

import medgauge
from medgauge.errors import FileError, InputError, MedgaugeError, UndefinedWarning
from medgauge.models.base import ModelCard
from medgauge.models.load import load_model
from medgauge.probing.probe import as_date, probe
from tests.support.dated_terms import Knows, dated_release, write_ontology
from tests.support.embedding_service import stand_in
from tests.vectors import some_vectors

COUNT = 160
OLD_ONES, NEW_ONES = range(0, COUNT, 2), range(1, COUNT, 2)
SINCE = "2020-01-31"


@pytest.fixture
def ontology(tmp_path):
    return write_ontology(tmp_path / "dated.obo", COUNT)


def asked(model, source, **options):
    return probe(model, source, since=SINCE, candidates=100, resamples=499, **options)


def test_a_model_that_has_memorised_the_old_synonyms_shows_a_gap(ontology):
    found = asked(Knows(OLD_ONES), ontology)
    assert (found["old"].value, found["gap"].n) == (1.0, COUNT // 2)
    assert found["new"].value < 0.1
    assert found.shows_training is True
    most = asked(Knows(OLD_ONES[:60]), ontology)
    assert 0.6 < most["gap"].low < most["gap"].value < 0.8


@pytest.mark.parametrize("known", [(), range(COUNT)], ids=["nothing", "everything"])
def test_a_model_that_knows_nothing_or_everything_shows_no_gap(ontology, known):
    found = asked(Knows(known), ontology)
    assert abs(found["gap"].value) < 0.05
    assert found.shows_training is not True


def test_no_gap_is_found_too_often_where_old_and_new_are_known_alike(ontology):
    signs = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        known = np.flatnonzero(rng.random(COUNT) < 0.4).tolist()
        signs += asked(Knows(known, seed=seed), ontology, seed=seed).shows_training is True
    assert signs <= 4  # 2.5% are expected; 5 or more of 40 have a chance below 1 in 200


def test_a_full_release_tells_the_first_date_of_each_concept(tmp_path):
    release = dated_release(COUNT)
    full = asked(Knows(OLD_ONES), release.write(tmp_path / "full"))
    assert full.concepts == {"new": COUNT // 2, "old": COUNT // 2}
    assert full["gap"].value > 0.9
    with pytest.raises(FileError, match="is a Snapshot, which has only the date of each concept's last"):
        asked(Knows(()), release.write(tmp_path / "snapshot", full=False))


def test_the_same_seed_gives_the_same_bytes_and_another_other_candidates(ontology):
    first, again, other = (asked(Knows(()), ontology, seed=seed) for seed in (1, 1, 2))
    assert first.to_json() == again.to_json()
    assert first.to_json().replace('"seed": 1', '"seed": 2') != other.to_json()


def test_word_vectors_are_asked_by_their_mean_and_what_they_lack_is_counted(ontology):
    known = [f"{word}{number}" for number in range(60) for word in ("zaq", "wort", "plin", "gorm")]
    found = asked(some_vectors(*known), ontology, concepts=1000)
    assert found.measure == "avg_cos"
    assert (found.candidates, found.wanted_candidates) == (60, 100)
    assert found.asked["new"] <= 30
    assert found.asked["new"] + found.uncovered["new"] + found.unmatched + found.not_drawn == COUNT // 2


def test_only_as_many_new_concepts_are_asked_for_as_wanted(ontology):
    model = Knows(())
    found = asked(model, ontology, concepts=10)
    assert found.asked == {"new": 10, "old": 30}
    assert found.not_drawn == COUNT // 2 - 10 - found.unmatched
    assert sum(text.startswith("plin") for text in model.asked) == 40


def test_concepts_without_a_date_are_only_candidates(tmp_path):
    source = write_ontology(tmp_path / "dated.obo", COUNT, undated=range(20))
    model = Knows(())
    found = probe(model, source, since=SINCE, candidates=COUNT, resamples=99)
    assert (found.undated, found.concepts) == (20, {"new": 70, "old": 70})
    assert "zaq3 wort3" in model.asked
    assert "plin3 gorm3" not in model.asked


def test_by_default_about_a_tenth_of_the_concepts_is_new(hpo_file):
    words = some_vectors("abnormal", "morphology", "of", "the", "abnormality")
    found = probe(words, hpo_file, oov="skip-word", resamples=99, concepts=50)
    assert found.concepts["new"] == pytest.approx(0.1 * sum(found.concepts.values()), rel=0.1)


def test_a_budget_that_is_too_small_is_noticed_before_anything_is_sent(ontology):
    with stand_in() as service:
        with pytest.raises(InputError, match=r"about [\d,]+ tokens but max_tokens= allows 300"):
            asked(load_model(f"api:m@{service.url}", max_tokens=300), ontology)
        assert service.asked == []


def test_a_model_that_covers_nothing_has_no_figure_but_a_reason(ontology):
    with pytest.warns(UndefinedWarning, match="covers no new concept"):
        found = asked(some_vectors("nothing"), ontology)
    assert {one.undefined for one in found.figures} == {"there are no matched groups"}
    assert found.shows_training is None
    assert "nothing can be said" in repr(found)


@pytest.mark.parametrize(
    ("model", "options", "complaint"),
    [
        ("levenshtein", {}, "'levenshtein' scores pairs and has no vectors"),
        (Knows(()), {"since": "31.1.2020"}, "is not a date such as 2020-01-31"),
        (Knows(()), {"since": "2021-01-01"}, "first appears on 2021-01-01 or later; give an earlier date"),
        (Knows(()), {"since": "2010-01-01"}, "first appears before 2010-01-01; give a later date"),
        (Knows(()), {"candidates": 1}, "candidates must be between 2 and 1,000,000, not 1"),
        (Knows(()), {"concepts": 0}, "concepts must be between 1 and"),
        (Knows(()), {"oov": "guess"}, "there is no choice for unknown words 'guess'"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_a_sentence(ontology, model, options, complaint):
    with pytest.raises(MedgaugeError, match=complaint):
        probe(model, ontology, **{"since": SINCE, **options})


class ByConcept:
    card = ModelCard(name="cuis", family="vectors", keys="cui")

    def lookup(self, _keys):
        raise AssertionError("is not asked")


def test_a_model_that_looks_up_ids_is_refused(ontology):
    with pytest.raises(InputError, match="'cuis' looks up cuis and not terms"):
        asked(ByConcept(), ontology)


def test_an_ontology_without_dates_is_refused(tmp_path):
    source = write_ontology(tmp_path / "undated.obo", 6, undated=range(6))
    with pytest.raises(FileError, match="has no creation_date of any class"):
        asked(Knows(()), source)


def test_a_result_names_no_term_and_can_be_read_back(ontology, tmp_path):
    found = asked(Knows(OLD_ONES), ontology)
    assert not any(word in found.to_json() for word in ("zaq", "wort", "plin", "gorm"))
    (tmp_path / "found.json").write_text(found.to_json(), "utf-8")
    assert medgauge.load_result(tmp_path / "found.json") == found


def test_dates_are_taken_as_text_and_as_objects():
    assert {as_date(one) for one in (SINCE, date(2020, 1, 31), datetime(2020, 1, 31, 12))} == {
        date(2020, 1, 31)
    }


def test_asking_gives_no_warning_of_numpy(ontology):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = asked(Knows(()), ontology)
    assert found["old"].n > 0
