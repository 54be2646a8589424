"""The libraries that load encoders: kept quiet, and their errors said in one sentence."""

import logging
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from medgauge.errors import FileError, MedgaugeError, option

UNTRUSTED_CODE = "the model brings Python code of its own, which is not run; if you trust it, add {}"
"""Said of a model that needs code of its own, with the option that allows it."""

_LOGGERS = ("transformers", "sentence_transformers", "huggingface_hub")


@contextmanager
def loading_from(path: Path, *, trust_remote_code: bool) -> Iterator[None]:
    """Load a model inside the block: without bars and advice, and with one clear error if it fails."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "true")  # else the library warns after a fork
    from transformers.utils import logging as reports

    levels = {name: logging.getLogger(name).level for name in _LOGGERS}
    bars = reports.is_progress_bar_enabled()
    for name in _LOGGERS:
        logging.getLogger(name).setLevel(logging.ERROR)
    reports.disable_progress_bar()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except MedgaugeError:
        raise
    except Exception as error:  # whatever the library raises for a folder that it cannot read
        raise FileError(path, _problem(error, trust_remote_code)) from error
    finally:
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)
        if bars:
            reports.enable_progress_bar()


def _problem(error: Exception, trust_remote_code: bool) -> str:
    text = " ".join(str(error).split())
    if "trust_remote_code" in text and not trust_remote_code:
        return UNTRUSTED_CODE.format(option("trust_remote_code", True))
    return f"the model cannot be loaded ({type(error).__name__}: {text[:200]})"
