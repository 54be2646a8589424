import math

import polars as pl
import pytest
from scipy.stats import pearsonr

from medgauge.comparison.correlate import Correlations, correlate
from medgauge.errors import FileError, InputError, UndefinedWarning
from medgauge.estimate import Estimate

MODELS = ["SG", "CBOW", "GloVe", "Dependency", "fastText"]
RHO = [0.58, 0.50, 0.47, 0.39, 0.55]
F1 = [65.2, 61.9, 60.1, 65.0, 63.3]


def frame(models=MODELS, **columns):
    return pl.DataFrame({"model": models, **columns}, strict=False)


def test_every_column_is_held_against_every_column():
    intrinsic = frame(rho=RHO, other=F1)
    extrinsic = frame(f1=F1, recall=RHO[::-1], precision=RHO)
    found = correlate(intrinsic, extrinsic)
    assert [(one.intrinsic, one.extrinsic) for one in found.correlations] == [
        (left, right) for left in ("rho", "other") for right in ("f1", "recall", "precision")
    ]
    for one in found.correlations:
        known = pearsonr(intrinsic[one.intrinsic], extrinsic[one.extrinsic])
        assert (one.r, one.p) == pytest.approx((known.statistic, known.pvalue), abs=1e-12)
        assert one.n == 5


def test_models_are_joined_by_name_and_not_by_their_order():
    turned = frame(MODELS[::-1], f1=F1[::-1])
    assert correlate(frame(rho=RHO), turned) == correlate(frame(rho=RHO), frame(f1=F1))


def test_models_that_one_table_alone_has_are_left_out_and_named():
    found = correlate(frame(["BioASQ", *MODELS], rho=[9.0, *RHO]), frame([*MODELS[:4], "ELMo"], f1=F1))
    assert found.models == MODELS[:4]
    assert found.intrinsic.left_out == ["BioASQ", "fastText"]
    assert found.extrinsic.left_out == ["ELMo"]
    [one] = found.correlations
    assert (one.r, one.n) == (pytest.approx(pearsonr(RHO[:4], F1[:4]).statistic), 4)


def test_names_are_compared_as_they_are_spelled():
    with pytest.raises(InputError, match="have no model in common"):
        correlate(frame(rho=RHO), frame([name.swapcase() for name in MODELS], f1=F1))


def test_a_missing_figure_leaves_the_model_out_for_its_column_alone():
    found = correlate(frame(rho=[None, *RHO[1:]], full=RHO), frame(f1=[*F1[:4], None], recall=F1))
    counts = {(one.intrinsic, one.extrinsic): one.n for one in found.correlations}
    assert counts == {("rho", "f1"): 3, ("rho", "recall"): 4, ("full", "f1"): 4, ("full", "recall"): 5}
    assert found.correlations[0].r == pytest.approx(pearsonr(RHO[1:4], F1[1:4]).statistic)


@pytest.mark.parametrize(("count", "said"), [(0, "no model"), (1, "one model"), (2, "2 models")])
def test_fewer_than_three_common_models_are_too_few(tmp_path, count, said):
    paths = [tmp_path / "similarity.csv", tmp_path / "ner.csv"]
    for path, strangers in zip(paths, (["a", "b", "c"], ["d", "e", "f"]), strict=True):
        path.write_text("\n".join(["model,x", *(f"{name},1" for name in [*MODELS[:count], *strangers])]))
    with pytest.raises(InputError, match=f"have {said} in common") as caught:
        correlate(*paths)
    for path in paths:
        assert str(path) in str(caught.value)


def test_undefined_correlations_are_nan_with_the_reason_and_one_warning_for_each():
    extrinsic = frame(f1=F1, constant=[1.0] * 5, rare=[1.0, 2.0, None, None, None])
    with pytest.warns(UndefinedWarning) as caught:
        found = correlate(frame(rho=RHO, again=RHO), extrinsic)
    assert [str(one.message) for one in caught] == [
        "Pearson's r is undefined for 2 of 6 pairs of columns: all 5 figures of constant are equal",
        "Pearson's r is undefined for 2 of 6 pairs of columns: only 2 models have both figures",
    ]
    assert {one.filename for one in caught} == {__file__}
    assert [math.isnan(one.r) for one in found.correlations] == [False, True, True] * 2
    assert [one.estimate.is_defined for one in found.correlations] == [True, False, False] * 2
    assert [one.n for one in found.correlations] == [5, 5, 2] * 2
    assert found.tests == 2


def test_the_confidence_reaches_every_interval():
    narrow, wide = (
        correlate(frame(rho=RHO), frame(f1=F1, recall=RHO[::-1]), confidence=confidence).correlations
        for confidence in (0.8, 0.99)
    )
    for one, other in zip(narrow, wide, strict=True):
        assert other.low < one.low < one.r < one.high < other.high
        assert one.estimate == Estimate(one.r, one.low, one.high, 0.8, 5)
        assert (one.p, other.estimate.confidence) == (other.p, 0.99)


@pytest.mark.parametrize("confidence", [0, 1, 95, math.nan])
def test_a_confidence_that_is_not_a_probability_is_refused(confidence):
    with pytest.raises(InputError, match="the confidence must be between 0 and 1"):
        correlate(frame(rho=RHO), frame(f1=F1), confidence=confidence)


def test_the_result_survives_json_with_undefined_as_null():
    with pytest.warns(UndefinedWarning):
        found = correlate(frame(rho=RHO), frame(f1=F1, constant=[1.0] * 5))
    text = found.to_json()
    assert '"r": null' in text
    assert text.count('"undefined": "all 5 figures of constant are equal"') == 1
    assert '"confidence"' not in text
    assert Correlations.model_validate_json(text).to_json() == text


def test_significance_is_counted_with_and_without_bonferroni():
    """p = 0.0013 for a, 0.019 for b and 0.33 for c; three tests at 5% need p < 0.0167."""
    line = [1.0, 2.0, 3.0, 4.0, 5.0]
    columns = {"a": [1.1, 1.8, 3.4, 4.0, 4.9], "b": [1.0, 3.0, 2.5, 4.0, 6.0], "c": [2.0, 1.0, 4.0, 1.5, 4.5]}
    found = correlate(frame(x=line), frame(**columns))
    for one in found.correlations:
        assert one.p == pytest.approx(pearsonr(line, columns[one.extrinsic]).pvalue)
    uncorrected, corrected = found.significant(0.05)
    assert [one.extrinsic for one in uncorrected] == ["a", "b"]
    assert [one.extrinsic for one in corrected] == ["a"]
    assert found.significant(0.001) == ([], [])


@pytest.mark.parametrize("alpha", [0, 1, -1, 2, math.nan])
def test_an_alpha_that_is_no_probability_is_refused(alpha):
    with pytest.raises(InputError, match="alpha must be between 0 and 1"):
        correlate(frame(rho=RHO), frame(f1=F1)).significant(alpha)


def test_stored_correlations_that_lack_a_pair_of_columns_are_refused(tmp_path):
    found = correlate(frame(rho=RHO, other=F1), frame(f1=F1))
    path = tmp_path / "correlations.json"
    path.write_text(found.model_copy(update={"correlations": found.correlations[:1]}).to_json())
    with pytest.raises(
        FileError, match=r"correlations\.json: is damaged: the correlation of some columns is"
    ):
        Correlations.load(path)
