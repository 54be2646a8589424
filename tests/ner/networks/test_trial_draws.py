import numpy as np

from medgauge.ner.networks.trial_draws import TrialDraws


def test_a_trial_draws_the_same_again_and_another_trial_or_seed_something_else():
    drawn = [TrialDraws(*seeds).weights(30, 20) for seeds in ((0, 0), (0, 0), (0, 1), (1, 0))]
    assert (drawn[0] == drawn[1]).all()
    assert all((drawn[0] != other).any() for other in drawn[2:])


def test_what_is_drawn_of_one_kind_does_not_change_the_others():
    plain, busy = TrialDraws(0, 0), TrialDraws(0, 0)
    busy.weights(7, 9)
    busy.kept(11, 3, 0.5)
    assert (plain.order(50) == busy.order(50)).all()
    plain.weights(7, 9)
    assert (plain.weights(4, 4) == busy.weights(4, 4)).all()


def test_dropped_units_do_not_depend_on_how_many_are_drawn_at_a_time():
    whole = TrialDraws(0, 0).kept(12, 8, 0.2)
    parts = TrialDraws(0, 0)
    assert (whole == np.concatenate([parts.kept(4, 8, 0.2), parts.kept(8, 8, 0.2)])).all()


def test_units_are_dropped_with_their_probability_and_weights_are_within_their_limit():
    kept = TrialDraws(0, 0).kept(500, 400, 0.2)
    assert abs(kept.mean() - 0.8) < 0.003
    weights = TrialDraws(0, 0).weights(60, 40)
    assert np.abs(weights).max() <= np.sqrt(6 / 100)
    assert np.abs(weights).max() > 0.99 * np.sqrt(6 / 100)
