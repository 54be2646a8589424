import logging

import pytest

from medgauge.errors import FileError, InputError, options_as_flags
from medgauge.models.encoders.libraries import loading_from


def test_an_error_of_a_library_is_one_sentence(tmp_path):
    with (
        pytest.raises(FileError, match=r"the model cannot be loaded \(ValueError: a b\)"),
        loading_from(tmp_path, trust_remote_code=False),
    ):
        raise ValueError("a\n  b")


def test_code_that_is_not_trusted_says_which_option_allows_it(tmp_path):
    with (
        options_as_flags(),
        pytest.raises(FileError, match="if you trust it, add --trust-remote-code"),
        loading_from(tmp_path, trust_remote_code=False),
    ):
        raise ValueError("Please pass the argument `trust_remote_code=True`")


def test_an_error_of_our_own_stays_as_it_is(tmp_path):
    with pytest.raises(InputError, match=r"^mine$"), loading_from(tmp_path, trust_remote_code=False):
        raise InputError("mine")


def test_loading_is_silent_and_leaves_the_logs_as_they_were(tmp_path, caplog):
    logger = logging.getLogger("sentence_transformers")
    logger.setLevel(logging.INFO)
    with loading_from(tmp_path, trust_remote_code=False):
        logger.warning("advice")
    assert "advice" not in caplog.text
    assert logger.level == logging.INFO
    logger.setLevel(logging.NOTSET)
