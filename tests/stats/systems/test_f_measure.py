import numpy as np
import pytest

from medgauge.stats.systems.f_measure import f_measure


def test_the_figures_of_the_example_of_the_conll_2000_task():
    # The output of conlleval on the task's page: 539 phrases found of 459, 371 of them correct.
    precision, recall, f = f_measure(*np.array([371.0, 539.0, 459.0]))
    assert [round(100 * float(one), 2) for one in (precision, recall, f)] == [68.83, 80.83, 74.35]


def test_f_is_the_harmonic_mean():
    precision, recall, f = f_measure(*np.array([[3.0, 7], [5, 9], [10, 8]]))
    assert f == pytest.approx(2 * precision * recall / (precision + recall))


def test_what_is_undefined_is_nan():
    precision, recall, f = f_measure(*np.array([[0.0, 0, 0], [0, 4, 0], [5, 0, 0]]))
    assert np.isnan(precision).tolist() == [True, False, True]
    assert np.isnan(recall).tolist() == [False, True, True]
    assert f[:2].tolist() == [0, 0]
    assert np.isnan(f[2])
