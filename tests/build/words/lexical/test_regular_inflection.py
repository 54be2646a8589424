"""Regular inflection, on words whose forms anybody can look up."""

import pytest

from medgauge.build.words.lexical.regular_inflection import noun_plurals, verb_forms


@pytest.mark.parametrize(
    ("base", "code", "plurals"),
    [
        ("cell", "reg", ["cells"]),
        ("biopsy", "reg", ["biopsies"]),
        ("assay", "reg", ["assays"]),
        ("abscess", "reg", ["abscesses"]),
        ("branch", "reg", ["branches"]),
        ("nucleus", "glreg", ["nuclei"]),
        ("carcinoma", "glreg", ["carcinomata"]),
        ("vertebra", "glreg", ["vertebrae"]),
        ("bacterium", "glreg", ["bacteria"]),
        ("ganglion", "glreg", ["ganglia"]),
        ("diagnosis", "glreg", ["diagnoses"]),
        ("naris", "glreg", ["nares"]),
        ("foramen", "glreg", ["foramina"]),
        ("cortex", "glreg", ["cortices"]),
        ("calyx", "glreg", ["calyces"]),
        ("kidney", "glreg", []),
        ("cat", "metareg", ["cats", "cat's"]),
        ("sheep", "inv", []),
    ],
)
def test_plurals_follow_the_code(base, code, plurals):
    assert list(noun_plurals(base, code)) == plurals


@pytest.mark.parametrize(
    ("base", "code", "forms"),
    [
        ("treat", "reg", ["treats", "treated", "treating"]),
        ("lyse", "reg", ["lyses", "lysed", "lysing"]),
        ("identify", "reg", ["identifies", "identified", "identifying"]),
        ("assay", "reg", ["assays", "assayed", "assaying"]),
        ("process", "reg", ["processes", "processed", "processing"]),
        ("agree", "reg", ["agrees", "agreed", "agreeing"]),
        ("die", "reg", ["dies", "died", "dying"]),
        ("transfer", "regd", ["transfers", "transferred", "transferring"]),
        ("go", "irreg", []),
    ],
)
def test_verbs_follow_the_code(base, code, forms):
    assert list(verb_forms(base, code)) == forms
